"""What every writer of Markdown, and of HTML, does to words that are not its own. Pure."""

from __future__ import annotations

import re

_WORD_JOINER = "\u2060"
# What turns into a link or a mention without any mark around it.
_LINKS = re.compile(r"://|www\.|@", re.IGNORECASE)
_TURNING = re.compile("[\u202a-\u202e\u2066-\u2069]")


def upright(text: str) -> str:
    """Take out marks that turn the direction of text, as what follows on the line would be read backwards too."""
    return _TURNING.sub("", text)


def unlinked(text: str) -> str:
    """Fold white space to single spaces and break what Markdown would link, invisibly; no text is turned."""
    return _LINKS.sub(lambda match: match[0][0] + _WORD_JOINER + match[0][1:], " ".join(upright(text).split()))
