"""Records as cells to type in: which fields can be, what they hold, and what was typed read back as corrections."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import pandas as pd
import streamlit as st

from memory.corrections import Correction
from memory.money import Money
from memory.records import SEVERITIES, Kind, Outcome, Record
from ui.components.record_form import SHEETS, Shape, facts_from
from ui.formats import money
from ui.language import _
from ui.messages import N_
from ui.said import said

Cell = str | int | None
Typed = Mapping[str, Mapping[str, Cell]]
"""What was typed: for each record's id, the new value of each column."""


@dataclass(frozen=True, slots=True)
class Column:
    """A column of cells to type in, and which field it is of each kind of record."""

    name: str
    label: str
    shape: Shape
    fields: Mapping[Kind, str]


_SHARED = (
    Column("title", N_("Title"), "line", {Kind.INVESTMENT: "company", Kind.BUG: "title"}),
    Column("year", N_("Year"), "year", {Kind.INVESTMENT: "year", Kind.BUG: "year"}),
    Column("outcome", N_("Outcome"), "outcome", {Kind.INVESTMENT: "outcome", Kind.BUG: "outcome"}),
    Column("lesson", N_("Lesson or fix"), "text", {Kind.INVESTMENT: "lesson", Kind.BUG: "fix"}),
)


def columns_of(kinds: Sequence[Kind]) -> tuple[Column, ...]:
    """Give the columns of records of one kind, or of several: all that can be typed in a cell, or what they share."""
    if len(kinds) > 1:
        return _SHARED
    return tuple(
        Column(it.name, it.label.rstrip(" *"), it.shape, {kinds[0]: it.name})
        for it in SHEETS[kinds[0]].fields
        if it.shape != "code"
    )


def cells_of(records: Sequence[Record], columns: Sequence[Column], typed: Typed) -> pd.DataFrame:
    """Lay records out as cells, one row a record by its id, with what was typed over them."""
    rows = [{it.name: typed.get(record.id, {}).get(it.name, _cell(record, it)) for it in columns} for record in records]
    cells = pd.DataFrame(rows, index=[it.id for it in records], columns=[it.name for it in columns], dtype=object)
    return cells.astype({it.name: "Int64" for it in columns if it.shape == "year"})


def typed_over(
    records: Sequence[Record], columns: Sequence[Column], carried: Typed, edited: Mapping[int, Mapping[str, object]]
) -> dict[str, dict[str, Cell]]:
    """Say which cells differ from the records, by the record's id.

    ``edited`` is what a data editor says of its rows, by number, on top of what it began with.
    """
    found: dict[str, dict[str, Cell]] = {}
    for number, record in enumerate(records):
        cells = dict(carried.get(record.id, {}))
        for it in columns:
            if it.name in edited.get(number, {}):
                cells[it.name] = _plain(edited[number][it.name], it.shape)
            if it.name in cells and cells[it.name] != _cell(record, it):
                found.setdefault(record.id, {})[it.name] = cells[it.name]
    return found


def corrections_of(
    records: Sequence[Record], columns: Sequence[Column], typed: Typed
) -> tuple[list[Correction], dict[str, str]]:
    """Read what was typed as corrections; where that cannot be, say why, by the record's id."""
    corrections: list[Correction] = []
    faults: dict[str, str] = {}
    for record in records:
        if record.id not in typed:
            continue
        values: dict[str, Any] = {it.name: getattr(record.facts, it.name) for it in SHEETS[record.kind].fields}
        for it in columns:
            if it.name in typed[record.id]:
                values[it.fields[record.kind]] = _value(typed[record.id][it.name], it.shape)
        try:
            corrections.append(Correction(record.id, facts_from(record.kind, values), record.revision))
        except ValueError as error:
            faults[record.id] = str(error)
    return corrections, faults


def config_of(it: Column, kinds: Sequence[Kind]) -> Any:
    """Say how a column is shown and what may be typed in it."""
    label = _(it.label)
    match it.shape:
        case "year":
            return st.column_config.NumberColumn(label, format="%d", step=1)
        case "outcome":
            offered = dict.fromkeys(outcome.value for kind in kinds for outcome in SHEETS[kind].outcomes)
            return st.column_config.SelectboxColumn(
                label, options=list(offered), format_func=lambda name: said(Outcome(str(name)).label), required=True
            )
        case "severity":
            return st.column_config.SelectboxColumn(
                label, options=list(SEVERITIES), format_func=lambda name: said(str(name)), required=True
            )
        case _:
            return st.column_config.TextColumn(label, width="medium" if it.shape == "text" else None)


def _cell(record: Record, column: Column) -> Cell:
    value = getattr(record.facts, column.fields[record.kind])
    if isinstance(value, Outcome):
        return value.value
    return value if column.shape == "year" else str(value or "")


def _plain(value: object, shape: Shape) -> Cell:
    """Read a cell as a data editor gives it; an empty one is None for a year and "" for the rest."""
    if value is None:
        return None if shape == "year" else ""
    return int(float(str(value))) if shape == "year" else str(value)


def _value(cell: Cell, shape: Shape) -> object:
    return Outcome(str(cell)) if shape == "outcome" else cell


def told(value: object) -> str:
    """Say the value of a field in a line."""
    match value:
        case None | "":
            return "–"
        case Outcome():
            return said(value.label)
        case Money():
            return money(value)
        case _:
            return str(value)
