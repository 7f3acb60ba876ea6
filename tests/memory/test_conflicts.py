"""Contradictions: held for a person with both sides named; records that can both be right are left alone."""

from __future__ import annotations

from datetime import datetime
from decimal import Decimal
from typing import Any

import pytest

from memory.concerns import Concerns, Worry
from memory.intake import Intake
from memory.ledger import Ledger
from memory.money import Money
from memory.records import BugFacts, Door, Facts, InvestmentFacts, Kind, Note, Outcome, Record, Status

LESS = Money(Decimal(7_500), "USD")
LOST = InvestmentFacts(
    "Nimbus Meals Inc", "Food", "Boxes of cooked dinners", 2020, outcome=Outcome.WRITTEN_OFF,
    invested=Money(Decimal(75_000), "USD"),
)  # fmt: skip


def put(intake: Intake, now: datetime, facts: Facts, kind: Kind = Kind.INVESTMENT, **options: Any) -> Record:
    given = {"door": Door.FORM, "source": "form", "author": "ana", "now": now} | options
    return intake.remember("local", kind, facts, **given)


@pytest.mark.parametrize(
    ("new", "says"),
    [
        (InvestmentFacts("Nimbus Meals", year=2020, outcome=Outcome.ACQUIRED), "written off"),
        (InvestmentFacts("nimbus meals, Inc.", outcome=Outcome.WENT_PUBLIC), "written off"),
        (InvestmentFacts("Nimbus Meals", year=2020, outcome=Outcome.WRITTEN_OFF, invested=LESS), "75,000"),
        (InvestmentFacts("Meals Nimbus Ltd", year=2014, outcome=Outcome.WRITTEN_OFF), "2014"),
    ],
)  # fmt: skip
def test_an_opposite_outcome_amount_or_year_of_the_same_company_is_held(
    ledger: Ledger, intake: Intake, now: datetime, new: InvestmentFacts, says: str
) -> None:
    old = put(intake, now, LOST)
    held = put(intake, now, new)
    assert held.status is Status.HELD
    assert ledger.get("local", [held.id])[held.id].status is Status.HELD
    (waiting,) = Concerns(ledger).waiting("local", worries=[Worry.CONFLICT])
    assert (waiting.record_id, waiting.concern.other_id) == (held.id, old.id)
    assert says in waiting.concern.detail
    assert [it.number for it in Concerns(ledger).waiting("local", record_id=old.id)] == [waiting.number]
    assert Concerns(ledger).waiting("other") == []


def test_one_investment_told_in_two_currencies_is_held_so_that_its_loss_is_not_counted_twice(
    intake: Intake, now: datetime
) -> None:
    put(intake, now, LOST)
    told = InvestmentFacts("Nimbus Meals", year=2020, invested=Money(Decimal(70_000), "EUR"), outcome=LOST.outcome)
    assert put(intake, now, told).status is Status.HELD


@pytest.mark.parametrize(
    "name", ["NimbusMeals", "Nimbus-Meals Ltd", "Nimbus Mеals", "Nímbus Meals", "N i m b u s Meals"]
)
def test_a_name_that_only_looks_the_same_is_the_same(intake: Intake, now: datetime, name: str) -> None:
    put(intake, now, LOST)
    assert put(intake, now, InvestmentFacts(name, year=2020, outcome=Outcome.ACQUIRED)).status is Status.HELD


@pytest.mark.parametrize(
    "new",
    [
        InvestmentFacts("Nimbus Meals", year=2020, outcome=Outcome.SHUT_DOWN),
        InvestmentFacts("Nimbus Robots", "Food", "Boxes of cooked dinners", 2020, outcome=Outcome.ACQUIRED),
        InvestmentFacts("Nimbus Meals", year=2020, outcome=Outcome.WRITTEN_OFF, invested=Money(Decimal(75_000), "USD")),
    ],
)
def test_records_that_can_both_be_right_are_taken(intake: Intake, now: datetime, new: InvestmentFacts) -> None:
    put(intake, now, LOST)
    assert put(intake, now, new).status is Status.ACTIVE


def test_a_bug_said_to_be_fixed_and_not_fixed_is_held(intake: Intake, now: datetime) -> None:
    put(intake, now, BugFacts("Voucher redeemed twice"), Kind.BUG)
    assert (
        put(intake, now, BugFacts("Voucher redeemed twice", outcome=Outcome.FIX_FAILED), Kind.BUG).status is Status.HELD
    )
    assert (
        put(intake, now, BugFacts("Voucher redeemed late", outcome=Outcome.FIX_FAILED), Kind.BUG).status
        is Status.ACTIVE
    )


@pytest.mark.parametrize(
    ("old", "new", "held"),
    [
        ("The founder repaid the loan in full", "The founder never repaid the loan in full", True),
        ("Prefers companies that are profitable", "Prefers companies that are unprofitable", True),
        ("The committee meets on day 3 of the month", "The committee meets on day 12 of the month", True),
        ("The founder repaid the loan in full", "The founder repaid the loan completely", False),
        ("The founder repaid the loan in full", "No rain fell on the vineyards in spring", False),
    ],
)
def test_notes_close_in_meaning_and_opposite_in_claim_are_held(
    intake: Intake, now: datetime, old: str, new: str, held: bool
) -> None:
    put(intake, now, Note("Note", "Observation", old), Kind.OBSERVATION)
    record = put(intake, now, Note("Note", "Observation", new), Kind.OBSERVATION)
    assert (record.status is Status.HELD) is held


def test_evaluations_may_differ(intake: Intake, now: datetime) -> None:
    for verdict in ("A deck that is promising and shows revenue", "A deck that is not promising and shows no revenue"):
        note = Note("Deck", "Evaluated deck, not an investment", verdict)
        assert put(intake, now, note, Kind.EVALUATED_DECK, door=Door.AUDIT).status is Status.ACTIVE
