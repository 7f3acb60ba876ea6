"""A row of an export of this memory as the facts it was written from, to the letter. Pure."""

from __future__ import annotations

import re
from dataclasses import fields
from typing import cast

from memory.confidence import FIRST
from memory.errors import RecordInvalid
from memory.export import CONFIDENCE, ID, STATUS
from memory.facts import TYPES, from_json
from memory.importers.mapping import ColumnMapping, fact_of
from memory.importers.plan import PlannedRow
from memory.importers.row_reading import CannotStore, Doubt
from memory.importers.tables import Row, Table
from memory.records import BugFacts, InvestmentFacts, Origin, Status
from memory.validation import checked

_AMOUNT = re.compile(r"(?P<currency>[A-Z]{3}) (?P<amount>\d+(?:\.\d+)?)")


def read_own(row: Row, table: Table, mapping: ColumnMapping) -> PlannedRow:
    """Read one record.

    Raises CannotStore, and Doubt where the record was not active or was trusted less than one of the user's own: only
    a person can raise that, by choosing the row.
    """
    known = {field.name for field in fields(TYPES[mapping.kind])}
    cells = {fact_of(field): row.cell(places[0]) for field, places in mapping.columns.items() if places}
    said = {name: _value(name, cell) for name, cell in cells.items() if name in known}
    try:
        facts = checked(mapping.kind, from_json(mapping.kind, said))
    except RecordInvalid as error:
        raise CannotStore(table.columns[0], str(error)) from error
    planned = PlannedRow(
        row.line,
        f"{table.source}:{row.line}",
        cast("InvestmentFacts | BugFacts", facts),
        record_id=_named(row, table, ID),
    )
    status = _named(row, table, STATUS)
    if status not in ("", Status.ACTIVE):
        reason = f"the record was {status} when it was exported"
        raise Doubt(STATUS, reason, status, "the records were not active when they were exported", planned)
    confidence = _named(row, table, CONFIDENCE)
    if confidence and not _trusted(confidence):
        reason = "the record was trusted less than one of your own; choose the row to vouch for it"
        raise Doubt(CONFIDENCE, reason, confidence, "the records were trusted less than your own", planned)
    return planned


def _trusted(confidence: str) -> bool:
    try:
        return float(confidence) >= FIRST[Origin.OWN_RECORD]
    except ValueError:
        return False


def _value(name: str, cell: str) -> object:
    amount = _AMOUNT.fullmatch(cell) if name in {"invested", "returned", "loss"} else None
    return amount.groupdict() if amount else cell


def _named(row: Row, table: Table, column: str) -> str:
    return row.cell(table.columns.index(column)).strip() if column in table.columns else ""
