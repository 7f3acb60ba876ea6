"""A chore of upkeep on a page: started as a job, followed, and its result kept until the next one."""

from __future__ import annotations

import streamlit as st

from memory.backup import Restored
from ui import chores, runtime
from ui.components.settle import STEPS, forget_count
from ui.components.working import watch
from ui.jobs import JobState
from ui.language import _
from ui.plain import as_markdown
from ui.said import said

JOB, TOLD, MERGED = "upkeep-job", "upkeep-told", "upkeep-merged"


def start(name: str, work: chores.Chore, *, can_stop: bool = True) -> None:
    """Start a chore under the name of its place on the page, and show it."""
    job = runtime.upkeep().submit(f"{name}-{runtime.settings().workspace}", work, still_valid=lambda _: False)
    job.wait(1.0)
    st.session_state[JOB] = (name, job.key, can_stop)
    st.rerun()


def follow() -> dict[str, str] | None:
    """Show the running chore and give None; where one has ended, keep its result and say by chore what failed."""
    name, key, can_stop = st.session_state.get(JOB, ("", "", True))
    job = runtime.upkeep().get(key) if key else None
    if job is None:
        return {}
    if not job.state.ended:
        watch(runtime.upkeep(), job, _("It goes on when you leave this page."), can_stop=can_stop)
        return None
    del st.session_state[JOB]
    forget_count()
    results = st.session_state.setdefault(TOLD, {})
    results.pop(name, None)
    match job.state:
        case JobState.DONE:
            results[name] = job.result
            if isinstance(job.result, Restored):
                for kept in (STEPS, MERGED):
                    st.session_state.pop(kept, None)
            return {}
        case JobState.CANCELLED:
            return {name: _("It was stopped. What was finished until then is kept; start it again to go on.")}
    return {name: as_markdown(said(job.error))}


def told(name: str) -> object:
    """Give the result of the last chore of that name; None where there is none."""
    return st.session_state.get(TOLD, {}).get(name)


def clear(name: str) -> None:
    """Take the result of a chore off the page."""
    st.session_state.get(TOLD, {}).pop(name, None)
