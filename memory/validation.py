"""What facts must be like to be stored: cleaned, within lengths, years and currencies. Pure."""

from __future__ import annotations

import re
import unicodedata
from dataclasses import fields, replace
from typing import Any

from memory.errors import RecordInvalid
from memory.facts import TYPES
from memory.money import CODES, Money
from memory.records import SEVERITIES, BugFacts, Facts, InvestmentFacts, Kind, Outcome

# What a workspace may be called: indexes name their collections by it.
WORKSPACE = "[a-z0-9][a-z0-9_-]{0,63}"
LONGEST = {"company": 200, "title": 200, "label": 200, "sector": 200, "language": 50, "cwe": 20}
LONGEST_TEXT = 20_000
YEARS = range(1900, 2101)
HIGHEST_AMOUNT = 10**15
MOST_DECIMALS = 30

_CODE = frozenset({"faulty_code", "fixed_code", "text"})
_BLANKS = re.compile(r"[^\S\n]+")
_CWE = re.compile(r"(?:CWE[-\s]?)?(\d{1,5})", re.IGNORECASE)
_INVESTMENT_OUTCOMES = frozenset(Outcome) - {Outcome.FIXED, Outcome.FIX_FAILED, Outcome.OPEN}
_BUG_OUTCOMES = frozenset({Outcome.FIXED, Outcome.FIX_FAILED, Outcome.OPEN, Outcome.UNKNOWN})


def checked(kind: Kind, facts: Facts) -> Facts:
    """Clean facts and check every rule. Raises RecordInvalid naming the field and what is allowed."""
    if type(facts) is not TYPES[kind]:
        raise RecordInvalid(f"A record of kind {kind.value} cannot hold {type(facts).__name__}.")
    values: dict[str, Any] = {}
    for field in fields(facts):
        value = getattr(facts, field.name)
        if isinstance(value, str) and not isinstance(value, Outcome):
            value = _text(field.name, value)
        elif isinstance(value, Money):
            value = _money(field.name, value)
        values[field.name] = value
    clean = replace(facts, **values)
    if not clean.title:
        raise RecordInvalid(f"{'company' if kind is Kind.INVESTMENT else 'title'} must not be empty.")
    _check_year("year", clean.year)
    match clean:
        case InvestmentFacts():
            _check_year("year_end", clean.year_end)
            if clean.year and clean.year_end and clean.year_end < clean.year:
                raise RecordInvalid("year_end must not lie before year.")
            _check_outcome(clean.outcome, _INVESTMENT_OUTCOMES)
        case BugFacts():
            _check_outcome(clean.outcome, _BUG_OUTCOMES)
            if clean.severity not in SEVERITIES:
                raise RecordInvalid(f"severity must be one of {', '.join(SEVERITIES)}.")
            clean = replace(clean, cwe=_cwe(clean.cwe))
        case _:
            if not clean.label or not clean.text:
                raise RecordInvalid("label and text must not be empty.")
    return clean


def strip_controls(text: str) -> str:
    """Take out control and invisible formatting characters, and lone surrogates; keep line breaks and tabs."""
    unified = text.replace("\r\n", "\n").replace("\r", "\n")
    if unified.isascii():
        return _ASCII_CONTROLS.sub("", unified)
    return "".join(char for char in unified if char in "\n\t" or unicodedata.category(char) not in _UNSEEN)


_ASCII_CONTROLS = re.compile(r"[\x00-\x08\x0b-\x1f\x7f]")
_UNSEEN = frozenset({"Cc", "Cf", "Cs", "Co", "Cn"})


def _text(name: str, value: str) -> str:
    text = strip_controls(value)
    if name in _CODE:
        text = "\n".join(line.rstrip() for line in text.split("\n")).strip("\n")
    else:
        text = _BLANKS.sub(" ", " ".join(text.split("\n")) if name in LONGEST else text).strip()
        text = re.sub(r" ?\n ?", "\n", re.sub(r"\n{3,}", "\n\n", text))
    longest = LONGEST.get(name, LONGEST_TEXT)
    if len(text) > longest:
        raise RecordInvalid(f"{name} has {len(text):,} characters; at most {longest:,} are allowed.")
    return text


def _money(name: str, value: Money) -> Money:
    if value.currency not in CODES:
        raise RecordInvalid(f"{name} needs a currency such as INR, USD or EUR.")
    if not value.amount.is_finite() or not 0 <= value.amount <= HIGHEST_AMOUNT:
        raise RecordInvalid(f"{name} must lie between 0 and {HIGHEST_AMOUNT:,}.")
    if int(value.amount.as_tuple().exponent) < -MOST_DECIMALS:
        raise RecordInvalid(f"{name} must have at most {MOST_DECIMALS} decimal places.")
    return value


def _check_year(name: str, year: int | None) -> None:
    if year is not None and year not in YEARS:
        raise RecordInvalid(f"{name} must lie between {YEARS[0]} and {YEARS[-1]}.")


def _check_outcome(outcome: Outcome, allowed: frozenset[Outcome]) -> None:
    if outcome not in allowed:
        raise RecordInvalid(f"outcome must be one of {', '.join(sorted(allowed))}.")


def _cwe(value: str) -> str:
    if not value:
        return ""
    match = _CWE.fullmatch(value.strip())
    if match is None:
        raise RecordInvalid("cwe must look like CWE-89.")
    return f"CWE-{int(match[1])}"
