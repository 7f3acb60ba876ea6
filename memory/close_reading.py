"""Close reading: how far a submission speaks of the very things a record does, word by word and in context.

Late interaction, as in ColBERT (Khattab and Zaharia, 2020), with weights by rarity: each telling word of the record
takes its best likeness to a word of the submission. Only the few most promising records are read this way.
"""

from __future__ import annotations

import threading
from collections import OrderedDict
from collections.abc import Sequence

import numpy as np

from memory.background import Words
from memory.embed import EmbedderId, Reader, Reading, Vectors
from memory.records import Record, facets

READ_CHARS = 600
MOST_RECORD_WORDS = 16
MOST_SAID = 300
LEAST_RARE = 0.1
REMEMBERED = 20_000


class CloseReader:
    """Reads records closely and remembers how, under their revision, so an edited record is read again."""

    def __init__(self, reader: Reader, words: Words) -> None:
        self._reader = reader
        self._words = words
        self._remembered: OrderedDict[tuple[str, int], tuple[Vectors, Vectors]] = OrderedDict()
        self._lock = threading.Lock()

    @property
    def id(self) -> EmbedderId:
        return self._reader.id

    def read(self, texts: Sequence[str]) -> list[Reading]:
        """Read the stretches of a submission. Raises EmbedderUnavailable."""
        return self._reader.read(texts)

    def coverage(self, said: Sequence[Reading], records: Sequence[Record]) -> list[float]:
        """Give for each record how far ``said`` covers its telling words, 0..1, weighed by rarity."""
        spoken = self._spoken(said)
        return [_cover(spoken, states, rarity) for states, rarity in self._of(records)]

    def _spoken(self, said: Sequence[Reading]) -> Vectors:
        rows = [
            (self._words.rarity(word), state)
            for reading in said
            for word, state in zip(reading.words, reading.states, strict=True)
            if word[0].isalnum() and self._words.rarity(word) > LEAST_RARE
        ]
        rows.sort(key=lambda row: -row[0])
        return np.stack([state for _, state in rows[:MOST_SAID]]) if rows else np.zeros((0, 1), dtype=np.float32)

    def _of(self, records: Sequence[Record]) -> list[tuple[Vectors, Vectors]]:
        """Give each record's telling words: their states and their rarities."""
        keys = [(record.id, record.revision) for record in records]
        with self._lock:
            known = {key: self._remembered[key] for key in keys if key in self._remembered}
        fresh = [record for record, key in zip(records, keys, strict=True) if key not in known]
        readings = self._reader.read([what_of(record)[:READ_CHARS] for record in fresh]) if fresh else []
        for record, reading in zip(fresh, readings, strict=True):
            known[record.id, record.revision] = self._telling(reading)
        with self._lock:
            for key in keys:
                self._remembered[key] = known[key]
            while len(self._remembered) > REMEMBERED:
                self._remembered.popitem(last=False)
        return [known[key] for key in keys]

    def _telling(self, reading: Reading) -> tuple[Vectors, Vectors]:
        rarity = [self._words.rarity(word) if word[:1].isalnum() else 0.0 for word in reading.words]
        best = sorted((at for at, value in enumerate(rarity) if value > 0), key=lambda at: -rarity[at])
        chosen = sorted(best[:MOST_RECORD_WORDS])
        return reading.states[chosen], np.array([rarity[at] for at in chosen], dtype=np.float32)


def what_of(record: Record) -> str:
    """Give the text of what a record is."""
    return next((facet.text for facet in facets(record)), record.title)


def _cover(spoken: Vectors, states: Vectors, rarity: Vectors) -> float:
    if not len(spoken) or not len(states):
        return 0.0
    best = np.maximum((states @ spoken.T).max(axis=1), 0)
    return round(float((best * rarity).sum() / rarity.sum()), 6)
