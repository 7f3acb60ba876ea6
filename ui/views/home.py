"""Home: two doors, the memory at a glance, the last audits."""

from __future__ import annotations

import streamlit as st

from memory.records import Door, Kind
from ui import runtime
from ui.components.past import show_money, show_severity
from ui.components.tables import show_audits
from ui.components.tour import show_tour
from ui.facts import facts_now
from ui.formats import number
from ui.language import _, _n
from ui.looks import LANGUAGES_READ, LOOKS
from ui.messages import N_
from ui.plain import as_html, quiet
from ui.shell import HISTORY, MEMORY

RECENT = 5
MOST_PLOTTED = 1_000
NEWEST = N_("The {shown} facts changed last, of {total}.")


def show() -> None:
    """Show the page."""
    head = _("What really happened to you, next to what you are looking at.")
    body = _(
        "Precedent audits a pitch deck or a piece of code against your own past investments and resolved bugs. If it "
        "is not in your records, it is not in your history."
    )
    st.html(f'<div class="p-hero"><h1>{as_html(head)}</h1><p>{as_html(body)}</p></div>')
    with st.container(horizontal=True, gap="medium", vertical_alignment="distribute", key="doors"):
        for name, look in LOOKS.items():
            with st.container(border=True, key=f"door-{name}", width="stretch"):
                st.markdown(f"## {look.place.icon} {_(look.place.label)}", anchors=False)
                st.markdown(_(look.door, languages=number(LANGUAGES_READ)))
                st.page_link(look.place.path, label=f"**{_(look.enter)}**", icon=":material/arrow_forward:")
    show_tour()
    services = runtime.services()
    counts = services.ledger.counts(runtime.settings().workspace)
    st.header(_("Your memory"), anchor=False)
    with st.container(horizontal=True, gap="medium"):
        for kind, label in (
            (Kind.INVESTMENT, _("Past investments")),
            (Kind.BUG, _("Resolved bugs")),
            (Kind.EVALUATED_DECK, _("Evaluated decks")),
            (Kind.REVIEWED_CODE, _("Reviewed code")),
        ):
            st.metric(label, number(counts.get(kind, 0)), border=True)
    told = _(
        "Investments and bugs are facts and can be precedents. Evaluated decks and reviewed code are opinions: they "
        "are kept, and never count as history."
    )
    st.html(f'<p class="p-quiet">{as_html(told)}</p>')
    _say_what_are_examples()
    _show_glance()
    st.page_link(MEMORY.path, label=_("Search or add records"), icon=MEMORY.icon)
    st.header(_("Last audits"), anchor=False)
    recent = services.archive.list(runtime.settings().workspace, limit=RECENT, offset=0)
    if not recent:
        st.markdown(quiet(_("None yet. Audit a deck or code, and it is kept here.")))
        return
    show_audits(recent, key="home-audits")
    st.page_link(HISTORY.path, label=_("All audits"), icon=HISTORY.icon)


def _say_what_are_examples() -> None:
    """Tell a new user that what is there is not their past, while it can all be read."""
    facts = facts_now(MOST_PLOTTED)
    examples = sum(it.provenance.door is Door.SEED for it in facts.records)
    if examples and facts.total == len(facts.records):
        told = _n(
            "{count} of these records is an example that came with Precedent. Once your own are in, tick it on the "
            "Memory page and archive it.",
            "{count} of these records are examples that came with Precedent. Once your own are in, tick them on the "
            "Memory page and archive them.",
            examples,
        )
        st.html(f'<p class="p-quiet">{as_html(told)}</p>')


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
        st.caption(_(NEWEST, shown=number(len(facts.records)), total=number(facts.total)))
