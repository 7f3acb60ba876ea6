"""Check the ledger against its own chain: every change as written, every record as its last change left it."""

from __future__ import annotations

from collections import defaultdict
from dataclasses import dataclass, replace

from sqlalchemy import Connection, func, select

from memory import schema
from memory.chain import GENESIS, ChangeRow, change_hash, state_digest, vectors_digest
from memory.errors import RecordInvalid
from memory.index import Entry
from memory.ledger_reader import LedgerReader
from memory.records import Status
from memory.rows import entry_from, facts_values
from memory.seals import first_break

PAGE = 1_000


@dataclass(frozen=True, slots=True)
class Verification:
    """What a check found: ``break_at`` is the number of the first change that does not fit, ``problem`` says how."""

    changes: int
    records: int
    problem: str = ""
    break_at: int | None = None

    @property
    def clean(self) -> bool:
        return not self.problem


def verify(ledger: LedgerReader, *, tx: Connection | None = None) -> Verification:
    """Walk the whole chain, compare every record, its vectors and the counts, then all that is sealed.

    Raises LedgerUnavailable.
    """
    with ledger.reading(tx) as connection:
        walked = _walk(connection)
        if not walked.clean:
            return walked
        found = _compare_records(ledger, connection, walked.changes)
        return replace(found, problem=first_break(connection)) if found.clean else found


def _walk(connection: Connection) -> Verification:
    number, previous = 0, GENESIS
    it = schema.changes.c
    while rows := connection.execute(
        select(schema.changes).where(it.number > number).order_by(it.number).limit(PAGE)
    ).all():
        for row in rows:
            if row.number != number + 1:
                return Verification(number, 0, f"Change {number + 1} is missing.", number + 1)
            values = row._asdict()
            stored = values.pop("hash")
            previous = change_hash(previous, ChangeRow(**values))
            if previous != stored:
                return Verification(number, 0, f"Change {row.number} was altered.", row.number)
            number = row.number
    head = connection.execute(select(schema.head.c.number, schema.head.c.hash)).one()
    if (head.number, head.hash) != (number, previous):
        return Verification(number, 0, f"The last changes are missing: {head.number} were made.", number + 1)
    return Verification(number, 0)


def _compare_records(ledger: LedgerReader, connection: Connection, changes: int) -> Verification:
    last = select(func.max(schema.changes.c.number)).group_by(schema.changes.c.record_id)
    it = schema.changes.c
    seen, after = 0, ""
    active: dict[tuple[str, str], list[int]] = defaultdict(lambda: [0, 0])
    while rows := connection.execute(
        select(it.record_id, it.workspace, it.number, it.state)
        .where(it.number.in_(last.where(it.record_id > after)))
        .order_by(it.record_id)
        .limit(PAGE)
    ).all():
        vectors = _vectors(connection, [row.record_id for row in rows])
        columns = _columns(connection, [row.record_id for row in rows])
        places: dict[str, list[str]] = defaultdict(list)
        for row in rows:
            places[row.workspace].append(row.record_id)
        try:
            records = {workspace: ledger.get(workspace, ids, tx=connection) for workspace, ids in places.items()}
        except (RecordInvalid, ValueError, TypeError) as error:
            return Verification(changes, seen, f"A record cannot be read: {error}", rows[0].number)
        for row in rows:
            record = records[row.workspace].get(row.record_id)
            if record is None:
                return Verification(changes, seen, f"Record {row.record_id} is missing.", row.number)
            entries = vectors[row.record_id]
            if state_digest(record, vectors_digest(entries)) != row.state:
                problem = f"Record {row.record_id} is not as change {row.number} left it."
                return Verification(changes, seen, problem, row.number)
            derived = facts_values(record)
            if any(derived[name] != value for name, value in columns[record.id].items()):
                problem = f"What record {row.record_id} is found by is not what its facts say."
                return Verification(changes, seen, problem, row.number)
            if record.status is Status.ACTIVE:
                active[record.workspace, record.kind.value][0] += 1
                active[record.workspace, record.kind.value][1] += len(entries)
            seen += 1
        after = rows[-1].record_id
    total = connection.execute(select(func.count()).select_from(schema.records)).scalar_one()
    if total != seen:
        return Verification(changes, seen, f"{total - seen} records were put in without a change.")
    scopes = connection.execute(select(schema.scopes)).all()
    counted = {(row.workspace, row.kind): [row.records, row.entries] for row in scopes if row.records or row.entries}
    if counted != dict(active):
        return Verification(changes, seen, "The counts of active records do not agree with the records.")
    return Verification(changes, seen)


def _columns(connection: Connection, ids: list[str]) -> dict[str, dict[str, object]]:
    """Read the columns that repeat what the facts say."""
    it = schema.records.c
    query = select(it.id, it.title, it.year, it.outcome, it.loss, it.currency).where(it.id.in_(ids))
    rows = [row._asdict() for row in connection.execute(query)]
    return {row.pop("id"): row for row in rows}


def _vectors(connection: Connection, ids: list[str]) -> dict[str, list[Entry]]:
    it = schema.entries.c
    found: dict[str, list[Entry]] = defaultdict(list)
    columns = (schema.records.c.id, it.facet, it.passage, it.vector, it.reading)
    query = select(*columns).join_from(schema.entries, schema.records)
    for row in connection.execute(query.where(schema.records.c.id.in_(ids))):
        found[row.id].append(replace(entry_from(row), reading=row.reading or b""))
    return found
