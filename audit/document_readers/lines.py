"""The lines of a page with their places, joined from the pieces that a file draws. Pure."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass

IDEOGRAPHS = re.compile(r"[\u3040-\u30ff\u3400-\u9fff]")
_SAME_ROW = 0.4


@dataclass(frozen=True, slots=True)
class Box:
    """A part of the page by its edges in the page's units; y grows upwards."""

    left: float
    bottom: float
    right: float
    top: float


@dataclass(frozen=True, slots=True)
class Line(Box):
    """A piece of text on one line; ``at`` is its place among all in the order in which the file draws them."""

    text: str
    at: int

    @property
    def middle(self) -> float:
        return (self.bottom + self.top) / 2

    @property
    def height(self) -> float:
        return self.top - self.bottom

    @property
    def words(self) -> float:
        """The number of words; two ideographs count as one."""
        return max(len(self.text.split()), len(IDEOGRAPHS.findall(self.text)) / 2)


def top(lines: Sequence[Line]) -> float:
    """Give the highest edge."""
    return max(it.top for it in lines)


def bottom(lines: Sequence[Line]) -> float:
    """Give the lowest edge."""
    return min(it.bottom for it in lines)


def beside(line: Line, others: Sequence[Line]) -> bool:
    """Say whether a line is at the height of one of the others."""
    return any(abs(line.middle - it.middle) <= _SAME_ROW * max(line.height, it.height) for it in others)


def joined(lines: Sequence[Line]) -> list[Line]:
    """Join what a file draws in pieces: words of one line whose gaps are no wider than a space may be."""
    whole: list[Line] = []
    for line in sorted((it for it in lines if it.text.strip()), key=lambda it: (-round(it.middle), it.left)):
        last = whole[-1] if whole else None
        if last and beside(line, [last]) and -line.height < line.left - last.right <= 0.7 * line.height:
            gap = " " if line.left - last.right > 0.1 * line.height else ""
            edges = last.left, min(last.bottom, line.bottom), max(last.right, line.right), max(last.top, line.top)
            whole[-1] = Line(*edges, last.text.rstrip() + gap + line.text.strip(), min(last.at, line.at))
        else:
            whole.append(line)
    return whole
