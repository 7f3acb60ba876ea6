"""Past audits, newest first, a page at a time."""

from __future__ import annotations

import streamlit as st

from audit.modes import MODES
from ui import runtime
from ui.components.tables import show_audits

PAGE = 25
ALL = "all"


def show() -> None:
    """Show the page."""
    archive, workspace = runtime.services().archive, runtime.settings().workspace
    chosen = st.segmented_control(
        "Show",
        [ALL, *MODES],
        default=ALL,
        required=True,
        format_func=lambda it: MODES[it].wording.title if it in MODES else "All",
        key="history-mode",
        label_visibility="collapsed",
    )
    mode = chosen if chosen in MODES else None
    total = archive.count(workspace, mode)
    if not total:
        st.html(
            '<div class="p-state"><div class="p-head">No audits yet</div><div class="p-body">'
            "Audit a deck or a piece of code, and it is kept here with its findings, its score and all that was "
            "looked at.</div></div>"
        )
        return
    pages = -(-total // PAGE)
    number = st.session_state.get("history-page", 1) if pages > 1 else 1
    rows = archive.list(workspace, limit=PAGE, offset=(min(number, pages) - 1) * PAGE, mode=mode)
    show_audits(rows, key=f"history-{mode}-{number}")
    if pages > 1:
        st.pagination(pages, key="history-page")
