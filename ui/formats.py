"""Numbers, amounts of money and dates as the session's locale writes them; fields of forms keep their exact forms."""

from __future__ import annotations

import re
from datetime import date, datetime
from decimal import Decimal

from babel import Locale
from babel.dates import get_date_format, get_time_format
from babel.numbers import format_compact_decimal

from audit.speech import formats
from memory.money import Money
from ui.language import speech

_LETTERS = re.compile(r"([A-Za-z])\1*|'([^']*)'|([^A-Za-z']+)")
_MOMENT = {
    "d": "D", "dd": "DD", "M": "M", "MM": "MM", "MMM": "MMM", "y": "YYYY", "yy": "YY", "yyyy": "YYYY",
    "H": "H", "HH": "HH", "h": "h", "hh": "hh", "mm": "mm", "a": "A",
}  # fmt: skip
_D3 = {"d": "%-d", "dd": "%d", "M": "%-m", "MM": "%m", "MMM": "%b", "y": "%Y", "yy": "%y", "yyyy": "%Y"}
_INPUT_ORDERS = {"d": "DD/MM/YYYY", "M": "MM/DD/YYYY", "y": "YYYY/MM/DD"}


def number(value: float | Decimal, digits: int = 0, *, signed: bool = False) -> str:
    """Write a number with ``digits`` decimals; ``signed`` puts a plus before what is not negative."""
    return formats.number(speech().locale, value, digits, signed=signed)


def percent(share: float, digits: int = 0) -> str:
    """Write a share (0..1) in per cent."""
    return formats.percent(speech().locale, share, digits)


def likeness(chance: float) -> str:
    """Write a chance (0..1) that was estimated: 99 % at most, for an estimate is never certain."""
    return formats.likeness(speech().locale, chance)


def money(amount: Money) -> str:
    """Write an amount, with the sign of its currency where it has one; a whole amount without decimals."""
    return formats.money(speech().locale, amount)


def compact(value: float) -> str:
    """Write a number as short as the locale can: 200K, 20万."""
    return format_compact_decimal(value, locale=speech().locale, fraction_digits=1)


def day(when: date) -> str:
    """Write a date."""
    return formats.day(speech().locale, when)


def moment(when: datetime) -> str:
    """Write a date and the time of day, to the minute."""
    return formats.moment(speech().locale, when)


def day_column() -> str:
    """Give the format of a table's column of dates, as Moment.js reads it."""
    return _moment_js(get_date_format("medium", speech().locale).pattern)


def moment_column() -> str:
    """Give the format of a table's column of dates with times, as Moment.js reads it."""
    return f"{day_column()} {_clock(speech().locale)}"


def _clock(locale: Locale) -> str:
    pattern = get_time_format("short", locale).pattern
    return "HH:mm" if set(pattern) & set("Bb") else _moment_js(pattern)


def _moment_js(pattern: str) -> str:
    return "".join(
        _MOMENT[found[0]] if found[1] else _literal(found[2] or found[3]) for found in _LETTERS.finditer(pattern)
    )


def _literal(text: str) -> str:
    return text if text.isascii() else f"[{text}]" if text.strip() else " "


def day_axis() -> str:
    """Give the format of a plot's dates, as d3 reads it."""
    pattern = get_date_format("medium", speech().locale).pattern
    return "".join(
        _D3[found[0]] if found[1] else (found[2] or found[3]).replace("%", "%%") for found in _LETTERS.finditer(pattern)
    )


def day_input() -> str:
    """Give the format of a date's input field, of those that ``st.date_input`` knows."""
    return _INPUT_ORDERS[get_date_format("medium", speech().locale).pattern[0]]


def month(number_in_year: int) -> str:
    """Name a month, 1 to 12."""
    return str(speech().locale.months["stand-alone"]["wide"][number_in_year])
