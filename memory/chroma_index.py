"""A vector index in embedded Chroma, private to this process.

Two processes on one Chroma folder lose vectors without an error. So each process takes a slot, a folder under a lock
that the system frees when the process dies, and the next process takes that slot over with what is in it. Beside the
data stands a small file saying how far the index has come, whether a write was under way, and how the files looked
before it. Where that does not fit, where a crash has caught Chroma rewriting its files, or where the last opening never
ended, the data is thrown away and the next catch-up rebuilds it.
"""

from __future__ import annotations

import json
import logging
import shutil
import threading
import uuid
from collections.abc import Iterator, Mapping, Sequence
from contextlib import AbstractContextManager, contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Any, cast

import numpy as np
from filelock import FileLock, Timeout

from memory.embed import Vectors
from memory.errors import IndexUnavailable
from memory.index import FACETS, MAX_PASSAGES, Entry, Hit
from memory.records import Kind

if TYPE_CHECKING:
    from chromadb.api.client import Client
    from chromadb.api.models.Collection import Collection

SLOTS = 64
BATCH = 5_000
FORMAT = 2
CLEAN, WRITING, OPENING = "clean", "writing", "opening"

log = logging.getLogger(__name__)


class ChromaIndex:
    """A vector index in a private, locked slot below ``folder``; safe to share between threads.

    Raises IndexUnavailable where no slot can be taken.
    """

    def __init__(self, folder: Path) -> None:
        self._mutex = threading.RLock()
        self._following = threading.RLock()
        self._folder = folder
        self._lock, self._slot = _take_slot(folder)
        self._collections: dict[tuple[str, Kind], Collection] = {}
        self._client: Client | None = None
        self._trusted = False
        self._phase = CLEAN
        self._files: dict[str, list[int]] = {}
        self._position = 0
        self._timeline = ""
        self._data = self._slot / "none"
        try:
            with self._mutex, _translated():
                self._open()
        except IndexUnavailable:
            self._lock.release()
            raise

    # What the port promises

    def position(self) -> int:
        """Say up to which change number of the ledger the index has come."""
        return self._position

    def apply(self, workspace: str, kind: Kind, add: Sequence[Entry], remove: Sequence[str]) -> None:
        """Add or replace entries and remove every entry of the records in ``remove``. Idempotent."""
        if not add and not remove:
            return
        with self._mutex, _translated():
            if self._phase != WRITING:
                self._mark(WRITING)
            collection = self._collection(workspace, kind, create=True)
            if collection is None:
                return
            gone = _present(collection, remove)
            for start in range(0, len(gone), BATCH):
                collection.delete(ids=gone[start : start + BATCH])
            for start in range(0, len(add), BATCH):
                part = add[start : start + BATCH]
                collection.upsert(
                    ids=[_entry_id(entry) for entry in part], embeddings=np.stack([entry.vector for entry in part])
                )

    def advance(self, position: int) -> None:
        """Record that all changes up to ``position`` have been applied."""
        with self._mutex, _translated():
            self._position = position
            self._files = _fingerprint(self._data)
            self._mark(CLEAN)

    def query(self, workspace: str, kind: Kind, vectors: Vectors, limit: int) -> list[list[Hit]]:
        """Find the ``limit`` nearest entries for each row of ``vectors``, nearest first."""
        with self._mutex, _translated():
            collection = self._collection(workspace, kind, create=False)
            if collection is None or not len(vectors):
                return [[] for _ in vectors]
            found = collection.query(query_embeddings=vectors, n_results=limit, include=["distances"])
        ids, distances = found["ids"], found["distances"] or []
        return [[_hit(it, 1.0 - far) for it, far in zip(*row, strict=True)] for row in zip(ids, distances, strict=True)]

    def timeline(self) -> str:
        """Name the course of the ledger that the index follows."""
        return self._timeline

    def belong_to(self, timeline: str) -> None:
        """Follow ``timeline``; an index that follows another is thrown away first."""
        if timeline == self._timeline:
            return
        if self._position:
            self.reset()
        with self._mutex, _translated():
            self._timeline = timeline
            self._mark(CLEAN)

    def holds(self, workspace: str, kind: Kind, record_ids: Sequence[str]) -> set[str]:
        """Say of which records the index holds any entry."""
        with self._mutex, _translated():
            collection = self._collection(workspace, kind, create=False)
            return set() if collection is None else {_hit(it, 0).record_id for it in _present(collection, record_ids)}

    def counts(self) -> Mapping[tuple[str, Kind], int]:
        """Count the entries of every collection that has any."""
        with self._mutex, _translated():
            counted = {scope: collection.count() for scope, collection in self._collections.items()}
        return {scope: count for scope, count in counted.items() if count}

    def trusted(self) -> bool:
        """Say whether the entries have been compared with the ledger since the index was opened or rebuilt."""
        return self._trusted

    def trust(self) -> None:
        """Record that the entries have been compared with the ledger and agree."""
        self._trusted = True

    def catching_up(self) -> AbstractContextManager[object]:
        """Hold off the catch-ups of other threads."""
        return self._following

    def reset(self) -> None:
        """Throw the index away; the next catch-up rebuilds it."""
        with self._mutex, _translated():
            log.warning("The vector index in %s is thrown away and will be rebuilt.", self._slot)
            self._disconnect()
            # The folder may be gone, and the lock file with it; then another process can hold the slot by now.
            self._lock.release()
            self._lock, self._slot = _take_slot(self._folder)
            self._start_afresh()

    def close(self) -> None:
        """Close the index and free its slot."""
        with self._mutex, _translated():
            self._disconnect()
            self._lock.release()

    # Inside

    @property
    def _state_file(self) -> Path:
        return self._slot / "state.json"

    def _open(self) -> None:
        """Open what the slot holds, or start afresh where it is missing, damaged or of another format."""
        state = _read_state(self._state_file)
        if state is None:
            self._start_afresh()
            return
        self._data, self._files, self._position = self._slot / state["folder"], state["files"], state["position"]
        self._timeline = state["timeline"]
        try:
            with _translated():
                if state["phase"] == OPENING:
                    raise IndexUnavailable("the last opening never ended")
                if _fingerprint(self._data) != self._files:
                    raise IndexUnavailable("files of the index were altered")
                self._mark(OPENING)
                self._connect()
                self._probe()
                self._mark(state["phase"])
        except IndexUnavailable as error:
            log.warning("The vector index in %s is damaged (%s) and will be rebuilt.", self._slot, error)
            self._start_afresh()

    def _start_afresh(self) -> None:
        """Begin with an empty folder of a new name: Chroma keeps what it knows of a folder for the process's life."""
        self._disconnect()
        self._state_file.unlink(missing_ok=True)
        for old in self._slot.iterdir():
            shutil.rmtree(old, ignore_errors=True)
        self._data = self._slot / uuid.uuid4().hex
        self._position, self._trusted = 0, False
        self._connect()
        self._files = _fingerprint(self._data)
        self._mark(CLEAN)

    def _connect(self) -> None:
        import chromadb
        from chromadb.config import Settings

        self._data.mkdir(parents=True, exist_ok=True)
        client = chromadb.PersistentClient(str(self._data), settings=Settings(anonymized_telemetry=False))
        self._client = cast("Client", client)
        self._collections = {_scope(it.name): it for it in client.list_collections()}

    def _disconnect(self) -> None:
        self._collections = {}
        if self._client is not None:
            self._client.close()
            self._client = None

    def _probe(self) -> None:
        """Read a vector from every collection and look for it. Raises IndexUnavailable where that gives nothing."""
        for collection in self._collections.values():
            if not collection.count():
                continue
            vectors = collection.get(limit=1, include=["embeddings"])["embeddings"]
            if vectors is None or not len(vectors) or not np.isfinite(vectors).all():
                raise IndexUnavailable("vectors are missing")
            if not collection.query(query_embeddings=np.asarray(vectors), n_results=1, include=[])["ids"][0]:
                raise IndexUnavailable("vectors are not found")

    def _collection(self, workspace: str, kind: Kind, *, create: bool) -> Collection | None:
        found = self._collections.get((workspace, kind))
        if found is None and create and self._client is not None:
            found = self._client.create_collection(
                f"{workspace}.{kind.value}", embedding_function=None, configuration={"hnsw": {"space": "cosine"}}
            )
            self._collections[workspace, kind] = found
        return found

    def _mark(self, phase: str) -> None:
        """Write the state file, whole or not at all."""
        self._phase = phase
        state = {
            "format": FORMAT,
            "folder": self._data.name,
            "position": self._position,
            "timeline": self._timeline,
            "phase": phase,
            "files": self._files,
        }
        draft = self._state_file.with_suffix(".new")
        draft.write_text(json.dumps(state))
        draft.replace(self._state_file)


def _present(collection: Collection, record_ids: Sequence[str]) -> list[str]:
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


def _take_slot(folder: Path) -> tuple[FileLock, Path]:
    try:
        folder.mkdir(parents=True, exist_ok=True)
        for number in range(1, SLOTS + 1):
            lock = FileLock(folder / f"slot-{number}.lock", thread_local=False)
            try:
                lock.acquire(timeout=0)
            except Timeout:
                continue
            slot = folder / f"slot-{number}"
            slot.mkdir(exist_ok=True)
            return lock, slot
    except OSError as error:
        raise IndexUnavailable(f"The folder of the vector index cannot be used: {error.strerror}") from error
    raise IndexUnavailable(f"All {SLOTS} slots of the vector index are in use.")


def _read_state(path: Path) -> dict[str, Any] | None:
    try:
        state = json.loads(path.read_text())
        fits = (
            state["format"] == FORMAT
            and isinstance(state["position"], int)
            and isinstance(state["timeline"], str)
            and isinstance(state["files"], dict)
            and state["phase"] in {CLEAN, WRITING, OPENING}
            and Path(state["folder"]).name == state["folder"]
        )
        return state if fits else None
    except (OSError, ValueError, TypeError, KeyError):
        return None


def _fingerprint(folder: Path) -> dict[str, list[int]]:
    """Size and time of each vector file; Chroma's own database changes by itself and is probed instead."""
    files: dict[str, list[int]] = {}
    for path in sorted(folder.glob("*/*")):
        stat = path.stat()
        files[path.relative_to(folder).as_posix()] = [stat.st_size, stat.st_mtime_ns]
    return files


def _scope(name: str) -> tuple[str, Kind]:
    workspace, _, kind = name.rpartition(".")
    return workspace, Kind(kind)


def _entry_id(entry: Entry) -> str:
    return f"{entry.record_id}:{entry.facet}:{entry.passage}"


def _hit(entry_id: str, similarity: float) -> Hit:
    record_id, facet, passage = entry_id.rsplit(":", 2)
    return Hit(record_id, facet, int(passage), similarity)


@contextmanager
def _translated() -> Iterator[None]:
    """Turn Chroma's and the disk's errors into IndexUnavailable."""
    from chromadb.errors import ChromaError

    try:
        yield
    except (ChromaError, OSError, RuntimeError, ValueError, KeyError, TypeError) as error:
        raise IndexUnavailable(f"The vector index failed: {error}") from error
