"""Text that means nothing but itself: untrusted words made safe for Markdown labels and for HTML."""

from __future__ import annotations

import html
import re

from audit.markdown import unlinked

_PUNCTUATION = re.compile(r"([!-/:-@\[-`{-~])")


def as_markdown(text: str) -> str:
    """Escape ``text`` so that Markdown shows it letter for letter on one line: no link, image, formula or directive."""
    return _PUNCTUATION.sub(r"\\\1", unlinked(text))


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
