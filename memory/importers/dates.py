"""Dates as people and exports write them, read in the file's own order. Pure."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterable
from dataclasses import dataclass
from datetime import date, timedelta
from enum import StrEnum

_MONTHS = {
    name: number
    for number, names in enumerate(
        (
            "jan january januar janvier janv enero ene", "feb february februar février févr febrero",
            "mar march märz mrz mars marzo", "apr april avril avr abril abr", "may mai mayo",
            "jun june juni juin junio", "jul july juli juillet juil julio", "aug august août agosto ago",
            "sep sept september septembre septiembre", "oct october okt oktober octobre",
            "nov november novembre noviembre", "dec december dez dezember décembre déc diciembre dic",
        ),
        start=1,
    )
    for name in names.split()
}  # fmt: skip
_YEAR_FIRST = re.compile(r"(?P<y>\d{4})[-/.年](?P<m>\d{1,2})(?:[-/.月](?P<d>\d{1,2})日?|月)?(?:[T ]\d.*)?")
_PARTS = re.compile(r"(?P<a>\d{1,2})(?P<sep>[-/. ])(?P<b>\d{1,2})(?P=sep)(?P<y>\d{4}|\d{2})(?:[T ,]+\d.*)?")
_DAY_NAME = r"(?:(?:mon|tue|wed|thu|fri|sat|sun)[a-z]*,?\s+)?"
_DAY_MONTH = re.compile(
    _DAY_NAME + r"(?P<d>\d{1,2})(?:st|nd|rd|th)?[\s/.-]+(?:of\s+)?(?P<m>[^\W\d]+)\.?[\s/.,-]+(?P<y>\d{4}|\d{2})"
    r"(?:[T ,]+\d.*)?",
    re.IGNORECASE,
)
_MONTH_DAY = re.compile(
    _DAY_NAME + r"(?P<m>[^\W\d]+)\.?[\s-]+(?P<d>\d{1,2})(?:st|nd|rd|th)?,?[\s-]+(?P<y>\d{4})(?:[T ,]+\d.*)?",
    re.IGNORECASE,
)
_MONTH_YEAR = re.compile(r"(?P<m>[^\W\d]+)\.?[\s/'’,-]*(?P<y>\d{4}|\d{2})", re.IGNORECASE)
_NUMBER_YEAR = re.compile(r"(?P<m>\d{1,2})[/.-](?P<y>\d{4})")
_QUARTER = re.compile(
    r"(?:(?P<y1>\d{4})[\s/-]*)?(?:[QH][1-4]|[1-4][QH])(?:[\s/'’-]*(?:FY\s?)?(?P<y2>\d{4}|\d{2}))?", re.IGNORECASE
)
_YEAR = re.compile(
    r"(?:(?:fy|c\.|ca\.?|~|early|mid|late|end of|spring|summer|autumn|fall|winter)[\s-]*)?"
    r"(?P<y>(?:19|20)\d{2})(?:年度?|\.0+)?",
    re.IGNORECASE,
)
_FISCAL_YEAR = re.compile(
    r"fy\s?'?(?:(?P<from>(?:19|20)\d{2}|\d{2})\s?[-–/]\s?)?(?P<y>(?:19|20)\d{2}|\d{2})", re.IGNORECASE
)
_COMPACT = re.compile(r"(?P<y>(?:19|20)\d{2})(?P<m>0[1-9]|1[0-2])(?P<d>0[1-9]|[12]\d|3[01])")
_SERIAL = re.compile(r"(?P<n>[1-7]\d{4})(?:\.\d+)?")
_EPOCH = re.compile(r"(?P<n>[1-2]\d{9})(?P<ms>\d{3})?")
_SPAN = re.compile(r"(?P<a>(?:19|20)\d{2})\s*(?:[-–—/]|to|until)\s*(?P<b>(?:19|20)\d{2}|present|now|today)?", re.I)
_EXCEL_ZERO = date(1899, 12, 30)


class DateOrder(StrEnum):
    """Which part comes first in dates such as 03/04/2019."""

    DAY_FIRST = "day_first"
    MONTH_FIRST = "month_first"


@dataclass(frozen=True, slots=True)
class ReadDate:
    """A date as far as it was written: ``month`` and ``day`` are None where it names less.

    ``ambiguous`` says that day and month could be swapped; ``serial`` that it was a spreadsheet's day number.
    """

    year: int
    month: int | None = None
    day: int | None = None
    ambiguous: bool = False
    serial: bool = False

    def __str__(self) -> str:
        parts = [f"{self.year:04d}"] + [f"{part:02d}" for part in (self.month, self.day) if part is not None]
        return "-".join(parts)


def read_date(text: str, order: DateOrder | None = None) -> ReadDate:
    """Read one date; parts of unknown order are taken day first, a fiscal year is the year it ends in.

    Raises ValueError, naming the text and the reason.
    """
    text = " ".join(unicodedata.normalize("NFKC", text).split())
    if match := _YEAR_FIRST.fullmatch(text):
        return _checked(text, int(match["y"]), int(match["m"]), int(match["d"]) if match["d"] else None)
    if match := _PARTS.fullmatch(text):
        return _ordered(text, match, order)
    for pattern in (_DAY_MONTH, _MONTH_DAY, _MONTH_YEAR):
        if (match := pattern.fullmatch(text)) and (month := _MONTHS.get(match["m"].lower())):
            day = int(match["d"]) if "d" in pattern.groupindex else None
            return _checked(text, _century(match["y"]), month, day)
    if match := _QUARTER.fullmatch(text):
        year = match["y1"] or match["y2"]
        if year:
            return _checked(text, _century(year))
    if match := _YEAR.fullmatch(text):
        return _checked(text, int(match["y"]))
    if match := _FISCAL_YEAR.fullmatch(text):
        return _checked(text, _century(match["y"]))
    if match := _COMPACT.fullmatch(text):
        return _checked(text, int(match["y"]), int(match["m"]), int(match["d"]))
    if match := _NUMBER_YEAR.fullmatch(text):
        return _checked(text, int(match["y"]), int(match["m"]))
    if match := _SERIAL.fullmatch(text):
        found = _EXCEL_ZERO + timedelta(days=int(match["n"]))
        return ReadDate(found.year, found.month, found.day, serial=True)
    if match := _EPOCH.fullmatch(text):
        found = date(1970, 1, 1) + timedelta(seconds=int(match["n"]))
        return ReadDate(found.year, found.month, found.day)
    raise ValueError(f"{text!r} is not a date; write it like 2019-04-03, 3 April 2019, Q2 2019 or 2019")


def read_span(text: str) -> tuple[int, int | None]:
    """Read the years of a span such as ``2 (2010-2012)`` or ``2015-present``. Raises ValueError."""
    match = _SPAN.search(text)
    if not match:
        raise ValueError(f"{text!r} names no years; write them like 2010-2012")
    end = int(match["b"]) if match["b"] and match["b"].isdigit() else None
    if end is not None and end < int(match["a"]):
        raise ValueError(f"{text!r} ends before it starts")
    return int(match["a"]), end


def find_order(cells: Iterable[str]) -> tuple[DateOrder | None, bool]:
    """Find a column's order from the dates that can be read only one way.

    Returns the order (None where nothing decides, or both occur) and whether both orders occur.
    """
    seen = set()
    for cell in cells:
        match = _PARTS.fullmatch(" ".join(cell.split()))
        if match:
            first, second = int(match["a"]), int(match["b"])
            if first > 12 >= second:
                seen.add(DateOrder.DAY_FIRST)
            elif second > 12 >= first:
                seen.add(DateOrder.MONTH_FIRST)
    return (seen.pop(), False) if len(seen) == 1 else (None, len(seen) > 1)


def _ordered(text: str, match: re.Match[str], order: DateOrder | None) -> ReadDate:
    first, second, year = int(match["a"]), int(match["b"]), _century(match["y"])
    if first > 12:
        return _checked(text, year, second, first)
    if second > 12:
        return _checked(text, year, first, second)
    dotted = match["sep"] == "."
    day, month = (second, first) if order is DateOrder.MONTH_FIRST and not dotted else (first, second)
    return _checked(text, year, month, day, ambiguous=order is None and not dotted and first != second)


def _century(digits: str) -> int:
    year = int(digits)
    return year if len(digits) == 4 else year + (2000 if year < 70 else 1900)


def _checked(
    text: str, year: int, month: int | None = None, day: int | None = None, *, ambiguous: bool = False
) -> ReadDate:
    try:
        date(year, month or 1, day or 1)
    except ValueError as error:
        raise ValueError(f"{text!r} is not a date: {error}") from error
    if not 1900 <= year <= 2100:
        raise ValueError(f"{text!r} lies outside 1900 to 2100")
    return ReadDate(year, month, day, ambiguous)
