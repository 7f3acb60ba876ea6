"""Groups of records that came about for like reasons, named by the words they share, a lone one by its reason. Pure.

A group is a centre and the records whose reason (facet ``why``) has a cosine of 0.55 or more to it: the centre with
the most neighbours first, each record in one group. On 300 investments and 300 bugs recorded by strangers this cut
put equal reasons together and joined no two that a reader would keep apart among the ten largest groups.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np

from memory.embed import Vectors
from memory.index import Entry
from memory.months import MONTHS
from memory.records import BugFacts, InvestmentFacts, Record
from memory.terms import COMMON, tokens

LIKE = 0.55
MOST_GROUPED = 2_000
MOST_WORDS = 3
SHARED = 0.5
_WORD = re.compile(r"[\w'’-]+")


@dataclass(frozen=True, slots=True)
class Cause:
    """A reason that records share: the ids behind it, the nearest to its centre first, and the words that name it."""

    name: str
    records: tuple[str, ...]


def reason_of(record: Record) -> str:
    """Give what a record says of why it came about: the cause of an ending, the root cause of a bug."""
    match record.facts:
        case InvestmentFacts(cause=cause):
            return cause
        case BugFacts(root_cause=cause):
            return cause
        case _:
            return ""


def why_vectors(entries: Sequence[Entry]) -> dict[str, Vectors]:
    """Pick the vector of each record's reason, its first passage."""
    return {it.record_id: it.vector for it in entries if it.facet == "why" and not it.passage}


def causes(records: Sequence[Record], vectors: Mapping[str, Vectors]) -> tuple[Cause, ...]:
    """Group records that have a reason and a vector of it, the largest group first; a reason of its own is a group.

    At most the first 2,000 records are grouped.
    """
    told = sorted((it for it in records[:MOST_GROUPED] if reason_of(it) and it.id in vectors), key=lambda it: it.id)
    if not told:
        return ()
    stacked = np.stack([vectors[it.id] for it in told])
    likeness = stacked @ stacked.T
    near = likeness >= LIKE
    np.fill_diagonal(near, True)
    left = np.ones(len(told), dtype=bool)
    neighbours = near.sum(axis=1)
    groups: list[list[int]] = []
    while left.any():
        centre = int((neighbours * left).argmax())
        members = np.flatnonzero(near[centre] & left)
        neighbours -= near[:, members].sum(axis=1)
        groups.append(sorted((int(at) for at in members), key=lambda at: (-likeness[centre, at], at)))
        left[members] = False
    words = [_terms(reason_of(it)) for it in told]
    spoken = Counter(term for said in words for term in said)
    found = []
    for group in groups:
        shared = _name([words[at] for at in group], spoken, len(told)) if len(group) > 1 else ""
        name = shared or reason_of(told[group[0]])
        found.append(Cause(name, tuple(told[at].id for at in group)))
    return tuple(sorted(found, key=lambda it: (-len(it.records), it.records)))


def _terms(text: str) -> dict[str, str]:
    """Give the terms of a text as keywords fold them, each with the word it stands as."""
    return {
        term: word.lower()
        for word in _WORD.findall(text)
        for term in tokens(word)[:1]
        if term not in COMMON and len(term) > 2 and not term.isdigit() and word.lower() not in MONTHS
    }


def _name(group: Sequence[Mapping[str, str]], spoken: Mapping[str, int], total: int) -> str:
    """Join the words that at least half of a group says, those that set it apart from the others first."""
    said = Counter(term for words in group for term in words)
    rest = max(total - len(group), 1)
    apart = {
        term: count / len(group) - (spoken[term] - count) / rest
        for term, count in said.items()
        if count >= SHARED * len(group)
    }
    best = sorted(apart, key=lambda term: (-apart[term], term))[:MOST_WORDS]
    return ", ".join(next(words[term] for words in group if term in words) for term in best)
