"""Which row of a sheet is its header, under a title, notes and blank rows. Pure."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from itertools import zip_longest

from memory.importers.tables import is_blank, tidy
from memory.importers.units import CURRENCY_SIGN, unit_of, without_signs
from memory.importers.vocabulary import field_of, fold

_NUMBERISH = re.compile(r"[\d\W_]*\d[\d\W_]*")


@dataclass(frozen=True, slots=True)
class Header:
    """The header's position among the rows and its names, folded to one line each; nameless columns get a letter.

    ``body`` is the position of the first row below it, and below the units of its columns where those have a row.
    """

    at: int
    names: tuple[str, ...]
    body: int


def find_header(rows: Sequence[Sequence[str]]) -> Header:
    """Choose the row that is filled like its successors, is words rather than numbers, and names known columns."""
    candidates = range(min(len(rows), 25))
    widest = max((_filled(row) for row in rows), default=0)
    at = max(candidates, key=lambda index: (_likeness(rows[index], widest), -index), default=0)
    cells = [tidy(cell) for cell in rows[at]] if rows else []
    if at and _filled(rows[at - 1]) > 1:
        cells = _under_groups(cells, [tidy(cell) for cell in rows[at - 1]])
    names = [cell or f"column {_letter(index)}" for index, cell in enumerate(cells)]
    units = [tidy(cell) for cell in rows[at + 1]] if at + 1 < len(rows) else []
    if not _are_units(units):
        return Header(at, tuple(names), at + 1)
    named = (f"{name} ({unit})" if unit else name for name, unit in zip_longest(names, units[: len(names)]))
    return Header(at, tuple(named), at + 2)


def _are_units(cells: Sequence[str]) -> bool:
    """Say whether a row tells the units of its columns and nothing else, one of them a unit of money."""
    filled = [cell for cell in cells if cell]
    money = [cell for cell in filled if _is_money(cell)]
    return bool(money) and all(cell in money or not any(map(str.isalnum, cell)) or cell == "x" for cell in filled)


def _is_money(cell: str) -> bool:
    words = fold(without_signs(cell)).split()
    signed = CURRENCY_SIGN.search(cell.lower()) is not None
    return (signed or bool(words)) and all(unit_of(word) for word in words)


def _under_groups(cells: list[str], above: list[str]) -> list[str]:
    """Name columns by the row above too: a nameless one by its cell there, one of several of a name by its group's.

    The first of several keeps its own name where that is known and the group's is not, as of two tables side by side.
    """
    groups, group = [], ""
    for index in range(len(cells)):
        group = (above[index] if index < len(above) else "") or group
        groups.append(group)
    names = []
    for index, cell in enumerate(cells):
        alone = above[index] if index < len(above) else ""
        grouped = f"{groups[index]} {cell}".strip()
        first = cells.index(cell) == index and field_of(cell) is not None and field_of(grouped) is None
        names.append(grouped if cell and cells.count(cell) > 1 and not first else cell or alone)
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
