"""The background that likeness is measured against: what generic decks, ordinary code and common words look like.

Both data files are written by ``python -m evals background`` and belong to one embedder.
"""

from __future__ import annotations

import json
import re
from collections.abc import Collection, Sequence
from functools import cache
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from memory.embed import EmbedderId, Vectors
from memory.records import Kind
from memory.terms import COMMON, stem

MEANS = Path(__file__).parent / "data" / "background.json"
WORDS = Path(__file__).parent / "data" / "words.npz"
_WORD = re.compile(r"[a-z0-9]+")


def words_of(text: str) -> list[str]:
    """Give the lower-case words of ``text`` in order, unstemmed, repeats included."""
    return _WORD.findall(text.lower())


@cache
def mean_vector(embedder: EmbedderId, kind: Kind) -> Vectors:
    """Give the mean vector of the generic texts of ``kind``; zeros where none was measured for ``embedder``."""
    for measured in _measured():
        if measured["sha256"] == embedder.sha256 and kind.value in measured["means"]:
            return np.array(measured["means"][kind.value], dtype=np.float32)
    return np.zeros(embedder.dimension, dtype=np.float32)


@cache
def _measured() -> list[dict[str, Any]]:
    content: list[dict[str, Any]] = json.loads(MEANS.read_text(encoding="utf-8"))["embedders"]
    return content


class Words:
    """Words with a rarity (0 said everywhere, 1 rare) and a short vector; words it does not know are rare."""

    def __init__(self, words: Sequence[str], vectors: NDArray[np.int8], rarity: NDArray[np.uint8]) -> None:
        self._place = {word: at for at, word in enumerate(words)}
        self._vectors = vectors
        self._rarity = rarity

    @classmethod
    @cache
    def load(cls) -> Words:
        """Read the data file, once in a process."""
        with np.load(WORDS, allow_pickle=False) as content:
            return cls(content["words"].tobytes().decode().split("\n"), content["vectors"], content["rarity"])

    def rarity(self, word: str) -> float:
        """Say how much ``word`` tells, 0..1."""
        if word in COMMON:
            return 0.0
        at = self._place.get(word)
        if at is None:
            return 0.5 if word.isdigit() else 1.0
        return float(self._rarity[at]) / 255

    def vectors(self, words: Sequence[str]) -> Vectors:
        """Give one row for each of ``words``, of length 1; a row of zeros where the word is unknown."""
        rows = np.zeros((len(words), self._vectors.shape[1]), dtype=np.float32)
        for row, word in enumerate(words):
            at = self._place.get(word)
            if at is not None:
                rows[row] = self._vectors[at]
        rows /= np.maximum(np.linalg.norm(rows, axis=1, keepdims=True), 1e-9)
        return rows


class SpokenOf:
    """The telling words of a submission, ready to say how far they cover what a record speaks of."""

    LEAST_RARE = 0.05
    MOST = 400

    def __init__(self, text: str, words: Words) -> None:
        self._words = words
        telling = [word for word in dict.fromkeys(words_of(text)) if words.rarity(word) > self.LEAST_RARE]
        telling = sorted(telling, key=words.rarity, reverse=True)[: self.MOST]
        self._stems = {stem(word) for word in telling}
        self._matrix = words.vectors(telling)

    def coverage(self, texts: Sequence[str]) -> list[float]:
        """For each of ``texts``: the mean over its words, weighed by rarity, of the best likeness to a word of ours.

        0..1; a word that stands in both counts 1.
        """
        return [self._cover([word for word in words_of(text) if self._words.rarity(word) > 0]) for text in texts]

    def _cover(self, wanted: list[str]) -> float:
        weights = np.array([self._words.rarity(word) for word in wanted])
        if not wanted or not self._stems or weights.sum() == 0:
            return 0.0
        best = (self._words.vectors(wanted) @ self._matrix.T).max(axis=1)
        best[[stem(word) in self._stems for word in wanted]] = 1.0
        return float((weights * np.maximum(best, 0)).sum() / weights.sum())

    def shared(self, terms: Collection[str]) -> list[str]:
        """Give those of ``terms`` that the submission says too."""
        return [term for term in terms if term in self._stems]
