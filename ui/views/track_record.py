"""What the audits said over time and how often they were right, and what repeats in the user's own records."""

from __future__ import annotations

from collections import Counter

import plotly.graph_objects as go
import streamlit as st

from audit.archive import AuditSummary
from audit.modes import MODES, Band
from ui import runtime, state
from ui.components import palette
from ui.components.forecasts import show_forecasts
from ui.components.patterns import show_patterns
from ui.facts import facts_now, patterns_now

MOST = 2_000


FORECASTS = "forecasts"
_VIEWS = {FORECASTS: "Forecasts and outcomes", state.PATTERNS: "Patterns in your records"}


def show() -> None:
    """Show the page."""
    asked = state.from_address(state.VIEW)
    chosen = st.segmented_control(
        "What to look at",
        list(_VIEWS),
        default=asked if asked in _VIEWS else FORECASTS,
        required=True,
        format_func=_VIEWS.__getitem__,
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
        st.html(
            '<div class="p-state"><div class="p-head">No track record yet</div><div class="p-body">'
            "It starts with the first audit. Whether audits were right can only be told once outcomes are known."
            "</div></div>"
        )
        return
    settled = services.decisions.settled(workspace)
    st.subheader("Were they right?", anchor=False)
    if settled:
        show_forecasts(settled, services.ledger.get(workspace, [it.record_id for it in settled]))
    else:
        st.html(
            '<div class="p-state"><div class="p-head">Too early to say</div><div class="p-body">'
            "No outcome is recorded. Open an audit from History and record how it ended: its score is then read as "
            "a forecast, and checked.</div></div>"
        )
    for mode in MODES.values():
        chosen = [it for it in rows if it.mode == mode.name]
        if chosen:
            st.subheader(f"{mode.wording.title}: scores over time", anchor=False)
            palette.draw(scores_sentence(chosen), scores_figure(chosen, mode.bands), f"scores-{mode.name}")


def scores_sentence(rows: list[AuditSummary]) -> str:
    """Say how many audits there are, by verdict, and how many found a precedent."""
    verdicts = Counter(it.verdict for it in rows).most_common()
    named = ", ".join(f"{count} {verdict.lower()}" for verdict, count in verdicts)
    found = sum(it.similar_found for it in rows)
    return f"{len(rows)} {'audit' if len(rows) == 1 else 'audits'}: {named}. {found} found a precedent in your records."


def scores_figure(rows: list[AuditSummary], bands: tuple[Band, ...]) -> go.Figure:
    """Plot each audit's score at its time; a filled mark found a precedent; lines divide the verdicts."""
    figure = go.Figure()
    for found, name, symbol in ((True, "precedent found", "circle"), (False, "none found", "circle-open")):
        chosen = [it for it in rows if it.similar_found is found]
        if chosen:
            figure.add_scatter(
                x=[it.created_at for it in chosen],
                y=[it.score for it in chosen],
                mode="markers",
                name=name,
                marker={"symbol": symbol, "color": palette.EARNED, "size": 11, "line": {"width": 2}},
                customdata=[[it.verdict] for it in chosen],
                hovertemplate="%{x|%d %b %Y, %H:%M}<br>%{y:.0f} of 100, %{customdata[0]}<extra></extra>",
            )
    for band in bands:
        if band.at_least > 0:
            figure.add_hline(
                y=band.at_least,
                line_dash="dot",
                line_width=1,
                line_color=palette.FRAME,
                annotation={"text": f"{band.verdict} from {band.at_least:.0f}", "font": {"size": 11}},
                annotation_position="top left",
            )
    return palette.framed(figure, height=320, y={"range": [-4, 104], "title": "score"})
