"""What recall answered to one query, reduced to what is measured. Pure."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from statistics import NormalDist

import numpy as np

from evals.dataset import Query
from evals.measures import fit_logistic
from memory.relevance import Calibration
from memory.report import Decision, RecallReport

NONE_RATE = 0.9


@dataclass(frozen=True, slots=True)
class Scored:
    """One candidate: its score before the gate, its chance at the default gate, and what was decided."""

    record_id: str
    title: str
    score: float
    chance: float
    decision: Decision
    confirmed: bool


@dataclass(frozen=True, slots=True)
class Outcome:
    """A query and its candidates, best score first; ``ms`` is the time of the recall."""

    query: Query
    candidates: tuple[Scored, ...]
    ms: float

    @property
    def has(self) -> bool:
        return bool(self.query.gold)

    @property
    def best(self) -> float:
        return max((it.score for it in self.candidates), default=-9.0)

    @property
    def best_right(self) -> float:
        return max((it.score for it in self.candidates if it.record_id in self.query.gold), default=-9.0)

    @property
    def chance(self) -> float:
        return max((it.chance for it in self.candidates), default=0.0)

    def rank(self) -> int | None:
        """Give the place of the first right candidate, from 1; None where there is none."""
        return next((at for at, it in enumerate(self.candidates, 1) if it.record_id in self.query.gold), None)

    def shown(self, *decisions: Decision) -> tuple[Scored, ...]:
        return tuple(it for it in self.candidates if it.decision in decisions)


def outcome(query: Query, report: RecallReport, numbers: Calibration) -> Outcome:
    """Reduce a report; the order is by score alone, as before any gate."""
    scored = [
        Scored(
            it.record.id,
            it.record.title,
            numbers.score(it.features),
            it.probability,
            it.decision,
            it.confirmed_by is not None,
        )
        for it in report.candidates
    ]
    scored.sort(key=lambda it: (-it.score, it.record_id))
    return Outcome(query, tuple(scored), sum(report.steps_ms.values()))


@dataclass(frozen=True, slots=True)
class Fit:
    """A gate fitted on some outcomes: chance = sigmoid(slope x best score + intercept), kept from ``keep`` on."""

    slope: float
    intercept: float
    keep: float

    def chance(self, score: float) -> float:
        return float(1 / (1 + np.exp(-np.clip(self.slope * score + self.intercept, -30, 30))))


def fit(outcomes: Sequence[Outcome], none_rate: float = NONE_RATE) -> Fit:
    """Fit a gate so that ``none_rate`` of the queries without a precedent get none.

    The gate stands at that quantile of a normal law fitted to their best scores: with few dozen queries it varies
    less than the quantile itself.
    """
    best = np.array([it.best for it in outcomes])
    has = np.array([it.has for it in outcomes], dtype=float)
    slope, intercept = fit_logistic(best[:, None], has, ridge=0.01)
    without = best[has == 0]
    at = without.mean() + _quantile(none_rate) * without.std(ddof=1)
    made = Fit(float(slope), float(intercept), 0.0)
    return Fit(made.slope, made.intercept, made.chance(float(at)))


def _quantile(share: float) -> float:
    """Give the quantile of the standard normal law."""
    return NormalDist().inv_cdf(share)


def halves(outcomes: Sequence[Outcome]) -> tuple[list[Outcome], list[Outcome]]:
    """Cut into two halves, alternating within each type so that both hold all types; by id, so always the same."""
    one: list[Outcome] = []
    two: list[Outcome] = []
    for number, it in enumerate(sorted(outcomes, key=lambda it: (it.query.type, it.query.id))):
        (two if number % 2 else one).append(it)
    return one, two
