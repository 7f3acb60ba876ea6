"""The order among what passed the gate, near duplicates folded into one, and variety. Pure. Order never admits."""

from __future__ import annotations

import math
import re
import unicodedata
from collections import Counter, defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import replace
from datetime import datetime

from memory.embed import Vectors
from memory.opinions import Tally
from memory.records import InvestmentFacts, Origin, Record
from memory.report import Candidate, Decision

DECAY_PER_DAY = 0.01
MOST_BOOST = 1.5
MOST_OF_ONE = 2
DUPLICATE_COSINE = 0.97
OPINION_BOUND = 0.25
OPINIONS_ASSUMED = 2
SOURCE_WEIGHTS: Mapping[Origin, float] = {
    Origin.VERIFIED_TOOL: 1.0,
    Origin.OWN_RECORD: 1.0,
    Origin.CITED_DOCUMENT: 0.95,
    Origin.USER_STATEMENT: 0.9,
    Origin.DERIVED: 0.85,
    Origin.PREFERENCE: 0.8,
    Origin.MODEL_REASONING: 0.75,
    Origin.UNVERIFIED: 0.7,
}


def age_days(record: Record, now: datetime) -> float:
    """Days since a record was last used, or came in where it never was; at least 0, also with a clock set back."""
    since = record.last_used_at or record.provenance.created_at
    return max((now - since).total_seconds() / 86_400, 0.0)


def order_of(record: Record, probability: float, now: datetime) -> float:
    """Rank a record: chance x freshness x source x confidence x use.

    Freshness is exp(-0.01 x days since last use), source the weight of its origin, use up to 1.5. Each of freshness,
    source and confidence can take away half at most, so that a close old record still stands before a far new one.
    """
    freshness = math.exp(-DECAY_PER_DAY * age_days(record, now))
    used = min(1 + 0.1 * math.log1p(record.use_count), MOST_BOOST)
    weight = SOURCE_WEIGHTS[record.provenance.origin]
    return probability * (0.5 + 0.5 * freshness) * weight * (0.5 + 0.5 * record.confidence) * used


def opinion_weight(tally: Tally) -> float:
    """Weigh a record by what was said of it, 0.75..1.25: 1 + 0.25 x (useful - against) / (all + 2).

    The two opinions assumed on either side keep one click from counting as much as twenty.
    """
    given = tally.useful + tally.against
    return 1 + OPINION_BOUND * (tally.useful - tally.against) / (given + OPINIONS_ASSUMED)


def by_opinion(candidates: Sequence[Candidate], tallies: Mapping[str, Tally]) -> list[Candidate]:
    """Order what was kept by the user's opinions too. Nothing enters or leaves, and no chance or confidence changes."""
    weights = {record_id: opinion_weight(tally) for record_id, tally in tallies.items()}
    weighed = [
        replace(it, order=it.order * weight, opinion=weight)
        if it.decision is Decision.KEPT and (weight := weights.get(it.record.id))
        else it
        for it in candidates
    ]
    kept = iter(sorted((it for it in weighed if it.decision is Decision.KEPT), key=lambda it: -it.order))
    return [next(kept) if it.decision is Decision.KEPT else it for it in weighed]


def fold_alike(candidates: Sequence[Candidate], vectors: Mapping[str, Vectors]) -> list[Candidate]:
    """Keep one of each group of near duplicates and count the others on it: of those decided alike the oldest.

    A copy that came in later therefore never stands in the place of what it copies.

    Near duplicates are records of one name and outcome whose vectors (facet ``what``) have a cosine of 0.97 or more,
    and records of one name, year and loss in whatever words, so that no loss is summed twice.
    """
    kept: list[Candidate] = []
    named: dict[str, list[int]] = defaultdict(list)
    for candidate in candidates:
        group = named[_name(candidate.record)]
        twin = next((at for at in group if _alike(kept[at].record, candidate.record, vectors)), None)
        if twin is None:
            group.append(len(kept))
            kept.append(candidate)
        else:
            first = kept[twin]
            older = first.decision is candidate.decision and _came_in(candidate) < _came_in(first)
            kept[twin] = replace(candidate if older else first, alike=first.alike + 1 + candidate.alike)
    return kept


def spread(candidates: Sequence[Candidate]) -> list[Candidate]:
    """Hold back from the kept what comes third or later of one company, or one bug, in this order."""
    seen: Counter[str] = Counter()
    spread_out: list[Candidate] = []
    for candidate in candidates:
        if candidate.decision is Decision.KEPT:
            name = _name(candidate.record)
            seen[name] += 1
            if seen[name] > MOST_OF_ONE:
                rule = f"held back: {MOST_OF_ONE} records of {candidate.record.title} are shown already"
                candidate = replace(candidate, decision=Decision.NEAR, rule=rule)
        spread_out.append(candidate)
    return spread_out


def _alike(one: Record, other: Record, vectors: Mapping[str, Vectors]) -> bool:
    if one.loss is not None and (one.loss, one.year) == (other.loss, other.year):
        return True
    a, b = vectors.get(one.id), vectors.get(other.id)
    return one.outcome is other.outcome and a is not None and b is not None and float(a @ b) >= DUPLICATE_COSINE


def _came_in(candidate: Candidate) -> tuple[datetime, str]:
    return candidate.record.provenance.created_at, candidate.record.id


def _name(record: Record) -> str:
    name = record.facts.company if isinstance(record.facts, InvestmentFacts) else record.title
    folded = unicodedata.normalize("NFKC", name).casefold()
    folded = re.sub(r"\b(inc|ltd|llc|gmbh|corp|co|company|limited|pvt|ag|sa)\b\.?", "", folded)
    return re.sub(r"[\W_]+", "", folded)
