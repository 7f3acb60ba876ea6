"""What the user's own history says: precedents as cards read from the record, or a calm statement of their absence."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from types import MappingProxyType
from typing import Literal

import streamlit as st

from audit import retold
from audit.decided import Decided, decided_behind, in_words
from audit.modes import MODES, Mode
from audit.types import GroundedAudit, Precedent
from memory.records import LOST, Outcome, Record
from memory.report import RecallState
from ui import runtime
from ui.components.labelled import labelled
from ui.components.opinion import show_opinion
from ui.components.panel import show_panel
from ui.formats import likeness, money, number, percent
from ui.language import _, _n, paragraph, speech
from ui.looks import LOOKS
from ui.messages import N_
from ui.plain import as_markdown, revealed
from ui.said import said
from ui.shell import MEMORY, STATUS, Place


@dataclass(frozen=True, slots=True)
class Answer:
    """How a state of recall is told: ``headline`` and ``body`` may hold {plural}, {this} and {searched}."""

    headline: str
    body: str
    place: Place | None = None
    link: str = ""


ANSWERS: Mapping[RecallState, Answer] = MappingProxyType(
    {
        RecallState.FOUND: Answer(
            N_("None found"),
            N_(
                "{searched} of your records were searched. Some were near, but none could be proved with a quote from "
                "the record and a quote from {this}, so none is shown as a precedent."
            ),
        ),
        RecallState.NONE_RELEVANT: Answer(
            N_("None found"),
            N_(
                "All {searched} of your {plural} were searched, and none is like {this}. Nothing in your history "
                "speaks for or against it."
            ),
        ),
        RecallState.NO_RECORDS: Answer(
            N_("None found: no records yet"),
            N_(
                "Your memory holds no {plural} so far, so there was nothing to compare with. Add what you know, and "
                "the next audit will look there."
            ),
            MEMORY,
            N_("Add a record"),
        ),
        RecallState.UNAVAILABLE: Answer(
            N_("Your history was not checked"),
            N_(
                "The memory could not be searched. This does not mean that you have no such past: nobody looked. The "
                "rest of the audit stands on {this} alone."
            ),
            STATUS,
            N_("See what is wrong"),
        ),
        RecallState.EMBEDDER_CHANGED: Answer(
            N_("Your history was not checked: it was written for another reading model"),
            N_(
                "Your records were stored with a different embedding model than the one now set, and the two cannot be "
                "compared. Re-index the memory or go back to the earlier model; no record is lost."
            ),
            STATUS,
            N_("See both models"),
        ),
    }
)


def show_history(audit: GroundedAudit, saved_as: str | None, key: str, decided: Mapping[str, Decided]) -> None:
    """Show the precedents, or say in the words of the recall's state why there are none.

    ``decided`` says by record id what had been decided. Of an audit that was saved the user may say which were of use.
    """
    mode = MODES[audit.mode]
    if not audit.precedents:
        _show_absence(audit, key)
        return
    st.header(said(mode.wording.precedents_title), anchor=False)
    look = LOOKS[audit.mode]
    told = _n(
        "{count} {record} of yours is like {this}.",
        "{count} {plural} of yours are like {this}.",
        len(audit.precedents),
        record=said(mode.wording.record),
        plural=said(look.plural),
        this=_(look.this),
    )
    if audit.history.losses:
        losses = _(" and ").join(as_markdown(money(it)) for it in audit.history.losses)
        told = paragraph(told, _("Recorded losses add up to **{losses}**.", losses=losses))
    st.markdown(told)
    for at, precedent in enumerate(audit.precedents):
        show_precedent(precedent, mode, saved_as, f"{key}-{at}", decided.get(precedent.record.id))


def _show_absence(audit: GroundedAudit, key: str) -> None:
    look = LOOKS[audit.mode]
    answer = ANSWERS[audit.recall.state]
    headline = _(answer.headline)
    body = _(answer.body, plural=said(look.plural), this=_(look.this), searched=number(audit.recall.searched))
    if audit.recall.state.looked:
        show_panel(headline, body, live=True)
    else:
        why = as_markdown(said(audit.recall.message))
        st.warning(_("**{headline}.** {body}", headline=headline, body=body) + f"  \n{why}", icon=":material/warning:")
    if answer.place:
        st.page_link(answer.place.path, label=_(answer.link), icon=answer.place.icon)


def decided_now(records: Sequence[Record]) -> dict[str, Decided]:
    """Find by record id what the user had decided on records that are outcomes of their audits. Raises StoreError."""
    return decided_behind(runtime.services().decisions, records)


def show_precedent(
    precedent: Precedent, mode: Mode, saved_as: str | None, key: str, decided: Decided | None = None
) -> None:
    """Show one precedent: every fact from the record, both quotes side by side, and how strong the likeness is.

    ``decided`` is what the user had decided on it, where they had.
    """
    record = precedent.record
    faulty = getattr(record.facts, "faulty_code", "")
    record_style = "codequote" if precedent.record_quote and precedent.record_quote in faulty else "quote"
    style = "codequote" if LOOKS[mode.name].shows_code else "quote"
    with st.container(border=True, key=f"card-{key}"):
        with st.container(horizontal=True, horizontal_alignment="distribute", vertical_alignment="center"):
            year = f" · {record.year}" if record.year else ""
            st.markdown(f"### {as_markdown(record.title)}{year}", width="content", anchors=False)
            with st.container(horizontal=True, width="content", gap="xsmall"):
                show_outcome(record)
                st.badge(strength(precedent.probability), color="primary", icon=":material/join_inner:")
        with st.container(horizontal=True, gap="large"):
            for label, value in retold.facts(record, speech()):
                labelled(label, value, width="content")
        if decided:
            st.markdown(f":material/gavel: **{as_markdown(in_words(decided, speech()))}**")
        for label, value in ((_("Why it ended so"), "cause"), (_("What it did"), "impact")):
            if told := getattr(record.facts, value, ""):
                labelled(label, told)
        if record.lesson:
            labelled(lesson_label(record), record.lesson)
        left, right = st.columns(2, gap="medium")
        with left, st.container(key=f"{record_style}-{key}-record"):
            labelled(_("Your record says"), revealed(precedent.record_quote))
        with right, st.container(key=f"{style}-{key}-submission"):
            labelled(said(mode.wording.it_says), revealed(precedent.submission_quote))
        if precedent.why:
            labelled(_("Why it matters here, in the writer's reading"), said(precedent.why))
        with st.container(horizontal=True, vertical_alignment="center", gap="small"):
            told = [
                _("Likeness {share}", share=likeness(precedent.probability)),
                _("trust in the record {share}", share=percent(precedent.confidence)),
            ]
            if precedent.alike:
                told.append(_("stands for {count} more like it", count=number(precedent.alike)))
            st.caption(" · ".join(told))
            st.page_link(
                MEMORY.path,
                label=_("Open the record"),
                icon=":material/open_in_new:",
                query_params={"record": record.id},
            )
        if saved_as:
            show_opinion(saved_as, record.id)


def strength(probability: float) -> str:
    """Say in words and number how like a precedent is."""
    share = likeness(probability)
    if probability >= 0.85:
        return _("very close, {share}", share=share)
    return _("close, {share}", share=share) if probability >= 0.65 else _("similar, {share}", share=share)


_GOOD = frozenset({Outcome.ACQUIRED, Outcome.WENT_PUBLIC, Outcome.EXITED, Outcome.OPERATING, Outcome.FIXED})


def show_outcome(record: Record) -> None:
    """Show how a record ended, as a badge whose icon says good or bad as well as its colour."""
    outcome = record.outcome
    if outcome is None:
        return
    bad = outcome in LOST or outcome is Outcome.FIX_FAILED
    color: Literal["red", "gray", "green"]
    color, icon = ("red", ":material/trending_down:") if bad else ("gray", ":material/help:")
    if outcome in _GOOD:
        color, icon = "green", ":material/check:"
    st.badge(said(outcome.label), color=color, icon=icon)


def lesson_label(record: Record) -> str:
    """Name what a record taught: a lesson, or the fix that worked or did not."""
    return retold.lesson_label(record, speech())
