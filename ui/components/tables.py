"""Tables of audits and of records. Cells are plain text; a chosen row opens what it names."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import pandas as pd
import streamlit as st

from audit.archive import AuditSummary
from audit.modes import NOT_JUDGED
from memory.records import BugFacts, Facts, InvestmentFacts, Record
from ui.formats import moment_column, money
from ui.language import _
from ui.looks import LOOKS
from ui.said import said
from ui.state import AUDIT

ROW_HEIGHT = 38


def show_audits(rows: Sequence[AuditSummary], key: str, since: Mapping[str, str] | None = None) -> None:
    """Show saved audits; choosing one opens it on its mode's page. ``since`` says by id what came after an audit."""
    chosen = st.dataframe(
        pd.DataFrame(
            [
                {
                    _("When"): it.created_at,
                    _("Title"): it.title,
                    _("Verdict"): said(it.verdict),
                    _("Score"): None if it.verdict == NOT_JUDGED else it.score,
                    _("In your history"): _("found") if it.similar_found else _("none found"),
                }
                | ({_("Since then"): since.get(it.id, "")} if since else {})
                | {
                    _("What"): _(LOOKS[it.mode].place.label),
                    _("Written by"): _("rule analyst") if it.model == "rules" else it.model,
                }
                for it in rows
            ]
        ),
        hide_index=True,
        key=key,
        on_select="rerun",
        selection_mode="single-row",
        height=(len(rows) + 1) * ROW_HEIGHT,
        row_height=ROW_HEIGHT,
        placeholder="",
        alt=_("Saved audits"),
        column_config={
            _("When"): st.column_config.DatetimeColumn(format=moment_column(), width=150),
            _("Title"): st.column_config.TextColumn(width=200),
            _("Verdict"): st.column_config.TextColumn(width=142),
            _("Since then"): st.column_config.TextColumn(width=150),
            _("Score"): st.column_config.ProgressColumn(format="%.0f", min_value=0, max_value=100, width=70),
        },
    )
    picked = chosen["selection"]["rows"]
    if picked and picked[0] < len(rows):
        row = rows[picked[0]]
        st.switch_page(LOOKS[row.mode].place.path, query_params={AUDIT: row.id})
    st.caption(_("Tick a row to open the audit exactly as it was."))


def record_rows(records: Sequence[Record]) -> pd.DataFrame:
    """Lay records out as rows, one column a fact."""
    rows = facts_rows([it.facts for it in records])
    if len(rows):
        rows.insert(1, _("Kind"), [said(it.kind.value.replace("_", " ")) for it in records])
        rows[_("Trust")] = [100 * it.confidence for it in records]
        rows[_("Status")] = [_standing(it) for it in records]
    return rows


def facts_rows(facts: Sequence[Facts]) -> pd.DataFrame:
    """Lay facts out as rows."""
    rows = pd.DataFrame([_row(it) for it in facts])
    return rows.astype({_("Year"): "Int64"}) if len(rows) else rows


def _standing(record: Record) -> str:
    status = said(record.status.value)
    return _("{status}, protected", status=status) if record.protected else status


def _row(facts: Facts) -> dict[str, object]:
    about: tuple[str, ...]
    match facts:
        case InvestmentFacts() as it:
            outcome, loss, told = said(it.outcome.label), it.loss, it.lesson
            about = (it.sector, it.summary)
        case BugFacts() as it:
            outcome, loss, told = said(it.outcome.label), it.loss, it.fix
            about = (it.cwe, it.language, it.symptom)
        case note:
            outcome, loss, told = "", None, ""
            about = (note.text,)
    return {
        _("Title"): facts.title,
        _("Year"): facts.year,
        _("Outcome"): outcome,
        _("Loss"): money(loss) if loss else "",
        _("About"): " · ".join(part for part in about if part),
        _("Lesson or fix"): told,
    }
