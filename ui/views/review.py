"""What waits for a person: contradictions, records nobody vouched for, and text that speaks to a model."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass

import streamlit as st

from memory.records import Status
from memory.review import Item
from ui import runtime, state
from ui.components.panel import show_panel
from ui.components.settle import offer, show_steps, waiting
from ui.components.waiting import show_conflict, show_item, show_quarantined
from ui.formats import number
from ui.language import _
from ui.messages import N_
from ui.plain import as_markdown
from ui.said import said_all

NAME = N_("To review")
AT_ONCE = 10


@dataclass(frozen=True, slots=True)
class _Section:
    """One queue: its title, what it is for, what to say where it is empty, and how one of it is shown."""

    key: str
    title: str
    lead: str
    empty: str
    show: Callable[[Item], None]


_CONFLICTS = _Section(
    "conflicts",
    N_("Contradictions"),
    N_("These records cannot both be right. The new one is held until you say which is."),
    N_("No two of your records contradict each other."),
    show_conflict,
)
_UNVERIFIED = _Section(
    "unverified",
    N_("To verify"),
    N_("Agents and documents brought these, or little stands behind them. No audit rests on them before you vouch."),
    N_("Nothing came in that you have not vouched for."),
    show_item,
)
_QUARANTINED = _Section(
    "quarantined",
    N_("Set apart"),
    N_("These speak to a model instead of telling what happened. No model reads them."),
    N_("No record tries to tell a model what to do."),
    show_quarantined,
)


def show() -> None:
    """Show the queues."""
    show_steps()
    queue = runtime.services().review.queue(runtime.settings().workspace)
    if not (queue.conflicts or queue.unverified or queue.quarantined):
        head = _("Nothing waits for you")
        body = _(
            "Records that contradict yours, that an agent or a document brought, or that speak to a model, stop here "
            "first. Until you have said yes, no audit rests on them."
        )
        show_panel(head, body)
        return
    for section, items in (
        (_CONFLICTS, queue.conflicts),
        (_UNVERIFIED, queue.unverified),
        (_QUARANTINED, queue.quarantined),
    ):
        _show(section, items)


def _show(section: _Section, items: Sequence[Item]) -> None:
    with st.container(horizontal=True, vertical_alignment="center", gap="small"):
        st.header(_(section.title), anchor=False, width="content")
        if items:
            st.badge(number(len(items)), color="orange")
    if not items:
        st.markdown(f":gray[:material/check: {_(section.empty)}]")
        return
    st.markdown(f":gray[{_(section.lead)}]")
    shown = st.session_state.setdefault(f"shown-{section.key}", AT_ONCE)
    for item in items[:shown]:
        section.show(item)
    more = _("Show more ({count})", count=number(len(items) - shown))
    if len(items) > shown and st.button(more, key=f"more-{section.key}"):
        st.session_state[f"shown-{section.key}"] = shown + AT_ONCE
        st.rerun()


def label() -> str:
    """Name this view, with how many wait."""
    count = waiting()
    return _("To review ({count})", count=number(count)) if count else _(NAME)


def show_banner(record_id: str) -> None:
    """Say on a record's own page why it waits, with what may be done; say what was settled last."""
    show_steps()
    services, workspace = runtime.services(), runtime.settings().workspace
    record = services.ledger.get(workspace, [record_id]).get(record_id)
    if record is None or record.status not in {Status.HELD, Status.QUARANTINED}:
        return
    why = services.review.reasons(record)
    with st.container(border=True, key="banner"):
        reasons = as_markdown(said_all(why)) if why else _("nobody has said why")
        waits = _("**It waits for you**, and no audit recalls it: {reasons}.", reasons=reasons)
        st.markdown(f":orange[:material/hourglass_top:] {waits}")
        offer(record)
        st.button(_("Compare in the queue"), icon=":material/rule:", on_click=_open_queue, key="to-queue")


def _open_queue() -> None:
    state.set_address()
    st.session_state[state.MEMORY_VIEW] = NAME
