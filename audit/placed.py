"""Findings and repeats of past bugs with their place in a file, for tools that speak of files and lines. Pure."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from audit.types import Excerpt, Finding, GroundedAudit, Precedent


@dataclass(frozen=True, slots=True)
class PlacedFinding:
    """A finding on a file's own line (from 1), or None where it bears on the whole file."""

    path: str
    line: int | None
    finding: Finding


@dataclass(frozen=True, slots=True)
class PlacedRepeat:
    """A past bug, confirmed and proved, that recurs on lines ``line`` to ``last`` of a file."""

    path: str
    line: int
    last: int
    precedent: Precedent


def placed_findings(audit: GroundedAudit, path: str) -> Iterator[PlacedFinding]:
    """Place an audit's proved findings; of a diff, those alone that stand on added lines."""
    excerpt = audit.submission.excerpt
    for finding in audit.findings:
        first, last = _lines(audit.submission.text, finding)
        if excerpt is None:
            yield PlacedFinding(path, finding.line or first, finding)
        elif excerpt.adds(finding.line or first, max(last or 0, finding.line or 0) or None):
            yield PlacedFinding(path, _first_added(excerpt, finding.line or first, last), finding)


def placed_repeats(audit: GroundedAudit, path: str) -> Iterator[PlacedRepeat]:
    """Place an audit's precedents; of a diff, those alone that stand on added lines."""
    excerpt = audit.submission.excerpt
    for precedent in audit.precedents:
        first = audit.submission.text.count("\n", 0, precedent.span.start) + 1
        last = audit.submission.text.count("\n", 0, precedent.span.end) + 1
        if excerpt is None:
            yield PlacedRepeat(path, first, last, precedent)
        elif excerpt.adds(first, last):
            shown = _first_added(excerpt, first, last) or 1
            yield PlacedRepeat(path, shown, max(excerpt.line_in_file(last) or shown, shown), precedent)


def _lines(text: str, finding: Finding) -> tuple[int | None, int | None]:
    if finding.span is None:
        return finding.line, finding.line
    return text.count("\n", 0, finding.span.start) + 1, text.count("\n", 0, finding.span.end) + 1


def _first_added(excerpt: Excerpt, first: int | None, last: int | None) -> int | None:
    if first is None:
        return None
    for line in range(first, (last or first) + 1):
        if (number := excerpt.line_in_file(line)) in excerpt.added:
            return number
    return excerpt.line_in_file(first)
