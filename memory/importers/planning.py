"""From a table and a mapping to a plan. Pure."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from hashlib import sha256

from memory.errors import RecordInvalid
from memory.export import KIND
from memory.facts import canonical, to_json
from memory.importers.bug_rows import BugReader
from memory.importers.dates import DateOrder, find_order
from memory.importers.investment_rows import InvestmentReader
from memory.importers.mapping import FIELDS, JOINED, TITLE, ColumnMapping
from memory.importers.own_rows import read_own
from memory.importers.plan import ImportPlan, PlannedRow, Question, SetAside, Traps
from memory.importers.row_reading import CannotStore, Doubt, RowReader, quoted
from memory.importers.shapes import LABELS
from memory.importers.shifts import Shift, find_shifts
from memory.importers.tables import Row, Table, is_blank
from memory.importers.vocabulary import fold, set_aside_words
from memory.importers.workbook import NO_VALUE
from memory.records import BugFacts, InvestmentFacts, Kind, Outcome
from memory.validation import checked

_PROGRESS = 500
_DATE_FIELDS = ("year", "year_end", "changed")
_READ_FIELDS = (*_DATE_FIELDS, "invested", "returned", "gain", "loss", "multiple")


def plan_import(
    table: Table, mapping: ColumnMapping, on_progress: Callable[[int, int], None] = lambda done, total: None
) -> ImportPlan:
    """Say for every row what it would become, or why it is set aside. Never raises for what stands in a row.

    ``on_progress`` is told every 500 rows how many of how many were read.
    """
    traps, accepted, set_aside = Traps(), [], []
    order, mixed = _order(table, mapping)
    reader_class = InvestmentReader if mapping.kind is Kind.INVESTMENT else BugReader
    reader: RowReader = reader_class(table, mapping, order, traps)
    read = {at for name in _READ_FIELDS for at in mapping.columns.get(name, ())}
    shifts = find_shifts(table, read)
    seen: dict[str, int] = {}
    doubtful = {it.line: it for it in table.doubtful}
    for position, row in enumerate(table.rows):
        if position % _PROGRESS == 0:
            on_progress(position, len(table.rows))
        if doubt := doubtful.get(row.line):
            traps.note(doubt.kind, row.line)
            set_aside.append(SetAside(row.line, _title_column(table, mapping), doubt.reason, quoted(row.cell(0))))
            continue
        outcome = _plan_row(row, reader, shifts.get(position), traps)
        if isinstance(outcome, PlannedRow):
            digest = content_hash(mapping.kind, outcome.facts)
            if digest in seen:
                traps.note("The same row stands in the file twice; the second is set aside", row.line)
                reason = f"it is the same as line {seen[digest]}"
                set_aside.append(SetAside(row.line, _title_column(table, mapping), reason, outcome.facts.title))
            else:
                seen[digest] = row.line
                accepted.append(outcome)
        else:
            set_aside.append(outcome)
    questions = tuple(_questions(table, mapping, order, mixed, reader))
    notes = (*_opening(table), *table.notes, *_stated(reader), *_guesses(table, mapping, order), *traps.sentences())
    return ImportPlan(table, mapping, tuple(accepted), tuple(set_aside), questions, notes)


def content_hash(kind: Kind, facts: InvestmentFacts | BugFacts) -> str:
    """Give the sha256 by which the same row is known again, in this file or the next."""
    return sha256(f"{kind.value}\n{canonical(to_json(facts))}".encode()).hexdigest()


def _plan_row(row: Row, reader: RowReader, shift: Shift | None, traps: Traps) -> PlannedRow | SetAside:
    table, mapping = reader.table, reader.mapping
    column = _title_column(table, mapping)
    if table.shape == "precedent" and (kind := row.cell(table.columns.index(KIND))) != mapping.kind.value:
        traps.note(f"Records of another kind are set aside; import the file once more as that kind ({kind})", row.line)
        return SetAside(row.line, KIND, f"it is of kind {kind}", kind)
    if table.shape == "precedent":
        return _settled(lambda: read_own(row, table, mapping), row, traps)
    title = reader.text(row, TITLE[mapping.kind])
    if fold(title) in set_aside_words("totals") or _total(row, title, reader):
        traps.note("Rows of totals are no records and are set aside", row.line)
        return SetAside(row.line, column, "it is a row of totals, not a record", title or row.cell(0))
    if title.startswith("=") or NO_VALUE in row.cell(mapping.first(TITLE[mapping.kind]) or 0):
        traps.note("Formulas are never run; a row named by one is set aside", row.line)
        return SetAside(row.line, column, "its name is a formula, not a text", quoted(title))
    if shift:
        traps.note("Cells have slid into the wrong columns, probably by an unquoted comma; the rows are held", row.line)
        name = table.columns[min(shift.column, len(table.columns) - 1)]
        return SetAside(row.line, name, f"its columns look shifted: {shift.reason}", quoted(row.cell(shift.column)))
    if is_blank(title):
        return SetAside(row.line, column, f"{FIELDS[mapping.kind][TITLE[mapping.kind]].lower()} is empty", title)
    return _settled(lambda: reader.read(row), row, traps)


def _settled(read: Callable[[], PlannedRow], row: Row, traps: Traps) -> PlannedRow | SetAside:
    try:
        return read()
    except CannotStore as problem:
        traps.note("Rows that break a rule of the memory are set aside", row.line)
        return SetAside(row.line, problem.column, problem.reason, quoted(problem.value))
    except Doubt as doubt:
        traps.note(f"Rows are set aside because {doubt.kind}", row.line)
        return SetAside(row.line, doubt.column, doubt.reason, quoted(doubt.value), doubt.row)


def _total(row: Row, title: str, reader: RowReader) -> bool:
    """Say whether a row is one of totals: by its first cell, or by its name where it has no date and no status."""
    totals = set_aside_words("totals")
    filled = [cell for cell in row.cells if not is_blank(cell)]
    if filled and fold(filled[0]) in totals:
        return True
    of = any(fold(title).startswith(f"{word} ") for word in totals)
    return of and not any(reader.text(row, name) for name in ("year", "outcome", "status"))


def _title_column(table: Table, mapping: ColumnMapping) -> str:
    position = mapping.first(TITLE[mapping.kind])
    return table.columns[position] if position is not None else ""


def _order(table: Table, mapping: ColumnMapping) -> tuple[DateOrder | None, bool]:
    """Find the order of the file's dates, which what they prove decides before any answer, and whether both occur."""
    cells = [cell for name in _DATE_FIELDS for at in mapping.columns.get(name, ()) for cell in table.column(at)]
    proved, mixed = find_order(cells)
    return proved or mapping.date_order, mixed


def _opening(table: Table) -> Iterator[str]:
    if table.shape:
        yield f"The file has the shape of {LABELS[table.shape]}."
    if not table.rows:
        yield "The file has a header and no rows."


def _stated(reader: RowReader) -> Iterator[str]:
    if line := reader.stated[1]:
        yield f"Above the table stands {quoted(line)!r}; amounts that say nothing else are read so."


def _guesses(table: Table, mapping: ColumnMapping, order: DateOrder | None) -> Iterator[str]:
    for name in mapping.guessed:
        column = table.columns[mapping.columns[name][0]]
        yield f"No header names the {FIELDS[mapping.kind][name].lower()}; column {column!r} was taken by its values."
    for name, places in mapping.columns.items():
        column = table.columns[places[0]]
        if name not in JOINED and table.columns.count(column) > 1:
            several, chosen = table.columns.count(column), table.labels[places[0]]
            yield f"{several} columns are called {column!r}; {chosen!r} is read; another can be chosen by its number."
    if mapping.currency:
        yield f"Amounts that name no currency are read as {mapping.currency}, as was answered."
    if mapping.date_order and order is not mapping.date_order:
        yield "Dates of this file can be read in one order only, and not in the one that was answered before."
    if "raised" in mapping.columns:
        column = table.columns[mapping.columns["raised"][0]]
        yield f"Column {column!r} is what the companies raised, not what you invested; it is kept as text."


def _questions(
    table: Table, mapping: ColumnMapping, order: DateOrder | None, mixed: bool, reader: RowReader
) -> Iterator[Question]:
    if TITLE[mapping.kind] not in mapping.columns:
        label = FIELDS[mapping.kind][TITLE[mapping.kind]].lower()
        choices = tuple((str(number), name) for number, name in enumerate(table.columns))
        yield Question("title", f"Which column holds the {label}?", choices)
    if reader.ambiguous_dates and order is None:
        example = reader.ambiguous_dates[0]
        count = len(reader.ambiguous_dates)
        both = " Dates of both orders stand in this file, so it cannot tell." if mixed else ""
        yield Question(
            "date_order",
            f"Dates such as {example} can be read two ways ({count} in all). Which comes first?{both}",
            ((DateOrder.DAY_FIRST, "the day"), (DateOrder.MONTH_FIRST, "the month")),
        )
    if reader.bare_amounts and not mapping.currency:
        amounts = "1 amount names" if len(reader.bare_amounts) == 1 else f"{len(reader.bare_amounts)} amounts name"
        yield Question(
            "currency",
            f"{amounts} no currency, such as {reader.bare_amounts[0]}. Which is it? Else they are left out.",
            (("", "leave them out"), *((code, code) for code in ("INR", "USD", "EUR", "GBP", "CNY", "JPY", "CHF"))),
        )
    for status, count in sorted(reader.unknown_statuses.items())[:20]:
        yield Question(
            f"status:{status}",
            f"What does the status {status!r} ({count} rows) mean?",
            tuple((outcome.value, outcome.label) for outcome in _outcomes(mapping.kind)),
        )
    if mapping.kind is Kind.INVESTMENT and "outcome" not in mapping.columns and mapping.outcome is Outcome.UNKNOWN:
        yield Question(
            "outcome",
            "No column says how the investments ended. How did they?",
            tuple((outcome.value, outcome.label) for outcome in _outcomes(mapping.kind)),
        )


def _outcomes(kind: Kind) -> list[Outcome]:
    return sorted((it for it in Outcome if _allowed(kind, it)), key=lambda it: it is not Outcome.UNKNOWN)


def _allowed(kind: Kind, outcome: Outcome) -> bool:
    facts = InvestmentFacts("x", outcome=outcome) if kind is Kind.INVESTMENT else BugFacts("x", outcome=outcome)
    try:
        checked(kind, facts)
    except RecordInvalid:
        return False
    return True
