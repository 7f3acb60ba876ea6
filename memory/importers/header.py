"""Which row of a sheet is its header, under a title, notes and blank rows. Pure."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass

from memory.importers.tables import is_blank, tidy
from memory.importers.vocabulary import field_of

_NUMBERISH = re.compile(r"[\d\W_]*\d[\d\W_]*")


@dataclass(frozen=True, slots=True)
class Header:
    """The header's position among the rows and its names, folded to one line each; nameless columns get a letter."""

    at: int
    names: tuple[str, ...]


def find_header(rows: Sequence[Sequence[str]]) -> Header:
    """Choose the row that is filled like its successors, is words rather than numbers, and names known columns."""
    candidates = range(min(len(rows), 25))
    widest = max((_filled(row) for row in rows), default=0)
    at = max(candidates, key=lambda index: (_likeness(rows[index], widest), -index), default=0)
    cells = [tidy(cell) for cell in rows[at]] if rows else []
    if at and _filled(rows[at - 1]) > 1:
        cells = _under_groups(cells, [tidy(cell) for cell in rows[at - 1]])
    return Header(at, tuple(cell or f"column {_letter(index)}" for index, cell in enumerate(cells)))


def _under_groups(cells: list[str], above: list[str]) -> list[str]:
    """Name columns by the row above too: a nameless one by its cell there, one of several of a name by its group's."""
    groups, group = [], ""
    for index in range(len(cells)):
        group = (above[index] if index < len(above) else "") or group
        groups.append(group)
    names = []
    for index, cell in enumerate(cells):
        alone = above[index] if index < len(above) else ""
        names.append(f"{groups[index]} {cell}".strip() if cell and cells.count(cell) > 1 else cell or alone)
    return names


def _likeness(row: Sequence[str], widest: int) -> float:
    filled = [tidy(cell) for cell in row if tidy(cell)]
    if not filled or (len(filled) == 1 and widest > 1):
        return -1.0
    known = sum(field_of(cell) is not None for cell in filled)
    wordy = sum(not _NUMBERISH.fullmatch(cell) and len(cell) <= 60 for cell in filled) / len(filled)
    distinct = len(set(filled)) / len(filled)
    return 2.0 * min(known, 4) / 4 + wordy + 0.5 * distinct + len(filled) / max(widest, 1)


def _filled(row: Sequence[str]) -> int:
    return sum(not is_blank(cell) for cell in row)


def _letter(index: int) -> str:
    letters = ""
    index += 1
    while index:
        index, rest = divmod(index - 1, 26)
        letters = chr(65 + rest) + letters
    return letters
