"""The first-run tour: four steps in a card that blocks nothing, and that is gone for good once done or skipped."""

from __future__ import annotations

import logging
from dataclasses import dataclass

import streamlit as st

from memory.errors import StoreError
from ui import runtime
from ui.language import _
from ui.messages import N_
from ui.plain import as_html
from ui.shell import HISTORY, INVESTMENT, MEMORY, Place

log = logging.getLogger(__name__)

STEP, SEEN = "tour-step", "tour-seen"


@dataclass(frozen=True, slots=True)
class Step:
    """One step: what it is about, what it says, and the page to see it on."""

    title: str
    text: str
    place: Place
    link: str


STEPS = (
    Step(
        N_("What to paste"),
        N_(
            "A pitch deck; or code, a `git diff` or a stack trace. A file will do as well. Each of the two audit "
            "pages has "
            "examples to try first, and works without any key."
        ),
        INVESTMENT,
        N_("Try an example"),
    ),
    Step(
        N_("What “None found” means"),
        N_(
            "All your records were searched, and none is like what you pasted. That is an answer, not a fault: your "
            "history speaks neither for nor against it, and nothing is made up to fill the gap. If nobody could "
            "look, the "
            "page says so in other words."
        ),
        INVESTMENT,
        N_("Ask your history"),
    ),
    Step(
        N_("Where records come from"),
        N_(
            "From you. Write one down, or import a portfolio sheet or the export of a bug tracker: you see what "
            "would be "
            "stored before it is. Records that are marked as examples came with Precedent."
        ),
        MEMORY,
        N_("Add a record"),
    ),
    Step(
        N_("Where decisions go"),
        N_(
            "Under each audit you note what you decide, why, and when to look again; History keeps it and reminds you. "
            "Once you know how it ended, record that too: only an outcome becomes a fact that later audits can find."
        ),
        HISTORY,
        N_("See History"),
    ),
)


def show_tour() -> None:
    """Show the tour until it is done or skipped in this workspace. Raises StoreError."""
    if not st.session_state.get(SEEN) and runtime.services().ledger.setting(_name()) is None:
        _show_step()


@st.fragment
def _show_step() -> None:
    if st.session_state.get(SEEN):
        return
    number = st.session_state.get(STEP, 0)
    step, last = STEPS[number], number == len(STEPS) - 1
    with st.container(border=True, key="tour"):
        with st.container(horizontal=True, vertical_alignment="center", horizontal_alignment="distribute"):
            marks = "".join(f'<i class="{"on" if at <= number else ""}"></i>' for at in range(len(STEPS)))
            label = as_html(_("Step {step} of {steps}", step=number + 1, steps=len(STEPS)))
            st.html(
                f'<div class="p-steps" role="img" aria-label="{label}">{marks}'
                f"<span>{number + 1} / {len(STEPS)}</span></div>",
                width="content",
            )
            st.button(_("Skip the tour"), key="tour-skip", type="tertiary", on_click=_leave)
        st.header(_(step.title), anchor=False)
        st.markdown(_(step.text))
        with st.container(horizontal=True, vertical_alignment="center", gap="small"):
            st.button(
                _("Done") if last else _("Next"),
                key="tour-next",
                type="primary",
                on_click=_leave if last else _go,
                args=() if last else (number + 1,),
            )
            if number:
                st.button(_("Back"), key="tour-back", on_click=_go, args=(number - 1,))
            st.page_link(step.place.path, label=_(step.link), icon=step.place.icon)


def _name() -> str:
    return f"tour-{runtime.settings().workspace}"


def _go(number: int) -> None:
    st.session_state[STEP] = number


def _leave() -> None:
    st.session_state[SEEN] = True
    try:
        runtime.services().ledger.set_setting(_name(), runtime.now().isoformat())
    except StoreError as error:  # shown once more at the next visit: no reason to stop anybody now
        log.warning("the tour's end could not be kept: %s", error)
