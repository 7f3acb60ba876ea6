"""Mappings that a user has corrected, kept beside the records and found again by the same headers."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from hashlib import sha256
from typing import Any

from memory.errors import RecordInvalid
from memory.importers.dates import DateOrder
from memory.importers.mapping import FIELDS, JOINED, TITLE, ColumnMapping, guess_mapping
from memory.importers.tables import Table
from memory.importers.vocabulary import fold
from memory.ledger import Ledger
from memory.money import CODES
from memory.records import Kind, Outcome


def remember_mapping(ledger: Ledger, workspace: str, table: Table, mapping: ColumnMapping) -> None:
    """Keep a mapping for every later file with these headers. Raises StoreError."""
    ledger.set_setting(_name(workspace, table, mapping.kind), mapping_json(table, mapping))


def recall_mapping(ledger: Ledger, workspace: str, table: Table, kind: Kind | None = None) -> ColumnMapping:
    """Give the mapping that was kept for these headers, else a guess. Raises StoreError."""
    guess = guess_mapping(table, kind)
    kept = ledger.setting(_name(workspace, table, guess.kind))
    if not isinstance(kept, Mapping):
        return guess
    try:
        return corrected(table, ColumnMapping(guess.kind, {}), kept)
    except RecordInvalid:
        return guess


def mapping_json(table: Table, mapping: ColumnMapping) -> dict[str, Any]:
    """Write a mapping as JSON data, columns by name."""
    return {
        "columns": {
            name: [(table.columns if name in JOINED else table.labels)[at] for at in places]
            for name, places in mapping.columns.items()
        },
        "date_order": mapping.date_order.value if mapping.date_order else "",
        "currency": mapping.currency,
        "outcome": mapping.outcome.value,
        "statuses": {status: outcome.value for status, outcome in mapping.statuses.items()},
    }


def corrected(table: Table, mapping: ColumnMapping, changes: Mapping[str, Any]) -> ColumnMapping:
    """Apply corrections to a mapping: the keys of ``mapping_json``; a field set to no column is unmapped.

    Raises RecordInvalid naming the field, column or value that does not exist, and what does.
    """
    columns = dict(mapping.columns)
    for name, wanted in dict(changes.get("columns", {})).items():
        if name not in FIELDS[mapping.kind]:
            raise RecordInvalid(f"{name!r} is no field; fields are {', '.join(FIELDS[mapping.kind])}.")
        places = tuple(
            at for column in ([wanted] if isinstance(wanted, str) else wanted) for at in _find(table, column)
        )
        if len(places) > 1 and name not in JOINED:
            places = places[:1]
        columns = {field: kept for field, kept in columns.items() if field != name}
        if places:
            columns[name] = places
    order, currency = str(changes.get("date_order", "")), str(changes.get("currency", "")).upper()
    if currency and currency not in CODES:
        raise RecordInvalid(f"{currency} is not a currency this memory knows; use a code such as INR, USD or EUR.")
    try:
        return replace(
            mapping,
            columns=columns,
            date_order=DateOrder(order) if order else mapping.date_order,
            currency=currency or mapping.currency,
            outcome=Outcome(changes["outcome"]) if changes.get("outcome") else mapping.outcome,
            statuses={**mapping.statuses, **{k: Outcome(v) for k, v in dict(changes.get("statuses", {})).items()}},
            guessed=tuple(name for name in mapping.guessed if columns.get(name) == mapping.columns.get(name)),
        )
    except ValueError as error:
        raise RecordInvalid(f"{error}; date orders are day_first and month_first.") from error


def answered(table: Table, mapping: ColumnMapping, key: str, value: str) -> ColumnMapping:
    """Answer one question of a plan. Raises RecordInvalid for a key or a value that is none."""
    if key.startswith("status:"):
        return corrected(table, mapping, {"statuses": {key.removeprefix("status:"): value}})
    if key == "title":
        column = table.columns[int(value)] if value.isdecimal() and int(value) < len(table.columns) else value
        return corrected(table, mapping, {"columns": {TITLE[mapping.kind]: column}})
    if key not in {"date_order", "currency", "outcome"}:
        raise RecordInvalid(f"No question is called {key!r}.")
    return corrected(table, mapping, {key: value})


def _find(table: Table, name: str) -> list[int]:
    exact = [at for at, column in enumerate(table.columns) if column == name]
    exact = exact or [at for at, label in enumerate(table.labels) if label == name]
    found = exact or [at for at, column in enumerate(table.columns) if fold(column) == fold(name)]
    if not found:
        raise RecordInvalid(f"{table.source} has no column {name!r}; it has {', '.join(table.columns)}.")
    return found


def _name(workspace: str, table: Table, kind: Kind) -> str:
    headers = sha256("\n".join(fold(column) for column in table.columns).encode()).hexdigest()[:32]
    return f"import:{headers}:{kind.value[:3]}:{sha256(workspace.encode()).hexdigest()[:16]}"
