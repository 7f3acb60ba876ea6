"""Take keys and account names out of text that came from a server."""

from __future__ import annotations

import re
from collections.abc import Iterable

MASK = "[key]"
_SECRET = re.compile(
    r"\b(?:sk|gsk|rk|pk|xai|hf|nvapi)[-_][A-Za-z0-9_*.\-]{6,}|(?i:bearer)\s+[^\s\"',}]+|(?<=://)[^/@\s]+@"
    r"|\b(?:org|proj|acct|user)[-_][A-Za-z0-9]{8,}"
)
_SPACE = re.compile(r"\s+")


def mask(text: str, keys: Iterable[str]) -> str:
    """Mask each of ``keys``, where it is long enough to be one, and nothing else."""
    for key in sorted((key for key in keys if len(key) >= 6), key=len, reverse=True):
        text = text.replace(key, MASK)
    return text


def redact(text: str, keys: Iterable[str], width: int = 300) -> str:
    """Mask ``keys`` and whatever looks like one, fold white space, and cut to ``width`` characters."""
    text = mask(text, keys)
    folded = _SPACE.sub(" ", _SECRET.sub(MASK, text[: 20 * width])).strip()
    return folded if len(folded) <= width else f"{folded[: width - 1]}…"


def slug(text: str) -> str:
    """Cut a server's error code to 40 harmless characters; "" where it is not one word."""
    word = text.strip().lower()
    return word if re.fullmatch(r"[a-z][a-z0-9_.\-]{0,39}", word) and not _SECRET.search(word) else ""
