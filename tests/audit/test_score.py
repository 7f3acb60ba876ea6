"""The score: what it is made of, what bounds it, and what it says it rests on."""

from __future__ import annotations

import math
from dataclasses import replace
from datetime import UTC, datetime
from decimal import Decimal

import pytest
from hypothesis import given
from hypothesis import strategies as st

from audit.modes import BUG, INVESTMENT, MODES, Mode
from audit.score import PRECEDENT_BOUND, UNPROVED_BOUND, score
from audit.types import Finding, Precedent, Rating, Span
from memory.money import Money
from memory.records import (
    SEVERITIES,
    BugFacts,
    Door,
    Facts,
    InvestmentFacts,
    Kind,
    Note,
    Origin,
    Outcome,
    Provenance,
    Record,
)
from memory.report import Candidate, Decision, RecallReport, RecallState

FOUND = RecallReport(RecallState.FOUND, "Found.")
NOTHING = RecallReport(RecallState.NONE_RELEVANT, "None of 7 records is relevant.")
PROVENANCE = Provenance(Door.FORM, Origin.OWN_RECORD, "form", "me", datetime(2024, 1, 1, tzinfo=UTC), 0.9)


def record(record_id: str, kind: Kind, facts: Facts) -> Record:
    return Record(record_id, "local", kind, facts, PROVENANCE, 0.9)


def precedent(
    outcome: Outcome = Outcome.WRITTEN_OFF, *, record_id: str = "r1", probability: float = 0.9, confidence: float = 0.9
) -> Precedent:
    facts = InvestmentFacts("Paylite", year=2022, outcome=outcome, invested=Money(Decimal(50000), "INR"))
    return of(record(record_id, Kind.INVESTMENT, facts), probability, confidence)


def of(it: Record, probability: float = 0.9, confidence: float = 0.9) -> Precedent:
    return Precedent(it, "quote", "quote", Span(0, 5), "", probability, confidence)


def finding(severity: str = "high", *, subject: str = "revenue", span: Span | None = None, title: str = "t") -> Finding:
    return Finding(subject, title, severity, "", span, None, "", "", "rule:x")  # type: ignore[arg-type]


def rated(mode: Mode, value: float) -> tuple[Rating, ...]:
    return tuple(Rating(it.name, value, "because") for it in mode.rubric)


severities = st.sampled_from(SEVERITIES)
wild = st.floats(allow_nan=True, allow_infinity=True)
spans = st.none() | st.integers(0, 9).map(lambda at: Span(at, at + 1))
findings = st.lists(
    st.builds(finding, severities, subject=st.sampled_from(["a", "b"]), span=spans, title=st.sampled_from("xyz")),
    max_size=12,
)
modes = st.sampled_from(list(MODES.values()))
ids = st.sampled_from([f"r{number}" for number in range(8)])
precedents = st.lists(
    st.builds(precedent, st.sampled_from(Outcome), record_id=ids, probability=wild, confidence=wild), max_size=8
)
ratings = st.lists(
    st.builds(
        Rating,
        st.sampled_from([it.name for mode in MODES.values() for it in mode.rubric] + ["unknown"]),
        wild,
    ),
    max_size=12,
)
reports = st.sampled_from([RecallReport(state, "message") for state in RecallState])


@given(modes, ratings, findings, precedents, reports)
def test_the_score_stays_in_range_and_its_lines_add_up_to_it(mode, ratings, findings, precedents, recall) -> None:
    card = score(mode, ratings, findings, precedents, recall)
    assert 0 <= card.score <= 100
    assert card.score == pytest.approx(min(100, max(0, math.fsum(it.points for it in card.breakdown))), abs=1e-6)
    assert all(math.isfinite(it.points) and it.label for it in card.breakdown)
    assert mode.verdict(card.score)
    assert card.rests_on.startswith("Rests on ")


@given(ratings, findings, precedents, st.floats(0, 1), st.floats(0, 1))
def test_adding_a_loss_never_raises_the_score(ratings, findings, precedents, probability, confidence) -> None:
    loss = precedent(record_id="new", probability=probability, confidence=confidence)
    before = score(INVESTMENT, ratings, findings, precedents, FOUND).score
    assert score(INVESTMENT, ratings, findings, [*precedents, loss], FOUND).score <= before


@given(ratings, findings, precedents, st.floats(0, 1), st.floats(0, 1))
def test_adding_a_gain_never_lowers_the_score(ratings, findings, precedents, probability, confidence) -> None:
    gain = precedent(Outcome.EXITED, record_id="new", probability=probability, confidence=confidence)
    before = score(INVESTMENT, ratings, findings, precedents, FOUND).score
    assert score(INVESTMENT, ratings, findings, [*precedents, gain], FOUND).score >= before


@given(modes, ratings, findings, precedents, severities, spans)
def test_adding_a_finding_never_raises_the_score(mode, ratings, findings, precedents, severity, span) -> None:
    before = score(mode, ratings, findings, precedents, FOUND).score
    more = [*findings, finding(severity, subject="new", span=span)]
    assert score(mode, ratings, more, precedents, FOUND).score <= before


@given(modes, ratings, findings, precedents, st.floats(0, 10), st.floats(0, 10))
def test_a_better_rating_never_lowers_the_score(mode, ratings, findings, precedents, one, other) -> None:
    name = mode.rubric[0].name
    rest = [it for it in ratings if it.dimension != name]
    low, high = (
        score(mode, [Rating(name, value), *rest], findings, precedents, FOUND).score for value in sorted((one, other))
    )
    assert low <= high


@given(modes, ratings, findings, precedents)
def test_saying_a_thing_twice_counts_once(mode, ratings, findings, precedents) -> None:
    once = score(mode, ratings, findings, precedents, FOUND)
    assert score(mode, ratings, findings * 2, precedents * 2, FOUND) == once


@given(precedents)
def test_precedents_move_the_score_within_what_their_confidence_allows(precedents) -> None:
    ratings = rated(INVESTMENT, 5)
    moved = score(INVESTMENT, ratings, (), precedents, FOUND).score - score(INVESTMENT, ratings, (), (), FOUND).score
    trusted = max((min(1.0, max(0.0, it.confidence)) for it in precedents if it.confidence == it.confidence), default=0)
    assert abs(moved) <= PRECEDENT_BOUND * trusted + 0.1


def test_many_weakly_trusted_losses_pull_no_more_than_their_trust() -> None:
    many = [precedent(record_id=f"r{number}", probability=1.0, confidence=0.3) for number in range(50)]
    card = score(INVESTMENT, rated(INVESTMENT, 5), (), many, FOUND)
    assert card.score == pytest.approx(50 - PRECEDENT_BOUND * 0.3)


@pytest.mark.parametrize("kind", [it for it in Kind if it is not Kind.INVESTMENT])
def test_only_facts_of_the_mode_s_kind_move_the_score(kind: Kind) -> None:
    facts = BugFacts("b") if kind is Kind.BUG else Note("n", "label", "a great loss")
    card = score(INVESTMENT, rated(INVESTMENT, 6), (), [of(record("x", kind, facts))], FOUND)
    assert card == score(INVESTMENT, rated(INVESTMENT, 6), (), (), FOUND)
    assert "alone" in card.rests_on


@pytest.mark.parametrize("outcome", list(Outcome))
def test_the_ending_of_a_record_decides_which_way_it_pulls(outcome: Outcome) -> None:
    moved = score(INVESTMENT, rated(INVESTMENT, 5), (), [precedent(outcome)], FOUND).score - 50
    lost = outcome in {Outcome.WRITTEN_OFF, Outcome.SHUT_DOWN, Outcome.SOLD_AT_A_LOSS}
    won = outcome in {Outcome.ACQUIRED, Outcome.WENT_PUBLIC, Outcome.EXITED}
    assert (moved < 0) == lost
    assert (moved > 0) == won


def test_an_exit_that_returned_less_than_was_invested_pulls_down() -> None:
    invested, returned = Money(Decimal(100), "USD"), Money(Decimal(20), "USD")
    facts = InvestmentFacts("A", outcome=Outcome.ACQUIRED, invested=invested, returned=returned)
    assert score(INVESTMENT, rated(INVESTMENT, 5), (), [of(record("a", Kind.INVESTMENT, facts))], FOUND).score < 50


@pytest.mark.parametrize("outcome", [Outcome.FIXED, Outcome.FIX_FAILED, Outcome.OPEN, Outcome.UNKNOWN])
def test_a_past_bug_that_recurs_pulls_down(outcome: Outcome) -> None:
    bug = record("b", Kind.BUG, BugFacts("SQL injection", cwe="CWE-89", outcome=outcome))
    assert score(BUG, rated(BUG, 5), (), [of(bug)], FOUND).score < 50


@pytest.mark.parametrize("mode", MODES.values(), ids=lambda mode: mode.name)
def test_findings_without_a_passage_hardly_move_the_score(mode: Mode) -> None:
    many = [finding("critical", title=str(number)) for number in range(40)]
    assert score(mode, rated(mode, 5), many, (), NOTHING).score == 50 - UNPROVED_BOUND


@pytest.mark.parametrize("mode", MODES.values(), ids=lambda mode: mode.name)
def test_proved_findings_subtract_by_severity_up_to_their_bound(mode: Mode) -> None:
    by_severity = [
        score(mode, rated(mode, 10), [finding(severity, span=Span(0, 4))], (), NOTHING).score for severity in SEVERITIES
    ]
    assert by_severity == sorted(by_severity) and by_severity[-1] == 100 and len(set(by_severity)) == len(SEVERITIES)
    many = [finding("critical", span=Span(number, number + 1)) for number in range(40)]
    assert score(mode, rated(mode, 10), many, (), NOTHING).score == 100 - mode.penalty_bound


def test_a_dimension_that_was_not_rated_counts_as_neutral_and_says_so() -> None:
    card = score(INVESTMENT, rated(INVESTMENT, 10)[1:], (), (), NOTHING)
    assert card.score == 100 - 15 / 2
    assert card.breakdown[0].reason == "Not rated, so counted as 5 of 10."


@pytest.mark.parametrize(("value", "points"), [(1e300, 25), (-7, 0), (math.nan, 12.5), (math.inf, 12.5)])
def test_absurd_ratings_are_clamped_and_non_numbers_count_as_not_rated(value: float, points: float) -> None:
    card = score(INVESTMENT, [Rating("revenue", value)], (), (), NOTHING)
    assert next(it for it in card.breakdown if it.label.startswith("Revenue")).points == points


@pytest.mark.parametrize("state", [RecallState.UNAVAILABLE, RecallState.EMBEDDER_CHANGED])
def test_a_history_that_was_not_searched_neither_moves_the_score_nor_passes_for_empty(state: RecallState) -> None:
    recall = RecallReport(state, "The memory could not be read.")
    card = score(INVESTMENT, rated(INVESTMENT, 5), (), [precedent()], recall)
    assert card.score == 50
    assert "fundamentals alone" in card.rests_on
    assert "were not checked: The memory could not be read." in card.rests_on


def test_what_the_score_rests_on_is_said_in_words() -> None:
    def words(precedents=(), recall=FOUND, mode=INVESTMENT) -> str:
        return score(mode, rated(mode, 5), (), precedents, recall).rests_on

    assert words(recall=RecallReport(RecallState.NO_RECORDS, "")) == (
        "Rests on the deck's fundamentals alone. No past investments are recorded yet."
    )
    assert words(recall=NOTHING) == (
        "Rests on the deck's fundamentals alone. None of your past investments is like this deck."
    )
    kept = Candidate(precedent().record, 0.5, 0.6, Decision.KEPT, "rule")
    assert "none was proved" in words(recall=replace(FOUND, candidates=(kept,)))
    assert words([precedent(confidence=1.0, probability=1.0)]) == (
        "Rests on the deck's fundamentals and 1 past investment like it, which took 15.0 points off."
    )
    assert "2 past investments like it" in words([precedent(), precedent(record_id="r2")])
    assert "alone. 1 past investment like it" in words([precedent(Outcome.OPERATING)])
    assert words(recall=NOTHING, mode=BUG) == (
        "Rests on the code's fundamentals alone. None of your past bugs is like this code."
    )


def test_precedents_that_moved_the_score_are_named_in_its_breakdown() -> None:
    lines = score(INVESTMENT, (), (), [precedent(), precedent(Outcome.EXITED, record_id="r2")], FOUND).breakdown
    worse, better = lines[-2:]
    assert worse.label == "Past losses like this one" and worse.points < 0 and "Paylite, 2022" in worse.reason
    assert better.label == "Past gains like this one" and better.points > 0
    assert worse.out_of == better.out_of == 0


@pytest.mark.parametrize("mode", MODES.values(), ids=lambda mode: mode.name)
def test_a_rubric_weighs_one_and_gives_a_full_score_to_full_ratings(mode: Mode) -> None:
    assert score(mode, rated(mode, 10), (), (), NOTHING).score == 100
    assert score(mode, rated(mode, 0), (), (), NOTHING).score == 0
