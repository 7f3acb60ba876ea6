from __future__ import annotations

from dataclasses import replace
from datetime import UTC, datetime

import pytest
from hypothesis import given
from hypothesis import strategies as st

from audit.decisions import Settled
from audit.modes import NOT_JUDGED
from audit.track_record import accuracy, by, most_wrong, reliability

AT = datetime(2026, 11, 1, tzinfo=UTC)
ONE = Settled("aud-0", "investment", "Deck", "rules", 70.0, "Promising", AT, True, "r", AT)


def settled(*pairs: tuple[float, bool]) -> list[Settled]:
    return [replace(ONE, audit_id=f"aud-{at}", score=score, went_well=well) for at, (score, well) in enumerate(pairs)]


def test_under_ten_cases_there_is_too_little_to_say() -> None:
    assert accuracy(settled(*[(70.0, True)] * 9)).brier is None
    assert accuracy(settled(*[(70.0, True)] * 10)).brier == pytest.approx(0.09)


def test_always_saying_half_earns_a_quarter() -> None:
    assert accuracy(settled(*[(50.0, at % 2 == 0) for at in range(20)])).brier == pytest.approx(0.25)


def test_groups_are_scored_apart_the_largest_first() -> None:
    audits = settled(*[(90.0, True)] * 12) + [replace(it, model="groq:x") for it in settled(*[(90.0, False)] * 10)]
    scored = by(audits, lambda it: it.model)
    assert list(scored) == ["rules", "groq:x"]
    assert scored["rules"].brier == pytest.approx(0.01)
    assert scored["groq:x"].brier == pytest.approx(0.81)


def test_reliability_compares_what_was_forecast_with_what_happened() -> None:
    bins = reliability(settled((90.0, True), (85.0, False), (10.0, False), (100.0, True)))
    assert [(round(it.forecast, 3), round(it.happened, 3), it.cases) for it in bins] == [
        (0.1, 0.0, 1),
        (0.917, 0.667, 3),
    ]
    assert (round(bins[1].low, 3), round(bins[1].high, 3)) == (0.208, 0.939), "as R's prop.test without correction"
    assert bins[0].low == 0 and bins[0].high > 0.7, "one outcome says next to nothing"


def test_the_most_wrong_comes_first() -> None:
    assert [it.audit_id for it in most_wrong(settled((60.0, True), (95.0, False), (20.0, True)))] == [
        "aud-1",
        "aud-2",
        "aud-0",
    ]


def test_an_audit_that_judged_nothing_counts_nowhere() -> None:
    judged = settled(*[(90.0, True)] * 10)
    blank = [replace(ONE, audit_id=f"blank-{at}", verdict=NOT_JUDGED, score=50.0, went_well=False) for at in range(30)]
    both = judged + blank
    assert accuracy(both) == accuracy(judged)
    assert by(both, lambda it: it.verdict) == by(judged, lambda it: it.verdict)
    assert reliability(both) == reliability(judged)
    assert most_wrong(both) == most_wrong(judged)
    assert accuracy(blank).cases == 0 and reliability(blank) == ()


@given(st.lists(st.tuples(st.floats(0, 100), st.booleans()), min_size=10, max_size=60))
def test_the_interval_holds_the_score_and_stays_in_range(pairs: list[tuple[float, bool]]) -> None:
    it = accuracy(settled(*pairs))
    assert it.brier is not None and it.low is not None and it.high is not None
    assert 0 <= it.low <= it.brier + 1e-9
    assert it.brier - 1e-9 <= it.high <= 1
