"""No test of chance calls blind luck a pattern more often than it says."""

from __future__ import annotations

import itertools
import math
import random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from memory.chances import (
    around_the_year,
    at_least,
    at_most_runs,
    corrected,
    group_differs,
    least_difference,
    runs_of,
)

ALPHAS = st.floats(0.001, 0.5)


@settings(deadline=None)
@given(st.integers(2, 40), st.data(), ALPHAS)
def test_a_blind_group_differs_that_much_no_more_often_than_said(total: int, data: st.DataObject, alpha: float) -> None:
    group, bad = data.draw(st.integers(1, total - 1)), data.draw(st.integers(1, total - 1))
    counts = range(max(0, group + bad - total), min(group, bad) + 1)
    said = {it: group_differs(it, group, bad, total) for it in counts}
    ways = {it: math.comb(bad, it) * math.comb(total - bad, group - it) / math.comb(total, group) for it in counts}
    assert sum(ways[it] for it in counts if said[it] <= alpha) <= alpha + 1e-9
    assert min(said.values()) == pytest.approx(least_difference(group, bad, total))


@settings(deadline=None, max_examples=40)
@given(st.integers(1, 5), st.integers(1, 5), ALPHAS)
def test_a_blind_order_makes_so_few_runs_no_more_often_than_said(bad: int, good: int, alpha: float) -> None:
    orders = set(itertools.permutations([True] * bad + [False] * good)) if bad + good < 8 else _orders(bad, good)
    said = [at_most_runs(runs_of(order), bad, good) for order in orders]
    assert sum(it <= alpha for it in said) / len(said) <= alpha + 1e-9
    assert max(said) == pytest.approx(1)


def _orders(bad: int, good: int) -> list[tuple[bool, ...]]:
    places = itertools.combinations(range(bad + good), bad)
    return [tuple(at in chosen for at in range(bad + good)) for chosen in places]


@given(st.integers(1, 60), st.floats(0.01, 0.99), st.integers(0, 60))
def test_so_many_or_more_is_the_binomial_tail(total: int, share: float, count: int) -> None:
    tail = sum(math.comb(total, it) * share**it * (1 - share) ** (total - it) for it in range(count, total + 1))
    assert at_least(count, total, share) == pytest.approx(tail if count else 1.0, abs=1e-9)


def test_months_that_gather_are_unlikely_and_told_by_their_peak() -> None:
    assert around_the_year([11, 12, 12, 1, 12, 11, 12, 1, 12, 12], seed=1) == (1 / 5000, 12)
    chance, _ = around_the_year([1, 4, 7, 10] * 5, seed=1)
    assert chance == 1.0


def test_even_months_are_called_a_season_no_more_often_than_said() -> None:
    draw = random.Random(7)
    called = sum(around_the_year([draw.randint(1, 12) for _ in range(15)], seed=at)[0] <= 0.1 for at in range(300))
    assert called <= 300 * 0.1 + 3 * math.sqrt(300 * 0.1 * 0.9)


@given(st.lists(st.floats(0, 1), max_size=20))
def test_correcting_only_raises_and_keeps_the_order(chances: list[float]) -> None:
    raised = corrected(chances)
    assert all(one <= other <= 1 for one, other in zip(chances, raised, strict=True))
    pairs = sorted(zip(chances, raised, strict=True))
    assert [it for _, it in pairs] == sorted(raised)
    if chances:
        assert min(raised) == pytest.approx(min(1.0, min(chances) * len(chances)))
