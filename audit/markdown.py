"""What every writer of Markdown does to words that are not its own. Pure."""

from __future__ import annotations

import re

_WORD_JOINER = "\u2060"
# What turns into a link or a mention without any mark around it.
_LINKS = re.compile(r"://|www\.|@", re.IGNORECASE)


def unlinked(text: str) -> str:
    """Fold white space to single spaces and break what Markdown would link, invisibly."""
    return _LINKS.sub(lambda match: match[0][0] + _WORD_JOINER + match[0][1:], " ".join(text.split()))
