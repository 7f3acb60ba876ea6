"""Contradictions: held for a person with both sides named; records that can both be right are left alone."""

from __future__ import annotations

from dataclasses import replace
from datetime import datetime
from decimal import Decimal
from typing import Any

import pytest

from memory.concerns import Concerns, Worry
from memory.conflicts import contradiction
from memory.embed import MiniLmEmbedder
from memory.intake import Intake
from memory.ledger import Ledger
from memory.money import Money
from memory.records import (
    BugFacts,
    Door,
    Facts,
    InvestmentFacts,
    Kind,
    Note,
    Origin,
    Outcome,
    Provenance,
    Record,
    Status,
)
from memory.review import Review

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


def file_of(facts: InvestmentFacts, now: datetime) -> Record:
    made = Provenance(Door.IMPORT, Origin.OWN_RECORD, "deals.csv:2", "ana", now, 0.9)
    return Record("r", "local", Kind.INVESTMENT, facts, made, 0.9)


def test_a_file_that_tells_an_event_again_with_other_facts_asks_a_person(intake: Intake, now: datetime) -> None:
    told = replace(LOST, summary="Boxes of cooked dinners, sent by bicycle courier to offices in the evening")
    put(intake, now, told)
    for new in (
        replace(told, lesson="Dinners always pay."),
        replace(told, invested=None, cause="Nobody knows."),
        InvestmentFacts("Nimbus Meals", summary="Dinners by drone", year=None, outcome=Outcome.OPERATING),
    ):
        assert put(intake, now, new, door=Door.IMPORT).status is Status.HELD
    same = replace(told, company="nimbus meals", summary=told.summary.upper())
    later = replace(told, year=2024, summary="Robots that weld hulls", outcome=Outcome.OPERATING, invested=None)
    for new in (same, later):
        assert not contradiction(file_of(new, now), file_of(told, now), 1.0)


def test_a_file_may_repeat_a_bug_of_another_place(intake: Intake, now: datetime) -> None:
    one = BugFacts("Crash on save", symptom="The editor crashes when a file is saved twice", fix="Lock the file.")
    put(intake, now, one, Kind.BUG)
    twin = replace(one, fix="Remove the lock.")
    assert put(intake, now, twin, Kind.BUG, door=Door.IMPORT).status is Status.HELD
    other = replace(one, symptom="A printer without paper stops the whole queue of jobs")
    assert put(intake, now, other, Kind.BUG, door=Door.IMPORT).status is Status.ACTIVE


def test_a_record_told_again_under_a_name_that_is_near_is_held(intake: Intake, now: datetime) -> None:
    told = "Boxes of cooked dinners, sent by bicycle courier to offices in the evening"
    put(intake, now, replace(LOST, summary=told))
    gained = InvestmentFacts("Nimbus Meals Labs", "Food", f"{told}.", 2020, outcome=Outcome.ACQUIRED)
    assert put(intake, now, gained).status is Status.HELD
    assert put(intake, now, replace(gained, company="Nimbos Meal")).status is Status.HELD
    assert put(intake, now, replace(gained, company="Zenith")).status is Status.ACTIVE
    other = replace(gained, summary="Robots that weld the hulls of fishing boats in small yards")
    assert put(intake, now, other).status is Status.ACTIVE


GAINED = InvestmentFacts("Nimbus Meals", year=2020, outcome=Outcome.ACQUIRED)


def conflicts(ledger: Ledger) -> dict[str, str]:
    waiting = Concerns(ledger).waiting("local", worries=[Worry.CONFLICT])
    return {it.record_id: it.concern.other_id for it in waiting}


def test_two_agents_that_contradict_each_other_are_shown_side_by_side(
    ledger: Ledger, intake: Intake, now: datetime
) -> None:
    first = put(intake, now, LOST, door=Door.AGENT)
    second = put(intake, now, GAINED, door=Door.AGENT)
    assert conflicts(ledger) == {second.id: first.id}


def test_what_its_owner_records_stands_and_what_waits_against_it_is_a_conflict(
    ledger: Ledger, intake: Intake, now: datetime
) -> None:
    waits = put(intake, now, GAINED, door=Door.AGENT)
    own = put(intake, now, LOST)
    assert own.status is Status.ACTIVE
    assert conflicts(ledger) == {waits.id: own.id}
    (item,) = Review(ledger, intake).queue("local").conflicts
    assert (item.record.id, [it.id for it in item.against]) == (waits.id, [own.id])
    assert "acquired against written off" in " ".join(item.why)


def test_notes_are_compared_with_notes_that_wait(ledger: Ledger, intake: Intake, now: datetime) -> None:
    said = Note("Loan", "Observation", "The founder repaid the loan in full")
    denied = Note("Loan", "Observation", "The founder never repaid the loan in full")
    first = put(intake, now, said, Kind.OBSERVATION, door=Door.AGENT)
    second = put(intake, now, denied, Kind.OBSERVATION, door=Door.AGENT)
    assert conflicts(ledger) == {second.id: first.id}


def test_its_owner_contradicting_what_the_owner_has_not_settled_yet_waits_too(
    ledger: Ledger, intake: Intake, now: datetime
) -> None:
    old = put(intake, now, LOST)
    held = put(intake, now, GAINED)
    third = put(intake, now, replace(GAINED, outcome=Outcome.WRITTEN_OFF, invested=LESS))
    assert (held.status, third.status) == (Status.HELD, Status.HELD)
    waiting = Concerns(ledger).waiting("local", worries=[Worry.CONFLICT], record_id=third.id)
    assert {it.concern.other_id for it in waiting if it.record_id == third.id} == {old.id, held.id}


def test_records_of_one_batch_are_compared_with_each_other(ledger: Ledger, intake: Intake, now: datetime) -> None:
    given = {"door": Door.IMPORT, "author": "ana", "now": now}
    made = [
        intake.check("local", Kind.INVESTMENT, facts, source=f"deals.csv:{line}", **given)
        for line, facts in enumerate((LOST, InvestmentFacts("Zenith", year=2020), GAINED))
    ]
    intake.store(made)
    stored = ledger.get("local", [it.id for it in made])
    assert [it.status for it in stored.values()] == [Status.ACTIVE, Status.ACTIVE, Status.HELD]
    assert conflicts(ledger) == {made[2].id: made[0].id}


def test_a_contradiction_that_came_in_meanwhile_is_noticed(
    ledger: Ledger, embedder: MiniLmEmbedder, now: datetime
) -> None:
    """Between the check and the write another process stores the opposite."""

    class Overtaken(Intake):
        def check(self, *args: Any, **options: Any) -> Record:
            record = super().check(*args, **options)
            put(Intake(ledger, embedder), now, LOST)
            return record

    assert put(Overtaken(ledger, embedder), now, GAINED).status is Status.HELD
    assert len(conflicts(ledger)) == 1
