"""Two audits side by side: what moved the score, which findings and precedents came and went. Pure."""

from __future__ import annotations

from collections.abc import Callable, Hashable, Sequence
from dataclasses import dataclass
from enum import StrEnum

from audit.errors import NotComparable
from audit.revisions import Revised, overlap, revised_passages
from audit.types import Finding, GroundedAudit, Precedent, ScoreLine

LEAST_POINTS = 0.05
ALIKE = 0.6
MOST_READ = 400


class Side(StrEnum):
    """What of a finding differs between two audits."""

    SEVERITY = "severity"
    PASSAGE = "passage"
    WORDING = "wording"


@dataclass(frozen=True, slots=True)
class Term:
    """One term of the score in both audits, in points; None where an audit has no such term."""

    label: str
    earlier: float | None
    later: float | None

    @property
    def change(self) -> float:
        """Points gained (positive) or lost."""
        return round((self.later or 0.0) - (self.earlier or 0.0), 1)


@dataclass(frozen=True, slots=True)
class ChangedFinding:
    """One finding that both audits have, and what of it differs; nothing where they agree."""

    earlier: Finding
    later: Finding
    differs: tuple[Side, ...]


@dataclass(frozen=True, slots=True)
class Comparison:
    """How the later of two audits differs from the earlier one.

    ``terms`` are all terms of both scores in the order of the later one; ``passages`` are the stretches of the text
    that were rewritten, and ``cut`` says that the texts are too long to be compared to their ends.
    """

    earlier: GroundedAudit
    later: GroundedAudit
    terms: tuple[Term, ...]
    gone: tuple[Finding, ...]
    new: tuple[Finding, ...]
    changed: tuple[ChangedFinding, ...]
    same: tuple[ChangedFinding, ...]
    lost: tuple[Precedent, ...]
    gained: tuple[Precedent, ...]
    kept: tuple[tuple[Precedent, Precedent], ...]
    passages: tuple[Revised, ...]
    cut: bool

    @property
    def scored(self) -> bool:
        """True where both audits have a score; what cannot be rated has none."""
        return bool(self.earlier.score_breakdown and self.later.score_breakdown)

    @property
    def score_change(self) -> float:
        """Points by which the later score is above the earlier; 0 where one has none."""
        return round(self.later.score - self.earlier.score, 1) if self.scored else 0.0

    @property
    def same_text(self) -> bool:
        """True where both audits judged the same text, letter for letter."""
        return self.earlier.submission.sha256 == self.later.submission.sha256

    @property
    def moved(self) -> tuple[Term, ...]:
        """The terms that moved the score, the largest move first."""
        found = [it for it in self.terms if self.scored and abs(it.change) >= LEAST_POINTS]
        return tuple(sorted(found, key=lambda it: -abs(it.change)))


def compare(one: GroundedAudit, other: GroundedAudit) -> Comparison:
    """Compare two audits of one mode; the one made first is the earlier, whichever is named first.

    Raises NotComparable for audits of two modes.
    """
    if one.mode != other.mode:
        raise NotComparable("An audit can only be compared with another of its kind.")
    earlier, later = sorted((one, other), key=lambda it: it.created_at)
    pairs, gone, new = _paired(_findings(earlier), _findings(later), earlier, later)
    found = [ChangedFinding(a, b, _differs(a, b, earlier, later)) for a, b in pairs]
    before = {it.record.id: it for it in earlier.precedents}
    after = {it.record.id: it for it in later.precedents}
    passages, cut = revised_passages(earlier.submission.text, later.submission.text)
    return Comparison(
        earlier=earlier,
        later=later,
        terms=_terms(earlier.score_breakdown, later.score_breakdown),
        gone=gone,
        new=new,
        changed=tuple(it for it in found if it.differs),
        same=tuple(it for it in found if not it.differs),
        lost=tuple(it for name, it in before.items() if name not in after),
        gained=tuple(it for name, it in after.items() if name not in before),
        kept=tuple((it, after[name]) for name, it in before.items() if name in after),
        passages=passages,
        cut=cut,
    )


def _findings(audit: GroundedAudit) -> tuple[Finding, ...]:
    return (*audit.findings, *audit.unproved_findings)


def _terms(earlier: Sequence[ScoreLine], later: Sequence[ScoreLine]) -> tuple[Term, ...]:
    before = {it.label: it.points for it in earlier}
    after = {it.label: it.points for it in later}
    return tuple(Term(label, before.get(label), after.get(label)) for label in dict.fromkeys((*after, *before)))


def _paired(
    earlier: Sequence[Finding], later: Sequence[Finding], first: GroundedAudit, second: GroundedAudit
) -> tuple[list[tuple[Finding, Finding]], tuple[Finding, ...], tuple[Finding, ...]]:
    """Pair the findings that are one and the same, the surest pairs first; give the pairs and what is left of each.

    Surest is one subject (or CWE) at one line in one wording, then one line, then one wording, then a like passage.
    """
    left, right = list(earlier), list(later)
    pairs: list[tuple[Finding, Finding]] = []
    ways: tuple[Callable[[Finding, GroundedAudit], Hashable], ...] = (
        lambda it, audit: (it.subject, _line(it, audit), _folded(it.title)),
        lambda it, audit: (it.subject, line) if (line := _line(it, audit)) else None,
        lambda it, audit: (it.subject, _folded(it.title)),
    )
    for key in ways:
        waiting: dict[Hashable, list[Finding]] = {}
        for it in right:
            waiting.setdefault(key(it, second), []).append(it)
        for it in list(left):
            name = key(it, first)
            if name is not None and waiting.get(name):
                _take(it, waiting[name].pop(0), left, right, pairs)
    for it in list(left):
        like = max(
            (other for other in right if other.subject == it.subject and it.quote and other.quote),
            key=lambda other: overlap(_line(it, first), _line(other, second), run=1),
            default=None,
        )
        if like is not None and overlap(_line(it, first), _line(like, second), run=1) >= ALIKE:
            _take(it, like, left, right, pairs)
    return pairs, tuple(left), tuple(right)


def _take(
    one: Finding, other: Finding, left: list[Finding], right: list[Finding], pairs: list[tuple[Finding, Finding]]
) -> None:
    left[:] = [it for it in left if it is not one]
    right[:] = [it for it in right if it is not other]
    pairs.append((one, other))


def _differs(one: Finding, other: Finding, first: GroundedAudit, second: GroundedAudit) -> tuple[Side, ...]:
    sides = (
        (Side.SEVERITY, one.severity != other.severity),
        (Side.PASSAGE, _line(one, first) != _line(other, second)),
        (Side.WORDING, _folded(one.title) != _folded(other.title)),
    )
    return tuple(side for side, differs in sides if differs)


def _line(finding: Finding, audit: GroundedAudit) -> str:
    """Give the lines that a finding's passage stands in, folded, or its quote where it has no place."""
    if finding.span is None:
        return _folded(finding.quote)
    text = audit.submission.text
    start = text.rfind("\n", 0, finding.span.start) + 1
    end = text.find("\n", max(finding.span.start, finding.span.end - 1))
    line = text[start : len(text) if end < 0 else end]
    return _folded(line if len(line) <= MOST_READ else finding.quote)


def _folded(text: str) -> str:
    return " ".join(text.casefold().split())
