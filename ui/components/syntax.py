"""Syntax classes for pasted code. Pure."""

from __future__ import annotations

from functools import lru_cache

from pygments.lexers import get_lexer_by_name
from pygments.token import Comment, Keyword, Name, Number, Operator, String
from pygments.util import ClassNotFound

from ui.components.segments import Token

MAX_COLOURED = 60_000
_STYLES = (
    (Comment, "comment"),
    (Keyword, "keyword"),
    (String, "string"),
    (Number, "number"),
    (Name.Function, "name"),
    (Name.Class, "name"),
    (Name.Decorator, "name"),
    (Name.Builtin, "builtin"),
    (Operator.Word, "keyword"),
)
_ALIASES = {"c#": "csharp", "typescript": "typescript", "javascript": "javascript"}


@lru_cache(maxsize=64)
def tokens(text: str, language: str) -> tuple[Token, ...]:
    """Find the coloured stretches of ``text`` in ``language``; none where it is unknown or over 60,000 characters."""
    if not language or len(text) > MAX_COLOURED:
        return ()
    options = {"startinline": True} if language == "php" and "<?" not in text else {}
    try:
        lexer = get_lexer_by_name(_ALIASES.get(language, language), stripnl=False, ensurenl=False, **options)
    except ClassNotFound:
        return ()
    found = []
    for start, kind, value in lexer.get_tokens_unprocessed(text):
        style = next((name for parent, name in _STYLES if kind in parent), "")  # type: ignore[comparison-overlap]
        if style and value:
            found.append(Token(start, start + len(value), style))
    return tuple(found)
