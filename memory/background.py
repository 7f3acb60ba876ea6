"""The background that likeness is measured against: what generic decks and code look like, which words are common.

Both data files are written by ``python -m evals background``.
"""

from __future__ import annotations

import json
import re
from collections.abc import Mapping
from functools import cache
from pathlib import Path
from typing import Any

import numpy as np

from memory.embed import EmbedderId, Vectors
from memory.records import Kind
from memory.terms import COMMON

MEANS = Path(__file__).parent / "data" / "background.json"
WORDS = Path(__file__).parent / "data" / "words.txt"
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
    """Words and how much each tells: 0 said everywhere, 1 rare; words it does not know are rare."""

    def __init__(self, rarity: Mapping[str, float]) -> None:
        self._rarity = rarity

    @classmethod
    @cache
    def load(cls) -> Words:
        """Read the data file, once in a process."""
        lines = WORDS.read_text(encoding="utf-8").splitlines()
        return cls({word: int(value) / 100 for word, value in (line.split() for line in lines if line[0] != "#")})

    def rarity(self, word: str) -> float:
        """Say how much ``word`` (lower case) tells, 0..1."""
        if word in COMMON:
            return 0.0
        return self._rarity.get(word, 0.5 if word.isdigit() else 1.0)
