"""How likely something is by chance: exact tests, one seeded simulation, and the price of looking often. Pure.

Sources: Fisher, The Design of Experiments (1935); Wald and Wolfowitz, Annals of Mathematical Statistics 11 (1940);
Rayleigh's resultant length in Mardia and Jupp, Directional Statistics (2000); Holm, Scandinavian Journal of
Statistics 6 (1979). There is no scipy here: numpy and the log-gamma function are enough.
"""

from __future__ import annotations

import math
from collections.abc import Sequence

import numpy as np

ROUNDS = 4_999
_TIE = 1e-9


def group_differs(bad_in_group: int, group: int, bad: int, total: int) -> float:
    """Give the chance (0..1) that a group drawn blindly differs as much or more in its share of bad endings.

    Fisher's exact test, two-sided: ``bad`` of ``total`` ended badly, ``bad_in_group`` of the ``group`` did.
    """
    low, high = max(0, group + bad - total), min(group, bad)
    chances = [_hypergeometric(count, group, bad, total) for count in range(low, high + 1)]
    seen = chances[bad_in_group - low]
    return min(1.0, math.fsum(it for it in chances if it <= seen * (1 + _TIE)))


def least_difference(group: int, bad: int, total: int) -> float:
    """Give the smallest chance that ``group_differs`` can give for such a group, whatever its endings."""
    ends = {max(0, group + bad - total), min(group, bad)}
    return min(group_differs(count, group, bad, total) for count in ends)


def at_least(count: int, total: int, share: float) -> float:
    """Give the chance (0..1) that ``count`` or more of ``total`` fall where each falls with chance ``share``."""
    if count <= 0:
        return 1.0
    if share >= 1:
        return 1.0 if count <= total else 0.0
    logs = (math.log(share), math.log1p(-share))
    terms = [math.exp(_choose(total, it) + it * logs[0] + (total - it) * logs[1]) for it in range(count, total + 1)]
    return min(1.0, math.fsum(terms))


def runs_of(endings: Sequence[bool]) -> int:
    """Count the unbroken runs of one value."""
    return sum(1 for at, it in enumerate(endings) if at == 0 or it is not endings[at - 1])


def at_most_runs(runs: int, bad: int, good: int) -> float:
    """Give the chance (0..1) that ``bad`` and ``good`` endings in a blind order make ``runs`` runs or fewer."""
    if not bad or not good:
        return 1.0
    chances = []
    for count in range(2, runs + 1):
        half = count // 2
        ways = ((half, half - 1), (half - 1, half)) if count % 2 else ((half - 1, half - 1),) * 2
        chances += [
            math.exp(_choose(bad - 1, one) + _choose(good - 1, other) - _choose(bad + good, bad))
            for one, other in ways
            if one < bad and other < good
        ]
    return min(1.0, math.fsum(chances))


def around_the_year(months: Sequence[int], seed: int) -> tuple[float, int]:
    """Give the chance (0..1) that months (1..12) spread evenly gather as much, and the month they gather at.

    Monte Carlo over 4,999 draws on the length of the mean resultant vector; ``seed`` fixes them.
    """
    turn = np.exp(2j * np.pi * np.arange(12) / 12)
    counts = np.bincount(np.asarray(months, dtype=int) - 1, minlength=12)
    seen = counts @ turn
    drawn = np.random.default_rng(seed).multinomial(len(months), np.full(12, 1 / 12), size=ROUNDS)
    reached = int((np.abs(drawn @ turn) >= abs(seen) - _TIE).sum())
    peak = round(float(np.angle(seen)) % (2 * np.pi) / (2 * np.pi) * 12) % 12 + 1
    return (1 + reached) / (1 + ROUNDS), peak


def corrected(chances: Sequence[float]) -> tuple[float, ...]:
    """Raise each chance by the number of patterns looked at (Holm's step-down Bonferroni, for any dependence)."""
    order = sorted(range(len(chances)), key=lambda at: chances[at])
    raised = [0.0] * len(chances)
    most = 0.0
    for rank, at in enumerate(order):
        most = max(most, min(1.0, chances[at] * (len(chances) - rank)))
        raised[at] = most
    return tuple(raised)


def _hypergeometric(count: int, group: int, bad: int, total: int) -> float:
    return math.exp(_choose(bad, count) + _choose(total - bad, group - count) - _choose(total, group))


def _choose(of: int, count: int) -> float:
    """The logarithm of the number of ways to choose ``count`` of ``of``."""
    return math.lgamma(of + 1) - math.lgamma(count + 1) - math.lgamma(of - count + 1)
