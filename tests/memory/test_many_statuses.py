"""Many records change their status at once, and the ledger cannot tell the difference from one by one."""

from __future__ import annotations

from datetime import datetime

import pytest

from memory.errors import RecordNotFound
from memory.intake import Intake
from memory.ledger import Ledger
from memory.records import Door, InvestmentFacts, Kind, Status
from memory.terms import tokens
from memory.verify import verify


@pytest.fixture
def ids(intake: Intake, now: datetime) -> list[str]:
    records = [
        intake.check(
            "local", Kind.INVESTMENT, InvestmentFacts(f"Firm {number}", summary=f"breeds quokkas at site {number}"),
            door=Door.FORM, source="form", author="kim", now=now,
        )
        for number in range(6)
    ]  # fmt: skip
    intake.store(records)
    return [record.id for record in records]


def test_they_leave_counts_and_keywords_and_come_back(ledger: Ledger, ids: list[str], now: datetime) -> None:
    assert ledger.set_statuses("local", ids[:4], Status.FORGOTTEN, author="kim", reason="undo", at=now) == 4
    assert ledger.counts("local") == {Kind.INVESTMENT: 2}
    assert {it.id for it in ledger.find("local").records} == set(ids[4:])
    assert [it.record_id for it in ledger.keywords("local", Kind.INVESTMENT, tokens("quokkas"), 10)] != []
    assert {it.record_id for it in ledger.keywords("local", Kind.INVESTMENT, tokens("quokkas"), 10)} <= set(ids[4:])
    assert ledger.set_statuses("local", ids, Status.ACTIVE, author="kim", reason="back", at=now) == 4
    assert ledger.counts("local") == {Kind.INVESTMENT: 6}


def test_each_has_its_own_change_in_an_unbroken_chain(ledger: Ledger, ids: list[str], now: datetime) -> None:
    before = ledger.head()
    ledger.set_statuses("local", ids, Status.ARCHIVED, author="kim", reason="tidy", at=now)
    assert [it.record_id for it in ledger.changes(before, 100)] == ids
    assert all(it.removed for it in ledger.changes(before, 100))
    assert verify(ledger).problem == ""


def test_an_unknown_record_stops_all_of_it(ledger: Ledger, ids: list[str], now: datetime) -> None:
    with pytest.raises(RecordNotFound):
        ledger.set_statuses("local", [*ids, "nope"], Status.ARCHIVED, author="kim", reason="tidy", at=now)
    assert ledger.counts("local") == {Kind.INVESTMENT: 6}


def test_those_that_stand_there_already_are_left_alone(ledger: Ledger, ids: list[str], now: datetime) -> None:
    before = ledger.head()
    assert ledger.set_statuses("local", ids, Status.ACTIVE, author="kim", reason="same", at=now) == 0
    assert ledger.head() == before
