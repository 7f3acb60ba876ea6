"""Headers that stand among the rows: repeated ones, and those of a second table below the first. Pure."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence

from memory.importers.tables import Doubtful, Row, Table, is_blank, tidy
from memory.importers.vocabulary import field_of, fold, outcome_words, set_aside_words
from memory.records import Kind

_DIGIT = re.compile(r"\d")
_LONGEST_NAME = 60


def find_other_tables(table: Table) -> Iterator[Doubtful]:
    """Find headers that are repeated, and all that belongs to another table: its caption, its header and its rows."""
    names = {fold(column) for column in table.columns}
    other = 0
    for position, row in enumerate(table.rows):
        filled = _filled(row)
        if len(filled) > 1 and not any(map(_DIGIT.search, filled)) and names >= {fold(cell) for cell in filled}:
            other = 0
            yield Doubtful(row.line, "it repeats the header", "Headers that are repeated are set aside")
        elif _is_header(filled):
            other = row.line
            for caption in _captions(table.rows[:position]):
                yield _of_other(caption.line, other)
            yield _of_other(row.line, other)
        elif other:
            yield _of_other(row.line, other)


def _of_other(line: int, header: int) -> Doubtful:
    kind = "Another table stands below the first and is left out; give it a sheet or a file of its own to import it"
    return Doubtful(line, f"it belongs to another table, whose header is on line {header}", kind)


def _captions(before: Sequence[Row]) -> Iterator[Row]:
    """Give the rows of a single cell that stand right above a header."""
    for row in reversed(before):
        if len(_filled(row)) > 1:
            return
        yield row


def _is_header(filled: Sequence[str]) -> bool:
    """Say whether cells are names of columns: words without digits, half of them known and at least two."""
    if len(filled) < 2 or any(_DIGIT.search(cell) or len(cell) > _LONGEST_NAME for cell in filled):
        return False
    known = {field for cell in filled if not _is_value(fold(cell)) and (field := field_of(cell))}
    return len(known) >= max(2, len(filled) / 2)


def _is_value(word: str) -> bool:
    return any(word in outcome_words(kind) for kind in (Kind.INVESTMENT, Kind.BUG)) or word in set_aside_words(
        "bug_labels"
    )


def _filled(row: Row) -> list[str]:
    return [tidy(cell) for cell in row.cells if not is_blank(cell)]
