"""Work in the background made visible: its steps, how long it has run, and a way to stop it."""

from __future__ import annotations

from typing import Any

import streamlit as st

from ui.formats import number
from ui.jobs import Job, JobBoard, JobState, Progress
from ui.language import _, _n, tell
from ui.plain import as_markdown
from ui.said import said

POLL_S = 0.4
MOST_STEPS = 8


@st.fragment(run_every=POLL_S)
def watch(board: JobBoard[Any], job: Job[Any], note: str, *, can_stop: bool = True) -> None:
    """Show a running job and rerun the page once it has ended. ``note`` says what leaving the page means."""
    if job.state.ended:
        st.rerun(scope="app")
    ahead = board.ahead_of(job)
    if job.state is JobState.WAITING:
        label = _n("Waiting: {count} ahead", "Waiting: {count} ahead", ahead) if ahead else _("Starting")
    else:
        label = _("Working, {seconds} s", seconds=number(board.elapsed_s(job)))
    with st.status(_("Stopping") if job.cancelling else label, expanded=True, state="running"):
        for step in job.steps[-MOST_STEPS:-1]:
            st.markdown(f":material/check: {_words(step)}")
        for step in job.steps[-1:]:
            st.markdown(f":material/hourglass_top: **{_words(step)}**")
    with st.container(horizontal=True, vertical_alignment="center"):
        if can_stop:
            st.button(_("Cancel"), key="cancel", on_click=job.cancel, disabled=job.cancelling, icon=":material/close:")
        st.caption(note)


def _words(step: Progress) -> str:
    return as_markdown(said(step.text) if isinstance(step.text, str) else tell(step.text))
