"""Where a deck stands on each subject: stated, denied, promised, vague or missing, with its passage. Pure."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from enum import StrEnum

from audit.deck.numbers import Unit
from audit.deck.phrases import Phrases
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
_LARGE_COUNT = 2000


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
        others = _is_about_others(passage, words)
        for subject in words.subjects:
            if others and subject.key not in _ONLY_UNDER["competition"]:
                continue
            if passage.hits.keys().isdisjoint(_signs(subject)) and subject.key not in {passage.heading, "competition"}:
                continue
            for stand, strength in _verdicts(passage, subject, words):
                if stand in {Stand.STATED, Stand.PROMISED} and not _may_count(passage, subject, words):
                    continue
                best[subject.key].offer(stand, 4 * strength + _bonus(passage, subject, words), passage)
    settled = {subject.key: _settle(subject, best[subject.key]) for subject in words.subjects}
    _infer(settled, best)
    return tuple(settled.values())


def _signs(subject: Subject) -> tuple[Phrases, ...]:
    """Name the phrases without any of which a passage says nothing on a subject, but below its heading."""
    return subject.states, subject.with_number, subject.vague, subject.denies


def _bonus(passage: Passage, subject: Subject, words: Vocabulary) -> int:
    """Prefer the passage below its own heading, with a number where numbers tell, and not one on the problem."""
    bonus = int(passage.heading == subject.key)
    if subject.key in _TOLD_BY_NUMBERS:
        bonus += passage.has_number
    if subject.key in _NOT_OF_A_PROBLEM and passage.says(words.subjects[0].states):
        bonus -= 2
    return bonus


def _may_count(passage: Passage, subject: Subject, words: Vocabulary) -> bool:
    own = passage.heading in {subject.key, "traction", "revenue"} or passage.says(words.own)
    return own or not subject.own


def risks(passages: Sequence[Passage], words: Vocabulary) -> tuple[tuple[Risk, Passage], ...]:
    """Find the weaknesses a deck admits to, each with the first passage that says so."""
    found: dict[str, tuple[Risk, Passage]] = {}
    for passage in passages:
        for risk in words.risks:
            if risk.key in found or not passage.says(risk.phrases) or passage.says(risk.unless):
                continue
            if risk.about_people and passage.heading != "team" and not passage.says(words.people):
                continue
            found[risk.key] = (risk, passage)
    return tuple(found.values())


def regulated_trade(passages: Sequence[Passage], words: Vocabulary) -> Passage | None:
    """Return the passage that shows the business to be in a regulated trade: in its opening, or said twice."""
    hits = [(at, it) for at, it in enumerate(passages) if it.says(words.regulated)]
    if not hits or (len(hits) < 2 and hits[0][0] > 2):
        return None
    return hits[0][1]


def is_forecast(passage: Passage, at: int, end: int, words: Vocabulary) -> bool:
    """Say whether the clause around a match speaks of the future."""
    hits = passage.hits.get(words.forecast)
    if not hits:
        return False
    clause = passage.clause(at, end)
    return any(hit.phrase.pattern.search(clause) for hit in hits)


def _is_about_others(passage: Passage, words: Vocabulary) -> bool:
    """Say whether a passage speaks of rivals and not of the company."""
    if _names_others(passage):
        return True
    rivals = next(it for it in words.subjects if it.key == "competition")
    return passage.says(rivals.states) and _OURSELVES.search(passage.skeleton) is None


_OURSELVES = re.compile(
    r"(?<![a-z])(?:we|we're|we've|us|our|ours|i|my|nuestr\w+|somos|tenemos|wir|unser\w*|uns)(?![a-z])|我们|本公司|公司|平台"
)


_TOLD_BY_NUMBERS = frozenset(
    {"problem", "revenue", "pricing", "traction", "growth", "unit_economics", "market_size", "runway", "terms"}
)
_NOT_OF_A_PROBLEM = frozenset({"revenue_model", "pricing", "traction", "unit_economics", "regulation"})
# Below these headings a deck speaks of others, or of the world: only these subjects can be stated or denied there.
_ONLY_UNDER = {
    "problem": frozenset({"problem", "customer", "market_size", "competition", "regulation"}),
    "competition": frozenset({"competition", "moat", "market_size"}),
    "customer": frozenset(
        {"problem", "customer", "revenue_model", "pricing", "traction", "market_size", "competition", "regulation"}
    ),
    "market_size": frozenset(
        {"problem", "customer", "revenue_model", "pricing", "market_size", "competition", "moat", "regulation"}
    ),
}
# "Novartis, Vera and Otsuka have ...": names at the head of a sentence that then do something of their own.
_NAMED_OTHERS = re.compile(
    r"(?:[A-Z][\w.&'-]*(?: [A-Z][\w.&'-]*)?, )*[A-Z][\w.&'-]*(?: [A-Z][\w.&'-]*)? (?:and|or"
    r"|&) [A-Z][\w.&'-]*(?: [A-Z][\w.&'-]*)? "
    r"(?:already |also |both |all |each |now |only )?(?:have|has|run|lend|offer|sell|make|serve|do"
    r"|charge|target|focus|dominate|own|"
    r"compete|rent|need|require|provide|build|ship|are the|are large|are big|work with|work on|stop"
    r"|are in|are focused|are building|hacen|tienen|ofrecen|venden|"
    r"cobran|verlangen|bieten|haben|verkaufen)\b"
)
_OUR_SIDE = re.compile(
    r"(?<![a-z])(?:we|us|our|founders?|ceo|cto|years|worked|met|studied|known each other|signed|agreed|bought|letters?|"
    r"invested|joined|customers|clients|trust|pay|pilot)(?![a-z])"
)


def _verdicts(passage: Passage, subject: Subject, words: Vocabulary) -> Iterator[tuple[Stand, int]]:
    if subject.key not in _ONLY_UNDER.get(passage.heading, {subject.key}):
        return
    found = list(_matched(passage, subject, words))
    denied = passage.says(subject.denies) and not passage.says(subject.denies_unless)
    if (found or denied) and passage.says(subject.unless):
        return
    if denied:
        yield Stand.DENIED, _STRONG
        return
    if subject.key == "market_size" and not _is_of_market_size(passage):
        return
    affirmed = [it for it in found if it[0] is not Stand.DENIED]
    if found:
        yield from affirmed or found
    elif _counts_by_place(passage, subject, words):
        yield Stand.STATED, _HEADED


def _counts_by_place(passage: Passage, subject: Subject, words: Vocabulary) -> bool:
    if subject.key == "competition" and _names_others(passage):
        return True
    return passage.heading == subject.key and _counts_below_heading(passage, subject, words)


def _is_of_market_size(passage: Passage) -> bool:
    """Say whether a passage holds an amount of money, or a count larger than a young company's own."""
    if not passage.has_number:
        return True
    return any(it.unit is Unit.MONEY or it.high >= _LARGE_COUNT for it in passage.numbers if it.unit is not Unit.YEAR)


def _matched(passage: Passage, subject: Subject, words: Vocabulary) -> Iterator[tuple[Stand, int]]:
    for hit in passage.hits.get(subject.states, ()):
        yield _stand_of(hit.match, passage, subject, words), _STRONG
    for hit in passage.hits.get(subject.with_number, ()):
        stand = _stand_of(hit.match, passage, subject, words)
        numbered = passage.has_number_near(hit.match.start(), hit.match.end())
        yield (stand, _STRONG) if numbered or stand is Stand.DENIED else (Stand.VAGUE, _WEAK)
    if passage.says(subject.vague):
        yield Stand.VAGUE, _WEAK


def _stand_of(match: re.Match[str], passage: Passage, subject: Subject, words: Vocabulary) -> Stand:
    if subject.negatable and _is_negated(match, passage.skeleton, words):
        return Stand.DENIED
    if subject.promisable and is_forecast(passage, match.start(), match.end(), words):
        return Stand.PROMISED
    return Stand.STATED


def _is_negated(match: re.Match[str], skeleton: str, words: Vocabulary) -> bool:
    return words.negation.search(skeleton[max(0, match.start() - 40) : match.start()]) is not None


def _names_others(passage: Passage) -> bool:
    if passage.heading not in {"", "competition", "market_size"} or _NAMED_OTHERS.match(passage.text) is None:
        return False
    return _OUR_SIDE.search(passage.skeleton) is None


def _counts_below_heading(passage: Passage, subject: Subject, words: Vocabulary) -> bool:
    if subject.under_heading == "none":
        return False
    if subject.key == "competition":
        return True
    if subject.under_heading == "number":
        return passage.has_number and not (subject.promisable and passage.says(words.forecast))
    size = len(passage.text) if not passage.text.isascii() else 4 * len(passage.text.split())
    if subject.under_heading == "content" and passage.says(words.forecast):
        return False
    return size >= 4 * _LEAST_WORDS or (not passage.text.isascii() and size >= 2 * _LEAST_WORDS)


def _infer(settled: dict[str, Standing], best: Mapping[str, _Best]) -> None:
    """Conclude what follows: a price for a thing says how money is made; a problem that some people have names them."""
    pricing, model = settled["pricing"], settled["revenue_model"]
    if pricing.stand in {Stand.STATED, Stand.PROMISED} and model.stand in {Stand.MISSING, Stand.VAGUE}:
        settled["revenue_model"] = replace(pricing, subject=model.subject)
    problem, customer = best["problem"].passage(Stand.STATED), settled["customer"]
    if customer.stand is Stand.MISSING and problem is not None and _HAVE_IT.match(problem.skeleton):
        settled["customer"] = Standing(customer.subject, Stand.STATED, problem, problem)


# The head of a sentence about people or firms: "Engineering teams rerun", "Couriers in Jakarta ride".
_HAVE_IT = re.compile(
    r"(?:[a-z]+: )?(?:today,? |most |many |the |all |some |small |every |independent |nearly |about "
    r"|half of (?:the |all )?|№ |‰ of )*"
    r"(?:[a-zäöüßé-]+ ){0,2}(?:teams|owners|farmers|growers|couriers|drivers|patients|doctors|nurses"
    r"|teachers|students|parents|"
    r"families|people|women|men|commuters|shops|stores|restaurants|hotels|clinics|hospitals|schools"
    r"|firms|companies|landlords|"
    r"tenants|traders|makers|operators|buyers|sellers|employers|workers|lawyers|accountants"
    r"|engineers|developers|scientists|"
    r"labs|banks|homes|travellers|guests|managers|agencies|municipalities|cities|insurers|retailers"
    r"|brands|manufacturers|builders|caterers|pharmacies|freelancers|creators|travellers|"
    r"travelers|professionals|businesses|dealers|carers|kanzleien|betriebe|praxen|handwerker"
    r"|eigentümer|landwirte|vermieter|"
    r"restaurantes|pacientes|agricultores|empresas|familias|clínicas)(?![a-z])"
)


def _settle(subject: Subject, best: _Best) -> Standing:
    stated, denied = best.passage(Stand.STATED), best.passage(Stand.DENIED)
    order = [Stand.STATED, Stand.DENIED, Stand.PROMISED, Stand.VAGUE]
    if subject.denial_first:
        order = [Stand.DENIED, Stand.STATED, Stand.PROMISED, Stand.VAGUE]
    known = best.found.get(Stand.STATED)
    if known is not None and known[0] < 4 * _STRONG - 2:
        # Only its heading says so: whatever the deck says outright goes first.
        order = [it for it in order if it is not Stand.STATED]
        order.insert(2, Stand.STATED)
    stand = next((it for it in order if it in best.found), Stand.MISSING)
    return Standing(subject, stand, best.passage(stand), stated, denied)
