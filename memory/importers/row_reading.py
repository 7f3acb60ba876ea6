"""What reading a row of investments and a row of bugs have in common. Pure."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections import Counter
from dataclasses import dataclass, fields, replace
from functools import cached_property
from statistics import median
from typing import Any, cast

from memory.errors import RecordInvalid
from memory.importers.amount_columns import AmountColumn, decimal_mark, means_yuan, read_header, said_above
from memory.importers.amounts import ReadAmount, read_amount
from memory.importers.dates import DateOrder, ReadDate, read_date
from memory.importers.mapping import JOINED, TITLE, ColumnMapping
from memory.importers.plan import PlannedRow, Traps
from memory.importers.tables import Row, Table, is_blank
from memory.importers.vocabulary import fold, outcome_words
from memory.importers.workbook import NO_VALUE
from memory.money import CODES, SYMBOLS, Money
from memory.records import BugFacts, InvestmentFacts, Outcome
from memory.validation import LONGEST, LONGEST_TEXT, checked

_CODE = frozenset({"faulty_code", "fixed_code"})
_LEARNT_FROM = 500
_WIDE, _FEW, _RARE = 3, 3, 0.2


class CannotStore(Exception):
    """A row that cannot become a record: ``column``, ``reason`` and the ``value`` say where and why."""

    def __init__(self, column: str, reason: str, value: str = "") -> None:
        super().__init__(reason)
        self.column, self.reason, self.value = column, reason, value


class Doubt(Exception):
    """A row that could be stored but is set aside unless a person chooses it."""

    def __init__(self, column: str, reason: str, value: str, kind: str, row: PlannedRow) -> None:
        super().__init__(reason)
        self.column, self.reason, self.value, self.kind, self.row = column, reason, value, kind, row


class RowReader(ABC):
    """Reads the rows of one table under one mapping and remembers what it could not decide."""

    def __init__(self, table: Table, mapping: ColumnMapping, order: DateOrder | None, traps: Traps) -> None:
        self.table, self.mapping, self.order, self.traps = table, mapping, order, traps
        self.ambiguous_dates: list[str] = []
        self.bare_amounts: list[str] = []
        self.unknown_statuses: Counter[str] = Counter()
        self._amount_columns: dict[str, AmountColumn] = {}
        self._words = dict(outcome_words(mapping.kind)) | {
            fold(status): outcome for status, outcome in mapping.statuses.items()
        }

    def read(self, row: Row) -> PlannedRow:
        """Read a row. Raises CannotStore, or Doubt with the row as it would be stored."""
        reading = Reading(row, f"{self.table.source}:{row.line}")
        facts = self._shortened(self.facts(reading), reading)
        if row.line in self._lonely:
            reason = "only its name is filled; it may be a heading or a note"
            reading.hold(self.header(TITLE[self.mapping.kind]), reason, facts.title, "only their name is filled")
        try:
            clean = cast("InvestmentFacts | BugFacts", checked(self.mapping.kind, facts))
        except RecordInvalid as error:
            raise CannotStore(self.table.columns[0], str(error)) from error
        planned = PlannedRow(row.line, reading.source, clean, tuple(reading.dates), tuple(reading.remarks))
        for remark in reading.remarks:
            self.traps.note(remark[0].upper() + remark[1:], row.line)
        if it := reading.doubt:
            raise Doubt(it.column, it.reason, it.value, it.kind or f"column {it.column!r} cannot be read", planned)
        return planned

    @abstractmethod
    def facts(self, reading: Reading) -> InvestmentFacts | BugFacts:
        """Make the facts of one row, noting doubts and remarks on ``reading``."""

    def header(self, name: str) -> str:
        """Give the header of a field's first column."""
        position = self.mapping.first(name)
        return self.table.columns[position] if position is not None else ""

    def text(self, row: Row, name: str) -> str:
        """Give a field's text; of several columns, the filled ones, each on its own line. Blank words give ""."""
        code = name in _CODE
        cells = [row.cell(at).strip("\n" if code else None) for at in self.mapping.columns.get(name, ())]
        kept = [cell for cell in cells if not is_blank(cell) and NO_VALUE not in cell]
        return ("\n" if name in JOINED else " ").join(kept)

    def date(self, reading: Reading, name: str) -> ReadDate | None:
        """Read a date field; an unreadable one makes a doubt."""
        text = self.text(reading.row, name)
        if not text:
            return None
        try:
            read = read_date(text, self.order)
        except ValueError as error:
            reading.hold(self.header(name), str(error), text)
            return None
        if read.ambiguous:
            self.ambiguous_dates.append(text)
        if read.serial:
            reading.remarks.append("dates stand as a spreadsheet's day numbers")
        reading.dates.append((self.header(name), str(read)))
        return read

    def amount(self, reading: Reading, name: str, of_nothing: str = "") -> ReadAmount | None:
        """Read a money field; an unreadable one makes a doubt, one without a currency a question and no amount.

        A bare 0 is the same in every currency: it is read in ``of_nothing``, where that is given.
        """
        text = self.text(reading.row, name)
        if not text:
            if any(NO_VALUE in reading.row.cell(at) for at in self.mapping.columns.get(name, ())):
                reading.remarks.append("a formula stands in place of an amount, and its value was never stored")
            return None
        if text.startswith("="):
            reading.remarks.append("a formula stands in place of an amount and was not run")
            return None
        column = self._amount_column(name)
        currency = self._row_currency(reading.row) or self.mapping.currency
        try:
            read = read_amount(text, column, currency)
        except ValueError as error:
            reading.hold(self.header(name), str(error), text)
            return None
        if column.scale != 1:
            reading.remarks.append(f"amounts of column {self.header(name)!r} are multiplied by {column.scale:,}")
        reading.remarks += [_remark(it) for it in read.remarks if it != "no currency"]
        if read.money.amount < 0 and name in {"invested", "returned"}:
            reading.remarks.append("a negative amount or one in brackets is read as money paid out")
        if of_nothing and not read.money.currency and not read.money.amount:
            return replace(read, money=Money(read.money.amount, of_nothing))
        if not read.money.currency:
            self.bare_amounts.append(text)
            reading.remarks.append("an amount names no currency and is left out until you say which it is")
            return None
        return read

    def outcome_of(self, reading: Reading, name: str) -> Outcome | None:
        """Read a status; None where the field is blank, UNKNOWN (and a question) where the word is not known."""
        text = self.text(reading.row, name)
        words = fold(text)
        if not words:
            return None
        if words in self._words:
            return self._words[words]
        close = [known for known in self._words if f" {known} " in f" {words} "]
        if close:
            return self._words[max(close, key=len)]
        self.unknown_statuses[text] += 1
        reading.remarks.append(f"the status {text!r} is not a known one; the outcome is left unknown")
        return Outcome.UNKNOWN

    @cached_property
    def stated(self) -> tuple[AmountColumn, str]:
        """What a line above the table says of all its amounts, and the line."""
        return said_above(self.table.above)

    def _amount_column(self, name: str) -> AmountColumn:
        """Give what is known of a field's first column: its header, else the lines above, and its other cells."""
        if name not in self._amount_columns:
            position = self.mapping.first(name)
            cells = self.table.column(position)[:_LEARNT_FROM] if position is not None else []
            header, (above, _) = read_header(self.header(name)), self.stated
            self._amount_columns[name] = AmountColumn(
                header.currency or above.currency,
                header.scale if header.scale != 1 else above.scale,
                decimal_mark(cells),
                self._yuan,
            )
        return self._amount_columns[name]

    @cached_property
    def _lonely(self) -> frozenset[int]:
        """The lines of rows with a single filled cell, where the table has wide rows and few such ones."""
        filled = {row.line: sum(not is_blank(cell) for cell in row.cells) for row in self.table.rows}
        lonely = frozenset(line for line, count in filled.items() if count == 1)
        wide = bool(filled) and median(filled.values()) >= _WIDE
        return lonely if wide and len(lonely) <= max(_FEW, len(filled) * _RARE) else frozenset()

    @cached_property
    def _yuan(self) -> bool:
        rows = self.table.rows[:_LEARNT_FROM]
        return means_yuan((*self.table.columns, *(cell for row in rows for cell in row.cells)))

    def _row_currency(self, row: Row) -> str:
        text = self.text(row, "currency")
        return text.upper() if text.upper() in CODES else SYMBOLS.get(text.lower(), "")

    def _shortened(self, facts: InvestmentFacts | BugFacts, reading: Reading) -> InvestmentFacts | BugFacts:
        changes: dict[str, Any] = {}
        for field in fields(facts):
            value = getattr(facts, field.name)
            longest = LONGEST.get(field.name, LONGEST_TEXT)
            if isinstance(value, str) and len(value) > longest:
                changes[field.name] = f"{value[: longest - 1].rstrip()}…"
                reading.remarks.append(
                    f"{field.name.replace('_', ' ')} is longer than {longest:,} characters and was cut"
                )
        return cast("InvestmentFacts | BugFacts", replace(cast(Any, facts), **changes))


class Reading:
    """The state of reading one row."""

    def __init__(self, row: Row, source: str) -> None:
        self.row, self.source = row, source
        self.dates: list[tuple[str, str]] = []
        self.remarks: list[str] = []
        self.doubt: Holding | None = None

    def hold(self, column: str, reason: str, value: str, kind: str = "") -> None:
        """Set the row aside unless it is already; ``kind`` says the reason without its particulars."""
        self.doubt = self.doubt or Holding(column, reason, value, kind)


@dataclass(frozen=True, slots=True)
class Holding:
    """Why a row is set aside."""

    column: str
    reason: str
    value: str
    kind: str


def quoted(text: str, longest: int = 120) -> str:
    """Cut a value for display."""
    text = " ".join(text.split())
    return text if len(text) <= longest else f"{text[: longest - 1]}…"


def _remark(text: str) -> str:
    if text.startswith("its currency sign"):
        return "a currency sign was lost when the file was written, so its amount is left without one"
    if text.startswith("a range"):
        return "a range of amounts is read as its middle"
    if "left out of the amount" in text:
        return "a note in brackets after an amount is left out of it"
    return text
