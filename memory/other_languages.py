"""Records and submissions in other languages: found through the multilingual embedder, with an index of its own.

The index is made the first time it is needed and follows the ledger like the other one; it can be thrown away too.
A record in another language than English holds the term ``lang-xx`` among its keywords, so an English submission
meets it without that index.
"""

from __future__ import annotations

import threading
from collections import defaultdict
from collections.abc import Callable, Sequence

import numpy as np

from memory.embed import EmbedderId, Vectors
from memory.errors import IndexUnavailable
from memory.index import Entry, VectorIndex
from memory.ledger_reader import LedgerReader
from memory.multilingual import MultilingualEmbedder
from memory.records import Kind, Nature, Record, Status
from memory.telling import what_of

BATCH = 500
# The terms that records in other languages hold, and how many of such an English submission is compared with.
MOST_FOREIGN = 300
TAGS = tuple(f"lang-{code}" for code in ("zh", "de", "es", "fr", "pt", "it", "other"))


class OtherLanguages:
    """Finds records across languages. ``open_index`` is called once, when a submission first needs the index."""

    def __init__(
        self, ledger: LedgerReader, embedder: MultilingualEmbedder, open_index: Callable[[], VectorIndex] | None
    ) -> None:
        self._ledger = ledger
        self._embedder = embedder
        self._open = open_index
        self._index: VectorIndex | None = None
        self._lock = threading.Lock()

    @property
    def id(self) -> EmbedderId:
        return self._embedder.id

    def embed(self, texts: Sequence[str]) -> Vectors:
        """Embed ``texts``. Raises EmbedderUnavailable."""
        return self._embedder.embed(texts)

    def near(self, workspace: str, kind: Kind, vectors: Vectors, limit: int) -> list[str]:
        """Find records near any of ``vectors``, nearest first. Raises IndexUnavailable, LedgerUnavailable."""
        best: dict[str, float] = {}
        try:
            found = self._followed().query(workspace, kind, vectors, limit)
        except IndexUnavailable:  # a damaged one has been thrown away, and is followed anew
            found = self._followed().query(workspace, kind, vectors, limit)
        for hits in found:
            for hit in hits:
                best[hit.record_id] = max(best.get(hit.record_id, -1.0), hit.similarity)
        return sorted(best, key=lambda record_id: (-best[record_id], record_id))

    def _followed(self) -> VectorIndex:
        with self._lock:
            if self._index is None:
                if self._open is None:
                    raise IndexUnavailable("No index for other languages is set up.")
                self._index = self._open()
            index = self._index
        if (index.position(), index.timeline()) == self._ledger.place():
            return index
        with index.catching_up():
            try:
                self._follow(index)
            except IndexUnavailable:
                index.reset()
                self._follow(index)
        return index

    def _follow(self, index: VectorIndex) -> None:
        head, timeline = self._ledger.place()
        index.belong_to(timeline)
        if index.position() > head:
            index.reset()
        while index.position() < head and (changes := self._ledger.changes(index.position(), BATCH)):
            touched: dict[tuple[str, Kind], list[str]] = defaultdict(list)
            for change in changes:
                if change.kind.nature is Nature.FACT:
                    touched[change.workspace, change.kind].append(change.record_id)
            for (workspace, kind), ids in touched.items():
                records = self._ledger.get(workspace, list(dict.fromkeys(ids))).values()
                active = [record for record in records if record.status is Status.ACTIVE]
                index.apply(workspace, kind, self.entries(active), ids)
            index.advance(changes[-1].number)

    def entries(self, records: Sequence[Record]) -> list[Entry]:
        """Embed what each record is, one entry each."""
        vectors = self._embedder.embed([what_of(record) for record in records])
        return [Entry(it.id, "what", 0, np.asarray(vector)) for it, vector in zip(records, vectors, strict=True)]
