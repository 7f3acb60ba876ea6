"""One act on many records: foreseen as it is done, whole or not at all, and taken back exactly."""

from __future__ import annotations

from datetime import datetime

import pytest

from memory.bulk import Action, Effect, carry_out, foresee
from memory.chroma_index import ChromaIndex
from memory.errors import LedgerUnavailable
from memory.intake import Intake
from memory.ledger import Ledger
from memory.lifecycle import Lifecycle
from memory.records import Door, InvestmentFacts, Kind, Status
from memory.verify import verify


@pytest.fixture
def lifecycle(ledger: Ledger, index: ChromaIndex) -> Lifecycle:
    return Lifecycle(ledger, index)


@pytest.fixture
def five(intake: Intake, now: datetime) -> list[str]:
    facts = [InvestmentFacts(name, summary=f"{name} rents out kayaks") for name in ("A1", "B2", "C3", "D4", "E5")]
    return [
        intake.remember("local", Kind.INVESTMENT, it, door=Door.FORM, source="form", author="ana", now=now).id
        for it in facts
    ]


def test_what_is_foreseen_is_done_and_the_protected_stays_and_undo_restores_exactly(
    ledger: Ledger, lifecycle: Lifecycle, five: list[str], now: datetime
) -> None:
    def do(action: Action, ids: list[str]) -> Effect:
        return carry_out(ledger, lifecycle, "local", ids, action, author="ana", reason="in bulk", now=now)

    do(Action.PROTECT, five[:1])
    do(Action.ARCHIVE, five[1:2])
    before = ledger.get("local", five)
    expected = foresee(before.values(), Action.ARCHIVE)
    assert expected == Effect(Action.ARCHIVE, tuple(five[2:]), protected=1, total=5)
    assert do(Action.ARCHIVE, five) == expected
    assert [ledger.get("local", five)[it].status for it in five] == [Status.ACTIVE] + [Status.ARCHIVED] * 4
    do(Action.ARCHIVE.opposite, list(expected.changed))
    assert [it.status for it in ledger.get("local", five).values()] == [it.status for it in before.values()]
    assert do(Action.PROTECT, five).changed == tuple(five[1:])
    assert verify(ledger).clean


def test_nothing_is_half_done_when_it_fails_midway(
    ledger: Ledger, lifecycle: Lifecycle, five: list[str], now: datetime
) -> None:
    head = ledger.head()
    with ledger.transaction() as tx:
        tx.exec_driver_sql(
            f"CREATE TRIGGER jam BEFORE UPDATE ON records WHEN new.id = '{five[3]}' "
            "BEGIN SELECT RAISE(ABORT, 'jam'); END"
        )
    for action in (Action.ARCHIVE, Action.PROTECT):
        with pytest.raises(LedgerUnavailable):
            carry_out(ledger, lifecycle, "local", five, action, author="ana", reason="in bulk", now=now)
    assert ledger.head() == head
    assert all(it.status is Status.ACTIVE and not it.protected for it in ledger.get("local", five).values())


def test_another_workspace_is_out_of_reach(
    ledger: Ledger, lifecycle: Lifecycle, five: list[str], now: datetime
) -> None:
    done = carry_out(ledger, lifecycle, "other", five, Action.ARCHIVE, author="eve", reason="", now=now)
    assert done == Effect(Action.ARCHIVE, (), 0, 0)
