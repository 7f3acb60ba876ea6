"""The two modes of audit, as values. All that differs between them is said here."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from types import MappingProxyType

from audit import flaws, fundamentals, languages
from audit.types import Analysis, Submission
from memory.records import Kind, Severity

NOT_JUDGED = "Not judged"
"""The verdict on what cannot be rated; the score of such an audit says nothing and is not shown."""


def verdict_in_words(verdict: str, score: float) -> str:
    """Write a verdict with its score (0..100), where there is one."""
    return verdict if verdict == NOT_JUDGED else f"{verdict}, {score:.0f} of 100"


@dataclass(frozen=True, slots=True)
class Dimension:
    """One thing a submission is rated on. Weights of a rubric sum to 1; ``asks`` tells a model what to rate."""

    name: str
    label: str
    weight: float
    asks: str


@dataclass(frozen=True, slots=True)
class Band:
    """A verdict and the lowest score (0..100) that earns it."""

    at_least: float
    verdict: str


@dataclass(frozen=True, slots=True)
class Wording:
    """The words of a mode, for prompts and pages."""

    title: str
    submission: str
    record: str
    persona: str
    similar_field: str
    evaluation_label: str
    precedents_title: str
    it_says: str
    paste_hint: str
    fundamentals: str
    worse_precedents: str
    better_precedents: str


@dataclass(frozen=True, slots=True)
class Mode:
    """A kind of audit.

    ``analyse`` is its rule analyst; ``language_of`` names a submission's programming language from its text and file
    name, or says ""; ``why_not`` says why a submission cannot be judged in this mode, or ""; ``needs_cue`` is passed to
    recall; ``takes_diffs`` says that of a diff the added lines alone are judged; ``penalties`` are the points a proved
    finding of each severity takes off the score, ``penalty_bound`` the most that all of them take together; ``choices``
    are what a user may decide after the audit.
    """

    name: str
    fact_kind: Kind
    evaluation_kind: Kind
    rubric: tuple[Dimension, ...]
    bands: tuple[Band, ...]
    analyse: Callable[[Submission], Analysis]
    language_of: Callable[[str, str], str]
    why_not: Callable[[Submission], str]
    needs_cue: bool
    takes_diffs: bool
    penalties: Mapping[Severity, float]
    penalty_bound: float
    choices: tuple[str, ...]
    wording: Wording

    def verdict(self, score: float) -> str:
        """Name the verdict that ``score`` (0..100) earns."""
        return next(band.verdict for band in self.bands if score >= band.at_least)


INVESTMENT = Mode(
    name="investment",
    fact_kind=Kind.INVESTMENT,
    evaluation_kind=Kind.EVALUATED_DECK,
    rubric=(
        Dimension("problem", "Problem and customer", 0.15, "a real problem of a named customer"),
        Dimension("revenue", "Revenue and unit economics", 0.25, "who pays, how much, and what is left of it"),
        Dimension("traction", "Traction and growth", 0.20, "use and revenue that are stated and consistent"),
        Dimension("market", "Market and competition", 0.15, "a sized market, named rivals and a moat"),
        Dimension("team", "Team", 0.15, "people who can do it, and what happens if one leaves"),
        Dimension("terms", "Runway and terms", 0.10, "burn, runway, the round and its price"),
    ),
    bands=(Band(70, "Promising"), Band(45, "Dig deeper"), Band(0, "Weak as stated")),
    analyse=fundamentals.analyse,
    language_of=lambda text, name: "",
    why_not=lambda submission: "",
    needs_cue=False,
    takes_diffs=False,
    penalties=MappingProxyType({"critical": 10.0, "high": 5.0, "medium": 2.0, "low": 0.5}),
    penalty_bound=20.0,
    choices=("invested", "passed", "watching"),
    wording=Wording(
        title="Investment audit",
        submission="deck",
        record="past investment",
        persona="a careful investment analyst who states what a deck says and what it leaves out",
        similar_field="similar_idea_found",
        evaluation_label="Evaluated deck, not an investment",
        precedents_title="Your past investments like this one",
        it_says="This deck says",
        paste_hint="Paste the text of a pitch deck, a memo or an e-mail.",
        fundamentals="the deck's fundamentals",
        worse_precedents="Past losses like this one",
        better_precedents="Past gains like this one",
    ),
)

BUG = Mode(
    name="bug",
    fact_kind=Kind.BUG,
    evaluation_kind=Kind.REVIEWED_CODE,
    rubric=(
        Dimension("security", "Security", 0.45, "no input reaches an interpreter, a path or a secret unguarded"),
        Dimension("correctness", "Correctness", 0.30, "does what it says, edge cases included"),
        Dimension("robustness", "Robustness", 0.25, "errors, resources and concurrency are handled"),
    ),
    bands=(Band(80, "No known flaw found"), Band(55, "Review before merge"), Band(0, "Fix before merge")),
    analyse=flaws.analyse,
    language_of=languages.of_submission,
    why_not=flaws.why_no_code,
    needs_cue=True,
    takes_diffs=True,
    penalties=MappingProxyType({"critical": 25.0, "high": 15.0, "medium": 6.0, "low": 2.0}),
    penalty_bound=50.0,
    choices=("fixed", "ignored", "watching"),
    wording=Wording(
        title="Bug triage",
        submission="code",
        record="past bug",
        persona="a careful code reviewer who names flaws by CWE and quotes the faulty line",
        similar_field="similar_bug_found",
        evaluation_label="Reviewed code, not an incident",
        precedents_title="Past bugs of yours that recur here",
        it_says="This code says",
        paste_hint="Paste a function, a file or a snippet.",
        fundamentals="the code's fundamentals",
        worse_precedents="Past bugs that recur here",
        better_precedents="Past successes like this one",
    ),
)

MODES: Mapping[str, Mode] = MappingProxyType({mode.name: mode for mode in (INVESTMENT, BUG)})
