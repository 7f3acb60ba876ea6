"""Seals: a chain over what hangs on records and carries a promise, with one seal for each state of each row.

Triggers of the database note which rows a transaction touches, and the ledger seals those before it commits. A row that
was altered in any other way no longer fits its last seal. What a seal holds is a digest; nothing can be read from it.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Iterator, Mapping, Sequence
from types import MappingProxyType

from sqlalchemy import Connection, Row, Table, delete, func, insert, select, tuple_

from memory import schema
from memory.chain import GENESIS, plain
from memory.dialects import dialect_of
from memory.facts import canonical

SEALED: Mapping[Table, str] = MappingProxyType(
    {
        schema.revisions: "revision",
        schema.ratings: "judgement",
        schema.feedback: "opinion",
        schema.audits: "saved audit",
        schema.decisions: "decision",
        schema.outcomes: "outcome",
        schema.concerns: "concern",
        schema.imports: "import",
        schema.import_rows: "row of an import",
    }
)
HEAD = "seals"

_AT_A_TIME = 300
_PAGE = 1_000
_TABLES = {table.name: table for table in SEALED}


def watch(tx: Connection) -> None:
    """Note from now on which rows are touched, and seal all that are there."""
    for table in SEALED:
        dialect_of(tx).note_touched(tx, table)
        for page in _pages(tx, table):
            tx.execute(insert(schema.unsealed), [{"table_name": table.name, "key": _key(table, row)} for row in page])
    seal(tx, 0)


def last_touched(tx: Connection) -> int:
    """Give a mark: what this transaction touches comes after it, what was altered outside before."""
    return int(tx.execute(select(func.coalesce(func.max(schema.unsealed.c.number), 0))).scalar_one())


def seal(tx: Connection, mark: int) -> None:
    """Seal the rows touched after ``mark``, each as it now stands."""
    it = schema.unsealed.c
    touched = tx.execute(select(it.table_name, it.key).where(it.number > mark).order_by(it.number)).all()
    if not touched:
        return
    number, previous = _head(tx)
    rows = []
    for name, keys in _grouped(touched).items():
        present = _digests(tx, _TABLES[name], keys)
        for key in keys:
            number += 1
            digest = present.get(key, "")
            previous = _hash(previous, number, name, key, digest)
            rows.append({"number": number, "table_name": name, "key": key, "digest": digest, "hash": previous})
    tx.execute(insert(schema.seals), rows)
    tx.execute(delete(schema.settings).where(schema.settings.c.name == HEAD))
    tx.execute(insert(schema.settings).values(name=HEAD, value=[number, previous]))
    tx.execute(delete(schema.unsealed).where(it.number > mark))


def first_break(connection: Connection) -> str:
    """Walk the seals and compare every row with its last one; say in words what does not fit first, "" where all do."""
    last: dict[tuple[str, str], tuple[int, str]] = {}
    number, previous = 0, GENESIS
    it = schema.seals.c
    while rows := connection.execute(
        select(schema.seals).where(it.number > number).order_by(it.number).limit(_PAGE)
    ).all():
        for row in rows:
            if row.number != number + 1:
                return f"Seal {number + 1} is missing."
            number, previous = row.number, _hash(previous, row.number, row.table_name, row.key, row.digest)
            if previous != row.hash:
                return f"Seal {number} was altered."
            last[row.table_name, row.key] = number, row.digest
    if _head(connection) != (number, previous):
        return f"The last seals are missing: {_head(connection)[0]} were made."
    found: list[tuple[float, str]] = []
    for table, noun in SEALED.items():
        for page in _pages(connection, table):
            for row in page:
                key = _key(table, row)
                sealed, digest = last.pop((table.name, key), (float("inf"), ""))
                if not digest:
                    found.append((sealed, f"The {noun} {_said(key)} was put in without a seal."))
                elif digest != _digest(row):
                    found.append((sealed, f"The {noun} {_said(key)} is not as seal {sealed} left it."))
    missing = [(sealed, name, key) for (name, key), (sealed, digest) in last.items() if digest]
    found += [
        (sealed, f"The {SEALED[_TABLES[name]]} {_said(key)} is missing (seal {sealed}).")
        for sealed, name, key in missing
    ]
    return min(found, default=(0, ""))[1]


def _grouped(touched: Sequence[Row[*tuple[str, str]]]) -> dict[str, list[str]]:
    """Give the keys by table, each once, in the form that is hashed."""
    found: dict[str, dict[str, None]] = {}
    for name, key in touched:
        found.setdefault(name, {})[canonical(json.loads(key))] = None
    return {name: list(keys) for name, keys in found.items()}


def _digests(tx: Connection, table: Table, keys: Sequence[str]) -> dict[str, str]:
    columns = tuple(table.primary_key.columns)
    found: dict[str, str] = {}
    for start in range(0, len(keys), _AT_A_TIME):
        wanted = [tuple(json.loads(key)) for key in keys[start : start + _AT_A_TIME]]
        one = columns[0].in_([key[0] for key in wanted]) if len(columns) == 1 else tuple_(*columns).in_(wanted)
        found |= {_key(table, row): _digest(row) for row in tx.execute(select(table).where(one))}
    return found


def _pages(connection: Connection, table: Table) -> Iterator[Sequence[Row[*tuple[object, ...]]]]:
    columns = tuple(table.primary_key.columns)
    query = select(table).order_by(*columns).limit(_PAGE)
    page = connection.execute(query).all()
    while page:
        yield page
        after = tuple(getattr(page[-1], column.name) for column in columns)
        page = connection.execute(query.where(tuple_(*columns) > after)).all()


def _key(table: Table, row: Row[*tuple[object, ...]]) -> str:
    return canonical([getattr(row, column.name) for column in table.primary_key.columns])


def _said(key: str) -> str:
    return " of ".join(str(part) for part in reversed(json.loads(key)))


def _digest(row: Row[*tuple[object, ...]]) -> str:
    return hashlib.sha256(canonical([plain(value) for value in row]).encode()).hexdigest()


def _hash(previous: str, number: int, table: str, key: str, digest: str) -> str:
    return hashlib.sha256((previous + canonical([number, table, key, digest])).encode()).hexdigest()


def _head(connection: Connection) -> tuple[int, str]:
    it = schema.settings.c
    value = connection.execute(select(it.value).where(it.name == HEAD)).scalar_one_or_none()
    return (0, GENESIS) if value is None else (int(value[0]), str(value[1]))
