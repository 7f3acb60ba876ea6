"""The values an audit is made of. Pure and frozen.

A model's reply, or a rule analyst's, becomes a ``DraftAudit``: claims, nothing more. Only ``audit.guard`` turns it
into a ``GroundedAudit``, and only that can be shown, saved, scored or exported.
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from dataclasses import dataclass
from datetime import datetime
from enum import StrEnum

from memory.money import Money
from memory.records import Record, Severity
from memory.report import Cue, RecallReport


@dataclass(frozen=True, slots=True)
class Span:
    """A stretch of the submission: ``text[start:end]``, in characters."""

    start: int
    end: int


@dataclass(frozen=True, slots=True)
class Excerpt:
    """The part of a file that a diff shows, of which only the lines it adds are judged.

    ``lines`` gives, for each line of the text, its number in the file (from 1), or 0 for the empty line that stands
    between two hunks; ``added`` are the numbers of the lines that the diff adds, in order.
    """

    lines: tuple[int, ...]
    added: tuple[int, ...]

    def line_in_file(self, line: int | None) -> int | None:
        """Turn a line of the text (from 1) into the file's own line number, or None."""
        if line is None or not 1 <= line <= len(self.lines):
            return None
        return self.lines[line - 1] or None

    def adds(self, first: int | None, last: int | None = None) -> bool:
        """Say whether any line of the text from ``first`` to ``last`` was added by the diff."""
        if first is None:
            return False
        return any(self.line_in_file(line) in self.added for line in range(first, (last or first) + 1))


@dataclass(frozen=True, slots=True)
class Submission:
    """What the user wants judged.

    ``text`` is kept as pasted, less control characters; ``language`` is a programming language for code, else a
    natural one (ISO 639-1), or ""; ``sha256`` is the hex digest of ``text``; ``notes`` are remarks for the user, such
    as "this looks like code, not a deck"; ``excerpt`` is set where it is the part of a file that a diff shows.
    """

    mode: str
    text: str
    sha256: str
    name: str = ""
    language: str = ""
    notes: tuple[str, ...] = ()
    excerpt: Excerpt | None = None

    def line_in_file(self, line: int | None) -> int | None:
        """Turn a line of ``text`` (from 1) into the file's own number where this is part of a file."""
        return self.excerpt.line_in_file(line) if self.excerpt else line


@dataclass(frozen=True, slots=True)
class DraftFinding:
    """One finding as claimed. ``subject`` is a rubric subject or a CWE; ``line`` counts from 1."""

    subject: str
    title: str
    severity: Severity
    quote: str = ""
    line: int | None = None
    explanation: str = ""
    fix: str = ""
    source: str = "model"


@dataclass(frozen=True, slots=True)
class Rating:
    """A rubric dimension rated 0 (worst) to 10 (best), with the reason in one sentence."""

    dimension: str
    value: float
    reason: str = ""


@dataclass(frozen=True, slots=True)
class DraftPrecedent:
    """A recalled record the writer points at, with its proof: one quote from the record, one from the submission."""

    record_id: str
    record_quote: str
    submission_quote: str
    why: str = ""


@dataclass(frozen=True, slots=True)
class HistoryClaim:
    """What a reply said outside its form, kept only so that the refusal can show it; ``cut`` where it was too much."""

    field: str
    text: str
    cut: bool = False


@dataclass(frozen=True, slots=True)
class DraftAudit:
    """A reply as claims. Nothing in it has been checked."""

    summary: str = ""
    findings: tuple[DraftFinding, ...] = ()
    ratings: tuple[Rating, ...] = ()
    precedents: tuple[DraftPrecedent, ...] = ()
    advice: tuple[str, ...] = ()
    questions: tuple[str, ...] = ()
    history_claims: tuple[HistoryClaim, ...] = ()


@dataclass(frozen=True, slots=True)
class Analysis:
    """What a rule analyst found. ``cues`` are what recall may match; ``summary`` is one or two sentences.

    ``judged`` is False where there is nothing that could be rated: no score and no verdict follow from it.
    """

    summary: str
    findings: tuple[DraftFinding, ...] = ()
    ratings: tuple[Rating, ...] = ()
    cues: tuple[Cue, ...] = ()
    questions: tuple[str, ...] = ()
    advice: tuple[str, ...] = ()
    notes: tuple[str, ...] = ()
    judged: bool = True


class Mark(StrEnum):
    """Where a name, year or amount in the writer's prose was found."""

    IN_SUBMISSION = "in the submission"
    IN_RECORD = "in a record"
    UNVERIFIED = "unverified"


@dataclass(frozen=True, slots=True)
class MarkedTerm:
    text: str
    mark: Mark


@dataclass(frozen=True, slots=True)
class Sentence:
    """One sentence of prose that may be shown, with its names, years and amounts marked."""

    text: str
    terms: tuple[MarkedTerm, ...] = ()


@dataclass(frozen=True, slots=True)
class Finding:
    """A finding that may be shown. ``span`` is its proved passage; None means "no passage given"."""

    subject: str
    title: str
    severity: Severity
    quote: str
    span: Span | None
    line: int | None
    explanation: str
    fix: str
    source: str


@dataclass(frozen=True, slots=True)
class Precedent:
    """A record that is a precedent of this submission, proved by two quotes.

    Every fact about the past is read from ``record``; ``why`` is the writer's reading; ``probability`` and
    ``confidence`` are in 0..1; ``alike`` counts near duplicates it stands for.
    """

    record: Record
    record_quote: str
    submission_quote: str
    span: Span
    why: str
    probability: float
    confidence: float
    alike: int = 0


@dataclass(frozen=True, slots=True)
class Refusal:
    """Something the writer said that may not be shown as true: what, in which field, by which rule, and why."""

    field: str
    text: str
    rule: str
    reason: str


@dataclass(frozen=True, slots=True)
class ScoreLine:
    """One term of the score: ``points`` out of ``out_of`` (both 0..100; an adjustment has ``out_of`` 0)."""

    label: str
    points: float
    out_of: float
    reason: str


@dataclass(frozen=True, slots=True)
class Attempt:
    """One try of one model: ``outcome`` is "answered" or the name of a failure kind; times in milliseconds."""

    model: str
    json_mode: str
    outcome: str
    detail: str
    ms: float
    tokens_in: int = 0
    tokens_out: int = 0


@dataclass(frozen=True, slots=True)
class History:
    """What may be said of the past. ``checked`` is False where the memory could not be searched.

    ``losses`` sums the precedents' recorded losses, one amount per currency; ``text`` is "None found", the losses
    in words, or "not checked".
    """

    checked: bool
    similar_found: bool
    losses: tuple[Money, ...]
    text: str


_permit: ContextVar[bool] = ContextVar("grounding_permit", default=False)


@contextmanager
def grounding_permit() -> Iterator[None]:
    """Allow ``GroundedAudit`` to be built within the block. For ``audit.guard`` alone; a test holds this."""
    token = _permit.set(True)
    try:
        yield
    finally:
        _permit.reset(token)


@dataclass(frozen=True, slots=True)
class GroundedAudit:
    """An audit that may be shown, saved, scored or exported. Raises TypeError when built outside the guard."""

    mode: str
    submission: Submission
    created_at: datetime
    verdict: str
    score: float
    score_breakdown: tuple[ScoreLine, ...]
    rests_on: str
    summary: tuple[Sentence, ...]
    findings: tuple[Finding, ...]
    unproved_findings: tuple[Finding, ...]
    precedents: tuple[Precedent, ...]
    history: History
    advice: tuple[Sentence, ...]
    questions: tuple[Sentence, ...]
    refusals: tuple[Refusal, ...]
    notes: tuple[str, ...]
    recall: RecallReport
    model: str
    attempts: tuple[Attempt, ...]

    def __post_init__(self) -> None:
        if not _permit.get():
            raise TypeError("only audit.guard builds a GroundedAudit")
