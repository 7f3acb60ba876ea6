"""Embedders: text to unit vectors, offline."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Protocol

import numpy as np
from numpy.typing import NDArray

Vectors = NDArray[np.float32]


@dataclass(frozen=True, slots=True)
class EmbedderId:
    """What must be equal for vectors to be comparable: name, dimension, and the sha256 of the weights."""

    name: str
    dimension: int
    sha256: str


class Embedder(Protocol):
    """Turns texts into vectors of length 1."""

    @property
    def id(self) -> EmbedderId: ...

    def embed(self, texts: Sequence[str]) -> Vectors:
        """Embed ``texts``; the result has shape (len(texts), dimension). Raises EmbedderUnavailable."""
        ...
