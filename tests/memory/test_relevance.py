"""The gate: from features to a chance, by data."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from memory.embed import EmbedderId, MiniLmEmbedder
from memory.records import Kind
from memory.relevance import Calibration, calibration

DECKS = calibration(Kind.INVESTMENT, MiniLmEmbedder().id)
unit = st.floats(-1, 1)


@given(st.dictionaries(st.sampled_from([*DECKS.weights, "unknown"]), unit), st.integers(1, 10**9))
def test_a_chance_lies_between_zero_and_one(features: dict[str, float], records: int) -> None:
    assert 0 <= DECKS.probability(features, records) <= 1


@given(unit, unit, st.integers(1, 10**7))
def test_more_likeness_never_lowers_the_chance(one: float, other: float, records: int) -> None:
    low, high = sorted((one, other))
    assert DECKS.probability({"passage": low}, records) <= DECKS.probability({"passage": high}, records)


@given(unit, st.integers(1, 10**6), st.integers(1, 10**6))
def test_the_same_likeness_counts_less_in_a_larger_memory(value: float, one: int, other: int) -> None:
    small, large = sorted((one, other))
    assert DECKS.probability({"passage": value}, small) >= DECKS.probability({"passage": value}, large)


def test_each_kind_and_embedder_has_a_gate_of_its_own() -> None:
    bugs = calibration(Kind.BUG, MiniLmEmbedder().id)
    assert bugs.confirmed_only and not DECKS.confirmed_only
    assert isinstance(calibration(Kind.INVESTMENT, EmbedderId("never-fitted", 8, "")), Calibration)


def test_gates_are_in_order() -> None:
    for kind in (Kind.INVESTMENT, Kind.BUG):
        numbers = calibration(kind, MiniLmEmbedder().id)
        assert 0 < numbers.near < numbers.keep < 1
