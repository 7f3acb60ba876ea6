"""Columns of text on a page, found by where its lines stand; tables are left whole. Pure.

A gutter is a strip that no line enters over a stretch of the page. What stands on both sides of it is text in columns
only if it reads as such: lines of several words that run on from one to the next, or whose heights do not agree, or
lists with their marks. What agrees in height, row by row, is a table and stays together: where its cells have several
lines, a row is read cell by cell. A file that draws one column after the other is right already and is left as it is.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from itertools import pairwise
from statistics import median

from audit.document_readers.lines import IDEOGRAPHS, Box, Line, beside, bottom, joined, top

_LEAST_LINES = 3
_LEAST_WORDS = 2.5
_MARK = re.compile(r"\s*(?:[•◦▪■●‣∙·–—*-]|\(?\d{1,2}[.)])\s+\S")
_ENDS = re.compile(r"[.!?:;。!?:;]\W*$")
_RUNS_ON = re.compile(r"\s*[^\W\d_]")
_MOST_DEPTH = 3


def jumps_across(pieces: Sequence[Box]) -> bool:
    """Say whether pieces, in the order in which they are drawn, jump to the right on one line three times or more."""
    jumps = 0
    for one, other in pairwise(pieces):
        height = max(one.top - one.bottom, other.top - other.bottom)
        level = abs(one.top + one.bottom - other.top - other.bottom) / 2 <= height
        jumps += level and other.left - one.right >= 0.5 * height
    return jumps >= _LEAST_LINES


def reading_order(lines: Sequence[Line], page: Box) -> tuple[Box, ...]:
    """Cut a page into boxes in the order in which they are read; where nothing stands side by side, the page itself."""
    return tuple(_cut(joined(lines), page, 0))


def _cut(lines: list[Line], box: Box, depth: int) -> list[Box]:
    zone = _best_zone(lines) if depth < _MOST_DEPTH else None
    if zone is None:
        return [box]
    inside = [it for column in zone.columns for it in column]
    highest, lowest = top(inside), bottom(inside)
    above = [it for it in lines if it not in inside and it.middle > highest]
    below = [it for it in lines if it not in inside and it.middle < lowest]
    upper = (bottom(above) + highest) / 2 if above else box.top
    lower = (top(below) + lowest) / 2 if below else box.bottom
    boxes = _cut(above, Box(box.left, upper, box.right, box.top), depth + 1) if above else []
    gutters = [
        (max(it.right for it in one) + min(it.left for it in other)) / 2 for one, other in pairwise(zone.columns)
    ]
    strips = list(zip([box.left, *gutters], [*gutters, box.right], strict=True))
    for above_row, below_row in pairwise([upper, *zone.rows, lower]):
        for column, (left, right) in zip(zone.columns, strips, strict=True):
            cell = Box(left, below_row, right, above_row)
            boxes += [cell] if zone.rows else _cut(column, cell, depth + 1)
    return boxes + (_cut(below, Box(box.left, box.bottom, box.right, lower), depth + 1) if below else [])


@dataclass(frozen=True, slots=True)
class _Zone:
    """Columns side by side, and where they are a table of cells with several lines, the heights between its rows."""

    columns: list[list[Line]]
    rows: list[float]


def _best_zone(lines: list[Line]) -> _Zone | None:
    """Find the stretch with the most lines on both sides of a gutter that is text in columns, or cells of text."""
    best, most = None, 0
    downwards = sorted(lines, key=lambda it: -it.middle)
    for edge in _edges(lines):
        for left, right in _stretches(downwards, edge):
            if len(left) + len(right) > most and (zone := _zone(_columns(left) + _columns(right))):
                best, most = zone, len(left) + len(right)
    return best


def _columns(side: list[Line]) -> list[list[Line]]:
    """Group lines whose widths overlap."""
    columns: list[list[Line]] = []
    reach = 0.0
    for line in sorted(side, key=lambda it: it.left):
        if columns and line.left < reach:
            columns[-1].append(line)
        else:
            columns.append([line])
        reach = max(reach, line.right)
    return [sorted(column, key=lambda it: -it.middle) for column in columns]


def _edges(lines: list[Line]) -> list[float]:
    """Give the places at which at least three lines begin."""
    starts = sorted(it.left for it in lines)
    edges: list[float] = []
    for at, start in enumerate(starts[: 1 - _LEAST_LINES] if len(starts) >= _LEAST_LINES else []):
        if starts[at + _LEAST_LINES - 1] - start <= 2 and (not edges or start - edges[-1] > 2):
            edges.append(start)
    return edges[1:]


def _stretches(lines: list[Line], edge: float) -> list[tuple[list[Line], list[Line]]]:
    """Cut the lines at those that cross ``edge``; give each stretch that has enough lines on both sides of a gutter."""
    zones: list[tuple[list[Line], list[Line]]] = []
    left: list[Line] = []
    right: list[Line] = []
    for line in [*lines, None]:
        if line is not None and not line.left < edge - 2 < line.right:
            (left if line.right <= edge + 1 else right).append(line)
            continue
        if min(len(left), len(right)) >= _LEAST_LINES and _side_by_side(left, right):
            zones.append((left, right))
        left, right = [], []
    return zones


def _side_by_side(left: list[Line], right: list[Line]) -> bool:
    """Say whether two sides share half of the lesser height, with a gutter of half a line's height between them."""
    shared = min(top(left), top(right)) - max(bottom(left), bottom(right))
    lesser = min(top(left) - bottom(left), top(right) - bottom(right))
    gutter = min(it.left for it in right) - max(it.right for it in left)
    return shared >= 0.5 * lesser and gutter >= 0.5 * median(it.height for it in left + right)


def _zone(columns: list[list[Line]]) -> _Zone | None:
    if min(len(it) for it in columns) < _LEAST_LINES or not _drawn_across(columns):
        return None
    if min(median(it.words for it in column) for column in columns) < _LEAST_WORDS:
        return None
    if rows := _rows(columns):
        return _Zone(columns, rows)
    first, *others = columns
    runs_on = min(map(_running_on, columns))
    marked = min(sum(bool(_MARK.match(it.text)) for it in column) / len(column) for column in columns)
    agreeing = sum(beside(it, others[0]) for it in first) / min(len(first), len(others[0]))
    is_text = runs_on >= 2 or marked >= 0.5 or (agreeing < 0.5 and runs_on >= 1)
    return _Zone(columns, []) if is_text else None


def _drawn_across(columns: list[list[Line]]) -> bool:
    """Say whether the file draws the columns line by line across them; else it draws them in an order of its own."""
    drawn = sorted((line.at, number) for number, column in enumerate(columns) for line in column)
    changes = sum(one[1] != other[1] for one, other in pairwise(drawn))
    return changes >= max(_LEAST_LINES, min(map(len, columns)))


def _rows(columns: list[list[Line]]) -> list[float]:
    """Give the heights between the rows of a table: all columns begin anew together, and some cell has more lines."""
    pitch = min((step for column in columns for step in _steps(column)), default=0.0)
    first, *others = (_starts(column, pitch) for column in columns)
    if min(len(first), *map(len, others)) < _LEAST_LINES or len(first) == max(map(len, columns)):
        return []
    for starts in others:
        shared = sum(beside(it, starts) for it in first)
        if shared < _LEAST_LINES or shared < 0.7 * max(len(first), len(starts)):
            return []
    every = [it for column in columns for it in column]
    return [
        (it.top + min((one.bottom for one in every if one.middle > it.top), default=it.top)) / 2 for it in first[1:]
    ]


def _steps(column: list[Line]) -> list[float]:
    return [step for above, line in pairwise(column) if (step := above.middle - line.middle) > 0.5 * line.height]


def _starts(column: list[Line], pitch: float) -> list[Line]:
    """Give the lines that stand further below the one above them than lines of one paragraph do."""
    later = [line for above, line in pairwise(column) if above.middle - line.middle > 1.25 * pitch]
    return [column[0], *later]


def _running_on(side: list[Line]) -> int:
    """Count the lines that fill their column and go on in the next one."""
    width = max(it.right for it in side) - min(it.left for it in side)
    count = 0
    for line, following in pairwise(side):
        full = line.right - line.left >= 0.7 * width
        count += full and not _ENDS.search(line.text) and _goes_on(following.text)
    return count


def _goes_on(text: str) -> bool:
    match = _RUNS_ON.match(text)
    return bool(match and (match[0][-1].islower() or IDEOGRAPHS.match(match[0][-1])))
