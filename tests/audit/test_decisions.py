from __future__ import annotations

from dataclasses import replace
from datetime import date, datetime, timedelta

import pytest

from audit.errors import AuditNotFound, DecisionRefused
from audit.examples import examples
from audit.modes import INVESTMENT
from audit.service import run_audit
from audit.submission import make_submission
from memory.errors import RecordInvalid
from memory.records import InvestmentFacts, Kind, Outcome
from wiring import Services

ROBOT = examples("investment")[1].text
PASSED_ON = InvestmentFacts(
    company="Leaflift",
    sector="Vertical farming robotics",
    summary="A robot that seeds, moves and harvests trays in vertical farms.",
    year=2026,
    outcome=Outcome.PASSED,
    lesson="You passed on this and it returned eight times the money.",
)


@pytest.fixture
def audit_id(services: Services, now: datetime) -> str:
    done = run_audit(services, INVESTMENT, make_submission(INVESTMENT, ROBOT), now=now)
    assert done.saved_as is not None
    return done.saved_as


def decide(services: Services, audit_id: str, now: datetime, **changed: object) -> None:
    given = {"reason": "Unit economics hold", "author": "ana", "now": now, "choice": "passed"} | changed
    services.decisions.decide(services.workspace, audit_id, **given)  # type: ignore[arg-type]


def test_every_decision_stays_and_the_newest_comes_first(services: Services, audit_id: str, now: datetime) -> None:
    decide(services, audit_id, now, choice="watching")
    decide(services, audit_id, now, choice="passed", reason="No licence", disproof="A licence by May")
    assert [it.choice for it in services.decisions.of(services.workspace, audit_id)] == ["passed", "watching"]


@pytest.mark.parametrize(
    ("changed", "says"),
    [
        ({"choice": "fixed"}, "must be one of"),
        ({"reason": "  "}, "why you decided"),
        ({"review_on": date(2020, 1, 1)}, "past"),
    ],
)
def test_a_decision_that_says_too_little_is_refused_in_words(
    services: Services, audit_id: str, now: datetime, changed: dict[str, object], says: str
) -> None:
    with pytest.raises(DecisionRefused, match=says):
        decide(services, audit_id, now, **changed)
    assert services.decisions.of(services.workspace, audit_id) == []


def test_a_review_falls_due_once_and_not_after_the_outcome(services: Services, audit_id: str, now: datetime) -> None:
    soon, later = now.date() + timedelta(days=30), now.date() + timedelta(days=60)
    decide(services, audit_id, now, review_on=soon)
    decide(services, audit_id, now, review_on=later)
    assert services.decisions.due(services.workspace, soon) == []
    assert [it.audit_id for it in services.decisions.due(services.workspace, later)] == [audit_id]
    assert services.decisions.newest(services.workspace, [audit_id, "aud-none"])[audit_id].review_on == later
    assert services.decisions.ended_well(services.workspace, [audit_id]) == {}
    services.decisions.settle(services.workspace, audit_id, PASSED_ON, went_well=True, author="ana", now=now)
    assert services.decisions.due(services.workspace, later) == []
    assert services.decisions.ended_well(services.workspace, [audit_id]) == {audit_id: True}
    assert services.decisions.newest("other", [audit_id]) == services.decisions.ended_well("other", [audit_id]) == {}


def test_only_an_outcome_makes_an_audited_deck_a_precedent(services: Services, audit_id: str, now: datetime) -> None:
    decide(services, audit_id, now)
    submission = make_submission(INVESTMENT, ROBOT)
    before = run_audit(services, INVESTMENT, submission, now=now, save=False).audit
    assert before.history.text == "None found"
    record = services.decisions.settle(services.workspace, audit_id, PASSED_ON, went_well=True, author="ana", now=now)
    assert record.kind is Kind.INVESTMENT
    assert record.provenance.source == audit_id
    after = run_audit(services, INVESTMENT, submission, now=now, save=False).audit
    assert [it.record.id for it in after.precedents] == [record.id]
    assert after.precedents[0].record.outcome is Outcome.PASSED


def test_an_outcome_is_recorded_once_and_whole_or_not_at_all(services: Services, audit_id: str, now: datetime) -> None:
    with pytest.raises(RecordInvalid):
        services.decisions.settle(
            services.workspace, audit_id, replace(PASSED_ON, company=""), went_well=True, author="ana", now=now
        )
    assert services.decisions.settled(services.workspace) == []
    services.decisions.settle(services.workspace, audit_id, PASSED_ON, went_well=True, author="ana", now=now)
    with pytest.raises(DecisionRefused, match="already"):
        services.decisions.settle(services.workspace, audit_id, PASSED_ON, went_well=False, author="ana", now=now)
    assert [it.went_well for it in services.decisions.settled(services.workspace)] == [True]


def test_another_workspace_can_neither_decide_nor_settle(services: Services, audit_id: str, now: datetime) -> None:
    with pytest.raises(AuditNotFound):
        services.decisions.decide("other", audit_id, "passed", reason="x", author="ana", now=now)
    with pytest.raises(AuditNotFound):
        services.decisions.settle("other", audit_id, PASSED_ON, went_well=True, author="ana", now=now)
