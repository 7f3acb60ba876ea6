"""The imports so far, and their undo: asked about first where somebody has worked on what an import brought."""

from __future__ import annotations

import streamlit as st

from memory.errors import RecordNotFound
from memory.importers.register import Imports, PastImport
from ui import runtime
from ui.components.import_plan import named
from ui.components.record_form import SHEETS
from ui.formats import day, moment, number
from ui.language import _, _n
from ui.plain import as_markdown
from ui.said import said

ASKED = "undo-asked"


def show_past_imports(imports: Imports) -> None:
    """List the imports so far, the newest first, each with its undo while it stands."""
    past = imports.past()
    if not past:
        return
    st.subheader(_("Imports so far"), anchor=False)
    for it in past:
        with st.container(horizontal=True, vertical_alignment="center", gap="small"):
            st.markdown(
                _(
                    "**{file}**, {rows} {kinds}, {moment}",
                    file=as_markdown(it.file),
                    rows=number(it.rows),
                    kinds=_(SHEETS[it.kind].plural),
                    moment=moment(it.at),
                ),
                width="content",
            )
            if it.undone_at:
                st.caption(_("undone {day}", day=day(it.undone_at)))
            elif st.button(_("Undo"), key=f"undo-{it.id}", icon=":material/undo:"):
                if imports.edited(it.id):
                    st.session_state[ASKED] = it.id
                else:
                    _undo(imports, it.id)
        if st.session_state.get(ASKED) == it.id and not it.undone_at:
            _ask(imports, it)


def _ask(imports: Imports, it: PastImport) -> None:
    """Name the records that were corrected since, which an undo would remove with their corrections."""
    edited = imports.edited(it.id)
    told = _n(
        "{count} record of this import was corrected since: {names}. An undo removes it with its corrections.",
        "{count} records of this import were corrected since: {names}. An undo removes them with their corrections.",
        len(edited),
        names=named(edited),
    )
    st.warning(told, icon=":material/edit_note:")
    with st.container(horizontal=True, gap="small"):
        if st.button(_("Undo all the same"), key=f"undo-yes-{it.id}", type="primary", icon=":material/undo:"):
            del st.session_state[ASKED]
            _undo(imports, it.id)
        st.button(_("Keep the import"), key=f"undo-no-{it.id}", on_click=lambda: st.session_state.pop(ASKED, None))


def _undo(imports: Imports, import_id: str) -> None:
    try:
        undone = imports.undo(import_id, author=runtime.author(), now=runtime.now())
    except RecordNotFound as missing:
        st.warning(as_markdown(said(str(missing))), icon=":material/info:")
        return
    st.toast(
        _(
            "{removed} records removed, {left} protected ones left.",
            removed=number(len(undone.removed)),
            left=number(len(undone.protected)),
        )
    )
    st.rerun()
