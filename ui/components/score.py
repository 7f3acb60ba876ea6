"""The verdict, the score and what it is made of."""

from __future__ import annotations

import textwrap

import plotly.graph_objects as go
import streamlit as st

from audit.llm.errors import FailureKind
from audit.modes import NOT_JUDGED
from audit.types import GroundedAudit, Mark, ScoreLine, Sentence
from ui.components import palette
from ui.formats import moment, number
from ui.language import _, paragraph
from ui.plain import as_html, as_markdown
from ui.said import in_english, said

RULES = "rules"
MOST_CHANGES = 3


def writer_of(audit: GroundedAudit) -> str:
    """Name who wrote the audit; where the rule analyst did, say why no model did."""
    if audit.model != RULES:
        return audit.model
    tried = any(it.outcome != FailureKind.NOT_CONFIGURED.value for it in audit.attempts)
    return _("the rule analyst, as no model answered") if tried else _("the rule analyst, as no model is set up")


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
    summary = said(" ".join(sentence.text for sentence in audit.summary))
    kept = _("kept in History") if saved_as else _("not kept")
    shown = number(score)
    label, out_of = as_html(_("Score {score} of 100", score=shown)), as_html(_("of 100"))
    dial = (
        f'<div class="p-dial" style="--p-score:{score:.1f}" role="img" aria-label="{label}">'
        f'<span class="p-number">{shown}</span><span class="p-of">{out_of}</span></div>'
    )
    writer = f"<b>{as_html(writer_of(audit))}</b>"
    written = _("Written by {writer}", writer=writer)
    when = as_html(_("{moment} UTC, {kept}", moment=moment(audit.created_at), kept=kept))
    st.html(
        f'<div class="p-verdict">{"" if audit.verdict == NOT_JUDGED else dial}<div class="p-words">'
        f'<div class="p-word">{as_html(said(audit.verdict))}</div>'
        f'<div class="p-meta">{written}<br>{when}</div></div></div>{marked(summary)}{marked(said(audit.rests_on))}'
    )
    changes = would_change(audit.score_breakdown)
    if changes:
        st.markdown(_("**What would change this score**"))
        st.markdown(
            "\n".join(
                "- "
                + _(
                    "{label}: {points}. {reason}",
                    label=as_markdown(said(label)),
                    points=points,
                    reason=as_markdown(said(reason)),
                )
                for label, points, reason in changes
            )
        )


def marked(text: str) -> str:
    """Make a paragraph of what a page says; what stays English on a page of another language is marked as English."""
    lang = ' lang="en"' if in_english(text) else ""
    return f'<p class="p-sub"{lang}>{as_html(text)}</p>'


def would_change(lines: tuple[ScoreLine, ...]) -> list[tuple[str, str, str]]:
    """Pick the terms that hold the most points back: label, points in words, reason."""
    held = [(it.out_of - it.points if it.out_of else -it.points, it) for it in lines]
    held = sorted((it for it in held if it[0] >= 1), key=lambda it: it[0], reverse=True)[:MOST_CHANGES]
    return [
        (
            it.label,
            _("up to {points} more", points=number(points))
            if it.out_of
            else _("takes off {points}", points=number(points)),
            it.reason,
        )
        for points, it in held
    ]


def show_reasons(lines: tuple[ScoreLine, ...]) -> None:
    """Show every term of the score with its reason in words."""
    rows = []
    for line in lines:
        points = (
            _("{points} of {most}", points=number(line.points, 1), most=number(line.out_of))
            if line.out_of
            else number(line.points, 1, signed=True)
        )
        label = f"**{as_markdown(said(line.label))}**"
        told = _(
            "{label}: {points}. {reason}",
            label=label,
            points=points,
            reason=as_markdown(said(line.reason)),
        )
        rows.append(f"- {told}")
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
            _(
                "Most points are lost on **{label}** ({lost} of {most}).",
                label=as_markdown(said(worst.label)),
                lost=number(lost),
                most=number(worst.out_of),
            )
            if lost >= 0.5
            else _("No dimension loses points.")
        )
    if abs(moved) >= 0.05:
        points = number(abs(moved), 1)
        parts.append(
            _("Adjustments add **{points}** points.", points=points)
            if moved > 0
            else _("Adjustments take off **{points}** points.", points=points)
        )
    return paragraph(*parts)


def breakdown_figure(lines: tuple[ScoreLine, ...]) -> go.Figure:
    """Draw each term: the filled part is earned, the outline is what was to be had; hatched bars are adjustments."""
    rows = lines[::-1]
    labels = ["<br>".join(textwrap.wrap(as_html(said(it.label)), 24)) for it in rows]
    text = [
        _("{points} of {most}", points=number(it.points), most=number(it.out_of))
        if it.out_of
        else number(it.points, 1, signed=True)
        for it in rows
    ]
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
        xaxis={"title": _("points"), "zeroline": True, "zerolinecolor": palette.FRAME},
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
        rows.append(f"- {as_markdown(said(sentence.text))}{note}")
    st.markdown(f"**{title}**")
    st.markdown("\n".join(rows))
