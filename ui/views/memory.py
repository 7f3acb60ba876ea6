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
from ui.components.past import show_past
from ui.components.record import show_record
from ui.components.record_form import SHEETS, record_form
from ui.components.stored import changes_made, show_stored
from ui.components.tables import ROW_HEIGHT, record_rows
from ui.plain import as_markdown
from ui.views import family, imports, review, upkeep

PAGE = 50
MOST_PLOTTED = 5_000
BROWSE, PLOTS, IMPORT, UPKEEP = "Browse", "In plots", "Import a file", "Upkeep"
_KINDS = {
    "All facts": (Kind.INVESTMENT, Kind.BUG),
    "Investments": (Kind.INVESTMENT,),
    "Bugs": (Kind.BUG,),
    "Opinions (evaluations)": (Kind.EVALUATED_DECK, Kind.REVIEWED_CODE),
    "Everything": tuple(Kind),
}
_STATUSES = {
    "Active": (Status.ACTIVE,),
    "Archived": (Status.ARCHIVED,),
    "Held for you": (Status.HELD, Status.QUARANTINED),
}
_OUTCOMES = {it.label: it for it in Outcome}
_SORTS: dict[str, Sort] = {
    "Last changed": "updated",
    "Title": "title",
    "Year": "year",
    "Loss": "loss",
    "Trust": "confidence",
}
_FORMATS: dict[Format, str] = {"csv": "CSV", "jsonl": "JSON Lines"}
_ADD = {f"Add {'an' if sheet.noun[0] in 'aeiou' else 'a'} {sheet.noun}": kind for kind, sheet in SHEETS.items()}


def show() -> None:
    """Show the page."""
    if record_id := state.from_address(state.RECORD):
        st.button("All records", on_click=state.set_address, icon=":material/arrow_back:")
        review.show_banner(record_id)
        show_record(record_id)
        family.show(record_id)
        return
    labels = {review.NAME: review.label()}
    chosen = st.segmented_control(
        "What to do",
        [BROWSE, review.NAME, PLOTS, *_ADD, IMPORT, UPKEEP],
        default=BROWSE,
        required=True,
        format_func=lambda name: labels.get(name, name),
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
    facts = record_form(kind, f"add-{kind.value}-{turn}", "Remember it")
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
        st.warning(f"Not saved. {as_markdown(str(refused))}", icon=":material/info:")
        return
    st.session_state["memory-turn"] = turn + 1
    st.session_state["memory-added"] = (record.id, changes_made(facts, record.facts))
    st.rerun()


def _plots() -> None:
    found = runtime.services().ledger.find(
        runtime.settings().workspace, kinds=(Kind.INVESTMENT, Kind.BUG), limit=MOST_PLOTTED
    )
    if found.total > len(found.records):
        st.caption(f"The {len(found.records):,} records changed last, of {found.total:,}.")
    show_past(found.records)


def _browse() -> None:
    with st.container(horizontal=True, gap="small", vertical_alignment="bottom", key="filters"):
        search = st.text_input("Search", key="memory-search", placeholder="words, names, codes", live=True, width=260)
        kind = st.selectbox("Kind", list(_KINDS), key="memory-kind", width=190)
        outcome = st.selectbox(
            "Outcome",
            ["any", *_OUTCOMES],
            key="memory-outcome",
            width=170,
        )
        year = st.number_input(
            "Year", 1900, 2100, value=None, step=1, format="%d", key="memory-year", placeholder="any", width=130
        )
        status = st.selectbox("Status", list(_STATUSES), key="memory-status", width=150)
        sort = st.selectbox("Sorted by", list(_SORTS), key="memory-sort", width=150)
    filters = (search, kind, outcome, year, status, sort)
    page_key = f"memory-page-{hash(filters)}"  # other filters begin at their own first page
    number = st.session_state.get(page_key, 1)
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
    page = matching(limit=PAGE, offset=(number - 1) * PAGE)
    if not page.total:
        st.html(
            '<div class="p-state"><div class="p-head">No record matches</div><div class="p-body">'
            "Loosen the filters above, or add what you know with the buttons at the top.</div></div>"
        )
        return
    first = (number - 1) * PAGE + 1
    st.caption(f"{first:,} to {first + len(page.records) - 1:,} of {page.total:,}. Tick a row to open the record.")
    chosen = st.dataframe(
        record_rows(page.records),
        hide_index=True,
        key=f"records-{number}-{hash(filters)}",
        on_select="rerun",
        selection_mode="single-row",
        row_height=ROW_HEIGHT,
        height=min(16, len(page.records) + 1) * ROW_HEIGHT,
        alt="Records",
        column_config={
            "Title": st.column_config.TextColumn(width="medium"),
            "Year": st.column_config.NumberColumn(format="%d", width="small"),
            "About": st.column_config.TextColumn(width="medium"),
            "Trust": st.column_config.NumberColumn(format="%.0f%%", width="small"),
        },
    )
    picked = chosen["selection"]["rows"]
    if picked and picked[0] < len(page.records):
        state.set_address(record=page.records[picked[0]].id)
        st.rerun()
    pages = -(-page.total // PAGE)
    if pages > 1:
        st.pagination(pages, key=page_key)
    with st.container(horizontal=True, gap="small", key="export"):
        for form, label in _FORMATS.items():
            st.download_button(
                label,
                partial(_exported, matching, page.total, form),
                file_name=f"precedent-records.{form}",
                icon=":material/download:",
                on_click="ignore",
                help="All records that match the filters",
            )


def _exported(matching: Callable[..., Page], total: int, form: Format) -> bytes:
    return export(matching(limit=total).records, form)
