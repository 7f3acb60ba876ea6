"""The ledger's migrations. Each commits together with its own row, so a killed start resumes where it was."""

from __future__ import annotations

from collections.abc import Callable
from datetime import UTC, datetime
from uuid import uuid4

from sqlalchemy import Connection, Engine, insert, inspect, select

from memory import schema
from memory.chain import GENESIS
from memory.dialects import dialect_of
from memory.errors import LedgerUnavailable
from memory.records import Status
from memory.scopes import show
from memory.seals import watch

IDENTITY = "identity"
PAGE = 500


_FIRST = ("head", "settings", "scopes", "records", "edges", "entries", "revisions", "changes")


def _first_tables(tx: Connection) -> None:
    schema.tables.create_all(tx, tables=[schema.tables.tables[name] for name in _FIRST])
    tx.execute(insert(schema.head).values(id=1, number=0, hash=GENESIS))
    dialect_of(tx).create_objects(tx)


def _saved_audits(tx: Connection) -> None:
    schema.audits.create(tx, checkfirst=True)


def _imports(tx: Connection) -> None:
    schema.imports.create(tx, checkfirst=True)
    schema.import_rows.create(tx, checkfirst=True)


def _decisions(tx: Connection) -> None:
    schema.decisions.create(tx, checkfirst=True)
    schema.outcomes.create(tx, checkfirst=True)


def _concerns(tx: Connection) -> None:
    schema.concerns.create(tx, checkfirst=True)
    schema.ratings.create(tx, checkfirst=True)


def _feedback(tx: Connection) -> None:
    schema.feedback.create(tx, checkfirst=True)


def _doubts(tx: Connection) -> None:
    for index in schema.records.indexes:
        if index.name in {"records_by_worth", "records_unsourced"}:
            index.create(tx, checkfirst=True)


def _identity(tx: Connection) -> None:
    if tx.execute(select(schema.settings.c.name).where(schema.settings.c.name == IDENTITY)).first() is None:
        tx.execute(insert(schema.settings).values(name=IDENTITY, value=uuid4().hex))


def _close_readings(tx: Connection) -> None:
    column = schema.entries.c.reading
    if column.name not in {it["name"] for it in inspect(tx).get_columns("entries")}:
        tx.exec_driver_sql(f"ALTER TABLE entries ADD COLUMN {column.name} {column.type.compile(tx.dialect)}")


def _browsing(tx: Connection) -> None:
    schema.views.create(tx, checkfirst=True)
    next(it for it in schema.records.indexes if it.name == "records_browsed").create(tx, checkfirst=True)


def _seals(tx: Connection) -> None:
    schema.seals.create(tx, checkfirst=True)
    schema.unsealed.create(tx, checkfirst=True)
    watch(tx)


def _beginnings(tx: Connection) -> None:
    dialect_of(tx).index_beginnings(tx)
    it = schema.records.c
    archived = select(it.key, it.workspace, it.kind, it.status, it.words, it.vectors_count)
    archived = archived.where(it.status == Status.ARCHIVED.value).order_by(it.key)
    after = 0
    while rows := tx.execute(archived.where(it.key > after).limit(PAGE)).all():
        show(tx, [row._asdict() for row in rows])
        after = rows[-1].key


MIGRATIONS: tuple[tuple[str, Callable[[Connection], None]], ...] = (
    ("first tables", _first_tables),
    ("saved audits", _saved_audits),
    ("imports", _imports),
    ("decisions and outcomes", _decisions),
    ("concerns and ratings", _concerns),
    ("feedback", _feedback),
    ("finding what is in doubt", _doubts),
    ("close readings", _close_readings),
    ("a name of its own", _identity),
    ("browsing many records", _browsing),
    ("seals", _seals),
    ("beginnings of words", _beginnings),
)


def migrate(engine: Engine) -> int:
    """Apply what is missing, in order, and say how many were applied.

    Raises LedgerUnavailable where the database was written by a newer version of the product.
    """
    if _applied(engine) == len(MIGRATIONS):
        return 0
    writer = engine.execution_options(**dialect_of(engine).WRITING)
    with writer.begin() as tx:
        schema.migrations.create(tx, checkfirst=True)
    done = 0
    for number, (name, change) in enumerate(MIGRATIONS, start=1):
        with writer.begin() as tx:
            if tx.execute(select(schema.migrations.c.number).where(schema.migrations.c.number == number)).first():
                continue
            change(tx)
            tx.execute(insert(schema.migrations).values(number=number, name=name, applied_at=datetime.now(UTC)))
            done += 1
    return done


def _applied(engine: Engine) -> int:
    with engine.connect() as connection:
        if not inspect(connection).has_table("migrations"):
            return 0
        numbers = list(connection.execute(select(schema.migrations.c.number)).scalars())
    if numbers and max(numbers) > len(MIGRATIONS):
        raise LedgerUnavailable(
            "The data folder was written by a newer version of Precedent; start that version instead."
        )
    return len(numbers)
