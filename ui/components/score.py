"""The verdict, the score and what it is made of."""

from __future__ import annotations

import textwrap

import plotly.graph_objects as go
import streamlit as st

from audit.llm.errors import FailureKind
from audit.modes import NOT_JUDGED
from audit.types import GroundedAudit, Mark, ScoreLine, Sentence
from ui.components import palette
from ui.plain import as_html, as_markdown

RULES = "rules"
MOST_CHANGES = 3


def writer_of(audit: GroundedAudit) -> str:
    """Name who wrote the audit; where the rule analyst did, say why no model did."""
    if audit.model != RULES:
        return audit.model
    tried = any(it.outcome != FailureKind.NOT_CONFIGURED.value for it in audit.attempts)
    return "the rule analyst, as no model answered" if tried else "the rule analyst, as no model is set up"


def show_verdict(audit: GroundedAudit, saved_as: str | None, key: str) -> None:
    """Show dial, verdict, summary and writer on the left, what the score is made of on the right."""
    left, right = st.columns([1.15, 1], gap="large")
    with left:
        _show_words(audit, saved_as)
    with right:
        if audit.score_breakdown:
            sentence = breakdown_sentence(audit.score_breakdown)
            st.markdown(sentence)
            st.plotly_chart(
                breakdown_figure(audit.score_breakdown),
                key=f"breakdown-{key}",
                config={"displayModeBar": False},
                alt=sentence,
            )


def _show_words(audit: GroundedAudit, saved_as: str | None) -> None:
    score = max(0.0, min(100.0, audit.score))
    summary = " ".join(sentence.text for sentence in audit.summary)
    kept = "kept in History" if saved_as else "not kept"
    dial = (
        f'<div class="p-dial" style="--p-score:{score:.1f}" role="img" aria-label="Score {score:.0f} of 100">'
        f'<span class="p-number">{score:.0f}</span><span class="p-of">of 100</span></div>'
    )
    st.html(
        f'<div class="p-verdict">{"" if audit.verdict == NOT_JUDGED else dial}<div class="p-words">'
        f'<div class="p-word">{as_html(audit.verdict)}</div>'
        f'<div class="p-meta">Written by <b>{as_html(writer_of(audit))}</b><br>{audit.created_at:%d %b %Y, %H:%M} UTC, '
        f'{kept}</div></div></div><p class="p-sub">{as_html(summary)}</p>'
        f'<p class="p-sub">{as_html(audit.rests_on)}</p>'
    )
    changes = would_change(audit.score_breakdown)
    if changes:
        st.markdown("**What would change this score**")
        st.markdown(
            "\n".join(f"- {as_markdown(label)}: {points}. {as_markdown(reason)}" for label, points, reason in changes)
        )


def would_change(lines: tuple[ScoreLine, ...]) -> list[tuple[str, str, str]]:
    """Pick the terms that hold the most points back: label, points in words, reason."""
    held = [(it.out_of - it.points if it.out_of else -it.points, it) for it in lines]
    held = sorted((it for it in held if it[0] >= 1), key=lambda it: it[0], reverse=True)[:MOST_CHANGES]
    return [
        (it.label, f"up to {points:.0f} more" if it.out_of else f"takes off {points:.0f}", it.reason)
        for points, it in held
    ]


def show_reasons(lines: tuple[ScoreLine, ...]) -> None:
    """Show every term of the score with its reason in words."""
    rows = []
    for line in lines:
        points = f"{line.points:.1f} of {line.out_of:.0f}" if line.out_of else f"{line.points:+.1f}"
        rows.append(f"- **{as_markdown(line.label)}**: {points}. {as_markdown(line.reason)}")
    st.markdown("\n".join(rows))


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
    """Draw each term: the filled part is earned, the outline is what was to be had; hatched bars are adjustments."""
    rows = lines[::-1]
    labels = ["<br>".join(textwrap.wrap(as_html(it.label), 24)) for it in rows]
    text = [f"{it.points:.0f} of {it.out_of:.0f}" if it.out_of else f"{it.points:+.1f}" for it in rows]
    figure = go.Figure(
        [
            go.Bar(
                y=labels,
                x=[it.out_of for it in rows],
                orientation="h",
                marker={"color": palette.WASH, "line": {"color": palette.FRAME, "width": 1}},
                hoverinfo="skip",
            ),
            go.Bar(
                y=labels,
                x=[it.points for it in rows],
                orientation="h",
                marker={
                    "color": [palette.LOST if it.points < 0 else palette.EARNED for it in rows],
                    "pattern": {"shape": ["" if it.out_of else "/" for it in rows]},
                },
                customdata=text,
                hovertemplate="%{y}: %{customdata}<extra></extra>",
            ),
            go.Scatter(
                y=labels,
                x=[max(it.out_of, it.points, 0.0) for it in rows],
                mode="text",
                text=[f" {it}" for it in text],
                textposition="middle right",
                cliponaxis=False,
                hoverinfo="skip",
            ),
        ]
    )
    figure.update_layout(
        barmode="overlay",
        height=50 + 34 * len(rows),
        margin={"l": 8, "r": 62, "t": 4, "b": 4},
        showlegend=False,
        xaxis={"title": "points", "zeroline": True, "zerolinecolor": palette.FRAME},
        yaxis={"automargin": True, "ticklabelstandoff": 8, "showgrid": False},
        bargap=0.35,
    )
    return figure


def show_prose(title: str, sentences: tuple[Sentence, ...]) -> None:
    """Show sentences as a list, each with its unverified names, years and amounts marked."""
    if not sentences:
        return
    rows = []
    for sentence in sentences:
        doubtful = [term.text for term in sentence.terms if term.mark is Mark.UNVERIFIED]
        note = f" :orange-badge[unverified: {as_markdown(', '.join(doubtful))}]" if doubtful else ""
        rows.append(f"- {as_markdown(sentence.text)}{note}")
    st.markdown(f"**{title}**")
    st.markdown("\n".join(rows))
