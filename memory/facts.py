"""Facts as plain JSON data and back; the form the ledger, the command line and every export share. Pure."""

from __future__ import annotations

import json
import re
from dataclasses import fields
from decimal import Decimal, InvalidOperation
from typing import Any

from memory.errors import RecordInvalid
from memory.money import Money, parse_money
from memory.records import BugFacts, Facts, InvestmentFacts, Kind, Note, Outcome

Json = dict[str, Any]

TYPES: dict[Kind, type[InvestmentFacts] | type[BugFacts] | type[Note]] = {
    Kind.INVESTMENT: InvestmentFacts,
    Kind.BUG: BugFacts,
    Kind.EVALUATED_DECK: Note,
    Kind.REVIEWED_CODE: Note,
    Kind.OBSERVATION: Note,
    Kind.PREFERENCE: Note,
}
_MONEY = frozenset({"invested", "returned", "loss"})
_DIGITS = re.compile(r"\d{1,9}")
_YEARS = frozenset({"year", "year_end"})


def canonical(data: object) -> str:
    """Write ``data`` as JSON in the one form that is hashed: sorted keys, no spaces, no escapes."""
    return json.dumps(data, sort_keys=True, separators=(",", ":"), ensure_ascii=False, allow_nan=False)


def to_json(facts: Facts) -> Json:
    """Give ``facts`` as JSON data; money is ``{"amount": "50000", "currency": "INR"}``."""
    data: Json = {}
    for field in fields(facts):
        value = getattr(facts, field.name)
        if isinstance(value, Money):
            value = {"amount": format(value.amount.normalize(), "f"), "currency": value.currency}
        elif isinstance(value, Outcome):
            value = value.value
        data[field.name] = value
    return data


def from_json(kind: Kind, data: Json) -> Facts:
    """Read the facts of a record of ``kind``; money may also be written as people do (``"₹50,000"``).

    What was returned may leave its currency out (``"0"``) where what was invested has one.
    Raises RecordInvalid naming the field that is unknown, missing or of the wrong type.
    """
    shape = TYPES[kind]
    known = {field.name for field in fields(shape)}
    if unknown := sorted(set(data) - known):
        raise RecordInvalid(f"{kind.value} has no field {', '.join(unknown)}; it has {', '.join(sorted(known))}")
    values: Json = {name: _read(name, value) for name, value in data.items() if name != "returned"}
    if "returned" in data:
        values["returned"] = _read("returned", data["returned"], getattr(values.get("invested"), "currency", ""))
    try:
        return shape(**values)
    except TypeError as error:
        needed = ", ".join(f.name for f in fields(shape) if f.name in {"company", "title", "label", "text"})
        raise RecordInvalid(f"{kind.value} needs {needed}") from error


def erased(kind: Kind) -> Facts:
    """The facts of a record whose own were erased."""
    gone = "(erased)"
    match kind:
        case Kind.INVESTMENT:
            return InvestmentFacts(gone)
        case Kind.BUG:
            return BugFacts(gone)
        case _:
            return Note(gone, gone, gone)


def _read(name: str, value: object, currency: str = "") -> object:
    if name in _MONEY:
        return None if value in (None, "") else _money(name, value, currency)
    if name in _YEARS:
        return _year(name, value)
    if value is None:
        value = ""
    if not isinstance(value, str):
        raise RecordInvalid(f"{name} must be text, not {type(value).__name__}")
    if name == "outcome":
        return _outcome(value)
    return value


def _year(name: str, value: object) -> int | None:
    if value in (None, ""):
        return None
    if isinstance(value, str) and _DIGITS.fullmatch(value.strip()):
        return int(value)
    if isinstance(value, int) and not isinstance(value, bool):
        return value
    raise RecordInvalid(f"{name} must be a year such as 2022, not {value!r:.80}")


def _outcome(value: str) -> Outcome:
    try:
        return Outcome(value.strip().lower().replace(" ", "_") or "unknown")
    except ValueError as error:
        raise RecordInvalid(f"outcome {value!r} is not one of {', '.join(Outcome)}") from error


def _money(name: str, value: object, currency: str) -> Money:
    try:
        if isinstance(value, dict) and set(value) == {"amount", "currency"}:
            return Money(Decimal(str(value["amount"])), str(value["currency"]))
        if isinstance(value, str):
            return parse_money(value, currency)
    except (ValueError, InvalidOperation) as error:
        raise RecordInvalid(f"{name}: {error}") from error
    raise RecordInvalid(f"{name} must be an amount with its currency, such as ₹50,000")
