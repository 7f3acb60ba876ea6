"""A calm panel in the place of what a page would list: a state in few words, and what it means."""

from __future__ import annotations

import streamlit as st

from ui.plain import as_html


def show_panel(head: str, body: str, *, live: bool = False) -> None:
    """Show plain text as a panel; ``live`` where it answers what was asked, so that a screen reader says it."""
    role = ' role="status"' if live else ""
    st.html(
        f'<div class="p-state"{role}><div class="p-head">{as_html(head)}</div>'
        f'<div class="p-body">{as_html(body)}</div></div>'
    )
