"""The recall report: every record that was looked at, against the gate, and why it was kept or not."""

from __future__ import annotations

import re
from collections.abc import Sequence

import pandas as pd
import plotly.graph_objects as go
import streamlit as st

from memory.records import render
from memory.report import Candidate, Decision, Hearsay, RecallReport
from memory.terms import tokens
from ui.components import palette
from ui.formats import likeness, number, percent
from ui.language import _, paragraph
from ui.messages import N_
from ui.plain import as_html, as_markdown, quiet, shorten
from ui.said import said

MAX_PLOTTED = 30
_WORD = re.compile(r"\w+")
_INVISIBLE = "\u200b"  # tells two records of the same title apart on an axis
_LOOK = {
    Decision.KEPT: (N_("kept"), "circle", palette.EARNED),
    Decision.NEAR: (N_("near"), "diamond-open", palette.WARN),
    Decision.DROPPED: (N_("dropped"), "x-thin-open", palette.MUTED),
}


def recall_sentence(report: RecallReport) -> str:
    """Say in one or two sentences how the search went."""
    if not report.state.looked:
        return said(report.message)
    searched = number(report.searched)
    if not report.candidates:
        return _("{searched} records could have been found; none came near enough to be weighed.", searched=searched)
    best = max(report.candidates, key=lambda it: it.probability)
    told = _(
        "{searched} records were searched and {weighed} weighed; {kept} passed the gate at {gate}.",
        searched=searched,
        weighed=number(len(report.candidates)),
        kept=number(len(report.kept)),
        gate=percent(report.gate.keep),
    )
    if not report.kept:
        nearest = _("The nearest, {title}, reached {share}.", title=best.record.title, share=percent(best.probability))
        told = paragraph(told, nearest)
    return told


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
            x=[it.probability for label, it in chosen],
            y=[label for label, it in chosen],
            mode="markers",
            name=_(name),
            marker={"symbol": symbol, "color": color, "size": 12, "line": {"width": 2}},
            customdata=[
                [
                    as_html(said(it.rule)),
                    _(
                        "{share} likely a precedent, similarity {similarity}",
                        share=likeness(it.probability),
                        similarity=number(it.similarity, 2),
                    ),
                ]
                for label, it in chosen
            ],
            hovertemplate="%{y}<br>%{customdata[1]}<br>%{customdata[0]}<extra></extra>",
        )
    for place, label, dash in ((keep, _("gate"), "dash"), (near, _("near"), "dot")):
        if 0 < place <= 1:
            figure.add_vline(x=place, line_dash=dash, line_width=1.5, line_color=palette.FRAME)
            figure.add_annotation(
                x=place, y=1.0, yref="paper", yanchor="bottom", text=f"{label} {percent(place)}", showarrow=False
            )
    figure.update_layout(
        height=110 + 28 * len(rows),
        margin={"l": 8, "r": 16, "t": 34, "b": 8},
        xaxis={"range": [-0.02, 1.02], "tickformat": ".0%", "title": _("chance of being a precedent")},
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
        st.markdown(_("No record came near."))
        return
    st.markdown(quiet(_("These did not pass the gate and count for nothing in the score.")))
    rows = []
    for miss in misses:
        year = f" ({miss.record.year})" if miss.record.year else ""
        title = f"**{as_markdown(miss.record.title)}**{year}"
        told = _(
            "{title} is {share} likely a precedent; the gate is at {gate}.",
            title=title,
            share=percent(miss.probability),
            gate=percent(report.gate.keep),
        )
        if not _by_chance_alone(miss):
            told = paragraph(told, _("Why it was left out: {why}.", why=as_markdown(said(miss.rule))))
        rows.append(f"- {told}")
    st.markdown("\n".join(rows))


def _by_chance_alone(candidate: Candidate) -> bool:
    """Tell whether nothing but the chance, which is said already, kept a record out."""
    return candidate.rule.startswith(f"{candidate.probability:.0%} likely")


def as_written(candidate: Candidate) -> list[str]:
    """Give the shared terms as the record writes them: terms are compared by their stems."""
    written: dict[str, str] = {}
    for word in _WORD.findall(render(candidate.record)):
        for term in tokens(word):
            written.setdefault(term, word.lower())
    return [written.get(term, term) for term in candidate.matched_terms]


def show_hearsay(hearsay: Hearsay) -> None:
    """Show what another memory said, with its sources, apart from the user's records."""
    if not hearsay.answered:
        st.warning(as_markdown(said(hearsay.message)), icon=":material/cloud_off:")
        return
    st.markdown(as_markdown(said(hearsay.message)))
    for it in hearsay.memories:
        about = " · ".join(part for part in (_("unverified"), it.kind, it.when, it.source) if part)
        st.markdown(as_markdown(shorten(it.text, 320)))
        st.caption(as_markdown(about))


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
                    _("Record"): it.record.title,
                    _("Decision"): said(it.decision.value),
                    _("Chance"): 100 * min(0.99, it.probability),  # an estimate is never certain
                    _("Similarity"): it.similarity,
                    _("Why"): said(it.rule),
                    _("Shared words"): _(", ").join(as_written(it)),
                    _("Confirmed by"): said(it.confirmed_by.text) if it.confirmed_by else "",
                    _("Trust"): 100 * it.record.confidence,
                    _("Age (days)"): round(it.age_days),
                    _("Order"): it.order,
                }
                for it in report.candidates
            ]
        ),
        hide_index=True,
        key=f"candidates-{key}",
        placeholder="",
        alt=_("Every record that recall weighed"),
        column_config={
            _("Chance"): st.column_config.NumberColumn(format="%.1f%%"),
            _("Similarity"): st.column_config.NumberColumn(format="%.2f"),
            _("Trust"): st.column_config.NumberColumn(format="%.0f%%"),
            _("Order"): st.column_config.NumberColumn(format="%.3f"),
        },
    )
    st.caption(
        _(
            "Similarity is how alike the wording is at its best passage. The chance decides: it also weighs shared "
            "words and findings, and takes off the likeness that any such text has, so a lower similarity can have a "
            "higher chance."
        )
    )
    if len(report.candidates) < report.searched:
        st.caption(
            _(
                "A record that is not in the table was further off than all that are. One that is archived, waits for "
                "your review or was set apart is not searched at all; its own page in Memory says so."
            )
        )
    if report.steps_ms:
        took = " · ".join(_("{step} {ms} ms", step=said(name), ms=number(ms)) for name, ms in report.steps_ms.items())
        st.caption(as_markdown(_("Time taken: {steps}", steps=took)))
