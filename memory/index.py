"""The port of a vector index: something that finds record facets near a vector, and can be thrown away."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from contextlib import AbstractContextManager
from dataclasses import dataclass
from typing import Protocol

from memory.embed import Vectors
from memory.records import Kind

MAX_PASSAGES = 32
FACETS = ("what", "why", "code")


@dataclass(frozen=True, slots=True)
class Entry:
    """One vector of one record: facet name and passage number (below MAX_PASSAGES) tell which.

    ``vector`` has shape (dimension,). ``reading`` is the record read closely, as ``memory.telling`` packs it, with its
    first entry; b"" with the others.
    """

    record_id: str
    facet: str
    passage: int
    vector: Vectors
    reading: bytes = b""


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

    def timeline(self) -> str:
        """Name the course of the ledger that the index follows; a restored backup begins another."""
        ...

    def belong_to(self, timeline: str) -> None:
        """Follow ``timeline``; an index that follows another is thrown away first."""
        ...

    def holds(self, workspace: str, kind: Kind, record_ids: Sequence[str]) -> set[str]:
        """Say of which records the index holds any entry."""
        ...

    def counts(self) -> Mapping[tuple[str, Kind], int]:
        """Count the entries of every collection that has any."""
        ...

    def trusted(self) -> bool:
        """Say whether the entries have been compared with the ledger since the index was opened or last rebuilt."""
        ...

    def trust(self) -> None:
        """Record that the entries have been compared with the ledger and agree."""
        ...

    def catching_up(self) -> AbstractContextManager[object]:
        """Hold off the catch-ups of other threads."""
        ...

    def reset(self) -> None:
        """Throw the index away; the next catch-up rebuilds it."""
        ...

    def close(self) -> None:
        """Release what the index holds."""
        ...
