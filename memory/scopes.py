"""What only active records are in: the counts of their workspace and kind, and the full-text index."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from sqlalchemy import Connection, insert, select, update

from memory import schema
from memory.dialects import dialect_of


def show(tx: Connection, rows: Sequence[Mapping[str, Any]]) -> None:
    """Enter records, given as rows, into the counts and the full-text index."""
    dialect_of(tx).add_keywords(tx, _counted(tx, rows, +1))


def hide(tx: Connection, rows: Sequence[Mapping[str, Any]]) -> None:
    """Take records, given as the rows they were entered with, out of the counts and the full-text index."""
    dialect_of(tx).remove_keywords(tx, _counted(tx, rows, -1))


def _counted(tx: Connection, rows: Sequence[Mapping[str, Any]], sign: int) -> list[tuple[int, int, str]]:
    """Add records to the counts or take them off, and give (key, scope, words) of each."""
    totals: dict[tuple[str, str], tuple[int, int]] = {}
    for row in rows:
        name = (row["workspace"], row["kind"])
        records, entries = totals.get(name, (0, 0))
        totals[name] = (records + sign, entries + sign * row["vectors_count"])
    it = schema.scopes.c
    scopes: dict[tuple[str, str], int] = {}
    for (workspace, kind), (records, entries) in totals.items():
        where = (it.workspace == workspace, it.kind == kind)
        if tx.execute(select(it.id).where(*where)).first() is None:
            tx.execute(insert(schema.scopes).values(workspace=workspace, kind=kind, records=0, entries=0))
        values = {"records": it.records + records, "entries": it.entries + entries}
        tx.execute(update(schema.scopes).where(*where).values(values))
        scopes[workspace, kind] = tx.execute(select(it.id).where(*where)).scalar_one()
    return [(row["key"], scopes[row["workspace"], row["kind"]], row["words"]) for row in rows]
