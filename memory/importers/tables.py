"""A file as a table of text cells, whatever its format was. Pure."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass
from pathlib import PurePath

MAX_BYTES = 100 * 1024 * 1024
MAX_ROWS = 100_000

_BLANK = re.compile(
    r"(?:n\.?/?a\.?|nan|null|none|nil|tbd|tba|tbc|unknown|undisclosed|not disclosed|未披露|---?|[-–—?.]|\?+|#n/a|"
    r"#(?:ref|div/0|value|num|null|name\?|spill|calc)!?|(?:0001-01-01|0000-00-00)(?:[T ]00:00:00(?:\.0+)?Z?)?|"
    r"00[/.]00[/.]0000|)",
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
class Doubtful:
    """A row that cannot have been read rightly: the reason, and in ``kind`` the same without its particulars."""

    line: int
    reason: str
    kind: str


@dataclass(frozen=True, slots=True)
class Table:
    """Rows under named columns. ``shape`` names a known tracker ("jira", "github", ...) or "".

    ``format`` says how it was read ("CSV, semicolons, UTF-8"); ``notes`` name in words what was met on the way;
    ``doubtful`` are rows that cannot have been read rightly; ``above`` are the lines over the header.
    """

    name: str
    format: str
    columns: tuple[str, ...]
    rows: tuple[Row, ...]
    notes: tuple[str, ...] = ()
    shape: str = ""
    doubtful: tuple[Doubtful, ...] = ()
    sheet: str = ""
    sheets: tuple[str, ...] = ()
    above: tuple[str, ...] = ()

    @property
    def source(self) -> str:
        """The file's name, and its sheet where there are several; only the last part of a path."""
        base = PurePath(self.name.replace("\\", "/")).name or "file"
        return f"{base}[{self.sheet}]" if len(self.sheets) > 1 else base

    @property
    def labels(self) -> tuple[str, ...]:
        """The columns' names, each once: a name that comes again is numbered, ``Amount (2)``."""
        seen: Counter[str] = Counter()
        labels = []
        for name in self.columns:
            seen[name] += 1
            labels.append(name if seen[name] == 1 else f"{name} ({seen[name]})")
        return tuple(labels)

    def column(self, index: int) -> list[str]:
        """Give the cells of one column that are not blank."""
        return [row.cell(index).strip() for row in self.rows if not is_blank(row.cell(index))]


def is_blank(cell: str) -> bool:
    """True for an empty cell and for what stands in its place: n/a, tbd, null, a dash, the zero date of a program."""
    return _BLANK.fullmatch(cell.strip()) is not None


def tidy(text: str) -> str:
    """Fold a header's white space and newlines to single spaces."""
    return " ".join(text.split())


def written(rows: Iterable[Row]) -> tuple[str, ...]:
    """Write rows as lines of their filled cells."""
    lines = (" ".join(tidy(cell) for cell in row.cells if cell.strip()) for row in rows)
    return tuple(line for line in lines if line)


def counted(number: int, noun: str) -> str:
    """Write a count with its noun: ``1 row``, ``3 rows``."""
    return f"{number} {noun}" if number == 1 else f"{number} {noun}s"
