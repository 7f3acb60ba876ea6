"""Upkeep: archive, merge, erase, back up, restore, check and index. Each is shown before it is done, and runs aside."""

from __future__ import annotations

import streamlit as st

from ui import runtime
from ui.components.chore import follow
from ui.views import safekeeping, tidying


def show() -> None:
    """Show the chores, or the one that runs; with sign-in, only those that touch no other workspace."""
    failed = follow()
    if failed is None:
        return
    mine = (
        (tidying.ARCHIVE, tidying.show_archive),
        (tidying.MERGE, tidying.show_merge),
        (tidying.FORGOTTEN, tidying.show_forgotten),
    )
    everybodys = (
        (safekeeping.BACKUP, safekeeping.show_backup),
        (safekeeping.CHAIN, safekeeping.show_chain),
        (safekeeping.INDEX, safekeeping.show_index),
    )
    for name, show_one in mine if runtime.person() else (*mine, *everybodys):
        with st.container(border=True, key=f"chore-{name}"):
            show_one()
            if name in failed:
                st.warning(failed[name], icon=":material/info:")
