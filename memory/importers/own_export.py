"""How a file that this memory has exported is known and laid out as a table. Pure."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import replace
from typing import Any

from memory.cells import plain_cell
from memory.export import CONFIDENCE, ID, KIND, STATUS
from memory.importers.tables import Table

_HEADER = re.compile(rf'"?{KIND}"?(?P<delimiter>[,;\t|])')
_IDENTITY = {KIND: "kind", ID: "id", STATUS: "status", CONFIDENCE: "confidence"}


def delimiter_of(text: str) -> str:
    """Give the delimiter of a CSV file that this memory wrote, or "" where it did not."""
    match = _HEADER.match(text)
    return match["delimiter"] if match else ""


def identity_cells(item: Mapping[str, Any]) -> dict[str, str]:
    """Give the cells that tell a record from its facts, as far as an exported line has them."""
    return {column: str(item[key]) for column, key in _IDENTITY.items() if isinstance(item.get(key), str | int | float)}


def unguarded(table: Table) -> Table:
    """Take the apostrophes off that made cells safe for spreadsheets."""
    rows = tuple(replace(row, cells=tuple(plain_cell(cell) for cell in row.cells)) for row in table.rows)
    return replace(table, rows=rows)
