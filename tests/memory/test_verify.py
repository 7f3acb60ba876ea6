"""The chain: whatever is altered behind the ledger's back, verification tells the first break."""

from __future__ import annotations

import sqlite3
from collections.abc import Callable
from datetime import datetime
from pathlib import Path

import pytest
from sqlalchemy import inspect

from memory.errors import LedgerUnavailable
from memory.index import Entry
from memory.ledger import Ledger
from memory.migrations import MIGRATIONS, migrate
from memory.records import InvestmentFacts, Kind, Record, Status
from memory.sqlite import IMMUTABLE
from memory.verify import verify

MakeRecord = Callable[..., Record]
MakeEntry = Callable[..., Entry]


@pytest.fixture
def filled(ledger: Ledger, make_record: MakeRecord, make_entry: MakeEntry, now: datetime) -> Ledger:
    for number in range(1, 6):
        record = make_record(record_id=f"r{number}", derived_from=("r1",) if number == 4 else ())
        ledger.add(record, [make_entry(record.id, number)])
    ledger.revise("local", "r2", InvestmentFacts("New"), [make_entry("r2", 9)], author="ben", reason="typo", at=now)
    ledger.set_status("local", "r3", Status.ARCHIVED, author="ana", reason="old", at=now)
    ledger.set_confidences("local", {"r4": 0.4, "r5": 0.9}, author="ana", reason="doubt", at=now)
    return ledger


def tamper(home: Path, statement: str, *, disarmed: bool = True) -> None:
    connection = sqlite3.connect(home / "ledger.db")
    if disarmed:
        for (name,) in connection.execute("SELECT name FROM sqlite_master WHERE type = 'trigger'").fetchall():
            connection.execute(f"DROP TRIGGER {name}")
    connection.executescript(statement)
    connection.commit()
    connection.close()


def test_an_untouched_ledger_is_clean(filled: Ledger) -> None:
    found = verify(filled)
    assert (found.clean, found.changes, found.records) == (True, 8, 5)


def test_an_empty_ledger_is_clean(ledger: Ledger) -> None:
    assert verify(ledger).clean


@pytest.mark.parametrize(
    ("statement", "break_at"),
    [
        ("UPDATE changes SET reason = 'other' WHERE number = 6", 6),
        ("UPDATE changes SET author = 'other' WHERE number = 3", 3),
        ("DELETE FROM changes WHERE number = 4", 4),
        ("DELETE FROM changes WHERE number = 8", 8),
        ("UPDATE head SET number = 7", 9),
        ("UPDATE records SET facts = replace(facts, 'New', 'Gold') WHERE id = 'r2'", 6),
        ("UPDATE records SET confidence = 0.99 WHERE id = 'r4'", 8),
        ("UPDATE records SET status = 'active' WHERE id = 'r3'", 7),
        ("UPDATE records SET origin = 'verified_tool' WHERE id = 'r1'", 1),
        ("UPDATE records SET kind = 'bug' WHERE id = 'r1'", 1),
        ("UPDATE records SET source = 'elsewhere' WHERE id = 'r5'", 5),
        ("DELETE FROM edges", 8),
        ("DELETE FROM entries WHERE key = 5", 5),
        ("UPDATE entries SET vector = zeroblob(1536) WHERE key = 1", 1),
        ("PRAGMA foreign_keys = OFF; DELETE FROM records WHERE id = 'r5'", 5),
        ("UPDATE scopes SET records = 9", None),
        ("UPDATE records SET facts = '{}' WHERE id = 'r5'", 5),
    ],
)  # fmt: skip
def test_what_was_altered_is_told(filled: Ledger, home: Path, statement: str, break_at: int | None) -> None:
    tamper(home, statement)
    found = verify(filled)
    assert not found.clean
    if break_at is not None and "cannot be read" not in found.problem:
        assert found.break_at == break_at


def test_a_record_put_in_without_a_change_is_told(filled: Ledger, home: Path) -> None:
    columns = """id, workspace, kind, status, title, facts, words, vectors_hash, vectors_count,
        door, origin, source, author, created_at, first_confidence,
        context_hash, confidence, protected, use_count, updated_at, revision"""
    tamper(home, f"INSERT INTO records(key, {columns}) SELECT 99, 'forged', {columns[4:]} FROM records WHERE id = 'r1'")
    assert not verify(filled).clean


@pytest.mark.parametrize("column", IMMUTABLE)
def test_the_database_itself_refuses_to_change_a_credential(filled: Ledger, home: Path, column: str) -> None:
    with pytest.raises(sqlite3.DatabaseError, match="cannot be changed"):
        tamper(home, f"UPDATE records SET {column} = 7 WHERE id = 'r5'", disarmed=False)
    assert verify(filled).clean


@pytest.mark.parametrize(
    "statement",
    [
        "DELETE FROM records WHERE id = 'r5'",
        "UPDATE changes SET author = 'x'",
        "DELETE FROM changes",
        "UPDATE edges SET parent = 'r2'",
        "DELETE FROM edges",
    ],
)
def test_the_database_itself_refuses_to_rewrite_the_past(filled: Ledger, home: Path, statement: str) -> None:
    with pytest.raises(sqlite3.DatabaseError):
        tamper(home, statement, disarmed=False)
    assert verify(filled).clean


def test_migrations_run_once_each_and_can_be_started_again(ledger: Ledger, url: str) -> None:
    assert migrate(ledger.engine) == 0
    Ledger.open(url).close()
    with ledger.reading() as connection:
        rows = connection.exec_driver_sql("SELECT number, name FROM migrations ORDER BY number").all()
    assert [tuple(row) for row in rows] == [(n, name) for n, (name, _) in enumerate(MIGRATIONS, start=1)]


def test_a_migration_that_was_cut_short_is_taken_up_again(home: Path, url: str, make_record: MakeRecord) -> None:
    Ledger.open(url).close()
    last = len(MIGRATIONS)
    tamper(home, f"DELETE FROM migrations WHERE number = {last}", disarmed=False)
    ledger = Ledger.open(url)
    ledger.add(make_record(), [])
    assert inspect(ledger.engine).has_table("audits")
    assert verify(ledger).clean
    ledger.close()


def test_a_ledger_of_a_newer_version_is_left_alone(home: Path, url: str) -> None:
    Ledger.open(url).close()
    tamper(home, "INSERT INTO migrations VALUES (9999, 'from the future', '2030-01-01')", disarmed=False)
    with pytest.raises(LedgerUnavailable, match="newer"):
        Ledger.open(url)


def test_keywords_of_two_kinds_stay_apart(ledger: Ledger, make_record: MakeRecord) -> None:
    ledger.add(make_record(InvestmentFacts("walrus")), [])
    assert ledger.keywords("local", Kind.BUG, ["walrus"], 5) == []
