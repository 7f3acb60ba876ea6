"""Rule analyst for decks: what a deck states, denies, leaves out and contradicts, each with its quote. Pure.

A finding's ``source`` is ``rule:<subject>.<stand>`` for where the deck stands (stated, none, promised, vague, missing),
``rule:<risk>`` for a weakness it admits to, and ``rule:numbers.<check>`` for numbers that contradict each other.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cache

from audit.deck.alarms import alarms
from audit.deck.consistency import contradictions
from audit.deck.contradiction import Contradiction
from audit.deck.figures import figure_names, figures
from audit.deck.genre import count_words, looks_like_code
from audit.deck.phrases import Lexicon
from audit.deck.ratings import ratings
from audit.deck.reading import Passage, read
from audit.deck.standing import Stand, Standing, regulated_trade, risks, standings
from audit.deck.vocabulary import Risk, Vocabulary, vocabulary
from audit.types import Analysis, DraftFinding, Rating, Submission
from memory.records import SEVERITIES, Severity
from memory.report import Cue
from memory.terms import language

SHORT_WORDS = 60
MOST_QUESTIONS = 8
MOST_ADVICE = 6
READ = frozenset({"en", "zh", "de", "es", ""})
UNREAD = (
    "This seems to be in a language that the rules do not read; they know English, Chinese and some German and "
    "Spanish. What they call not stated may well be stated, and their part of the score says little."
)
_RANK = {severity: at for at, severity in enumerate(SEVERITIES)}


@dataclass(frozen=True, slots=True)
class _Read:
    """Everything read from one deck."""

    standings: tuple[Standing, ...]
    risks: tuple[tuple[Risk, Passage], ...]
    contradictions: tuple[Contradiction, ...]
    regulated: Passage | None
    words: int

    @property
    def short(self) -> bool:
        return self.words < SHORT_WORDS


def analyse(submission: Submission) -> Analysis:
    """Say what a deck states, denies, leaves out and contradicts; what looks like code is said to be no deck."""
    words = vocabulary()
    if looks_like_code(submission.text):
        return _not_a_deck(words)
    passages = read(submission.text, _lexicon(), words.headings, words.sections)
    found = figures(passages, words)
    stands = standings(passages, words)
    result = _Read(
        stands,
        (*risks(passages, words), *alarms(found, words)),
        (*contradictions(passages, found, words), *_revenue_and_none(stands)),
        regulated_trade(passages, words),
        count_words(submission.text),
    )
    findings = sorted(_findings(result), key=lambda it: (_RANK[it.severity], not it.quote))
    return Analysis(
        summary=_summary(result),
        findings=tuple(findings),
        ratings=ratings(
            result.standings,
            [risk for risk, _ in result.risks],
            result.contradictions,
            regulated=result.regulated is not None,
        ),
        cues=tuple(_cues(result)),
        questions=tuple(_questions(result))[:MOST_QUESTIONS],
        advice=tuple(_advice(result))[:MOST_ADVICE],
        notes=_notes(result, submission.text),
    )


@cache
def _lexicon() -> Lexicon:
    return Lexicon((*vocabulary().sets(), *figure_names()))


def _not_a_deck(words: Vocabulary) -> Analysis:
    dimensions = dict.fromkeys(it.dimension for it in words.subjects)
    return Analysis(
        summary="This reads as code, not as a deck, so nothing was judged.",
        ratings=tuple(Rating(it, 0.0, "Nothing of it was found in what reads as code.") for it in dimensions),
        notes=("This looks like code, not a deck. Use Bug triage for code; the score here says nothing.",),
    )


def _revenue_and_none(stands: Sequence[Standing]) -> Iterator[Contradiction]:
    revenue = next(it for it in stands if it.subject.key == "revenue")
    if revenue.stated is not None and revenue.denied is not None and revenue.stated is not revenue.denied:
        title = "Revenue is stated and denied"
        told = "One passage states revenue, another says that there is none."
        yield Contradiction("revenue_denied", "revenue", title, "high", (revenue.denied, revenue.stated), told)


def _findings(result: _Read) -> Iterator[DraftFinding]:
    for it in result.contradictions:
        yield from _contradicted(it)
    for risk, passage in result.risks:
        yield DraftFinding(
            risk.subject, risk.title, risk.severity, passage.text, None, f"The deck says so itself: {risk.causes}.",
            risk.asks, f"rule:{risk.key}",
        )  # fmt: skip
    for standing in result.standings:
        yield _stood(standing, result)
    by_key = {it.subject.key: it for it in result.standings}
    regulation = by_key["regulation"]
    if result.regulated is not None and regulation.stand is Stand.MISSING and not result.short:
        yield DraftFinding(
            "regulation", "A regulated trade, and no word on licences", "medium", result.regulated.text, None,
            "In this trade a licence or an approval decides whether the business may run; the deck names none.",
            regulation.subject.asks, "rule:regulation.unaddressed",
        )  # fmt: skip


def _contradicted(it: Contradiction) -> Iterator[DraftFinding]:
    """Yield one finding that counts, and one for each further passage so that every number can be seen in its place."""
    for at, passage in enumerate(it.passages):
        yield DraftFinding(
            subject=it.subject,
            title=it.title if at == 0 else f"{it.title} (the other passage)",
            severity=it.severity if at == 0 else "info",
            quote=passage.text,
            explanation=it.explanation,
            fix="Which of the numbers holds, at which date, and what do the books say?",
            source=f"rule:numbers.{it.rule}",
        )


def _stood(standing: Standing, result: _Read) -> DraftFinding:
    subject, stand = standing.subject, standing.stand
    quote = standing.passage.text if standing.passage else ""
    title, severity, explanation, fix = _words_for(standing, result)
    return DraftFinding(
        subject.key, title, severity, quote, None, explanation, fix, f"rule:{subject.key}.{stand.value}"
    )


def _words_for(standing: Standing, result: _Read) -> tuple[str, Severity, str, str]:
    subject = standing.subject
    match standing.stand:
        case Stand.STATED:
            return f"{subject.label}: stated", "info", "The deck states it.", ""
        case Stand.DENIED:
            return subject.denied, subject.denied_severity, "The deck says so itself.", subject.asks
        case Stand.PROMISED:
            title = f"{subject.label}: only promised"
            return title, "medium", "The deck speaks of the future; nothing is stated for today.", subject.asks
        case Stand.VAGUE:
            title = f"{subject.label}: claimed without a number"
            return title, "low", "The deck mentions it and gives no number.", subject.adds
    severity: Severity = "low" if result.short else subject.missing
    return f"{subject.label}: not stated", severity, "No passage of the deck states it.", subject.adds


def _cues(result: _Read) -> Iterator[Cue]:
    """Yield what records' causes may match, the surest first; in a short text what is left out says nothing."""
    for risk, passage in result.risks:
        yield Cue(risk.key, risk.causes, passage.text)
    for it in result.standings:
        if it.stand is Stand.DENIED and it.passage is not None:
            yield Cue(f"{it.subject.key}:none", it.subject.causes, it.passage.text)
    for found in result.contradictions:
        yield Cue(f"{found.subject}:contradictory", "misstated numbers, inflated metrics", found.passages[0].text)
    for it in result.standings:
        if it.stand is Stand.PROMISED and it.passage is not None:
            yield Cue(f"{it.subject.key}:promised", it.subject.causes, it.passage.text)
        elif it.stand is Stand.MISSING and not result.short and it.subject.missing in {"high", "medium"}:
            yield Cue(f"{it.subject.key}:missing", it.subject.causes)


def _questions(result: _Read) -> Iterator[str]:
    yield from dict.fromkeys(
        (
            *(f"{it.title}: which holds?" for it in result.contradictions),
            *(risk.asks for risk, _ in result.risks),
            *(it.subject.asks for it in _by_weight(result) if it.stand is Stand.DENIED),
            *(it.subject.asks for it in _by_weight(result) if it.stand in {Stand.PROMISED, Stand.MISSING}),
        )
    )


def _advice(result: _Read) -> Iterator[str]:
    if result.contradictions:
        yield "Settle the contradictory numbers before anything else."
    for it in _by_weight(result):
        if it.stand in {Stand.MISSING, Stand.VAGUE, Stand.PROMISED}:
            yield it.subject.adds


def _by_weight(result: _Read) -> Sequence[Standing]:
    return sorted(result.standings, key=lambda it: _RANK[it.subject.missing])


def _summary(result: _Read) -> str:
    stated = [it for it in result.standings if it.stand is Stand.STATED]
    lacking = [it.subject.denied for it in result.standings if it.stand is Stand.DENIED]
    missing = [it.subject.label.lower() for it in _by_weight(result) if it.stand is Stand.MISSING]
    first = f"The deck states {len(stated)} of {len(result.standings)} subjects"
    shown = missing if len(missing) <= 5 else [*missing[:4], f"{len(missing) - 4} more"]
    first += f"; it leaves out {_list(shown)}." if shown else "."
    weak = [*(it.title for it in result.contradictions), *lacking, *(risk.title for risk, _ in result.risks)]
    return f"{first} Weakest points: {'; '.join(map(_in_sentence, weak[:4]))}." if weak else first


def _in_sentence(title: str) -> str:
    """Write a title inside a sentence: its first letter small, unless it opens an abbreviation."""
    return title if title[1:2].isupper() else f"{title[:1].lower()}{title[1:]}"


def _list(names: Sequence[str]) -> str:
    return names[0] if len(names) == 1 else f"{', '.join(names[:-1])} and {names[-1]}"


def _notes(result: _Read, text: str) -> tuple[str, ...]:
    short = f"This is short ({result.words} words), so what it leaves out says little about the company."
    return (*([short] if result.short else []), *([UNREAD] if language(text) not in READ else []))
