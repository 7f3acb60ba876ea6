"""Text as an eye reads it: compatibility forms, marks and letters of other scripts folded to the plain ones. Pure."""

from __future__ import annotations

import unicodedata

_LOOK_ALIKES = dict(
    zip(
        "аеорсухіѕјԁһΑΒΕΖΗΙΚΜΝΟΡΤΥΧοαвкмнтАВЕКМНОРСТХУІЅЈ",
        "aeopcyxisjdhABEZHIKMNOPTYXoabkmhtABEKMHOPCTXYISJ",
        strict=True,
    )
)


def unmask(text: str) -> str:
    """Fold ``text`` to the letters it looks like; only for comparing, never for showing."""
    if text.isascii():
        return text
    folded = unicodedata.normalize("NFKD", text)
    return "".join(_LOOK_ALIKES.get(char, char) for char in folded if not unicodedata.combining(char))
