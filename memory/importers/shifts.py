"""Rows whose cells slid into the wrong columns, as an unquoted comma makes them, though their count may fit. Pure.

The columns tell: from the rows that look sound, each column learns what its cells are (a flag, a number, a date, ...),
and a row that breaks this where text stands in their place is held. A column of free text learns nothing.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable, Collection, Sequence
from dataclasses import dataclass
from functools import lru_cache

from memory.importers.dates import read_date
from memory.importers.tables import Row, Table, is_blank

_PURITY = 0.8
_RARE = 0.05
_LEAST = 4
_STYLE = 0.3
_FRAGMENT = re.compile(r"[ \u00a0]+\S")
_NUMBER = re.compile(
    r"[-(+]?\s*(?:[^\W\d_]{1,3}\s?)?[₹$€£¥₩?\ufffd]?\s*\d[\d.,'’\s\u00a0\u202f]*\s*[^\w\s]?\s*[^\W\d_]{0,8}\)?[%x×+]?"
)
_CODE = re.compile(r"[A-Z]{1,6}[-_#]?\d+")
_ADDRESS = re.compile(r"https?://\S+|\S+@\S+\.\w+")


@dataclass(frozen=True, slots=True)
class Shift:
    """Why a row is held: the first column (by index) that holds what does not belong there, and the reason in words."""

    column: int
    reason: str


def find_shifts(table: Table, read: Collection[int] = ()) -> dict[int, Shift]:
    """Find the rows, by their position in the table, whose cells do not stand under their own headers.

    ``read`` are the columns whose cells will be read as dates or amounts: there a single odd cell is left to the
    reader, which says better what is wrong with it.
    """
    width = len(table.columns)
    widths = Counter(_width(row, width) for row in table.rows)
    usual = max(widths, key=lambda it: (widths[it], it), default=width)
    shifts: dict[int, Shift] = {}
    for position, row in enumerate(table.rows):
        found = _width(row, width)
        if found > width:
            shifts[position] = Shift(width - 1, f"it has {found} cells under {width} columns")
        elif found < width and found != usual:
            shifts[position] = Shift(found - 1, f"it has only {found} cells under {width} columns")
    fragments = _fragments(table)
    sound = [row for position, row in enumerate(table.rows) if position not in shifts and position not in fragments]
    classes = _learn(sound, width)
    for position, row in enumerate(table.rows):
        if position not in shifts and (shift := _judge(row, classes, table.columns, read, position in fragments)):
            shifts[position] = shift
    return shifts


@dataclass(frozen=True, slots=True)
class _Class:
    name: str
    rarely_broken: bool
    never_blank: bool


def _flag(cell: str) -> bool:
    return cell.lower() in {"0", "1", "yes", "no", "true", "false", "y", "n"}


def _number(cell: str) -> bool:
    return _NUMBER.fullmatch(cell) is not None


@lru_cache(maxsize=20_000)
def _date(cell: str) -> bool:
    try:
        read_date(cell)
    except ValueError:
        return False
    return True


_CLASSES: tuple[tuple[str, Callable[[str], bool]], ...] = (
    ("yes or no", _flag),
    ("a date", _date),
    ("a number", _number),
    ("a code", lambda cell: _CODE.fullmatch(cell) is not None),
    ("an address", lambda cell: _ADDRESS.fullmatch(cell) is not None),
)
_TESTS = dict(_CLASSES)


def _learn(rows: Sequence[Row], width: int) -> dict[int, _Class]:
    classes = {}
    for column in range(width):
        cells = [row.cell(column).strip() for row in rows]
        filled = [cell for cell in cells if not is_blank(cell)]
        for name, belongs in _CLASSES if len(filled) >= _LEAST else ():
            fitting = sum(belongs(cell) for cell in filled)
            if fitting >= _PURITY * len(filled):
                never_blank = len(filled) == len(cells) >= 20
                classes[column] = _Class(name, len(filled) - fitting <= max(1, _RARE * len(filled)), never_blank)
                break
    return classes


def _judge(
    row: Row, classes: dict[int, _Class], columns: tuple[str, ...], read: Collection[int], fragment: bool
) -> Shift | None:
    broken = []
    for column, wanted in classes.items():
        cell = row.cell(column).strip()
        if is_blank(cell):
            if wanted.never_blank and fragment:
                broken.append((column, 1, "nothing"))
        elif not _TESTS[wanted.name](cell):
            broken.append((column, len(cell.split()), repr(cell if len(cell) <= 40 else f"{cell[:39]}…")))
    if not broken:
        return None
    column, words, shown = broken[0]
    wanted = classes[column]
    if len(broken) >= 2 or fragment or (wanted.rarely_broken and words >= 2 and column not in read):
        return Shift(column, f"column {columns[column]!r} holds {shown} where sound rows have {wanted.name}")
    return None


def _fragments(table: Table) -> set[int]:
    """Find rows with a cell that opens with a space, as the rest of a sentence does after an unquoted comma."""
    spaced = filled = 0
    rows = set()
    for position, row in enumerate(table.rows):
        for cell in row.cells[1:]:
            if cell:
                filled += 1
                if _FRAGMENT.match(cell):
                    spaced += 1
                    rows.add(position)
    return rows if spaced <= _STYLE * filled else set()


def _width(row: Row, width: int) -> int:
    """Count a row's cells, without empty ones past the last column."""
    count = len(row.cells)
    while count > width and not row.cells[count - 1].strip():
        count -= 1
    return count
