"""What waits for a person, and what a person makes of it: verified, corrected or rejected, and each step taken back.

A step is made whole or not at all. It remembers how everything it touched stood before, so that it can be undone for as
long as nothing else has changed those records.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Any

from sqlalchemy import ColumnElement, Connection, Select, distinct, exists, func, select, text, union

from memory import schema
from memory.concerns import Concerns, Waiting, Worry
from memory.errors import RecordInvalid, RecordNotFound
from memory.facts import erased
from memory.intake import Intake
from memory.ledger import Ledger
from memory.records import Door, Facts, Kind, Nature, Record, Status
from memory.relevance import CONFIDENCE_FLOOR
from memory.trust import Judgement, Trust

MOST = 10_000
_WAITS = (Status.HELD, Status.QUARANTINED)
_EVALUATIONS = [kind.value for kind in Kind if kind.nature is Nature.EVALUATION]


@dataclass(frozen=True, slots=True)
class Item:
    """A record that waits, why in words, and the records it contradicts."""

    record: Record
    why: tuple[str, ...]
    against: tuple[Record, ...] = ()


@dataclass(frozen=True, slots=True)
class Queue:
    """What waits, oldest first: each record stands in one list only."""

    conflicts: tuple[Item, ...] = ()
    unverified: tuple[Item, ...] = ()
    quarantined: tuple[Item, ...] = ()


@dataclass(frozen=True, slots=True)
class Before:
    """How a record stood before a step, and the status the step left it in."""

    record_id: str
    status: Status
    judgement: Judgement
    left: Status


@dataclass(frozen=True, slots=True)
class Step:
    """One thing a person settled: ``settled`` numbers the concerns it closed, ``made`` names what it wrote."""

    done: str
    title: str
    before: tuple[Before, ...]
    settled: tuple[int, ...]
    made: str = ""


class Review:
    """The queues and their settlement. Every method raises LedgerUnavailable, RecordNotFound and RecordInvalid."""

    def __init__(self, ledger: Ledger, intake: Intake) -> None:
        self._ledger = ledger
        self._intake = intake
        self._concerns = Concerns(ledger)
        self._trust = Trust(ledger)

    def count(self, workspace: str) -> int:
        """Count the records that wait for a person."""
        it, record = schema.concerns.c, schema.records.c
        open_ones = (
            select(func.count(distinct(record.id)))
            .join(schema.concerns, it.record_id == record.id)
            .where(it.workspace == workspace, it.settled_at.is_(None), _held())
        )
        doubted = select(func.count()).select_from(_doubted(workspace).subquery())
        with self._ledger.reading() as connection:
            return sum(int(connection.execute(query).scalar_one()) for query in (open_ones, doubted))

    def queue(self, workspace: str, limit: int = 200) -> Queue:
        """List what waits: conflicts, records nobody vouched for or that are worth little, and what is set apart."""
        with self._ledger.reading() as connection:
            ids: list[str] = list(connection.execute(_doubted(workspace).limit(limit)).scalars())
            waiting = self._concerns.waiting(workspace, limit=limit, tx=connection)
            mentioned = [name for it in waiting for name in (it.record_id, it.concern.other_id) if name]
            records = self._ledger.get(workspace, [*mentioned, *ids], tx=connection)
        concerns: dict[str, list[Waiting]] = {}
        for it in waiting:
            if records[it.record_id].status in _WAITS:
                concerns.setdefault(it.record_id, []).append(it)
        lists: dict[Worry, list[Item]] = {worry: [] for worry in Worry}
        for record_id, mine in concerns.items():
            others = [records[it.concern.other_id] for it in mine if it.concern.other_id in records]
            item = Item(records[record_id], tuple(_why(it, records[record_id]) for it in mine), tuple(others))
            worries = {it.concern.worry for it in mine}
            first = next(it for it in (Worry.INSTRUCTION, Worry.CONFLICT, Worry.UNVERIFIED) if it in worries)
            lists[first].append(item)
        lists[Worry.UNVERIFIED] += [Item(records[it], (_doubt(records[it]),)) for it in ids]
        return Queue(tuple(lists[Worry.CONFLICT]), tuple(lists[Worry.UNVERIFIED]), tuple(lists[Worry.INSTRUCTION]))

    def reasons(self, record: Record) -> tuple[str, ...]:
        """Say in words why a record waits; nothing where no concern names it."""
        waiting = self._concerns.waiting(record.workspace, record_id=record.id, limit=MOST)
        return tuple(_why(it, record) for it in waiting if it.record_id == record.id)

    def verify(self, workspace: str, record_id: str, *, author: str, at: datetime) -> Step:
        """Vouch for a record; where it contradicts others, both stand."""
        with self._ledger.transaction() as tx:
            record, step = self._begin(workspace, record_id, (), "verified", tx)
            self._trust.verify(workspace, record_id, author=author, reason="verified by hand", at=at, tx=tx)
            return self._finish(workspace, step, record, author, at, tx)

    def reject(self, workspace: str, record_id: str, *, author: str, at: datetime, reason: str = "rejected") -> Step:
        """Turn a record down: it is forgotten; what was held only because it contradicts it, is held no longer."""
        with self._ledger.transaction() as tx:
            record, step = self._begin(workspace, record_id, (), "rejected", tx)
            _spare(record)
            self._trust.reject(workspace, record_id, author=author, reason=reason, at=at, tx=tx)
            return self._finish(workspace, step, record, author, at, tx)

    def prefer(self, workspace: str, right: str, wrong: Sequence[str], *, author: str, at: datetime) -> Step:
        """Settle a conflict: ``right`` is vouched for, and each of ``wrong`` falls to 0.1 as disproved by it.

        What was wrong and waited is forgotten; what was active stays, too little worth to be recalled.
        """
        with self._ledger.transaction() as tx:
            record, step = self._begin(workspace, right, wrong, "kept as the right one", tx)
            self._trust.verify(workspace, right, author=author, reason="verified by hand", at=at, tx=tx)
            for other in wrong:
                self._lower(workspace, other, right, Status.FORGOTTEN, author, at, tx)
            return self._finish(workspace, step, record, author, at, tx)

    def correct(
        self, workspace: str, record_id: str, facts: Facts, *, author: str, at: datetime
    ) -> tuple[Step, Record]:
        """Write down what is right as a record of the person's own; the wrong one falls to 0.1 and is archived.

        The new record passes through intake as any other and may have to wait itself. Raises as intake does.
        """
        with self._ledger.transaction() as tx:
            record, step = self._begin(workspace, record_id, (), "corrected", tx)
            _spare(record)
            status = Status.ARCHIVED
            self._ledger.set_status(workspace, record_id, status, author=author, reason="corrected", at=at, tx=tx)
            made = self._intake.remember(
                workspace, record.kind, facts, door=Door.FORM, source=f"correction of record {record_id}",
                author=author, now=at, tx=tx,
            )  # fmt: skip
            self._lower(workspace, record_id, made.id, status, author, at, tx)
            return self._finish(workspace, step, record, author, at, tx, made.id), made

    def undo(self, workspace: str, step: Step, *, author: str, at: datetime) -> None:
        """Take a step back: statuses, judgements and concerns are as they were; what it wrote is forgotten.

        Raises RecordInvalid where one of the records was changed or erased since.
        """
        reason = f"undone: {step.done}"
        with self._ledger.transaction() as tx:
            records = self._ledger.get(workspace, [it.record_id for it in step.before], tx=tx)
            for it in step.before:
                record = records.get(it.record_id)
                if record is None or record.status is not it.left or record.facts == erased(record.kind):
                    raise RecordInvalid("One of these records was changed since; it can no longer be undone.")
            if step.made:
                gone = Status.FORGOTTEN
                self._ledger.set_status(workspace, step.made, gone, author=author, reason=reason, at=at, tx=tx)
                self._concerns.settle(workspace, step.made, settled_as="undone", author=author, at=at, tx=tx)
            for it in step.before:
                self._ledger.set_status(workspace, it.record_id, it.status, author=author, reason=reason, at=at, tx=tx)
            for it in step.before:
                self._trust.judge(
                    workspace, it.record_id, it.judgement, author=author, reason=reason, at=at, tx=tx
                )  # fmt: skip
            self._concerns.reopen(workspace, step.settled, tx=tx)

    def _begin(
        self, workspace: str, record_id: str, others: Sequence[str], done: str, tx: Connection
    ) -> tuple[Record, Step]:
        """Note how the record, ``others`` and all that waits because of them stand before a step."""
        concerns: dict[int, Waiting] = {}
        for one in (record_id, *others):
            for it in self._concerns.waiting(workspace, record_id=one, limit=MOST, tx=tx):
                concerns[it.number] = it
        ids = dict.fromkeys([record_id, *others, *(it.record_id for it in concerns.values())])
        records = self._ledger.get(workspace, list(ids), tx=tx)
        if missing := [it for it in (record_id, *others) if it not in records]:
            raise RecordNotFound(f"No record {missing[0]} in this workspace.")
        if records[record_id].facts == erased(records[record_id].kind):
            raise RecordInvalid("This record was erased.")
        before = tuple(
            Before(it.id, it.status, self._trust.judgement(workspace, it.id, tx=tx), it.status)
            for it in records.values()
        )
        return records[record_id], Step(done, records[record_id].title, before, tuple(concerns))

    def _lower(
        self, workspace: str, wrong: str, by: str, status: Status, author: str, at: datetime, tx: Connection
    ) -> None:
        """Disprove a record by another; one that only waited takes ``status``."""
        record = self._ledger.get(workspace, [wrong], tx=tx)[wrong]
        _spare(record)
        self._trust.disprove(workspace, wrong, by=by, author=author, at=at, tx=tx)
        if record.status in _WAITS:
            reason = f"disproved by {by}"
            self._ledger.set_status(workspace, wrong, status, author=author, reason=reason, at=at, tx=tx)

    def _finish(
        self, workspace: str, step: Step, record: Record, author: str, at: datetime, tx: Connection, made: str = ""
    ) -> Step:
        """Let go of what was held only for a conflict that is now settled, and note how the step left everything."""
        for it in step.before:
            if it.status is Status.HELD and it.record_id != record.id:
                mine = self._concerns.waiting(workspace, record_id=it.record_id, limit=MOST, tx=tx)
                now = self._ledger.get(workspace, [it.record_id], tx=tx)[it.record_id].status
                if now is Status.HELD and not any(concern.record_id == it.record_id for concern in mine):
                    why = f"no longer contradicts {record.id}"
                    self._ledger.set_status(
                        workspace, it.record_id, Status.ACTIVE, author=author, reason=why, at=at, tx=tx
                    )  # fmt: skip
        after = self._ledger.get(workspace, [it.record_id for it in step.before], tx=tx)
        before = tuple(Before(it.record_id, it.status, it.judgement, after[it.record_id].status) for it in step.before)
        return Step(step.done, step.title, before, step.settled, made)


def _why(waiting: Waiting, record: Record) -> str:
    if waiting.concern.worry is Worry.UNVERIFIED:
        who = "an agent brought it" if record.provenance.door is Door.AGENT else "it was read from a document"
        return f"{who}, and nobody has vouched for it"
    return waiting.concern.detail


def _spare(record: Record) -> None:
    if record.protected:
        raise RecordInvalid(f"“{record.title}” is protected. Stop protecting it first.")


def _held() -> ColumnElement[bool]:
    return schema.records.c.status.in_([status.value for status in _WAITS])


def _doubted(workspace: str) -> Select[Any]:
    """Select what no concern names and no person has judged: worth too little to be recalled, unsourced, or held.

    Where the little worth is that of a source, it is the source that waits or was judged.
    """
    it = schema.records.c
    mine = select(it.id, it.key).where(
        it.workspace == workspace,
        it.kind.not_in(_EVALUATIONS),
        ~exists().where(schema.concerns.c.record_id == it.id, schema.concerns.c.settled_at.is_(None)),
    )
    judged = exists().where(schema.ratings.c.record_id == it.id)
    active = mine.where(it.status == Status.ACTIVE.value, ~judged)
    source = schema.records.alias()
    weak_source = exists().where(
        schema.edges.c.child == it.id, source.c.id == schema.edges.c.parent, source.c.confidence < CONFIDENCE_FLOOR
    )
    # Three searches, each with an index of its own; one with OR would read every record.
    found = union(
        mine.where(_held()),
        active.where(it.confidence < CONFIDENCE_FLOOR, ~weak_source),
        active.where(text("records.source = ''")),
    ).subquery()
    return select(found.c.id).order_by(found.c.key)


def _doubt(record: Record) -> str:
    if record.status in _WAITS:
        return "is held, and nobody has said why"
    if record.confidence < CONFIDENCE_FLOOR:
        return f"is trusted {record.confidence:.0%} only, too little to be recalled"
    return "names no source"
