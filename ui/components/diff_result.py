"""A triaged diff: past bugs that recur on added lines first, then findings, each under its file's own line number."""

from __future__ import annotations

import json
from collections.abc import Callable, Sequence
from typing import Literal

import streamlit as st

from audit.diff_triage import DiffTriage, FileTriage
from audit.modes import MODES, verdict_in_words
from audit.placed import PlacedFinding
from audit.reports import Report, audit_report, report, sarif_text
from audit.service import SavedAudit
from audit.types import GroundedAudit
from memory.records import SEVERITIES
from ui.components.panel import show_panel
from ui.components.precedents import decided_now, show_precedent
from ui.formats import number
from ui.language import _, _n, paragraph, speech
from ui.looks import LOOKS
from ui.plain import as_markdown, revealed
from ui.said import said
from ui.state import AUDIT

MOST_SHOWN = 200
_COLORS: dict[str, Literal["red", "orange", "blue", "gray"]] = {
    "critical": "red",
    "high": "red",
    "medium": "orange",
    "low": "blue",
    "info": "gray",
}
Download = tuple[str, str, str, Callable[[], str]]


def sarif_download(audit: GroundedAudit) -> tuple[Download, ...]:
    """Give the download of an audit as SARIF, where its findings have lines; else none."""
    if not LOOKS[audit.mode].shows_code:
        return ()
    return (_sarif(lambda: audit_report(SavedAudit(audit, None), audit.submission.name)),)


def show_triage(triage: DiffTriage, key: str) -> None:
    """Show what a diff brings: repeats as cards, findings by severity, each file with the way to its own audit."""
    _show_headline(triage)
    for note in triage.notes:
        st.info(as_markdown(said(note)), icon=":material/info:")
    unsearched = [it.file.path for it in triage.files if not it.saved.audit.recall.state.looked]
    if unsearched:
        st.warning(
            _(
                "Your records could not be searched for {files}: repeats may be missing.",
                files=as_markdown(", ".join(unsearched)),
            ),
            icon=":material/warning:",
        )
    decided = decided_now([it.precedent.record for it in triage.repeats])
    for file in triage.files:
        for at, it in enumerate(file.repeats):
            audit = file.saved.audit
            st.markdown(_("**{place}** repeats a past bug of yours:", place=_place(it.path, it.line)))
            name = f"{key}-{file.file.path}-{at}"
            record = it.precedent.record
            show_precedent(it.precedent, MODES[audit.mode], file.saved.saved_as, name, decided.get(record.id))
    if triage.findings:
        st.header(_("Findings on added lines ({count})", count=number(len(triage.findings))), anchor=False)
        _show_findings(triage.findings)
    if triage.files:
        st.header(_("File by file"), anchor=False)
        for file in triage.files:
            _show_file(file)
    _show_downloads(report(triage, speech=speech(), decided=decided), key)


def _show_headline(triage: DiffTriage) -> None:
    files = _n(
        "{count} file was judged, and only what stands on added lines counts.",
        "{count} files were judged, and only what stands on added lines counts.",
        len(triage.files),
    )
    count = len({it.precedent.record.id for it in triage.repeats})
    if not triage.files:
        head = _("Nothing to judge in this diff")
        body = _("It adds no line of code. Deleted and renamed files add none.")
    elif count:
        head = _n("A past bug of yours recurs", "{count} past bugs of yours recur", count)
        body = paragraph(files, _("Look at the repeats first."))
    else:
        head = _("None of your past bugs recurs")
        body = paragraph(files, _("Nothing you have fixed before comes back here."))
    show_panel(head, body, live=True)


def _show_findings(findings: Sequence[PlacedFinding]) -> None:
    ranked = sorted(findings, key=lambda it: (SEVERITIES.index(it.finding.severity), it.path, it.line or 0))
    for it in ranked[:MOST_SHOWN]:
        found = it.finding
        with st.container(border=True, gap="xsmall"):
            with st.container(horizontal=True, vertical_alignment="center", gap="small"):
                st.badge(said(found.severity), color=_COLORS[found.severity])
                st.markdown(f"**{_place(it.path, it.line)}**", width="content")
                st.caption(as_markdown(said(found.subject.replace("_", " "))), width="content")
            st.markdown(as_markdown(said(found.title)))
            if found.quote:
                st.code(revealed(found.quote), language=None, wrap_lines=True)
            if found.fix:
                st.markdown(_("**Fix:** {fix}", fix=as_markdown(said(found.fix))))
    if len(ranked) > MOST_SHOWN:
        st.caption(
            _(
                "The worst {shown} are shown; the downloads hold all {count}.",
                shown=number(MOST_SHOWN),
                count=number(len(ranked)),
            )
        )


def _show_file(file: FileTriage) -> None:
    audit = file.saved.audit
    with st.container(horizontal=True, vertical_alignment="center", gap="small"):
        st.markdown(f"**{as_markdown(file.file.path)}**", width="content")
        found = _n("{count} finding", "{count} findings", len(file.findings))
        repeats = _n("{count} repeat", "{count} repeats", len(file.repeats))
        verdict = as_markdown(said(verdict_in_words(audit.verdict, audit.score)))
        st.caption(" · ".join((verdict, found, repeats)), width="content")
        if file.saved.saved_as:
            place = LOOKS[audit.mode].place
            st.page_link(
                place.path, label=_("Open its audit"), icon=place.icon, query_params={AUDIT: file.saved.saved_as}
            )
    if file.saved.problem:
        st.warning(as_markdown(said(file.saved.problem)), icon=":material/warning:")


def _show_downloads(told: Report, key: str) -> None:
    with st.container(horizontal=True, gap="small", key="downloads"):
        for label, extension, mime, write in (
            (_("Text"), "txt", "text/plain", lambda: told.text),
            ("JSON", "json", "application/json", lambda: json.dumps(told.data, ensure_ascii=False, indent=2)),
            _sarif(lambda: told),
        ):
            st.download_button(
                label,
                write,
                file_name=f"precedent-diff-{key[:12]}.{extension}",
                mime=mime,
                icon=":material/download:",
                on_click="ignore",
            )


def _sarif(tell: Callable[[], Report]) -> Download:
    return ("SARIF", "sarif", "application/sarif+json", lambda: sarif_text(tell()))


def _place(path: str, line: int | None) -> str:
    return as_markdown(f"{path}:{line}" if line else path)
