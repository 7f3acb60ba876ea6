"""A value under its name, close together."""

from __future__ import annotations

from typing import Literal

import streamlit as st


def labelled(label: str, value: str, width: Literal["stretch", "content"] = "stretch") -> None:
    """Show ``value`` as plain text under ``label``."""
    with st.container(width=width, gap=None):
        st.caption(label)
        st.text(value)
