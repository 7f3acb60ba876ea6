"""The measures: ranks, ranking quality, gates, calibration, and their intervals by bootstrap. Pure."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import TypeVar

import numpy as np
from numpy.typing import NDArray

Array = NDArray[np.float64]
T = TypeVar("T")
BINS = 5


@dataclass(frozen=True, slots=True)
class Measure:
    """A value with its 95 % interval and the number of cases it rests on; NaN where there were none."""

    value: float
    low: float
    high: float
    cases: int


def auroc(truth: Sequence[bool], scores: Sequence[float]) -> float:
    """Give the chance that a true case scores above a false one, ties counted half."""
    t = np.asarray(truth, dtype=bool)
    s = np.asarray(scores, dtype=float)
    above = s[t][:, None] > s[~t][None, :]
    equal = s[t][:, None] == s[~t][None, :]
    return float((above + 0.5 * equal).mean()) if above.size else float("nan")


def calibration_error(truth: Sequence[bool], chances: Sequence[float]) -> float:
    """Expected calibration error over five bins of equal size."""
    order = np.argsort(chances, kind="stable")
    t = np.asarray(truth, dtype=float)[order]
    p = np.asarray(chances, dtype=float)[order]
    if not len(p):
        return float("nan")
    bins = zip(np.array_split(t, BINS), np.array_split(p, BINS), strict=True)
    return float(sum(len(a) * abs(a.mean() - b.mean()) for a, b in bins if len(a)) / len(p))


def measure(cases: Sequence[T], of: Callable[[Sequence[T]], float], rounds: int = 400, seed: int = 0) -> Measure:
    """Measure ``cases`` and give the 95 % interval over ``rounds`` resamples of them."""
    if not cases:
        return Measure(float("nan"), float("nan"), float("nan"), 0)
    random = np.random.default_rng(seed)
    values = [of([cases[at] for at in random.integers(0, len(cases), len(cases))]) for _ in range(rounds)]
    sound = [value for value in values if not np.isnan(value)]
    low, high = np.quantile(sound, [0.025, 0.975]) if sound else (float("nan"), float("nan"))
    return Measure(of(cases), float(low), float(high), len(cases))


def share(cases: Sequence[bool]) -> float:
    """Give the share of true cases; NaN where there are none."""
    return sum(cases) / len(cases) if cases else float("nan")


def fit_logistic(features: Array, truth: Array, ridge: float, toward: Array | None = None) -> Array:
    """Fit weights and an intercept (last) by Newton's method, pulled toward ``toward`` (default 0) by ``ridge``."""
    rows = np.column_stack([features, np.ones(len(features))])
    goal = np.zeros(rows.shape[1]) if toward is None else np.append(toward, 0.0)
    pull = np.append(np.full(features.shape[1], ridge), 1e-6)
    weights = goal.copy()
    for _ in range(100):
        chance = 1 / (1 + np.exp(-np.clip(rows @ weights, -30, 30)))
        slope = rows.T @ (chance - truth) + pull * (weights - goal)
        curve = (rows.T * (chance * (1 - chance))) @ rows + np.diag(pull)
        step = np.linalg.solve(curve, slope)
        weights = weights - np.clip(step, -5, 5)
        if float(np.abs(step).max()) < 1e-8:
            break
    return weights
