"""Work in the background made visible: its steps, how long it has run, and a way to stop it."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import streamlit as st

from ui.formats import number
from ui.jobs import Job, JobBoard, JobState, Progress
from ui.language import _, _n, tell
from ui.messages import Message
from ui.plain import as_markdown
from ui.said import said

POLL_S, SLOWEST_POLL_S = 0.4, 1.0
LOOKS_PER_S = 10
MOST_STEPS = 8
SHORTEST_S = 0.5
LONG_S = 90


def watch(board: JobBoard[Any], job: Job[Any], note: str, *, can_stop: bool = True) -> None:
    """Show a running job and rerun the page once it has ended. ``note`` says what leaving the page means."""
    st.fragment(_look, run_every=poll_s(board.live()))(board, job, note, can_stop)


def poll_s(live: int) -> float:
    """Say every how many seconds a page looks at its job while so many are under way: each look takes from their time.

    All pages together look ten times a second, and each at least once a second.
    """
    return min(SLOWEST_POLL_S, max(POLL_S, live / LOOKS_PER_S))


def _look(board: JobBoard[Any], job: Job[Any], note: str, can_stop: bool) -> None:
    if job.state.ended:
        st.rerun(scope="app")
    ahead = board.ahead_of(job)
    if job.state is JobState.WAITING:
        label = _n("Waiting: {count} ahead", "Waiting: {count} ahead", ahead) if ahead else _("Starting")
    else:
        label = _("Working, {seconds} s", seconds=number(board.elapsed_s(job)))
    running = st.status(_("Stopping") if job.cancelling else label, expanded=True, state="running")
    with running.container():  # leaving the status itself would call it complete
        counted = counting(job.steps)
        past = [it for it in told_once(job.steps) if it not in (counted or job.steps[-1:])]
        for step in past[-MOST_STEPS:]:
            st.markdown(f":material/check: {_words(step)}")
        if counted:
            _show_counted(counted, time_left_s(job.steps, board.elapsed_s(job)))
        else:
            for step in job.steps[-1:]:
                left = left_in_words(step_left_s(step, board.elapsed_s(job)))
                st.markdown(f":material/hourglass_top: **{_words(step)}**{f' · {left}' if left else ''}")
    with st.container(horizontal=True, vertical_alignment="center"):
        if can_stop:
            st.button(_("Cancel"), key="cancel", on_click=job.cancel, disabled=job.cancelling, icon=":material/close:")
        st.caption(note)


def told_once(steps: Sequence[Progress]) -> list[Progress]:
    """Leave out a step that the next one says again and more of: "Asking the models", then which."""
    told: list[Progress] = []
    for it in steps:
        before = told[-1].text if told else None
        if isinstance(before, str) and isinstance(it.text, str) and it.text.startswith(f"{before}: "):
            told.pop()
        told.append(it)
    return told


def counting(steps: Sequence[Progress]) -> Sequence[Progress]:
    """Give the last steps of a job, as far as they count the same thing up to a known total."""
    last = steps[-1].text if steps else ""
    if isinstance(last, str) or not last.numbers.get("total"):
        return ()
    first = len(steps)
    while first and isinstance(it := steps[first - 1].text, Message) and it.text == last.text:
        first -= 1
    return steps[first:]


def time_left_s(steps: Sequence[Progress], now_s: float) -> float | None:
    """Estimate the seconds a counted work still takes, from its pace so far; None before there is one to go by.

    ``now_s`` are the seconds since the job began.
    """
    counted = counting(steps)
    if not counted:
        return None
    before = steps[len(steps) - len(counted) - 1].at_s if len(steps) > len(counted) else 0.0
    last = counted[-1]
    done, total = _counts(last)
    spent = last.at_s - before
    if done <= 0 or spent < SHORTEST_S:
        return None
    return max(0.0, (total - done) * spent / done - (now_s - last.at_s))


def step_left_s(step: Progress, now_s: float) -> float | None:
    """Estimate the seconds a step still takes: up to the usual time; 0 once it took longer than ever of late.

    None where no pace is known, and in between, where nothing honest can be said.
    """
    spent = now_s - step.at_s
    if step.pace is None or step.pace.usual_s <= spent <= step.pace.longest_s:
        return None
    return max(0.0, step.pace.usual_s - spent)


def left_in_words(left_s: float | None) -> str:
    """Say how long a work still takes, that it exceeded its time (0), or nothing where that is not known."""
    if left_s is None:
        return ""
    if left_s <= 0:
        return _("taking longer than usual")
    if left_s < LONG_S:
        return _("about {seconds} s left", seconds=number(max(1, left_s)))
    return _("about {minutes} min left", minutes=number(left_s / 60))


def _counts(step: Progress) -> tuple[int, int]:
    numbers = step.text.numbers if isinstance(step.text, Message) else {}
    return numbers.get("done", 0), numbers.get("total", 0)


def _show_counted(counted: Sequence[Progress], left_s: float | None) -> None:
    done, total = _counts(counted[-1])
    told = _words(counted[-1])
    if (left := left_in_words(left_s)) and done < total:
        told = f"{told} · {left}"
    st.progress(min(1.0, done / total), text=told)


def _words(step: Progress) -> str:
    return as_markdown(said(step.text) if isinstance(step.text, str) else tell(step.text))
