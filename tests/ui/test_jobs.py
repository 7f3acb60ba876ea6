"""One job per key, whoever asks and however often; what fails is said, what is cancelled stops."""

from __future__ import annotations

import threading
import time
from collections.abc import Callable

import pytest

from audit.errors import Cancelled, SubmissionRefused
from ui.jobs import FAULT, JobBoard, JobState

LONG_S = 5


def test_asking_twice_while_it_runs_gives_one_job_done_once() -> None:
    board: JobBoard[int] = JobBoard(2)
    go, calls = threading.Event(), []

    def work(report: Callable[[str], None], cancelled: Callable[[], bool]) -> int:
        calls.append(1)
        go.wait(LONG_S)
        return 7

    jobs = [board.submit("a", work) for _ in range(20)]
    go.set()
    assert jobs[0].wait(LONG_S)
    assert len({id(job) for job in jobs}) == 1
    assert (jobs[0].state, jobs[0].result, len(calls)) == (JobState.DONE, 7, 1)


def test_threads_that_ask_at_the_same_moment_share_one_job() -> None:
    board: JobBoard[int] = JobBoard(2)
    start, found, calls = threading.Barrier(16), [], []

    def ask() -> None:
        start.wait()
        found.append(board.submit("a", lambda report, cancelled: calls.append(1) or 1))

    threads = [threading.Thread(target=ask) for _ in range(16)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert found[0].wait(LONG_S)
    assert len({id(job) for job in found}) == 1
    assert len(calls) == 1


def test_a_finished_job_is_found_again_while_it_is_valid_and_done_anew_afterwards() -> None:
    board: JobBoard[int] = JobBoard(1)
    first = board.submit("a", lambda report, cancelled: 1, stamp=3)
    assert first.wait(LONG_S)
    assert board.submit("a", lambda report, cancelled: 2, still_valid=lambda stamp: stamp == 3) is first
    again = board.submit("a", lambda report, cancelled: 2, still_valid=lambda stamp: False)
    assert again is not first
    assert again.wait(LONG_S)
    assert again.result == 2


def test_a_failed_job_says_why_and_may_be_tried_again() -> None:
    board: JobBoard[int] = JobBoard(1)

    def refuse(report: Callable[[str], None], cancelled: Callable[[], bool]) -> int:
        raise SubmissionRefused("too short to judge")

    job = board.submit("a", refuse)
    assert job.wait(LONG_S)
    assert (job.state, job.error) == (JobState.FAILED, "too short to judge")
    again = board.submit("a", lambda report, cancelled: 1)
    assert again.wait(LONG_S)
    assert again.state is JobState.DONE


def test_a_fault_of_ours_is_logged_and_never_told(caplog: pytest.LogCaptureFixture) -> None:
    board: JobBoard[int] = JobBoard(1)
    job = board.submit("a", lambda report, cancelled: 1 // 0)
    assert job.wait(LONG_S)
    assert (job.state, job.error) == (JobState.FAILED, FAULT)
    assert "ZeroDivisionError" in caplog.text


def test_a_cancelled_job_stops_at_its_next_step() -> None:
    board: JobBoard[int] = JobBoard(1)
    begun = threading.Event()

    def work(report: Callable[[str], None], cancelled: Callable[[], bool]) -> int:
        begun.set()
        while not cancelled():
            time.sleep(0.001)
        raise Cancelled("stopped")

    job = board.submit("a", work)
    assert begun.wait(LONG_S)
    job.cancel()
    assert job.wait(LONG_S)
    assert (job.state, job.result) == (JobState.CANCELLED, None)


def test_what_waits_or_runs_is_counted_for_all_owners() -> None:
    board: JobBoard[bool] = JobBoard(1)
    go = threading.Event()
    jobs = [board.of(owner).submit("a", lambda report, cancelled: go.wait(LONG_S)) for owner in ("ana", "bob", "eve")]
    assert (board.live(), board.of("ana").live()) == (3, 3)
    go.set()
    assert all(job.wait(LONG_S) for job in jobs)
    assert board.live() == 0


def test_a_job_cancelled_while_it_waits_never_begins() -> None:
    board: JobBoard[int] = JobBoard(1)
    go, calls = threading.Event(), []
    begun = threading.Event()

    def first(report: Callable[[str], None], cancelled: Callable[[], bool]) -> int:
        begun.set()
        return int(go.wait(LONG_S))

    board.submit("first", first)
    assert begun.wait(LONG_S)
    waiting = board.submit("second", lambda report, cancelled: calls.append(1) or 1)
    last = board.submit("third", lambda report, cancelled: 1)
    assert (board.ahead_of(waiting), board.ahead_of(last)) == (0, 1)
    waiting.cancel()
    go.set()
    assert waiting.wait(LONG_S)
    assert (waiting.state, calls) == (JobState.CANCELLED, [])


def test_steps_are_told_in_order_with_their_time() -> None:
    now = iter(range(100))
    board: JobBoard[int] = JobBoard(1, clock=lambda: float(next(now)))

    def work(report: Callable[[str], None], cancelled: Callable[[], bool]) -> int:
        report("reading")
        report("searching")
        return 1

    job = board.submit("a", work)
    assert job.wait(LONG_S)
    assert [it.text for it in job.steps] == ["reading", "searching"]
    assert job.steps[0].at_s < job.steps[1].at_s


def test_only_the_last_jobs_are_kept_and_running_ones_always() -> None:
    board: JobBoard[int] = JobBoard(2, keep=3)
    go = threading.Event()
    running = board.submit("running", lambda report, cancelled: int(go.wait(LONG_S)))
    for number in range(10):
        assert board.submit(str(number), lambda report, cancelled: 1).wait(LONG_S)
    kept = [str(number) for number in range(10) if board.get(str(number))]
    assert board.get("running") is running
    assert kept == ["8", "9"]
    go.set()
    assert running.wait(LONG_S)
