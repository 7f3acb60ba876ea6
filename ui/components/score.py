"""The verdict, the score and what it is made of."""

from __future__ import annotations

import math

import plotly.graph_objects as go
import streamlit as st

from audit.types import GroundedAudit, ScoreLine, Sentence
from ui.plain import as_html, as_markdown

RULES = "rules"


def writer_of(audit: GroundedAudit) -> str:
    """Name who wrote the audit."""
    return (
        "the rule analyst (no model answered)"
        if audit.model == RULES and audit.attempts
        else _WRITERS.get(audit.model, audit.model)
    )


_WRITERS = {RULES: "the rule analyst (no model is set up)"}


def show_verdict(audit: GroundedAudit, saved_as: str | None) -> None:
    """Show the dial, the verdict, the summary, what the score rests on and who wrote it."""
    summary = " ".join(sentence.text for sentence in audit.summary)
    kept = "kept in History" if saved_as else "not kept"
    written = f"Written by {writer_of(audit)} · {audit.created_at:%d %b %Y, %H:%M} UTC · {kept}"
    st.html(
        f'<div class="p-verdict">{_dial(audit.score)}<div style="flex:1;min-width:16rem">'
        f'<div class="p-word">{as_html(audit.verdict)}</div>'
        f'<div class="p-sub">{as_html(summary)}</div>'
        f'<div class="p-sub"><b>The score rests on:</b> {as_html(audit.rests_on)}</div>'
        f'<div class="p-meta">{as_html(written)}</div></div></div>'
    )


def _dial(score: float) -> str:
    radius, shown = 46.0, max(0.0, min(100.0, score))
    around = 2 * math.pi * radius
    return (
        f'<svg width="124" height="124" viewBox="0 0 124 124" role="img" aria-label="Score {shown:.0f} of 100">'
        f'<circle cx="62" cy="62" r="{radius}" fill="none" stroke="currentColor" stroke-opacity="0.14" '
        f'stroke-width="10"/><circle class="p-arc" cx="62" cy="62" r="{radius}" fill="none" stroke-width="10" '
        f'stroke-linecap="round" stroke-dasharray="{around * shown / 100:.1f} {around:.1f}" '
        f'transform="rotate(-90 62 62)"/><text x="62" y="68" text-anchor="middle" fill="currentColor" '
        f'font-size="32" font-weight="600">{shown:.0f}</text><text x="62" y="86" text-anchor="middle" '
        f'fill="currentColor" fill-opacity="0.75" font-size="11">of 100</text></svg>'
    )


def show_breakdown(audit: GroundedAudit, key: str) -> None:
    """Show each term of the score as a bar, with the reason in words and one sentence on the whole."""
    lines = audit.score_breakdown
    if not lines:
        return
    st.markdown(breakdown_sentence(lines))
    st.plotly_chart(
        breakdown_figure(lines),
        key=f"breakdown-{key}",
        config={"displayModeBar": False, "staticPlot": False},
        alt=breakdown_sentence(lines),
    )
    with st.container(key=f"reasons-{key}", gap="xsmall"):
        for line in lines:
            of = f" of {line.out_of:.0f}" if line.out_of else ""
            sign = "" if line.out_of else "+" if line.points > 0 else ""
            st.markdown(f"**{as_markdown(line.label)}** {sign}{line.points:.1f}{of}. {as_markdown(line.reason)}")


def breakdown_sentence(lines: tuple[ScoreLine, ...]) -> str:
    """Say which term lost the most points and what the adjustments add up to."""
    rated = [it for it in lines if it.out_of]
    moved = sum(it.points for it in lines if not it.out_of)
    parts = []
    if rated:
        worst = max(rated, key=lambda it: it.out_of - it.points)
        lost = worst.out_of - worst.points
        parts.append(
            f"Most points are lost on **{as_markdown(worst.label)}** ({lost:.0f} of {worst.out_of:.0f})."
            if lost >= 0.5
            else "No dimension loses points."
        )
    if abs(moved) >= 0.05:
        parts.append(f"Adjustments {'add' if moved > 0 else 'take off'} **{abs(moved):.1f}** points.")
    return " ".join(parts)


def breakdown_figure(lines: tuple[ScoreLine, ...]) -> go.Figure:
    """Draw each term: the filled part is earned, the outlined part was to be had; hatched bars are adjustments."""
    labels = [it.label for it in lines][::-1]
    earned = [it.points for it in lines][::-1]
    missed = [max(0.0, it.out_of - it.points) if it.out_of else 0.0 for it in lines][::-1]
    adjusts = [not it.out_of for it in lines][::-1]
    text = [f"{it.points:+.1f}" if not it.out_of else f"{it.points:.0f} / {it.out_of:.0f}" for it in lines][::-1]
    figure = go.Figure(
        [
            go.Bar(
                y=labels,
                x=earned,
                orientation="h",
                name="earned",
                marker={"pattern": {"shape": ["/" if it else "" for it in adjusts]}},
                text=text,
                textposition="outside",
                cliponaxis=False,
                hovertemplate="%{y}: %{text}<extra></extra>",
            ),
            go.Bar(
                y=labels,
                x=missed,
                orientation="h",
                name="not earned",
                marker={"color": "rgba(128,128,128,0.18)", "line": {"color": "rgba(128,128,128,0.6)", "width": 1}},
                hovertemplate="%{y}: %{x:.1f} not earned<extra></extra>",
            ),
        ]
    )
    figure.update_layout(
        barmode="overlay" if not any(missed) else "relative",
        height=70 + 34 * len(lines),
        margin={"l": 8, "r": 40, "t": 8, "b": 8},
        showlegend=False,
        xaxis={"title": "points", "zeroline": True},
        yaxis={"automargin": True, "ticklabelstandoff": 8},
        bargap=0.35,
    )
    return figure


def show_prose(title: str, sentences: tuple[Sentence, ...]) -> None:
    """Show sentences as a list, each with its unverified names, years and amounts marked."""
    if not sentences:
        return
    st.markdown(f"**{title}**")
    for sentence in sentences:
        doubtful = [term.text for term in sentence.terms if term.mark.value == "unverified"]
        note = f" :orange-badge[unverified: {as_markdown(', '.join(doubtful))}]" if doubtful else ""
        st.markdown(f"- {as_markdown(sentence.text)}{note}")
