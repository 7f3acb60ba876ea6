"""Home: two doors, the memory at a glance, the last audits."""

from __future__ import annotations

import streamlit as st

from audit.modes import MODES
from memory.records import Kind
from ui import runtime
from ui.components.past import show_money, show_severity
from ui.components.tables import show_audits
from ui.components.tour import show_tour
from ui.facts import facts_now
from ui.looks import LOOKS
from ui.shell import HISTORY, MEMORY

RECENT = 5
MOST_PLOTTED = 1_000
NEWEST = "The {shown} facts changed last, of {total}."


def show() -> None:
    """Show the page."""
    st.html(
        '<div class="p-hero"><h1>What really happened to you, next to what you are looking at.</h1>'
        "<p>Precedent audits a pitch deck or a piece of code against your own past investments and resolved bugs. "
        "If it is not in your records, it is not in your history.</p></div>"
    )
    with st.container(horizontal=True, gap="medium", vertical_alignment="distribute"):
        for name, look in LOOKS.items():
            with st.container(border=True, key=f"door-{name}", width="stretch"):
                st.markdown(f"### {look.place.icon} {look.place.label}", anchors=False)
                st.markdown(look.door)
                st.page_link(look.place.path, label=f"**{look.enter}**", icon=":material/arrow_forward:")
    show_tour()
    services = runtime.services()
    counts = services.ledger.counts(runtime.settings().workspace)
    runtime.warm_up()
    st.subheader("Your memory", anchor=False)
    with st.container(horizontal=True, gap="medium"):
        for kind, label in (
            (Kind.INVESTMENT, "Past investments"),
            (Kind.BUG, "Resolved bugs"),
            (Kind.EVALUATED_DECK, "Evaluated decks"),
            (Kind.REVIEWED_CODE, "Reviewed code"),
        ):
            st.metric(label, f"{counts.get(kind, 0):,}", border=True)
    st.html(
        '<p class="p-quiet">Investments and bugs are facts and can be precedents. Evaluated decks and reviewed code '
        "are opinions: they are kept, and never count as history.</p>"
    )
    _show_glance()
    st.page_link(MEMORY.path, label="Search or add records", icon=MEMORY.icon)
    st.subheader("Last audits", anchor=False)
    recent = services.archive.list(runtime.settings().workspace, limit=RECENT, offset=0)
    if not recent:
        names = " or ".join(mode.wording.submission for mode in MODES.values())
        st.markdown(f":gray[None yet. Audit a {names}, and it is kept here.]")
        return
    show_audits(recent, key="home-audits")
    st.page_link(HISTORY.path, label="All audits", icon=HISTORY.icon)


def _show_glance() -> None:
    """Show the past in two plots, where there is one."""
    facts = facts_now(MOST_PLOTTED)
    if not facts.records:
        return
    left, right = st.columns(2, gap="large")
    with left:
        show_money(facts.records, "home")
    with right:
        show_severity(facts.records, "home")
    if facts.total > len(facts.records):
        st.caption(NEWEST.format(shown=f"{len(facts.records):,}", total=f"{facts.total:,}"))
