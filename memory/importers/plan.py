"""What an import would do, row by row, before it does anything. Pure."""

from __future__ import annotations

from dataclasses import dataclass

from memory.importers.mapping import ColumnMapping
from memory.importers.tables import Table
from memory.records import BugFacts, InvestmentFacts


@dataclass(frozen=True, slots=True)
class PlannedRow:
    """A row that would be stored. ``source`` is ``file:line``; ``dates`` are the dates read, as ISO texts by column.

    ``remarks`` say in words what was assumed or left out; ``record_id`` is the exported record's own.
    """

    line: int
    source: str
    facts: InvestmentFacts | BugFacts
    dates: tuple[tuple[str, str], ...] = ()
    remarks: tuple[str, ...] = ()
    record_id: str = ""


@dataclass(frozen=True, slots=True)
class SetAside:
    """A row that would not be stored, where it is, and why.

    ``row`` is what it would become if a person chose it all the same; None where it cannot be stored.
    """

    line: int
    column: str
    reason: str
    value: str = ""
    row: PlannedRow | None = None


@dataclass(frozen=True, slots=True)
class Question:
    """Something the file does not say. ``key`` names the part of the mapping that answers it.

    ``choices`` are pairs of value and label, the first of them what happens without an answer.
    """

    key: str
    text: str
    choices: tuple[tuple[str, str], ...]


@dataclass(frozen=True, slots=True)
class ImportPlan:
    """Every row of ``table`` is in ``accepted`` or in ``set_aside``, never in both and never in neither.

    ``traps`` name in words all that was met and how it was handled.
    """

    table: Table
    mapping: ColumnMapping
    accepted: tuple[PlannedRow, ...]
    set_aside: tuple[SetAside, ...]
    questions: tuple[Question, ...]
    traps: tuple[str, ...]

    @property
    def unread(self) -> tuple[str, ...]:
        """The columns that hold something and become nothing; none for a known shape, whose other columns are known."""
        if self.table.shape:
            return ()
        taken = {at for places in self.mapping.columns.values() for at in places}
        return tuple(name for at, name in enumerate(self.table.labels) if at not in taken and self.table.column(at))

    @property
    def choosable(self) -> tuple[PlannedRow, ...]:
        """The rows set aside that a person may choose all the same."""
        return tuple(it.row for it in self.set_aside if it.row is not None)


class Traps:
    """Collects what was met, one sentence a kind, with how many rows it concerned and the first lines."""

    def __init__(self) -> None:
        self._lines: dict[str, list[int]] = {}

    def note(self, sentence: str, line: int) -> None:
        """Count ``line`` under ``sentence``, which has no full stop."""
        self._lines.setdefault(sentence, []).append(line)

    def sentences(self) -> tuple[str, ...]:
        """Write each with its count and at most five lines."""
        written = []
        for sentence, lines in self._lines.items():
            distinct = sorted(set(lines))
            shown = ", ".join(map(str, distinct[:5])) + (", …" if len(distinct) > 5 else "")
            rows = "row" if len(distinct) == 1 else "rows"
            where = "line" if len(distinct) == 1 else "lines"
            written.append(f"{sentence} ({len(distinct)} {rows}: {where} {shown}).")
        return tuple(written)
