"""A file as a table of text cells, whatever its format was. Pure."""

from __future__ import annotations

import re
from dataclasses import dataclass
from pathlib import PurePath

MAX_BYTES = 100 * 1024 * 1024
MAX_ROWS = 100_000

_BLANK = re.compile(
    r"(?:n\.?/?a\.?|nan|null|none|nil|tbd|tba|tbc|unknown|---?|[-–—?.]|\?+|#n/a|#(?:ref|div/0|value|num|null|name\?|spill|calc)!?|)",
    re.IGNORECASE,
)


@dataclass(frozen=True, slots=True)
class Row:
    """One row. ``line`` is where a person finds it: the line of a text file, the row of a sheet, the element of a list.

    ``cells`` are as wide as the row was written, which need not be as wide as the table.
    """

    line: int
    cells: tuple[str, ...]

    def cell(self, column: int) -> str:
        """Give the cell, or "" where the row ends before it."""
        return self.cells[column] if 0 <= column < len(self.cells) else ""


@dataclass(frozen=True, slots=True)
class Table:
    """Rows under named columns. ``shape`` names a known tracker ("jira", "github", ...) or "".

    ``format`` says how it was read ("CSV, semicolons, UTF-8"); ``notes`` name in words what was met on the way;
    ``doubtful`` are lines that cannot have been read rightly, each with the reason.
    """

    name: str
    format: str
    columns: tuple[str, ...]
    rows: tuple[Row, ...]
    notes: tuple[str, ...] = ()
    shape: str = ""
    doubtful: tuple[tuple[int, str], ...] = ()
    sheet: str = ""
    sheets: tuple[str, ...] = ()

    @property
    def source(self) -> str:
        """The file's name, and its sheet where there are several; only the last part of a path."""
        base = PurePath(self.name.replace("\\", "/")).name or "file"
        return f"{base}[{self.sheet}]" if len(self.sheets) > 1 else base

    def column(self, index: int) -> list[str]:
        """Give the cells of one column that are not blank."""
        return [row.cell(index).strip() for row in self.rows if not is_blank(row.cell(index))]


def is_blank(cell: str) -> bool:
    """True for an empty cell and for what people write in its place: n/a, tbd, null, a dash, a question mark."""
    return _BLANK.fullmatch(cell.strip()) is not None


def tidy(text: str) -> str:
    """Fold a header's white space and newlines to single spaces."""
    return " ".join(text.split())


def counted(number: int, noun: str) -> str:
    """Write a count with its noun: ``1 row``, ``3 rows``."""
    return f"{number} {noun}" if number == 1 else f"{number} {noun}s"
