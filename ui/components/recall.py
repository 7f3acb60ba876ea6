"""The recall report: every record that was looked at, against the gate, and why it was kept or not."""

from __future__ import annotations

from collections.abc import Sequence

import pandas as pd
import plotly.graph_objects as go
import streamlit as st

from memory.report import Candidate, Decision, Hearsay, RecallReport
from ui.components import palette
from ui.plain import as_html, as_markdown, shorten

MAX_PLOTTED = 30
_INVISIBLE = "\u200b"  # tells two records of the same title apart on an axis
_LOOK = {
    Decision.KEPT: ("kept", "circle", palette.EARNED),
    Decision.NEAR: ("near", "diamond-open", palette.WARN),
    Decision.DROPPED: ("dropped", "x-thin-open", palette.MUTED),
}


def recall_sentence(report: RecallReport) -> str:
    """Say in one or two sentences how the search went."""
    if not report.state.looked:
        return report.message
    if not report.candidates:
        return f"{report.searched} records could have been found; none came near enough to be weighed."
    best = max(report.candidates, key=lambda it: it.probability)
    kept = len(report.kept)
    said = f"{report.searched} records were searched and {len(report.candidates)} weighed; "
    said += f"{kept} passed the gate at {report.gate.keep:.0%}."
    if not kept:
        said += f" The nearest, {best.record.title}, reached {best.probability:.0%}."
    return said


def recall_figure(candidates: Sequence[Candidate], keep: float, near: float) -> go.Figure:
    """Plot each candidate's probability, one row a record, with both cut-offs; the shape says what was decided."""
    rows = sorted(candidates, key=lambda it: it.probability, reverse=True)[:MAX_PLOTTED]
    names = [as_html(shorten(it.record.title, 44)) + _INVISIBLE * place for place, it in enumerate(rows)]
    figure = go.Figure()
    for decision, (name, symbol, color) in _LOOK.items():
        chosen = [(label, it) for label, it in zip(names, rows, strict=True) if it.decision is decision]
        if not chosen:
            continue
        figure.add_scatter(
            x=[it.probability for _, it in chosen],
            y=[label for label, _ in chosen],
            mode="markers",
            name=name,
            marker={"symbol": symbol, "color": color, "size": 12, "line": {"width": 2}},
            customdata=[[as_html(it.rule), it.similarity] for _, it in chosen],
            hovertemplate="%{y}<br>%{x:.0%} likely a precedent, similarity %{customdata[1]:.2f}"
            "<br>%{customdata[0]}<extra></extra>",
        )
    for place, label in ((keep, "gate"), (near, "near")):
        if 0 < place <= 1:
            dash = "dash" if label == "gate" else "dot"
            figure.add_vline(x=place, line_dash=dash, line_width=1.5, line_color=palette.FRAME)
            figure.add_annotation(
                x=place, y=1.0, yref="paper", yanchor="bottom", text=f"{label} {place:.0%}", showarrow=False
            )
    figure.update_layout(
        height=110 + 28 * len(rows),
        margin={"l": 8, "r": 16, "t": 34, "b": 8},
        xaxis={"range": [-0.02, 1.02], "tickformat": ".0%", "title": "chance of being a precedent"},
        yaxis={"categoryorder": "array", "categoryarray": names[::-1], "automargin": True, "ticklabelstandoff": 8},
        legend={"orientation": "h", "y": -60 / (28 * len(rows) + 20), "x": 0},
    )
    return figure


def show_near(report: RecallReport) -> None:
    """Show the nearest misses: how near each came and what kept it out."""
    misses = sorted(
        (it for it in report.candidates if it.decision is not Decision.KEPT),
        key=lambda it: it.probability,
        reverse=True,
    )[:3]
    if not misses:
        st.markdown("No record came near.")
        return
    st.markdown(":gray[These did not pass the gate and count for nothing in the score.]")
    rows = []
    for miss in misses:
        year = f" ({miss.record.year})" if miss.record.year else ""
        rows.append(
            f"- **{as_markdown(miss.record.title)}**{year} is {miss.probability:.0%} likely a precedent; the gate "
            f"is at {report.gate.keep:.0%}. Why it was left out: {as_markdown(miss.rule)}."
        )
    st.markdown("\n".join(rows))


def show_hearsay(hearsay: Hearsay) -> None:
    """Show what another memory said, with its sources, apart from the user's records."""
    if not hearsay.answered:
        st.warning(as_markdown(hearsay.message), icon=":material/cloud_off:")
        return
    st.markdown(as_markdown(hearsay.message))
    for it in hearsay.memories:
        said = " · ".join(part for part in ("unverified", it.kind, it.when, it.source) if part)
        st.markdown(as_markdown(shorten(it.text, 320)))
        st.caption(as_markdown(said))


def show_recall(report: RecallReport, key: str) -> None:
    """Show the plot against the gate and the table of reasons."""
    st.markdown(as_markdown(recall_sentence(report)))
    if report.hearsay:
        show_hearsay(report.hearsay)
    if not report.candidates:
        return
    st.plotly_chart(
        recall_figure(report.candidates, report.gate.keep, report.gate.near),
        key=f"recall-{key}",
        config={"displayModeBar": False},
        alt=recall_sentence(report),
    )
    st.dataframe(
        pd.DataFrame(
            [
                {
                    "Record": it.record.title,
                    "Decision": it.decision.value,
                    "Chance": 100 * it.probability,
                    "Similarity": it.similarity,
                    "Why": it.rule,
                    "Shared words": ", ".join(it.matched_terms),
                    "Confirmed by": it.confirmed_by.text if it.confirmed_by else "",
                    "Trust": 100 * it.record.confidence,
                    "Age (days)": round(it.age_days),
                    "Order": it.order,
                }
                for it in report.candidates
            ]
        ),
        hide_index=True,
        key=f"candidates-{key}",
        alt="Every record that recall weighed",
        column_config={
            "Chance": st.column_config.NumberColumn(format="%.0f%%"),
            "Similarity": st.column_config.NumberColumn(format="%.2f"),
            "Trust": st.column_config.NumberColumn(format="%.0f%%"),
            "Order": st.column_config.NumberColumn(format="%.3f"),
        },
    )
    if report.steps_ms:
        took = " · ".join(f"{name} {ms:.0f} ms" for name, ms in report.steps_ms.items())
        st.caption(as_markdown(took))
