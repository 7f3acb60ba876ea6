"""Cut a text at the borders of its marks and of its syntax, so that each piece has one look. Pure."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import pairwise


@dataclass(frozen=True, slots=True)
class Mark:
    """A passage ``text[start:end]`` that ``id`` points at. ``tone`` is a severity, or ``precedent``."""

    id: str
    start: int
    end: int
    tone: str


@dataclass(frozen=True, slots=True)
class Token:
    """A syntax class that holds for ``text[start:end]``."""

    start: int
    end: int
    style: str


@dataclass(frozen=True, slots=True)
class Segment:
    """A piece of text with its syntax class and the marks that cover it, the shortest first."""

    text: str
    style: str
    marks: tuple[Mark, ...]


def segments(text: str, marks: Sequence[Mark], tokens: Sequence[Token] = ()) -> tuple[Segment, ...]:
    """Cut ``text``; the pieces joined are ``text``. Marks are clipped to it, ``tokens`` are in order and disjoint."""
    length = len(text)
    clipped = [Mark(it.id, max(0, it.start), min(length, it.end), it.tone) for it in marks]
    clipped = sorted((it for it in clipped if it.start < it.end), key=lambda it: it.start)
    cuts = {0, length}
    cuts.update(edge for it in clipped for edge in (it.start, it.end))
    cuts.update(edge for it in tokens for edge in (it.start, it.end) if edge <= length)
    borders = sorted(cuts)
    pieces: list[Segment] = []
    active: list[Mark] = []
    next_mark = next_token = 0
    for start, end in pairwise(borders):
        while next_mark < len(clipped) and clipped[next_mark].start <= start:
            active.append(clipped[next_mark])
            next_mark += 1
        active = [it for it in active if it.end > start]
        while next_token < len(tokens) and tokens[next_token].end <= start:
            next_token += 1
        inside = next_token < len(tokens) and tokens[next_token].start <= start
        style = tokens[next_token].style if inside else ""
        covering = tuple(sorted(active, key=lambda it: (it.end - it.start, it.start)))
        pieces.append(Segment(text[start:end], style, covering))
    return tuple(pieces)
