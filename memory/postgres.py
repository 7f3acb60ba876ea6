"""What only Postgres has: its write lock, its triggers and the table that keywords are found in.

All tables live in a schema of their own, so that the database may serve others too. Readers see one consistent state
(REPEATABLE READ). Writers take an advisory lock before they read anything, so that change numbers have no gaps.
Keywords are the terms that ``memory.terms`` cuts, each with its mark as in ``7:invoice``: the server's own idea of
words is never asked, so that every language finds the same here as in SQLite (``memory.postgres_keywords``).
"""

from __future__ import annotations

import json
import selectors
from typing import Any

from sqlalchemy import URL, Connection, Engine, Table, create_engine, event, text
from sqlalchemy.engine.interfaces import DBAPIConnection
from sqlalchemy.exc import InvalidatePoolError, SQLAlchemyError
from sqlalchemy.pool import ConnectionPoolEntry, PoolProxiedConnection

from memory import schema
from memory.errors import LedgerUnavailable
from memory.facts import canonical
from memory.postgres_keywords import add_keywords as add_keywords
from memory.postgres_keywords import beginning as beginning
from memory.postgres_keywords import find_keys as find_keys
from memory.postgres_keywords import index_beginnings as index_beginnings
from memory.postgres_keywords import remove_keywords as remove_keywords
from memory.reasons import SAVED, UNWRITTEN
from memory.sqlite import IMMUTABLE, WRITES

SCHEMA = "precedent"
WRITING = {WRITES: True, "isolation_level": "READ COMMITTED"}
# One statement sees one state by itself; a transaction around it would cost two more round trips.
SINGLE = {"isolation_level": "AUTOCOMMIT"}

# Any number will do that no other program locks in this database: "precede" in ASCII.
LOCK = 0x70726563656465
LOCK_TIMEOUT_S = 60
CONNECT_TIMEOUT_S = 10

# A person waits for every answer: compiling a query and starting helpers for it take longer than they save.
_SETTINGS = "-c synchronous_commit=on -c jit=off -c max_parallel_workers_per_gather=0"

# What the server must not quote from in its statistics, where erasing a row does not reach.
_UNSAMPLED = {
    "records": ("title", "words", "facts", "source", "loss"),
    "revisions": ("facts", "reason"),
    "entries": ("vector", "reading"),
    "keywords": ("terms",),
}

# What a server ends by a clock of its own, though it answers: by SQLSTATE.
_CUT_SHORT = {
    "57014": "A query took longer than the database server allows, or was cancelled on it",
    "25P03": "A transaction waited longer than the database server allows",
    "25P04": "A transaction took longer than the database server allows",
    "57P05": "A connection was unused for longer than the database server allows",
}

OBJECTS = (
    "CREATE TABLE keywords (key BIGINT PRIMARY KEY, terms TEXT[] NOT NULL)",
    "CREATE INDEX keywords_by_term ON keywords USING gin (terms) WITH (fastupdate = off)",
    """
    CREATE FUNCTION refuse() RETURNS trigger LANGUAGE plpgsql AS
    $$ BEGIN RAISE EXCEPTION '%%', TG_ARGV[0]; END $$
    """,
    f"""
    CREATE TRIGGER credentials_are_immutable BEFORE UPDATE ON records FOR EACH ROW
    WHEN ({" OR ".join(f"NEW.{name} IS DISTINCT FROM OLD.{name}" for name in IMMUTABLE)})
    EXECUTE FUNCTION refuse('kind and provenance of a record cannot be changed')
    """,
    """
    CREATE TRIGGER records_stay BEFORE DELETE OR TRUNCATE ON records
    EXECUTE FUNCTION refuse('records are forgotten, never deleted')
    """,
    """
    CREATE TRIGGER changes_stay BEFORE UPDATE OR DELETE OR TRUNCATE ON changes
    EXECUTE FUNCTION refuse('changes are only appended')
    """,
    """
    CREATE TRIGGER edges_stay BEFORE UPDATE OR DELETE OR TRUNCATE ON edges
    EXECUTE FUNCTION refuse('where a record was derived from cannot be changed')
    """,
    *(
        f"ALTER TABLE {table} ALTER COLUMN {column} SET STATISTICS 0"
        for table, columns in _UNSAMPLED.items()
        for column in columns
    ),
)


def connection_options(search_path: str) -> dict[str, Any]:
    """The parameters of every connection: durable, patient, and blind to other schemas than ``search_path``."""
    return {
        "connect_timeout": CONNECT_TIMEOUT_S,
        "application_name": "precedent",
        "options": f"-c search_path={search_path} -c lock_timeout={LOCK_TIMEOUT_S}s {_SETTINGS}",
    }


def replace_lost_connections(engine: Engine) -> None:
    """Replace connections that the server has closed when they are next needed, without asking it each time.

    A server that goes away closes its sockets, and one that is closed can be read from; only then is it asked.
    """

    @event.listens_for(engine, "checkout")
    def _require_open(connection: DBAPIConnection, _entry: ConnectionPoolEntry, _: PoolProxiedConnection) -> None:
        if connection.closed or (_has_news(connection.fileno()) and not _answers(engine, connection)):
            raise InvalidatePoolError


def _has_news(socket: int) -> bool:
    with selectors.DefaultSelector() as selector:
        selector.register(socket, selectors.EVENT_READ)
        return bool(selector.select(0))


def _answers(engine: Engine, connection: DBAPIConnection) -> bool:
    try:
        return engine.dialect.do_ping(connection)
    except engine.dialect.loaded_dbapi.Error:
        return False


def open_engine(address: URL) -> Engine:
    """Open the database at ``address`` with its schema. Raises LedgerUnavailable, and SQLAlchemy's errors."""
    engine = create_engine(
        address.set(drivername="postgresql+psycopg"),
        connect_args=connection_options(SCHEMA),
        isolation_level="REPEATABLE READ",
        json_serializer=canonical,
        json_deserializer=json.loads,
    )

    replace_lost_connections(engine)

    @event.listens_for(engine, "begin")
    def _begin(connection: Connection) -> None:
        if connection.get_execution_options().get(WRITES, False):
            connection.execute(text(f"SELECT pg_advisory_xact_lock({LOCK})"))

    try:
        _prepare(engine)
    except BaseException:
        engine.dispose()
        raise
    return engine


def _prepare(engine: Engine) -> None:
    """Make the schema where it is missing. Raises LedgerUnavailable where the database cannot hold every text."""
    asked = text("SELECT current_setting('server_encoding'), to_regnamespace(:schema) IS NOT NULL")
    with engine.connect() as connection:
        encoding, there = connection.execute(asked, {"schema": SCHEMA}).one()
    if encoding != "UTF8":
        raise LedgerUnavailable(
            f"The database's encoding is {encoding}, which cannot hold every text: make one with ENCODING 'UTF8'."
        )
    if not there:
        with engine.execution_options(**WRITING).begin() as tx:
            tx.execute(text(f"CREATE SCHEMA IF NOT EXISTS {SCHEMA}"))


def create_objects(tx: Connection) -> None:
    """Create the table of keywords and the triggers."""
    for statement in OBJECTS:
        tx.exec_driver_sql(statement)


def note_touched(tx: Connection, table: Table) -> None:
    """Let triggers note in ``unsealed`` which rows of a table are written, and keep seals as they are."""
    columns = [column.name for column in table.primary_key.columns]
    new, old = (", ".join(f"{row}.{name}" for name in columns) for row in ("NEW", "OLD"))
    for statement in (
        f"""
        CREATE OR REPLACE FUNCTION note_{table.name}() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN
            INSERT INTO unsealed (table_name, key) VALUES (TG_TABLE_NAME,
                CASE TG_OP WHEN 'DELETE' THEN json_build_array({old}) ELSE json_build_array({new}) END);
            RETURN NULL;
        END $$
        """,  # noqa: S608
        f"""
        CREATE OR REPLACE TRIGGER {table.name}_are_noted AFTER INSERT OR UPDATE OR DELETE ON {table.name}
        FOR EACH ROW EXECUTE FUNCTION note_{table.name}()
        """,
        """
        CREATE OR REPLACE TRIGGER seals_stay BEFORE UPDATE OR DELETE OR TRUNCATE ON seals
        EXECUTE FUNCTION refuse('seals are only appended')
        """,
    ):
        tx.exec_driver_sql(statement)


def scrub(engine: Engine) -> None:
    """Write the tables anew, without their deleted rows."""
    with engine.connect() as connection:
        alone = connection.execution_options(isolation_level="AUTOCOMMIT")
        for name in (*_UNSAMPLED, "common_terms"):
            alone.exec_driver_sql(f"VACUUM (FULL) {name}")


def number_on(tx: Connection) -> None:
    """Go on numbering rows above those that were copied in with numbers of their own."""
    for table in schema.tables.sorted_tables:
        column = table.autoincrement_column
        if column is not None:
            tx.execute(
                text(
                    f"SELECT setval(pg_get_serial_sequence('{table.name}', '{column.name}'), "  # noqa: S608
                    f"(SELECT coalesce(max({column.name}), 0) + 1 FROM {table.name}), false)"
                )
            )


def reason(error: SQLAlchemyError, setting: str, kept: str = SAVED) -> str:
    """Say why the server failed, what was ``kept`` and what to do; ``setting`` is the variable that holds its address.

    Nothing of what was being stored is repeated, which a server's details do, and no password.
    """
    cause = getattr(error, "orig", None) or error
    state: str = getattr(cause, "sqlstate", None) or ""
    said: str = getattr(getattr(cause, "diag", None), "message_primary", None) or " ".join(str(cause).split())
    if state[:2] == "28" or "authentication failed" in said or ("role" in said and "does not exist" in said):
        return f"The database server refused the user or the password of {setting}."
    if state == "3D000" or ("database" in said and "does not exist" in said):
        return f"The server has no such database: make it, or correct {setting}. ({said})"
    if state in _CUT_SHORT:
        return (
            f"{_CUT_SHORT[state]} ({said}). {kept} Try again; where it goes on, let the user of {setting} take longer."
        )
    lost = not state and any(base.__name__ == "OperationalError" for base in type(cause).__mro__)
    if lost or state[:2] in {"08", "57"}:
        return (
            f"The database server does not answer ({said}). See that it runs and that {setting} is right, then try "
            "again; what was acknowledged is kept."
        )
    if state == "53100":
        return f"The database server's disk is full. {UNWRITTEN} Make room on it and try again."
    if state[:2] in {"40", "55"}:
        return f"Another process was writing for too long; try again. ({said})"
    if state == "42501":
        return f"The user of {setting} may not do this: {said}."
    return said
