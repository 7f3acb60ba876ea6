"""A reply's schema in the forms that servers take: whole, without bounds, or in words. Pure."""

from __future__ import annotations

import json
from typing import Any

from audit.llm.port import JsonSchema

_BOUNDS = frozenset({"maxLength", "minLength", "maxItems", "minItems", "minimum", "maximum"})


def without_bounds(schema: JsonSchema) -> dict[str, Any]:
    """Copy ``schema`` without lengths and ranges, which strict dialects reject."""
    bare: dict[str, Any] = _bare(schema)
    return bare


def in_words(schema: JsonSchema) -> str:
    """Ask for JSON of ``schema`` in words, for servers that enforce none."""
    form = json.dumps(_bare(schema), ensure_ascii=False, separators=(",", ":"))
    return f"Answer with one JSON object and nothing else: no prose, no Markdown. It must fit this JSON schema:\n{form}"


def _bare(node: Any) -> Any:
    if isinstance(node, dict):
        # A property may be called like a bound; only the keywords of a schema go.
        return {
            key: {name: _bare(it) for name, it in value.items()} if key == "properties" else _bare(value)
            for key, value in node.items()
            if key not in _BOUNDS
        }
    return [_bare(it) for it in node] if isinstance(node, list) else node
