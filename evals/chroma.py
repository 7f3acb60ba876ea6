"""Chroma by itself, as what ours is measured against."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from tempfile import TemporaryDirectory

import chromadb
import numpy as np
from chromadb import Collection

from memory.embed import Vectors
from memory.index import Entry

__all__ = ["Collection", "add_raw", "query_raw", "raw_chroma"]


@contextmanager
def raw_chroma() -> Iterator[Collection]:
    """Open an empty collection in a temporary folder."""
    with TemporaryDirectory() as folder:
        client = chromadb.PersistentClient(folder, settings=chromadb.Settings(anonymized_telemetry=False))
        yield client.create_collection("raw", embedding_function=None, metadata={"hnsw:space": "cosine"})


def add_raw(collection: Collection, entries: Sequence[Entry]) -> None:
    """Add vectors, 5,000 at a time."""
    for start in range(0, len(entries), 5_000):
        part = entries[start : start + 5_000]
        collection.add(
            ids=[f"{it.record_id}/{it.facet}/{it.passage}" for it in part],
            embeddings=np.stack([it.vector for it in part]),
        )


def query_raw(collection: Collection, vectors: Vectors, limit: int = 40) -> list[list[str]]:
    """Give the ids nearest to each vector."""
    limit = min(limit, collection.count())
    return collection.query(query_embeddings=vectors, n_results=limit, include=["distances"])["ids"]
