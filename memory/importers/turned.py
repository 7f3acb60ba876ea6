"""Sheets that stand on their side, with a field in each row and a record in each column. Pure."""

from __future__ import annotations

from collections.abc import Sequence

from memory.importers.tables import Row, is_blank, tidy
from memory.importers.vocabulary import field_of

TURNED = (
    "The fields stand in the first column: each further column was read as a row, and its line is the column's number."
)
_LEAST_FIELDS = 3
_MOST_FIELDS = 60
_MOST_ACROSS = 2


def turned(rows: Sequence[Row]) -> list[Row] | None:
    """Turn a sheet whose first column names fields, at least three, and none of whose rows does; else give None.

    The line of a turned row is the number of its column, from 1. A column of names without a name of its own is named.
    """
    filled = [row for row in rows if not all(is_blank(cell) for cell in row.cells)]
    width = max((len(row.cells) for row in filled), default=0)
    if not _LEAST_FIELDS <= len(filled) <= _MOST_FIELDS or width <= _LEAST_FIELDS - 1:
        return None
    labels = [tidy(row.cell(0)) for row in filled]
    fields = _fields(labels)
    across = max(len(_fields(row.cells)) for row in filled)
    known = sum(field_of(it) is not None for it in labels)
    if len(fields) < _LEAST_FIELDS or across > _MOST_ACROSS or known < 0.6 * sum(map(bool, labels)):
        return None
    labels[0] = labels[0] or "Name"
    columns = range(1, width)
    return [Row(1, tuple(labels)), *(Row(at + 1, tuple(row.cell(at) for row in filled)) for at in columns)]


def _fields(cells: Sequence[str]) -> set[str]:
    return {field for cell in cells if cell and (field := field_of(tidy(cell)))}
