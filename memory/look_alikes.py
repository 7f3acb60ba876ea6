"""Text as an eye reads it: compatibility forms, marks and letters of other scripts folded to the plain ones. Pure."""

from __future__ import annotations

import re
import unicodedata
from functools import lru_cache

_LOOK_ALIKES = dict(
    zip(
        "аеорсухіѕјԁһԛԝӏΑΒΕΖΗΙΚΜΝΟΡΤΥΧοαικνρτυχвкмнтАВЕКМНОРСТХУІЅЈՕօոսհցℓ℮∂",
        "aeopcyxisjdhqwlABEZHIKMNOPTYXoaiknptuxbkmhtABEKMHOPCTXYISJOonuhgled",
        strict=True,
    )
)
_LETTER = re.compile(r"(?:LATIN (?:.*\b)?(?:LETTER|CAPITAL|SMALL)(?: SMALL| CAPITAL)?|INDICATOR SYMBOL LETTER) (.)\b")


def unmask(text: str) -> str:
    """Fold ``text`` to the letters it looks like; only for comparing, never for showing."""
    if text.isascii():
        return text
    folded = unicodedata.normalize("NFKD", text)
    return "".join(_plain(char) for char in folded if not unicodedata.combining(char))


@lru_cache(maxsize=1 << 14)
def _plain(char: str) -> str:
    if char.isascii() or char in _LOOK_ALIKES:
        return _LOOK_ALIKES.get(char, char)
    named = _LETTER.search(unicodedata.name(char, ""))
    return named[1].lower() if named else char
