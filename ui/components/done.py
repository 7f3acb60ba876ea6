"""What was last done to records, in words, with the way back. Whatever is done next takes its place."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass

import streamlit as st

from ui.language import _
from ui.later import later

DONE = "done"


@dataclass(frozen=True, slots=True)
class Done:
    """What was done, in Markdown that is safe; ``beside`` is what else came of it; ``undo`` takes it back."""

    told: str
    undo: Callable[[], None]
    beside: Sequence[str] = ()


def note_done(told: str, undo: Callable[[], None], beside: Sequence[str] = ()) -> None:
    """Keep what was done for the next run of the page to tell."""
    st.session_state[DONE] = Done(told, undo, beside)


def forget_done() -> None:
    """Tell it no longer."""
    st.session_state.pop(DONE, None)


def show_done() -> None:
    """Say what was last done, with the way back."""
    done: Done | None = st.session_state.get(DONE)
    if done is None:
        return
    with st.container(horizontal=True, vertical_alignment="center", gap="small", key="done"):
        st.success("  \n".join((done.told, *done.beside)), icon=":material/check:", width=620)
        st.button(_("Undo"), key="undo-done", icon=":material/undo:", on_click=later, args=(done.undo,))
