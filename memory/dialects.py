"""The databases that a ledger can live in, and what each of them does in its own way."""

from __future__ import annotations

import sqlite3
from collections.abc import Mapping, Sequence
from typing import Any, Protocol

from sqlalchemy import URL, Connection, Engine, Select, Table
from sqlalchemy.exc import SQLAlchemyError

from memory import postgres, reasons, sqlite
from memory.errors import LedgerUnavailable


class Dialect(Protocol):
    """What the ledger asks of a database beyond SQLAlchemy Core."""

    @property
    def WRITING(self) -> Mapping[str, Any]:
        """The execution options of a connection that is to hold the write lock in each of its transactions."""
        ...

    @property
    def SINGLE(self) -> Mapping[str, Any]:
        """The execution options of a connection on which every statement sees a state of its own."""
        ...

    def open_engine(self, address: URL) -> Engine:
        """Open the database, ready for its tables. Raises LedgerUnavailable."""
        ...

    def create_objects(self, tx: Connection) -> None:
        """Create the full-text index and the triggers."""
        ...

    def note_touched(self, tx: Connection, table: Table) -> None:
        """Let the database note in ``unsealed`` which rows of a table are written, and keep seals as they are."""
        ...

    def index_beginnings(self, tx: Connection) -> None:
        """Let the full-text index of an older version find words by their beginnings, and know which are common."""
        ...

    def add_keywords(self, tx: Connection, rows: Sequence[tuple[int, str, str]]) -> None:
        """Index rows of (key, mark, words); the mark is as ``memory.scopes`` gives it."""
        ...

    def remove_keywords(self, tx: Connection, rows: Sequence[tuple[int, str, str]]) -> None:
        """Remove rows of (key, mark, words); the last two must be what was indexed."""
        ...

    def find_keys(
        self, connection: Connection, workspace: str, kind: str, terms: Sequence[str]
    ) -> tuple[int, dict[str, list[int]]]:
        """Find for each term the keys of the active records that hold it; one that is ``schema.COMMON`` is left out.

        The number is that of all active records of the workspace and kind.
        """
        ...

    def beginning(self, marks: Sequence[str], terms: Sequence[str]) -> Select[int]:
        """Select the keys of records under ``marks`` with words that begin with all of ``terms``."""
        ...

    def scrub(self, engine: Engine) -> None:
        """Overwrite what deleted rows have left behind. Raises LedgerUnavailable."""
        ...

    def number_on(self, tx: Connection) -> None:
        """Go on numbering rows above those that were copied in with numbers of their own."""
        ...


_DIALECTS: Mapping[str, Dialect] = {"sqlite": sqlite, "postgresql": postgres}


def dialect_of(database: Engine | Connection) -> Dialect:
    """Give the dialect of an open database."""
    return _DIALECTS[database.dialect.name]


def open_engine(address: URL) -> Engine:
    """Open the database at ``address``. Raises LedgerUnavailable, also where no ledger can live in such a database."""
    dialect = _DIALECTS.get(address.get_backend_name())
    if dialect is None or not address.database:
        raise LedgerUnavailable(
            "A ledger lives in an SQLite file or a Postgres database: set a URL such as sqlite:///data/ledger.db or "
            "postgresql://user:password@host/database"
        )
    return dialect.open_engine(address)


def reason(error: SQLAlchemyError, kept: str) -> str:
    """Say why the database failed, what was kept and what to do, without what was being stored and any password."""
    cause = getattr(error, "orig", None) or error
    if type(cause).__module__.startswith("psycopg"):
        return postgres.reason(error, "PRECEDENT_LEDGER_URL", kept)
    return reasons.reason(cause, kept) if isinstance(cause, sqlite3.Error) else f"{cause}. {kept}"
