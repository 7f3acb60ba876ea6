"""Saved views: the present filters kept under a name, chosen again, changed, renamed and deleted."""

from __future__ import annotations

from dataclasses import asdict
from functools import partial

import streamlit as st

from memory.errors import RecordInvalid, RecordNotFound
from memory.saved_views import LONGEST_NAME, SavedView
from ui import runtime
from ui.components.done import forget_done, note_done
from ui.components.record_filters import Filters, filters_from, put_filters
from ui.formats import moment
from ui.language import _
from ui.later import later
from ui.plain import as_markdown
from ui.said import said, said_author

CHOSEN, NAME, FAULT = "saved-view", "saved-view-name", "saved-view-fault"


def show_choice(*, disabled: bool = False) -> None:
    """Let a kept view be chosen, where there are any."""
    names = [it.name for it in _views()]
    if st.session_state.get(CHOSEN) not in names:
        st.session_state.pop(CHOSEN, None)
    if names:
        st.selectbox(
            _("View"),
            names,
            index=None,
            key=CHOSEN,
            placeholder=_("Choose a view"),
            label_visibility="collapsed",
            on_change=later,
            args=(_apply,),
            width=180,
            disabled=disabled,
            persist_state="session",
        )


def show_keeping(filters: Filters, *, disabled: bool = False) -> None:
    """Offer to keep the present filters, and to change, rename or delete the view that was chosen."""
    view = _chosen()
    with st.popover(_("This view"), icon=":material/bookmark:", disabled=disabled):
        if fault := st.session_state.pop(FAULT, ""):
            st.warning(as_markdown(said(fault)), icon=":material/info:")
        st.text_input(_("Name"), key=NAME, max_chars=LONGEST_NAME, placeholder=_("Losses of the last years"))
        st.button(_("Keep as a new view"), key="view-add", icon=":material/add:", on_click=later, args=(_add, filters))
        if view is None:
            return
        st.caption(
            _(
                "**{name}**, kept by {author}, {moment}",
                name=as_markdown(view.name),
                author=as_markdown(said_author(view.author)),
                moment=moment(view.at),
            )
        )
        with st.container(horizontal=True, gap="small"):
            if filters_from(view.filters) != filters:
                st.button(
                    _("Keep the change"),
                    key="view-replace",
                    icon=":material/save:",
                    on_click=later,
                    args=(_replace, view, filters),
                )
                st.button(_("As it was kept"), key="view-back", icon=":material/undo:", on_click=later, args=(_apply,))
            st.button(
                _("Rename"),
                key="view-rename",
                icon=":material/edit:",
                on_click=later,
                args=(_rename, view),
                help=_("Type the new name above first."),
            )
            st.button(_("Delete"), key="view-delete", icon=":material/delete:", on_click=later, args=(_delete, view))


def _views() -> list[SavedView]:
    return runtime.services().saved_views.list(runtime.settings().workspace)


def _chosen() -> SavedView | None:
    name = st.session_state.get(CHOSEN)
    return next((it for it in _views() if it.name == name), None)


def _apply() -> None:
    if view := _chosen():
        put_filters(filters_from(view.filters))


def _add(filters: Filters) -> None:
    try:
        view = _keep(st.session_state[NAME], filters)
    except RecordInvalid as refused:
        st.session_state[FAULT] = str(refused)
        return
    st.session_state.update({CHOSEN: view.name, NAME: ""})


def _keep(name: str, filters: Filters) -> SavedView:
    kept = runtime.services().saved_views
    return kept.add(runtime.settings().workspace, name, asdict(filters), author=runtime.author(), now=runtime.now())


def _replace(view: SavedView, filters: Filters) -> None:
    kept = runtime.services().saved_views
    try:
        kept.replace(
            runtime.settings().workspace, view.name, asdict(filters), author=runtime.author(), now=runtime.now()
        )
    except RecordNotFound as gone:
        st.session_state[FAULT] = str(gone)


def _rename(view: SavedView) -> None:
    try:
        name = runtime.services().saved_views.rename(runtime.settings().workspace, view.name, st.session_state[NAME])
    except (RecordInvalid, RecordNotFound) as refused:
        st.session_state[FAULT] = str(refused)
        return
    st.session_state.update({CHOSEN: name, NAME: ""})


def _delete(view: SavedView) -> None:
    try:
        runtime.services().saved_views.delete(runtime.settings().workspace, view.name)
    except RecordNotFound as gone:
        st.session_state[FAULT] = str(gone)
        return
    st.session_state[CHOSEN] = None
    note_done(_("The view {name} was deleted.", name=as_markdown(view.name)), partial(_bring_back, view))


def _bring_back(view: SavedView) -> None:
    forget_done()
    try:
        _keep(view.name, filters_from(view.filters))
    except RecordInvalid as refused:
        st.session_state[FAULT] = str(refused)
        return
    st.session_state[CHOSEN] = view.name
