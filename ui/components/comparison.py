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
from audit.revisions import Piece, Revised
from audit.submission import title_of
from audit.types import Finding, GroundedAudit, Precedent
from audit.versions import earlier_version
from ui import runtime
from ui.components import palette
from ui.components.score import tone, writer_of
from ui.formats import day, likeness, moment, money, number
from ui.language import _, _n, paragraph
from ui.looks import LOOKS
from ui.messages import N_
from ui.plain import as_html, as_markdown, quiet, shorten
from ui.said import said
from ui.shell import HISTORY
from ui.state import AUDIT, EARLIER, LATER

MOST_PASSAGES = 40
MOST_SHOWN = 1_200
MOST_TERMS = 10

ROSE = N_("The score **rose by {points}**, from {before} to {after}.")
FELL = N_("The score **fell by {points}**, from {before} to {after}.")
STAYED = N_("The score **stayed at {after}**.")
NO_SCORE = N_("One of the two has no score: there was nothing in it that could be rated.")
VERDICT_CHANGED = N_("“{before}” became “{after}”.")
VERDICT_STAYED = N_("The verdict stays “{after}”.")
ONLY_WRITER = N_("The text is the same, word for word; what differs comes from who wrote it: {before}, then {after}.")
ONLY_MEMORY = N_(
    "The text is the same, word for word, and so is the writer; what differs comes from what your memory held."
)
NOTHING = N_("The text, the findings and the precedents are the same.")
MOVED_MOST = N_("**{label}** moved the score most ({points}).")
NO_TERM_MOVED = N_("No term of the score moved.")
GONE, NEW, CHANGED = N_("Gone"), N_("New"), N_("Changed")
NONE_GONE = N_("No finding was settled.")
NONE_NEW = N_("No finding came up.")
NONE_CHANGED = N_("No finding changed its weight or its passage.")
GAINED_RECORDS, LOST_RECORDS, KEPT_RECORDS = N_("Now found"), N_("No longer found"), N_("Found in both")
NO_RECORDS = N_("Neither audit found a precedent in your records.")
SAME_TEXT = N_("The text is the same in both.")
ONLY_SPACES = N_("The text differs in white space alone.")
TOO_LONG = N_("The texts are long: only their first parts were compared.")
MORE_PASSAGES = N_("{count} more passages differ; open both audits to read them.")
ABSENT = N_("not there")
EARLIER_SIDE, LATER_SIDE = N_("Earlier"), N_("Later")
LINE = N_("line {line}")
COMPARE_WITH = N_("Compare with the last audit of {this}, of {date}: {verdict}")

_SIDES = {
    Side.SEVERITY: N_("weight changed"),
    Side.PASSAGE: N_("passage rewritten"),
    Side.WORDING: N_("worded differently"),
}


def show_comparison(it: Comparison, earlier_id: str, later_id: str) -> None:
    """Show what differs, from the verdict down to the words."""
    _show_pair(it, earlier_id, later_id)
    st.markdown(comparison_sentence(it))
    left, right = st.columns([1.25, 1], gap="large")
    with left:
        st.header(_("What moved the score"), anchor=False)
        if it.moved:
            palette.draw(moved_sentence(it.moved), moved_figure(it.moved), "compare-moved")
        else:
            st.markdown(quiet(_(NO_TERM_MOVED)))
    with right:
        st.header(_("In your history"), anchor=False)
        _show_precedents(it)
    st.header(_("Findings"), anchor=False)
    _show_findings(it)
    st.header(_("The text"), anchor=False)
    _show_passages(it)


def offer_earlier(audit: GroundedAudit, audit_id: str) -> None:
    """Offer to compare a saved audit with the last one of an earlier version of its text, where there is one."""
    earlier = _earlier(str(runtime.settings().home), runtime.settings().workspace, audit_id, audit)
    if earlier is None:
        return
    st.page_link(
        HISTORY.path,
        label=_(
            COMPARE_WITH,
            this=_(LOOKS[audit.mode].this),
            date=day(earlier.created_at),
            verdict=as_markdown(said(earlier.verdict)),
        ),
        icon=":material/compare_arrows:",
        query_params={EARLIER: earlier.id, LATER: audit_id},
    )


@st.cache_data(max_entries=200, show_spinner=False)
def _earlier(home: str, workspace: str, audit_id: str, _audit: GroundedAudit) -> AuditSummary | None:
    return earlier_version(runtime.services().archive, workspace, _audit)


def comparison_sentence(it: Comparison) -> str:
    """Say how score and verdict changed, and where the text did not, what the difference comes from."""
    scores = {"before": number(it.earlier.score), "after": number(it.later.score)}
    way = ROSE if it.score_change > 0 else FELL if it.score_change < 0 else STAYED if it.scored else NO_SCORE
    parts = [_(way, points=number(abs(it.score_change), 1), **scores)]
    verdicts = {"before": as_markdown(said(it.earlier.verdict)), "after": as_markdown(said(it.later.verdict))}
    parts.append(_(VERDICT_STAYED if it.earlier.verdict == it.later.verdict else VERDICT_CHANGED, **verdicts))
    if it.same_text:
        writers = {"before": as_markdown(writer_of(it.earlier)), "after": as_markdown(writer_of(it.later))}
        differs = it.score_change or it.gone or it.new or it.changed or it.lost or it.gained
        if it.earlier.model != it.later.model:
            parts.append(_(ONLY_WRITER, **writers))
        else:
            parts.append(_(ONLY_MEMORY) if differs else _(NOTHING))
    return paragraph(*parts)


def _show_pair(it: Comparison, earlier_id: str, later_id: str) -> None:
    sign = number(it.score_change, 1, signed=True) if it.score_change else "±0"
    st.html(
        f'<div class="p-pair">{_side(_(EARLIER_SIDE), it.earlier)}'
        f'<div class="p-between" aria-hidden="true"><span>{sign}</span>→</div>{_side(_(LATER_SIDE), it.later)}</div>'
    )
    place = LOOKS[it.later.mode].place
    left, right = st.columns(2)
    for column, name, label in (
        (left, earlier_id, _("Open the earlier audit")),
        (right, later_id, _("Open the later audit")),
    ):
        with column:
            st.page_link(place.path, label=label, icon=place.icon, query_params={AUDIT: name})


def _side(label: str, audit: GroundedAudit) -> str:
    score = max(0.0, min(100.0, audit.score))
    shown = number(score)
    named = as_html(_("Score {score} of 100", score=shown))
    dial = (
        f'<div class="p-dial p-small {tone(audit)}" style="--p-score:{score:.1f}" role="img" aria-label="{named}">'
        f'<span class="p-number">{shown}</span></div>'
    )
    written = as_html(_("Written by {writer}", writer=writer_of(audit)))
    return (
        f'<div class="p-side">{dial if audit.score_breakdown else ""}<div class="p-words">'
        f'<div class="p-meta">{as_html(label)} · {as_html(moment(audit.created_at))}</div>'
        f'<div class="p-word">{as_html(said(audit.verdict))}</div>'
        f'<div class="p-meta">{as_html(shorten(title_of(audit.submission), 60))}<br>{written}</div></div></div>'
    )


def moved_sentence(moved: Sequence[Term]) -> str:
    """Say which term of the score moved most."""
    points = number(moved[0].change, 1, signed=True)
    return _(MOVED_MOST, label=as_markdown(said(moved[0].label)), points=points)


def moved_figure(moved: Sequence[Term]) -> go.Figure:
    """Draw the points each term gained (plain) or lost (hatched), the largest move on top."""
    rows = moved[:MOST_TERMS][::-1]
    most = max(abs(it.change) for it in rows)
    figure = go.Figure(
        go.Bar(
            y=["<br>".join(wrap(as_html(said(it.label)), 26)) for it in rows],
            x=[it.change for it in rows],
            orientation="h",
            text=[number(it.change, 1, signed=True) for it in rows],
            textposition="outside",
            cliponaxis=False,
            marker={
                "color": [palette.EARNED if it.change > 0 else palette.LOST for it in rows],
                "pattern": {"shape": ["" if it.change > 0 else "/" for it in rows]},
            },
            customdata=[
                [_("{before}, then {after}", before=_points(it.earlier), after=_points(it.later))] for it in rows
            ],
            hovertemplate="%{y}: %{customdata[0]}<extra></extra>",
        )
    )
    return palette.framed(
        figure,
        height=70 + 40 * len(rows),
        x={"title": _("points gained or lost"), "range": [-1.3 * most, 1.3 * most], "zeroline": True},
        y={"ticklabelstandoff": 8, "showgrid": False},
        bargap=0.4,
        showlegend=False,
    )


def _points(points: float | None) -> str:
    return _(ABSENT) if points is None else number(points, 1)


def _show_precedents(it: Comparison) -> None:
    groups = (
        (GAINED_RECORDS, it.gained),
        (LOST_RECORDS, it.lost),
        (KEPT_RECORDS, tuple(later for _, later in it.kept)),
    )
    if not any(found for _, found in groups):
        st.markdown(quiet(_(NO_RECORDS)))
        return
    for label, found in groups:
        if found:
            rows = "".join(_record_row(precedent) for precedent in found)
            head = as_html(_("{label} ({count})", label=_(label), count=number(len(found))))
            st.html(f'<div class="p-list"><div class="p-list-head">{head}</div>{rows}</div>')


def _record_row(precedent: Precedent) -> str:
    record = precedent.record
    told = [
        str(record.year or ""),
        said(record.outcome.label) if record.outcome else "",
        money(record.loss) if record.loss else "",
        likeness(precedent.probability),
    ]
    about = " · ".join(part for part in told if part)
    return f'<div class="p-item"><b>{as_html(record.title)}</b><div class="p-meta">{as_html(about)}</div></div>'


def _show_findings(it: Comparison) -> None:
    columns = st.columns(3, gap="medium")
    gone = [_finding_row(finding, it.earlier) for finding in it.gone]
    new = [_finding_row(finding, it.later) for finding in it.new]
    changed = [_changed_row(pair, it.later) for pair in it.changed]
    for column, label, rows, none in zip(
        columns, (GONE, NEW, CHANGED), (gone, new, changed), (NONE_GONE, NONE_NEW, NONE_CHANGED), strict=True
    ):
        with column:
            body = "".join(rows) or f'<div class="p-item p-meta">{as_html(_(none))}</div>'
            head = as_html(_("{label} ({count})", label=_(label), count=number(len(rows))))
            st.html(f'<div class="p-list"><div class="p-list-head">{head}</div>{body}</div>')
    if it.same:
        st.caption(
            _n(
                "{count} finding is the same in both.",
                "{count} findings are the same in both.",
                len(it.same),
            )
        )


def _finding_row(finding: Finding, audit: GroundedAudit) -> str:
    return _row(finding, audit, f'<span class="p-tag">{as_html(said(finding.severity))}</span>')


def _changed_row(pair: ChangedFinding, audit: GroundedAudit) -> str:
    later = pair.later
    tag = as_html(said(later.severity))
    if Side.SEVERITY in pair.differs:
        tag = f"<del>{as_html(said(pair.earlier.severity))}</del> → {tag}"
    told = _(", ").join(_(_SIDES[side]) for side in pair.differs)
    return _row(later, audit, f'<span class="p-tag">{tag}</span><span class="p-meta">{as_html(told)}</span>')


def _row(finding: Finding, audit: GroundedAudit, head: str) -> str:
    line = audit.submission.line_in_file(finding.line)
    where = _(LINE, line=line) if line else ""
    about = " · ".join(part for part in (said(finding.subject.replace("_", " ")), where) if part)
    quote = f'<div class="p-quote">{as_html(shorten(finding.quote, 180))}</div>' if finding.quote else ""
    return (
        f'<div class="p-item"><div class="p-item-head">{head}<span class="p-meta">{as_html(about)}</span></div>'
        f"<b>{as_html(said(finding.title))}</b>{quote}</div>"
    )


def _show_passages(it: Comparison) -> None:
    if not it.passages:
        st.markdown(quiet(_(SAME_TEXT if it.same_text else ONLY_SPACES)))
    else:
        count = len(it.passages)
        st.markdown(
            _n(
                "{count} passage was rewritten. What is struck through is gone, what is underlined is new.",
                "{count} passages were rewritten. What is struck through is gone, what is underlined is new.",
                count,
            )
        )
        code = " p-code" if LOOKS[it.later.mode].shows_code else ""
        rows = "".join(_passage(passage) for passage in it.passages[:MOST_PASSAGES])
        both = as_html(_("Both versions of the text"))
        st.html(
            f'<div class="p-revised{code}" role="group" aria-label="{both}">'
            f'<div class="p-list-head">{as_html(_(EARLIER_SIDE))}</div>'
            f'<div class="p-list-head">{as_html(_(LATER_SIDE))}</div>{rows}</div>'
        )
        if count > MOST_PASSAGES:
            st.caption(_(MORE_PASSAGES, count=number(count - MOST_PASSAGES)))
    if it.cut:
        st.caption(_(TOO_LONG))


def _passage(it: Revised) -> str:
    return _version(it.earlier, it.earlier_line, "del") + _version(it.later, it.later_line, "ins")


def _version(pieces: Sequence[Piece], line: int, tag: str) -> str:
    if not pieces:
        return f'<div class="p-version p-meta"><span class="p-line"></span>{as_html(_(ABSENT))}</div>'
    room, shown = MOST_SHOWN, []
    for it in pieces:
        text = it.text if len(it.text) <= room else f"{it.text[:room].rstrip()} …"
        shown.append(f"<{tag}>{as_html(text)}</{tag}>" if it.differs else as_html(text))
        room -= len(it.text)
        if room <= 0:
            break
    return f'<div class="p-version"><span class="p-line">{line}</span><span>{"".join(shown)}</span></div>'
