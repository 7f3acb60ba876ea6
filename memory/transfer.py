"""Copy a ledger from one database into another, whole or not at all, and check the copy by count, content and chain."""

from __future__ import annotations

import hashlib
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from uuid import uuid4

from sqlalchemy import ColumnElement, Connection, Row, Table, delete, func, insert, select, true

from memory import schema
from memory.chain import plain
from memory.dialects import dialect_of
from memory.errors import LedgerUnavailable
from memory.facts import canonical
from memory.ledger import Ledger
from memory.ledger_reader import TIMELINE
from memory.migrations import IDENTITY
from memory.records import Status
from memory.scopes import MARKS, mark
from memory.verify import verify

PAGE = 500

_TABLES = tuple(it for it in schema.tables.sorted_tables if it not in {schema.migrations, schema.unsealed})
# What a new ledger holds already.
_BEGUN = frozenset({schema.head, schema.settings})
# What names a ledger itself: the copy is another one, and an index of the first must not be taken for its own.
_OWN = (IDENTITY, TIMELINE)


@dataclass(frozen=True, slots=True)
class Transfer:
    """A finished copy: how many rows each table has, and the hash at the head of the chain in both ledgers.

    ``later`` counts the changes that were made to the source while it was copied, which the copy does not hold.
    """

    rows: Mapping[str, int]
    changes: int
    head: str
    later: int


def transfer(source: Ledger, target: Ledger) -> Transfer:
    """Copy all that ``source`` holds at one moment into ``target``, which must be empty, in one transaction.

    Raises LedgerUnavailable where the target is not empty, the copy differs from the source or is not clean; then the
    target is as empty as it was, also where the process is killed.
    """
    with source.reading() as old, target.transaction() as new:
        _require_empty(new)
        rows: dict[str, int] = {}
        for table in _TABLES:
            rows[table.name], digest = _copy(old, new, table)
            if _digest(_pages(new, table)) != digest:
                raise LedgerUnavailable(f"The copy of {table.name} differs from what was read; nothing was kept.")
        new.execute(delete(schema.unsealed))  # their seals were copied with them
        _index_words(new)
        dialect_of(new).number_on(new)
        found = verify(target, tx=new)
        if not found.clean:
            raise LedgerUnavailable(f"What was copied is not clean, so nothing was kept: {found.problem}")
        target.set_setting(TIMELINE, uuid4().hex, tx=new)
        number, digest = new.execute(select(schema.head.c.number, schema.head.c.hash)).one()
    return Transfer(rows, number, digest, source.head() - number)


def _require_empty(new: Connection) -> None:
    for table in _TABLES:
        count = new.execute(select(func.count()).select_from(table)).scalar_one()
        if count and table not in _BEGUN:
            raise LedgerUnavailable(f"The target is not empty ({count} {table.name}). Choose an empty database.")


def _copy(old: Connection, new: Connection, table: Table) -> tuple[int, str]:
    """Copy a table; give the number of its rows and their digest."""
    if table in _BEGUN:
        new.execute(delete(table).where(_shared(table)))
    copied = 0

    def kept() -> Iterator[Sequence[Row[*tuple[object, ...]]]]:
        nonlocal copied
        for page in _pages(old, table):
            new.execute(insert(table), [row._asdict() for row in page])
            copied += len(page)
            yield page

    digest = _digest(kept())
    return copied, digest


def _pages(connection: Connection, table: Table) -> Iterator[Sequence[Row[*tuple[object, ...]]]]:
    """Read a table in the order of its key, a page at a time."""
    query = select(table).where(_shared(table)).order_by(*table.primary_key.columns)
    with connection.execute(query, execution_options={"yield_per": PAGE}) as result:
        yield from result.partitions()


def _shared(table: Table) -> ColumnElement[bool]:
    return table.c.name.not_in(_OWN) if table is schema.settings else true()


def _digest(pages: Iterator[Sequence[Row[*tuple[object, ...]]]]) -> str:
    digest = hashlib.sha256()
    for page in pages:
        for row in page:
            digest.update(canonical([plain(value) for value in row]).encode())
    return digest.hexdigest()


def _index_words(new: Connection) -> None:
    """Enter the records that have words in it into the full-text index; the counts were copied."""
    record, scope = schema.records.c, schema.scopes.c
    query = (
        select(record.key, scope.id, record.status, record.words)
        .join(schema.scopes, (scope.workspace == record.workspace) & (scope.kind == record.kind))
        .where(record.status.in_([status.value for status in MARKS]))
        .order_by(record.key)
    )
    with new.execute(query, execution_options={"yield_per": PAGE}) as result:
        for page in result.partitions():
            words = [(row.key, mark(row.id, Status(row.status)), row.words) for row in page]
            dialect_of(new).add_keywords(new, words)
