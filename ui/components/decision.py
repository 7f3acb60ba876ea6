"""After an audit: what the user decided, when to look again, and how it ended. Only an outcome becomes a fact."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from types import MappingProxyType

import streamlit as st

from audit.decisions import Decision
from audit.errors import DecisionRefused
from audit.modes import MODES, Mode
from audit.submission import title_of
from audit.types import GroundedAudit
from memory.errors import IntakeRefused, RecordInvalid
from memory.records import BugFacts, Facts, InvestmentFacts, Kind, Outcome
from ui import runtime
from ui.components.labelled import labelled
from ui.components.record_form import record_form
from ui.components.record_link import link_record
from ui.formats import day, day_input
from ui.language import _, _n
from ui.messages import N_
from ui.plain import as_markdown, quiet
from ui.said import said
from ui.shell import MEMORY

WELL, BADLY = N_("It ended well"), N_("It ended badly")


def show_decision(audit: GroundedAudit, audit_id: str) -> None:
    """Show the newest decision on a saved audit, and forms to note one and, later, its outcome."""
    workspace, mode = runtime.settings().workspace, MODES[audit.mode]
    decisions = runtime.services().decisions
    noted = decisions.of(workspace, audit_id)
    ended = next((it for it in decisions.settled(workspace) if it.audit_id == audit_id), None)
    st.header(_("Your decision"), anchor=False)
    if noted:
        _show_noted(noted[0], earlier=len(noted) - 1)
    with st.expander(_("Decide anew") if noted else _("Note what you decide"), icon=":material/gavel:"):
        _ask_decision(audit_id, mode, len(noted))
    if ended:
        with st.container(horizontal=True, vertical_alignment="center", gap="small"):
            on = day(ended.settled_at)
            st.markdown(
                _("**It ended well**, noted on {day}.", day=on)
                if ended.went_well
                else _("**It ended badly**, noted on {day}.", day=on),
                width="content",
            )
            link_record(ended.record_id, _("The fact it made"), MEMORY.icon)
    else:
        with st.expander(_("Record how it ended"), icon=":material/flag:"):
            _ask_outcome(audit, audit_id, mode, noted[0].choice if noted else "")


def _show_noted(decision: Decision, earlier: int) -> None:
    with st.container(border=True, key="decision"):
        with st.container(horizontal=True, gap="large"):
            labelled(_("Decision"), said(decision.choice), width="content")
            labelled(_("On"), day(decision.at), width="content")
            if decision.review_on:
                labelled(_("Look again on"), day(decision.review_on), width="content")
        labelled(_("Because"), decision.reason)
        if decision.disproof:
            labelled(_("This would show it wrong"), decision.disproof)
        if earlier:
            st.caption(
                _n(
                    "{count} earlier decision is kept with this audit.",
                    "{count} earlier decisions are kept with this audit.",
                    earlier,
                )
            )


def _ask_decision(audit_id: str, mode: Mode, number: int) -> None:
    with st.form(f"decide-{audit_id}-{number}", border=False):
        choice = st.segmented_control(
            _("Decision"), mode.choices, required=True, default=mode.choices[0], format_func=said
        )
        reason = st.text_area(
            _("Because *"), height=80, placeholder=_("In a few words; you will want to read it later")
        )
        disproof = st.text_input(_("What would show it wrong"), placeholder=_("A licence by May"))
        review_on = st.date_input(_("Look again on"), value=None, min_value=runtime.now().date(), format=day_input())
        if not st.form_submit_button(_("Note it"), type="primary", icon=":material/gavel:"):
            return
    try:
        runtime.services().decisions.decide(
            runtime.settings().workspace,
            audit_id,
            choice,
            reason=reason or "",
            disproof=disproof or "",
            review_on=review_on,
            author=runtime.author(),
            now=runtime.now(),
        )
    except DecisionRefused as refused:
        st.warning(as_markdown(said(str(refused))), icon=":material/info:")
        return
    st.rerun()


def _ask_outcome(audit: GroundedAudit, audit_id: str, mode: Mode, choice: str) -> None:
    lead = _(
        "Only what you record here becomes a fact, a {record} that later audits may find. It keeps its link to this "
        "audit, and the audit's forecast is scored against it.",
        record=said(mode.wording.record),
    )
    st.markdown(quiet(lead))
    ended = st.segmented_control(_("How did it end?"), [WELL, BADLY], format_func=_, key=f"ended-{audit_id}")
    facts = record_form(
        mode.fact_kind, f"outcome-{audit_id}", _("Record the outcome"), _STARTS[mode.fact_kind](audit, choice)
    )
    if facts is None:
        return
    if ended is None:
        st.warning(_("Still needed: whether it ended well. Nothing was saved yet."), icon=":material/info:")
        return
    try:
        runtime.services().decisions.settle(
            runtime.settings().workspace,
            audit_id,
            facts,
            went_well=ended == WELL,
            author=runtime.author(),
            now=runtime.now(),
        )
    except (DecisionRefused, IntakeRefused, RecordInvalid) as refused:
        st.warning(_("Not saved. {why}", why=as_markdown(said(str(refused)))), icon=":material/info:")
        return
    st.rerun()


def _start_investment(audit: GroundedAudit, choice: str) -> Facts:
    outcome = Outcome.PASSED if choice == Outcome.PASSED.value else Outcome.UNKNOWN
    return InvestmentFacts(title_of(audit.submission), year=audit.created_at.year, outcome=outcome)


def _start_bug(audit: GroundedAudit, choice: str) -> Facts:
    worst = next(iter(audit.findings), None)
    return BugFacts(
        title=worst.title if worst else "",
        language=audit.submission.language,
        cwe=worst.subject if worst and worst.subject.startswith("CWE-") else "",
        severity=worst.severity if worst else "medium",
        year=audit.created_at.year,
        faulty_code=worst.quote if worst else "",
    )


_STARTS: Mapping[Kind, Callable[[GroundedAudit, str], Facts]] = MappingProxyType(
    {Kind.INVESTMENT: _start_investment, Kind.BUG: _start_bug}
)
