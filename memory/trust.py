"""What a person may say of a record's worth, and what hangs on it.

A record is worth the least of its own confidence and 0.97 of each source's; a blocked or quarantined record is worth
nothing. Own confidence comes from the origin, and only a person changes it. Every judgement is applied to all that was
derived from the record, in the same transaction, and can be asked for first without doing it.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import datetime

from sqlalchemy import Connection, delete, insert, select

from memory import schema
from memory.concerns import Concerns
from memory.confidence import FIRST, bounded
from memory.errors import RecordInvalid, RecordNotFound
from memory.ledger import Ledger
from memory.records import Nature, Origin, Record, Status

DISPROVED = 0.1


@dataclass(frozen=True, slots=True)
class Judgement:
    """A person's word on a record: ``own`` is its own confidence (0..1), None the origin's; ``blocked`` cuts it off."""

    own: float | None = None
    blocked: bool = False


@dataclass(frozen=True, slots=True)
class Touched:
    """A record that a judgement changes, with its confidence before and after."""

    record: Record
    before: float
    after: float


class Trust:
    """Judgements on records. Every method raises LedgerUnavailable, RecordNotFound and RecordInvalid."""

    def __init__(self, ledger: Ledger) -> None:
        self._ledger = ledger
        self._concerns = Concerns(ledger)

    def judgement(self, workspace: str, record_id: str, *, tx: Connection | None = None) -> Judgement:
        """Give the judgement that stands on a record."""
        with self._ledger.reading(tx) as connection:
            self._one(workspace, record_id, connection)
            return _judgements(connection, [record_id]).get(record_id, Judgement())

    def effect(self, workspace: str, record_id: str, judgement: Judgement) -> tuple[Touched, ...]:
        """Say what a judgement would touch, the record itself first, and change nothing."""
        with self._ledger.reading() as connection, connection.begin():
            return self._effect(workspace, record_id, judgement, connection)

    def judge(
        self,
        workspace: str,
        record_id: str,
        judgement: Judgement,
        *,
        author: str,
        reason: str,
        at: datetime,
        tx: Connection | None = None,
    ) -> tuple[Touched, ...]:
        """Apply a judgement to a record and to all that was derived from it, and say what it touched.

        Undo it by judging again with the ``judgement`` that stood before.
        """
        if judgement.own is not None and not 0 <= judgement.own <= 1:
            raise RecordInvalid("A confidence must lie between 0 and 1.")
        if not author.strip():
            raise RecordInvalid("A judgement needs the name of the person who makes it.")
        with self._ledger.transaction(tx) as connection:
            touched = self._effect(workspace, record_id, judgement, connection)
            connection.execute(delete(schema.ratings).where(schema.ratings.c.record_id == record_id))
            if judgement != Judgement():
                values = {"record_id": record_id, "own": judgement.own, "blocked": judgement.blocked}
                connection.execute(insert(schema.ratings).values(values))
            self._write(workspace, touched, author, reason, at, connection)
            return touched

    def refresh(
        self, workspace: str, record_id: str, *, author: str, reason: str, at: datetime, tx: Connection
    ) -> tuple[Touched, ...]:
        """Compute a record and all that was derived from it anew, as after its status changed."""
        touched = self._effect(workspace, record_id, self.judgement(workspace, record_id, tx=tx), tx)
        self._write(workspace, touched, author, reason, at, tx)
        return touched

    def verify(
        self,
        workspace: str,
        record_id: str,
        *,
        author: str,
        reason: str,
        at: datetime,
        tx: Connection | None = None,
    ) -> tuple[Touched, ...]:
        """Accept a record that waits: a person vouches for it, so that it is worth what an own record is.

        It is still worth no more than its sources leave it, and an evaluation or a preference stays what it is.
        """
        with self._ledger.transaction(tx) as connection:
            record = self._one(workspace, record_id, connection)
            if record.status not in {Status.HELD, Status.QUARANTINED, Status.ACTIVE}:
                raise RecordInvalid(f"The record is {record.status.value}; restore it first.")
            vouched = FIRST[Origin.OWN_RECORD] if record.kind.nature is Nature.FACT else FIRST[record.provenance.origin]
            self._ledger.set_status(
                workspace, record_id, Status.ACTIVE, author=author, reason=reason, at=at, tx=connection
            )
            own = max(vouched, record.provenance.first_confidence)
            touched = self.judge(
                workspace, record_id, Judgement(own), author=author, reason=reason, at=at, tx=connection
            )
            self._concerns.settle(workspace, record_id, settled_as="verified", author=author, at=at, tx=connection)
            return touched

    def reject(
        self,
        workspace: str,
        record_id: str,
        *,
        author: str,
        reason: str,
        at: datetime,
        tx: Connection | None = None,
    ) -> tuple[Touched, ...]:
        """Turn a record down: it is forgotten, and what was derived from it falls with it."""
        with self._ledger.transaction(tx) as connection:
            low = Judgement(DISPROVED)
            touched = self.judge(workspace, record_id, low, author=author, reason=reason, at=at, tx=connection)
            self._ledger.set_status(
                workspace, record_id, Status.FORGOTTEN, author=author, reason=reason, at=at, tx=connection
            )
            self._concerns.settle(workspace, record_id, settled_as="rejected", author=author, at=at, tx=connection)
            return touched

    def disprove(
        self, workspace: str, record_id: str, *, by: str, author: str, at: datetime, tx: Connection | None = None
    ) -> tuple[Touched, ...]:
        """Lower a record to 0.1 because the record ``by`` shows it wrong; it stays, and its history says so."""
        with self._ledger.transaction(tx) as connection:
            better = self._one(workspace, by, connection)
            if better.id == record_id or better.id in self._ledger.descendants(workspace, record_id, tx=connection):
                raise RecordInvalid("A record cannot be disproved by what was derived from it.")
            reason = f"disproved by {better.id}"
            low = Judgement(DISPROVED)
            touched = self.judge(workspace, record_id, low, author=author, reason=reason, at=at, tx=connection)
            self._concerns.settle(workspace, record_id, settled_as="disproved", author=author, at=at, tx=connection)
            return touched

    def quarantine(
        self,
        workspace: str,
        record_id: str,
        *,
        author: str,
        reason: str,
        at: datetime,
        tx: Connection | None = None,
    ) -> tuple[Touched, ...]:
        """Set a record apart, so that it and all that was derived from it are worth nothing until it is verified."""
        with self._ledger.transaction(tx) as connection:
            status = Status.QUARANTINED
            self._ledger.set_status(workspace, record_id, status, author=author, reason=reason, at=at, tx=connection)
            return self.refresh(workspace, record_id, author=author, reason=reason, at=at, tx=connection)

    def _effect(
        self, workspace: str, record_id: str, judgement: Judgement, connection: Connection
    ) -> tuple[Touched, ...]:
        changed = [self._one(workspace, record_id, connection)]
        below = self._ledger.descendants(workspace, record_id, tx=connection)
        changed += self._ledger.get(workspace, below, tx=connection).values()
        parents = {parent for record in changed for parent in record.provenance.derived_from}
        known = self._ledger.get(workspace, sorted(parents), tx=connection) | {it.id: it for it in changed}
        judged = {**_judgements(connection, list(known)), record_id: judgement}
        worth = {it.id: it.confidence for it in known.values()}
        touched: list[Touched] = []
        for record in changed:
            worth[record.id] = _worth(record, judged.get(record.id, Judgement()), worth)
            if worth[record.id] != record.confidence:
                touched.append(Touched(record, record.confidence, worth[record.id]))
        return tuple(touched)

    def _write(
        self, workspace: str, touched: tuple[Touched, ...], author: str, reason: str, at: datetime, tx: Connection
    ) -> None:
        values = {it.record.id: it.after for it in touched}
        self._ledger.set_confidences(workspace, values, author=author, reason=reason, at=at, tx=tx)

    def _one(self, workspace: str, record_id: str, connection: Connection) -> Record:
        record = self._ledger.get(workspace, [record_id], tx=connection).get(record_id)
        if record is None:
            raise RecordNotFound(f"No record {record_id} in this workspace.")
        return record


def _worth(record: Record, judgement: Judgement, worth: Mapping[str, float]) -> float:
    if judgement.blocked or record.status is Status.QUARANTINED:
        return 0.0
    own = FIRST[record.provenance.origin] if judgement.own is None else judgement.own
    return bounded(own, [worth[parent] for parent in record.provenance.derived_from])


def _judgements(connection: Connection, ids: list[str]) -> dict[str, Judgement]:
    found: dict[str, Judgement] = {}
    it = schema.ratings.c
    for start in range(0, len(ids), 500):
        rows = connection.execute(select(schema.ratings).where(it.record_id.in_(ids[start : start + 500])))
        found |= {row.record_id: Judgement(row.own, row.blocked) for row in rows}
    return found
