"""Intake: the only way into the memory.

The door fixes what a record is worth. Intake refuses noise, masks secrets and personal data, condenses long notes,
holds what contradicts a record or comes unvouched, and sets apart what speaks to a model.
"""

from __future__ import annotations

import re
import uuid
from collections.abc import Callable, Sequence
from dataclasses import replace
from datetime import datetime
from hashlib import sha256

from sqlalchemy import Connection

from memory.cleaning import Secrets, cleaned
from memory.comparison import Comparison, apart
from memory.concerns import Concern, Concerns, Worry
from memory.confidence import DOORS, WAITING, bounded, first_confidence, origin_of
from memory.conflicts import contradiction
from memory.embed import Embedder
from memory.errors import EmbedderUnavailable, RecordChanged, RecordInvalid, RecordNotFound
from memory.facts import canonical, to_json
from memory.index import Entry
from memory.instructions import find_instructions, spoken_together
from memory.ledger import Ledger
from memory.passages import entries_of_many
from memory.records import Door, Facts, Kind, Nature, Note, Provenance, Record, Status
from memory.trust import Trust
from memory.validation import WORKSPACE, strip_controls

LONGEST_SOURCE = 500
AUDIT_PREFIX = "aud-"
# What comes in through these doors is compared with nothing.
_UNOPPOSED = frozenset({Door.SEED, Door.AUDIT})


def _random_id() -> str:
    return uuid.uuid4().hex


class Intake:
    """The only writer of records. ``new_id`` gives each record its id.

    ``secrets`` says whether secrets and personal data are masked, or the record that holds them is refused.
    """

    def __init__(
        self,
        ledger: Ledger,
        embedder: Embedder,
        new_id: Callable[[], str] = _random_id,
        secrets: Secrets = "mask",
    ) -> None:
        self._ledger = ledger
        self._embedder = embedder
        self._new_id = new_id
        self._secrets = secrets
        self._queues = Concerns(ledger)
        self._comparison = Comparison(ledger, embedder)

    def remember(
        self,
        workspace: str,
        kind: Kind,
        facts: Facts,
        *,
        door: Door,
        source: str,
        author: str,
        now: datetime,
        derived_from: Sequence[str] = (),
        tx: Connection | None = None,
    ) -> Record:
        """Check, embed and store one record; it is durable when this returns (or when ``tx`` commits).

        The door fixes origin, first confidence and status: what a document or an agent brings is HELD for a person.
        An agent that brings the same again, as after an answer that was lost, gets the record it brought before, as it
        stands now. Raises RecordInvalid, IntakeRefused, RecordNotFound where a source is unknown, EmbedderUnavailable.
        """
        head = self._ledger.head(tx=tx)
        record = self.check(
            workspace, kind, facts, door=door, source=source, author=author, now=now, derived_from=derived_from, tx=tx
        )
        if door is Door.AGENT:
            record = replace(record, id=_id_by_content(record))
        entries = self.embed([record])
        with self._ledger.transaction(tx) as connection:
            if door is Door.AGENT and (brought := self._ledger.get(workspace, [record.id], tx=connection)):
                return brought[record.id]
            if self._ledger.head(tx=connection) != head:
                record = replace(record, status=_status(self.concerns(record, tx=connection)))
            self.store([record], entries, tx=connection)
        return self._ledger.get(workspace, [record.id], tx=tx)[record.id]

    def check(
        self,
        workspace: str,
        kind: Kind,
        facts: Facts,
        *,
        door: Door,
        source: str,
        author: str,
        now: datetime,
        derived_from: Sequence[str] = (),
        record_id: str = "",
        tx: Connection | None = None,
    ) -> Record:
        """Make the record that ``remember`` would store, and store nothing. Raises as ``remember`` does."""
        if not re.fullmatch(WORKSPACE, workspace):
            raise RecordInvalid("A workspace is named by small letters, digits, - and _, 64 at most.")
        _check_door(door, kind, source, derived_from)
        facts = cleaned(kind, facts, self._embedder, self._secrets)
        parents = tuple(dict.fromkeys(derived_from))
        sources = self._ledger.get(workspace, parents, tx=tx)
        if missing := [parent for parent in parents if parent not in sources]:
            raise RecordNotFound(f"No record {missing[0]} to derive from in this workspace.")
        origin = origin_of(door, kind, derived=bool(parents))
        confidence = first_confidence(origin, [_left(record) for record in sources.values()])
        provenance = Provenance(
            door=door,
            origin=origin,
            source=_line(source),
            author=_line(author),
            created_at=now,
            first_confidence=confidence,
            context_hash=sha256(canonical(to_json(facts)).encode()).hexdigest(),
            derived_from=parents,
        )
        record = Record(
            id=record_id or self._new_id(),
            workspace=workspace,
            kind=kind,
            facts=facts,
            provenance=provenance,
            confidence=confidence,
            updated_at=now,
        )
        return replace(record, status=_status(self.concerns(record, tx=tx)))

    def concerns(self, record: Record, *, tx: Connection | None = None) -> tuple[Concern, ...]:
        """Say why a record must wait for a person: it speaks to a model, contradicts a record, or is unvouched."""
        found = [Concern(Worry.INSTRUCTION, detail) for detail in find_instructions(_as_given(record))]
        if record.provenance.door in WAITING:
            found.append(Concern(Worry.UNVERIFIED, f"came in through the door {record.provenance.door.value}"))
        return (*found, *self._conflicts(record, tx))

    def embed(self, records: Sequence[Record]) -> list[list[Entry]]:
        """Embed records that ``check`` made, so that ``store`` need not hold the ledger meanwhile."""
        return entries_of_many(records, self._embedder)

    def store(
        self,
        records: Sequence[Record],
        entries: Sequence[Sequence[Entry]] | None = None,
        *,
        tx: Connection | None = None,
    ) -> list[Record]:
        """Embed and store records that ``check`` made, all or none; give them as they now stand.

        Raises RecordInvalid, EmbedderUnavailable.

        ``entries`` are those of ``embed``, in the same order, where it was called before.
        """
        entries = self.embed(records) if entries is None else entries
        with self._ledger.transaction(tx) as connection:
            self._claim_embedder(connection)
            final = apart([self._rechecked(record, connection) for record in records])
            together = spoken_together(final)
            final = [replace(it, status=Status.QUARANTINED) if it.id in together else it for it in final]
            self._ledger.add_many(list(zip(final, entries, strict=True)), tx=connection)
            places = {(it.workspace, it.kind): it for it in final}
            waits = {it for it, one in places.items() if self._comparison.anything_waits(one, connection)}
            for record in final:
                if record.status is not Status.ACTIVE:
                    concerns = [*self.concerns(record, tx=connection)]
                    concerns += [Concern(Worry.INSTRUCTION, how) for how in together.get(record.id, ())]
                    at = record.provenance.created_at
                    self._queues.enter(record.workspace, record.id, concerns, at, tx=connection)
                elif record.provenance.door not in _UNOPPOSED and (record.workspace, record.kind) in waits:
                    self._dispute(record, connection)
        return final

    def revise(
        self, workspace: str, record_id: str, facts: Facts, *, author: str, reason: str, now: datetime
    ) -> Record:
        """Replace a record's facts, keeping the old ones as a revision; kind and credential stay.

        What newly contradicts another record is held, and what speaks to a model is set apart. Raises RecordInvalid,
        IntakeRefused, RecordNotFound, EmbedderUnavailable, and RecordChanged where another was quicker.
        """
        draft = self.redraft(workspace, record_id, facts)
        return self.keep_revised([draft], self.embed([draft]), author=author, reason=reason, now=now)[0]

    def redraft(self, workspace: str, record_id: str, facts: Facts) -> Record:
        """Make the record that ``revise`` would keep, its revision that which it replaces, and keep nothing.

        Raises RecordInvalid, IntakeRefused, RecordNotFound.
        """
        record = self._ledger.get(workspace, [record_id]).get(record_id)
        if record is None:
            raise RecordNotFound(f"No record {record_id} in this workspace.")
        if record.kind.nature is Nature.EVALUATION:
            raise RecordInvalid("An evaluation is kept as it was written.")
        return replace(record, facts=cleaned(record.kind, facts, self._embedder, self._secrets))

    def keep_revised(
        self,
        drafts: Sequence[Record],
        entries: Sequence[Sequence[Entry]],
        *,
        author: str,
        reason: str,
        now: datetime,
        tx: Connection | None = None,
    ) -> list[Record]:
        """Store what ``redraft`` made, with the entries of ``embed``, all or none. Raises as ``revise`` does."""
        who, why = _line(author), _line(reason)
        with self._ledger.transaction(tx) as connection:
            self._claim_embedder(connection)
            for draft, vectors in zip(drafts, entries, strict=True):
                self._replace(draft, vectors, who, why, now, connection)
            return [self._ledger.get(it.workspace, [it.id], tx=connection)[it.id] for it in drafts]

    def _replace(
        self, draft: Record, entries: Sequence[Entry], author: str, reason: str, now: datetime, tx: Connection
    ) -> None:
        place = draft.workspace, draft.id
        before = self._ledger.get(place[0], [draft.id], tx=tx).get(draft.id)
        if before is None or before.revision != draft.revision:
            raise RecordChanged
        known = {it.other_id for it in self._conflicts(before, tx)}
        conflicts = [it for it in self._conflicts(draft, tx) if it.other_id not in known]
        orders = [Concern(Worry.INSTRUCTION, detail) for detail in find_instructions(draft)]
        self._ledger.revise(*place, draft.facts, entries, author=author, reason=reason, at=now, tx=tx)
        orders = [] if before.status is Status.QUARANTINED else orders
        self._queues.enter(*place, [*orders, *conflicts], now, tx=tx)
        if orders:
            Trust(self._ledger).quarantine(*place, author=author, reason=orders[0].detail, at=now, tx=tx)
        elif conflicts and before.status is Status.ACTIVE:
            why = conflicts[0].detail
            self._ledger.set_status(*place, Status.HELD, author=author, reason=why, at=now, tx=tx)

    def _conflicts(self, record: Record, tx: Connection | None) -> list[Concern]:
        """Say which records it contradicts. What somebody unvouched for told does not hold up what its owner says."""
        if record.provenance.door in _UNOPPOSED:
            return []
        found = self._comparison.standing(record, tx)
        found += [
            (other, why)
            for other, why in self._comparison.waiting(record, tx)
            if record.provenance.door in WAITING or other.provenance.door not in WAITING
        ]
        return [Concern(Worry.CONFLICT, f"{why} in {other.title}", other.id) for other, why in found]

    def _dispute(self, record: Record, tx: Connection) -> None:
        """Put records that wait, and that a record its owner brought contradicts, among the conflicts."""
        for other, seen in self._comparison.waiting(record, tx):
            if other.provenance.door in WAITING:
                why = contradiction(other, record, 1.0) or seen
                concern = Concern(Worry.CONFLICT, f"{why} in {record.title}", record.id)
                self._queues.enter(record.workspace, other.id, [concern], record.provenance.created_at, tx=tx)

    def _rechecked(self, record: Record, tx: Connection) -> Record:
        """Bound a derived record anew: its sources may have fallen since it was checked."""
        if not record.provenance.derived_from:
            return record
        sources = self._ledger.get(record.workspace, record.provenance.derived_from, tx=tx).values()
        confidence = bounded(record.confidence, [_left(source) for source in sources])
        provenance = replace(record.provenance, first_confidence=confidence)
        return replace(record, confidence=confidence, provenance=provenance)

    def _claim_embedder(self, tx: Connection) -> None:
        """Make sure that all vectors of the ledger come from one embedder."""
        stored = self._ledger.embedder(tx=tx)
        if stored is None:
            self._ledger.set_embedder(self._embedder.id, tx=tx)
        elif stored != self._embedder.id:
            raise EmbedderUnavailable(
                f"The memory was written with the embedder {stored.name}; re-embed it before writing with another."
            )


def _check_door(door: Door, kind: Kind, source: str, derived_from: Sequence[str]) -> None:
    if door not in DOORS[kind.nature]:
        raise RecordInvalid(f"A record of kind {kind.value} cannot come in through the door {door.value}.")
    if door is Door.OUTCOME and (derived_from or not source.startswith(AUDIT_PREFIX)):
        raise RecordInvalid("An outcome names the saved audit it is the outcome of, and is derived from no record.")


def _status(concerns: Sequence[Concern]) -> Status:
    worries = {it.worry for it in concerns}
    if Worry.INSTRUCTION in worries:
        return Status.QUARANTINED
    return Status.HELD if worries else Status.ACTIVE


def _as_given(record: Record) -> Record:
    """Give an evaluation without the words that Precedent adds to it: they tell a verdict, and are meant to."""
    if isinstance(record.facts, Note) and record.kind.nature is Nature.EVALUATION:
        return replace(record, facts=replace(record.facts, text=record.facts.title))
    return record


def _id_by_content(record: Record) -> str:
    """Name a record by what it says and where from, so that whoever sends it twice brings it once."""
    made = record.provenance
    said = [record.workspace, record.kind.value, made.source, made.author, made.context_hash, list(made.derived_from)]
    return sha256(canonical(said).encode()).hexdigest()[:32]


def _left(source: Record) -> float:
    """What a source lends to what is derived from it: nothing where it was set apart."""
    return 0.0 if source.status is Status.QUARANTINED else source.confidence


def _line(text: str) -> str:
    return " ".join(strip_controls(text).split())[:LONGEST_SOURCE]
