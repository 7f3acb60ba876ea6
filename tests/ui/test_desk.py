"""Audits asked for from many sessions: each gets its own, none is lost, none is done twice."""

from __future__ import annotations

import json
import threading
import time
from collections.abc import Callable
from datetime import datetime

import pytest

from audit.llm.port import Request
from audit.llm.scripted import ScriptedModel
from audit.modes import MODES
from audit.service import SavedAudit
from audit.submission import make_submission
from memory.records import Door, InvestmentFacts, Kind
from ui.desk import submit
from ui.jobs import Job, JobBoard, JobState
from wiring import Services

LONG_S = 60
DECK = "Deck number {number}: we sell garden tools to {number} towns. Revenue is {number},000 euros a month."
Ask = Callable[[str], Job[SavedAudit]]


def reply(request: Request) -> str:
    """Answer after a while, as a slow server does, with a summary that quotes which deck was asked about."""
    time.sleep(0.2)
    number = request.user.split("Deck number ")[1].split(":")[0]
    return json.dumps({"summary": f"A deck about {number} towns.", "findings": [], "ratings": [], "precedents": []})


@pytest.fixture
def slow(served_by: Callable[[ScriptedModel], Services]) -> Services:
    return served_by(ScriptedModel([reply]))


@pytest.fixture
def ask(slow: Services, now: datetime) -> Ask:
    board: JobBoard[SavedAudit] = JobBoard(8)

    def asked(text: str) -> Job[SavedAudit]:
        mode = MODES["investment"]
        return submit(board, slow, mode, make_submission(mode, text), fingerprint="same", now=lambda: now)

    return asked


def test_twenty_sessions_at_once_each_get_their_own_audit_and_all_are_kept(ask: Ask, slow: Services) -> None:
    start, jobs = threading.Barrier(20), {}

    def session(number: int) -> None:
        start.wait()
        jobs[number] = ask(DECK.format(number=number))

    threads = [threading.Thread(target=session, args=(number,)) for number in range(20)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    saved = set()
    for number, job in jobs.items():
        assert job.wait(LONG_S)
        assert job.state is JobState.DONE, job.error
        assert job.result is not None
        assert job.result.audit.submission.text == DECK.format(number=number)
        saved.add(job.result.saved_as)
        kept = slow.archive.open(slow.workspace, job.result.saved_as)
        assert kept.submission.sha256 == job.result.audit.submission.sha256
    assert len(saved) == 20
    assert slow.archive.count(slow.workspace) == 20
    job = ask(DECK.format(number=21))
    assert job.wait(LONG_S)
    paces = {it.text: it.pace for it in job.steps if it.pace}
    assert list(paces) == ["Asking the models: local:scripted (1 of 1)"]
    assert 0.2 <= min(it.usual_s for it in paces.values()) <= max(it.longest_s for it in paces.values()) < LONG_S


def test_the_same_deck_from_two_tabs_is_audited_once(ask: Ask, slow: Services) -> None:
    text = DECK.format(number=3)
    first, second = ask(text), ask(text)
    assert first is second
    assert first.wait(LONG_S)
    assert ask(text) is first
    assert slow.archive.count(slow.workspace) == 1


def test_a_fact_added_since_makes_the_next_audit_look_again(ask: Ask, slow: Services, now: datetime) -> None:
    first = ask(DECK.format(number=3))
    assert first.wait(LONG_S)
    facts = InvestmentFacts(company="Spade & Son", summary="Sold garden tools to towns.", sector="garden tools")
    slow.intake.remember(
        slow.workspace, Kind.INVESTMENT, facts, door=Door.FORM, source="a test", author="person", now=now
    )
    second = ask(DECK.format(number=3))
    assert second is not first
    assert second.wait(LONG_S)
    assert second.state is JobState.DONE


def test_a_cancelled_audit_keeps_nothing(ask: Ask, slow: Services) -> None:
    job = ask(DECK.format(number=4))
    job.cancel()
    assert job.wait(LONG_S)
    assert job.state is JobState.CANCELLED
    assert slow.archive.count(slow.workspace) == 0


def test_a_job_tells_its_steps_in_words(ask: Ask) -> None:
    job = ask(DECK.format(number=5))
    assert job.wait(LONG_S)
    told = [it.text for it in job.steps]
    assert [it.pace for it in job.steps if it.pace] == [], "nothing is known of a model that has not answered thrice"
    assert told[0] == "Reading what was pasted"
    assert any(it.startswith("Asking the models: ") for it in told)
    assert told[-1] == "Keeping the audit"
