"""The units of money that headers name: currencies, scales, and both in one word. Pure."""

from __future__ import annotations

import re
from dataclasses import dataclass
from functools import lru_cache

from memory.money import CODES, SCALES, SYMBOLS

_SCALES = {word: factor for word, factor in SCALES.items() if word not in {"t", "b"}}
_SCALES |= dict.fromkeys(("thousands", "th", "000", "000s"), 10**3)
_PREFIXES = {"t": 10**3, "k": 10**3, "tsd": 10**3, "m": 10**6, "mn": 10**6, "mio": 10**6, "bn": 10**9, "mrd": 10**9}
_CURRENCIES = {code.lower(): code for code in CODES} | {word: code for word, code in SYMBOLS.items() if word.isalpha()}
_HAN_CURRENCIES = "|".join(word for word in _CURRENCIES if not word.isascii())
_HAN_SCALES = "|".join(sorted((word for word in _SCALES if not word.isascii()), key=len, reverse=True))
_HAN_UNIT = re.compile(rf"(?P<scale>{_HAN_SCALES})?(?P<currency>{_HAN_CURRENCIES})$|(?P<alone>{_HAN_SCALES})$")
_COMPOUND = re.compile(
    rf"(?P<before>{'|'.join(_PREFIXES)})?(?P<currency>{'|'.join(code.lower() for code in CODES)})"
    rf"(?P<after>{'|'.join(sorted((word for word in _SCALES if word.isascii()), key=len, reverse=True))})?"
)
_SIGNS = sorted((sign for sign in SYMBOLS if not sign.replace(".", "").isalpha()), key=len, reverse=True)
CURRENCY_SIGN = re.compile("|".join(f"{'(?<![a-z])' * sign[0].isalpha()}{re.escape(sign)}" for sign in _SIGNS))
_THOUSANDS_OF = re.compile(r"(?<!\w)t(?=\s?[€$£₹])", re.IGNORECASE)
_LINKS = frozenset({"in", "of"})


@dataclass(frozen=True, slots=True)
class Unit:
    """What a word of a header says of amounts: a currency, or "", and a scale, or 1."""

    currency: str
    scale: int


@lru_cache(maxsize=1024)
def unit_of(word: str) -> Unit | None:
    """Read a folded word that is a unit of money, such as ``usd``, ``mm``, ``teur`` or ``万元``; None for any other."""
    if word in _SCALES:
        return Unit("", _SCALES[word])
    if word in _CURRENCIES:
        return Unit(_CURRENCIES[word], 1)
    if match := _COMPOUND.fullmatch(word):
        scale = _PREFIXES.get(match["before"] or "", 1) * _SCALES.get(match["after"] or "", 1)
        return Unit(match["currency"].upper(), scale)
    if match := _HAN_UNIT.search(word):
        return Unit(
            _CURRENCIES.get(match["currency"] or "", ""), _SCALES.get(match["scale"] or match["alone"] or "", 1)
        )
    return None


def without_signs(header: str) -> str:
    """Take the currency signs out of a header; ``T€`` leaves the scale ``k``, which its letter alone would not be."""
    return CURRENCY_SIGN.sub(" ", _THOUSANDS_OF.sub("k", header).lower())


def without_units(form: str) -> str:
    """Take the units off the ends of a folded header: ``invested usd mm`` is ``invested``, ``金额万元`` is ``金额``."""
    words = form.split()
    while len(words) > 1 and (words[-1] in _LINKS or _is_unit(words[-1])):
        words.pop()
    while len(words) > 1 and _is_unit(words[0]):
        words.pop(0)
    return _HAN_UNIT.sub("", " ".join(words)).strip()


def _is_unit(word: str) -> bool:
    if _HAN_UNIT.search(word):
        return _HAN_UNIT.fullmatch(word) is not None
    return unit_of(word) is not None
