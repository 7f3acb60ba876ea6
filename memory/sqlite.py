"""What only SQLite has: its pragmas, its write lock, its triggers and its full-text index.

The full-text index (FTS5) holds one row per active or archived record, under its key. Its terms carry a mark of their
scope and status, as in ``7:invoice``, so that a lookup reads one workspace and kind only and the frequency of a term
never tells of another's.
"""

from __future__ import annotations

import json
import os
import sqlite3
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from sqlalchemy import (
    URL,
    Connection,
    Dialect,
    Engine,
    Integer,
    Select,
    Table,
    column,
    create_engine,
    event,
    literal_column,
    select,
    table,
)
from sqlalchemy.engine.interfaces import DBAPIConnection
from sqlalchemy.exc import InvalidatePoolError
from sqlalchemy.pool import ConnectionPoolEntry, PoolProxiedConnection

from memory.errors import LedgerUnavailable
from memory.facts import canonical
from memory.reasons import reason
from memory.schema import COMMON

BUSY_TIMEOUT_MS = 60_000
WRITES = "precedent_writes"
WRITING = {WRITES: True}
SINGLE: dict[str, Any] = {}

_GONE = (
    "Nothing more was written. Put it back and this goes on by itself; or bring a backup back with "
    "python -m memory restore FILE; or start Precedent again to begin with an empty memory."
)

IMMUTABLE = (
    "key", "id", "workspace", "kind", "door", "origin", "source", "author", "created_at", "first_confidence",
    "context_hash",
)  # fmt: skip

KEYWORDS = """
CREATE VIRTUAL TABLE keywords USING fts5(
    words, content='', detail=none, columnsize=0,
    tokenize="unicode61 remove_diacritics 0 categories 'L* N* M* P* S* Co'"
)
"""

TRIGGERS = (
    f"""
    CREATE TRIGGER credentials_are_immutable BEFORE UPDATE ON records
    WHEN {" OR ".join(f"NEW.{name} IS NOT OLD.{name}" for name in IMMUTABLE)}
    BEGIN SELECT RAISE(ABORT, 'kind and provenance of a record cannot be changed'); END
    """,
    """
    CREATE TRIGGER records_stay BEFORE DELETE ON records
    BEGIN SELECT RAISE(ABORT, 'records are forgotten, never deleted'); END
    """,
    """
    CREATE TRIGGER changes_are_immutable BEFORE UPDATE ON changes
    BEGIN SELECT RAISE(ABORT, 'changes are only appended'); END
    """,
    """
    CREATE TRIGGER changes_stay BEFORE DELETE ON changes
    BEGIN SELECT RAISE(ABORT, 'changes are only appended'); END
    """,
    """
    CREATE TRIGGER edges_are_immutable BEFORE UPDATE ON edges
    BEGIN SELECT RAISE(ABORT, 'where a record was derived from cannot be changed'); END
    """,
    """
    CREATE TRIGGER edges_stay BEFORE DELETE ON edges
    BEGIN SELECT RAISE(ABORT, 'where a record was derived from cannot be changed'); END
    """,
)  # fmt: skip


def open_engine(address: URL) -> Engine:
    """Open the file at ``address``; its folder is made where it is missing. Raises LedgerUnavailable.

    Every connection is durable, patient and in charge of its own transactions. What is written to a file that was moved
    or deleted would be lost, so connections to one are dropped; the engine goes on once a file is in its place again.
    """
    file = Path(address.database or "")
    if address.database == ":memory:":
        raise LedgerUnavailable(
            "A ledger in the computer's memory would be lost: set a URL such as sqlite:///data/x.db"
        )
    try:
        file.parent.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise LedgerUnavailable(f"The data folder {file.parent} cannot be made. {reason(error)}") from error
    for place, name in ((file.parent, "data folder"), (file, "ledger")):
        if place.exists() and not os.access(place, os.W_OK):
            raise LedgerUnavailable(
                f"The {name} {place} cannot be written to. What is in it is kept. Allow writing there, or choose "
                "another folder in PRECEDENT_HOME."
            )
    engine = create_engine(address, json_serializer=canonical, json_deserializer=json.loads)
    opened = False

    @event.listens_for(engine, "do_connect")
    def _make_no_second(_dialect: Dialect, _entry: ConnectionPoolEntry, place: list[Any], options: Any) -> None:
        if opened and not file.exists():
            raise LedgerUnavailable(f"The ledger {file} is gone: it was moved or deleted while Precedent ran. {_GONE}")
        if opened:
            place[0], options["uri"] = f"{file.resolve().as_uri()}?mode=rw", True

    @event.listens_for(engine, "checkout")
    def _stay_with_it(_connection: DBAPIConnection, entry: ConnectionPoolEntry, _: PoolProxiedConnection) -> None:
        if entry.info["file"] != _identity(file):
            raise InvalidatePoolError

    @event.listens_for(engine, "connect")
    def _connect(connection: DBAPIConnection, entry: ConnectionPoolEntry) -> None:
        nonlocal opened
        connection.isolation_level = None
        cursor = connection.cursor()
        cursor.execute(f"PRAGMA busy_timeout = {BUSY_TIMEOUT_MS}")
        cursor.execute("PRAGMA journal_mode = WAL")
        cursor.execute("PRAGMA synchronous = FULL")
        cursor.execute("PRAGMA foreign_keys = ON")
        cursor.execute("PRAGMA cache_size = -65536")
        cursor.close()
        opened, entry.info["file"] = True, _identity(file)

    @event.listens_for(engine, "begin")
    def _begin(connection: Connection) -> None:
        writes = connection.get_execution_options().get(WRITES, False)
        connection.exec_driver_sql("BEGIN IMMEDIATE" if writes else "BEGIN")

    return engine


def _identity(file: Path) -> tuple[int, int] | None:
    """Say which file is in a place now; None where there is none."""
    try:
        found = file.stat()
    except OSError:
        return None
    return found.st_dev, found.st_ino


def create_objects(tx: Connection) -> None:
    """Create the full-text index and the triggers."""
    for statement in (KEYWORDS, *TRIGGERS):
        tx.exec_driver_sql(statement)


def note_touched(tx: Connection, table: Table) -> None:
    """Let triggers note in ``unsealed`` which rows of a table are written, and keep seals as they are."""
    for action, row in (("INSERT", "NEW"), ("UPDATE", "NEW"), ("DELETE", "OLD")):
        key = ", ".join(f"{row}.{column.name}" for column in table.primary_key.columns)
        note = f"INSERT INTO unsealed (table_name, key) VALUES ('{table.name}', json_array({key}))"  # noqa: S608
        name = f"{table.name}_{action.lower()}_is_noted"
        tx.exec_driver_sql(f"CREATE TRIGGER IF NOT EXISTS {name} AFTER {action} ON {table.name} BEGIN {note}; END")
    for action in ("UPDATE", "DELETE"):
        tx.exec_driver_sql(
            f"CREATE TRIGGER IF NOT EXISTS seals_stay_at_{action.lower()} BEFORE {action} ON seals "
            "BEGIN SELECT RAISE(ABORT, 'seals are only appended'); END"
        )


def _marked(mark: str, words: str) -> str:
    return " ".join(f"{mark}:{word}" for word in dict.fromkeys(words.split()))


def index_beginnings(tx: Connection) -> None:
    """Do nothing: it finds words by their beginnings, and stops reading where a term is common."""


def scrub(engine: Engine) -> None:
    """Overwrite what deleted rows have left in the file, the full-text index and the write-ahead log."""
    connection = engine.raw_connection()
    try:
        cursor = connection.cursor()
        cursor.execute("INSERT INTO keywords(keywords) VALUES ('optimize')")
        cursor.execute("VACUUM")
        cursor.execute("PRAGMA wal_checkpoint(TRUNCATE)")
        cursor.close()
    except sqlite3.Error as error:
        raise LedgerUnavailable(f"The memory could not be cleaned. {reason(error)}") from error
    finally:
        connection.close()


def add_keywords(tx: Connection, rows: Sequence[tuple[int, str, str]]) -> None:
    """Index rows of (key, mark, words)."""
    if rows:
        tx.exec_driver_sql(
            "INSERT INTO keywords(rowid, words) VALUES (?, ?)",
            [(key, _marked(mark, words)) for key, mark, words in rows],
        )


def remove_keywords(tx: Connection, rows: Sequence[tuple[int, str, str]]) -> None:
    """Remove rows of (key, mark, words); the last two must be what was indexed."""
    if rows:
        tx.exec_driver_sql(
            "INSERT INTO keywords(keywords, rowid, words) VALUES ('delete', ?, ?)",
            [(key, _marked(mark, words)) for key, mark, words in rows],
        )


def find_keys(
    connection: Connection, workspace: str, kind: str, terms: Sequence[str]
) -> tuple[int, dict[str, list[int]]]:
    """Find for each term the keys of the active records that hold it; one that is ``schema.COMMON`` is left out.

    The number is that of all active records of the workspace and kind.
    """
    asked = "SELECT id, records FROM scopes WHERE workspace = ? AND kind = ?"
    scope = connection.exec_driver_sql(asked, (workspace, kind)).first()
    if scope is None:
        return 0, {}
    found: dict[str, list[int]] = {}
    for term in terms:
        rows = connection.exec_driver_sql(
            "SELECT rowid FROM keywords WHERE keywords MATCH ? LIMIT ?", (_quoted(scope.id, term), COMMON + 1)
        ).all()
        if 0 < len(rows) <= COMMON:
            found[term] = [row[0] for row in rows]
    return scope.records, found


def beginning(marks: Sequence[str], terms: Sequence[str]) -> Select[int]:
    """Select the keys of records under ``marks`` with words that begin with all of ``terms``."""
    sought = [" AND ".join(f"{_quoted(mark, term)} *" for term in terms) for mark in marks]
    match = literal_column("keywords").op("MATCH")(" OR ".join(f"({it})" for it in sought))
    return select(column("rowid", Integer)).select_from(table("keywords")).where(match)


def _quoted(mark: str, term: str) -> str:
    return '"' + f"{mark}:{term}".replace('"', '""') + '"'


def number_on(tx: Connection) -> None:
    """Do nothing: SQLite takes the next number above what it holds."""
