"""Concerns: why a record waits for a person, and how it was settled."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime
from enum import StrEnum

from sqlalchemy import Connection, insert, select, update

from memory import schema
from memory.ledger import Ledger


class Worry(StrEnum):
    """What is the matter with a record."""

    UNVERIFIED = "unverified"
    CONFLICT = "conflict"
    INSTRUCTION = "instruction"


@dataclass(frozen=True, slots=True)
class Concern:
    """One reason why a record waits. ``other_id`` is the record it contradicts, or ""."""

    worry: Worry
    detail: str
    other_id: str = ""


@dataclass(frozen=True, slots=True)
class Waiting:
    """A concern as it stands in a queue. ``settled_as`` is "" while it waits."""

    number: int
    record_id: str
    concern: Concern
    at: datetime
    settled_as: str = ""
    settled_by: str = ""


class Concerns:
    """The queues of what waits for a person. Every method raises LedgerUnavailable."""

    def __init__(self, ledger: Ledger) -> None:
        self._ledger = ledger

    def enter(
        self, workspace: str, record_id: str, concerns: Sequence[Concern], at: datetime, *, tx: Connection
    ) -> None:
        """Put concerns about one record into the queues."""
        rows = [
            {
                "workspace": workspace,
                "record_id": record_id,
                "worry": it.worry.value,
                "detail": it.detail,
                "other_id": it.other_id,
                "at": at,
            }
            for it in concerns
        ]
        if rows:
            tx.execute(insert(schema.concerns), rows)

    def waiting(
        self,
        workspace: str,
        *,
        worries: Sequence[Worry] = tuple(Worry),
        record_id: str = "",
        limit: int = 100,
        tx: Connection | None = None,
    ) -> list[Waiting]:
        """List what waits, oldest first; of one record where ``record_id`` is given."""
        it = schema.concerns.c
        query = select(schema.concerns).where(
            it.workspace == workspace, it.settled_at.is_(None), it.worry.in_([worry.value for worry in worries])
        )
        if record_id:
            query = query.where((it.record_id == record_id) | (it.other_id == record_id))
        with self._ledger.reading(tx) as connection:
            return [
                Waiting(row.number, row.record_id, Concern(Worry(row.worry), row.detail, row.other_id), row.at)
                for row in connection.execute(query.order_by(it.number).limit(limit))
            ]

    def settle(
        self,
        workspace: str,
        record_id: str,
        *,
        settled_as: str,
        author: str,
        at: datetime,
        tx: Connection,
        entered: Sequence[datetime] | None = None,
    ) -> int:
        """Close every concern that waits about a record, from either side of a conflict; say how many.

        Given ``entered``, only those that were entered at these times.
        """
        it = schema.concerns.c
        waiting = update(schema.concerns).where(
            it.workspace == workspace,
            it.settled_at.is_(None),
            (it.record_id == record_id) | (it.other_id == record_id),
        )
        if entered is not None:
            waiting = waiting.where(it.at.in_(entered))
        return tx.execute(waiting.values(settled_at=at, settled_by=author, settled_as=settled_as)).rowcount

    def reopen(self, workspace: str, numbers: Sequence[int], *, tx: Connection) -> int:
        """Let concerns that were settled wait again; say how many."""
        it = schema.concerns.c
        done = tx.execute(
            update(schema.concerns)
            .where(it.workspace == workspace, it.number.in_(list(numbers)))
            .values(settled_at=None, settled_by=None, settled_as=None)
        )
        return done.rowcount
