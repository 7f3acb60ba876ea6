"""The way to a record: one link, wherever one is named."""

from __future__ import annotations

from typing import Literal

import streamlit as st

from ui.shell import MEMORY
from ui.state import RECORD


def link_record(
    record_id: str, label: str, icon: str | None = None, width: Literal["content", "stretch"] = "content"
) -> None:
    """Show a link that opens the record of that id on the Memory page; ``label`` is Markdown that is safe."""
    st.page_link(MEMORY.path, label=label, icon=icon, query_params={RECORD: record_id}, width=width)
