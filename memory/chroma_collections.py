"""What an index does with Chroma's collections, wherever they are: embedded or on a server.

A collection holds the vectors of one workspace and kind under ids that say record, facet and passage.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

import numpy as np

from memory.embed import Vectors
from memory.errors import IndexUnavailable
from memory.index import FACETS, MAX_PASSAGES, Entry, Hit
from memory.records import Kind

if TYPE_CHECKING:
    from chromadb.api import ClientAPI
    from chromadb.api.models.Collection import Collection

BATCH = 5_000


def new_collection(client: ClientAPI, name: str) -> Collection:
    """Make a collection for vectors that are compared by cosine."""
    return client.create_collection(name, embedding_function=None, configuration={"hnsw": {"space": "cosine"}})


def remove_records(collection: Collection, record_ids: Sequence[str]) -> None:
    """Remove every entry of some records."""
    gone = present(collection, record_ids)
    for start in range(0, len(gone), BATCH):
        collection.delete(ids=gone[start : start + BATCH])


def add_entries(collection: Collection, entries: Sequence[Entry]) -> None:
    """Add or replace entries, at most BATCH."""
    collection.upsert(
        ids=[_entry_id(entry) for entry in entries], embeddings=np.stack([entry.vector for entry in entries])
    )


def nearest(collection: Collection, vectors: Vectors, limit: int) -> list[list[Hit]]:
    """Find the ``limit`` nearest entries for each row of ``vectors``, nearest first."""
    found = collection.query(query_embeddings=vectors, n_results=limit, include=["distances"])
    ids, distances = found["ids"], found["distances"] or []
    return [[_hit(it, 1.0 - far) for it, far in zip(*row, strict=True)] for row in zip(ids, distances, strict=True)]


def held(collection: Collection, record_ids: Sequence[str]) -> set[str]:
    """Say of which records a collection holds any entry."""
    return {_hit(it, 0).record_id for it in present(collection, record_ids)}


def probe(collection: Collection) -> None:
    """Read a vector and look for it. Raises IndexUnavailable where that gives nothing."""
    if not collection.count():
        return
    vectors = collection.get(limit=1, include=["embeddings"])["embeddings"]
    if vectors is None or not len(vectors) or not np.isfinite(vectors).all():
        raise IndexUnavailable("vectors are missing")
    if not collection.query(query_embeddings=np.asarray(vectors), n_results=1, include=[])["ids"][0]:
        raise IndexUnavailable("vectors are not found")


def present(collection: Collection, record_ids: Sequence[str]) -> list[str]:
    """List the ids of all entries of some records; entries are asked for by every id they can have."""
    each = max(1, BATCH // (len(FACETS) * MAX_PASSAGES))
    found: list[str] = []
    for start in range(0, len(record_ids), each):
        possible = [
            f"{record_id}:{facet}:{passage}"
            for record_id in record_ids[start : start + each]
            for facet in FACETS
            for passage in range(MAX_PASSAGES)
        ]
        found += collection.get(ids=possible, include=[])["ids"]
    return found


def name_of(workspace: str, kind: Kind) -> str:
    """Name the collection of a workspace and kind."""
    return f"{workspace}.{kind.value}"


def scope_of(name: str) -> tuple[str, Kind]:
    """Say which workspace and kind a collection is of."""
    workspace, _, kind = name.rpartition(".")
    return workspace, Kind(kind)


def _entry_id(entry: Entry) -> str:
    return f"{entry.record_id}:{entry.facet}:{entry.passage}"


def _hit(entry_id: str, similarity: float) -> Hit:
    record_id, facet, passage = entry_id.rsplit(":", 2)
    return Hit(record_id, facet, int(passage), similarity)
