"""The score: ratings weighed by the mode's rubric, less proved findings, moved a little by the user's own past.

The writer rates; only this code computes. Every term of it is a line of the breakdown, and the lines add up to the
score.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from audit.modes import Dimension, Mode
from audit.types import Finding, Precedent, Rating, ScoreLine
from memory.records import GAINED, LOST, SEVERITIES, BugFacts, InvestmentFacts, Nature, Record
from memory.report import RecallReport, RecallState

NEUTRAL_RATING = 5.0
PRECEDENT_BOUND = 15.0
UNPROVED_BOUND = 2.0
_UNPROVED = {"critical": 1.0, "high": 0.5, "medium": 0.25, "low": 0.1}


@dataclass(frozen=True, slots=True)
class ScoreCard:
    """A score (0..100, one decimal), the lines that add up to it (clamped to that range), and what it rests on."""

    score: float
    breakdown: tuple[ScoreLine, ...]
    rests_on: str


def score(
    mode: Mode,
    ratings: Sequence[Rating],
    findings: Sequence[Finding],
    precedents: Sequence[Precedent],
    recall: RecallReport,
) -> ScoreCard:
    """Compute the score of an audit.

    Rubric: the sum of weight x rating x 10; a dimension not rated counts as 5 of 10 and its line says so. Proved
    findings subtract by severity, at most ``mode.penalty_bound`` points; those without a passage at most 2.
    Precedents count once per record and only where the record is a fact of the mode's kind; losses and past bugs
    subtract and gains add, each at most 15 points times the highest confidence among them, and nothing where the
    history was not searched.
    """
    facts = _facts(mode, precedents) if recall.state.looked else ()
    moves = _precedent_lines(mode, facts)
    lines = (*(_rated(dimension, ratings) for dimension in mode.rubric), *_finding_lines(mode, findings), *moves)
    total = min(100.0, max(0.0, math.fsum(line.points for line in lines)))
    return ScoreCard(round(total, 1), lines, _rests_on(mode, facts, moves, recall))


def _rated(dimension: Dimension, ratings: Sequence[Rating]) -> ScoreLine:
    out_of = round(dimension.weight * 100, 1)
    rating = next((it for it in ratings if it.dimension == dimension.name and math.isfinite(it.value)), None)
    if rating is None:
        reason = f"Not rated, so counted as {NEUTRAL_RATING:g} of 10."
        return ScoreLine(dimension.label, round(dimension.weight * NEUTRAL_RATING * 10, 1), out_of, reason)
    value = min(10.0, max(0.0, rating.value))
    return ScoreLine(dimension.label, round(dimension.weight * value * 10, 1), out_of, rating.reason)


def _finding_lines(mode: Mode, findings: Sequence[Finding]) -> tuple[ScoreLine, ...]:
    proved = _worst_of_each(it for it in findings if it.span is not None)
    unproved = _worst_of_each(it for it in findings if it.span is None)
    lines = (
        _deduction(
            "Findings with a passage",
            math.fsum(mode.penalties.get(it.severity, 0.0) for it in proved),
            mode.penalty_bound,
            proved,
        ),
        _deduction(
            "Findings without a passage",
            math.fsum(_UNPROVED.get(it.severity, 0.0) for it in unproved),
            UNPROVED_BOUND,
            unproved,
        ),
    )
    return tuple(line for line in lines if line.points)


def _worst_of_each(findings: Iterable[Finding]) -> tuple[Finding, ...]:
    """Keep one finding for each subject and passage, so that saying a thing twice does not count twice."""
    worst: dict[tuple[object, ...], Finding] = {}
    for it in findings:
        key = (it.subject, it.span if it.span is not None else it.title.casefold())
        if key not in worst or SEVERITIES.index(it.severity) < SEVERITIES.index(worst[key].severity):
            worst[key] = it
    return tuple(worst.values())


def _deduction(label: str, points: float, bound: float, findings: Sequence[Finding]) -> ScoreLine:
    counts = [(severity, sum(it.severity == severity for it in findings)) for severity in SEVERITIES]
    named = ", ".join(f"{count} {severity}" for severity, count in counts if count and severity != "info")
    return ScoreLine(label, -round(min(points, bound), 1), 0.0, f"{named}; at most {bound:g} points.".capitalize())


def _facts(mode: Mode, precedents: Sequence[Precedent]) -> tuple[Precedent, ...]:
    """Keep one precedent a record, and only facts of the mode's kind."""
    kept: dict[str, Precedent] = {}
    for it in precedents:
        kind = it.record.kind
        if kind is not mode.fact_kind or kind.nature is not Nature.FACT:
            continue
        known = kept.get(it.record.id)
        if known is None or _weight(it) > _weight(known):
            kept[it.record.id] = it
    return tuple(kept.values())


def _precedent_lines(mode: Mode, facts: Sequence[Precedent]) -> tuple[ScoreLine, ...]:
    lines = []
    for sign, label in ((-1, mode.wording.worse_precedents), (1, mode.wording.better_precedents)):
        group = [it for it in facts if _direction(it.record) == sign]
        points = round(_pull(group), 1)
        if points:
            names = "; ".join(_named(it) for it in group)
            lines.append(ScoreLine(label, sign * points, 0.0, names))
    return tuple(lines)


def _pull(group: Sequence[Precedent]) -> float:
    """Join the weights as independent signs, within the bound that the most trusted record sets.

    Repeating a weakly trusted record's kind cannot lift the pull above what its confidence allows.
    """
    if not group:
        return 0.0
    joined = 1.0 - math.prod(1.0 - _weight(it) for it in group)
    return PRECEDENT_BOUND * min(joined, max(_unit(it.confidence) for it in group))


def _weight(precedent: Precedent) -> float:
    return _unit(precedent.probability) * _unit(precedent.confidence)


def _unit(value: float) -> float:
    return 0.0 if math.isnan(value) else min(1.0, max(0.0, value))


def _direction(record: Record) -> int:
    """Say which way a record's ending pulls: -1 for a loss or a bug, 1 for a gain, 0 where it is open."""
    match record.facts:
        case BugFacts():
            return -1
        case InvestmentFacts(outcome=outcome):
            if outcome in LOST or record.loss is not None:
                return -1
            return 1 if outcome in GAINED else 0
        case _:
            return 0


def _named(precedent: Precedent) -> str:
    record = precedent.record
    year = f", {record.year}" if record.year else ""
    return (
        f"{record.title}{year}: likeness {min(0.99, _unit(precedent.probability)):.0%}, "
        f"trust in the record {_unit(precedent.confidence):.0%}"
    )


def _rests_on(mode: Mode, facts: Sequence[Precedent], moves: Sequence[ScoreLine], recall: RecallReport) -> str:
    alone = f"Rests on {mode.wording.fundamentals} alone"
    records = f"{mode.wording.record}s"
    if not recall.state.looked:
        return (
            f"{alone}. Your {records} were not checked: {recall.message or recall.state.value.replace('_', ' ') + '.'}"
        )
    if facts:
        count = f"{len(facts)} {mode.wording.record if len(facts) == 1 else records}"
        if not moves:
            return f"{alone}. {count} like it: how that ended is open or too weakly known to move the score."
        moved = math.fsum(line.points for line in moves)
        way = f"took {-moved:.1f} points off" if moved < 0 else f"added {moved:.1f} points"
        return f"Rests on {mode.wording.fundamentals} and {count} like it, which {way}."
    if recall.state is RecallState.NO_RECORDS:
        return f"{alone}. No {records} are recorded yet."
    if recall.kept:
        return f"{alone}. Some {records} came close, but none was proved to be like this {mode.wording.submission}."
    return f"{alone}. None of your {records} is like this {mode.wording.submission}."
