"""What a memory holds: records, what they are, where they came from. Pure.

A record's *kind* says what it is and its *provenance* says which door it came in through. Neither can be edited.
"""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime
from enum import StrEnum
from typing import Literal

from memory.money import Money


class Nature(StrEnum):
    """What a record may be used for: only a FACT can be a precedent, a loss or a score."""

    FACT = "fact"
    EVALUATION = "evaluation"
    OBSERVATION = "observation"
    PREFERENCE = "preference"


class Kind(StrEnum):
    """What a record is, for ever."""

    INVESTMENT = "investment"
    BUG = "bug"
    EVALUATED_DECK = "evaluated_deck"
    REVIEWED_CODE = "reviewed_code"
    OBSERVATION = "observation"
    PREFERENCE = "preference"

    @property
    def nature(self) -> Nature:
        return _NATURES[self]


_NATURES = {
    Kind.INVESTMENT: Nature.FACT,
    Kind.BUG: Nature.FACT,
    Kind.EVALUATED_DECK: Nature.EVALUATION,
    Kind.REVIEWED_CODE: Nature.EVALUATION,
    Kind.OBSERVATION: Nature.OBSERVATION,
    Kind.PREFERENCE: Nature.PREFERENCE,
}


class Door(StrEnum):
    """Through which door a record came in. The door fixes its origin and first confidence."""

    SEED = "seed"
    FORM = "form"
    IMPORT = "import"
    DOCUMENT = "document"
    AGENT = "agent"
    AUDIT = "audit"
    OUTCOME = "outcome"


class Origin(StrEnum):
    """What kind of source stands behind a record; ``memory.confidence`` holds the first confidence of each."""

    VERIFIED_TOOL = "verified_tool"
    OWN_RECORD = "own_record"
    CITED_DOCUMENT = "cited_document"
    PREFERENCE = "preference"
    MODEL_REASONING = "model_reasoning"
    USER_STATEMENT = "user_statement"
    UNVERIFIED = "unverified"
    DERIVED = "derived"


class Status(StrEnum):
    """Where a record stands. Only ACTIVE records are indexed and can be recalled."""

    ACTIVE = "active"
    HELD = "held"
    QUARANTINED = "quarantined"
    ARCHIVED = "archived"
    FORGOTTEN = "forgotten"


class Outcome(StrEnum):
    """How an investment or a bug ended."""

    WRITTEN_OFF = "written_off"
    SHUT_DOWN = "shut_down"
    SOLD_AT_A_LOSS = "sold_at_a_loss"
    ACQUIRED = "acquired"
    WENT_PUBLIC = "went_public"
    EXITED = "exited"
    OPERATING = "operating"
    PASSED = "passed"
    FIXED = "fixed"
    FIX_FAILED = "fix_failed"
    OPEN = "open"
    UNKNOWN = "unknown"

    @property
    def label(self) -> str:
        """The outcome as words: ``written off``."""
        return self.value.replace("_", " ")


LOST = frozenset({Outcome.WRITTEN_OFF, Outcome.SHUT_DOWN, Outcome.SOLD_AT_A_LOSS})
GAINED = frozenset({Outcome.ACQUIRED, Outcome.WENT_PUBLIC, Outcome.EXITED})

Severity = Literal["critical", "high", "medium", "low", "info"]
SEVERITIES: tuple[Severity, ...] = ("critical", "high", "medium", "low", "info")
GRAVE: frozenset[Severity] = frozenset({"critical", "high"})


@dataclass(frozen=True, slots=True)
class InvestmentFacts:
    """One past investment, as its owner recorded it. Years are calendar years, 1900 to 2100."""

    company: str
    sector: str = ""
    summary: str = ""
    year: int | None = None
    year_end: int | None = None
    outcome: Outcome = Outcome.UNKNOWN
    invested: Money | None = None
    returned: Money | None = None
    cause: str = ""
    lesson: str = ""

    @property
    def title(self) -> str:
        return self.company

    @property
    def loss(self) -> Money | None:
        """Money lost, in the currency invested: invested minus returned.

        None where the amount invested is unknown, the currencies differ, nothing was lost, or the outcome is no
        loss and no return was recorded.
        """
        if self.invested is None or (self.returned and self.returned.currency != self.invested.currency):
            return None
        if self.returned is None:
            return self.invested if self.outcome in {Outcome.WRITTEN_OFF, Outcome.SHUT_DOWN} else None
        lost = self.invested.amount - self.returned.amount
        return Money(lost, self.invested.currency) if lost > 0 else None


@dataclass(frozen=True, slots=True)
class BugFacts:
    """One resolved bug: how it showed, why it happened, what repaired it and what it cost."""

    title: str
    language: str = ""
    cwe: str = ""
    severity: Severity = "medium"
    year: int | None = None
    outcome: Outcome = Outcome.FIXED
    symptom: str = ""
    root_cause: str = ""
    faulty_code: str = ""
    fixed_code: str = ""
    fix: str = ""
    loss: Money | None = None
    impact: str = ""


@dataclass(frozen=True, slots=True)
class Note:
    """A record that is no fact: an evaluation, an observation or a preference. ``label`` opens its text."""

    title: str
    label: str
    text: str
    year: int | None = None


Facts = InvestmentFacts | BugFacts | Note


@dataclass(frozen=True, slots=True)
class Provenance:
    """A record's credential.

    ``source`` names the raw source: file and row, address, session or tool call. ``context_hash`` is the sha256 hex
    digest of that source's text. ``derived_from`` holds the ids of the records it was derived from.
    """

    door: Door
    origin: Origin
    source: str
    author: str
    created_at: datetime
    first_confidence: float
    context_hash: str = ""
    derived_from: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Record:
    """One thing remembered. ``confidence`` is in 0..1; times are aware, in UTC; ``revision`` counts edits from 1."""

    id: str
    workspace: str
    kind: Kind
    facts: Facts
    provenance: Provenance
    confidence: float
    status: Status = Status.ACTIVE
    protected: bool = False
    use_count: int = 0
    last_used_at: datetime | None = None
    updated_at: datetime | None = None
    revision: int = 1

    @property
    def title(self) -> str:
        return self.facts.title

    @property
    def year(self) -> int | None:
        return self.facts.year

    @property
    def outcome(self) -> Outcome | None:
        return None if isinstance(self.facts, Note) else self.facts.outcome

    @property
    def loss(self) -> Money | None:
        return None if isinstance(self.facts, Note) else self.facts.loss

    @property
    def lesson(self) -> str:
        """What it taught: the lesson of an investment, the fix of a bug."""
        match self.facts:
            case InvestmentFacts(lesson=lesson):
                return lesson
            case BugFacts(fix=fix):
                return fix
            case _:
                return ""


@dataclass(frozen=True, slots=True)
class Facet:
    """One side of a record that is embedded by itself. ``name`` is ``what``, ``why`` or ``code``."""

    name: Literal["what", "why", "code"]
    text: str


def facets(record: Record) -> tuple[Facet, ...]:
    """Cut a record into the sides it can be met from: what it is, why it ended, its faulty code.

    An evaluation has none: it would look like the very thing it judges, so nothing that goes by likeness may meet it.
    """
    if record.kind.nature is Nature.EVALUATION:
        return ()
    match record.facts:
        case InvestmentFacts() as it:
            # A sector blurs what a summary says, so it stands in only where there is next to none.
            what = it.summary if len(it.summary.split()) > 1 else _join(it.sector, it.summary)
            sides = [Facet("what", what), Facet("why", _join(it.cause, it.lesson))]
        case BugFacts() as it:
            sides = [
                Facet("what", _join(it.title, it.symptom)),
                Facet("why", _join(it.root_cause, it.fix)),
                Facet("code", it.faulty_code),
            ]
        case Note() as it:
            sides = [Facet("what", _join(it.title, it.text))]
    return tuple(side for side in sides if side.text.strip())


def render(record: Record) -> str:
    """Write a record as the labelled text that prompts show and quotes are checked against."""
    rows: list[tuple[str, object]]
    match record.facts:
        case InvestmentFacts() as it:
            rows = [
                ("Company", it.company),
                ("Sector", it.sector),
                ("What it was", it.summary),
                ("Years", _years(it.year, it.year_end)),
                ("Outcome", it.outcome.label),
                ("Invested", it.invested),
                ("Returned", it.returned),
                ("Loss", it.loss),
                ("Cause", it.cause),
                ("Lesson", it.lesson),
            ]
        case BugFacts() as it:
            rows = [
                ("Bug", it.title),
                ("Language", it.language),
                ("CWE", it.cwe),
                ("Severity", it.severity),
                ("Year", it.year),
                ("Outcome", it.outcome.label),
                ("Symptom", it.symptom),
                ("Root cause", it.root_cause),
                ("Faulty code", it.faulty_code),
                ("Fix", it.fix),
                ("Fixed code", it.fixed_code),
                ("Loss", it.loss),
                ("Impact", it.impact),
            ]
        case Note() as it:
            rows = [("Title", it.title), (it.label, it.text)]
    return "\n".join(f"{label}: {value}" for label, value in rows if value not in (None, ""))


def _join(*parts: str) -> str:
    return ". ".join(part.strip().rstrip(".") for part in parts if part.strip())


def _years(start: int | None, end: int | None) -> str:
    return "–".join(str(year) for year in dict.fromkeys((start, end)) if year is not None)
