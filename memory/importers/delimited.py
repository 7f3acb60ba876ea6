"""Delimited text as a table: delimiter, quoting, line ends, preamble and header are found, not assumed. Pure."""

from __future__ import annotations

import csv
import io
import re
from collections import Counter
from collections.abc import Iterator

from memory.errors import ImportRefused
from memory.importers.encodings import decode
from memory.importers.header import find_header
from memory.importers.own_export import delimiter_of
from memory.importers.tables import MAX_ROWS, Doubtful, Row, Table, counted, is_blank, tidy, written
from memory.importers.turned import TURNED, turned

DELIMITERS = {",": "commas", ";": "semicolons", "\t": "tabs", "|": "bars"}
_SEPARATOR_LINE = re.compile(r"""\s*"?sep=(?P<delimiter>.)"?\s*""", re.IGNORECASE)
_SNIFFED_ROWS = 200
csv.field_size_limit(4 * 1024 * 1024)


def read_delimited(content: bytes, name: str, delimiter: str = "") -> Table:
    """Read CSV of any delimiter, encoding and line end. Raises ImportRefused for an empty or unreadable file."""
    decoded = decode(content)
    text, notes = decoded.text, list(decoded.notes)
    if "\x00" in text:
        raise ImportRefused(f"{name} is a binary file, not a table. Export it as CSV, XLSX or JSON.")
    if "\r" in text and "\n" not in text:
        notes.append("Lines end in carriage returns alone, as old spreadsheets wrote them.")
    text = text.replace("\r\n", "\n").replace("\r", "\n")
    skipped = 0
    first, _, rest = text.partition("\n")
    if declared := _SEPARATOR_LINE.fullmatch(first):
        delimiter, text, skipped = declared["delimiter"], rest, 1
        notes.append(f"The first line declares its delimiter: {tidy(first)}.")
    if not text.strip():
        raise ImportRefused(f"{name} is empty. There is nothing to import.")
    own = delimiter_of(text)
    delimiter = delimiter or own or sniff_delimiter(text)
    rows = _rows(text, delimiter, skipped, name)
    if not any(cell.strip() for row in rows for cell in row.cells):
        raise ImportRefused(f"{name} is empty. There is nothing to import.")
    if not own and (on_its_side := turned(rows)):
        rows = on_its_side
        notes.append(TURNED)
    header = find_header([row.cells for row in rows[: 1 if own else 50]])
    if header.at:
        above = [row.line for row in rows[: header.at] if not all(is_blank(cell) for cell in row.cells)]
        notes.append(f"The header is on line {rows[header.at].line}; skipped above it: {_lines(above)}.")
    body = tuple(row for row in rows[header.body :] if any(cell.strip() for cell in row.cells))
    blank = len(rows) - header.body - len(body)
    if blank:
        notes.append(f"{counted(blank, 'blank row')} skipped.")
    label = DELIMITERS.get(delimiter, f"{delimiter!r}")
    kind = "CSV" if delimiter != "\t" else "TSV"
    doubtful = tuple(_swallowed(body, delimiter, len(header.names))) if text.count('"') % 2 else ()
    return Table(
        name,
        f"{kind}, {label}, {decoded.encoding}",
        header.names,
        body,
        tuple(notes),
        doubtful=doubtful,
        above=written(rows[: header.at]),
    )


def sniff_delimiter(text: str) -> str:
    """Find the delimiter under which the most rows have the same number of cells, of at least two."""
    best, best_score = ",", 0.0
    sample = text[:200_000]
    for delimiter in DELIMITERS:
        widths: Counter[int] = Counter()
        for number, cells in enumerate(csv.reader(io.StringIO(sample), delimiter=delimiter)):
            if number >= _SNIFFED_ROWS:
                break
            if any(cell.strip() for cell in cells):
                widths[len(cells)] += 1
        if not widths:
            continue
        width, agreeing = max(widths.items(), key=lambda item: (item[1] * (item[0] > 1), item[0]))
        score = (agreeing / widths.total()) * (1 + min(width, 30) / 30) if width > 1 else 0.0
        if score > best_score + 1e-9:
            best, best_score = delimiter, score
    return best


def _rows(text: str, delimiter: str, skipped: int, name: str) -> list[Row]:
    reader = csv.reader(io.StringIO(text), delimiter=delimiter)
    rows, line = [], skipped + 1
    try:
        for cells in reader:
            rows.append(Row(line, tuple(cells)))
            line = skipped + reader.line_num + 1
            if len(rows) > MAX_ROWS + 50:
                raise ImportRefused(f"{name} has more than {MAX_ROWS:,} rows. Split it and import the parts.")
    except csv.Error as error:
        raise ImportRefused(f"{name} cannot be read as CSV near line {line}: {error}.") from error
    return rows


def _swallowed(rows: tuple[Row, ...], delimiter: str, width: int) -> Iterator[Doubtful]:
    """Find rows with a cell that holds whole rows, as a quote that is never closed makes it."""
    for row in rows:
        lines = max((cell.split("\n") for cell in row.cells), key=len, default=[])
        rowlike = sum(line.count(delimiter) >= width - 1 for line in lines[1:])
        if rowlike:
            reason = f"a quote in it is never closed, so that it swallowed {counted(rowlike, 'row')} after it"
            kind = "A quote is never closed; its row is set aside with the rows it swallowed"
            yield Doubtful(row.line, reason, kind)


def _lines(lines: list[int]) -> str:
    if not lines:
        return "only blank lines"
    return f"line {lines[0]}" if len(lines) == 1 else f"lines {lines[0]} to {lines[-1]}"
