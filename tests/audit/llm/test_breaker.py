"""A breaker opens after three failures in a row, rests longer each time, and lets one call try."""

from __future__ import annotations

from concurrent.futures import ThreadPoolExecutor

import pytest

from audit.llm.breaker import FIRST_REST_S, LONGEST_PROBE_S, LONGEST_REST_S, Breaker, BreakerState


class Clock:
    now = 1000.0

    def __call__(self) -> float:
        return self.now


@pytest.fixture
def clock() -> Clock:
    return Clock()


@pytest.fixture
def breaker(clock: Clock) -> Breaker:
    return Breaker(clock, lambda: 0.5)


def fail(breaker: Breaker, times: int = 3) -> None:
    for _ in range(times):
        breaker.failed()


def test_two_failures_in_a_row_are_forgiven_by_a_success(breaker: Breaker) -> None:
    for _ in range(5):
        fail(breaker, 2)
        assert breaker.admits()
        breaker.succeeded()
    assert breaker.state is BreakerState.CLOSED


def test_three_failures_in_a_row_open_it(breaker: Breaker, clock: Clock) -> None:
    fail(breaker)
    assert breaker.state is BreakerState.OPEN
    assert not breaker.admits()
    assert breaker.rest_s == pytest.approx(FIRST_REST_S)
    clock.now += FIRST_REST_S
    assert breaker.state is BreakerState.HALF_OPEN


def test_after_the_rest_one_call_of_many_may_try(breaker: Breaker, clock: Clock) -> None:
    fail(breaker)
    clock.now += FIRST_REST_S
    with ThreadPoolExecutor(8) as pool:
        assert sum(pool.map(lambda _: breaker.admits(), range(50))) == 1
    breaker.succeeded()
    assert breaker.admits()


def test_a_failed_trial_doubles_the_rest_up_to_a_bound(breaker: Breaker, clock: Clock) -> None:
    fail(breaker)
    rests = []
    for _ in range(8):
        rests.append(breaker.rest_s)
        clock.now += breaker.rest_s
        assert breaker.admits()
        breaker.failed()
    assert rests[:4] == pytest.approx([30, 60, 120, 240])
    assert max(rests) == pytest.approx(LONGEST_REST_S)


def test_a_trial_that_is_given_back_or_never_ends_does_not_lock_the_model_out(breaker: Breaker, clock: Clock) -> None:
    fail(breaker)
    clock.now += FIRST_REST_S
    assert breaker.admits()
    breaker.released()
    assert breaker.admits()
    clock.now += LONGEST_PROBE_S
    assert breaker.admits()


def test_a_hold_keeps_callers_out_for_as_long_as_told(breaker: Breaker, clock: Clock) -> None:
    breaker.hold(90)
    assert not breaker.admits()
    clock.now += 90
    assert breaker.admits()
    assert breaker.state is BreakerState.CLOSED
