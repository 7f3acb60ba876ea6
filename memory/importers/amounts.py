"""Amounts in cells: the money parser of the memory, plus what only a column tells: scale, currency, brackets. Pure."""

from __future__ import annotations

import re
import unicodedata
from dataclasses import dataclass
from decimal import Decimal

from memory.importers.amount_columns import AmountColumn
from memory.money import SCALES, Money, find_amounts

_LOST_SIGN = re.compile(r"^\s*[(-]?\s*[?\ufffd]\s*(?=\d)")
_RANGE = re.compile(r"(?<=[\d\w])\s*(?:-|–|—|\bto\b)\s*(?=[^\s]*\d)", re.IGNORECASE)
_BRACKETS = re.compile(r"(?P<before>[^()\d]*)\(\s*(?P<inside>[^()]*\d[^()]*)\)(?P<after>[^()\d]*)")
_TRAILING_NOTE = re.compile(r"\s*\([^()]*[^\W\d_][^()]*\)\s*$")
_MULTIPLE = re.compile(r"(?P<n>\d+(?:[.,]\d+)?)\s*[x×]?", re.IGNORECASE)
_MINUS = re.compile(r"^(?P<before>[^\d(]*?)\s*[-−]\s*(?P<after>[^-−]*\d.*)$")
_TRAILING_MINUS = re.compile(r"^(?P<before>[^-−]*\d)\s?[-−](?P<after>\s*[^\d\s-][^\d-]*)?$")
_LEADING_PLUS = re.compile(r"^\s*\+\s*(?=\S)")
_LAKH = re.compile(r"(?<=\d)\s?[lL]\b")
_STAND_IN = "USD"
_PLUS = re.compile(r"(?<=\w)\s*\+\s*$")
_ABOUT = re.compile(
    r"^\s*(?:[~≈约約]|(?:c|ca|approx|est)\.|(?:approx(?:imately)?|about|around|circa|ca|est(?:imated)?|environ)(?=\s))\s*",
    re.IGNORECASE,
)
_SCALE_DOT = re.compile(r"(?<=\d)(\s?(?:mio|mrd|tsd|crs?|mn|bn|mm|lacs?|lakhs?))\.(?!\d)", re.IGNORECASE)
_RUPEE_END = re.compile(r"\s*/[-=]\s*$")
_EXPONENT = re.compile(r"(?<![\w.])\d+(?:[.,]\d+)?E[+-]\d{2}(?!\w)")
_NUMBER = re.compile(r"(?<![\d.,])\d{1,3}[.,]\d{3}(?![\d.,])")
_YEN = re.compile(r"¥")


@dataclass(frozen=True, slots=True)
class ReadAmount:
    """An amount and what had to be assumed to read it, in words."""

    money: Money
    remarks: tuple[str, ...] = ()


def read_amount(text: str, column: AmountColumn, currency: str = "") -> ReadAmount:
    """Read a cell as money. ``currency`` is what the file's own column or the user says of amounts that name none.

    A range is read as its middle; an amount in brackets is negative; a lost currency sign leaves the currency open.
    Raises ValueError where the cell holds no amount.
    """
    remarks: list[str] = []
    cell, default = _plainly(text, column), currency or column.currency
    if column.yuan and "¥" in cell:
        cell = _YEN.sub("CNY ", cell)
        remarks.append("¥ is read as yuan, because the file is Chinese")
    if match := _ABOUT.match(cell):
        cell = cell[match.end() :]
        remarks.append("an amount that is only about right is read as it stands")
    if _LOST_SIGN.match(cell):
        cell, default = _LOST_SIGN.sub("", cell), ""
        remarks.append("its currency sign was lost when the file was written")
    if _TRAILING_NOTE.search(cell) and not _BRACKETS.fullmatch(cell):
        note = _TRAILING_NOTE.search(cell)
        bare = cell[: note.start()] if note else cell
        if any(character.isdigit() for character in bare):
            remarks.append(f"{note[0].strip() if note else ''} was left out of the amount")
            cell = bare
    cell = _LEADING_PLUS.sub("", _PLUS.sub("", cell))
    negative = False
    if match := _BRACKETS.fullmatch(cell):
        cell, negative = f"{match['before']}{match['inside']}{match['after']}".strip(), True
    elif match := _MINUS.fullmatch(cell) or _TRAILING_MINUS.fullmatch(cell):
        cell, negative = f"{match['before']}{match['after'] or ''}".strip(), True
    low, high = _range(cell, default)
    if high is not None:
        remarks.append("a range, read as its middle")
    money = low if high is None else Money((low.amount + high.amount) / 2, high.currency or low.currency)
    amount = -money.amount if negative else money.amount
    if not _names_scale(cell):
        amount *= column.scale
    if not money.currency:
        remarks.append("no currency")
    return ReadAmount(Money(_plain(amount), money.currency), tuple(remarks))


def read_multiple(text: str) -> Decimal:
    """Read a multiple such as ``3.2x``, ``1,5x`` or ``0``. Raises ValueError."""
    match = _MULTIPLE.fullmatch(text.strip())
    if not match:
        raise ValueError(f"{text!r} is not a multiple; write it like 3.2x")
    return Decimal(match["n"].replace(",", "."))


def _plainly(text: str, column: AmountColumn) -> str:
    """Write a cell without what only its spelling adds: wide digits, exponents, a point after a scale, a rupee's dash.

    Where the column proves what its marks mean, three digits after one are made four, which are no group.
    """
    cell = unicodedata.normalize("NFKC", text.replace("¥", "￥")).strip()
    cell = _SCALE_DOT.sub(r"\1", _RUPEE_END.sub("", cell))
    cell = _EXPONENT.sub(lambda match: f"{Decimal(match[0].replace(',', '.')):f}", cell)
    scaled = _names_scale(cell)

    def unmistakable(match: re.Match[str]) -> str:
        if column.reads_decimal(match[0], scaled=scaled):
            return f"{match[0]}0"
        return match[0].replace(".", "") if column.decimal == "," else match[0]

    return _NUMBER.sub(unmistakable, cell)


def _range(cell: str, default: str) -> tuple[Money, Money | None]:
    parts = _RANGE.split(cell)
    if len(parts) != 2:
        return _one(cell, default), None
    low_text, high_text = parts
    high = _one(high_text, default)
    shared = next((found.money.currency for found in find_amounts(low_text)), "") or high.currency or default
    scale = _scale_of(high_text)
    low = _one(low_text if _names_scale(low_text) or not scale else f"{low_text}{scale}", shared)
    if not high.currency:
        high = Money(high.amount, low.currency)
    if low.currency != high.currency or low.amount > high.amount:
        raise ValueError(f"{cell!r} is not one amount or one range of money")
    return low, high


def _one(cell: str, default: str) -> Money:
    """Read a cell that is one amount and nothing else; without any currency it is read under a stand-in."""
    cell = cell.strip()
    if default == "INR" or any(sign in cell.lower() for sign in ("₹", "rs", "inr")):
        cell = _LAKH.sub(" lakh", cell)
    for currency in ("", default or _STAND_IN):
        text = f"{currency} {cell}".strip()
        found = list(find_amounts(text))
        if len(found) == 1 and (found[0].start, found[0].end) == (0, len(text)):
            money = found[0].money
            return Money(money.amount, "" if currency and not default else money.currency)
    raise ValueError(f"{cell!r} is not one amount of money; write it like ₹50,000, $1.2M or EUR 300k")


def _scale_of(cell: str) -> str:
    match = re.search(r"\d\s?([^\W\d_]+)", cell)
    if match is None:
        return ""
    word = match[1].lower()
    return match[1] if word in SCALES else next((scale for scale in _HAN_SCALES if word.startswith(scale)), "")


def _names_scale(cell: str) -> bool:
    return bool(_scale_of(cell))


def _plain(amount: Decimal) -> Decimal:
    return Decimal(int(amount)) if amount == amount.to_integral_value() else amount.normalize()


_HAN_SCALES = sorted((word for word in SCALES if not word.isascii()), key=len, reverse=True)
