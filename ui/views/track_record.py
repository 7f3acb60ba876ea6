"""What the audits said over time and how often they were right, and what repeats in the user's own records."""

from __future__ import annotations

from collections import Counter
from datetime import timedelta

import plotly.graph_objects as go
import streamlit as st

from audit.archive import AuditSummary
from audit.modes import MODES, NOT_JUDGED, Band
from audit.track_record import forecasts
from ui import runtime, state
from ui.components import palette
from ui.components.forecasts import show_forecasts
from ui.components.panel import show_panel, show_ways_in
from ui.components.patterns import show_patterns
from ui.facts import facts_now, patterns_now
from ui.formats import day_axis, moment, number
from ui.language import _, _n
from ui.messages import N_
from ui.said import said

MOST = 2_000
LEAST_ROOM = timedelta(hours=1)


FORECASTS = "forecasts"
_VIEWS = {FORECASTS: N_("Forecasts and outcomes"), state.PATTERNS: N_("Patterns in your records")}


def show() -> None:
    """Show the page."""
    asked = state.from_address(state.VIEW)
    chosen = st.segmented_control(
        _("What to look at"),
        list(_VIEWS),
        default=asked if asked in _VIEWS else FORECASTS,
        required=True,
        format_func=lambda it: _(_VIEWS[it]),
        key="track-view",
        label_visibility="collapsed",
    )
    if chosen == state.PATTERNS:
        show_patterns(patterns_now(), facts_now().records)
    else:
        _show_forecasts()


def _show_forecasts() -> None:
    services, workspace = runtime.services(), runtime.settings().workspace
    rows = services.archive.list(workspace, limit=MOST, offset=0)
    if not rows:
        show_panel(
            _("No track record yet"),
            _("It starts with the first audit. Whether audits were right can only be told once outcomes are known."),
        )
        show_ways_in()
        return
    settled = forecasts(services.decisions.settled(workspace))
    st.header(_("Were they right?"), anchor=False)
    if settled:
        show_forecasts(settled, services.ledger.get(workspace, [it.record_id for it in settled]))
    else:
        show_panel(
            _("Too early to say"),
            _(
                "No outcome is recorded. Open an audit from History and record how it ended: its score is then read as "
                "a forecast, and checked."
            ),
        )
    for mode in MODES.values():
        chosen = [it for it in rows if it.mode == mode.name and it.verdict != NOT_JUDGED]
        if chosen:
            st.header(_("{mode}: scores over time", mode=said(mode.wording.title)), anchor=False)
            palette.draw(scores_sentence(chosen), scores_figure(chosen, mode.bands), f"scores-{mode.name}")


def scores_sentence(rows: list[AuditSummary]) -> str:
    """Say how many audits there are, by verdict, and how many found a precedent."""
    verdicts = Counter(it.verdict for it in rows).most_common()
    named = _(", ").join(
        _("{count} {verdict}", count=number(count), verdict=said(verdict).lower()) for verdict, count in verdicts
    )
    found = number(sum(it.similar_found for it in rows))
    return _n(
        "{count} audit: {verdicts}. {found} found a precedent in your records.",
        "{count} audits: {verdicts}. {found} found a precedent in your records.",
        len(rows),
        verdicts=named,
        found=found,
    )


def scores_figure(rows: list[AuditSummary], bands: tuple[Band, ...]) -> go.Figure:
    """Plot each audit's score at its time; a filled mark found a precedent; lines divide the verdicts."""
    figure = go.Figure()
    for found, name, symbol in ((True, _("precedent found"), "circle"), (False, _("none found"), "circle-open")):
        chosen = [it for it in rows if it.similar_found is found]
        if chosen:
            figure.add_scatter(
                x=[it.created_at for it in chosen],
                y=[it.score for it in chosen],
                mode="markers",
                name=name,
                marker={"symbol": symbol, "color": palette.EARNED, "size": 11, "line": {"width": 2}},
                customdata=[
                    [
                        moment(it.created_at),
                        _("{score} of 100, {verdict}", score=number(it.score), verdict=said(it.verdict)),
                    ]
                    for it in chosen
                ],
                hovertemplate="%{customdata[0]}<br>%{customdata[1]}<extra></extra>",
            )
    for band in bands:
        if band.at_least > 0:
            figure.add_hline(
                y=band.at_least,
                line_dash="dot",
                line_width=1,
                line_color=palette.FRAME,
                annotation={
                    "text": _("{verdict} from {score}", verdict=said(band.verdict), score=number(band.at_least)),
                    "font": {"size": 11},
                },
                annotation_position="top left",
            )
    within_a_day = 86_400_000
    ticks = [
        {"dtickrange": [None, within_a_day - 1], "value": f"%H:%M\n{day_axis()}"},
        {"dtickrange": [within_a_day, None], "value": day_axis()},
    ]
    times = [it.created_at for it in rows]
    room = max((max(times) - min(times)) / 25, LEAST_ROOM)
    return palette.framed(
        figure,
        height=320,
        x={"tickformatstops": ticks, "range": [min(times) - room, max(times) + room]},
        y={"range": [-4, 104], "title": _("score")},
    )
