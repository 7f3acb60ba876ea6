"""One record that waits: what it says, where it comes from and why it waits; two that contradict each other."""

from __future__ import annotations

from collections.abc import Collection

import streamlit as st

from memory.instructions import find_addresses
from memory.records import Door, Record
from memory.review import Item
from ui import runtime, state
from ui.components.labelled import labelled
from ui.components.precedents import show_outcome
from ui.components.record import told_facts
from ui.components.settle import offer, offer_choice, settle
from ui.plain import as_markdown, shorten
from ui.runtime import AUTHOR

LONGEST_VALUE = 300
_DOORS = {
    Door.SEED: "an example that came with Precedent",
    Door.FORM: "typed in",
    Door.IMPORT: "imported from a file",
    Door.DOCUMENT: "read from a document",
    Door.AGENT: "brought by an agent",
    Door.AUDIT: "written by an audit",
    Door.OUTCOME: "the outcome of an audit",
}


def show_head(record: Record) -> None:
    """Show a record's name, its outcome and where it comes from, with a way to open it."""
    with st.container(horizontal=True, vertical_alignment="center", gap="small"):
        st.markdown(f"**{as_markdown(record.title)}**", width="content")
        show_outcome(record)
        st.page_link(
            "pages/3_Memory.py", label="Open", icon=":material/open_in_new:", query_params={state.RECORD: record.id}
        )
    st.caption(lineage(record))


def lineage(record: Record) -> str:
    """Say in one line where a record comes from and what it is worth."""
    made = record.provenance
    derived = len(made.derived_from)
    parts = [
        f"{record.kind.value.replace('_', ' ').capitalize()}, {_DOORS[made.door]}",
        f"source: {as_markdown(shorten(made.source, 80)) or 'none'}",
        f"{as_markdown(made.author)}, {made.created_at:%d %b %Y}",
        f"trusted {record.confidence:.0%}",
    ]
    if derived:
        parts.append(f"derived from {derived} record{'s' if derived > 1 else ''}")
    return " · ".join(parts)


def differing(one: Record, others: Collection[Record]) -> set[str]:
    """Name the facts in which a record differs from any of ``others``."""
    mine = dict(_values(one))
    found: set[str] = set()
    for other in others:
        theirs = dict(_values(other))
        found |= {name for name in {*mine, *theirs} if mine.get(name) != theirs.get(name)}
    return found


def _values(record: Record) -> list[tuple[str, str]]:
    short, long = told_facts(record)
    outcome = [("Outcome", record.outcome.label)] if record.outcome else []
    return [*outcome, *short, *long]


def show_item(item: Item) -> None:
    """Show a record that nobody has vouched for, with what may be done."""
    with st.container(border=True, key=f"waits-{item.record.id}"):
        show_head(item.record)
        st.markdown(f":orange[:material/hourglass_top:] {as_markdown(_sentence(item.why))}")
        _show_values(item.record)
        offer(item.record)


def show_quarantined(item: Item) -> None:
    """Show a record that speaks to a model, the passage first; nothing of it is ever formatted."""
    with st.container(border=True, key=f"waits-{item.record.id}"):
        show_head(item.record)
        addresses = find_addresses(item.record)
        if not addresses:
            st.markdown(f":orange[:material/warning:] {as_markdown(_sentence(item.why))}")
        for number, it in enumerate(addresses):
            st.markdown(f":orange[:material/warning:] Its **{as_markdown(it.field)}** {as_markdown(it.how)}:")
            with st.container(key=f"quote-{item.record.id}-{number}"):
                gap = "" if it.after[:1] in tuple(".,;:!?)") else " "
                st.markdown(
                    f"{as_markdown(it.before)} :orange-background[{as_markdown(it.words)}]{gap}{as_markdown(it.after)}"
                )
        with st.expander("All it says", icon=":material/notes:"):
            _show_values(item.record, whole=True)
        offer(item.record, "It is honest", "You have read it and vouch for it. Models may read it from then on.")


def show_conflict(item: Item) -> None:
    """Show a record beside each it contradicts, what differs marked, with a choice on each side."""
    new = item.record
    with st.container(border=True, key=f"waits-{new.id}"):
        st.markdown(f":orange[:material/compare_arrows:] {as_markdown(_sentence(item.why))}")
        left, right = st.columns(2, gap="large")
        with left:
            st.caption("New, and held")
            show_head(new)
            _show_values(new, marked=differing(new, item.against))
            offer_choice(new, [it.id for it in item.against])
        with right:
            for old in item.against:
                st.caption("Already in your memory")
                show_head(old)
                _show_values(old, marked=differing(old, [new]))
                offer_choice(old, [new.id])
        offer_both(new)


def offer_both(record: Record) -> None:
    """Offer to let both sides of a conflict stand."""
    review = runtime.services().review
    if st.button(
        "Both are right",
        key=f"both-{record.id}",
        icon=":material/done_all:",
        help="They tell of two different things. Audits may recall both.",
    ):
        settle(lambda: review.verify(record.workspace, record.id, author=AUTHOR, at=runtime.now()))


def _sentence(why: Collection[str]) -> str:
    text = "; ".join(why)
    return text[:1].upper() + text[1:] + "."


def _show_values(record: Record, *, marked: Collection[str] = (), whole: bool = False) -> None:
    short, long = told_facts(record)
    if record.outcome and "Outcome" in marked:
        short.insert(0, ("Outcome", record.outcome.label))
    with st.container(horizontal=True, gap="medium"):
        for label, value in short:
            labelled(_mark(label, marked), value, width="content")
    for label, value in long:
        labelled(_mark(label, marked), value if whole else shorten(value, LONGEST_VALUE))


def _mark(label: str, marked: Collection[str]) -> str:
    return f"{label} :orange-badge[differs]" if label in marked else label
