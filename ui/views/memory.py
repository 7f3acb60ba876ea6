"""The records: a table of them, one in full, and forms to add one."""

from __future__ import annotations

import streamlit as st

from memory.errors import IntakeRefused, RecordInvalid
from memory.records import Door, Kind
from ui import runtime, state
from ui.components.past import show_past
from ui.components.record import show_record
from ui.components.record_form import SHEETS, record_form
from ui.components.stored import changes_made, show_stored
from ui.formats import number
from ui.language import _
from ui.messages import N_
from ui.plain import as_markdown
from ui.said import said
from ui.views import browse, family, imports, review, upkeep

MOST_PLOTTED = 5_000
BROWSE, PLOTS, IMPORT, UPKEEP = N_("Browse"), N_("In plots"), N_("Import a file"), N_("Upkeep")
_ADD = {sheet.add: kind for kind, sheet in SHEETS.items()}


def show() -> None:
    """Show the page."""
    if record_id := state.from_address(state.RECORD):
        st.button(_("All records"), on_click=state.set_address, icon=":material/arrow_back:")
        review.show_banner(record_id)
        show_record(record_id)
        family.show(record_id)
        return
    labels = {review.NAME: review.label()}
    chosen = st.segmented_control(
        _("What to do"),
        [BROWSE, review.NAME, PLOTS, *_ADD, IMPORT, UPKEEP],
        default=BROWSE,
        required=True,
        format_func=lambda name: labels.get(name) or _(name),
        key=state.MEMORY_VIEW,
        label_visibility="collapsed",
    )
    if chosen in _ADD:
        _add(_ADD[chosen])
    elif chosen == PLOTS:
        _plots()
    elif chosen == IMPORT:
        imports.show()
    elif chosen == review.NAME:
        review.show()
    elif chosen == UPKEEP:
        upkeep.show()
    else:
        browse.show()


def _add(kind: Kind) -> None:
    added = st.session_state.pop("memory-added", None)
    if added:
        show_stored(added[0], added[1], (state.MEMORY_VIEW, review.NAME))
    turn = st.session_state.setdefault("memory-turn", 0)
    facts = record_form(kind, f"add-{kind.value}-{turn}", _("Remember it"))
    if facts is None:
        return
    services = runtime.services()
    try:
        record = services.intake.remember(
            runtime.settings().workspace,
            kind,
            facts,
            door=Door.FORM,
            source="form on the Memory page",
            author=runtime.author(),
            now=runtime.now(),
        )
    except (IntakeRefused, RecordInvalid) as refused:
        st.warning(_("Not saved. {why}", why=as_markdown(said(str(refused)))), icon=":material/info:")
        return
    st.session_state["memory-turn"] = turn + 1
    st.session_state["memory-added"] = (record.id, changes_made(facts, record.facts))
    st.rerun()


def _plots() -> None:
    found = runtime.services().ledger.find(
        runtime.settings().workspace, kinds=(Kind.INVESTMENT, Kind.BUG), limit=MOST_PLOTTED
    )
    if found.total > len(found.records):
        st.caption(
            _(
                "The {shown} records changed last, of {total}.",
                shown=number(len(found.records)),
                total=number(found.total),
            )
        )
    show_past(found.records)
