"""Forgetting: archive first, forget softly, erase after seven days with a receipt, merge near duplicates.

Everything can be asked for without doing it, works in batches that are each kept or not, and can be started again
after it was cut short. Protected records are left alone.
"""

from __future__ import annotations

import hashlib
from collections import defaultdict
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta

import numpy as np
from sqlalchemy import Connection

from memory.catch_up import catch_up
from memory.concerns import Concerns, Worry
from memory.conflicts import contradiction
from memory.errors import RecordInvalid
from memory.facts import canonical
from memory.facts import erased as gone
from memory.index import VectorIndex
from memory.ledger import Ledger
from memory.records import Kind, Record, Status
from memory.rows import words_of

BATCH = 1_000
SOFT = timedelta(days=7)
ALIKE = 0.95

# How eviction weighs a record: what is used, young, dear and protected stays.
USE, AGE, VALUE, PROTECTION = 0.4, 0.3, 0.2, 0.1
HALF_USED, HALF_OLD = 5.0, 365.0

Progress = Callable[[int, int], None]


def _silent(done: int, total: int) -> None:
    pass


@dataclass(frozen=True, slots=True)
class Alike:
    """Two records that say nearly the same: ``keep`` came first; ``similarity`` is the least over their facets."""

    keep: str
    other: str
    similarity: float


@dataclass(frozen=True, slots=True)
class Receipt:
    """What an erasure did: which records, up to which change, and where each was looked for afterwards in vain.

    ``digest`` is the sha256 of the rest, to be kept with it; ``clean`` says that nothing was found.
    """

    workspace: str
    erased: tuple[str, ...]
    at: datetime
    change: int
    looked_in: tuple[str, ...]
    clean: bool
    digest: str


class Lifecycle:
    """What becomes of records with time. Every method raises LedgerUnavailable and, with an index, IndexUnavailable."""

    def __init__(self, ledger: Ledger, index: VectorIndex) -> None:
        self._ledger = ledger
        self._index = index
        self._concerns = Concerns(ledger)

    def to_evict(self, workspace: str, kind: Kind, keep: int, now: datetime) -> list[Record]:
        """List which active records eviction would archive so that ``keep`` stay, least worth keeping first."""
        held: list[tuple[float, Record]] = []
        offset = 0
        while page := self._ledger.find(workspace, kinds=[kind], sort="created", limit=BATCH, offset=offset).records:
            held += [(keeping(record, now), record) for record in page]
            offset += len(page)
        surplus = max(0, len(held) - keep)
        loose = sorted((it for it in held if not it[1].protected), key=lambda it: (it[0], it[1].id))
        return [record for _, record in loose[:surplus]]

    def evict(
        self, workspace: str, kind: Kind, keep: int, *, author: str, now: datetime, on_progress: Progress = _silent
    ) -> int:
        """Archive the records least worth keeping until at most ``keep`` are active; say how many were archived."""
        ids = [record.id for record in self.to_evict(workspace, kind, keep, now)]
        return self.move(
            workspace, ids, Status.ARCHIVED, author=author, reason="evicted", now=now, on_progress=on_progress
        )

    def move(
        self,
        workspace: str,
        ids: Sequence[str],
        status: Status,
        *,
        author: str,
        reason: str,
        now: datetime,
        on_progress: Progress = _silent,
        tx: Connection | None = None,
    ) -> int:
        """Archive, forget or restore records, at most 1,000 in one transaction; say how many were moved.

        Protected records are neither archived nor forgotten. What waited for a person is restored to waiting, and what
        was erased is not restored. Given ``tx``, all is done in that one.
        Raises RecordNotFound.
        """
        if status not in {Status.ACTIVE, Status.ARCHIVED, Status.FORGOTTEN}:
            raise RecordInvalid("Records can be archived, forgotten or restored.")
        moved = 0
        for start in range(0, len(ids), BATCH):
            with self._ledger.transaction(tx) as writer:
                found = self._ledger.get(workspace, ids[start : start + BATCH], tx=writer)
                for record in found.values():
                    if may_move(record, status):
                        to = self._waits_as(record, writer) if status is Status.ACTIVE else status
                        self._ledger.set_status(
                            workspace, record.id, to, author=author, reason=reason, at=now, tx=writer
                        )
                        moved += 1
            on_progress(min(start + BATCH, len(ids)), len(ids))
        return moved

    def _waits_as(self, record: Record, tx: Connection) -> Status:
        """Say where a restored record stands: as before where no person has settled why it waited."""
        waiting = self._concerns.waiting(record.workspace, record_id=record.id, tx=tx)
        worries = {it.concern.worry for it in waiting if it.record_id == record.id}
        if Worry.INSTRUCTION in worries:
            return Status.QUARANTINED
        return Status.HELD if worries else Status.ACTIVE

    def to_purge(self, workspace: str, now: datetime, limit: int = BATCH) -> list[str]:
        """List the records that a purge would erase: forgotten for seven days, unprotected."""
        return self._ledger.stale(workspace, now - SOFT, limit)

    def purge(self, workspace: str, *, author: str, now: datetime, on_progress: Progress = _silent) -> Receipt:
        """Erase what was forgotten seven days ago, and look for it afterwards in the ledger and the indexes."""
        erased: list[str] = []
        kinds: dict[Kind, list[str]] = defaultdict(list)
        terms: dict[Kind, set[str]] = defaultdict(set)
        while ids := self.to_purge(workspace, now):
            for record in self._ledger.get(workspace, ids).values():
                kinds[record.kind].append(record.id)
                terms[record.kind].update(words_of(record).split())
            self._ledger.erase(workspace, ids, author=author, reason="purged", at=now)
            erased += ids
            on_progress(len(erased), len(erased))
        self._ledger.scrub()
        change = catch_up(self._ledger, self._index)
        left = {entry.record_id for entry in self._ledger.entries(erased)}
        left |= {it.id for it in self._ledger.get(workspace, erased).values() if it.facts != gone(it.kind)}
        left |= {record_id for record_id in erased if len(self._ledger.revisions(workspace, record_id)) > 1}
        for kind, ids in kinds.items():
            hits = self._ledger.keywords(workspace, kind, sorted(terms[kind]), self._ledger.size())
            left |= {hit.record_id for hit in hits} & set(ids)
            left |= self._index.holds(workspace, kind, ids)
        looked_in = ("records", "revisions", "vectors", "keywords", "vector index")
        whole = [workspace, erased, now.isoformat(), change, looked_in, not left]
        digest = hashlib.sha256(canonical(whole).encode()).hexdigest()
        return Receipt(workspace, tuple(erased), now, change, looked_in, not left, digest)

    def near_duplicates(self, workspace: str, kind: Kind, limit: int = 100) -> list[Alike]:
        """List pairs of active records that are alike above 0.95 in every facet and do not contradict each other."""
        catch_up(self._ledger, self._index)
        found: dict[tuple[str, str], float] = {}
        offset = 0
        while page := self._ledger.find(workspace, kinds=[kind], sort="created", limit=200, offset=offset).records:
            offset += len(page)
            entries = [it for it in self._ledger.entries([record.id for record in page]) if it.facet == "what"]
            if not entries:
                continue
            vectors = np.stack([entry.vector for entry in entries])
            for entry, hits in zip(entries, self._index.query(workspace, kind, vectors, 5), strict=True):
                for hit in hits:
                    if hit.record_id != entry.record_id and hit.similarity > ALIKE:
                        one, other = sorted((entry.record_id, hit.record_id))
                        found[one, other] = hit.similarity
            if len(found) >= limit * 4:
                break
        pairs = [self._alike(workspace, *pair) for pair in found]
        return sorted((it for it in pairs if it), key=lambda it: (-it.similarity, it.keep, it.other))[:limit]

    def merge(self, workspace: str, keep: str, others: Sequence[str], *, author: str, now: datetime) -> int:
        """Archive near duplicates of ``keep``; no confidence and no fact changes. Say how many were archived.

        Raises RecordInvalid where one is no near duplicate, or is protected.
        """
        for other in others:
            if self._alike(workspace, keep, other) is None:
                raise RecordInvalid(f"Record {other} is not nearly the same as {keep}.")
        return self.move(workspace, others, Status.ARCHIVED, author=author, reason=f"merged into {keep}", now=now)

    def _alike(self, workspace: str, one: str, other: str) -> Alike | None:
        records = list(self._ledger.get(workspace, [one, other]).values())
        if len(records) < 2 or any(record.status is not Status.ACTIVE for record in records):
            return None
        first, second = sorted(records, key=lambda it: (it.provenance.created_at, it.id))
        facets = [
            {it.facet: it.vector for it in self._ledger.entries([it.id]) if not it.passage} for it in (first, second)
        ]
        if first.kind is not second.kind or second.protected or facets[0].keys() != facets[1].keys() or not facets[0]:
            return None
        likeness = min(float(facets[0][name] @ facets[1][name]) for name in facets[0])
        agree = first.outcome is second.outcome and first.loss == second.loss
        if likeness <= ALIKE or not agree or contradiction(second, first, likeness):
            return None
        return Alike(first.id, second.id, likeness)


def keeping(record: Record, now: datetime) -> float:
    """How much a record is worth keeping, 0..1: 0.4 use, 0.3 youth, 0.2 value and 0.1 protection.

    Use is n / (n + 5); youth halves with each year since the last use or change; value is the confidence.
    """
    last = max(filter(None, (record.last_used_at, record.updated_at, record.provenance.created_at)))
    days = max(0.0, (now - last) / timedelta(days=1))
    use = record.use_count / (record.use_count + HALF_USED)
    youth: float = 0.5 ** (days / HALF_OLD)
    return USE * use + AGE * youth + VALUE * record.confidence + PROTECTION * record.protected


def may_move(record: Record, status: Status) -> bool:
    """Say whether a record can be archived or forgotten, or else restored, from where it stands."""
    if status is Status.ACTIVE:
        return record.status in {Status.ARCHIVED, Status.FORGOTTEN} and record.facts != gone(record.kind)
    return not record.protected and record.status not in {status, Status.FORGOTTEN}
