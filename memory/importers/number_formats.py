"""A spreadsheet's number and how its format shows it, as text that can be read only one way. Pure."""

from __future__ import annotations

import re
from functools import lru_cache

from memory.money import CODES, SCALES, SYMBOLS

_SIGN = re.compile(
    r"\[\$(?P<sign>[^\]-]*)(?:-(?P<place>[0-9A-Fa-f]+)[^\]]*)?\]|\"(?P<quoted>[^\"]+)\"|(?P<bare>[₹$€£¥₩₽])"
)
_SHOWN_DIVIDED = re.compile(r"[0#],+(?![0#?.])")
_LITERAL = re.compile(r"\"(?P<quoted>[^\"]+)\"|\\(?P<one>.)|(?<=[0#?])\s?(?P<bare>[A-Za-z]{1,2})(?=$|;|_)")
# The signs that several currencies share, by the locale that a format names (the low word of a Windows locale id).
_PLACES = {
    ("$", "409"): "USD", ("$", "c09"): "AUD", ("$", "1009"): "CAD", ("$", "c0c"): "CAD", ("$", "1409"): "NZD",
    ("$", "4809"): "SGD", ("$", "1004"): "SGD", ("$", "c04"): "HKD", ("$", "3c09"): "HKD", ("$", "80a"): "MXN",
    ("¥", "804"): "CNY", ("￥", "804"): "CNY", ("¥", "411"): "JPY", ("￥", "411"): "JPY",
    ("kr", "41d"): "SEK", ("kr", "414"): "NOK", ("kr", "814"): "NOK", ("kr", "406"): "DKK", ("kr.", "406"): "DKK",
}  # fmt: skip


def number_text(value: float, number_format: str) -> str:
    """Write a number with the currency and the scale of its format: ``USD 1.5M`` for 1.5 under ``$0.0"M"``.

    A format that only shows the number divided (``0.0,,"M"``) leaves it whole. Never three decimals alone, which could
    be read as a group of thousands.
    """
    number = str(int(value)) if float(value).is_integer() else f"{value:.6f}".rstrip("0")
    whole, point, decimals = number.partition(".")
    if point and len(decimals) in {1, 3}:
        number = f"{whole}.{decimals}0"
    currency, scale = _of_format(number_format.split(";")[0])
    return f"{currency} {number}{scale}".strip()


@lru_cache(maxsize=512)
def _of_format(shown: str) -> tuple[str, str]:
    currency = next((code for match in _SIGN.finditer(shown) if (code := _currency(match))), "")
    return currency, "" if _SHOWN_DIVIDED.search(shown) else _scale(shown)


def _currency(match: re.Match[str]) -> str:
    sign = (match["sign"] or match["quoted"] or match["bare"] or "").strip()
    placed = _PLACES.get((sign.lower(), (match["place"] or "").lower().lstrip("0")[-4:]))
    return placed or (sign if sign in CODES else SYMBOLS.get(sign.lower(), ""))


def _scale(shown: str) -> str:
    for match in _LITERAL.finditer(re.sub(r"\[[^\]]*\]", "", shown)):
        for word in (match["quoted"] or match["one"] or match["bare"] or "").split():
            if word.lower() in SCALES and word.lower() not in {"t", "b"}:
                return word
    return ""
