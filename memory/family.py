"""A record's family: what it was derived from, what was derived from it, and what was done to it."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime

from sqlalchemy import select

from memory import schema
from memory.errors import RecordNotFound
from memory.ledger_reader import LedgerReader
from memory.records import Record

MOST = 60


@dataclass(frozen=True, slots=True)
class Relative:
    """A record of a family. ``generation`` is 0 for the one asked for, negative for sources, positive for heirs."""

    record: Record
    generation: int


@dataclass(frozen=True, slots=True)
class Family:
    """All relatives, sources first; ``links`` are pairs of parent and child; ``cut`` says that some were left out."""

    relatives: tuple[Relative, ...]
    links: tuple[tuple[str, str], ...]
    cut: bool


@dataclass(frozen=True, slots=True)
class Deed:
    """One change of a record: what was done, by whom, when and why."""

    number: int
    action: str
    author: str
    reason: str
    at: datetime


def family_of(ledger: LedgerReader, workspace: str, record_id: str, most: int = MOST) -> Family:
    """Gather a record's family, at most ``most`` each way. Raises RecordNotFound, LedgerUnavailable."""
    with ledger.reading() as tx, tx.begin():
        one = ledger.get(workspace, [record_id], tx=tx)
        if not one:
            raise RecordNotFound(f"No record {record_id} in this workspace.")
        found = dict(one)
        generation = {record_id: 0}
        cut = False
        for step in (-1, 1):
            level, room = [record_id], most
            depth = 0
            while level and room > 0:
                depth += step
                if step < 0:
                    wanted = [parent for it in level for parent in found[it].provenance.derived_from]
                else:
                    wanted = ledger.children(workspace, level, tx=tx)
                level = list(dict.fromkeys(wanted))
                new = [it for it in level if it not in found]
                cut |= len(new) > room
                new = new[:room]
                room -= len(new)
                found |= ledger.get(workspace, new, tx=tx)
                level = [it for it in level if it in found]
                generation |= dict.fromkeys(level, depth)
            cut |= bool(level) and room <= 0
    links = [(parent, it.id) for it in found.values() for parent in it.provenance.derived_from if parent in found]
    order = sorted(found, key=lambda it: generation[it])
    return Family(tuple(Relative(found[it], generation[it]) for it in order), tuple(links), cut)


def deeds(ledger: LedgerReader, workspace: str, record_id: str, limit: int = 50) -> list[Deed]:
    """List what was done to a record, newest first. Raises LedgerUnavailable."""
    it = schema.changes.c
    query = select(it.number, it.action, it.author, it.reason, it.at)
    query = query.where(it.workspace == workspace, it.record_id == record_id)
    with ledger.reading() as connection:
        rows = connection.execute(query.order_by(it.number.desc()).limit(limit))
        return [Deed(row.number, row.action, row.author, row.reason, row.at) for row in rows]
