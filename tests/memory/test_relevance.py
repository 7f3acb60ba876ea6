"""The gate: from features to a chance, by data."""

from __future__ import annotations

import json
import math
from datetime import UTC, datetime
from pathlib import Path

from hypothesis import given
from hypothesis import strategies as st

from memory.embed import EmbedderId, MiniLmEmbedder
from memory.evidence import Evidence
from memory.judge import Seen, judge
from memory.records import Door, InvestmentFacts, Kind, Origin, Provenance, Record
from memory.relevance import CALIBRATIONS, Calibration, calibration
from memory.report import Decision, RecallQuery

DECKS = calibration(Kind.INVESTMENT, MiniLmEmbedder().id)
NOW = datetime(2026, 11, 1, tzinfo=UTC)
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


def test_a_memory_of_a_handful_gets_no_easier_gate_than_the_smallest_that_was_measured() -> None:
    assert DECKS.grown(1) == DECKS.grown(14) < DECKS.grown(15) < DECKS.grown(DECKS.size_at) == 0


def test_a_gate_fitted_before_the_size_term_had_a_shape_grows_by_the_logarithm(tmp_path: Path) -> None:
    content = json.loads(CALIBRATIONS.read_text(encoding="utf-8"))
    for gate in content["gates"]:
        del gate["size_shape"]
    own = tmp_path / "calibration.json"
    own.write_text(json.dumps(content), encoding="utf-8")
    numbers = calibration(Kind.INVESTMENT, MiniLmEmbedder().id, own)
    assert math.isclose(numbers.grown(4_500), numbers.size_step * math.log(10))


def test_each_kind_and_embedder_has_a_gate_of_its_own() -> None:
    bugs = calibration(Kind.BUG, MiniLmEmbedder().id)
    assert bugs.confirmed_only and not DECKS.confirmed_only
    assert isinstance(calibration(Kind.INVESTMENT, EmbedderId("never-fitted", 8, "")), Calibration)


def test_gates_are_in_order() -> None:
    for kind in (Kind.INVESTMENT, Kind.BUG):
        numbers = calibration(kind, MiniLmEmbedder().id)
        assert 0 < numbers.near < numbers.keep < 1


def decisions(*chances: float) -> dict[str, Decision]:
    """Judge investments seen with these chances, in a memory of as many records as the gate was fitted on."""
    seen = []
    for at, chance in enumerate(chances):
        score = (math.log(chance / (1 - chance)) - DECKS.intercept) / DECKS.slope
        facts = InvestmentFacts(f"Company {at}", summary=f"Thing {at}")
        made = Provenance(Door.FORM, Origin.OWN_RECORD, "t", "t", NOW, 0.9)
        record = Record(f"r{at}", "local", Kind.INVESTMENT, facts, made, 0.9)
        features = {"passage": score / DECKS.weights["passage"], "named": 0.0}
        seen.append(Seen(record, Evidence(features, 0.5, "", ""), (), None, ()))
    query = RecallQuery("local", (Kind.INVESTMENT,), "a deck")
    return {it.record.id: it.decision for it in judge(seen, DECKS, DECKS.size_at, query, NOW)}


def test_a_record_more_likely_than_not_is_kept_only_beside_a_surer_one() -> None:
    assert decisions(0.55) == {"r0": Decision.NEAR}
    assert decisions(0.9, 0.55) == {"r0": Decision.KEPT, "r1": Decision.KEPT}
    assert decisions(0.9, 0.45) == {"r0": Decision.KEPT, "r1": Decision.NEAR}
