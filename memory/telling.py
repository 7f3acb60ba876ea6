"""What is kept of a record for reading it closely: its most telling words, each in its context, and its second vector.

A record is read once, when it is embedded, and the ledger keeps the reading beside its first vector, so it goes where
the vector goes: a revised record is read again, an erased one leaves nothing. What was read by another model, or with
other word weights, is not used.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache
from hashlib import sha256

import numpy as np
from numpy.typing import NDArray

from memory.background import WORDS, Words
from memory.embed import EmbedderId, Reader, Reading, Vectors
from memory.multilingual import MultilingualEmbedder
from memory.records import Record, facets

READ_CHARS = 600
MOST_WORDS = 16
_LAYOUT = 1


@dataclass(frozen=True, slots=True)
class Telling:
    """A record read closely.

    ``states`` holds its telling words in context, shape (words, dimension), and ``rarity`` how much each tells, 0..1;
    ``second`` is the multilingual embedder's vector of the record. All vectors have length 1.
    """

    states: Vectors
    rarity: Vectors
    second: Vectors


class Teller:
    """Reads records closely: their words by ``reader``, the whole by the multilingual embedder."""

    def __init__(self, reader: Reader, multilingual: MultilingualEmbedder) -> None:
        self._reader = reader
        self._multilingual = multilingual
        self._stamp = _stamp(reader.id, multilingual.id)

    def tell(self, records: Sequence[Record]) -> list[tuple[Reading, Telling]]:
        """Read what each record is: the first 600 characters of it. Raises EmbedderUnavailable."""
        if not records:
            return []
        texts = [what_of(record) for record in records]
        readings = self._reader.read([text[:READ_CHARS] for text in texts])
        seconds = self._multilingual.embed(texts)
        return [(it, Telling(*_telling(it), second)) for it, second in zip(readings, seconds, strict=True)]

    def pack(self, it: Telling) -> bytes:
        """Write a telling with 8 bits a number, about 7 kB; a cosine to it is off by about 0.0005."""
        rarity = np.rint(it.rarity * 100).astype(np.uint8)
        parts = (rarity, *_shrunk(it.states), *_shrunk(it.second[None]))
        return b"".join((self._stamp, len(rarity).to_bytes(1), *(part.tobytes() for part in parts)))

    def unpack(self, packed: bytes) -> Telling | None:
        """Read what ``pack`` wrote; None where other models or word weights wrote it, or it is damaged."""
        head = len(self._stamp)
        if packed[:head] != self._stamp or len(packed) <= head:
            return None
        words, wide, whole = packed[head], self._reader.id.dimension, self._multilingual.id.dimension
        if len(packed) != head + 1 + words * (5 + wide) + 4 + whole:
            return None
        at = head + 1
        rarity = np.frombuffer(packed, np.uint8, words, at).astype(np.float32) / np.float32(100)
        states = _grown(packed, at + words, words, wide)
        return Telling(states, rarity, _grown(packed, at + words * (5 + wide), 1, whole)[0])


def what_of(record: Record) -> str:
    """Give the text of what a record is."""
    return next((facet.text for facet in facets(record)), record.title)


def _telling(reading: Reading) -> tuple[Vectors, Vectors]:
    words = Words.load()
    rarity = [words.rarity(word) if word[:1].isalnum() else 0.0 for word in reading.words]
    best = sorted((at for at, value in enumerate(rarity) if value > 0), key=lambda at: -rarity[at])
    chosen = sorted(best[:MOST_WORDS])
    return reading.states[chosen], np.array([rarity[at] for at in chosen], dtype=np.float32)


def _shrunk(vectors: Vectors) -> tuple[Vectors, NDArray[np.int8]]:
    """Give each row as whole numbers in -127..127, and what one of them is worth."""
    unit = (np.abs(vectors).max(axis=1, initial=1e-9) / 127).astype("<f4")
    return unit, np.rint(vectors / unit[:, None]).astype(np.int8)


def _grown(packed: bytes, at: int, rows: int, dimension: int) -> Vectors:
    unit = np.frombuffer(packed, "<f4", rows, at)
    numbers = np.frombuffer(packed, np.int8, rows * dimension, at + 4 * rows).reshape(rows, dimension)
    grown: Vectors = numbers * unit[:, None]
    return grown


@lru_cache
def _stamp(reader: EmbedderId, multilingual: EmbedderId) -> bytes:
    """Name all that a packed telling depends on, in eight bytes."""
    weights = sha256(WORDS.read_bytes()).hexdigest()
    told_by = f"{_LAYOUT} {READ_CHARS} {MOST_WORDS} {reader.sha256} {multilingual.sha256} {weights}"
    return sha256(told_by.encode()).digest()[:8]
