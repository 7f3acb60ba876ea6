"""What a click asked for, done at the head of the next run: before any widget is drawn, and where failures are told."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial

import streamlit as st

ASKED = "asked"


def later(act: Callable[..., object], *given: object) -> None:
    """Remember to do it; made for ``on_click``, whose own failures no page catches."""
    st.session_state[ASKED] = partial(act, *given)


def do_asked() -> None:
    """Do what was asked for last, once."""
    act = st.session_state.pop(ASKED, None)
    if act is not None:
        act()
