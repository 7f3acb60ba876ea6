"""The month that a record's own words name, as a record keeps years alone. Pure."""

from __future__ import annotations

import re

from memory.records import BugFacts, InvestmentFacts, Record

MONTHS = (
    "january", "february", "march", "april", "may", "june", "july", "august", "september", "october", "november",
    "december",
)  # fmt: skip
_MONTH = (
    r"(jan(?:uary)?|feb(?:ruary)?|mar(?:ch)?|apr(?:il)?|may|june?|july?|aug(?:ust)?|sept?(?:ember)?|oct(?:ober)?"
    r"|nov(?:ember)?|dec(?:ember)?)\b\.?"
)
# "may" and "march" are verbs as well, so a name counts only where a preposition, a day or a year stands beside it.
_BESIDE = re.compile(
    rf"\b(?:in|by|since|until|till|of|during|on|from|early|late|mid|last)[ -]{_MONTH}"
    rf"|\b{_MONTH},? (?:\d{{1,2}},? )?(?:19|20)\d\d\b|\b\d{{1,2}}(?:st|nd|rd|th)? {_MONTH}",
    re.IGNORECASE,
)
_DATE = re.compile(r"\b(?:19|20)\d\d-(0[1-9]|1[0-2])(?:-\d\d)?\b|(?<!\d)(1[0-2]|[1-9])月")


def month_of(record: Record) -> int | None:
    """Give the month (1..12) in which a record says that it ended or showed; None where it names none, or several."""
    match record.facts:
        case InvestmentFacts(cause=cause):
            told = cause
        case BugFacts() as it:
            told = f"{it.symptom}\n{it.impact}"
        case _:
            return None
    named = {_number(name) for hit in _BESIDE.finditer(told) for name in hit.groups() if name}
    named |= {int(number) for hit in _DATE.finditer(told) for number in hit.groups() if number}
    return named.pop() if len(named) == 1 else None


def _number(name: str) -> int:
    return next(at for at, month in enumerate(MONTHS, 1) if month.startswith(name[:3].lower()))
