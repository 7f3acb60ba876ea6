"""From a ``Request`` to the fields of a chat completion. Pure."""

from __future__ import annotations

from typing import Any

from audit.llm.capabilities import Capabilities
from audit.llm.classify import SYSTEM
from audit.llm.port import JsonMode, Request
from audit.llm.schema import in_words, without_bounds

_LIMIT_FIELDS = ("max_completion_tokens", "max_tokens")


def payload(request: Request, takes: Capabilities) -> dict[str, Any]:
    """Write out ``request`` as a server that ``takes`` these fields wants it."""
    system, user = request.system, request.user
    if request.mode in {JsonMode.OBJECT, JsonMode.TEXT}:
        system = f"{system}\n\n{in_words(request.schema)}"
    messages = [{"role": "system", "content": system}, {"role": "user", "content": user}]
    if SYSTEM in request.without:
        messages = [{"role": "user", "content": f"{system}\n\n{user}"}]
    fields: dict[str, Any] = {
        "model": request.model,
        "messages": messages,
        # Compressed, a few bytes off the wire could become gigabytes.
        "extra_headers": {"Accept-Encoding": "identity"},
    }
    limits = sorted(_LIMIT_FIELDS, key=lambda name: name != takes.limit_field)
    if limit := next((name for name in limits if name not in request.without), ""):
        fields[limit] = request.reply_tokens
    if request.effort and "reasoning_effort" not in request.without:
        fields["reasoning_effort"] = request.effort
    if request.stream and "stream" not in request.without:
        fields["stream"] = True
        if "stream_options" not in request.without:
            fields["stream_options"] = {"include_usage": True}
    match request.mode:
        case JsonMode.STRICT:
            form = {"name": "audit", "strict": True, "schema": without_bounds(request.schema)}
            fields["response_format"] = {"type": "json_schema", "json_schema": form}
        case JsonMode.SCHEMA:
            form = {"name": "audit", "schema": dict(request.schema)}
            fields["response_format"] = {"type": "json_schema", "json_schema": form}
        case JsonMode.OBJECT:
            fields["response_format"] = {"type": "json_object"}
        case JsonMode.TEXT:
            pass
    return fields
