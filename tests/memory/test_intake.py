"""Intake: the door fixes what a record is worth; what breaks a rule or says nothing is not stored."""

from __future__ import annotations

from datetime import datetime, timedelta
from decimal import Decimal
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from memory.concerns import Concerns
from memory.errors import IntakeRefused, RecordInvalid, RecordNotFound, StoreError
from memory.intake import Intake
from memory.ledger import Ledger
from memory.money import Money
from memory.noise import noise
from memory.records import BugFacts, Door, Facts, InvestmentFacts, Kind, Note, Origin, Outcome, Record, Status
from memory.trust import Trust
from memory.validation import checked
from memory.verify import verify

DECK = InvestmentFacts("Acme", "Shops", "Sells bicycles by post to people in hilly towns", 2021)
NOTE = Note("Acme", "Evaluated deck, not an investment", "A deck about bicycles that named no price")


def put(intake: Intake, now: datetime, kind: Kind = Kind.INVESTMENT, facts: Facts = DECK, **options: Any) -> Record:
    given_ = {"door": Door.FORM, "source": "form", "author": "ana", "now": now} | options
    return intake.remember("local", kind, facts, **given_)


@pytest.mark.parametrize(
    ("door", "kind", "facts", "origin", "confidence", "status"),
    [
        (Door.SEED, Kind.INVESTMENT, DECK, Origin.OWN_RECORD, 0.9, Status.ACTIVE),
        (Door.FORM, Kind.INVESTMENT, DECK, Origin.OWN_RECORD, 0.9, Status.ACTIVE),
        (Door.IMPORT, Kind.INVESTMENT, DECK, Origin.OWN_RECORD, 0.9, Status.ACTIVE),
        (Door.DOCUMENT, Kind.INVESTMENT, DECK, Origin.UNVERIFIED, 0.3, Status.HELD),
        (Door.AGENT, Kind.INVESTMENT, DECK, Origin.UNVERIFIED, 0.3, Status.HELD),
        (Door.AGENT, Kind.PREFERENCE, NOTE, Origin.UNVERIFIED, 0.3, Status.HELD),
        (Door.FORM, Kind.PREFERENCE, NOTE, Origin.PREFERENCE, 0.8, Status.ACTIVE),
        (Door.FORM, Kind.OBSERVATION, NOTE, Origin.USER_STATEMENT, 0.5, Status.ACTIVE),
        (Door.AUDIT, Kind.EVALUATED_DECK, NOTE, Origin.MODEL_REASONING, 0.6, Status.ACTIVE),
    ],
)
def test_the_door_fixes_origin_confidence_and_status(
    ledger: Ledger, intake: Intake, now: datetime, door: Door, kind: Kind, facts: Facts, origin: Origin,
    confidence: float, status: Status,
) -> None:  # fmt: skip
    record = put(intake, now, kind, facts, door=door)
    stored = ledger.get("local", [record.id])[record.id]
    assert stored == record
    assert (stored.provenance.door, stored.provenance.origin) == (door, origin)
    assert (stored.confidence, stored.provenance.first_confidence, stored.status) == (confidence, confidence, status)
    assert len(stored.provenance.context_hash) == 64


@pytest.mark.parametrize(
    ("door", "kind", "facts"),
    [
        (Door.AUDIT, Kind.INVESTMENT, DECK),
        (Door.AUDIT, Kind.BUG, BugFacts("Crash")),
        (Door.AUDIT, Kind.OBSERVATION, NOTE),
        (Door.AUDIT, Kind.PREFERENCE, NOTE),
        *[(door, Kind.EVALUATED_DECK, NOTE) for door in Door if door is not Door.AUDIT],
        (Door.OUTCOME, Kind.PREFERENCE, NOTE),
        (Door.OUTCOME, Kind.INVESTMENT, DECK),
        (Door.FORM, Kind.INVESTMENT, NOTE),
        (Door.FORM, Kind.BUG, DECK),
    ],
)
def test_a_door_that_is_not_for_it_is_shut(
    ledger: Ledger, intake: Intake, now: datetime, door: Door, kind: Kind, facts: Facts
) -> None:
    with pytest.raises(RecordInvalid):
        put(intake, now, kind, facts, door=door)
    assert ledger.head() == 0


def test_an_outcome_names_its_audit_and_is_a_fact_of_its_own(ledger: Ledger, intake: Intake, now: datetime) -> None:
    outcome = put(intake, now, door=Door.OUTCOME, source="aud-1")
    assert outcome.provenance.source == "aud-1"
    assert outcome.provenance.origin is Origin.OWN_RECORD
    assert ledger.get("local", [outcome.id])[outcome.id] == outcome


def test_an_outcome_is_not_derived_from_an_opinion(intake: Intake, now: datetime) -> None:
    audit = put(intake, now, Kind.EVALUATED_DECK, NOTE, door=Door.AUDIT)
    with pytest.raises(RecordInvalid, match="outcome"):
        put(intake, now, door=Door.OUTCOME, source="aud-1", derived_from=[audit.id])


def test_a_source_in_another_workspace_does_not_exist(intake: Intake, now: datetime) -> None:
    other = intake.remember("other", Kind.INVESTMENT, DECK, door=Door.FORM, source="form", author="ana", now=now)
    with pytest.raises(RecordNotFound):
        put(intake, now, Kind.OBSERVATION, NOTE, derived_from=[other.id])


@pytest.mark.parametrize(
    ("kind", "facts", "names"),
    [
        (Kind.INVESTMENT, InvestmentFacts(" \n\t\u200b"), "company"),
        (Kind.INVESTMENT, InvestmentFacts("x" * 201), "company"),
        (Kind.INVESTMENT, InvestmentFacts("x", summary="y" * 20_001), "summary"),
        (Kind.INVESTMENT, InvestmentFacts("x", year=1899), "year"),
        (Kind.INVESTMENT, InvestmentFacts("x", year_end=2101), "year_end"),
        (Kind.INVESTMENT, InvestmentFacts("x", year=2020, year_end=2019), "year_end"),
        (Kind.INVESTMENT, InvestmentFacts("x", outcome=Outcome.FIXED), "outcome"),
        (Kind.INVESTMENT, InvestmentFacts("x", invested=Money(Decimal(5), "")), "invested"),
        (Kind.INVESTMENT, InvestmentFacts("x", invested=Money(Decimal(-5), "USD")), "invested"),
        (Kind.INVESTMENT, InvestmentFacts("x", returned=Money(Decimal("NaN"), "USD")), "returned"),
        (Kind.INVESTMENT, InvestmentFacts("x", returned=Money(Decimal("1e40"), "USD")), "returned"),
        (Kind.BUG, BugFacts(""), "title"),
        (Kind.BUG, BugFacts("x", severity="apocalyptic"), "severity"),  # type: ignore[arg-type]
        (Kind.BUG, BugFacts("x", cwe="SQLi"), "cwe"),
        (Kind.BUG, BugFacts("x", outcome=Outcome.ACQUIRED), "outcome"),
        (Kind.PREFERENCE, Note("x", "", "text of some length"), "label"),
    ],
)
def test_facts_that_break_a_rule_are_refused_by_the_name_of_the_field(
    ledger: Ledger, intake: Intake, now: datetime, kind: Kind, facts: Facts, names: str
) -> None:
    with pytest.raises(RecordInvalid, match=names):
        put(intake, now, kind, facts)
    assert ledger.head() == 0


def test_text_is_cleaned_and_code_keeps_its_shape(intake: Intake, now: datetime) -> None:
    deck = put(intake, now, facts=InvestmentFacts(" Ac\x00me\r\n Ltd ", summary="one\u202e \t two\n\n\n\nthree\ud800"))
    assert (deck.title, deck.facts.summary) == ("Acme Ltd", "one two\n\nthree")  # type: ignore[union-attr]
    code = "\nif x:\r\n\treturn  1   \n\n\n\nend\x07\n"
    bug = put(intake, now, Kind.BUG, BugFacts("Crash", cwe="cwe 079", faulty_code=code))
    assert isinstance(bug.facts, BugFacts)
    assert (bug.facts.faulty_code, bug.facts.cwe) == ("if x:\n\treturn  1\n\n\n\nend", "CWE-79")


@pytest.mark.parametrize(
    "text",
    [
        "ok",
        "Thanks!",
        "👍🎉",
        "OK, thank you so much!!",
        "好的，谢谢",
        "...",
        "hmm hmm",
        "12",
        "aaaaaaaaaaaaaaa",
        "sounds good, will do",
        "short",
    ],
)
def test_noise_is_refused(ledger: Ledger, intake: Intake, now: datetime, text: str) -> None:
    with pytest.raises(IntakeRefused):
        put(intake, now, Kind.OBSERVATION, Note("title", "Observation", text))
    assert ledger.head() == 0


@pytest.mark.parametrize(
    "text",
    [
        "Founder repaid early",
        "只投有收入的公司",
        "No hardware deals",
        "thanks to churn we lost half",
        "好的公司不需要广告投放",
    ],
)
def test_short_sense_is_not_noise(text: str) -> None:
    assert noise(text) == ""


@given(st.text(max_size=300), st.sampled_from(["title", "symptom", "faulty_code", "cwe", "language"]))
@settings(max_examples=150, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
def test_any_text_is_stored_clean_or_refused_and_checking_twice_changes_nothing(text: str, field: str) -> None:
    values = {"title": "Crash"} | {field: text}
    try:
        facts = checked(Kind.BUG, BugFacts(**values))
    except StoreError:
        return
    assert checked(Kind.BUG, facts) == facts
    assert "\x00" not in str(facts)


def test_a_correction_keeps_kind_credential_and_history(ledger: Ledger, intake: Intake, now: datetime) -> None:
    record = put(intake, now)
    revised = intake.revise("local", record.id, InvestmentFacts("Acme Two"), author="ben", reason="renamed", now=now)
    assert (revised.provenance, revised.kind, revised.confidence) == (record.provenance, record.kind, record.confidence)
    assert [it.author for it in ledger.revisions("local", record.id)] == ["ana", "ben"]
    with pytest.raises(RecordInvalid):
        intake.revise("local", record.id, BugFacts("Acme"), author="ben", reason="", now=now)
    with pytest.raises(RecordNotFound):
        intake.revise("other", record.id, DECK, author="ben", reason="", now=now)
    assert verify(ledger).clean


def test_an_evaluation_cannot_be_rewritten(intake: Intake, now: datetime) -> None:
    record = put(intake, now, Kind.EVALUATED_DECK, NOTE, door=Door.AUDIT)
    with pytest.raises(RecordInvalid, match="evaluation"):
        intake.revise("local", record.id, NOTE, author="eve", reason="", now=now)


def test_the_same_audit_stored_many_times_raises_nothing(ledger: Ledger, intake: Intake, now: datetime) -> None:
    first = put(intake, now, Kind.EVALUATED_DECK, NOTE, door=Door.AUDIT)
    again = [put(intake, now, Kind.EVALUATED_DECK, NOTE, door=Door.AUDIT, derived_from=[first.id]) for _ in range(30)]
    assert ledger.get("local", [first.id])[first.id].confidence == 0.6
    assert all(record.confidence == pytest.approx(0.6 * 0.97) for record in again)


def test_an_agent_that_writes_the_same_again_brings_it_once(ledger: Ledger, intake: Intake, now: datetime) -> None:
    first = put(intake, now, door=Door.AGENT, source="mail", author="agent")
    later = now + timedelta(minutes=1)
    assert put(intake, later, door=Door.AGENT, source="mail", author="agent") == first
    assert ledger.size() == 1
    assert len(Concerns(ledger).waiting("local")) == 1
    other = put(intake, later, door=Door.AGENT, source="another mail", author="agent")
    elsewhere = intake.remember(
        "other", Kind.INVESTMENT, DECK, door=Door.AGENT, source="mail", author="agent", now=later
    )
    assert len({first.id, other.id, elsewhere.id}) == 3
    assert put(intake, now).id != put(intake, now).id  # a person may record two that are alike


def test_what_a_person_has_turned_down_is_not_brought_again(ledger: Ledger, intake: Intake, now: datetime) -> None:
    first = put(intake, now, door=Door.AGENT, source="mail", author="agent")
    Trust(ledger).reject("local", first.id, author="ana", reason="false", at=now)
    again = put(intake, now, door=Door.AGENT, source="mail", author="agent")
    assert (again.id, again.status) == (first.id, Status.FORGOTTEN)
    assert Concerns(ledger).waiting("local") == []


@pytest.mark.parametrize("workspace", ["", "..", "ours/..", "Ours", "ours space", "x" * 65])
def test_a_workspace_that_no_index_could_name_is_refused(
    ledger: Ledger, intake: Intake, now: datetime, workspace: str
) -> None:
    with pytest.raises(RecordInvalid, match="workspace"):
        intake.remember(workspace, Kind.INVESTMENT, DECK, door=Door.FORM, source="form", author="ana", now=now)
    assert ledger.head() == 0
