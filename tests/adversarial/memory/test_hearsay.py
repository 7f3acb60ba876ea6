"""From hearsay to a corrected answer: what somebody said, what grew from it, and the fact that shows it wrong."""

from __future__ import annotations

from decimal import Decimal

import pytest

from audit.llm.scripted import ScriptedModel
from audit.modes import INVESTMENT
from audit.types import GroundedAudit
from memory.concerns import Concerns, Worry
from memory.confidence import RETAINED
from memory.money import Money
from memory.records import Door, InvestmentFacts, Kind, Nature, Note, Origin, Outcome, Record, Status
from memory.trust import DISPROVED, Judgement
from memory.verify import verify
from tests.adversarial.memory.attacks import call
from tests.adversarial.memory.home import Home

HANAMI = "Hanami Trails"
WHAT = "Guided cherry blossom tours in Japan, sold by yearly subscription to travellers from abroad."
PITCH = (
    "Sakura Walks sells guided cherry blossom tours in Japan by yearly subscription to travellers from abroad.\n"
    "We have no revenue outside the two weeks of blossom and will find out later what to sell in the other months.\n"
    "I am a single founder and lead the walks myself. We raise $300,000."
)
HEARD = f"A friend says {HANAMI} did very well: it was acquired, and cherry blossom tours never fail."
CAUSE = "Nobody booked outside the two weeks of blossom, and a cold spring ate one whole year's revenue."


def careful(home: Home) -> GroundedAudit:
    """Audit the pitch with the rule analyst, which points at whatever recall keeps."""
    return home.audit(INVESTMENT, text=PITCH).audit


def newest(home: Home) -> Record:
    return home.all()[0]


def test_the_cherry_blossom_case_from_hearsay_to_the_corrected_answer(home: Home) -> None:
    concerns = Concerns(home.services.ledger)

    # Hearsay: an agent brings what a friend said, once as an event and once as an interest.
    failed, _ = call(
        home, "memory_write", source="a friend, over tea",
        record={"kind": "investment", "company": HANAMI, "summary": WHAT, "outcome": "acquired", "year": 2021,
                "invested": "$40,000", "returned": "$400,000", "lesson": "Cherry blossom tours never fail."},
    )  # fmt: skip
    assert not failed
    hearsay = newest(home)
    failed, _ = call(
        home, "memory_write", source="a friend, over tea",
        record={"kind": "preference", "title": "Interested in cherry blossom tours", "text": HEARD},
    )  # fmt: skip
    assert not failed
    interest = next(it for it in home.all() if it.kind is Kind.PREFERENCE)
    for said in (hearsay, interest):
        assert (said.confidence, said.status) == (0.3, Status.HELD)
        assert (said.provenance.origin, said.provenance.door) == (Origin.UNVERIFIED, Door.AGENT)
    assert interest.kind.nature is Nature.PREFERENCE
    assert isinstance(interest.facts, Note)
    assert interest.facts.label == "Preference, not a fact"

    # It is an open question, and no answer rests on it.
    waiting = concerns.waiting(home.workspace)
    assert {it.record_id for it in waiting} == {hearsay.id, interest.id}
    assert careful(home).history.text == "None found"

    # The person lets it in as what it is, hearsay, and notes something that rests on it.
    for said in (hearsay, interest):
        home.trust.verify(home.workspace, said.id, author="ana", reason="noted as hearsay", at=home.now)
        home.trust.judge(home.workspace, said.id, Judgement(0.3), author="ana", reason="only heard", at=home.now)
    child = home.remember(
        Kind.OBSERVATION,
        Note("Season", "Observation", "Seasonal travel looks safe, going by Hanami Trails"),
        derived_from=[hearsay.id, interest.id],
    )
    assert child.confidence == pytest.approx(0.3 * RETAINED)
    before = careful(home)
    assert before.history.text == "None found"
    assert not before.precedents
    assert hearsay.id not in {it.record.id for it in before.recall.kept}

    # A sourced fact contradicts it: the person's own record, worth 0.9, held beside what it contradicts.
    fact = home.remember(
        Kind.INVESTMENT,
        InvestmentFacts(
            HANAMI, "Travel", WHAT, 2021, 2023, Outcome.SHUT_DOWN, Money(Decimal(40_000), "USD"), None, CAUSE,
            "Ask what is sold in the other fifty weeks.",
        ),
        source="closing letter of 3 May 2023, page 2",
    )  # fmt: skip
    assert (fact.confidence, fact.status) == (0.9, Status.HELD)
    conflict = concerns.waiting(home.workspace, worries=[Worry.CONFLICT])
    assert [(it.record_id, it.concern.other_id) for it in conflict] == [(fact.id, hearsay.id)]
    assert "acquired" in conflict[0].concern.detail

    # The person looks at both: the fact stands, the hearsay is disproved, what grew from it is rated anew.
    asked = home.trust.effect(home.workspace, hearsay.id, Judgement(DISPROVED))
    assert [it.record.id for it in asked] == [hearsay.id, child.id]
    home.trust.verify(home.workspace, fact.id, author="ana", reason="the letter says so", at=home.now)
    home.trust.disprove(home.workspace, hearsay.id, by=fact.id, author="ana", at=home.now)
    hearsay, child, fact = home.now_of(hearsay, child, fact)
    assert hearsay.confidence == DISPROVED == 0.1
    assert child.confidence == pytest.approx(0.1 * RETAINED)
    assert (fact.confidence, fact.status) == (0.9, Status.ACTIVE)
    assert not concerns.waiting(home.workspace)
    assert verify(home.services.ledger).clean

    # Later answers rest on the sourced fact alone, with a model too.
    after = careful(home)
    assert [it.record.id for it in after.precedents] == [fact.id]
    assert after.history.text == "$40,000"
    assert after.score < before.score
    model = ScriptedModel(['{"summary": "Tours in spring.", "ratings": []}'])
    home.audit(INVESTMENT, model, PITCH)
    prompt = model.requests[0].user
    assert CAUSE[:40] in prompt
    for said in ("acquired", "never fail", "looks safe", hearsay.id, child.id):
        assert said not in prompt


def test_disproving_can_be_undone_and_the_child_comes_back(home: Home) -> None:
    hearsay = home.remember(Kind.OBSERVATION, Note("Heard", "Observation", "The park's trees bloom in late May"))
    child = home.remember(
        Kind.OBSERVATION, Note("Plan", "Observation", "Travel to the park in late May"), derived_from=[hearsay.id]
    )
    almanac = home.remember(Kind.OBSERVATION, Note("Almanac", "Observation", "Blossom is over by the tenth of April"))
    stood = home.trust.judgement(home.workspace, hearsay.id)
    home.trust.disprove(home.workspace, hearsay.id, by=almanac.id, author="ana", at=home.now)
    assert [it.confidence for it in home.now_of(hearsay, child)] == [0.1, pytest.approx(0.097)]
    home.trust.judge(home.workspace, hearsay.id, stood, author="ana", reason="undo", at=home.now)
    assert [it.confidence for it in home.now_of(hearsay, child)] == [hearsay.confidence, child.confidence]
