"""Ratings of the rubric from where a deck stands, its admitted weaknesses and its contradictions. Pure."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence

from audit.deck.contradiction import Contradiction
from audit.deck.standing import Stand, Standing
from audit.deck.vocabulary import Risk
from audit.types import Rating

# How much each subject counts within its dimension; what each stand is worth, of 10.
# How a reason names where subjects stand.
STANDS: Mapping[Stand, str] = {
    Stand.STATED: "Stated",
    Stand.DENIED: "Said to be lacking",
    Stand.PROMISED: "Only promised",
    Stand.VAGUE: "Claimed without a number",
    Stand.MISSING: "Not stated",
}
_SHARES: Mapping[str, float] = {
    "problem": 0.5, "customer": 0.5, "revenue": 0.4, "revenue_model": 0.25, "pricing": 0.1, "unit_economics": 0.25,
    "traction": 0.6, "growth": 0.4, "market_size": 0.4, "competition": 0.35, "moat": 0.25, "team": 1.0, "runway": 0.5,
    "terms": 0.5,
}  # fmt: skip
_WORTH = {Stand.STATED: 7.5, Stand.VAGUE: 4.0, Stand.PROMISED: 3.5, Stand.MISSING: 2.0, Stand.DENIED: 1.0}
_WITH_NUMBER = 9.0
_RISK_COSTS = {"critical": 4.0, "high": 3.0, "medium": 1.5, "low": 0.5, "info": 0.0}
_CONTRADICTION_COSTS = {"critical": 3.0, "high": 2.0, "medium": 1.0, "low": 0.5, "info": 0.0}
_MOST_COST = 5.0


def ratings(
    standings: Sequence[Standing],
    risks: Iterable[Risk],
    contradictions: Iterable[Contradiction],
    *,
    regulated: bool,
) -> tuple[Rating, ...]:
    """Rate each dimension 0..10: the weighed worth of its subjects, less what weaknesses and contradictions cost."""
    dimension_of = {it.subject.key: it.subject.dimension for it in standings}
    costs: dict[str, float] = {}
    marred: dict[str, list[str]] = {}
    for risk in risks:
        dimension = dimension_of[risk.subject]
        costs[dimension] = costs.get(dimension, 0.0) + _RISK_COSTS[risk.severity]
        marred.setdefault(dimension, []).append(risk.title.lower())
    for it in contradictions:
        dimension = dimension_of[it.subject]
        costs[dimension] = costs.get(dimension, 0.0) + _CONTRADICTION_COSTS[it.severity]
        marred.setdefault(dimension, []).append("numbers that contradict each other")
    rated = []
    for dimension in dict.fromkeys(dimension_of.values()):
        of_it = [it for it in standings if it.subject.dimension == dimension]
        value = _weighed(of_it, regulated) - min(_MOST_COST, costs.get(dimension, 0.0))
        reason = _reason(of_it, list(dict.fromkeys(marred.get(dimension, ()))))
        rated.append(Rating(dimension, round(min(10.0, max(0.0, value)), 1), reason))
    return tuple(rated)


def _weighed(standings: Sequence[Standing], regulated: bool) -> float:
    shares = [(_share(it, regulated), _worth(it)) for it in standings]
    total = sum(share for share, _ in shares)
    return sum(share * worth for share, worth in shares) / total


def _share(standing: Standing, regulated: bool) -> float:
    """Weigh regulation only where it decides: in a regulated trade, or where an approval is said to be lacking."""
    if standing.subject.key == "regulation":
        return 0.3 if regulated or standing.stand is Stand.DENIED else 0.0
    return _SHARES[standing.subject.key]


def _worth(standing: Standing) -> float:
    if standing.stand is Stand.STATED and standing.passage is not None and standing.passage.has_number:
        return _WITH_NUMBER
    return _WORTH[standing.stand]


def _reason(standings: Sequence[Standing], marred: Sequence[str]) -> str:
    parts = []
    for stand, word in STANDS.items():
        names = [it.subject.label.lower() for it in standings if it.stand is stand]
        if names:
            parts.append(f"{word}: {', '.join(names)}.")
    if marred:
        parts.append(f"Marked down for: {', '.join(marred)}.")
    return " ".join(parts)
