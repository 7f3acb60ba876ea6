"""The measures of recall for decks: found, gated, and told honestly when there is nothing. Pure."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from evals.measures import Measure, auroc, calibration_error, measure, share
from evals.outcome import Fit, Outcome, fit, halves
from evals.table import Row
from memory.relevance import BESIDE
from memory.report import Decision

TOP = (1, 5, 12)
FLOORS: dict[int, float | None] = {1: None, 5: 0.92, 12: 0.96}
GOALS: dict[int, float | None] = {1: None, 5: 0.96, 12: 0.99}


def rows(outcomes: Sequence[Outcome]) -> list[Row]:
    """Measure decks: at the default gate, and with a gate fitted on one half and reported on the other, both ways."""
    fitted = _cross_fitted(outcomes)
    found = hits(outcomes, FLOORS, GOALS)
    if all(it.has for it in outcomes):
        return found
    return [
        *found,
        Row("has-precedent AUROC", ranking(outcomes), floor=0.91, goal=0.95),
        Row('"None found" where there is none', _none(outcomes), _none_fitted(fitted), floor=0.88, goal=0.90),
        Row(
            "a right precedent shown where there is one", _right(outcomes), _right_fitted(fitted), floor=0.70, goal=0.80
        ),
        Row("a record shown as precedent is right", _precision(outcomes)),
        Row("expected calibration error", _error(outcomes), _error_fitted(fitted), floor=0.06, goal=0.04, most=True),
    ]


def hits(outcomes: Sequence[Outcome], floors: dict[int, float | None], goals: dict[int, float | None]) -> list[Row]:
    """Measure how often a right record is among the first ones, before any gate."""
    with_gold = [it for it in outcomes if it.has]
    return [
        Row(f"hit@{top} before the gate", measure(with_gold, _hit(top)), floor=floors[top], goal=goals[top])
        for top in TOP
    ]


def _hit(top: int) -> Callable[[Sequence[Outcome]], float]:
    return lambda cases: share([(it.rank() or top + 1) <= top for it in cases])


def ranking(outcomes: Sequence[Outcome]) -> Measure:
    """Measure whether queries with a precedent score above those without."""
    return measure(outcomes, lambda cases: auroc([it.has for it in cases], [it.best for it in cases]))


def _cross_fitted(outcomes: Sequence[Outcome]) -> list[tuple[Outcome, Fit]]:
    one, two = halves(outcomes)
    if not all(_both(half) for half in (one, two)):
        return []
    on_one, on_two = fit(one), fit(two)
    return [*((it, on_two) for it in one), *((it, on_one) for it in two)]


def _both(half: Sequence[Outcome]) -> bool:
    return sum(it.has for it in half) >= 5 and sum(not it.has for it in half) >= 5


def _none(outcomes: Sequence[Outcome]) -> Measure:
    without = [not it.shown(Decision.KEPT) for it in outcomes if not it.has]
    return measure(without, share)


def _none_fitted(fitted: Sequence[tuple[Outcome, Fit]]) -> Measure:
    return measure([made.chance(it.best) < made.keep for it, made in fitted if not it.has], share)


def _right(outcomes: Sequence[Outcome]) -> Measure:
    shown = [any(seen.record_id in it.query.gold for seen in it.shown(Decision.KEPT)) for it in outcomes if it.has]
    return measure(shown, share)


def _right_fitted(fitted: Sequence[tuple[Outcome, Fit]]) -> Measure:
    shown = [
        made.chance(it.best_right) >= (min(BESIDE, made.keep) if made.chance(it.best) >= made.keep else made.keep)
        for it, made in fitted
        if it.has
    ]
    return measure(shown, share)


def _precision(outcomes: Sequence[Outcome]) -> Measure:
    right = [seen.record_id in it.query.gold | it.query.also_ok for it in outcomes for seen in it.shown(Decision.KEPT)]
    return measure(right, share)


def _error(outcomes: Sequence[Outcome]) -> Measure:
    return measure(outcomes, lambda cases: calibration_error([it.has for it in cases], [it.chance for it in cases]))


def _error_fitted(fitted: Sequence[tuple[Outcome, Fit]]) -> Measure:
    return measure(
        fitted,
        lambda cases: calibration_error([it.has for it, _ in cases], [made.chance(it.best) for it, made in cases]),
    )
