"""Tables of audits and of records. Cells are plain text; a chosen row opens what it names."""

from __future__ import annotations

from collections.abc import Sequence

import pandas as pd
import streamlit as st

from audit.archive import AuditSummary
from memory.records import BugFacts, InvestmentFacts, Record
from ui.looks import LOOKS
from ui.state import AUDIT

ROW_HEIGHT = 38


def show_audits(rows: Sequence[AuditSummary], key: str) -> None:
    """Show saved audits; choosing one opens it on its mode's page."""
    chosen = st.dataframe(
        pd.DataFrame(
            [
                {
                    "When": it.created_at,
                    "What": LOOKS[it.mode].place.label,
                    "Title": it.title,
                    "Verdict": it.verdict,
                    "Score": it.score,
                    "In your history": "found" if it.similar_found else "none found",
                    "Written by": "rule analyst" if it.model == "rules" else it.model,
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
        alt="Saved audits",
        column_config={
            "When": st.column_config.DatetimeColumn(format="D MMM YYYY, HH:mm", width=150),
            "Title": st.column_config.TextColumn(width=300),
            "Score": st.column_config.ProgressColumn(format="%.0f", min_value=0, max_value=100, width="small"),
        },
    )
    picked = chosen["selection"]["rows"]
    if picked and picked[0] < len(rows):
        row = rows[picked[0]]
        st.switch_page(LOOKS[row.mode].place.path, query_params={AUDIT: row.id})
    st.caption("Tick a row to open the audit exactly as it was.")


def record_rows(records: Sequence[Record]) -> pd.DataFrame:
    """Lay records out as rows, one column a fact."""
    return pd.DataFrame(
        [
            {
                "Title": it.title,
                "Kind": it.kind.value.replace("_", " "),
                "Year": it.year,
                "Outcome": it.outcome.label if it.outcome else "",
                "Loss": str(it.loss) if it.loss else "",
                "About": _about(it),
                "Lesson or fix": it.lesson,
                "Trust": 100 * it.confidence,
                "Status": it.status.value + (", protected" if it.protected else ""),
            }
            for it in records
        ]
    )


def _about(record: Record) -> str:
    match record.facts:
        case InvestmentFacts(sector=sector, summary=summary):
            return " · ".join(part for part in (sector, summary) if part)
        case BugFacts(cwe=cwe, language=language, symptom=symptom):
            return " · ".join(part for part in (cwe, language, symptom) if part)
        case note:
            return note.text
