"""Reading the ledger: records, pages of them, the change feed, vectors and keywords."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from datetime import datetime
from itertools import chain
from typing import Any

from sqlalchemy import ColumnElement, Connection, Engine, Row, ScalarSelect, Select, and_, func, select
from sqlalchemy.exc import SQLAlchemyError

from memory import schema
from memory.dialects import dialect_of, reason
from memory.embed import EmbedderId
from memory.errors import LedgerUnavailable, RecordInvalid
from memory.facts import from_json
from memory.finding import Sort, counted, kept_count, rules, stretch
from memory.index import Entry
from memory.keyword_ranking import KeywordHit, ranked
from memory.migrations import IDENTITY
from memory.reasons import SAVED, UNWRITTEN
from memory.records import Facts, Kind, Outcome, Record, Status
from memory.rows import RECORD, entry_from, record_from
from memory.terms import is_one

PAGE = 500
TIMELINE = "timeline"
EMBEDDER = "embedder"


@dataclass(frozen=True, slots=True)
class Page:
    """One page of records, and how many there are in all."""

    records: tuple[Record, ...]
    total: int


@dataclass(frozen=True, slots=True)
class Standing:
    """What a workspace stands on: how many active records of each kind it has, and what the ledger's vectors come from.

    ``place`` is as ``LedgerReader.place`` gives it.
    """

    counts: Mapping[Kind, int]
    embedder: EmbedderId | None
    place: tuple[int, str]


@dataclass(frozen=True, slots=True)
class Change:
    """One change as an index needs it. ``removed`` says that the record was not active after it."""

    number: int
    workspace: str
    kind: Kind
    record_id: str
    removed: bool
    action: str


@dataclass(frozen=True, slots=True)
class Revision:
    """One state of a record's facts: which, by whom, when and why."""

    number: int
    facts: Facts
    author: str
    reason: str
    at: datetime


@contextmanager
def translated(doing: str) -> Iterator[None]:
    """Turn the database's errors into LedgerUnavailable, and values that no database takes into RecordInvalid."""
    try:
        yield
    except SQLAlchemyError as error:
        kept = UNWRITTEN if doing == "written" else SAVED
        raise LedgerUnavailable(f"The memory could not be {doing}. {reason(error, kept)}") from error
    except (OverflowError, UnicodeEncodeError) as error:
        raise RecordInvalid("A number or a text is beyond what the memory can hold; nothing was changed.") from error


def within(workspace: str) -> ColumnElement[bool]:
    """Rule out other workspaces in a search by id, without the index on workspaces, which would read far more rows."""
    return func.coalesce(schema.records.c.workspace, "") == workspace


class LedgerReader:
    """The reading half of the ledger. Every method raises LedgerUnavailable; ``tx`` reads within a transaction."""

    def __init__(self, engine: Engine) -> None:
        self.engine = engine
        self._single = engine.execution_options(**dialect_of(engine).SINGLE)

    @contextmanager
    def reading(self, tx: Connection | None = None, *, single: bool = False) -> Iterator[Connection]:
        """Give a connection that sees one consistent state; ``single`` is for one statement, and spares two more."""
        with translated("read"):
            if tx is not None:
                yield tx
                return
            with (self._single if single else self.engine).connect() as connection:
                yield connection

    def head(self, *, tx: Connection | None = None) -> int:
        """Say the number of the last change; 0 in an empty ledger."""
        with self.reading(tx, single=True) as connection:
            return int(connection.execute(select(schema.head.c.number)).scalar_one())

    def identity(self) -> str:
        """Name this ledger; no other has the name, so that several can share a server of indexes."""
        return str(self.setting(IDENTITY))

    def place(self) -> tuple[int, str]:
        """Say the number of the last change and the name of the course it is on; a restore begins a new course.

        The first course has the name of the ledger, so that no index of one ledger is taken for that of another.
        """
        with self.reading(single=True) as connection:
            row = connection.execute(select(schema.head.c.number, *map(_value, (TIMELINE, IDENTITY)))).one()
            return int(row[0]), row[1] or row[2] or ""

    def standing(self, workspace: str) -> Standing:
        """Say what a recall must know before it begins."""
        scope, names = schema.scopes.c, (TIMELINE, IDENTITY, EMBEDDER)
        query = select(schema.head.c.number, *map(_value, names), scope.kind, scope.records).join_from(
            schema.head, schema.scopes, and_(scope.workspace == workspace, scope.records > 0), isouter=True
        )
        with self.reading(single=True) as connection:
            rows = connection.execute(query).all()
        counts = {Kind(row.kind): int(row.records) for row in rows if row.kind is not None}
        number, course, identity, embedder = rows[0][:4]
        return Standing(counts, EmbedderId(**embedder) if embedder else None, (int(number), course or identity or ""))

    def get(self, workspace: str, ids: Sequence[str], *, tx: Connection | None = None) -> dict[str, Record]:
        """Fetch records by id, in the order of ``ids``; ids that are unknown in ``workspace`` are left out."""
        found: dict[str, Record] = {}
        with self.reading(tx, single=len(ids) <= PAGE) as connection:
            for start in range(0, len(ids), PAGE):
                part = schema.records.c.id.in_(list(ids[start : start + PAGE]))
                found |= {record.id: record for record in _records(connection, part, within(workspace)).values()}
        return {record_id: found[record_id] for record_id in dict.fromkeys(ids) if record_id in found}

    def find(
        self,
        workspace: str,
        *,
        kinds: Sequence[Kind] | None = None,
        statuses: Sequence[Status] = (Status.ACTIVE,),
        search: str = "",
        outcome: Outcome | None = None,
        year: int | None = None,
        sort: Sort = "updated",
        descending: bool = True,
        limit: int = 100,
        offset: int = 0,
    ) -> Page:
        """Find records by filters and by the words of ``search``, all of which must occur; sorted, one page."""
        with self.reading() as connection:
            asked = rules(
                connection, workspace, kinds=kinds, statuses=statuses, search=search, outcome=outcome, year=year
            )
            if search.split():
                count, page = counted(asked, sort, descending)
                rows = connection.execute(page.limit(limit).offset(offset)).all()
                total = int(rows[0][1] if rows else connection.execute(count).scalar_one() if offset else 0)
                return Page(tuple(_in_order(connection, [row[0] for row in rows])), total)
            count = select(func.count()).select_from(schema.records).where(*asked)
            if outcome is None and year is None and set(statuses) == {Status.ACTIVE}:
                count = kept_count(workspace, kinds)
            total = int(connection.execute(count).scalar_one())
            some, backwards = stretch(asked, sort, descending, range(offset, offset + limit), total)
            keys = list(connection.execute(some).scalars())
            return Page(tuple(_in_order(connection, keys[::-1] if backwards else keys)), total)

    def scan(self, after: int, limit: int) -> list[tuple[int, Record]]:
        """List records of all workspaces and statuses in the order they came in, each with its key, above ``after``."""
        it = schema.records.c
        with self.reading() as connection:
            keys = list(
                connection.execute(select(it.key).where(it.key > after).order_by(it.key).limit(limit)).scalars()
            )
            return list(zip(keys, _in_order(connection, keys), strict=True))

    def stale(self, workspace: str, before: datetime, limit: int) -> list[str]:
        """List the ids of records that were forgotten before a time and not erased yet, unprotected, oldest first."""
        it = schema.records.c
        query = (
            select(it.id)
            .where(it.workspace == workspace, it.status == Status.FORGOTTEN.value, it.updated_at <= before)
            .where(it.purged_at.is_(None), it.protected.is_(False))
            .order_by(it.updated_at, it.key)
            .limit(limit)
        )
        with self.reading(single=True) as connection:
            return list(connection.execute(query).scalars())

    def size(self) -> int:
        """Count the records of all workspaces and statuses."""
        with self.reading(single=True) as connection:
            return int(connection.execute(select(func.count()).select_from(schema.records)).scalar_one())

    def counts(self, workspace: str) -> dict[Kind, int]:
        """Count the active records of each kind that has any."""
        it = schema.scopes.c
        with self.reading(single=True) as connection:
            rows = connection.execute(select(it.kind, it.records).where(it.workspace == workspace, it.records > 0))
            return {Kind(row.kind): int(row.records) for row in rows}

    def entry_counts(self) -> dict[tuple[str, Kind], int]:
        """Count the vectors of active records for each workspace and kind that has any."""
        it = schema.scopes.c
        with self.reading(single=True) as connection:
            rows = connection.execute(select(it.workspace, it.kind, it.entries).where(it.entries > 0))
            return {(row.workspace, Kind(row.kind)): int(row.entries) for row in rows}

    def changes(self, after: int, limit: int) -> list[Change]:
        """List changes with a number above ``after``, in order."""
        it = schema.changes.c
        query = (
            select(it.number, it.workspace, it.kind, it.record_id, it.active, it.action)
            .where(it.number > after)
            .order_by(it.number)
            .limit(limit)
        )
        with self.reading(single=True) as connection:
            return [
                Change(row.number, row.workspace, Kind(row.kind), row.record_id, not row.active, row.action)
                for row in connection.execute(query)
            ]

    def entries(self, record_ids: Sequence[str], *, active_only: bool = False) -> list[Entry]:
        """Fetch the vectors of records, by record, facet and passage; of one named several times once."""
        found: list[Entry] = []
        ids = list(dict.fromkeys(record_ids))
        it = schema.entries.c
        columns = select(schema.records.c.id, it.facet, it.passage, it.vector).join_from(schema.entries, schema.records)
        with self.reading(single=len(ids) <= PAGE) as connection:
            for start in range(0, len(ids), PAGE):
                query = columns.where(schema.records.c.id.in_(ids[start : start + PAGE]))
                if active_only:
                    query = query.where(schema.records.c.status == Status.ACTIVE.value)
                found += [entry_from(row) for row in connection.execute(query.order_by(it.key, it.facet, it.passage))]
        return found

    def readings(self, record_ids: Sequence[str]) -> dict[str, bytes]:
        """Fetch the close readings of records, by id; those that have none are left out."""
        found: dict[str, bytes] = {}
        it = schema.entries.c
        columns = select(schema.records.c.id, it.reading).join_from(schema.entries, schema.records)
        with self.reading(single=len(record_ids) <= PAGE) as connection:
            for start in range(0, len(record_ids), PAGE):
                wanted = schema.records.c.id.in_(list(record_ids[start : start + PAGE]))
                rows = connection.execute(columns.where(wanted, it.reading.is_not(None)))
                found |= {row.id: row.reading for row in rows}
        return found

    def keywords(
        self, workspace: str, kind: Kind, terms: Sequence[str], limit: int, *, tx: Connection | None = None
    ) -> list[KeywordHit]:
        """Find active records that hold any of ``terms`` (as ``memory.terms.tokens`` gives them), best first.

        A term counts ln(1 + (n - df + 0.5) / (df + 0.5)), the inverse document frequency of BM25 (Robertson and
        Zaragoza, 2009), among the n records of this workspace and kind; terms in over 300 records are left out.
        """
        return self.keyword_lists(workspace, kind, [(terms, limit)], tx=tx)[0]

    def keyword_lists(
        self, workspace: str, kind: Kind, asked: Sequence[tuple[Sequence[str], int]], *, tx: Connection | None = None
    ) -> list[list[KeywordHit]]:
        """Do as ``keywords`` does for several pairs of terms and limit at once."""
        terms = [term for term in dict.fromkeys(chain.from_iterable(its for its, _ in asked)) if is_one(term)]
        it = schema.records.c
        with self.reading(tx, single=True) as connection:
            count, found = dialect_of(connection).find_keys(connection, workspace, kind.value, terms)
            best = [ranked({term: found[term] for term in its if term in found}, count, limit) for its, limit in asked]
            keys = {key for them in best for key in them}
            rows = connection.execute(select(it.key, it.id).where(it.key.in_(keys))) if keys else ()
            ids = {row.key: row.id for row in rows}  # which a key never changes
        return [[KeywordHit(ids[key], *worth) for key, worth in them.items()] for them in best]

    def embedder(self, *, tx: Connection | None = None) -> EmbedderId | None:
        """Name the embedder whose vectors the ledger holds; None before the first."""
        value = self.setting(EMBEDDER, tx=tx)
        return None if value is None else EmbedderId(**value)

    def setting(self, name: str, *, tx: Connection | None = None) -> Any | None:
        """Read a value kept beside the records."""
        with self.reading(tx, single=True) as connection:
            return connection.execute(
                select(schema.settings.c.value).where(schema.settings.c.name == name)
            ).scalar_one_or_none()

    def revisions(self, workspace: str, record_id: str) -> list[Revision]:
        """List every state of a record's facts, oldest first, the present one last."""
        record = self.get(workspace, [record_id]).get(record_id)
        if record is None:
            return []
        it = schema.revisions.c
        with self.reading(single=True) as connection:
            rows = connection.execute(select(schema.revisions).where(it.record_id == record_id).order_by(it.revision))
            found = [
                Revision(row.revision, from_json(record.kind, row.facts), row.author, row.reason, row.at)
                for row in rows
            ]
        if found:
            return found
        made = record.provenance
        return [Revision(1, record.facts, made.author, "added", made.created_at)]

    def children(self, workspace: str, ids: Sequence[str], *, tx: Connection | None = None) -> list[str]:
        """List the ids of the records that were derived directly from any of ``ids``, oldest first."""
        found: dict[int, str] = {}
        it = schema.edges.c
        with self.reading(tx) as connection:
            for start in range(0, len(ids), PAGE):
                query = (
                    select(schema.records.c.key, schema.records.c.id)
                    .join(schema.edges, it.child == schema.records.c.id)
                    .where(it.parent.in_(list(ids[start : start + PAGE])), within(workspace))
                )
                found |= {row.key: row.id for row in connection.execute(query)}
        return [found[key] for key in sorted(found)]

    def descendants(self, workspace: str, record_id: str, *, tx: Connection | None = None) -> list[str]:
        """List the ids of all records derived from one, each after everything it was derived from."""
        levels: dict[str, int] = {}
        edge, depth = [record_id], 0
        while edge:
            depth += 1
            edge = self.children(workspace, edge, tx=tx)
            levels |= dict.fromkeys(edge, depth)
        return sorted(levels, key=lambda it: levels[it])


def _value(name: str) -> ScalarSelect[Any]:
    it = schema.settings.c
    return select(it.value).where(it.name == name).scalar_subquery()


def _in_order(connection: Connection, keys: Sequence[int]) -> list[Record]:
    """Fetch records by key, in the order of ``keys``."""
    found: dict[int, Record] = {}
    for start in range(0, len(keys), PAGE):
        found |= _records(connection, schema.records.c.key.in_(keys[start : start + PAGE]))
    return [found[key] for key in keys]


def _records(connection: Connection, *asked: ColumnElement[bool]) -> dict[int, Record]:
    """Fetch the records of which all ``asked`` is true, with the ids of their sources, by key."""
    edge = schema.edges.c
    query: Select[Any] = select(*RECORD, edge.place, edge.parent).join_from(
        schema.records, schema.edges, edge.child == schema.records.c.id, isouter=True
    )
    rows: dict[int, Row[Any]] = {}
    parents: dict[int, list[tuple[int, str]]] = {}
    for row in connection.execute(query.where(*asked)):
        rows[row.key] = row
        if row.parent is not None:
            parents.setdefault(row.key, []).append((row.place, row.parent))
    return {key: record_from(row, [it for _, it in sorted(parents.get(key, ()))]) for key, row in rows.items()}
