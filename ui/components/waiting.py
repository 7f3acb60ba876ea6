"""One record that waits: what it says, where it comes from and why it waits; two that contradict each other."""

from __future__ import annotations

from collections.abc import Collection

import streamlit as st

from memory.instructions import find_addresses
from memory.records import Door, Record
from memory.review import Item
from ui import runtime
from ui.components.labelled import labelled
from ui.components.precedents import show_outcome
from ui.components.record import EXAMPLE, told_facts
from ui.components.record_link import link_record
from ui.components.settle import offer, offer_choice, settle
from ui.formats import day, percent
from ui.language import _, _n
from ui.messages import N_
from ui.plain import as_markdown, shorten
from ui.said import said, said_all, said_author

LONGEST_VALUE = 300
_DOORS = {
    Door.SEED: EXAMPLE,
    Door.FORM: N_("typed in"),
    Door.IMPORT: N_("imported from a file"),
    Door.DOCUMENT: N_("read from a document"),
    Door.AGENT: N_("brought by an agent"),
    Door.AUDIT: N_("written by an audit"),
    Door.OUTCOME: N_("the outcome of an audit"),
}


def show_head(record: Record) -> None:
    """Show a record's name, its outcome and where it comes from, with a way to open it."""
    with st.container(horizontal=True, vertical_alignment="center", gap="small"):
        st.markdown(f"**{as_markdown(record.title)}**", width="content")
        show_outcome(record)
        link_record(record.id, _("Open"), ":material/open_in_new:")
    st.caption(lineage(record))


def lineage(record: Record) -> str:
    """Say in one line where a record comes from and what it is worth."""
    made = record.provenance
    derived = len(made.derived_from)
    kind = said(record.kind.value.replace("_", " ")).capitalize()
    parts = [
        _("{kind}, {door}", kind=kind, door=_(_DOORS[made.door])),
        _("source: {source}", source=as_markdown(shorten(made.source, 80)) or _("none")),
        _("{author}, {day}", author=as_markdown(said_author(made.author)), day=day(made.created_at)),
        _("trusted {share}", share=percent(record.confidence)),
    ]
    if derived:
        parts.append(_n("derived from {count} record", "derived from {count} records", derived))
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
    outcome = [(_("Outcome"), said(record.outcome.label))] if record.outcome else []
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
            where = _("Its **{field}** {how}:", field=as_markdown(said(it.field)), how=as_markdown(said(it.how)))
            st.markdown(f":orange[:material/warning:] {where}")
            with st.container(key=f"quote-{item.record.id}-{number}"):
                gap = "" if it.after[:1] in tuple(".,;:!?)") else " "
                st.markdown(
                    f"{as_markdown(it.before)} :orange-background[{as_markdown(it.words)}]{gap}{as_markdown(it.after)}"
                )
        with st.expander(_("All it says"), icon=":material/notes:"):
            _show_values(item.record, whole=True)
        offer(
            item.record, N_("It is honest"), N_("You have read it and vouch for it. Models may read it from then on.")
        )


def show_conflict(item: Item) -> None:
    """Show a record beside each it contradicts, what differs marked, with a choice on each side."""
    new = item.record
    with st.container(border=True, key=f"waits-{new.id}"):
        st.markdown(f":orange[:material/compare_arrows:] {as_markdown(_sentence(item.why))}")
        left, right = st.columns(2, gap="large")
        with left:
            st.caption(_("New, and held"))
            show_head(new)
            _show_values(new, marked=differing(new, item.against))
            offer_choice(new, [it.id for it in item.against])
        with right:
            for old in item.against:
                st.caption(_("Already in your memory"))
                show_head(old)
                _show_values(old, marked=differing(old, [new]))
                offer_choice(old, [new.id])
        offer_both(new)


def offer_both(record: Record) -> None:
    """Offer to let both sides of a conflict stand."""
    review = runtime.services().review
    if st.button(
        _("Both are right"),
        key=f"both-{record.id}",
        icon=":material/done_all:",
        help=_("They tell of two different things. Audits may recall both."),
    ):
        settle(lambda: review.verify(record.workspace, record.id, author=runtime.author(), at=runtime.now()))


def _sentence(why: Collection[str]) -> str:
    return _("{reasons}.", reasons=_capital(said_all(list(why))))


def _capital(text: str) -> str:
    return text[:1].upper() + text[1:]


def _show_values(record: Record, *, marked: Collection[str] = (), whole: bool = False) -> None:
    short, long = told_facts(record)
    if record.outcome and _("Outcome") in marked:
        short.insert(0, (_("Outcome"), said(record.outcome.label)))
    with st.container(horizontal=True, gap="medium"):
        for label, value in short:
            labelled(_mark(label, marked), value, width="content")
    for label, value in long:
        labelled(_mark(label, marked), value if whole else shorten(value, LONGEST_VALUE))


def _mark(label: str, marked: Collection[str]) -> str:
    differs = _("differs")
    return f"{label} :orange-badge[{differs}]" if label in marked else label
