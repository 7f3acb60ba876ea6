"""The records: a table paged by the server, one record in full, and forms to add one."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial

import streamlit as st

from memory.errors import IntakeRefused, RecordInvalid
from memory.export import Format, export
from memory.ledger_reader import Page, Sort
from memory.records import Door, Kind, Outcome, Status
from ui import runtime, state
from ui.components import bulk
from ui.components.panel import show_panel
from ui.components.past import show_past
from ui.components.record import show_record
from ui.components.record_form import SHEETS, record_form
from ui.components.stored import changes_made, show_stored
from ui.components.tables import ROW_HEIGHT, record_rows
from ui.formats import number
from ui.language import _
from ui.messages import N_
from ui.plain import as_markdown
from ui.said import said
from ui.views import family, imports, review, upkeep

PAGE = 50
MOST_PLOTTED = 5_000
BROWSE, PLOTS, IMPORT, UPKEEP = N_("Browse"), N_("In plots"), N_("Import a file"), N_("Upkeep")
_KINDS = {
    N_("All facts"): (Kind.INVESTMENT, Kind.BUG),
    N_("Investments"): (Kind.INVESTMENT,),
    N_("Bugs"): (Kind.BUG,),
    N_("Opinions (evaluations)"): (Kind.EVALUATED_DECK, Kind.REVIEWED_CODE),
    N_("Everything"): tuple(Kind),
}
_STATUSES = {
    N_("Active"): (Status.ACTIVE,),
    N_("Archived"): (Status.ARCHIVED,),
    N_("Held for you"): (Status.HELD, Status.QUARANTINED),
}
_OUTCOMES = {it.label: it for it in Outcome}
ANY = N_("any")
_SORTS: dict[str, Sort] = {
    N_("Last changed"): "updated",
    N_("Title"): "title",
    N_("Year"): "year",
    N_("Loss"): "loss",
    N_("Trust"): "confidence",
}
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
        _browse()


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


def _browse() -> None:
    with st.container(horizontal=True, gap="small", vertical_alignment="bottom", key="filters"):
        search = st.text_input(
            _("Search"), key="memory-search", placeholder=_("words, names, codes"), live=True, width=260
        )
        kind = st.selectbox(_("Kind"), list(_KINDS), format_func=_, key="memory-kind", width=190)
        outcome = st.selectbox(
            _("Outcome"),
            [ANY, *_OUTCOMES],
            format_func=lambda it: _(it) if it == ANY else said(it),
            key="memory-outcome",
            width=170,
        )
        year = st.number_input(
            _("Year"), 1900, 2100, value=None, step=1, format="%d", key="memory-year", placeholder=_(ANY), width=130
        )
        status = st.selectbox(_("Status"), list(_STATUSES), format_func=_, key="memory-status", width=150)
        sort = st.selectbox(_("Sorted by"), list(_SORTS), format_func=_, key="memory-sort", width=150)
    filters = (search, kind, outcome, year, status, sort)
    page_key = f"memory-page-{hash(filters)}"  # other filters begin at their own first page
    at = st.session_state.get(page_key, 1)
    matching = partial(
        runtime.services().ledger.find,
        runtime.settings().workspace,
        kinds=_KINDS[kind],
        statuses=_STATUSES[status],
        search=search or "",
        outcome=_OUTCOMES.get(outcome),
        year=year,
        sort=_SORTS[sort],
        descending=sort != "Title",
    )
    page = matching(limit=PAGE, offset=(at - 1) * PAGE)
    bulk.show_done()
    if not page.total:
        head = _("No record matches")
        body = _("Loosen the filters above, or add what you know with the buttons at the top.")
        show_panel(head, body)
        return
    first = (at - 1) * PAGE + 1
    st.caption(
        _(
            "{first} to {last} of {total}. Click a record to open it; tick rows to act on several at once.",
            first=number(first),
            last=number(first + len(page.records) - 1),
            total=number(page.total),
        )
    )
    above = st.container()
    chosen = st.dataframe(
        record_rows(page.records),
        hide_index=True,
        key=f"records-{at}-{hash(filters)}-{st.session_state.get(bulk.TURN, 0)}",
        on_select="rerun",
        selection_mode=["multi-row", "single-cell"],
        row_height=ROW_HEIGHT,
        height=min(16, len(page.records) + 1) * ROW_HEIGHT,
        alt=_("Records"),
        column_config={
            _("Title"): st.column_config.TextColumn(width="medium"),
            _("Year"): st.column_config.NumberColumn(format="%d", width="small"),
            _("About"): st.column_config.TextColumn(width="medium"),
            _("Trust"): st.column_config.NumberColumn(format="%.0f%%", width="small"),
        },
    )
    cells = [row for row, _column in chosen["selection"]["cells"] if row < len(page.records)]
    if cells:
        state.set_address(record=page.records[cells[0]].id)
        st.rerun()
    ticked = [page.records[row] for row in chosen["selection"]["rows"] if row < len(page.records)]
    if ticked:
        with above:
            bulk.show_bulk(ticked)
    pages = -(-page.total // PAGE)
    if pages > 1:
        st.pagination(pages, key=page_key)
    with st.container(horizontal=True, gap="small", key="export"):
        for form, label in bulk.FORMATS.items():
            st.download_button(
                label,
                partial(_exported, matching, page.total, form),
                file_name=f"precedent-records.{form}",
                icon=":material/download:",
                on_click="ignore",
                help=_("All records that match the filters"),
            )


def _exported(matching: Callable[..., Page], total: int, form: Format) -> bytes:
    return export(matching(limit=total).records, form)
