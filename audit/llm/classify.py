"""Name a server's error: from status, headers and body to a ``ModelFailure``. Pure.

Bodies differ: Groq and OpenAI answer ``{"error": {message, type, code, param}}``, vLLM also that object bare with a
number as code, Ollama and LM Studio sometimes ``{"error": "text"}``, proxies HTML.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from email.utils import parsedate_to_datetime

from audit.llm.errors import FailureKind, ModelFailure
from audit.llm.redact import mask, redact, slug

FORMAT = "response_format"
SYSTEM = "system"

_MOST_WAIT_S = 86_400.0
_LIMIT_FIELDS = ("max_completion_tokens", "max_tokens")
_FIELDS = ("reasoning_effort", "stream_options", *_LIMIT_FIELDS)
_RETIRED = re.compile(
    r"decommissioned|model_not_found|model_terms_required|model[^.]{0,160}(?:not found|does not exist|no longer|"
    r"deprecated|retired|unavailable for|not (?:exist|available|supported by any))|(?:no such|unknown|invalid) model|"
    r"try pulling it|access to (?:the )?model"
)
_TOO_LARGE = re.compile(
    r"context[ _](?:length|window|size|overflow)|context the overflows|maximum context|too large|prompt is too long|"
    r"too many (?:input )?tokens|exceeds? the (?:available|maximum|model)|reduce (?:the|your) (?:length|message|"
    r"prompt)|request_too_large|string_above_max_length"
)
_QUOTA = re.compile(
    r"insufficient_quota|billing_(?:hard_limit|not_active)|credit balance|out of credits|exceeded your current quota|"
    r"spend.?limit"
)
_REFUSED = re.compile(r"content_filter|content_policy|content management policy|moderation|safety system")
_FORMAT = re.compile(r"response_format|json_schema|json_object|structured output|grammar|schema|guided_|'json' in some")
_STREAM = re.compile(r"\bstream(?:ing)?\b")
_SYSTEM = re.compile(r"system (?:role|message|prompt)s?[^.]{0,40}not (?:supported|allowed)|roles must alternate")
_WAIT = re.compile(
    r"(?:try again|retry|available) (?:in|after) (?:(?P<h>[\d.]+)h)?(?:(?P<m>[\d.]+)m(?!s))?"
    r"(?:(?P<s>[\d.]+) ?s)?(?:(?P<ms>[\d.]+) ?ms)?"
)


def classify(
    status: int, body: object, headers: Mapping[str, str], keys: Iterable[str], fallback: str = ""
) -> ModelFailure:
    """Name an HTTP error of a model server.

    ``body`` is the decoded body or its text, ``headers`` are the response's, ``keys`` are masked in what is kept of
    the server's words, ``fallback`` is used where the body holds no message.
    """
    error = _error(body)
    keys = tuple(keys)
    message = _text(error.get("message")) or (body if isinstance(body, str) else "") or fallback
    codes = " ".join(_text(error.get(name)) for name in ("code", "type"))
    words = f"{codes} {message}".lower()[:4000]
    kind = _kind(status, words, _text(error.get("param")))
    code = next(
        (code for name in ("code", "type") if (code := slug(redact(_text(error.get(name)), keys)))),
        "",
    )
    return ModelFailure(
        kind,
        status=status,
        code=code,
        wait_s=_wait(headers, message) if kind in {FailureKind.RATE_LIMITED, FailureKind.OVERLOADED} else None,
        parameter=_parameter(words, _text(error.get("param"))) if kind is FailureKind.UNSUPPORTED else "",
        salvage=mask(_text(error.get("failed_generation")), keys),
        said=redact(message, keys),
    )


def _kind(status: int, words: str, param: str) -> FailureKind:
    if _QUOTA.search(words) or status == 402:
        return FailureKind.QUOTA
    if status == 413 or (status in {400, 422, 429, 500} and _TOO_LARGE.search(words)):
        return FailureKind.TOO_LARGE
    if "json_validate_failed" in words or "tool_use_failed" in words:
        return FailureKind.BAD_JSON
    if status == 410 or (status in {400, 403, 404, 422} and _RETIRED.search(words)):
        return FailureKind.RETIRED
    if status in {401, 403, 407}:
        return FailureKind.BAD_KEY
    if status == 429:
        return FailureKind.RATE_LIMITED
    if status in {400, 451} and _REFUSED.search(words):
        return FailureKind.REFUSED
    if (status in {400, 415, 422, 501} or status == 500) and _parameter(words, param):
        return FailureKind.UNSUPPORTED
    if status in {408, 409, 425, 498, 499} or status >= 500 or status == 0:
        return FailureKind.OVERLOADED
    if status in {404, 405} or 200 <= status < 400:
        return FailureKind.NOT_AN_API
    return FailureKind.BAD_REQUEST


def _parameter(words: str, param: str) -> str:
    """Name the request field that was rejected, "" where none can be told."""
    if _STREAM.search(words) and "stream_options" not in words:
        return "stream"
    named = param.lower().partition(".")[0].partition("[")[0]
    if named in _FIELDS:
        return named
    for name in _FIELDS:
        at = words.find(name)
        # "'max_tokens' is not supported, use 'max_completion_tokens'": the first named is the one that was rejected.
        others = [words.find(other) for other in _FIELDS if other != name and words.find(other) >= 0]
        if at >= 0 and all(at < other for other in others):
            return name
    if _FORMAT.search(words) or named == FORMAT:
        return FORMAT
    return SYSTEM if _SYSTEM.search(words) else ""


def _wait(headers: Mapping[str, str], message: str) -> float | None:
    """Read how long to wait, in seconds (0 to a day), from the headers or the message."""
    lower = {name.lower(): value.strip() for name, value in headers.items()}
    for name, unit in (("retry-after-ms", 0.001), ("retry-after", 1.0)):
        if (seconds := _number(lower.get(name, ""), unit)) is not None:
            return seconds
    if "retry-after" in lower and "date" in lower:
        try:
            until, sent = (parsedate_to_datetime(lower[name]) for name in ("retry-after", "date"))
            return min(max((until - sent).total_seconds(), 0.0), _MOST_WAIT_S)
        except (ValueError, TypeError, OverflowError):
            return None
    found = _WAIT.search(message.lower()[:4000])
    if not found or not any(found.groupdict().values()):
        return None
    parts = [_number(found[name] or "0", unit) for name, unit in (("h", 3600.0), ("m", 60.0), ("s", 1.0), ("ms", 1e-3))]
    return None if None in parts else min(sum(part for part in parts if part is not None), _MOST_WAIT_S)


def _number(text: str, unit: float) -> float | None:
    if not re.fullmatch(r"\d{1,12}(?:\.\d{1,9})?", text):
        return None
    return min(float(text) * unit, _MOST_WAIT_S)


def _error(body: object) -> Mapping[str, object]:
    if not isinstance(body, Mapping):
        return {}
    inner = body.get("error", body)
    if isinstance(inner, str):
        return {"message": inner}
    return inner if isinstance(inner, Mapping) else {}


def _text(value: object) -> str:
    return value[:200_000] if isinstance(value, str) else str(value) if isinstance(value, int) else ""
