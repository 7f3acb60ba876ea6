"""What became of a form that was sent: stored, stored with something masked, or stored and held."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import fields

import streamlit as st

from audit.modes import MODES
from memory.records import Facts, Record, Status
from memory.sensitive import mask
from ui import runtime, state
from ui.components.record_form import SHEETS
from ui.looks import LOOKS
from ui.plain import as_markdown

_LABELS = {field.name: field.label.rstrip(" *") for sheet in SHEETS.values() for field in sheet.fields}


def changes_made(sent: Facts, kept: Facts) -> tuple[str, ...]:
    """Say in words what intake changed in the text that was sent: what it masked, what it condensed."""
    said: list[str] = []
    for field in fields(sent):
        before, after = getattr(sent, field.name), getattr(kept, field.name)
        if not isinstance(before, str) or before == after:
            continue
        name = _LABELS.get(field.name, field.name.replace("_", " ").capitalize())
        if found := mask(before)[1]:
            said.append(f"{name}: masked {', '.join(found)}")
        if len(after) < 0.9 * len(before) and not found:
            said.append(f"{name}: condensed from {len(before):,} to {len(after):,} characters")
    return tuple(said)


def show_stored(record_id: str, changed: Sequence[str], review_view: tuple[str, str]) -> None:
    """Say what became of the record that was just sent. ``review_view`` is the state that opens the queues."""
    services, workspace = runtime.services(), runtime.settings().workspace
    record = services.ledger.get(workspace, [record_id]).get(record_id)
    if record is None:
        return
    if record.status is Status.ACTIVE:
        st.success(
            f"**{as_markdown(record.title)}** is in your memory. The next audit can recall it.", icon=":material/check:"
        )
    else:
        why = as_markdown("; ".join(services.review.reasons(record)))
        st.warning(
            f"**{as_markdown(record.title)}** is kept and waits for you; no audit recalls it until you have looked "
            f"at it. {why[:1].upper()}{why[1:]}.",
            icon=":material/hourglass_top:",
        )
    show_changes(changed)
    with st.container(horizontal=True, vertical_alignment="center"):
        if record.status is not Status.ACTIVE:
            st.button(
                "Review it",
                icon=":material/rule:",
                type="primary",
                on_click=lambda: st.session_state.update([review_view]),
            )
        st.page_link("pages/3_Memory.py", label="Open it", query_params={state.RECORD: record.id})
        if record.status is Status.ACTIVE:
            _link_to_audit(record)


def show_changes(changed: Sequence[str]) -> None:
    """Say what intake changed in a text, where it did."""
    if changed:
        told = "; ".join(as_markdown(it) for it in changed)
        st.info(f"Not all was stored as you typed it. {told}.", icon=":material/visibility_off:")


def _link_to_audit(record: Record) -> None:
    look = next((LOOKS[mode.name] for mode in MODES.values() if mode.fact_kind is record.kind), None)
    if look:
        st.page_link(look.place.path, label=look.enter, icon=look.place.icon)
