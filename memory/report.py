"""What a recall is asked and what it answers. Pure."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from enum import StrEnum

from memory.records import Kind, Record


@dataclass(frozen=True, slots=True)
class Cue:
    """Something a rule found in a submission that a record can match: ``CWE-89``, ``revenue_model:missing``.

    ``text`` says it in words (used as query text); ``quote`` is the passage it was found in; ``line`` counts from 1.
    """

    key: str
    text: str
    quote: str = ""
    line: int | None = None


@dataclass(frozen=True, slots=True)
class RecallQuery:
    """What to look for. ``text`` is the whole submission; ``language`` a programming language, or "" for prose.

    ``needs_cue`` says that a record counts as kept only where a cue, or its own faulty line, confirms it.
    """

    workspace: str
    kinds: tuple[Kind, ...]
    text: str
    cues: tuple[Cue, ...] = ()
    language: str = ""
    needs_cue: bool = False


class RecallState(StrEnum):
    """The five answers a recall can give; they never look alike."""

    FOUND = "found"
    NONE_RELEVANT = "none_relevant"
    NO_RECORDS = "no_records"
    UNAVAILABLE = "unavailable"
    EMBEDDER_CHANGED = "embedder_changed"

    @property
    def looked(self) -> bool:
        """True where the history was really searched, so that nothing found means nothing there."""
        return self in {RecallState.FOUND, RecallState.NONE_RELEVANT, RecallState.NO_RECORDS}


class Decision(StrEnum):
    KEPT = "kept"
    NEAR = "near"
    DROPPED = "dropped"


@dataclass(frozen=True, slots=True)
class Candidate:
    """One record that recall looked at, and why it was kept or not.

    ``similarity`` is the best cosine (-1..1) over facets; ``probability`` the calibrated chance (0..1) that the record
    is a precedent; ``passage`` the stretch of the submission that matched best and ``record_passage`` the stretch of
    the record; ``rule`` names the rule that decided, in words; ``order`` is the rank score among the kept (higher
    first); ``features`` holds every number that went into the probability; ``alike`` counts the near duplicates that
    this candidate stands for; ``opinion`` is what the user's opinions made of its order (0.75..1.25).
    """

    record: Record
    similarity: float
    probability: float
    decision: Decision
    rule: str
    passage: str = ""
    record_passage: str = ""
    matched_terms: tuple[str, ...] = ()
    confirmed_by: Cue | None = None
    age_days: float = 0.0
    source_weight: float = 1.0
    order: float = 0.0
    alike: int = 0
    opinion: float = 1.0
    features: Mapping[str, float] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class Heard:
    """A memory of another system, which nobody here has verified.

    ``source`` names the document it came from; ``kind`` is the other system's own word; ``when`` is the ISO date on
    which it happened, "" where none is told.
    """

    id: str
    text: str
    source: str
    kind: str = ""
    when: str = ""


@dataclass(frozen=True, slots=True)
class Hearsay:
    """What another memory said beside a recall: told with its source, never a precedent.

    ``answered`` is False where it could not be asked; ``message`` says so, or what it told, in one sentence.
    """

    bank: str
    message: str
    memories: tuple[Heard, ...] = ()
    answered: bool = True


@dataclass(frozen=True, slots=True)
class Gate:
    """Probability cut-offs: kept at or above ``keep``, near at or above ``near``, dropped below."""

    keep: float
    near: float


@dataclass(frozen=True, slots=True)
class RecallReport:
    """All that a recall looked at, best first, and in which state it ended.

    ``searched`` counts the records that could have been found; ``steps_ms`` times each step in milliseconds;
    ``message`` says the state in one sentence for a user; ``hearsay`` is what another memory said, where one is set.
    """

    state: RecallState
    message: str
    candidates: tuple[Candidate, ...] = ()
    gate: Gate = Gate(keep=1.0, near=1.0)
    searched: int = 0
    steps_ms: Mapping[str, float] = field(default_factory=dict)
    hearsay: Hearsay | None = None

    @property
    def kept(self) -> tuple[Candidate, ...]:
        return tuple(it for it in self.candidates if it.decision is Decision.KEPT)

    @property
    def near(self) -> tuple[Candidate, ...]:
        return tuple(it for it in self.candidates if it.decision is Decision.NEAR)

    @property
    def dropped(self) -> tuple[Candidate, ...]:
        return tuple(it for it in self.candidates if it.decision is Decision.DROPPED)
