"""How good the audits' own forecasts were, once outcomes are known. Pure.

An audit's forecast is its score read as a chance: 70 of 100 says "this ends well, seven times in ten". An audit that
gave no verdict made no forecast, and counts nowhere here.
"""

from __future__ import annotations

import math
import random
from collections.abc import Callable, Sequence
from dataclasses import dataclass

from audit.decisions import Settled
from audit.modes import NOT_JUDGED

ENOUGH = 10
BINS = 5
ROUNDS = 1_000
_Z = 1.959964


@dataclass(frozen=True, slots=True)
class Accuracy:
    """A Brier score (0 is perfect, 0.25 is what always saying 50 % earns) with its 95 % interval by bootstrap.

    All three are None under ten cases: too few to say.
    """

    cases: int
    brier: float | None
    low: float | None
    high: float | None


@dataclass(frozen=True, slots=True)
class Bin:
    """One point of the reliability diagram: what was forecast on average, what share ended well, of how many.

    ``low`` and ``high`` hold the 95 % interval of that share (Wilson, JASA 22, 1927); with few cases it is wide.
    """

    forecast: float
    happened: float
    cases: int
    low: float
    high: float


def forecasts(audits: Sequence[Settled]) -> list[Settled]:
    """Leave out the audits that judged nothing: their score says nothing."""
    return [audit for audit in audits if audit.verdict != NOT_JUDGED]


def chance(audit: Settled) -> float:
    """Read an audit's score as the chance (0..1) that its submission ends well."""
    return min(1.0, max(0.0, audit.score / 100))


def error(audit: Settled) -> float:
    """Give the squared error of one forecast, 0..1 (Brier, Monthly Weather Review 78, 1950)."""
    return (chance(audit) - float(audit.went_well)) ** 2


def accuracy(audits: Sequence[Settled], seed: int = 0) -> Accuracy:
    """Score a group of forecasts; ``seed`` fixes the bootstrap."""
    errors = [error(audit) for audit in forecasts(audits)]
    if len(errors) < ENOUGH:
        return Accuracy(len(errors), None, None, None)
    draw = random.Random(seed)  # noqa: S311
    means = sorted(sum(draw.choices(errors, k=len(errors))) / len(errors) for _ in range(ROUNDS))
    low, high = means[int(0.025 * ROUNDS)], means[int(0.975 * ROUNDS)]
    return Accuracy(len(errors), sum(errors) / len(errors), low, high)


def by(audits: Sequence[Settled], group: Callable[[Settled], str]) -> dict[str, Accuracy]:
    """Score each group of forecasts, the largest group first."""
    groups: dict[str, list[Settled]] = {}
    for audit in forecasts(audits):
        groups.setdefault(group(audit), []).append(audit)
    ordered = sorted(groups.items(), key=lambda it: (-len(it[1]), it[0]))
    return {name: accuracy(members) for name, members in ordered}


def reliability(audits: Sequence[Settled]) -> tuple[Bin, ...]:
    """Group forecasts into five equal ranges of chance; empty ranges are left out."""
    bins: dict[int, list[Settled]] = {}
    for audit in forecasts(audits):
        bins.setdefault(min(BINS - 1, int(chance(audit) * BINS)), []).append(audit)
    return tuple(_bin(members) for _, members in sorted(bins.items()))


def _bin(members: Sequence[Settled]) -> Bin:
    cases, well = len(members), sum(audit.went_well for audit in members)
    return Bin(sum(map(chance, members)) / cases, well / cases, cases, *wilson(well, cases))


def wilson(hits: int, cases: int) -> tuple[float, float]:
    """Give the 95 % interval (0..1) of a share of ``hits`` in ``cases``, at least one (Wilson's score interval)."""
    share, spread = hits / cases, _Z**2 / cases
    middle = (share + spread / 2) / (1 + spread)
    half = _Z * math.sqrt(share * (1 - share) / cases + spread / (4 * cases)) / (1 + spread)
    return max(0.0, middle - half), min(1.0, middle + half)


def most_wrong(audits: Sequence[Settled], limit: int = 10) -> tuple[Settled, ...]:
    """List the audits whose forecast was furthest from what happened, the worst first."""
    return tuple(sorted(forecasts(audits), key=lambda it: (-error(it), it.audit_id))[:limit])
