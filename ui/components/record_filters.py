"""The filters of the table of records: what is searched, which records, and in which order."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import asdict, dataclass
from typing import Any

import streamlit as st

from memory.finding import Sort
from memory.ledger_reader import Page
from memory.records import Kind, Outcome, Status
from ui import runtime
from ui.language import _
from ui.later import later
from ui.messages import N_
from ui.said import said

FACTS, INVESTMENTS, BUGS = N_("All facts"), N_("Investments"), N_("Bugs")
KINDS = {
    FACTS: (Kind.INVESTMENT, Kind.BUG),
    INVESTMENTS: (Kind.INVESTMENT,),
    BUGS: (Kind.BUG,),
    N_("Opinions (evaluations)"): (Kind.EVALUATED_DECK, Kind.REVIEWED_CODE),
    N_("Everything"): tuple(Kind),
}
ACTIVE, ARCHIVED = N_("Active"), N_("Archived")
STATUSES = {
    ACTIVE: (Status.ACTIVE,),
    ARCHIVED: (Status.ARCHIVED,),
    N_("Held for you"): (Status.HELD, Status.QUARANTINED),
}
ANY = N_("any")
OUTCOMES = {it.label: it for it in Outcome}
CHANGED, TITLE = N_("Last changed"), N_("Title")
SORTS: dict[str, Sort] = {
    CHANGED: "updated",
    TITLE: "title",
    N_("Kind"): "kind",
    N_("Year"): "year",
    N_("Outcome"): "outcome",
    N_("Loss"): "loss",
    N_("Trust"): "confidence",
}
_FROM_THE_FIRST = {TITLE, "Kind", "Outcome"}
YEARS = range(1900, 2101)
_SORT, _DESCENDING = "memory-sort", "memory-descending"


@dataclass(frozen=True, slots=True)
class Filters:
    """What the table shows, by what the page calls it. ``year`` is a calendar year."""

    search: str = ""
    kind: str = FACTS
    outcome: str = ANY
    year: int | None = None
    status: str = ACTIVE
    sort: str = CHANGED
    descending: bool = True


def filters_from(kept: Mapping[str, object]) -> Filters:
    """Read filters that were kept; what this version does not know is left as it is at first."""
    allowed = {"kind": KINDS, "outcome": (ANY, *OUTCOMES), "status": STATUSES, "sort": SORTS, "year": YEARS}
    known: dict[str, Any] = {
        name: value
        for name, value in kept.items()
        if value in allowed.get(name, ()) or (name == "descending" and isinstance(value, bool))
    }
    search = kept.get("search")
    return Filters(**known, search=search if isinstance(search, str) else "")


def put_filters(filters: Filters) -> None:
    """Set the filters of this session, before they are drawn."""
    for name, value in asdict(filters).items():
        st.session_state[f"memory-{name}"] = value


def find(filters: Filters, limit: int, offset: int = 0) -> Page:
    """Find a page of the workspace's records. Raises LedgerUnavailable."""
    return runtime.services().ledger.find(
        runtime.settings().workspace,
        kinds=KINDS[filters.kind],
        statuses=STATUSES[filters.status],
        search=filters.search,
        outcome=OUTCOMES.get(filters.outcome),
        year=filters.year,
        sort=SORTS[filters.sort],
        descending=filters.descending,
        limit=limit,
        offset=offset,
    )


def sort_by(name: str) -> None:
    """Sort by what a column or a choice is called; the same again turns the order around."""
    same = st.session_state.get(_SORT) == name
    turned = not st.session_state.get(_DESCENDING, True)
    st.session_state[_DESCENDING] = turned if same else name not in _FROM_THE_FIRST
    st.session_state[_SORT] = name


def show_filters(*, disabled: bool = False) -> Filters:
    """Ask what the table is to show. The answers outlive a look at another page."""
    st.session_state.setdefault(_DESCENDING, True)
    with st.container(horizontal=True, gap="small", vertical_alignment="bottom", key="filters"):
        search = st.text_input(
            _("Search"), key="memory-search", placeholder=_("words, names, codes"), live=True, width=205,
            disabled=disabled, persist_state="session",
        )  # fmt: skip
        kind = _choose(_("Kind"), "kind", list(KINDS), 165, disabled)
        outcome = _choose(_("Outcome"), "outcome", [ANY, *OUTCOMES], 150, disabled)
        year = st.number_input(
            _("Year"), YEARS[0], YEARS[-1], value=None, step=1, format="%d", key="memory-year", placeholder=_(ANY),
            width=115, disabled=disabled, persist_state="session",
        )  # fmt: skip
        status = _choose(_("Status"), "status", list(STATUSES), 130, disabled)
        sort = _choose(_("Sorted by"), "sort", list(SORTS), 140, disabled)
        descending = st.session_state[_DESCENDING]
        st.button(
            _("Descending") if descending else _("Ascending"),
            key="memory-turn-order",
            icon=":material/arrow_downward:" if descending else ":material/arrow_upward:",
            on_click=later,
            args=(sort_by, sort),
            disabled=disabled,
        )
    return Filters(search or "", kind, outcome, year, status, sort, descending)


def _choose(label: str, name: str, options: list[str], width: int, disabled: bool) -> str:
    return st.selectbox(
        label,
        options,
        format_func=lambda it: said(it) if it in OUTCOMES else _(it),
        key=f"memory-{name}",
        on_change=_start_order if name == "sort" else None,
        width=width,
        disabled=disabled,
        persist_state="session",
    )


def _start_order() -> None:
    st.session_state[_DESCENDING] = st.session_state[_SORT] not in _FROM_THE_FIRST
