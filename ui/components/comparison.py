"""Two audits side by side: the scores, what moved them, findings and precedents that came and went, the rewritten text.

Pasted and written words stand only within escaped HTML or escaped Markdown.
"""

from __future__ import annotations

from collections.abc import Sequence
from textwrap import wrap

import plotly.graph_objects as go
import streamlit as st

from audit.archive import AuditSummary
from audit.compare import ChangedFinding, Comparison, Side, Term
from audit.modes import MODES
from audit.revisions import Piece, Revised
from audit.submission import title_of
from audit.types import Finding, GroundedAudit, Precedent
from audit.versions import earlier_version
from ui import runtime
from ui.components import palette
from ui.components.score import writer_of
from ui.looks import LOOKS
from ui.plain import as_html, as_markdown, shorten
from ui.shell import HISTORY
from ui.state import AUDIT, EARLIER, LATER

MOST_PASSAGES = 40
MOST_SHOWN = 1_200
MOST_TERMS = 10

ROSE = "The score **rose by {points}**, from {before} to {after}."
FELL = "The score **fell by {points}**, from {before} to {after}."
STAYED = "The score **stayed at {after}**."
NO_SCORE = "One of the two has no score: there was nothing in it that could be rated."
VERDICT_CHANGED = "“{before}” became “{after}”."
VERDICT_STAYED = "The verdict stays “{after}”."
ONLY_WRITER = "The text is the same, word for word; what differs comes from who wrote it: {before}, then {after}."
ONLY_MEMORY = (
    "The text is the same, word for word, and so is the writer; what differs comes from what your memory held."
)
NOTHING = "The text, the findings and the precedents are the same."
MOVED_MOST = "**{label}** moved the score most ({points})."
NO_TERM_MOVED = "No term of the score moved."
GONE, NEW, CHANGED = "Gone", "New", "Changed"
NONE_GONE = "No finding was settled."
NONE_NEW = "No finding came up."
NONE_CHANGED = "No finding changed its weight or its passage."
SAME_FINDINGS = "{count} findings are the same in both."
SAME_FINDING = "1 finding is the same in both."
GAINED_RECORDS, LOST_RECORDS, KEPT_RECORDS = "Now found", "No longer found", "Found in both"
NO_RECORDS = "Neither audit found a precedent in your records."
REWRITTEN = "{count} passages were rewritten. What is struck through is gone, what is underlined is new."
REWRITTEN_ONE = "1 passage was rewritten. What is struck through is gone, what is underlined is new."
SAME_TEXT = "The text is the same in both."
ONLY_SPACES = "The text differs in white space alone."
TOO_LONG = "The texts are long: only their first parts were compared."
MORE_PASSAGES = "{count} more passages differ; open both audits to read them."
ABSENT = "not there"
LINE = "line {line}"
COMPARE_WITH = "Compare with the last audit of this {submission}, of {date}: {verdict}"

_SIDES = {
    Side.SEVERITY: "weight changed",
    Side.PASSAGE: "passage rewritten",
    Side.WORDING: "worded differently",
}


def show_comparison(it: Comparison, earlier_id: str, later_id: str) -> None:
    """Show what differs, from the verdict down to the words."""
    _show_pair(it, earlier_id, later_id)
    st.markdown(comparison_sentence(it))
    left, right = st.columns([1.25, 1], gap="large")
    with left:
        st.subheader("What moved the score", anchor=False)
        if it.moved:
            palette.draw(moved_sentence(it.moved), moved_figure(it.moved), "compare-moved")
        else:
            st.markdown(f":gray[{NO_TERM_MOVED}]")
    with right:
        st.subheader("In your history", anchor=False)
        _show_precedents(it)
    st.subheader("Findings", anchor=False)
    _show_findings(it)
    st.subheader("The text", anchor=False)
    _show_passages(it)


def offer_earlier(audit: GroundedAudit, audit_id: str) -> None:
    """Offer to compare a saved audit with the last one of an earlier version of its text, where there is one."""
    earlier = _earlier(str(runtime.settings().home), runtime.settings().workspace, audit_id, audit)
    if earlier is None:
        return
    st.page_link(
        HISTORY.path,
        label=COMPARE_WITH.format(
            submission=MODES[audit.mode].wording.submission,
            date=f"{earlier.created_at:%d %b %Y}",
            verdict=as_markdown(earlier.verdict),
        ),
        icon=":material/compare_arrows:",
        query_params={EARLIER: earlier.id, LATER: audit_id},
    )


@st.cache_data(max_entries=200, show_spinner=False)
def _earlier(home: str, workspace: str, audit_id: str, _audit: GroundedAudit) -> AuditSummary | None:
    return earlier_version(runtime.services().archive, workspace, _audit)


def comparison_sentence(it: Comparison) -> str:
    """Say how score and verdict changed, and where the text did not, what the difference comes from."""
    scores = {"before": f"{it.earlier.score:.0f}", "after": f"{it.later.score:.0f}"}
    way = ROSE if it.score_change > 0 else FELL if it.score_change < 0 else STAYED if it.scored else NO_SCORE
    parts = [way.format(points=f"{abs(it.score_change):.1f}", **scores)]
    verdicts = {"before": as_markdown(it.earlier.verdict), "after": as_markdown(it.later.verdict)}
    parts.append((VERDICT_STAYED if it.earlier.verdict == it.later.verdict else VERDICT_CHANGED).format(**verdicts))
    if it.same_text:
        writers = {"before": as_markdown(writer_of(it.earlier)), "after": as_markdown(writer_of(it.later))}
        differs = it.score_change or it.gone or it.new or it.changed or it.lost or it.gained
        if it.earlier.model != it.later.model:
            parts.append(ONLY_WRITER.format(**writers))
        else:
            parts.append(ONLY_MEMORY if differs else NOTHING)
    return " ".join(parts)


def _show_pair(it: Comparison, earlier_id: str, later_id: str) -> None:
    sign = f"{it.score_change:+.1f}" if it.score_change else "±0"
    st.html(
        f'<div class="p-pair">{_side("Earlier", it.earlier)}'
        f'<div class="p-between" aria-hidden="true"><span>{sign}</span>→</div>{_side("Later", it.later)}</div>'
    )
    place = LOOKS[it.later.mode].place
    left, right = st.columns(2)
    for column, name, label in (
        (left, earlier_id, "Open the earlier audit"),
        (right, later_id, "Open the later audit"),
    ):
        with column:
            st.page_link(place.path, label=label, icon=place.icon, query_params={AUDIT: name})


def _side(label: str, audit: GroundedAudit) -> str:
    score = max(0.0, min(100.0, audit.score))
    dial = (
        f'<div class="p-dial p-small" style="--p-score:{score:.1f}" role="img" aria-label="Score {score:.0f} of 100">'
        f'<span class="p-number">{score:.0f}</span></div>'
    )
    return (
        f'<div class="p-side">{dial if audit.score_breakdown else ""}<div class="p-words">'
        f'<div class="p-meta">{as_html(label)} · {audit.created_at:%d %b %Y, %H:%M}</div>'
        f'<div class="p-word">{as_html(audit.verdict)}</div>'
        f'<div class="p-meta">{as_html(shorten(title_of(audit.submission), 60))}<br>'
        f"Written by {as_html(writer_of(audit))}</div></div></div>"
    )


def moved_sentence(moved: Sequence[Term]) -> str:
    """Say which term of the score moved most."""
    return MOVED_MOST.format(label=as_markdown(moved[0].label), points=f"{moved[0].change:+.1f}")


def moved_figure(moved: Sequence[Term]) -> go.Figure:
    """Draw the points each term gained (plain) or lost (hatched), the largest move on top."""
    rows = moved[:MOST_TERMS][::-1]
    most = max(abs(it.change) for it in rows)
    figure = go.Figure(
        go.Bar(
            y=["<br>".join(wrap(as_html(it.label), 26)) for it in rows],
            x=[it.change for it in rows],
            orientation="h",
            text=[f"{it.change:+.1f}" for it in rows],
            textposition="outside",
            cliponaxis=False,
            marker={
                "color": [palette.EARNED if it.change > 0 else palette.LOST for it in rows],
                "pattern": {"shape": ["" if it.change > 0 else "/" for it in rows]},
            },
            customdata=[[_points(it.earlier), _points(it.later)] for it in rows],
            hovertemplate="%{y}: %{customdata[0]}, then %{customdata[1]}<extra></extra>",
        )
    )
    return palette.framed(
        figure,
        height=70 + 40 * len(rows),
        x={"title": "points gained or lost", "range": [-1.3 * most, 1.3 * most], "zeroline": True},
        y={"ticklabelstandoff": 8, "showgrid": False},
        bargap=0.4,
        showlegend=False,
    )


def _points(points: float | None) -> str:
    return ABSENT if points is None else f"{points:.1f}"


def _show_precedents(it: Comparison) -> None:
    groups = (
        (GAINED_RECORDS, it.gained),
        (LOST_RECORDS, it.lost),
        (KEPT_RECORDS, tuple(later for _, later in it.kept)),
    )
    if not any(found for _, found in groups):
        st.markdown(f":gray[{NO_RECORDS}]")
        return
    for label, found in groups:
        if found:
            rows = "".join(_record_row(precedent) for precedent in found)
            st.html(f'<div class="p-list"><div class="p-list-head">{as_html(label)} ({len(found)})</div>{rows}</div>')


def _record_row(precedent: Precedent) -> str:
    record = precedent.record
    said = [str(record.year or ""), record.outcome.label if record.outcome else "", str(record.loss or "")]
    about = " · ".join(part for part in said if part)
    return (
        f'<div class="p-item"><b>{as_html(record.title)}</b><div class="p-meta">{as_html(about)} · '
        f"{precedent.probability:.0%}</div></div>"
    )


def _show_findings(it: Comparison) -> None:
    columns = st.columns(3, gap="medium")
    gone = [_finding_row(finding, it.earlier) for finding in it.gone]
    new = [_finding_row(finding, it.later) for finding in it.new]
    changed = [_changed_row(pair, it.later) for pair in it.changed]
    for column, label, rows, none in zip(
        columns, (GONE, NEW, CHANGED), (gone, new, changed), (NONE_GONE, NONE_NEW, NONE_CHANGED), strict=True
    ):
        with column:
            body = "".join(rows) or f'<div class="p-item p-meta">{as_html(none)}</div>'
            st.html(f'<div class="p-list"><div class="p-list-head">{as_html(label)} ({len(rows)})</div>{body}</div>')
    if it.same:
        st.caption(SAME_FINDING if len(it.same) == 1 else SAME_FINDINGS.format(count=len(it.same)))


def _finding_row(finding: Finding, audit: GroundedAudit) -> str:
    return _row(finding, audit, f'<span class="p-tag">{as_html(finding.severity)}</span>')


def _changed_row(pair: ChangedFinding, audit: GroundedAudit) -> str:
    later = pair.later
    tag = as_html(later.severity)
    if Side.SEVERITY in pair.differs:
        tag = f"<del>{as_html(pair.earlier.severity)}</del> → {tag}"
    told = ", ".join(_SIDES[side] for side in pair.differs)
    return _row(later, audit, f'<span class="p-tag">{tag}</span><span class="p-meta">{as_html(told)}</span>')


def _row(finding: Finding, audit: GroundedAudit, head: str) -> str:
    line = audit.submission.line_in_file(finding.line)
    where = LINE.format(line=line) if line else ""
    about = " · ".join(part for part in (finding.subject, where) if part)
    quote = f'<div class="p-quote">{as_html(shorten(finding.quote, 180))}</div>' if finding.quote else ""
    return (
        f'<div class="p-item"><div class="p-item-head">{head}<span class="p-meta">{as_html(about)}</span></div>'
        f"<b>{as_html(finding.title)}</b>{quote}</div>"
    )


def _show_passages(it: Comparison) -> None:
    if not it.passages:
        st.markdown(f":gray[{SAME_TEXT if it.same_text else ONLY_SPACES}]")
    else:
        count = len(it.passages)
        st.markdown(REWRITTEN_ONE if count == 1 else REWRITTEN.format(count=count))
        code = " p-code" if LOOKS[it.later.mode].shows_code else ""
        submission = MODES[it.later.mode].wording.submission
        rows = "".join(_passage(passage) for passage in it.passages[:MOST_PASSAGES])
        st.html(
            f'<div class="p-revised{code}" role="group" aria-label="Both versions of the {as_html(submission)}">'
            f'<div class="p-list-head">Earlier</div><div class="p-list-head">Later</div>{rows}</div>'
        )
        if count > MOST_PASSAGES:
            st.caption(MORE_PASSAGES.format(count=count - MOST_PASSAGES))
    if it.cut:
        st.caption(TOO_LONG)


def _passage(it: Revised) -> str:
    return _version(it.earlier, it.earlier_line, "del") + _version(it.later, it.later_line, "ins")


def _version(pieces: Sequence[Piece], line: int, tag: str) -> str:
    if not pieces:
        return f'<div class="p-version p-meta"><span class="p-line"></span>{ABSENT}</div>'
    room, shown = MOST_SHOWN, []
    for it in pieces:
        text = it.text if len(it.text) <= room else f"{it.text[:room].rstrip()} …"
        shown.append(f"<{tag}>{as_html(text)}</{tag}>" if it.differs else as_html(text))
        room -= len(it.text)
        if room <= 0:
            break
    return f'<div class="p-version"><span class="p-line">{line}</span><span>{"".join(shown)}</span></div>'
