"""The table of records: found by filters and kept views, paged by the server; read, acted on, or corrected in cells."""

from __future__ import annotations

from functools import partial

import streamlit as st

from memory.export import Format, export
from memory.records import Kind
from ui.components import bulk, saved_views
from ui.components.done import show_done
from ui.components.panel import show_panel
from ui.components.record_editor import has_unsaved, show_editor
from ui.components.record_filters import ACTIVE, ARCHIVED, KINDS, Filters, find, show_filters
from ui.components.record_form import SHEETS
from ui.components.record_table import show_table
from ui.formats import number
from ui.language import _, paragraph
from ui.later import do_asked
from ui.messages import N_

PAGE = 50
EDIT = "memory-edit"
_CLICK = N_("Click a record to open it, a column to sort by it; tick rows to act on several at once.")
_TYPE = N_("Double-click a cell, or press Enter on it, to type. Nothing is kept before you save.")


def show() -> None:
    """Show the filters and a page of what they find."""
    do_asked()
    unsaved = has_unsaved()
    filters = show_filters(disabled=unsaved)
    page_key = f"memory-page-{hash(filters)}"  # other filters begin at their own first page
    at = st.session_state.get(page_key, 1)
    first = (at - 1) * PAGE
    page = find(filters, PAGE, first)
    show_done()
    editing = _show_tools(filters, first, len(page.records), page.total, unsaved=unsaved)
    if not page.total and not unsaved:
        head = _("No record matches")
        body = _("Loosen the filters above, or add what you know with the buttons at the top.")
        show_panel(head, body)
        return
    if editing:
        show_editor(page.records, KINDS[filters.kind])
    else:
        above = st.container()
        if ticked := show_table(page.records, filters, at):
            with above:
                bulk.show_bulk(ticked)
    pages = -(-page.total // PAGE)
    if pages > 1:
        st.pagination(pages, key=page_key, disabled=unsaved)
    with st.container(horizontal=True, gap="small", key="export"):
        for form, label in bulk.FORMATS.items():
            st.download_button(
                label,
                partial(_exported, filters, page.total, form),
                file_name=f"precedent-records.{form}",
                icon=":material/download:",
                on_click="ignore",
                help=_("All records that match the filters"),
            )


def _show_tools(filters: Filters, first: int, shown: int, total: int, *, unsaved: bool) -> bool:
    """Say how much is shown, offer to keep the view and to edit; give whether the cells can be typed in."""
    barred = _why_no_cells(KINDS[filters.kind], filters.status)
    with st.container(horizontal=True, vertical_alignment="center", gap="small", key="table-tools"):
        typing = st.toggle(
            _("Edit in the table"),
            key=EDIT,
            disabled=unsaved or bool(barred),
            help=barred or _("Type in the cells; save when you are done."),
            persist_state="session",
        )
        typing = typing and not barred
        saved_views.show_choice(disabled=unsaved)
        saved_views.show_keeping(filters, disabled=unsaved)
        place = _(
            "{first} to {last} of {total}.",
            first=number(first + 1),
            last=number(first + shown),
            total=number(total),
        )
        st.caption(paragraph(place, _(_TYPE if typing else _CLICK)) if total else "", width="stretch")
    return typing


def _why_no_cells(kinds: tuple[Kind, ...], status: str) -> str:
    if not all(kind in SHEETS for kind in kinds):
        return _("Opinions are kept as they were written: choose facts, investments or bugs.")
    if status not in {ACTIVE, ARCHIVED}:
        return _("What waits for you is settled under To review first.")
    return ""


def _exported(filters: Filters, total: int, form: Format) -> bytes:
    return export(find(filters, total).records, form)
