"""How good the audits' forecasts were: accuracy, reliability, and the most wrong first."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence

import pandas as pd
import plotly.graph_objects as go
import streamlit as st

from audit.decisions import Settled
from audit.track_record import ENOUGH, Accuracy, Bin, accuracy, by, chance, most_wrong, reliability
from memory.records import BugFacts, InvestmentFacts, Record
from ui.components import palette
from ui.components.tables import ROW_HEIGHT
from ui.formats import day_column, number, percent
from ui.language import _, _n
from ui.looks import LOOKS
from ui.messages import N_
from ui.said import said

GUESS = 0.25
NO_SUBJECT = N_("none recorded")
FEW = N_("A group of under {enough} outcomes is too small to be scored; the brackets hold the 95% interval.")


def show_forecasts(settled: Sequence[Settled], facts: Mapping[str, Record]) -> None:
    """Show the accuracy in a sentence, the reliability diagram, the groups and the most wrong audits.

    ``facts`` are the records that the outcomes made, by id.
    """
    st.markdown(accuracy_sentence(accuracy(settled)))
    left, right = st.columns(2, gap="large")
    bins = reliability(settled)
    with left:
        st.markdown(_("**Forecast against what happened**"))
        palette.draw(reliability_sentence(bins), reliability_figure(bins), "reliability")
    with right:
        st.markdown(_("**By writer, by kind, by sector or weakness**"))
        rows = group_rows(settled, facts)
        st.dataframe(
            pd.DataFrame(rows),
            hide_index=True,
            row_height=ROW_HEIGHT,
            height=min(10, len(rows) + 1) * ROW_HEIGHT,
            placeholder="",
            alt=_("Accuracy by group"),
        )
        st.caption(_(FEW, enough=number(ENOUGH)))
    st.markdown(_("**The most wrong first**"))
    wrong = most_wrong(settled)
    chosen = st.dataframe(
        pd.DataFrame(
            [
                {
                    _("Title"): it.title,
                    _("Forecast"): 100 * chance(it),
                    _("What happened"): _("ended well") if it.went_well else _("ended badly"),
                    _("Verdict"): said(it.verdict),
                    _("Written by"): _("rule analyst") if it.model == "rules" else it.model,
                    _("Audited"): it.audited_at,
                }
                for it in wrong
            ]
        ),
        hide_index=True,
        key="most-wrong",
        on_select="rerun",
        selection_mode="single-row",
        row_height=ROW_HEIGHT,
        height=(len(wrong) + 1) * ROW_HEIGHT,
        placeholder="",
        alt=_("Audits by how wrong they were"),
        column_config={
            _("Title"): st.column_config.TextColumn(width=270),
            _("Forecast"): st.column_config.NumberColumn(format="%.0f%%"),
            _("Audited"): st.column_config.DatetimeColumn(format=day_column()),
        },
    )
    picked = chosen["selection"]["rows"]
    if picked and picked[0] < len(wrong):
        row = wrong[picked[0]]
        st.switch_page(LOOKS[row.mode].place.path, query_params={"audit": row.audit_id})


def group_rows(settled: Sequence[Settled], facts: Mapping[str, Record]) -> list[dict[str, object]]:
    """Lay out the accuracy of each group that an audit falls into: by writer, by kind, by sector or weakness."""
    ways: tuple[Callable[[Settled], str], ...] = (
        lambda it: _("rule analyst") if it.model == "rules" else it.model,
        lambda it: _(LOOKS[it.mode].place.label),
        lambda it: subject_of(facts.get(it.record_id)),
    )
    return [
        {_("Group"): name, _("Brier score"): brier_words(it), _("Outcomes"): it.cases}
        for group in ways
        for name, it in by(settled, group).items()
    ]


def subject_of(record: Record | None) -> str:
    """Name the sector or the weakness (CWE) of a fact."""
    match record.facts if record else None:
        case InvestmentFacts(sector=sector) if sector.strip():
            return sector.strip()
        case BugFacts(cwe=cwe) if cwe.strip():
            return cwe.strip()
        case _:
            return _(NO_SUBJECT)


def accuracy_sentence(it: Accuracy) -> str:
    """Say how good the forecasts were, or that there are too few to say."""
    if it.brier is None:
        return _(
            "**Too few to say.** {cases} of at least {enough} outcomes are known.",
            cases=number(it.cases),
            enough=number(ENOUGH),
        )
    score = {"score": brier_words(it), "cases": number(it.cases), "guess": number(GUESS, 2)}
    if it.brier < GUESS:
        return _(
            "**Brier score {score}** over {cases} outcomes: better than always saying 50% ({guess}). 0 is perfect.",
            **score,
        )
    return _(
        "**Brier score {score}** over {cases} outcomes: no better than always saying 50% ({guess}). 0 is perfect.",
        **score,
    )


def brier_words(it: Accuracy) -> str:
    """Write a Brier score with its 95% interval."""
    if it.brier is None or it.low is None or it.high is None:
        return _("too few to say")
    return _("{score} ({low} to {high})", score=number(it.brier, 2), low=number(it.low, 2), high=number(it.high, 2))


def reliability_sentence(bins: Sequence[Bin]) -> str:
    """Say how the fullest range of forecasts turned out, or that even that holds too few."""
    fullest = max(bins, key=lambda it: it.cases)
    if fullest.cases < ENOUGH:
        return _(
            "**Too few to say** of any range: the fullest, around {forecast}, holds {cases} of at least {enough} "
            "outcomes. Points on the line came true as often as forecast; the bars hold the 95% interval.",
            forecast=percent(fullest.forecast),
            cases=number(fullest.cases),
            enough=number(ENOUGH),
        )
    return _(
        "Where audits forecast about {forecast}, {happened} of {cases} ended well ({low} to {high} with 95% "
        "confidence). Points on the line came true as often as forecast; a hollow point holds too few to say.",
        forecast=percent(fullest.forecast),
        happened=percent(fullest.happened),
        cases=number(fullest.cases),
        low=percent(fullest.low),
        high=percent(fullest.high),
    )


def reliability_figure(bins: Sequence[Bin]) -> go.Figure:
    """Plot what happened over what was forecast, with its interval; a point's label tells how many audits it holds.

    A point of fewer than ten is hollow.
    """
    figure = go.Figure(
        [
            go.Scatter(
                x=[0, 1], y=[0, 1], mode="lines", line={"dash": "dash", "color": palette.FRAME}, hoverinfo="skip"
            ),
            go.Scatter(
                x=[it.forecast for it in bins],
                y=[it.happened for it in bins],
                mode="markers+text",
                text=[f" {it.cases}" for it in bins],
                textposition="middle right",
                marker={
                    "symbol": ["circle" if it.cases >= ENOUGH else "circle-open" for it in bins],
                    "size": 14,
                    "color": palette.EARNED,
                    "line": {"width": 2.5, "color": palette.EARNED},
                },
                error_y={
                    "array": [it.high - it.happened for it in bins],
                    "arrayminus": [it.happened - it.low for it in bins],
                    "color": palette.EARNED,
                    "thickness": 1.5,
                    "width": 5,
                },
                customdata=[
                    [
                        _n(
                            "forecast {forecast}, happened {happened} ({low} to {high}), {count} audit",
                            "forecast {forecast}, happened {happened} ({low} to {high}), {count} audits",
                            it.cases,
                            forecast=percent(it.forecast),
                            happened=percent(it.happened),
                            low=percent(it.low),
                            high=percent(it.high),
                        )
                    ]
                    for it in bins
                ],
                hovertemplate="%{customdata[0]}<extra></extra>",
            ),
        ]
    )
    return palette.framed(
        figure,
        height=320,
        x={"range": [-0.03, 1.06], "tickformat": ".0%", "title": _("forecast")},
        y={"range": [-0.06, 1.06], "tickformat": ".0%", "title": _("ended well")},
        showlegend=False,
    )
