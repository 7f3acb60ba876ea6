"""A finished audit, whole: the same on the audit pages and when reopened from History."""

from __future__ import annotations

import json
from collections.abc import Mapping

import streamlit as st

from audit.decided import Decided
from audit.types import GroundedAudit
from ui.components.decision import show_decision
from ui.components.diff_result import sarif_download
from ui.components.evidence import show_evidence
from ui.components.memory_map import show_place
from ui.components.precedents import decided_now, show_history
from ui.components.recall import show_near, show_recall
from ui.components.refusals import show_attempts, show_refusals
from ui.components.score import show_prose, show_reasons, show_verdict
from ui.formats import number
from ui.language import _, speech
from ui.plain import as_markdown
from ui.said import said


def show_result(audit: GroundedAudit, saved_as: str | None) -> None:
    """Show an audit: verdict first, then the history, the evidence, and one click away how it came about."""
    key = saved_as or audit.submission.sha256[:12]
    for note in audit.notes:
        st.info(as_markdown(said(note)), icon=":material/info:")
    show_verdict(audit, saved_as, key)
    decided = decided_now([it.record for it in audit.precedents])
    show_history(audit, saved_as, key, decided)
    if not audit.precedents:
        _show_misses(audit)
    st.header(_("Evidence in the text"), anchor=False)
    show_evidence(audit, f"evidence-{key}")
    if audit.advice or audit.questions:
        left, right = st.columns(2, gap="large")
        with left:
            show_prose(_("What to do next"), audit.advice)
        with right:
            show_prose(_("Questions to ask"), audit.questions)
    if saved_as:
        show_decision(audit, saved_as)
    st.header(_("How it came about"), anchor=False)
    if audit.score_breakdown:
        with st.expander(_("Every point of the score, with its reason"), icon=":material/bar_chart:", expanded=False):
            show_reasons(audit.score_breakdown)
    if audit.precedents:
        _show_misses(audit)
    place = st.expander(
        _("Where it lies among your records"),
        icon=":material/scatter_plot:",
        key=f"place-{key}-open",
        on_change="rerun",
    )
    if place.open:
        with place:
            show_place(audit, key)
    with st.expander(_("Refused claims ({count})", count=number(len(audit.refusals))), icon=":material/block:"):
        show_refusals(audit)
    with st.expander(_("How your records were searched"), icon=":material/manage_search:"):
        show_recall(audit.recall, key)
    with st.expander(_("Who was asked to write it"), icon=":material/smart_toy:"):
        show_attempts(audit)
    _show_downloads(audit, saved_as, decided)


def _show_misses(audit: GroundedAudit) -> None:
    """Offer the nearest misses: right below "None found", or among how an audit with precedents came about."""
    misses = len(audit.recall.candidates) - len(audit.recall.kept)
    if misses:
        with st.expander(_("Nearest misses ({count})", count=number(min(3, misses))), icon=":material/near_me:"):
            show_near(audit.recall)


def _show_downloads(audit: GroundedAudit, saved_as: str | None, decided: Mapping[str, Decided]) -> None:
    from audit import export
    from audit.html_report import as_html
    from audit.markdown_report import as_markdown as as_ticket

    spoken = speech()  # a download is written outside of any session

    name = f"precedent-{audit.mode}-{(saved_as or audit.submission.sha256)[:12]}"
    with st.container(horizontal=True, gap="small", key="downloads"):
        for label, extension, mime, write in (
            ("Markdown", "md", "text/markdown", lambda: as_ticket(audit, spoken, decided)),
            ("HTML", "html", "text/html", lambda: as_html(audit, spoken, decided)),
            (
                "JSON",
                "json",
                "application/json",
                lambda: json.dumps(export.as_dict(audit, saved_as, decided), ensure_ascii=False, indent=2),
            ),
            *sarif_download(audit),
        ):
            st.download_button(
                label, write, file_name=f"{name}.{extension}", mime=mime, icon=":material/download:", on_click="ignore"
            )
