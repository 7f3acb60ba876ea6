"""Text that means nothing but itself: untrusted words made safe for Markdown labels and for HTML."""

from __future__ import annotations

import html
import re

from audit.markdown import unlinked

# Marks that turn or hide text: directions, zero widths, soft hyphens, tags; not what joins letters or emoji.
UNSEEN = re.compile(
    "([\u00ad\u061c\u180e\u200b\u200e\u200f\u202a-\u202e\u2060-\u2064\u2066-\u206f\ufeff\ufff9-\ufffb\U000e0001\U000e0020-\U000e007f])"
)
_PUNCTUATION = re.compile(r"([!-/:-@\[-`{-~])")


def as_markdown(text: str) -> str:
    """Escape ``text`` so that Markdown shows it letter for letter on one line: no link, image, formula or directive."""
    return _PUNCTUATION.sub(r"\\\1", unlinked(text))


def revealed(text: str) -> str:
    """Show each mark that turns or hides text by its code ("U+202E") in its place."""
    return UNSEEN.sub(lambda it: f"⟨{code_of(it[0])}⟩", text)


def code_of(char: str) -> str:
    """Write a character's code: ``U+202E``."""
    return f"U+{ord(char):04X}"


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
