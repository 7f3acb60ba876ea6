"""Counted work tells how far it is and how long it still takes, from its own pace."""

from __future__ import annotations

import pytest

from ui.components.working import counting, time_left_s
from ui.jobs import Progress
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
