"""The port of a vector index: something that finds record facets near a vector, and can be thrown away."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Protocol

from memory.embed import Vectors
from memory.records import Kind


@dataclass(frozen=True, slots=True)
class Entry:
    """One vector of one record: facet name and passage number tell which. ``vector`` has shape (dimension,)."""

    record_id: str
    facet: str
    passage: int
    vector: Vectors


@dataclass(frozen=True, slots=True)
class Hit:
    """One vector found; ``similarity`` is a cosine, -1..1."""

    record_id: str
    facet: str
    passage: int
    similarity: float


class VectorIndex(Protocol):
    """An index with one collection per workspace and kind. Every method raises IndexUnavailable."""

    def position(self) -> int:
        """Say up to which change number of the ledger the index has come; 0 where it is new or was thrown away."""
        ...

    def apply(self, workspace: str, kind: Kind, add: Sequence[Entry], remove: Sequence[str]) -> None:
        """Add or replace entries and remove every entry of the records in ``remove``. Idempotent."""
        ...

    def advance(self, position: int) -> None:
        """Record that all changes up to ``position`` have been applied."""
        ...

    def query(self, workspace: str, kind: Kind, vectors: Vectors, limit: int) -> list[list[Hit]]:
        """Find the ``limit`` nearest entries for each row of ``vectors``, nearest first."""
        ...

    def reset(self) -> None:
        """Throw the index away; the next catch-up rebuilds it."""
        ...
