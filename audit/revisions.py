"""How a text was rewritten: the passages that differ, word by word, and how much two texts share. Pure."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from difflib import SequenceMatcher

MOST_LINES = 4_000
MOST_WORDS = 600
LONG_LINE = 300
RELATED = 0.5

_WORD = re.compile(r"[\u3040-\u30ff\u3400-\u9fff\uac00-\ud7af]|\w+|[^\w\s]")
_WITH_SPACE = re.compile(rf"(?:{_WORD.pattern})\s*|\s+")
_SENTENCE_END = re.compile(r"(?<=[.!?])\s+|(?<=[。！？])")


@dataclass(frozen=True, slots=True)
class Piece:
    """A stretch of one version; ``differs`` where the other version has it not."""

    text: str
    differs: bool


@dataclass(frozen=True, slots=True)
class Revised:
    """One passage in both versions, as pieces; a version without it has none. Lines count from 1."""

    earlier: tuple[Piece, ...]
    later: tuple[Piece, ...]
    earlier_line: int
    later_line: int


@dataclass(frozen=True, slots=True)
class _Unit:
    text: str
    line: int


def revised_passages(earlier: str, later: str) -> tuple[tuple[Revised, ...], bool]:
    """Give the passages that differ, in order, and whether the texts were too long to be compared to their ends.

    Lines are compared, long ones sentence by sentence; white space alone is no difference. At most 4,000 of each text.
    """
    if earlier.split() == later.split():
        return (), False
    a, b = list(_units(earlier)), list(_units(later))
    cut = len(a) > MOST_LINES or len(b) > MOST_LINES
    a, b = a[:MOST_LINES], b[:MOST_LINES]
    matcher = SequenceMatcher(None, [it.text.strip() for it in a], [it.text.strip() for it in b])
    found = []
    for tag, a_from, a_to, b_from, b_to in matcher.get_opcodes():
        before, after = _joined(a[a_from:a_to]), _joined(b[b_from:b_to])
        if tag == "equal" or before.split() == after.split():
            continue
        old, new = _pieces(before, after)
        found.append(Revised(old, new, _line_at(a, a_from), _line_at(b, b_from)))
    return tuple(found), cut


def overlap(one: str, other: str, run: int = 3) -> float:
    """Give the share (0..1) of runs of ``run`` words that two texts have in common (Dice's coefficient)."""
    a, b = _runs(one, run), _runs(other, run)
    return 2 * len(a & b) / (len(a) + len(b)) if a and b else float(one.split() == other.split())


def _runs(text: str, run: int) -> frozenset[tuple[str, ...]]:
    words = [it.casefold() for it in _WORD.findall(text)]
    return frozenset(tuple(words[at : at + run]) for at in range(len(words) - run + 1))


def _units(text: str) -> Iterator[_Unit]:
    for number, line in enumerate(text.splitlines(), 1):
        if len(line) <= LONG_LINE:
            yield _Unit(line, number)
        else:
            yield from (_Unit(part, number) for part in _SENTENCE_END.split(line))


def _joined(units: Sequence[_Unit]) -> str:
    text, line = "", 0
    for it in units:
        separator = "" if not line else " " if it.line == line else "\n"
        text, line = text + separator + it.text, it.line
    return text.strip("\n")


def _line_at(units: Sequence[_Unit], at: int) -> int:
    if at < len(units):
        return units[at].line
    return units[-1].line + 1 if units else 1


def _pieces(before: str, after: str) -> tuple[tuple[Piece, ...], tuple[Piece, ...]]:
    """Mark the words that differ; the whole passage where the two have little in common or are long."""
    a, b = _WITH_SPACE.findall(before), _WITH_SPACE.findall(after)
    if not (a and b) or max(len(a), len(b)) > MOST_WORDS:
        return _whole(before), _whole(after)
    matcher = SequenceMatcher(None, [it.rstrip() for it in a], [it.rstrip() for it in b], autojunk=False)
    if matcher.ratio() < RELATED:
        return _whole(before), _whole(after)
    old, new = [], []
    for tag, a_from, a_to, b_from, b_to in matcher.get_opcodes():
        old.append(Piece("".join(a[a_from:a_to]), tag != "equal"))
        new.append(Piece("".join(b[b_from:b_to]), tag != "equal"))
    return tuple(it for it in old if it.text), tuple(it for it in new if it.text)


def _whole(text: str) -> tuple[Piece, ...]:
    return (Piece(text, True),) if text else ()
