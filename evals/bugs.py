"""The measures of recall for code: found, confirmed by something checkable, and never confirmed in clean code. Pure."""

from __future__ import annotations

from collections.abc import Sequence

from evals.decks import hits, ranking
from evals.measures import Measure, measure, share
from evals.outcome import Outcome
from evals.table import Row
from memory.report import Decision

FLOORS: dict[int, float | None] = {1: None, 5: 0.88, 12: 0.95}
GOALS: dict[int, float | None] = {1: None, 5: 0.92, 12: 0.97}


def rows(outcomes: Sequence[Outcome]) -> list[Row]:
    """Measure code; nothing here is fitted on the queries but the place of "near"."""
    secure = [it for it in outcomes if it.query.type == "neg_secure_variant"]
    clean = [it for it in outcomes if it.query.type.startswith("neg_clean")]
    absent = [it for it in outcomes if not it.has and it not in clean and it not in secure]
    variants = Row("secure variants: something is confirmed", _anything(secure), floor=0.08, goal=0.03, most=True)
    if secure and not any(it.has for it in outcomes):
        return [variants]
    return [
        *hits(outcomes, FLOORS, GOALS),
        Row("a precedent called confirmed is right", _confirmed_right(outcomes), floor=0.88, goal=0.95),
        Row("security kinds: a true precedent is confirmed", _security(outcomes), floor=0.75, goal=0.88),
        Row("all kinds: a true precedent is confirmed", _confirmed(outcomes)),
        Row("all kinds: a true precedent is shown, confirmed or near", _shown(outcomes), floor=0.88, goal=0.92),
        Row("clean or repaired code: something is confirmed", _anything(clean), floor=0.03, goal=0.01, most=True),
        Row("a kind not in memory: something is confirmed", _anything(absent), most=True),
        *([variants] if secure else []),
        Row("has-precedent AUROC, all kinds", ranking(outcomes), floor=0.80, goal=0.88),
    ]


def _confirmed_right(outcomes: Sequence[Outcome]) -> Measure:
    """Of the queries with anything confirmed: is the first confirmed record right?"""
    first = [(it, it.shown(Decision.KEPT)[0]) for it in outcomes if it.shown(Decision.KEPT)]
    return measure([seen.record_id in it.query.gold | it.query.also_ok for it, seen in first], share)


def _security(outcomes: Sequence[Outcome]) -> Measure:
    return _confirmed([it for it in outcomes if it.query.security])


def _confirmed(outcomes: Sequence[Outcome]) -> Measure:
    return measure([_right_among(it, Decision.KEPT) for it in outcomes if it.has], share)


def _shown(outcomes: Sequence[Outcome]) -> Measure:
    return measure([_right_among(it, Decision.KEPT, Decision.NEAR) for it in outcomes if it.has], share)


def _right_among(it: Outcome, *decisions: Decision) -> bool:
    return any(seen.record_id in it.query.gold for seen in it.shown(*decisions))


def _anything(outcomes: Sequence[Outcome]) -> Measure:
    return measure([bool(it.shown(Decision.KEPT)) for it in outcomes], share)
