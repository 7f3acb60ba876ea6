"""Text that means nothing but itself: untrusted words made safe for Markdown labels and for HTML."""

from __future__ import annotations

import html
import re

_PUNCTUATION = re.compile(r"([!-/:-@\[-`{-~])")
_AUTOLINK = re.compile(r"(?i)(://|www\.|@)")
_WORD_JOINER = "\u2060"


def as_markdown(text: str) -> str:
    """Escape ``text`` so that Markdown shows it letter for letter on one line: no link, image, formula or directive."""
    folded = " ".join(text.split())
    unlinked = _AUTOLINK.sub(lambda match: match[0][0] + _WORD_JOINER + match[0][1:], folded)
    return _PUNCTUATION.sub(r"\\\1", unlinked)


def as_html(text: object) -> str:
    """Escape ``text`` for an HTML element or a quoted attribute."""
    return html.escape(str(text), quote=True)


def shorten(text: str, width: int) -> str:
    """Fold white space and cut ``text`` to ``width`` characters, with an ellipsis where something was cut."""
    folded = " ".join(text.split())
    return folded if len(folded) <= width else f"{folded[: width - 1].rstrip()}…"


def quiet(markdown: str) -> str:
    """Make Markdown that is already safe step back, in grey."""
    return f":gray[{markdown}]"
