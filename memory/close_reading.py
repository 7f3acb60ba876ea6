"""Close reading: how far a submission speaks of the very things a record does, word by word and in context.

Late interaction, as in ColBERT (Khattab and Zaharia, 2020), with weights by rarity: each telling word of the record
takes its best likeness to a word of the submission. Only the few most promising records are read this way, and the
multilingual embedder is heard on them.
"""

from __future__ import annotations

import threading
from collections import OrderedDict
from collections.abc import Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from functools import lru_cache

import numpy as np

from memory.background import Words
from memory.embed import EmbedderId, Reader, Reading, Vectors
from memory.multilingual import MultilingualEmbedder
from memory.records import Record
from memory.telling import Teller, Telling

MOST_SAID = 300
LEAST_RARE = 0.1
# Submissions, and records the ledger keeps no reading of (7 kB each), that a process remembers.
SUBMISSIONS = 16
REMEMBERED = 5_000


class CloseReader:
    """Reads submissions and records closely. Safe to share between threads.

    What it remembers of a submission goes by its text, and of a record by its revision.
    """

    def __init__(self, reader: Reader, multilingual: MultilingualEmbedder) -> None:
        self._id = reader.id
        self._teller = Teller(reader, multilingual)
        self._read = lru_cache(SUBMISSIONS)(lambda texts: tuple(reader.read(texts)))
        self._heard = lru_cache(SUBMISSIONS)(lambda text: multilingual.embed([text])[0])
        self._reading = ThreadPoolExecutor(1, "reading")
        self._hearing = ThreadPoolExecutor(1, "multilingual")
        self._remembered: OrderedDict[tuple[str, int], bytes] = OrderedDict()
        self._lock = threading.Lock()

    @property
    def id(self) -> EmbedderId:
        return self._id

    def begin(self, texts: Sequence[str]) -> None:
        """Begin to read the stretches of a submission, so that ``read`` need not wait for it."""
        self._reading.submit(self._read, tuple(texts))

    def read(self, texts: Sequence[str]) -> tuple[Reading, ...]:
        """Read the stretches of a submission. Raises EmbedderUnavailable."""
        return self._reading.submit(self._read, tuple(texts)).result()

    def hear(self, text: str) -> None:
        """Begin to hear the multilingual embedder on ``text``, so that ``likeness`` need not wait for it."""
        self._hearing.submit(self._heard, text)

    def tellings(self, records: Sequence[Record], kept: Mapping[str, bytes]) -> list[Telling]:
        """Give the close reading of each record, from ``kept`` (by id) if that holds it. Raises EmbedderUnavailable."""
        known = {it.id: told for it in records if (told := self._known(it, kept.get(it.id, b"")))}
        fresh = [record for record in records if record.id not in known]
        for record, (_, told) in zip(fresh, self._teller.tell(fresh), strict=True):
            known[record.id] = told
            with self._lock:
                self._remembered[record.id, record.revision] = self._teller.pack(told)
                while len(self._remembered) > REMEMBERED:
                    self._remembered.popitem(last=False)
        return [known[record.id] for record in records]

    def coverage(self, said: Sequence[Reading], tellings: Sequence[Telling]) -> list[float]:
        """Give for each record how far ``said`` covers its telling words, 0..1, weighed by rarity."""
        spoken = _spoken(said)
        counts = [len(it.rarity) for it in tellings]
        if not len(spoken) or not sum(counts):
            return [0.0] * len(tellings)
        words = np.concatenate([it.states for it in tellings if len(it.rarity)])
        best = np.maximum((words @ spoken.T).max(axis=1), 0)
        covered: list[float] = []
        for it, stop, count in zip(tellings, np.cumsum(counts), counts, strict=True):
            weighed = float((best[stop - count : stop] * it.rarity).sum())
            covered.append(round(weighed / float(it.rarity.sum()), 6) if count else 0.0)
        return covered

    def likeness(self, text: str, tellings: Sequence[Telling], mean: Vectors) -> list[float]:
        """Give for each record the multilingual cosine of ``text`` to it, less the background's.

        Raises EmbedderUnavailable.
        """
        if not tellings:
            return []
        asked = self._hearing.submit(self._heard, text).result()
        return [round(float(it.second @ (asked - mean)), 6) for it in tellings]

    def _known(self, record: Record, packed: bytes) -> Telling | None:
        with self._lock:
            remembered = self._remembered.get((record.id, record.revision), b"")
        return self._teller.unpack(packed) or self._teller.unpack(remembered)


def _spoken(said: Sequence[Reading]) -> Vectors:
    """Gather the states of the rarest words said, at most 300."""
    weights = Words.load()
    rows = [
        (rarity, state)
        for reading in said
        for word, state in zip(reading.words, reading.states, strict=True)
        if word[0].isalnum() and (rarity := weights.rarity(word)) > LEAST_RARE
    ]
    rows.sort(key=lambda row: -row[0])
    return np.stack([state for _, state in rows[:MOST_SAID]]) if rows else np.zeros((0, 1), dtype=np.float32)
