from __future__ import annotations

import json
from datetime import datetime
from pathlib import Path

import pytest

from audit.errors import FeedbackRefused
from audit.examples import examples
from audit.feedback import Opinion
from audit.modes import INVESTMENT
from audit.service import run_audit
from audit.submission import make_submission
from evals.feedback import feedback_sets
from memory.records import Kind
from memory.relevance import CALIBRATIONS
from memory.report import RecallQuery
from wiring import CALIBRATION, Services, build_services

PAYMENTS = examples("investment")[0].text


@pytest.fixture
def shown(services: Services, now: datetime) -> tuple[str, str]:
    """The id of an audit and of the precedent it showed."""
    done = run_audit(services, INVESTMENT, make_submission(INVESTMENT, PAYMENTS), now=now)
    return str(done.saved_as), done.audit.precedents[0].record.id


def test_an_opinion_replaces_the_one_before_and_can_be_taken_back(
    services: Services, shown: tuple[str, str], now: datetime
) -> None:
    for opinion in (Opinion.USEFUL, Opinion.OUTDATED):
        services.feedback.give(services.workspace, *shown, opinion, author="ana", now=now)
    assert [it.opinion for it in services.feedback.of(services.workspace, shown[0])] == [Opinion.OUTDATED]
    assert services.feedback.of("other") == []
    services.feedback.take_back(services.workspace, *shown)
    assert services.feedback.of(services.workspace) == []


def test_nothing_can_be_said_of_a_record_the_audit_did_not_show(
    services: Services, shown: tuple[str, str], now: datetime
) -> None:
    with pytest.raises(FeedbackRefused):
        services.feedback.give(services.workspace, shown[0], "no-such-record", Opinion.USEFUL, author="ana", now=now)


def test_an_opinion_changes_no_confidence(services: Services, shown: tuple[str, str], now: datetime) -> None:
    before = services.ledger.get(services.workspace, [shown[1]])
    services.feedback.give(services.workspace, *shown, Opinion.USEFUL, author="ana", now=now)
    assert services.ledger.get(services.workspace, [shown[1]]) == before


@pytest.mark.parametrize(("opinion", "is_precedent"), [(Opinion.USEFUL, True), (Opinion.NOT_THE_SAME, False)])
def test_feedback_is_a_set_to_fit_on(
    services: Services, shown: tuple[str, str], now: datetime, opinion: Opinion, is_precedent: bool
) -> None:
    services.feedback.give(services.workspace, *shown, opinion, author="ana", now=now)
    (made,) = feedback_sets(services)
    assert made.kind is Kind.INVESTMENT
    assert len(made.records) == 7
    assert made.queries[0].text == PAYMENTS
    assert made.queries[0].gold == (frozenset({shown[1]}) if is_precedent else frozenset())


def test_recall_uses_the_gate_of_its_own_data_folder(services: Services, now: datetime) -> None:
    content = json.loads(CALIBRATIONS.read_text(encoding="utf-8"))
    for gate in content["gates"]:
        gate["keep"] = 0.987
    own: Path = services.settings.home / CALIBRATION
    own.write_text(json.dumps(content), encoding="utf-8")
    again = build_services(services.settings)
    report = again.recaller.recall(RecallQuery(services.workspace, (Kind.INVESTMENT,), PAYMENTS), now)
    again.close()
    assert report.gate.keep == 0.987
