"""What a workspace's users said of its records, counted for each record. It orders precedents and does nothing else."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from sqlalchemy import case, func, select

from memory.ledger_reader import PAGE, LedgerReader
from memory.schema import feedback

USEFUL = "useful"


@dataclass(frozen=True, slots=True)
class Tally:
    """How often a record was called useful, and how often not the same or outdated."""

    useful: int
    against: int


def opinions(ledger: LedgerReader, workspace: str, ids: Sequence[str]) -> dict[str, Tally]:
    """Count the opinions on records of ``workspace``; those on which nothing was said are left out.

    Raises LedgerUnavailable.
    """
    found: dict[str, Tally] = {}
    it = feedback.c
    useful = func.sum(case((it.opinion == USEFUL, 1), else_=0))
    wanted = select(it.record_id, useful.label("useful"), func.count().label("given")).group_by(it.record_id)
    with ledger.reading(single=len(ids) <= PAGE) as connection:
        for start in range(0, len(ids), PAGE):
            part = wanted.where(it.workspace == workspace, it.record_id.in_(list(ids[start : start + PAGE])))
            found |= {
                row.record_id: Tally(int(row.useful), int(row.given - row.useful)) for row in connection.execute(part)
            }
    return found
