"""The table of records: a click on a cell opens its record, one on a column sorts by it, ticked rows are acted on."""

from __future__ import annotations

from collections.abc import Sequence

import streamlit as st

from memory.records import Record
from ui import state
from ui.components.record_filters import SORTS, Filters, sort_by
from ui.components.tables import ROW_HEIGHT, record_rows
from ui.language import _
from ui.later import later

TURN = "records-turn"
"""A number that gives the table a new key, with nothing chosen in it."""


def fresh_table() -> None:
    """Draw the table anew, with nothing ticked."""
    st.session_state[TURN] = st.session_state.get(TURN, 0) + 1


def show_table(records: Sequence[Record], filters: Filters, at: int) -> list[Record]:
    """Show one page of records, the one at ``at``; give those that are ticked."""
    key = f"records-{at}-{hash(filters)}-{st.session_state.get(TURN, 0)}"
    arrow = "↓" if filters.descending else "↑"
    sorted_by = _(filters.sort)
    rows = record_rows(records)
    columns = {
        _("Title"): st.column_config.TextColumn(width="medium"),
        _("Year"): st.column_config.NumberColumn(format="%d", width="small"),
        _("Outcome"): st.column_config.TextColumn(width=105),
        _("Loss"): st.column_config.TextColumn(width=95),
        _("About"): st.column_config.TextColumn(width="medium"),
        _("Lesson or fix"): st.column_config.TextColumn(width="medium"),
        _("Trust"): st.column_config.NumberColumn(format="%.0f%%", width="small"),
    }
    if sorted_by in rows.columns:
        columns[sorted_by] = {**columns.get(sorted_by, {}), "label": f"{sorted_by} {arrow}"}
    chosen = st.dataframe(
        rows,
        hide_index=True,
        key=key,
        on_select=lambda: later(_act, key, [it.id for it in records]),
        selection_mode=["multi-row", "single-cell", "single-column"],
        row_height=ROW_HEIGHT,
        height=min(16, len(records) + 1) * ROW_HEIGHT,
        placeholder="",
        alt=_("Records"),
        column_config=columns,
    )
    return [records[row] for row in chosen["selection"]["rows"] if row < len(records)]


def _act(key: str, ids: Sequence[str]) -> None:
    """Do what a click asked for, before the page is drawn again."""
    chosen = st.session_state[key]["selection"]
    for row, _column in chosen["cells"]:
        if row < len(ids):
            state.set_address(record=ids[row])
    for column in chosen["columns"]:
        fresh_table()
        name = next((it for it in SORTS if _(it) == column), None)
        if name:
            sort_by(name)
        else:
            st.toast(_("Records cannot be sorted by this column."), icon=":material/info:")
