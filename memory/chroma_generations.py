"""Which collections of a shared Chroma server are the index, and who may write them.

A server has no transactions and no locks, but creating a collection of a name that exists fails. Two things are built
on that. A *generation* is a marker collection with a number; the highest one is the index, its metadata says how far it
has come, and beginning the next throws the present one away. A *lease* is a numbered collection within a generation;
whoever creates the next number, once the last holder has released it, may write. A holder that no longer gives a sign
of life is left behind with its whole generation: what it may still write goes into collections that nobody reads.
"""

from __future__ import annotations

import logging
import time
import uuid
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from memory.chroma_server import ChromaServer
from memory.errors import IndexUnavailable
from memory.records import Kind

if TYPE_CHECKING:
    from chromadb.api.models.Collection import Collection

POLL_S = 0.05

log = logging.getLogger(__name__)


@dataclass(slots=True)
class Generation:
    """One generation: its marker, and the collections of vectors that were seen in it."""

    marker: Collection
    collections: dict[tuple[str, Kind], Collection] = field(default_factory=dict)

    @property
    def name(self) -> str:
        return self.marker.name

    @property
    def number(self) -> int:
        return int(self.name.rpartition(".g")[2])

    @property
    def position(self) -> int:
        return int((self.marker.metadata or {})["position"])

    @property
    def timeline(self) -> str:
        return str((self.marker.metadata or {})["timeline"]).removeprefix("=")

    def note(self, position: int, timeline: str) -> None:
        """Write how far the generation has come on which course of the ledger."""
        self.marker.modify(metadata=_notes(position, timeline))


class Generations:
    """The generations below ``prefix`` on one server. Failures are Chroma's own; translate them outside."""

    def __init__(self, server: ChromaServer, prefix: str, expiry_s: float, patience_s: float) -> None:
        self._server, self._prefix = server, prefix
        self._expiry_s, self._patience_s = expiry_s, patience_s
        self._me = uuid.uuid4().hex
        self._lease: Collection | None = None
        self._beat = 0

    def same(self, known: Generation) -> bool:
        """Read a generation's notes again; False where it has been thrown away."""
        from chromadb.errors import NotFoundError

        try:
            marker = self._server.client().get_collection(known.name, embedding_function=None)
        except NotFoundError:
            return False
        if marker.id != known.marker.id:
            return False
        known.marker = marker
        return True

    def newest(self) -> Generation | None:
        """Find the generation that is the index now; None on a new server."""
        markers = {int(name[len(self._start) :]): it for name, it in self._all().items() if self._is_marker(name)}
        return Generation(markers[max(markers)]) if markers else None

    def begin(self, after: int) -> Generation:
        """Begin the generation after a number, or take the one that another process has begun meanwhile."""
        self._create(f"{self._start}{after + 1:06d}", _notes(0, ""))
        found = self.newest()
        if found is None:
            raise IndexUnavailable("The index on the Chroma server cannot be begun: nothing that is made stays.")
        for name in sorted(self._all()):  # a marker sorts before what belongs to it
            number = name.removeprefix(self._start).partition(".")[0]
            if name.startswith(self._start) and number.isdecimal() and int(number) < found.number:
                self._delete(name)
        return found

    def hold(self) -> Generation:
        """Wait for the right to write; give the generation it is for. Raises IndexUnavailable where that takes long."""
        until = time.monotonic() + self._patience_s
        watched, since = "", time.monotonic()
        while True:
            found = self.newest() or self.begin(0)
            number, last = self._last_lease(found)
            notes: Mapping[str, object] = (last.metadata or {}) if last else {}
            if last is None or notes.get("released") or notes.get("owner") == self._me:
                if self._claim(found, number + 1) and self.same(found):
                    return found
            else:
                sign = f"{last.id}:{notes.get('beat')}"
                if sign != watched:
                    watched, since = sign, time.monotonic()
                elif time.monotonic() - since > self._expiry_s:
                    log.warning("A process that wrote the shared index is gone; the index is built anew.")
                    self.begin(found.number)
                    continue
            if time.monotonic() > until:
                raise IndexUnavailable("Another process has been writing the shared index for long. Try again soon.")
            time.sleep(POLL_S)

    def beat(self) -> None:
        """Give a sign of life while writing takes long."""
        self._beat += 1
        if self._lease is not None:
            self._lease.modify(metadata=self._held())

    def release(self) -> None:
        """Let the next one write."""
        lease, self._lease = self._lease, None
        if lease is not None:
            lease.modify(metadata=self._held() | {"released": True})

    @property
    def _start(self) -> str:
        return f"{self._prefix}.g"

    def _is_marker(self, name: str) -> bool:
        return name.startswith(self._start) and name[len(self._start) :].isdecimal()

    def _all(self) -> dict[str, Collection]:
        return {it.name: it for it in self._server.client().list_collections()}

    def _last_lease(self, generation: Generation) -> tuple[int, Collection | None]:
        start = f"{generation.name}.lease."
        held = {int(name[len(start) :]): it for name, it in self._all().items() if name.startswith(start)}
        return (max(held), held[max(held)]) if held else (0, None)

    def _claim(self, generation: Generation, number: int) -> bool:
        name = f"{generation.name}.lease.{number:09d}"
        self._beat = 0
        lease = self._create(name, self._held())
        if lease is None or (lease.metadata or {}).get("owner") != self._me:
            return False
        self._lease = lease
        for old in self._all():
            if old.startswith(f"{generation.name}.lease.") and old < name:
                self._delete(old)
        return True

    def _held(self) -> dict[str, str | int | bool]:
        return {"owner": self._me, "beat": self._beat, "released": False}

    def _create(self, name: str, notes: Mapping[str, str | int | bool]) -> Collection | None:
        """Make a collection, or find the one of that name: its notes say whose it is."""
        from chromadb.errors import ChromaError, NotFoundError

        client = self._server.client()
        try:
            client.create_collection(name, metadata=dict(notes), embedding_function=None)
        except ChromaError as error:
            log.debug("%s was not made: %s", name, error)
        try:
            return client.get_collection(name, embedding_function=None)
        except NotFoundError:
            return None

    def _delete(self, name: str) -> None:
        from chromadb.errors import NotFoundError

        try:
            self._server.client().delete_collection(name)
        except NotFoundError:
            log.debug("%s was deleted by another process", name)


def _notes(position: int, timeline: str) -> dict[str, str | int]:
    return {"position": position, "timeline": f"={timeline}"}
