"""Intake: the only way into the memory. The door fixes what a record is worth; intake refuses what cannot be kept."""

from __future__ import annotations

import uuid
from collections.abc import Callable, Sequence
from dataclasses import replace
from datetime import datetime
from hashlib import sha256

from sqlalchemy import Connection

from memory.confidence import DOORS, WAITING, first_confidence, origin_of
from memory.embed import Embedder
from memory.errors import EmbedderUnavailable, IntakeRefused, RecordInvalid, RecordNotFound
from memory.facts import canonical, to_json
from memory.index import Entry
from memory.ledger import Ledger
from memory.noise import noise
from memory.passages import entries_of, entries_of_many
from memory.records import Door, Facts, Kind, Nature, Note, Provenance, Record, Status
from memory.validation import checked, strip_controls

LONGEST_SOURCE = 500
AUDIT_PREFIX = "aud-"


def _random_id() -> str:
    return uuid.uuid4().hex


class Intake:
    """The only writer of records. ``new_id`` gives each record its id."""

    def __init__(self, ledger: Ledger, embedder: Embedder, new_id: Callable[[], str] = _random_id) -> None:
        self._ledger = ledger
        self._embedder = embedder
        self._new_id = new_id

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
        Raises RecordInvalid, IntakeRefused, RecordNotFound where a source is unknown, EmbedderUnavailable.
        """
        record = self.check(
            workspace, kind, facts, door=door, source=source, author=author, now=now, derived_from=derived_from, tx=tx
        )
        self.store([record], tx=tx)
        return record

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
        _check_door(door, kind, source, derived_from)
        facts = checked(kind, facts)
        if isinstance(facts, Note) and (why := noise(facts.text)):
            raise IntakeRefused(f"Not stored: {why}.")
        parents = tuple(dict.fromkeys(derived_from))
        sources = self._ledger.get(workspace, parents, tx=tx)
        if missing := [parent for parent in parents if parent not in sources]:
            raise RecordNotFound(f"No record {missing[0]} to derive from in this workspace.")
        origin = origin_of(door, kind, derived=bool(parents))
        confidence = first_confidence(origin, [record.confidence for record in sources.values()])
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
        return Record(
            id=record_id or self._new_id(),
            workspace=workspace,
            kind=kind,
            facts=facts,
            provenance=provenance,
            confidence=confidence,
            status=Status.HELD if door in WAITING else Status.ACTIVE,
            updated_at=now,
        )

    def embed(self, records: Sequence[Record]) -> list[list[Entry]]:
        """Embed records that ``check`` made, so that ``store`` need not hold the ledger meanwhile."""
        return entries_of_many(records, self._embedder)

    def store(
        self,
        records: Sequence[Record],
        entries: Sequence[Sequence[Entry]] | None = None,
        *,
        tx: Connection | None = None,
    ) -> None:
        """Embed and store records that ``check`` made, all or none. Raises RecordInvalid, EmbedderUnavailable.

        ``entries`` are those of ``embed``, in the same order, where it was called before.
        """
        entries = self.embed(records) if entries is None else entries
        with self._ledger.transaction(tx) as connection:
            self._claim_embedder(connection)
            self._ledger.add_many(list(zip(records, entries, strict=True)), tx=connection)

    def revise(
        self, workspace: str, record_id: str, facts: Facts, *, author: str, reason: str, now: datetime
    ) -> Record:
        """Replace a record's facts, keeping the old ones as a revision; kind and credential stay.

        Raises RecordInvalid, RecordNotFound, EmbedderUnavailable.
        """
        record = self._ledger.get(workspace, [record_id]).get(record_id)
        if record is None:
            raise RecordNotFound(f"No record {record_id} in this workspace.")
        if record.kind.nature is Nature.EVALUATION:
            raise RecordInvalid("An evaluation is kept as it was written.")
        draft = replace(record, facts=checked(record.kind, facts))
        entries = entries_of(draft, self._embedder)
        with self._ledger.transaction() as connection:
            self._claim_embedder(connection)
            return self._ledger.revise(
                workspace,
                record_id,
                draft.facts,
                entries,
                author=_line(author),
                reason=_line(reason),
                at=now,
                tx=connection,
            )

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


def _line(text: str) -> str:
    return " ".join(strip_controls(text).split())[:LONGEST_SOURCE]
