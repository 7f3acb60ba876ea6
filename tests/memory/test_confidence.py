"""Confidence: only the door gives it, and nothing that is derived ever gets more."""

from __future__ import annotations

from itertools import product

from hypothesis import given
from hypothesis import strategies as st

from memory.confidence import DOORS, FIRST, RETAINED, WAITING, bounded, first_confidence, origin_of
from memory.records import Door, Kind, Nature, Origin

shares = st.floats(0, 1)


@given(st.sampled_from(Origin), st.lists(shares, min_size=1, max_size=6))
def test_what_is_derived_has_at_most_97_percent_of_its_least_source(origin: Origin, sources: list[float]) -> None:
    assert first_confidence(origin, sources) <= min(sources) * RETAINED


@given(st.sampled_from(Origin), st.lists(shares, max_size=6), st.integers(1, 5))
def test_repeating_a_source_changes_nothing(origin: Origin, sources: list[float], times: int) -> None:
    assert first_confidence(origin, sources) == first_confidence(origin, sources * times)


@given(st.sampled_from(Origin), st.lists(shares, max_size=6), shares)
def test_one_more_source_never_raises(origin: Origin, sources: list[float], more: float) -> None:
    assert first_confidence(origin, [*sources, more]) <= first_confidence(origin, sources)


@given(shares, st.lists(shares, max_size=6))
def test_a_bound_never_raises_and_has_no_floor(own: float, sources: list[float]) -> None:
    assert 0 <= bounded(own, sources) <= own
    assert bounded(own, [*sources, 0.0]) == 0


@given(st.just(0.0) | st.floats(1e-9, 1), st.integers(1, 60))
def test_a_chain_of_any_length_only_falls(start: float, length: int) -> None:
    value = start
    for _ in range(length):
        lower = first_confidence(Origin.DERIVED, [value])
        assert lower <= value
        value = lower
    assert value <= start * RETAINED**length * (1 + 1e-9)


def test_the_table_is_the_one_agreed_on() -> None:
    assert [FIRST[it] for it in (Origin.VERIFIED_TOOL, Origin.CITED_DOCUMENT, Origin.PREFERENCE)] == [0.95, 0.85, 0.8]
    assert [FIRST[it] for it in (Origin.MODEL_REASONING, Origin.USER_STATEMENT, Origin.UNVERIFIED)] == [0.6, 0.5, 0.3]
    assert set(FIRST) == set(Origin)


def test_an_audit_can_only_bring_evaluations_and_only_an_audit_can() -> None:
    for kind, door in product(Kind, Door):
        if kind.nature is Nature.EVALUATION or door is Door.AUDIT:
            both = kind.nature is Nature.EVALUATION and door is Door.AUDIT
            assert (door in DOORS[kind.nature]) is both


def test_what_nobody_vouched_for_is_unverified_whatever_it_is() -> None:
    for kind, door, derived in product(Kind, WAITING, (True, False)):
        assert origin_of(door, kind, derived=derived) is Origin.UNVERIFIED
