"""The chain over all changes: each change is hashed with the hash before it, so none can be altered unseen. Pure."""

from __future__ import annotations

import hashlib
from collections.abc import Iterable
from dataclasses import dataclass
from datetime import UTC, date, datetime

from memory.facts import canonical, to_json
from memory.index import Entry
from memory.records import Record, Status

GENESIS = "0" * 64


@dataclass(frozen=True, slots=True)
class ChangeRow:
    """One change as it is hashed. ``state`` is the digest of the record after it; ``at`` is aware."""

    number: int
    workspace: str
    kind: str
    record_id: str
    action: str
    active: bool
    author: str
    reason: str
    at: datetime
    state: str


def moment(time: datetime) -> str:
    """Write an aware time in the one form that is hashed: UTC, to the microsecond."""
    return time.astimezone(UTC).isoformat(timespec="microseconds")


def plain(value: object) -> object:
    """Write a column's value in the one form that is hashed, whatever database it was read from."""
    match value:
        case bytes():
            return value.hex()
        case datetime():
            return moment(value)
        case date():
            return value.isoformat()
    return value


def vectors_digest(entries: Iterable[Entry]) -> str:
    """Digest a record's vectors and close reading, in order of facet and passage."""
    digest = hashlib.sha256()
    for entry in sorted(entries, key=lambda it: (it.facet, it.passage)):
        digest.update(f"{entry.facet}:{entry.passage}:".encode())
        digest.update(entry.vector.astype("<f4", copy=False).tobytes())
        digest.update(entry.reading)
    return digest.hexdigest()


def state_digest(record: Record, vectors: str) -> str:
    """Digest all of a record that may not change unseen: facts, credential, confidence, status and vectors."""
    it = record.provenance
    credential = [
        it.door, it.origin, it.source, it.author, moment(it.created_at), it.first_confidence, it.context_hash,
        list(it.derived_from),
    ]  # fmt: skip
    whole = [
        record.id, record.workspace, record.kind, to_json(record.facts), credential, record.confidence, record.status,
        record.protected, record.revision, vectors,
    ]  # fmt: skip
    return hashlib.sha256(canonical(whole).encode()).hexdigest()


def change_hash(previous: str, change: ChangeRow) -> str:
    """Chain ``change`` to the hash before it: sha256 of that hash and the change in canonical JSON, in hex."""
    row = [
        change.number, change.workspace, change.kind, change.record_id, change.action, change.active, change.author,
        change.reason, moment(change.at), change.state,
    ]  # fmt: skip
    return hashlib.sha256((previous + canonical(row)).encode()).hexdigest()


def change_of(
    number: int, action: str, record: Record, author: str, reason: str, at: datetime, vectors: str
) -> ChangeRow:
    """Describe a change that left ``record`` as it is, with vectors of the digest ``vectors``."""
    return ChangeRow(
        number=number,
        workspace=record.workspace,
        kind=record.kind.value,
        record_id=record.id,
        action=action,
        active=record.status is Status.ACTIVE,
        author=author,
        reason=reason,
        at=at,
        state=state_digest(record, vectors),
    )
