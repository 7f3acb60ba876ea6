"""Counted work tells how far it is and how long it still takes, from its own pace."""

from __future__ import annotations

import threading

import pytest
from streamlit.testing.v1 import AppTest

from audit.pace import Pace
from ui.components.working import counting, poll_s, step_left_s, time_left_s, told_once
from ui.jobs import JobBoard, Progress
from ui.messages import Message


def counted(done: int, at_s: float, total: int = 100) -> Progress:
    return Progress(Message("{done} of {total}", {"done": done, "total": total}), at_s)


def test_time_left_follows_the_pace_since_the_counting_began() -> None:
    steps = (Progress("Backing up", 0.0), counted(10, 2.0), counted(50, 5.0))
    assert len(counting(steps)) == 2
    assert time_left_s(steps, 5.0) == pytest.approx(5.0)
    assert time_left_s(steps, 7.0) == pytest.approx(3.0), "it runs down between two reports"
    assert time_left_s(steps, 60.0) == 0.0


def test_no_time_is_named_before_there_is_a_pace_or_a_total_to_go_by() -> None:
    assert time_left_s((), 1.0) is None
    assert time_left_s((Progress("Indexing", 0.0),), 9.0) is None
    assert time_left_s((counted(0, 3.0),), 3.0) is None
    assert time_left_s((counted(1, 0.1),), 0.1) is None
    uncounted = Progress(Message("{done} erased", {"done": 5}), 2.0)
    assert counting((counted(1, 1.0), uncounted)) == ()


def test_a_step_runs_down_to_its_usual_time_and_is_late_only_after_the_longest() -> None:
    step = Progress("Asking the models", 1.0, Pace(usual_s=8.0, longest_s=20.0))
    left = {now: step_left_s(step, now) for now in (1.0, 3.0, 8.9, 9.0, 21.0, 21.1)}
    assert left == {1.0: 8.0, 3.0: 6.0, 8.9: pytest.approx(0.1), 9.0: None, 21.0: None, 21.1: 0.0}
    assert step_left_s(Progress("Asking the models", 1.0), 99.0) is None


def test_pages_look_less_often_the_more_of_them_wait_but_once_a_second() -> None:
    assert [poll_s(live) for live in (0, 1, 4, 6, 10, 20, 500)] == [0.4, 0.4, 0.4, 0.6, 1.0, 1.0, 1.0]


def test_a_step_that_the_next_says_again_is_told_once() -> None:
    steps = [Progress(it, 0.0) for it in ("Reading", "Asking", "Asking: a (1 of 2)", "Asking: b (2 of 2)", "Keeping")]
    assert [it.text for it in told_once(steps)] == ["Reading", "Asking: a (1 of 2)", "Asking: b (2 of 2)", "Keeping"]
    assert told_once(()) == []


def watching() -> None:
    from tests.ui import test_working
    from ui.components.working import watch

    watch(test_working.BOARD, test_working.BOARD.under_way(), "")


TIME = [0.0]
BOARD: JobBoard[bool] = JobBoard(1, clock=lambda: TIME[0])


def test_a_running_audit_tells_the_time_left_and_nothing_where_it_is_not_known() -> None:
    over, told = threading.Event(), threading.Event()

    def work(report: object, cancelled: object) -> bool:
        report("Asking the models")
        report("Asking the models: local:m (1 of 1)", Pace(8.0, 20.0))
        told.set()
        return over.wait(60)

    job = BOARD.submit("audit", work)
    assert told.wait(60)
    says = {}
    for TIME[0] in (2.0, 12.0, 21.0):
        page = AppTest.from_function(watching).run()
        assert not page.exception
        assert [it.state for it in page.status] == ["running"]
        [step] = [it.value for it in page.markdown if "Asking the models" in it.value]
        says[TIME[0]] = step.rpartition("**")[2]
    over.set()
    assert job.wait(60)
    assert says == {2.0: " · about 6 s left", 12.0: "", 21.0: " · taking longer than usual"}
