"""What records are worth that hold some of the terms asked for. Pure.

A term counts ln(1 + (n - df + 0.5) / (df + 0.5)), the inverse document frequency of BM25 (Robertson and Zaragoza,
2009).
"""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class KeywordHit:
    """An active record that holds some of the terms asked for; ``score`` sums their inverse document frequencies."""

    record_id: str
    score: float
    terms: tuple[str, ...] = ()


def ranked(found: Mapping[str, Sequence[int]], count: int, limit: int) -> dict[int, tuple[float, tuple[str, ...]]]:
    """Give the best keys, best first, of those found for each term, each with its score and the terms it holds.

    ``count`` is n, and a term's df is how many keys were found for it.
    """
    scores: dict[int, float] = {}
    held: dict[int, list[str]] = {}
    for term, keys in found.items():
        weight = math.log(1 + (count - len(keys) + 0.5) / (len(keys) + 0.5))
        for key in keys:
            scores[key] = scores.get(key, 0.0) + weight
            held.setdefault(key, []).append(term)
    best = sorted(scores, key=lambda key: (-scores[key], key))[:limit]
    return {key: (scores[key], tuple(held[key])) for key in best}
