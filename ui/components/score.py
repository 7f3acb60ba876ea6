"""The verdict, the score and what it is made of."""

from __future__ import annotations

import textwrap

import plotly.graph_objects as go
import streamlit as st

from audit import retold
from audit.modes import MODES, NOT_JUDGED
from audit.types import GroundedAudit, Mark, ScoreLine, Sentence
from ui.components import palette
from ui.formats import moment, number
from ui.language import _, paragraph, speech
from ui.plain import as_html, as_markdown
from ui.said import in_english, said

MOST_CHANGES = 3
LEAST_CHANGE = 3


def writer_of(audit: GroundedAudit) -> str:
    """Name who wrote the audit; where the rule analyst did, say why no model did."""
    return retold.writer(audit, speech())


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
        f'<div class="p-dial {tone(audit)}" style="--p-score:{score:.1f}" role="img" aria-label="{label}">'
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
    if any(abs(it.out_of - it.points) >= 1 if it.out_of else it.points for it in audit.score_breakdown):
        _show_changes(would_change(audit.score_breakdown))


def _show_changes(changes: list[tuple[str, str, str]]) -> None:
    st.markdown(_("**What would change this score**"))
    if not changes:
        st.markdown(_("Little: no part of it holds back {points} points or more.", points=number(LEAST_CHANGE)))
        return
    rows = (
        f'<li><span class="p-points">{as_html(points)}</span><span{_lang(reason)}><b>{as_html(said(label))}</b><br>'
        f"{as_html(said(reason))}</span></li>"
        for label, points, reason in changes
    )
    st.html(f'<ul class="p-changes">{"".join(rows)}</ul>')


def tone(audit: GroundedAudit) -> str:
    """Name the look of a dial by where the verdict stands among those of its mode, the best first."""
    verdicts = [it.verdict for it in MODES[audit.mode].bands]
    at = verdicts.index(audit.verdict) if audit.verdict in verdicts else 0
    return "p-good" if at == 0 else "p-poor" if at == len(verdicts) - 1 else "p-fair"


def marked(text: str) -> str:
    """Make a paragraph of what a page says; what stays English on a page of another language is marked as English."""
    return f'<p class="p-sub"{_lang(text)}>{as_html(text)}</p>'


def _lang(text: str) -> str:
    return ' lang="en"' if in_english(text) else ""


def would_change(lines: tuple[ScoreLine, ...]) -> list[tuple[str, str, str]]:
    """Pick the terms that hold the most points back: label, points that could come or were taken, reason."""
    held = [(it.out_of - it.points if it.out_of else -it.points, it) for it in lines]
    held = sorted((it for it in held if it[0] >= LEAST_CHANGE), key=lambda it: it[0], reverse=True)[:MOST_CHANGES]
    return [
        (
            it.label,
            _("up to {points}", points=number(points, signed=True)) if it.out_of else number(-points, signed=True),
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
