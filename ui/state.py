"""What a session remembers between reruns, by name, and what an address remembers between sessions."""

from __future__ import annotations

import streamlit as st

JOB = "job"
AUDIT = "audit"
RECORD = "record"
EARLIER, LATER = "a", "b"
VIEW, PATTERNS = "view", "patterns"
MEMORY_VIEW = "memory-view"


def text_key(mode_name: str) -> str:
    """Name the session's key of the text to audit in a mode."""
    return f"text-{mode_name}"


def from_address(name: str) -> str | None:
    """Read a value of the page's address; None where it is missing or empty."""
    return st.query_params.get(name) or None


def set_address(**values: str | None) -> None:
    """Make ``values`` the whole query of the page's address, leaving out what is None."""
    st.query_params.from_dict({name: value for name, value in values.items() if value})
