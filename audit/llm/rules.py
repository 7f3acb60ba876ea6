"""The rule analyst as writer: answers when no model does, from the analysis and the recall alone. Pure.

It may say only what a model may: its precedents carry two quotes and are checked by the same guard.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from audit.folding import fold_text
from audit.modes import Mode
from audit.quotes import find_quote, substantial, words
from audit.sentences import sentences
from audit.types import Analysis, DraftAudit, DraftPrecedent, Submission
from memory.records import Record, render
from memory.report import Candidate, RecallReport

NAME = "rules"
LONGEST_QUOTE = 300
_MOST_SENTENCES = 4_000
_TELLING = ("Cause", "Root cause", "Lesson", "What it was", "Symptom", "Faulty code", "Fix")
_WHY_CONFIRMED = "The quoted passage shows the kind of problem that this record describes."
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
        precedents=tuple(_precedents(submission.text, recall.kept)),
        advice=analysis.advice,
        questions=analysis.questions,
    )


def _precedents(text: str, kept: Iterable[Candidate]) -> Iterator[DraftPrecedent]:
    for candidate in kept:
        shown = render(candidate.record)
        submission_quote = _submission_quote(text, candidate, shown)
        record_quote = _record_quote(shown, candidate.record, submission_quote)
        if submission_quote and record_quote:
            why = _WHY_CONFIRMED if candidate.confirmed_by else _WHY_ALIKE
            yield DraftPrecedent(candidate.record.id, record_quote, submission_quote, why)


def _submission_quote(text: str, candidate: Candidate, shown: str) -> str:
    """Choose the passage that confirmed the record, else the sentence that shares most words with it."""
    cue = candidate.confirmed_by
    if cue is not None and (quote := _verbatim(cue.quote, text)):
        return quote
    if quote := _best((line for _, line in _cut(candidate.passage)), text, shown):
        return quote
    return _best((line for _, line in _cut(text)), text, shown)


def _record_quote(shown: str, record: Record, submission_quote: str) -> str:
    """Choose the sentence of a record that says most about why it ended and is closest to the submission's."""
    del record
    near = _content(submission_quote)
    best, best_score = "", -1.0
    for line in shown.split("\n"):
        label, _, value = line.partition(": ")
        for _, sentence in _cut(value or label):
            quote = _verbatim(sentence, shown)
            score = len(near & _content(sentence)) + (0.5 if label in _TELLING else 0.0) + min(len(quote), 99) / 1000
            if quote and score > best_score:
                best, best_score = quote, score
    return best or _verbatim(shown[:LONGEST_QUOTE].rpartition(" ")[0] or shown, shown)


def _best(candidates: Iterable[str], text: str, shown: str) -> str:
    near = _content(shown)
    ranked = sorted(
        ((len(near & _content(line)), -at, line) for at, line in enumerate(candidates)),
        reverse=True,
    )
    return next((quote for _, _, line in ranked[:50] if (quote := _verbatim(line, text))), "")


def _cut(text: str) -> Iterator[tuple[int, str]]:
    for start, end in sentences(text)[:_MOST_SENTENCES]:
        yield start, text[start:end]


def _verbatim(quote: str, text: str) -> str:
    """Return ``quote`` as it stands in ``text``, cut to 300 characters at a word; "" where it is not there."""
    if len(quote) > LONGEST_QUOTE:
        quote = quote[:LONGEST_QUOTE].rpartition(" ")[0] or quote[:LONGEST_QUOTE]
    if not substantial(quote) or (span := find_quote(quote, text)) is None:
        return ""
    return text[span.start : span.end]


def _content(text: str) -> frozenset[str]:
    return frozenset(word for word in words(fold_text(text)) if len(word) > 3 or not word.isascii())
