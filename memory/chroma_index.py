"""A vector index in embedded Chroma, private to this process.

Two processes on one Chroma folder lose vectors without an error, so each process has its own, in a slot. Where the data
does not fit the slot's state, where a crash has caught Chroma rewriting its files, or where the last opening never
ended, it is thrown away and the next catch-up rebuilds it.
"""

from __future__ import annotations

import logging
import re
import threading
from collections.abc import Iterator, Mapping, Sequence
from contextlib import AbstractContextManager, contextmanager, suppress
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, cast

from memory.chroma_collections import (
    BATCH,
    add_entries,
    held,
    name_of,
    nearest,
    new_collection,
    probe,
    remove_records,
    scope_of,
)
from memory.embed import Vectors
from memory.errors import IndexUnavailable
from memory.index import Entry, Hit
from memory.reasons import DAMAGES, of_sqlite_code, reason
from memory.records import Kind
from memory.slots import CLEAN, OPENING, WRITING, Slot, State

if TYPE_CHECKING:
    from chromadb.api.client import Client
    from chromadb.api.models.Collection import Collection

# So many changes that wrote no vector an index may have to read again after a crash.
MOST_UNWRITTEN = 1_000
REBUILT = "Your records are kept in the ledger, and the next search builds the index anew from them."

log = logging.getLogger(__name__)


class ChromaIndex:
    """A vector index in a private, locked slot below ``folder``; safe to share between threads.

    Raises IndexUnavailable where no slot can be taken.
    """

    def __init__(self, folder: Path) -> None:
        self._mutex = threading.RLock()
        self._following = threading.RLock()
        self._folder = folder
        self._slot = Slot(folder)
        self._state = State("none")
        self._collections: dict[tuple[str, Kind], Collection] = {}
        self._client: Client | None = None
        self._trusted = False
        self._written = 0
        try:
            with self._mutex, _translated():
                self._open()
        except IndexUnavailable:
            self._slot.release()
            raise

    # What the port promises

    def position(self) -> int:
        """Say up to which change number of the ledger the index has come."""
        return self._state.position

    def apply(self, workspace: str, kind: Kind, add: Sequence[Entry], remove: Sequence[str]) -> None:
        """Add or replace entries and remove every entry of the records in ``remove``. Idempotent."""
        if not add and not remove:
            return
        with self._mutex, _translated():
            if self._state.phase != WRITING:
                self._save(replace(self._state, phase=WRITING))
            collection = self._collection(workspace, kind, create=True)
            if collection is None:
                return
            remove_records(collection, remove)
            for start in range(0, len(add), BATCH):
                add_entries(collection, add[start : start + BATCH])

    def advance(self, position: int) -> None:
        """Record that all changes up to ``position`` have been applied.

        It is written down at once where they wrote vectors; else later, as reading them again would change nothing.
        """
        with self._mutex, _translated():
            state = replace(self._state, position=position)
            if state.phase == CLEAN and position - self._written < MOST_UNWRITTEN:
                self._state = state
            else:
                self._rest(state)

    def query(self, workspace: str, kind: Kind, vectors: Vectors, limit: int) -> list[list[Hit]]:
        """Find the ``limit`` nearest entries for each row of ``vectors``, nearest first; what fails is thrown away."""
        try:
            with self._mutex, _translated():
                collection = self._collection(workspace, kind, create=False)
                if collection is None or not len(vectors):
                    return [[] for _ in vectors]
                return nearest(collection, vectors, limit)
        except IndexUnavailable:
            self.reset()
            raise

    def timeline(self) -> str:
        """Name the course of the ledger that the index follows."""
        return self._state.timeline

    def belong_to(self, timeline: str) -> None:
        """Follow ``timeline``; an index that follows another is thrown away first."""
        if timeline == self._state.timeline:
            return
        if self._state.position:
            self.reset()
        with self._mutex, _translated():
            self._rest(replace(self._state, timeline=timeline))

    def holds(self, workspace: str, kind: Kind, record_ids: Sequence[str]) -> set[str]:
        """Say of which records the index holds any entry."""
        with self._mutex, _translated():
            collection = self._collection(workspace, kind, create=False)
            return set() if collection is None else held(collection, record_ids)

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
            log.warning("The vector index in %s is thrown away and will be rebuilt.", self._slot.path)
            self._disconnect()
            # The folder may be gone, and the lock file with it; then another process can hold the slot by now.
            self._slot.release()
            self._slot = Slot(self._folder)
            self._start_afresh()

    def close(self) -> None:
        """Close the index and free its slot."""
        with self._mutex, _translated():
            if self._state.phase == CLEAN and self._state.position != self._written:
                with suppress(OSError):  # what is not written is read again
                    self._save(self._state)
            self._disconnect()
            self._slot.release()

    # Inside

    def _open(self) -> None:
        """Open what the slot holds, or start afresh where it is missing, damaged or of another format."""
        state = self._slot.load()
        if state is None:
            self._start_afresh()
            return
        self._state = state
        try:
            with _translated():
                if state.phase == OPENING:
                    raise IndexUnavailable("the last opening never ended")
                if self._slot.files(state) != state.files:
                    raise IndexUnavailable("files of the index were altered")
                self._save(replace(state, phase=OPENING))
                self._connect()
                for collection in self._collections.values():
                    probe(collection)
                self._save(replace(state, files=self._slot.files(state)))  # Chroma rewrites files it has only read
        except IndexUnavailable as error:
            if state.place not in {"", self._slot.place()}:
                log.warning("The vector index in %s is not of this copy of the folder and is rebuilt.", self._slot.path)
            else:
                log.warning("The vector index in %s is damaged (%s) and will be rebuilt.", self._slot.path, error)
            self._start_afresh()

    def _start_afresh(self) -> None:
        """Begin with an empty folder of a new name: Chroma keeps what it knows of a folder for the process's life."""
        self._disconnect()
        self._state, self._trusted = self._slot.clear(), False
        self._connect()
        self._rest(self._state)

    def _rest(self, state: State) -> None:
        self._save(replace(state, phase=CLEAN, files=self._slot.files(state)))

    def _save(self, state: State) -> None:
        state = replace(state, place=self._slot.place())
        self._slot.save(state)
        self._state, self._written = state, state.position

    def _connect(self) -> None:
        import chromadb
        from chromadb.config import Settings

        data = self._slot.path / self._state.folder
        data.mkdir(parents=True, exist_ok=True)
        client = chromadb.PersistentClient(str(data), settings=Settings(anonymized_telemetry=False))
        self._client = cast("Client", client)
        self._collections = {scope_of(it.name): it for it in client.list_collections()}

    def _disconnect(self) -> None:
        self._collections = {}
        if self._client is not None:
            self._client.close()
            self._client = None

    def _collection(self, workspace: str, kind: Kind, *, create: bool) -> Collection | None:
        found = self._collections.get((workspace, kind))
        if found is None and create and self._client is not None:
            found = new_collection(self._client, name_of(workspace, kind))
            self._collections[workspace, kind] = found
        return found


@contextmanager
def _translated() -> Iterator[None]:
    """Turn Chroma's and the disk's errors into IndexUnavailable."""
    from chromadb.errors import ChromaError

    try:
        yield
    except OSError as error:
        raise IndexUnavailable(f"The search index could not be used. {reason(error)}") from error
    except (ChromaError, RuntimeError, ValueError, KeyError, TypeError) as error:
        raise IndexUnavailable(f"The search index could not be used. {_why(error)}") from error


def _why(error: Exception) -> str:
    """Read the result code of SQLite that Chroma writes into its messages; what is damaged is of no consequence."""
    found = re.search(r"\(code: (\d+)\)", str(error))
    code = int(found[1]) if found else 0
    told = "" if code & 0xFF in DAMAGES else of_sqlite_code(code)
    return told or f"{str(error).rstrip('.')}. {REBUILT}"
