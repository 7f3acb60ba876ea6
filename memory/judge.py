"""From what was seen of the candidates to decisions: each by the first rule that applies, in words. Pure."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from datetime import datetime

from memory.confirm import Confirmation
from memory.evidence import Evidence
from memory.index import Entry
from memory.ranking import SOURCE_WEIGHTS, age_days, fold_alike, order_of, spread
from memory.records import BugFacts, Record
from memory.relevance import BESIDE, CONFIDENCE_FLOOR, Calibration
from memory.report import Candidate, Decision, RecallQuery

MOST = {Decision.KEPT: 12, Decision.NEAR: 8, Decision.DROPPED: 40}
RANK = {Decision.KEPT: 0, Decision.NEAR: 1, Decision.DROPPED: 2}


@dataclass
class Seen:
    """A record that was found, and all that was seen of it; ``across`` says it is in another language than asked."""

    record: Record
    evidence: Evidence
    terms: tuple[str, ...]
    confirmation: Confirmation | None
    entries: Sequence[Entry] = field(repr=False)
    across: bool = False


def judge(
    seen: Sequence[Seen], numbers: Calibration, searched: int, query: RecallQuery, now: datetime
) -> list[Candidate]:
    """Gate, order, fold, spread and cut what was seen in a memory of ``searched`` records."""
    made = [_candidate(it, numbers, searched, query, now) for it in seen]
    if not query.needs_cue and any(it.decision is Decision.KEPT and it.probability >= numbers.keep for it in made):
        made = [_beside(it, numbers) if not one.across else it for it, one in zip(made, seen, strict=True)]
    made.sort(key=lambda it: (RANK[it.decision], -it.order, -it.probability, it.record.id))
    what = {
        it.record.id: entry.vector for it in seen for entry in it.entries if entry.facet == "what" and not entry.passage
    }
    return _cut(spread(fold_alike(made, what)))


def speaks(record: Record, language: str) -> bool:
    """Say whether a past bug was in the programming language ``language``; one recorded without one was in none."""
    spoken = record.facts.language.lower() if isinstance(record.facts, BugFacts) else ""
    return bool(language) and language.lower() in re.split(r"[^a-z0-9#+]+", spoken)


def _candidate(seen: Seen, numbers: Calibration, searched: int, query: RecallQuery, now: datetime) -> Candidate:
    features = seen.evidence.features
    probability = numbers.probability(features, searched)
    decision, rule = _decide(seen, numbers, probability, query)
    it = Candidate(
        record=seen.record,
        similarity=seen.evidence.similarity,
        probability=probability,
        decision=decision,
        rule=rule,
        passage=seen.evidence.passage,
        record_passage=seen.evidence.record_passage,
        matched_terms=seen.terms,
        age_days=age_days(seen.record, now),
        source_weight=SOURCE_WEIGHTS[seen.record.provenance.origin],
        order=order_of(seen.record, probability, now),
        features=features,
    )
    if seen.confirmation is not None:
        it = replace(it, confirmed_by=seen.confirmation.cue, passage=seen.confirmation.cue.quote or it.passage)
    return it


def _decide(seen: Seen, numbers: Calibration, probability: float, query: RecallQuery) -> tuple[Decision, str]:
    """Decide by the first rule that applies; the words are for a user."""
    if seen.record.confidence < CONFIDENCE_FLOOR:
        return Decision.DROPPED, f"its confidence is {seen.record.confidence:.0%}; {CONFIDENCE_FLOOR:.0%} is needed"
    if query.needs_cue:
        if seen.confirmation is not None:
            return Decision.KEPT, seen.confirmation.rule
        if probability >= numbers.near:
            return Decision.NEAR, "related; that flaw was not found here"
        return Decision.DROPPED, f"{probability:.0%} likely; what is related begins at {numbers.near:.0%}"
    if seen.across and probability >= numbers.near:
        return Decision.NEAR, "similar, in another language: too uncertain to call it a precedent"
    if probability >= numbers.keep:
        return Decision.KEPT, f"{min(0.99, probability):.0%} likely; a precedent begins at {numbers.keep:.0%}"
    named = bool(seen.evidence.features["named"])
    if named and probability >= numbers.named:
        return Decision.KEPT, "the same company by name, in the same business"
    if named:
        return Decision.NEAR, "the same name, but another business"
    if probability >= numbers.near:
        return Decision.NEAR, f"similar, at {probability:.0%}; a precedent begins at {numbers.keep:.0%}"
    begin = f"what is similar begins at {numbers.near:.0%}, a precedent at {numbers.keep:.0%}"
    return Decision.DROPPED, f"{probability:.0%} likely; {begin}"


def _beside(it: Candidate, numbers: Calibration) -> Candidate:
    """Keep a near record that is more likely than not, where a surer one passed the gate."""
    if it.decision is not Decision.NEAR or it.features["named"] or not BESIDE <= it.probability < numbers.keep:
        return it
    rule = f"{it.probability:.0%} likely, beside a surer one; alone a precedent begins at {numbers.keep:.0%}"
    return replace(it, decision=Decision.KEPT, rule=rule)


def _cut(candidates: Sequence[Candidate]) -> list[Candidate]:
    """Keep the first twelve of the kept, of the near, and what fits of the dropped."""
    room = dict(MOST)
    left: list[Candidate] = []
    for candidate in candidates:
        if room[candidate.decision] > 0:
            room[candidate.decision] -= 1
            left.append(candidate)
    return left
