"""The measures themselves, against cases worked out by hand."""

from __future__ import annotations

import math

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from evals.calibrate import log_loss, refuses
from evals.dataset import Query
from evals.measures import auroc, calibration_error, fit_logistic, measure, share
from evals.outcome import Outcome, Scored, fit, halves
from evals.sizes import NoneRates, invented, strangers
from memory.report import Decision


def an_outcome(number: int, score: float, gold: bool) -> Outcome:
    query = Query(f"q{number:03d}", "text", "pos" if gold else "neg", frozenset({"r"} if gold else ()), frozenset())
    return Outcome(query, (Scored("r", "R", score, 0.5, Decision.DROPPED, False),), 1.0)


def test_auroc_counts_pairs_in_order_and_ties_half() -> None:
    assert auroc([True, False], [1.0, 0.0]) == 1.0
    assert auroc([True, False], [0.0, 1.0]) == 0.0
    assert auroc([True, False], [0.5, 0.5]) == 0.5
    assert auroc([True, True, False, False], [0.9, 0.4, 0.5, 0.1]) == 0.75


def test_auroc_of_one_class_is_not_a_number() -> None:
    assert math.isnan(auroc([True], [0.5]))


def test_calibration_error_is_zero_where_chances_come_true_and_half_where_they_lie() -> None:
    assert calibration_error([True, False] * 50, [0.5] * 100) == pytest.approx(0.0)
    assert calibration_error([True] * 100, [0.5] * 100) == pytest.approx(0.5)


@given(st.lists(st.booleans(), min_size=1, max_size=40))
def test_an_interval_holds_its_value(cases: list[bool]) -> None:
    made = measure(cases, share, rounds=50)
    assert made.low - 1e-9 <= made.value <= made.high + 1e-9 or len(cases) < 5
    assert made.cases == len(cases)


def test_the_same_cases_give_the_same_interval() -> None:
    cases = [True] * 7 + [False] * 5
    assert measure(cases, share) == measure(cases, share)


def test_the_logistic_fit_recovers_what_made_the_data() -> None:
    random = np.random.default_rng(1)
    score = random.normal(size=(4_000, 1))
    truth = (random.random(4_000) < 1 / (1 + np.exp(-(3 * score[:, 0] - 1)))).astype(float)
    slope, intercept = fit_logistic(score, truth, ridge=1e-3)
    assert slope == pytest.approx(3, abs=0.3)
    assert intercept == pytest.approx(-1, abs=0.2)


def test_a_fitted_gate_keeps_its_promise_on_strangers() -> None:
    random = np.random.default_rng(2)
    outcomes = [an_outcome(at, float(random.normal(0.8 if at % 2 else 0.4, 0.1)), bool(at % 2)) for at in range(400)]
    made = fit(outcomes)
    none = [made.chance(it.best) < made.keep for it in outcomes if not it.has]
    assert share(none) == pytest.approx(0.9, abs=0.05)


def test_halves_share_nothing_and_hold_every_type() -> None:
    outcomes = [an_outcome(at, 0.5, at % 3 == 0) for at in range(30)]
    one, two = halves(outcomes)
    assert not {it.query.id for it in one} & {it.query.id for it in two}
    assert len(one) + len(two) == 30
    assert {it.query.type for it in one} == {it.query.type for it in two}


def test_calibration_refuses_too_little_data() -> None:
    assert "at least 20" in refuses([an_outcome(at, 0.5, at % 2 == 0) for at in range(30)])
    assert refuses([an_outcome(at, 0.5, at % 2 == 0) for at in range(40)]) == ""


def test_log_loss_punishes_certainty_in_the_wrong() -> None:
    assert log_loss([(True, 0.99)]) < log_loss([(True, 0.6)]) < log_loss([(False, 0.6)]) < log_loss([(False, 0.99)])


def test_strangers_are_many_different_decks_and_no_invented_investment() -> None:
    asked = strangers()
    texts = {it.text for it in asked}
    assert len({it.id for it in asked}) == len(texts) >= 90
    assert not any(it.gold for it in asked)
    assert not texts & {it.summary for it in invented()}


def test_a_none_rate_is_told_of_all_decks_and_spreads_from_its_least_to_its_most() -> None:
    shares = {14: {"own": 0.5, "theirs": 1.0}, 100: {"own": 1.0, "theirs": 1.0}, 1_000: {"own": 1.0, "theirs": 0.6}}
    rates = NoneRates(shares, frozenset({"own"}), {14: 10.0, 100: 11.0, 1_000: 12.0})
    all_decks, own = rates.rows()
    assert (all_decks.default.value, all_decks.verdict) == (pytest.approx(0.25), "below")
    assert own.default.value == 0.5
    assert rates.data()["1000"] == {"all": 0.8, "own": 1.0, "strangers": 0.6}
    assert rates.lines()[0].startswith("  14 records: all 0.750 (0.50–1.00, n=2); own 0.500")
