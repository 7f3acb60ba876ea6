"""A calm panel in the place of what a page would list: a state in few words, and what it means."""

from __future__ import annotations

import streamlit as st

from ui.language import _
from ui.looks import LOOKS
from ui.plain import as_html


def show_panel(head: str, body: str, *, live: bool = False) -> None:
    """Show plain text as a panel; ``live`` where it answers what was asked, so that a screen reader says it."""
    role = ' role="status"' if live else ""
    st.html(
        f'<div class="p-state"{role}><div class="p-head">{as_html(head)}</div>'
        f'<div class="p-body">{as_html(body)}</div></div>'
    )


def show_ways_in() -> None:
    """Link to the pages where an audit begins, below a panel that says that there is none yet."""
    with st.container(horizontal=True, gap="small"):
        for look in LOOKS.values():
            st.page_link(look.place.path, label=_(look.enter), icon=look.place.icon)
