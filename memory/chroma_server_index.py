"""A vector index on a Chroma server that many processes share.

All follow one generation of collections and its change number; only the holder of the lease writes. Where the server,
another process or a hand has thrown collections away, the next catch-up builds them again; a query that meets that
moment fails, because an index that is half there must not say that nothing is there.
"""

from __future__ import annotations

import hashlib
import logging
import threading
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from typing import TYPE_CHECKING

from memory.chroma_collections import (
    add_entries,
    held,
    name_of,
    nearest,
    new_collection,
    probe,
    remove_records,
    scope_of,
)
from memory.chroma_generations import Generation, Generations
from memory.chroma_server import ChromaServer
from memory.embed import Vectors
from memory.errors import IndexUnavailable
from memory.index import Entry, Hit
from memory.records import Kind

if TYPE_CHECKING:
    from chromadb.api.models.Collection import Collection

# A request stays below the 40 MB that a server accepts, and below a second.
FLOATS = 500_000
EXPIRY_S = 30.0
PATIENCE_S = 60.0

log = logging.getLogger(__name__)


class ChromaServerIndex:
    """The index named ``part`` of the ledger of that ``identity``, on a server; safe to share between threads.

    ``url`` is ``http://host:port``, with a name behind a slash to part what ledgers do not. Nothing is sent before the
    first use, so a server may come later. A writer that gives no sign of life for
    ``expiry_s`` seconds is taken for dead; another's writing is waited for ``patience_s`` seconds.
    """

    def __init__(
        self,
        url: str,
        part: str = "index",
        identity: str = "",
        *,
        expiry_s: float = EXPIRY_S,
        patience_s: float = PATIENCE_S,
    ) -> None:
        self._server = ChromaServer(url)
        ledger = hashlib.sha256(identity.encode()).hexdigest()[:16]
        self._generations = Generations(self._server, f"{self._server.name}.{ledger}.{part}", expiry_s, patience_s)
        self._mutex = threading.RLock()
        self._following = threading.RLock()
        self._holding = 0
        self._present: Generation | None = None
        self._compared: Generation | None = None
        self._doubted = False

    def position(self) -> int:
        """Say up to which change number of the ledger the index has come."""
        with self._server.translated():
            found = self._look()
            return found.position if found else 0

    def apply(self, workspace: str, kind: Kind, add: Sequence[Entry], remove: Sequence[str]) -> None:
        """Add or replace entries and remove every entry of the records in ``remove``. Idempotent."""
        if not add and not remove:
            return
        with self._writing() as generation:
            collection = self._collection(generation, workspace, kind)
            if collection is None:
                collection = new_collection(self._server.client(), f"{generation.name}.data.{name_of(workspace, kind)}")
                generation.collections[workspace, kind] = collection
            remove_records(collection, remove)
            batch = max(1, FLOATS // len(add[0].vector)) if add else 1
            for start in range(0, len(add), batch):
                self._generations.beat()
                add_entries(collection, add[start : start + batch])

    def advance(self, position: int) -> None:
        """Record that all changes up to ``position`` have been applied."""
        with self._writing() as generation:
            generation.note(position, generation.timeline)

    def query(self, workspace: str, kind: Kind, vectors: Vectors, limit: int) -> list[list[Hit]]:
        """Find the ``limit`` nearest entries for each row of ``vectors``, nearest first."""
        with self._reading() as generation:
            collection = self._collection(generation, workspace, kind) if generation and len(vectors) else None
            return [[] for _ in vectors] if collection is None else nearest(collection, vectors, limit)

    def timeline(self) -> str:
        """Name the course of the ledger that the index follows, as ``position`` last found it."""
        with self._mutex:
            return self._present.timeline if self._present else ""

    def belong_to(self, timeline: str) -> None:
        """Follow ``timeline``; an index that follows another is thrown away first."""
        with self._writing() as generation:
            if generation.timeline == timeline:
                return
            if generation.position:
                log.warning("The shared index follows another ledger, or one that was restored, and is built anew.")
                self.reset()
        with self._writing() as generation:
            generation.note(generation.position, timeline)

    def holds(self, workspace: str, kind: Kind, record_ids: Sequence[str]) -> set[str]:
        """Say of which records the index holds any entry."""
        with self._reading() as generation:
            collection = self._collection(generation, workspace, kind) if generation else None
            return set() if collection is None else held(collection, record_ids)

    def counts(self) -> Mapping[tuple[str, Kind], int]:
        """Count the entries of every collection that has any; each is searched once, to see that it can be."""
        counted: dict[tuple[str, Kind], int] = {}
        with self._server.translated():
            generation = self._look()
            start = f"{generation.name}.data." if generation else ""
            for it in self._server.client().list_collections() if generation else ():
                if it.name.startswith(start):
                    probe(it)
                    counted[scope_of(it.name[len(start) :])] = it.count()
        return {scope: count for scope, count in counted.items() if count}

    def trusted(self) -> bool:
        """Say whether the entries that ``position`` spoke of have been compared with the ledger by this process."""
        with self._mutex:
            return self._compared is not None and self._compared is self._present and not self._doubted

    def trust(self) -> None:
        """Record that the entries have been compared with the ledger and agree."""
        with self._mutex:
            self._compared, self._doubted = self._present, False

    @contextmanager
    def catching_up(self) -> Iterator[None]:
        """Hold off the catch-ups of other threads and of other processes."""
        with self._following:
            if not self._holding:
                with self._server.translated():
                    self._adopt(self._generations.hold())
            self._holding += 1
            try:
                yield
            finally:
                self._holding -= 1
                if not self._holding:
                    self._release()

    def reset(self) -> None:
        """Throw the index away; the next catch-up rebuilds it."""
        with self._following, self._server.translated():
            known = self._present
            newest = self._generations.newest()
            # Another process may have done so already.
            if newest is None or known is None or newest.number <= known.number:
                log.warning("The vector index on %s is thrown away and will be rebuilt.", self._server.address)
                newest = self._generations.begin(newest.number if newest else 0)
            self._adopt(self._generations.hold() if self._holding else newest)

    def close(self) -> None:
        """Close the connection."""
        self._server.close()

    def _look(self) -> Generation | None:
        """See how far the present generation has come, or find the one that took its place."""
        with self._mutex:
            if self._present is None or not self._generations.same(self._present):
                self._adopt(self._generations.newest())
            return self._present

    def _adopt(self, generation: Generation | None) -> None:
        with self._mutex:
            known = self._present
            if known is None or generation is None or generation.marker.id != known.marker.id:
                self._present = generation
            else:
                known.marker = generation.marker

    @contextmanager
    def _writing(self) -> Iterator[Generation]:
        with self.catching_up(), self._server.translated():
            generation = self._present
            if generation is None:
                raise IndexUnavailable("The index on the Chroma server was thrown away meanwhile. Try again.")
            yield generation

    @contextmanager
    def _reading(self) -> Iterator[Generation | None]:
        """Give the generation that was compared with the ledger, though another may be on its way."""
        try:
            with self._server.translated():
                with self._mutex:
                    generation = self._compared or self._present
                yield generation or self._look()
        except IndexUnavailable:
            self._doubted = True
            raise

    def _collection(self, generation: Generation, workspace: str, kind: Kind) -> Collection | None:
        """Find a collection; None where it was never made, which is known only while its generation stands."""
        from chromadb.errors import NotFoundError

        found = generation.collections.get((workspace, kind))
        if found is None:
            name = f"{generation.name}.data.{name_of(workspace, kind)}"
            try:
                found = self._server.client().get_collection(name, embedding_function=None)
            except NotFoundError:
                if not self._generations.same(generation):
                    raise
                return None
            generation.collections[workspace, kind] = found
        return found

    def _release(self) -> None:
        """Free the lease; where that fails, others wait until it expires."""
        try:
            with self._server.translated():
                self._generations.release()
        except IndexUnavailable as error:
            log.warning("The right to write the shared index was not given back: %s", error)
