"""What an audit may store is bounded before any model is asked, by the least of what the audit rests on."""

from __future__ import annotations

import json

import pytest

from audit.llm.port import Request
from audit.llm.scripted import ScriptedModel
from audit.modes import INVESTMENT
from memory.confidence import RETAINED
from memory.records import Kind, Record
from memory.trust import Judgement
from tests.adversarial.memory.home import Home, honest, seeds

DOUBTED = 0.4


def weakest(home: Home) -> Record:
    """Furnish a home, and doubt one of the records that the deck brings back."""
    home.furnish(seeds())
    (found, *_) = home.audit(INVESTMENT).audit.recall.kept
    doubt = Judgement(DOUBTED)
    home.trust.judge(home.workspace, found.record.id, doubt, author="ana", reason="a rumour", at=home.now)
    return found.record


def evaluation(home: Home) -> Record:
    return home.services.ledger.find(home.workspace, kinds=[Kind.EVALUATED_DECK]).records[0]


def silent(request: Request) -> str:
    """Answer as a model that names no precedent, so as to rest on nothing doubtful."""
    return json.dumps(json.loads(honest(request)) | {"precedents": []})


@pytest.mark.parametrize(
    "model",
    [None, ScriptedModel([honest]), ScriptedModel([silent])],
    ids=["the rules", "a model", "a model that names nothing"],
)
def test_an_audit_is_worth_at_most_the_least_of_what_was_put_before_the_model(
    home: Home, model: ScriptedModel | None
) -> None:
    weak = weakest(home)
    done = home.audit(INVESTMENT, model, save=True)
    kept = done.audit.recall.kept
    assert weak.id in {it.record.id for it in kept}
    stored = evaluation(home)
    assert stored.provenance.source == done.saved_as
    assert set(stored.provenance.derived_from) == {it.record.id for it in kept}
    assert stored.confidence == stored.provenance.first_confidence == pytest.approx(DOUBTED * RETAINED)


def test_what_an_audit_stored_falls_with_the_record_it_rested_on_and_never_rises_above_its_own(home: Home) -> None:
    weak = weakest(home)
    home.audit(INVESTMENT, save=True)
    for said, left in ((Judgement(0.1), 0.1 * RETAINED), (Judgement(blocked=True), 0.0), (Judgement(1.0), 0.6)):
        home.trust.judge(home.workspace, weak.id, said, author="ana", reason="", at=home.now)
        assert evaluation(home).confidence == pytest.approx(left)


def test_an_audit_that_recalled_nothing_is_worth_what_reasoning_is(home: Home) -> None:
    home.audit(INVESTMENT, save=True)
    assert evaluation(home).provenance.derived_from == ()
    assert evaluation(home).confidence == 0.6
