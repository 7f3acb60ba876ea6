"""The rule analyst as writer: answers when no model does, from the analysis and the recall alone. Pure.

It may say only what a model may: its precedents carry two quotes and are checked by the same guard.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from functools import cached_property

from audit.folding import fold_text
from audit.modes import Mode
from audit.quotes import Source, substantial, words
from audit.sentences import sentences
from audit.types import Analysis, DraftAudit, DraftPrecedent, Submission
from memory.confirm import TRACE
from memory.records import render
from memory.report import Candidate, RecallReport

NAME = "rules"
LONGEST_QUOTE = 300
_MOST_SENTENCES = 4_000
_TELLING = ("Cause", "Root cause", "Lesson", "What it was", "Symptom", "Faulty code", "Fix")
_WHY_CONFIRMED = "The quoted passage shows the kind of problem that this record describes."
_WHY_TRACE = "The quoted frame belongs to the same stack trace that this record describes."
_WHY_ALIKE = "The quoted passage reads like what this record describes."


def write_draft(mode: Mode, submission: Submission, analysis: Analysis, recall: RecallReport) -> DraftAudit:
    """Write an audit without a model: the analysis, and one precedent for each record that recall kept.

    A record is left out only where no sentence of it or of the submission could prove anything.
    """
    del mode
    return DraftAudit(
        summary=analysis.summary,
        findings=analysis.findings,
        ratings=analysis.ratings,
        precedents=precedents_of(submission, recall.kept),
        advice=analysis.advice,
        questions=analysis.questions,
    )


class _Pasted:
    """The submission, cut into sentences once."""

    def __init__(self, text: str) -> None:
        self.source = Source(text)

    @cached_property
    def sentences(self) -> list[tuple[str, frozenset[str]]]:
        return [(line, _content(line)) for line in _cut(self.source.text)]


def precedents_of(submission: Submission, kept: Iterable[Candidate]) -> tuple[DraftPrecedent, ...]:
    """Quote each kept record and the submission; a record is left out where no sentence could prove anything."""
    return tuple(_precedents(submission.text, kept))


def _precedents(text: str, kept: Iterable[Candidate]) -> Iterator[DraftPrecedent]:
    pasted = _Pasted(text)
    for candidate in kept:
        record = Source(render(candidate.record))
        submission_quote = _submission_quote(pasted, candidate, record.text)
        record_quote = _record_quote(record, submission_quote)
        if submission_quote and record_quote:
            yield DraftPrecedent(candidate.record.id, record_quote, submission_quote, _why(candidate))


def _why(candidate: Candidate) -> str:
    if candidate.confirmed_by is None:
        return _WHY_ALIKE
    return _WHY_TRACE if candidate.confirmed_by.key.startswith(TRACE) else _WHY_CONFIRMED


def _submission_quote(pasted: _Pasted, candidate: Candidate, shown: str) -> str:
    """Choose the passage that confirmed the record, else the sentence that shares most words with it."""
    cue = candidate.confirmed_by
    if cue is not None and (quote := _verbatim(cue.quote, pasted.source)):
        return quote
    passage = [(line, _content(line)) for line in _cut(candidate.passage)]
    return _best(passage, pasted.source, shown) or _best(pasted.sentences, pasted.source, shown)


def _record_quote(record: Source, submission_quote: str) -> str:
    """Choose the sentence of a record that says most about why it ended and is closest to the submission's."""
    near = _content(submission_quote)
    best, best_score = "", -1.0
    for line in record.text.split("\n"):
        label, _, value = line.partition(": ")
        for sentence in _cut(value or label):
            quote = _verbatim(sentence, record)
            score = len(near & _content(sentence)) + (0.5 if label in _TELLING else 0.0) + min(len(quote), 99) / 1000
            if quote and score > best_score:
                best, best_score = quote, score
    return best or _verbatim(record.text, record)


def _best(candidates: Sequence[tuple[str, frozenset[str]]], source: Source, shown: str) -> str:
    near = _content(shown)
    ranked = sorted(candidates, key=lambda it: -len(near & it[1]))
    return next((quote for line, _ in ranked[:50] if (quote := _verbatim(line, source))), "")


def _cut(text: str) -> Iterator[str]:
    return (text[start:end] for start, end in sentences(text)[:_MOST_SENTENCES])


def _verbatim(quote: str, source: Source) -> str:
    """Return ``quote`` as it stands in ``source``, cut to 300 characters at a word; "" where it is not there."""
    if len(quote) > LONGEST_QUOTE:
        quote = quote[:LONGEST_QUOTE].rpartition(" ")[0] or quote[:LONGEST_QUOTE]
    found = source.find(quote) if substantial(quote) else None
    return source.text[found.span.start : found.span.end] if found else ""


def _content(text: str) -> frozenset[str]:
    return frozenset(word for word in words(fold_text(text)) if len(word) > 3 or not word.isascii())
