"""Past audits, newest first, a page at a time; any two of a kind can be compared."""

from __future__ import annotations

from collections.abc import Sequence

import streamlit as st

from audit.archive import AuditSummary
from audit.compare import compare
from audit.modes import MODES
from audit.submission import title_of
from ui import runtime, state
from ui.components.comparison import show_comparison
from ui.components.panel import show_panel, show_ways_in
from ui.components.tables import show_audits
from ui.formats import day, moment, number
from ui.language import _
from ui.looks import LOOKS
from ui.plain import as_markdown, quiet
from ui.said import said
from ui.state import AUDIT

PAGE = 25
MOST_DUE = 10
MOST_OFFERED = 300
ALL = "all"


def show() -> None:
    """Show the page."""
    one, other = state.from_address(state.EARLIER), state.from_address(state.LATER)
    if one and other:
        _show_comparison(one, other)
        return
    archive, workspace = runtime.services().archive, runtime.settings().workspace
    _show_due()
    chosen = st.segmented_control(
        _("Show"),
        [ALL, *MODES],
        default=ALL,
        required=True,
        format_func=lambda it: said(MODES[it].wording.title) if it in MODES else _("All"),
        key="history-mode",
        label_visibility="collapsed",
    )
    mode = chosen if chosen in MODES else None
    total = archive.count(workspace, mode)
    if not total:
        head = _("No audits yet")
        body = _(
            "Audit a deck or a piece of code, and it is kept here with its findings, its score and all that was "
            "looked at."
        )
        show_panel(head, body)
        show_ways_in()
        return
    if total > 1:
        _offer_comparison(mode)
    pages = -(-total // PAGE)
    page_key = f"history-page-{chosen}"
    number = st.session_state.get(page_key, 1) if pages > 1 else 1
    rows = archive.list(workspace, limit=PAGE, offset=(min(number, pages) - 1) * PAGE, mode=mode)
    show_audits(rows, key=f"history-{mode}-{number}", since=_since(rows))
    if pages > 1:
        st.pagination(pages, key=page_key)


def _since(rows: Sequence[AuditSummary]) -> dict[str, str]:
    """Say of each audit that the user came back to what was decided and how it ended."""
    decisions, workspace = runtime.services().decisions, runtime.settings().workspace
    ids = [it.id for it in rows]
    told = {name: [said(it.choice)] for name, it in decisions.newest(workspace, ids).items()}
    for name, well in decisions.ended_well(workspace, ids).items():
        told.setdefault(name, []).append(_("ended well") if well else _("ended badly"))
    return {name: _(", ").join(parts) for name, parts in told.items()}


def _show_comparison(one: str, other: str) -> None:
    archive, workspace = runtime.services().archive, runtime.settings().workspace
    st.button(_("All audits"), on_click=state.set_address, icon=":material/arrow_back:")
    first = archive.open(workspace, one)
    compared = compare(first, archive.open(workspace, other))
    show_comparison(compared, *((one, other) if compared.earlier is first else (other, one)))


def _offer_comparison(mode: str | None) -> None:
    """Let the user pick two audits of one kind."""
    with st.expander(
        _("Compare two audits"), icon=":material/compare_arrows:", key="compare", on_change="rerun"
    ) as box:
        if not box.open:
            return
        rows = runtime.services().archive.list(runtime.settings().workspace, limit=MOST_OFFERED, mode=mode)
        st.markdown(quiet(_("Two versions of a deck, or what two models make of it. Type to search.")))
        left, right, end = st.columns([2, 2, 1], vertical_alignment="bottom")
        with left:
            first = first_with_another(rows)
            one = st.selectbox(_("This audit"), rows, index=first, format_func=_named, key="compare-one")
        with right:
            fitting = _fitting(one, rows) if one else []
            name = f"compare-other-{one.id}" if one else "compare-other"
            other = st.selectbox(_("With this one"), fitting, format_func=_named, key=name)
        with end:
            st.button(
                _("Compare"),
                type="primary",
                icon=":material/compare_arrows:",
                disabled=not (one and other),
                on_click=_open,
                args=(one, other),
                width="stretch",
            )
        if one and not fitting:
            st.caption(_("There is no other audit of this kind yet."))


def first_with_another(rows: Sequence[AuditSummary]) -> int:
    """Give the place of the newest audit that another can be compared with, 0 where there is none."""
    return next((at for at, it in enumerate(rows) if _fitting(it, rows)), 0)


def _fitting(one: AuditSummary, rows: Sequence[AuditSummary]) -> list[AuditSummary]:
    """List what an audit can be compared with: others of its mode, those of its title first."""
    others = [it for it in rows if it.mode == one.mode and it.id != one.id]
    return sorted(others, key=lambda it: it.title != one.title)


def _named(it: AuditSummary) -> str:
    return f"{it.title} · {said(it.verdict)} · {moment(it.created_at)}"


def _open(one: AuditSummary, other: AuditSummary) -> None:
    state.set_address(**{state.EARLIER: one.id, state.LATER: other.id})


def _show_due() -> None:
    services, workspace = runtime.services(), runtime.settings().workspace
    due = services.decisions.due(workspace, runtime.now().date())
    if not due:
        return
    with st.container(border=True, key="due", gap="xsmall"):
        st.markdown(_("**Time to look again** ({count})", count=number(len(due))))
        for decision in due[:MOST_DUE]:
            audit = services.archive.open(workspace, decision.audit_id)
            with st.container(horizontal=True, vertical_alignment="center", gap="small"):
                st.page_link(
                    LOOKS[audit.mode].place.path,
                    label=as_markdown(title_of(audit.submission)),
                    icon=LOOKS[audit.mode].place.icon,
                    query_params={AUDIT: decision.audit_id},
                )
                told = [as_markdown(said(decision.choice))]
                if decision.review_on:
                    told.append(_("due {day}", day=day(decision.review_on)))
                if decision.disproof:
                    told.append(_("wrong if: {disproof}", disproof=as_markdown(decision.disproof)))
                st.caption(" · ".join(told))
