"""What records are counted in and found by: active ones in the counts, active and archived ones in the full-text index.

The two are kept apart there: the terms of archived records carry another mark, so that no recall ever meets them.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from sqlalchemy import Connection, insert, select, update

from memory import schema
from memory.dialects import dialect_of
from memory.records import Status

MARKS = {Status.ACTIVE: "", Status.ARCHIVED: "a"}


def mark(scope: int, status: Status) -> str:
    """Name where in the full-text index the records of a scope are that have this status, one of ``MARKS``."""
    return f"{scope}{MARKS[status]}"


def show(tx: Connection, rows: Sequence[Mapping[str, Any]]) -> None:
    """Enter records, given as rows, into the counts and the full-text index, as far as their status is in either."""
    dialect_of(tx).add_keywords(tx, _counted(tx, rows, +1))


def hide(tx: Connection, rows: Sequence[Mapping[str, Any]]) -> None:
    """Take records, given as the rows they were entered with, out of the counts and the full-text index."""
    dialect_of(tx).remove_keywords(tx, _counted(tx, rows, -1))


def _counted(tx: Connection, rows: Sequence[Mapping[str, Any]], sign: int) -> list[tuple[int, str, str]]:
    """Add records to the counts or take them off, and give (key, mark, words) of each that has words in the index."""
    worded = [row for row in rows if row["status"] in MARKS]
    totals: dict[tuple[str, str], tuple[int, int]] = {}
    for row in worded:
        name, counts = (row["workspace"], row["kind"]), sign * (row["status"] == Status.ACTIVE)
        records, entries = totals.get(name, (0, 0))
        totals[name] = (records + counts, entries + counts * row["vectors_count"])
    it = schema.scopes.c
    scopes: dict[tuple[str, str], int] = {}
    for (workspace, kind), (records, entries) in totals.items():
        where = (it.workspace == workspace, it.kind == kind)
        if tx.execute(select(it.id).where(*where)).first() is None:
            tx.execute(insert(schema.scopes).values(workspace=workspace, kind=kind, records=0, entries=0))
        if records or entries:
            values = {"records": it.records + records, "entries": it.entries + entries}
            tx.execute(update(schema.scopes).where(*where).values(values))
        scopes[workspace, kind] = tx.execute(select(it.id).where(*where)).scalar_one()
    return [(row["key"], mark(scopes[row["workspace"], row["kind"]], row["status"]), row["words"]) for row in worded]
