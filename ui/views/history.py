"""Past audits, newest first, a page at a time."""

from __future__ import annotations

import streamlit as st

from audit.modes import MODES
from audit.submission import title_of
from ui import runtime
from ui.components.tables import show_audits
from ui.looks import LOOKS
from ui.plain import as_markdown
from ui.state import AUDIT

PAGE = 25
MOST_DUE = 10
ALL = "all"


def show() -> None:
    """Show the page."""
    archive, workspace = runtime.services().archive, runtime.settings().workspace
    _show_due()
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
    page_key = f"history-page-{chosen}"
    number = st.session_state.get(page_key, 1) if pages > 1 else 1
    rows = archive.list(workspace, limit=PAGE, offset=(min(number, pages) - 1) * PAGE, mode=mode)
    show_audits(rows, key=f"history-{mode}-{number}")
    if pages > 1:
        st.pagination(pages, key=page_key)


def _show_due() -> None:
    services, workspace = runtime.services(), runtime.settings().workspace
    due = services.decisions.due(workspace, runtime.now().date())
    if not due:
        return
    with st.container(border=True, key="due", gap="xsmall"):
        st.markdown(f"**Time to look again** ({len(due)})")
        for decision in due[:MOST_DUE]:
            audit = services.archive.open(workspace, decision.audit_id)
            with st.container(horizontal=True, vertical_alignment="center", gap="small"):
                st.page_link(
                    LOOKS[audit.mode].place.path,
                    label=as_markdown(title_of(audit.submission)),
                    icon=LOOKS[audit.mode].place.icon,
                    query_params={AUDIT: decision.audit_id},
                )
                due_on = f"{as_markdown(decision.choice)}, due {decision.review_on:%d %b %Y}."
                st.caption(f"{due_on} {as_markdown(decision.disproof)}")
