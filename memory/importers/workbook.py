"""XLSX as a table: one sheet, its stored values, dates as dates and amounts with the currency of their format. Pure."""

from __future__ import annotations

import io
import re
import zipfile
from collections.abc import Iterable
from dataclasses import replace
from datetime import date, datetime, time
from typing import Any

import openpyxl  # type: ignore[import-untyped]
from openpyxl.utils.exceptions import InvalidFileException  # type: ignore[import-untyped]

from memory.errors import ImportRefused
from memory.importers.header import find_header
from memory.importers.number_formats import number_text
from memory.importers.ooxml import check_package
from memory.importers.tables import MAX_ROWS, Row, Table, counted, written
from memory.importers.turned import TURNED, turned

NO_VALUE = "\N{SYMBOL FOR NULL}formula without a stored value"
_DIGIT = re.compile(r"\d")
_FORMULA = re.compile(rb"<(?:\w+:)?f[ >/]")
_HOW = "Open it in a spreadsheet program, save it as XLSX or CSV, and try again."


def read_workbook(content: bytes, name: str, sheet: str = "") -> Table:
    """Read one sheet, by default the visible one with the most rows. Raises ImportRefused where it cannot be read."""
    try:
        notes = list(check_package(content, name))
        values = openpyxl.load_workbook(io.BytesIO(content), read_only=False, data_only=True, keep_links=False)
        # The formulas themselves are only wanted to tell a cell that was never computed from an empty one.
        computed = _holds_formulas(content)
        formulas = openpyxl.load_workbook(io.BytesIO(content), keep_links=False) if computed else values
    except (ValueError, KeyError, TypeError, AttributeError, zipfile.BadZipFile, InvalidFileException) as error:
        reason = str(error) if str(error).startswith(name) else f"{name} is damaged or not a workbook. {_HOW}"
        raise ImportRefused(reason) from error
    visible = [it for it in values.worksheets if it.sheet_state == "visible"]
    if not visible:
        raise ImportRefused(f"{name} has no visible sheet. {_HOW}")
    chosen = next((it for it in values.worksheets if it.title == sheet), None)
    if sheet and chosen is None:
        names = ", ".join(it.title for it in values.worksheets)
        raise ImportRefused(f"{name} has no sheet {sheet!r}; it has {names}.")
    chosen = chosen or max(visible, key=_height)
    notes += _about_others(values.worksheets, chosen)
    hidden = {number for number, size in chosen.row_dimensions.items() if size.hidden}
    rows = _rows(chosen, formulas[chosen.title], hidden, name)
    if not any(cell.strip() for row in rows for cell in row.cells):
        raise ImportRefused(f"Sheet {chosen.title!r} of {name} is empty. There is nothing to import.")
    if on_its_side := turned([row for row in rows if row.line not in hidden]):
        rows, hidden = on_its_side, set()
        notes.append(TURNED)
    header = find_header([row.cells for row in rows[:50]])
    if header.at:
        notes.append(f"The header is in row {rows[header.at].line}; what stands above it was skipped.")
    body = [row for row in rows[header.body :] if any(cell.strip() for cell in row.cells)]
    blank = len(rows) - header.body - len(body)
    if blank:
        notes.append(f"{counted(blank, 'blank row')} skipped.")
    concealed = sum(row.line in hidden for row in body)
    if concealed:
        notes.append(f"{counted(concealed, 'hidden row')} skipped; show them in the sheet to import them.")
    kept = tuple(row for row in body if row.line not in hidden)
    sheets = tuple(it.title for it in values.worksheets)
    label = f"XLSX, sheet {chosen.title!r}"
    above = written(rows[: header.at])
    return Table(name, label, header.names, kept, tuple(notes), sheet=chosen.title, sheets=sheets, above=above)


def _holds_formulas(content: bytes) -> bool:
    with zipfile.ZipFile(io.BytesIO(content)) as package:
        sheets = [name for name in package.namelist() if name.lower().startswith("xl/worksheets/")]
        return any(_FORMULA.search(package.read(name)) for name in sheets)


def _rows(values: Any, formulas: Any, hidden: set[int], name: str) -> list[Row]:
    if values.max_row > MAX_ROWS + 50:
        raise ImportRefused(f"{name} has more than {MAX_ROWS:,} rows. Split it and import the parts.")
    width = max((cell.column for row in values.iter_rows() for cell in row if cell.value is not None), default=0)
    rows = []
    for shown, source in zip(values.iter_rows(max_col=width or 1), formulas.iter_rows(max_col=width or 1), strict=True):
        cells = tuple(_text(cell, formula) for cell, formula in zip(shown, source, strict=True))
        rows.append(Row(shown[0].row, cells))
    return _filled_down(rows, values.merged_cells.ranges)


def _filled_down(rows: list[Row], merged: Iterable[Any]) -> list[Row]:
    """Give each row of a vertically merged cell its text; a number is left where it stands, or it would count twice."""
    texts: dict[tuple[int, int], str] = {}
    for area in merged:
        top = rows[area.min_row - 1].cells[area.min_col - 1 : area.min_col] if area.min_row <= len(rows) else ()
        if area.max_row > area.min_row and top and any(map(str.isalpha, top[0])) and not _DIGIT.search(top[0]):
            texts |= {(line, area.min_col - 1): top[0] for line in range(area.min_row + 1, area.max_row + 1)}
    if not texts:
        return rows
    return [
        replace(row, cells=tuple(texts.get((row.line, at)) or cell for at, cell in enumerate(row.cells)))
        for row in rows
    ]


def _text(cell: Any, source: Any) -> str:
    """Write a cell's stored value as text; a formula that was never computed says so."""
    value = cell.value
    if value is None:
        return NO_VALUE if isinstance(source.value, str) and source.data_type == "f" else ""
    if isinstance(value, datetime):
        return value.date().isoformat() if value.time() == time() else value.isoformat(" ", "seconds")
    if isinstance(value, date):
        return value.isoformat()
    if isinstance(value, bool):
        return "yes" if value else "no"
    if isinstance(value, int | float):
        return number_text(value, cell.number_format or "")
    return str(value)


def _height(sheet: Any) -> int:
    return sum(any(value not in (None, "") for value in row) for row in sheet.iter_rows(values_only=True))


def _about_others(sheets: Iterable[Any], chosen: Any) -> list[str]:
    notes = []
    for sheet in sheets:
        if sheet.title != chosen.title and (rows := max(_height(sheet) - 1, 0)):
            hidden = "hidden " if sheet.sheet_state != "visible" else ""
            notes.append(
                f"The {hidden}sheet {sheet.title!r} ({counted(rows, 'row')}) was not read; choose it to import it."
            )
    return notes
