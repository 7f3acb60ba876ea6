"""A vector index in Postgres with pgvector, shared by every process that opens the same ledger.

Each workspace and kind has a table of its own, so that a search never reads what it then filters out. A small table is
searched whole; one that has grown gets an HNSW index once a catch-up is through, which is faster than keeping one
during it. All of it is in one schema, named after the ledger, that can be dropped: the next catch-up rebuilds it.
"""

from __future__ import annotations

import hashlib
import logging
import threading
import uuid
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from typing import Any

from sqlalchemy import Connection, Row, create_engine, make_url, text
from sqlalchemy.exc import ArgumentError, ProgrammingError, SQLAlchemyError

from memory import postgres
from memory.embed import Vectors
from memory.errors import IndexUnavailable
from memory.index import Entry, Hit
from memory.pgvector_sql import ADD, BUILD, COUNT, FIND, INDEXED, NEW, STATE, TABLES, Table, as_text
from memory.records import Kind

LARGE = 10_000
"""From how many entries on a table has an HNSW index."""

SETTINGS = "-c hnsw.ef_search=200 -c hnsw.iterative_scan=strict_order"
OLDEST = (0, 8)

log = logging.getLogger(__name__)


class PgvectorIndex:
    """A vector index in the database at ``url``, for the ledger of that ``identity``; safe to share between threads.

    ``name`` tells the indexes of one ledger apart. Nothing is sent before the first use, so the server may come later.
    """

    def __init__(self, url: str, identity: str, name: str) -> None:
        self._schema = "precedent_index_" + hashlib.sha256(f"{identity}:{name}".encode()).hexdigest()[:16]
        self._following = threading.RLock()
        self._made = False
        self._trusted = False
        self._seen = threading.local()
        self._known: dict[tuple[str, Kind], Table] = {}
        try:
            address = make_url(url).set(drivername="postgresql+psycopg")
        except (ArgumentError, ValueError) as error:
            raise IndexUnavailable(
                "PRECEDENT_INDEX is no database URL such as postgresql://user@host/database."
            ) from error
        options = postgres.connection_options(f"{self._schema},public,extensions")
        self._engine = create_engine(
            address,
            connect_args=options | {"options": f"{options['options']} {SETTINGS}"},
            isolation_level="AUTOCOMMIT",
        )
        postgres.replace_lost_connections(self._engine)

    # What the port promises

    def position(self) -> int:
        """Say up to which change number of the ledger the index has come; 0 where it is new or was thrown away."""
        self._seen.position, self._seen.timeline = self._state()
        return int(self._seen.position)

    def apply(self, workspace: str, kind: Kind, add: Sequence[Entry], remove: Sequence[str]) -> None:
        """Add or replace entries and remove every entry of the records in ``remove``. Idempotent."""
        if not add and not remove:
            return
        with self._writing() as tx:
            table = self._table(tx, workspace, kind)
            if table is None and add:
                table = self._new_table(tx, workspace, kind, add[0].vector.size)
            if table is None:
                return
            if remove:
                tx.execute(table.sql("DELETE FROM {name} WHERE record_id = ANY(:ids)"), {"ids": list(remove)})
            if add:
                rows = {
                    "ids": [it.record_id for it in add],
                    "facets": [it.facet for it in add],
                    "passages": [it.passage for it in add],
                    "vectors": [as_text(it.vector) for it in add],
                }
                tx.execute(table.sql(ADD), rows)

    def advance(self, position: int) -> None:
        """Record that all changes up to ``position`` have been applied."""
        with self._writing() as tx:
            tx.execute(text("UPDATE precedent_state SET position = :position"), {"position": position})

    def query(self, workspace: str, kind: Kind, vectors: Vectors, limit: int) -> list[list[Hit]]:
        """Find the ``limit`` nearest entries for each row of ``vectors``, nearest first."""
        found: list[list[Hit]] = [[] for _ in vectors]
        asked = {"vectors": [as_text(row) for row in vectors], "limit": limit}
        try:
            with self._reading() as connection:
                rows = self._nearest(connection, (workspace, kind), asked) if found else []
            self._require_whole(rows[0].position if rows else self._state()[0])
        except IndexUnavailable:
            self._trusted = False  # compared anew before the next answer
            raise
        for row in rows:
            found[row.place - 1].append(Hit(row.record_id, row.facet, row.passage, 1.0 - row.far))
        return found

    def timeline(self) -> str:
        """Name the course of the ledger that the index follows, as this thread's ``position`` last found it."""
        return getattr(self._seen, "timeline", "")

    def belong_to(self, timeline: str) -> None:
        """Follow ``timeline``; an index that follows another is thrown away first."""
        position, course = self._state()
        if course == timeline:
            return
        if position:
            self.reset()
        with self._writing() as tx:
            tx.execute(text("UPDATE precedent_state SET timeline = :timeline"), {"timeline": timeline})

    def holds(self, workspace: str, kind: Kind, record_ids: Sequence[str]) -> set[str]:
        """Say of which records the index holds any entry."""
        with self._reading() as connection:
            table = self._table(connection, workspace, kind)
            if table is None:
                return set()
            held = table.sql("SELECT DISTINCT record_id FROM {name} WHERE record_id = ANY(:ids)")
            return set(connection.execute(held, {"ids": list(record_ids)}).scalars())

    def counts(self) -> Mapping[tuple[str, Kind], int]:
        """Count the entries of every collection that has any."""
        counted: dict[tuple[str, Kind], int] = {}
        with self._reading() as connection:
            for workspace, kind, table in self._tables(connection):
                count = connection.execute(table.sql("SELECT count(*) FROM {name}")).scalar_one()
                if count:
                    counted[workspace, kind] = count
        return counted

    def trusted(self) -> bool:
        """Say whether this process has compared the entries with the ledger since it opened or reset the index."""
        return self._trusted

    def trust(self) -> None:
        """Record that the entries have been compared with the ledger and agree."""
        self._trusted = True

    @contextmanager
    def catching_up(self) -> Iterator[None]:
        """Hold off the catch-ups of other threads and processes; at the end, index the tables that have grown."""
        lock = {"schema": self._schema}
        with self._following, _translated(), self._engine.connect() as holder:
            holder.execute(text("SELECT pg_advisory_lock(hashtextextended(:schema, 0))"), lock)
            try:
                yield
                self._index_large()
            finally:
                try:
                    holder.execute(text("SELECT pg_advisory_unlock(hashtextextended(:schema, 0))"), lock)
                except SQLAlchemyError:
                    holder.invalidate()  # with the connection the lock is gone

    def reset(self) -> None:
        """Throw the index away; the next catch-up rebuilds it."""
        log.warning("The vector index %s is thrown away and will be rebuilt.", self._schema)
        with self._writing() as tx:
            tx.execute(text(f"DROP SCHEMA IF EXISTS {self._schema} CASCADE"))
        self._make()

    def close(self) -> None:
        """Close all connections; the index stays on the server."""
        self._engine.dispose()

    # Inside

    @contextmanager
    def _reading(self) -> Iterator[Connection]:
        if not self._made:
            self._make()
        with _translated(), self._engine.connect() as connection:
            yield connection

    @contextmanager
    def _writing(self) -> Iterator[Connection]:
        if not self._made:
            self._make()
        with _translated(), self._engine.execution_options(isolation_level="READ COMMITTED").begin() as tx:
            yield tx

    def _make(self) -> None:
        """Make what is missing of the schema; nothing of it has been compared with the ledger then."""
        with _translated(), self._engine.execution_options(isolation_level="READ COMMITTED").begin() as tx:
            tx.execute(text(f"SELECT pg_advisory_xact_lock({postgres.LOCK})"))
            _require_pgvector(tx)
            for statement in (f"CREATE SCHEMA IF NOT EXISTS {self._schema}", *TABLES):
                tx.execute(text(statement))
        self._made, self._trusted = True, False

    def _state(self) -> tuple[int, str]:
        """Read position and timeline; an index that was dropped is made anew."""
        with self._reading() as connection:
            try:
                row = connection.execute(text(STATE)).one()
            except ProgrammingError:  # it has no such table any more
                self._make()
                row = connection.execute(text(STATE)).one()
        return row.position, row.timeline

    def _require_whole(self, position: int) -> None:
        """Refuse an answer from an index that was thrown away since this thread last caught up."""
        if position < getattr(self._seen, "position", 0):
            raise IndexUnavailable("The vector index is being rebuilt by someone else; try again.")

    def _tables(self, connection: Connection) -> list[tuple[str, Kind, Table]]:
        rows = connection.execute(text("SELECT workspace, kind, name, dimension FROM precedent_collections")).all()
        return [(row.workspace, Kind(row.kind), Table(row.name, row.dimension)) for row in rows]

    def _table(self, connection: Connection, workspace: str, kind: Kind) -> Table | None:
        asked = text("SELECT name, dimension FROM precedent_collections WHERE workspace = :workspace AND kind = :kind")
        row = connection.execute(asked, {"workspace": workspace, "kind": kind.value}).first()
        return Table(row.name, row.dimension) if row else None

    def _nearest(
        self, connection: Connection, scope: tuple[str, Kind], asked: Mapping[str, object]
    ) -> Sequence[Row[Any]]:
        """Search the table of ``scope``; its name is looked up once, and again where another process made a new one."""
        if known := self._known.get(scope):
            try:
                return connection.execute(known.sql(FIND), asked).all()
            except ProgrammingError:
                self._known.pop(scope, None)
        table = self._table(connection, *scope)
        if table is None:
            return []
        rows = connection.execute(table.sql(FIND), asked).all()
        self._known[scope] = table
        return rows

    def _new_table(self, tx: Connection, workspace: str, kind: Kind, dimension: int) -> Table:
        table = Table(f"entries_{uuid.uuid4().hex}", dimension)
        tx.execute(table.sql(NEW))
        values = {"workspace": workspace, "kind": kind.value, "name": table.name, "dimension": dimension}
        tx.execute(text("INSERT INTO precedent_collections VALUES (:workspace, :kind, :name, :dimension)"), values)
        return table

    def _index_large(self) -> None:
        """Give each table that has grown its HNSW index; where that fails, it is searched whole as before."""
        with self._reading() as connection:
            indexed = set(connection.execute(text(INDEXED)).scalars())
            bare = [it for _, _, it in self._tables(connection) if it.indexable and it.name not in indexed]
            large = [it for it in bare if connection.execute(it.sql(COUNT), {"most": LARGE}).scalar_one() == LARGE]
        for table in large:
            try:
                with self._writing() as tx:
                    for statement in BUILD:
                        tx.execute(table.sql(statement))
            except IndexUnavailable as error:
                log.warning("A table of the vector index stays without HNSW: %s", error)


def _require_pgvector(tx: Connection) -> None:
    """Make the extension where it is missing. Raises IndexUnavailable where the server has none, or too old a one."""
    asked = text("SELECT installed_version, default_version FROM pg_available_extensions WHERE name = 'vector'")
    row = tx.execute(asked).first()
    version = (row.installed_version or row.default_version) if row else ""
    if not version or tuple(int(part) for part in version.split(".")[:2]) < OLDEST:
        raise IndexUnavailable(
            f"The server of PRECEDENT_INDEX has {f'pgvector {version}' if version else 'no pgvector'}: install 0.8 or "
            "newer there, or set PRECEDENT_INDEX to embedded."
        )
    if row is not None and row.installed_version is None:
        tx.execute(text("CREATE EXTENSION IF NOT EXISTS vector SCHEMA public"))


@contextmanager
def _translated() -> Iterator[None]:
    """Turn the server's errors into IndexUnavailable."""
    try:
        yield
    except SQLAlchemyError as error:
        raise IndexUnavailable(f"The vector index failed: {postgres.reason(error, 'PRECEDENT_INDEX')}") from error
