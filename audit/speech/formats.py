"""Numbers, amounts of money and dates as a locale writes them, for people; ledger, JSON and guard keep exact forms."""

from __future__ import annotations

from datetime import date, datetime
from decimal import ROUND_HALF_UP, Decimal, localcontext

from babel import Locale
from babel.dates import format_date, format_time
from babel.numbers import format_currency, format_decimal, format_percent

from memory.money import Money


def number(locale: Locale, value: float | Decimal, digits: int = 0, *, signed: bool = False) -> str:
    """Write a number with ``digits`` decimals; ``signed`` puts a plus before what is not negative."""
    whole = locale.decimal_formats[None].pattern.split(".")[0]
    pattern = f"{whole}.{'0' * digits}" if digits else whole
    with localcontext(rounding=ROUND_HALF_UP):  # as tables and plots round in the browser
        return format_decimal(value, f"+{pattern};-{pattern}" if signed else pattern, locale)


def percent(locale: Locale, share: float, digits: int = 0) -> str:
    """Write a share (0..1) in per cent."""
    return format_percent(share, f"0.{'0' * digits}%" if digits else "0%", locale)


def likeness(locale: Locale, chance: float) -> str:
    """Write a chance (0..1) that was estimated: 99 % at most, for an estimate is never certain."""
    return percent(locale, min(0.99, chance))


def money(locale: Locale, amount: Money) -> str:
    """Write an amount, with the sign of its currency where it has one; a whole amount without decimals."""
    exact = amount.amount.normalize()
    if not amount.currency:
        return format_decimal(exact, locale=locale, decimal_quantization=False)
    pattern = locale.currency_formats["standard"].pattern
    if exact == exact.to_integral_value():
        pattern = pattern.replace("0.00", "0")
    whole = "." not in pattern
    return format_currency(
        exact, amount.currency, pattern, locale, currency_digits=not whole, decimal_quantization=whole
    )


def day(locale: Locale, when: date) -> str:
    """Write a date."""
    return format_date(when, "medium", locale)


def moment(locale: Locale, when: datetime) -> str:
    """Write a date and the time of day, to the minute."""
    joined = str(locale.datetime_formats["medium"])
    return joined.replace("{1}", format_date(when, "medium", locale)).replace(
        "{0}", format_time(when, "short", locale=locale)
    )
