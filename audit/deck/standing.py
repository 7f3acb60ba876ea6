"""Where a deck stands on each subject: stated, denied, promised, vague or missing, with its passage. Pure."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from enum import StrEnum

from audit.deck.phrases import first_match
from audit.deck.reading import Passage
from audit.deck.vocabulary import Risk, Subject, Vocabulary


class Stand(StrEnum):
    """What a deck says on a subject, from best to worst known."""

    STATED = "stated"
    DENIED = "none"
    PROMISED = "promised"
    VAGUE = "vague"
    MISSING = "missing"


@dataclass(frozen=True, slots=True)
class Standing:
    """A subject, how the deck stands on it, and the passage that shows it best (None where it is missing).

    ``stated`` and ``denied`` are the best passages that state and that deny it, whichever prevailed.
    """

    subject: Subject
    stand: Stand
    passage: Passage | None
    stated: Passage | None = None
    denied: Passage | None = None


_WEAK, _HEADED, _STRONG = 1, 2, 3
_LEAST_WORDS = 3


@dataclass(slots=True)
class _Best:
    """The strongest passage so far of each stand; the first of equals."""

    found: dict[Stand, tuple[int, Passage]] = field(default_factory=dict)

    def offer(self, stand: Stand, strength: int, passage: Passage) -> None:
        known = self.found.get(stand)
        if known is None or strength > known[0]:
            self.found[stand] = (strength, passage)

    def passage(self, stand: Stand) -> Passage | None:
        known = self.found.get(stand)
        return known[1] if known else None


def standings(passages: Sequence[Passage], words: Vocabulary) -> tuple[Standing, ...]:
    """Judge every subject of the vocabulary, in its order."""
    best = {subject.key: _Best() for subject in words.subjects}
    for passage in passages:
        owned: bool | None = None
        for subject in words.subjects:
            for stand, strength in _verdicts(passage, subject, words):
                if subject.own and stand is not Stand.DENIED:
                    owned = _is_own(passage, words) if owned is None else owned
                    if not owned and passage.heading not in {subject.key, "traction", "revenue"}:
                        continue
                bonus = (passage.heading == subject.key) + passage.has_number
                best[subject.key].offer(stand, 3 * strength + bonus, passage)
    return tuple(_settle(subject, best[subject.key]) for subject in words.subjects)


def risks(passages: Sequence[Passage], words: Vocabulary) -> tuple[tuple[Risk, Passage], ...]:
    """Find the weaknesses a deck admits to, each with the first passage that says so."""
    found: dict[str, tuple[Risk, Passage]] = {}
    for passage in passages:
        for risk in words.risks:
            if risk.key in found or first_match(risk.phrases, passage.skeleton) is None:
                continue
            if first_match(risk.unless, passage.skeleton) is not None:
                continue
            if risk.about_people and passage.heading != "team" and not first_match(words.people, passage.skeleton):
                continue
            found[risk.key] = (risk, passage)
    return tuple(found.values())


def regulated_trade(passages: Sequence[Passage], words: Vocabulary) -> Passage | None:
    """Return the passage that shows the business to be in a regulated trade: in its opening, or said twice."""
    hits = [(at, it) for at, it in enumerate(passages) if first_match(words.regulated, it.skeleton)]
    if not hits or (len(hits) < 2 and hits[0][0] > 2):
        return None
    return hits[0][1]


def is_forecast(passage: Passage, at: int, end: int, words: Vocabulary) -> bool:
    """Say whether the clause around a match speaks of the future."""
    return first_match(words.forecast, passage.clause(at, end)) is not None


def _is_own(passage: Passage, words: Vocabulary) -> bool:
    return first_match(words.own, passage.skeleton) is not None


def _verdicts(passage: Passage, subject: Subject, words: Vocabulary) -> Iterator[tuple[Stand, int]]:
    skeleton = passage.skeleton
    found = list(_matched(passage, subject, words))
    denied = first_match(subject.denies, skeleton) is not None
    if (found or denied) and first_match(subject.unless, skeleton) is not None:
        return
    if denied:
        yield Stand.DENIED, _STRONG
        return
    affirmed = [it for it in found if it[0] is not Stand.DENIED]
    if affirmed:
        yield from affirmed
    elif found:
        yield from found
    elif passage.heading == subject.key and _counts_below_heading(passage, subject, words):
        yield Stand.STATED, _HEADED


def _matched(passage: Passage, subject: Subject, words: Vocabulary) -> Iterator[tuple[Stand, int]]:
    for option in subject.states:
        match = option.find(passage.skeleton)
        if match is not None:
            yield _stand_of(match, passage, subject, words), _STRONG
    for option in subject.with_number:
        match = option.find(passage.skeleton)
        if match is not None:
            stand = _stand_of(match, passage, subject, words)
            numbered = passage.has_number
            yield (stand, _STRONG) if numbered or stand is Stand.DENIED else (Stand.VAGUE, _WEAK)
    if first_match(subject.vague, passage.skeleton) is not None:
        yield Stand.VAGUE, _WEAK


def _stand_of(match: re.Match[str], passage: Passage, subject: Subject, words: Vocabulary) -> Stand:
    if subject.negatable and _is_negated(match, passage.skeleton, words):
        return Stand.DENIED
    if subject.promisable and is_forecast(passage, match.start(), match.end(), words):
        return Stand.PROMISED
    return Stand.STATED


def _is_negated(match: re.Match[str], skeleton: str, words: Vocabulary) -> bool:
    return words.negation.search(skeleton[max(0, match.start() - 40) : match.start()]) is not None


def _counts_below_heading(passage: Passage, subject: Subject, words: Vocabulary) -> bool:
    if subject.under_heading == "none":
        return False
    if subject.under_heading == "number":
        return passage.has_number and not (subject.promisable and first_match(words.forecast, passage.skeleton))
    size = len(passage.text) if not passage.text.isascii() else 4 * len(passage.text.split())
    if subject.under_heading == "content" and first_match(words.forecast, passage.skeleton):
        return False
    return size >= 4 * _LEAST_WORDS or (not passage.text.isascii() and size >= 2 * _LEAST_WORDS)


def _settle(subject: Subject, best: _Best) -> Standing:
    stated, denied = best.passage(Stand.STATED), best.passage(Stand.DENIED)
    order = [Stand.STATED, Stand.DENIED, Stand.PROMISED, Stand.VAGUE]
    if subject.denial_first:
        order = [Stand.DENIED, Stand.STATED, Stand.PROMISED, Stand.VAGUE]
    known = best.found.get(Stand.STATED)
    if known is not None and known[0] < 3 * _STRONG:
        # Only its heading says so: whatever the deck says outright goes first.
        order = [it for it in order if it is not Stand.STATED]
        order.insert(2, Stand.STATED)
    stand = next((it for it in order if it in best.found), Stand.MISSING)
    return Standing(subject, stand, best.passage(stand), stated, denied)
