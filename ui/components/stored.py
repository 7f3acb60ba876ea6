"""What became of a form that was sent: stored, stored with something masked, or stored and held."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import fields

import streamlit as st

from audit.modes import MODES
from memory.records import Facts, Outcome, Record, Status
from memory.sensitive import mask
from ui import runtime
from ui.components.record_form import SHEETS
from ui.components.record_link import link_record
from ui.formats import number
from ui.language import _
from ui.looks import LOOKS
from ui.plain import as_markdown
from ui.said import said, said_all

_LABELS = {field.name: field.label.rstrip(" *") for sheet in SHEETS.values() for field in sheet.fields}


def changes_made(sent: Facts, kept: Facts) -> tuple[str, ...]:
    """Say in words what intake changed in the text that was sent: what it masked, what it condensed."""
    told: list[str] = []
    for field in fields(sent):
        before, after = getattr(sent, field.name), getattr(kept, field.name)
        if not isinstance(before, str) or before == after:
            continue
        name = _(_LABELS.get(field.name, field.name.replace("_", " ").capitalize()))
        if found := mask(before)[1]:
            told.append(_("{field}: masked {finds}", field=name, finds=_(", ").join(map(said, found))))
        if len(after) < 0.9 * len(before) and not found:
            told.append(
                _(
                    "{field}: condensed from {before} to {after} characters",
                    field=name,
                    before=number(len(before)),
                    after=number(len(after)),
                )
            )
    return tuple(told)


def show_stored(record_id: str, changed: Sequence[str], review_view: tuple[str, str]) -> None:
    """Say what became of the record that was just sent. ``review_view`` is the state that opens the queues."""
    services, workspace = runtime.services(), runtime.settings().workspace
    record = services.ledger.get(workspace, [record_id]).get(record_id)
    if record is None:
        return
    if record.status is Status.ACTIVE:
        st.success(
            _("**{title}** is in your memory. The next audit can recall it.", title=as_markdown(record.title)),
            icon=":material/check:",
        )
    else:
        why = said_all(services.review.reasons(record))
        st.warning(
            _(
                "**{title}** is kept and waits for you; no audit recalls it until you have looked at it. {why}.",
                title=as_markdown(record.title),
                why=as_markdown(why[:1].upper() + why[1:]),
            ),
            icon=":material/hourglass_top:",
        )
    show_changes(changed)
    if record.outcome is Outcome.UNKNOWN:
        st.info(
            _("How it ended is not known, so it counts neither as a loss nor as a gain. Open it to add that."),
            icon=":material/help:",
        )
    with st.container(horizontal=True, vertical_alignment="center"):
        if record.status is not Status.ACTIVE:
            st.button(
                _("Review it"),
                icon=":material/rule:",
                type="primary",
                on_click=lambda: st.session_state.update([review_view]),
            )
        link_record(record.id, _("Open it"))
        if record.status is Status.ACTIVE:
            _link_to_audit(record)


def show_changes(changed: Sequence[str]) -> None:
    """Say what intake changed in a text, where it did."""
    if changed:
        told = _("; ").join(as_markdown(it) for it in changed)
        st.info(_("Not all was stored as you typed it. {changes}.", changes=told), icon=":material/visibility_off:")


def _link_to_audit(record: Record) -> None:
    look = next((LOOKS[mode.name] for mode in MODES.values() if mode.fact_kind is record.kind), None)
    if look:
        st.page_link(look.place.path, label=_(look.enter), icon=look.place.icon)
