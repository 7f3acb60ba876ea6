"""One record in full: what it says, where it came from, how it changed, and what may be done with it."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from types import MappingProxyType

import streamlit as st

from memory.errors import IntakeRefused, RecordChanged, RecordInvalid, RecordNotFound
from memory.money import Money
from memory.records import BugFacts, Door, InvestmentFacts, Nature, Note, Record, Status
from ui import runtime
from ui.components.labelled import labelled
from ui.components.precedents import lesson_label, show_outcome
from ui.components.record_form import SHEETS, record_form
from ui.components.stored import changes_made, show_changes
from ui.formats import moment, money, number, percent
from ui.language import _, _n
from ui.messages import N_
from ui.plain import as_markdown
from ui.said import said, said_author

EXAMPLE = N_("an example that came with Precedent")
REVISED, OPENED, WARNED = "revised", "record-opened", "record-warned"


@dataclass(frozen=True, slots=True)
class _Move:
    """A button that changes where a record stands: what it is called, and what it then means."""

    label: str
    icon: str
    status: Status
    effect: str
    reason: str


_MOVES: Mapping[Status, tuple[_Move, ...]] = MappingProxyType(
    {
        Status.ACTIVE: (
            _Move(
                N_("Archive"),
                ":material/archive:",
                Status.ARCHIVED,
                N_("It is kept, and not recalled."),
                "archived by hand",
            ),
        ),
        Status.ARCHIVED: (
            _Move(
                N_("Restore"),
                ":material/unarchive:",
                Status.ACTIVE,
                N_("Audits may recall it again."),
                "restored by hand",
            ),
        ),
    }
)


def show_record(record_id: str) -> None:
    """Show the record of that id. Raises RecordNotFound."""
    workspace = runtime.settings().workspace
    record = runtime.services().ledger.get(workspace, [record_id]).get(record_id)
    if record is None:
        raise RecordNotFound("There is no such record in this workspace.")
    with st.container(horizontal=True, vertical_alignment="center", gap="small"):
        st.markdown(f"## {as_markdown(record.title)}", width="content", anchors=False)
        show_outcome(record)
        if record.protected:
            st.badge(_("protected"), icon=":material/lock:", color="blue")
        if record.status is not Status.ACTIVE:
            st.badge(said(record.status.value), icon=":material/inventory:", color="orange")
    revised, changed = st.session_state.pop(REVISED, ("", ()))
    if revised == record.id:
        show_changes(changed)
    _show_actions(record)
    left, right = st.columns([1.7, 1], gap="large")
    with left:
        _show_facts(record)
    with right:
        _show_provenance(record)
    if record.kind in SHEETS and record.status not in {Status.HELD, Status.QUARANTINED}:
        with st.expander(_("Correct this record"), icon=":material/edit:"):
            _correct(record)
    revisions = runtime.services().ledger.revisions(workspace, record.id)
    if len(revisions) > 1:
        earlier = _("Earlier versions ({count})", count=number(len(revisions) - 1))
        with st.expander(earlier, icon=":material/history:"):
            for revision in reversed(revisions):
                st.markdown(
                    f"**{revision.number}** · {moment(revision.at)} · {as_markdown(said_author(revision.author))} · "
                    f"{as_markdown(said(revision.reason))}"
                )
                st.text(_summary(revision.facts))


def _show_facts(record: Record) -> None:
    short, long = told_facts(record)
    with st.container(horizontal=True, gap="large"):
        for label, value in short:
            labelled(label, value, width="content")
    for label, value in long:
        labelled(label, value)
    if isinstance(record.facts, BugFacts):
        sides = ((_("Faulty code"), record.facts.faulty_code), (_("Repaired code"), record.facts.fixed_code))
        for label, code in sides:
            if code:
                st.caption(label)
                st.code(code, language=record.facts.language or None, wrap_lines=True)


def told_facts(record: Record) -> tuple[list[tuple[str, str]], list[tuple[str, str]]]:
    """Give what is known of a record: short facts, which stand side by side, and long ones."""
    short: list[tuple[str, object]]
    match record.facts:
        case InvestmentFacts() as it:
            years = "–".join(str(year) for year in (it.year, it.year_end) if year)
            short = [
                (_("Sector"), it.sector),
                (_("Years"), years),
                (_("Invested"), it.invested),
                (_("Returned"), it.returned),
            ]
            long = [
                (_("What it was"), it.summary),
                (_("Why it ended so"), it.cause),
                (lesson_label(record), it.lesson),
            ]
        case BugFacts() as it:
            short = [
                (_("Weakness"), it.cwe),
                (_("Severity"), said(it.severity)),
                (_("Language"), it.language),
                (_("Year"), it.year),
            ]
            long = [
                (_("How it showed"), it.symptom),
                (_("Root cause"), it.root_cause),
                (lesson_label(record), it.fix),
                (_("Impact"), it.impact),
            ]
        case Note() as it:
            short, long = [(_("Year"), it.year)], [(said(it.label), it.text)]
    short.append((_("Loss"), record.loss))
    return _known(short), _known(long)


def _known(rows: Sequence[tuple[str, object]]) -> list[tuple[str, str]]:
    return [
        (label, money(value) if isinstance(value, Money) else str(value))
        for label, value in rows
        if value not in (None, "")
    ]


def _summary(facts: object) -> str:
    names = getattr(type(facts), "__slots__", ())
    return "\n".join(f"{name.replace('_', ' ')}: {value}" for name in names if (value := getattr(facts, name)))


def _show_provenance(record: Record) -> None:
    made = record.provenance
    rows = [
        (_("What it is"), _what_it_is(record)),
        (_("Came in through"), _(EXAMPLE) if made.door is Door.SEED else said(made.door.value)),
        (_("Origin"), said(made.origin.value.replace("_", " "))),
        (_("Source"), made.source),
        (_("Written by"), said_author(made.author)),
        (_("Written at"), _("{moment} UTC", moment=moment(made.created_at))),
        (
            _("Trust"),
            _("{now} now, {first} at first", now=percent(record.confidence), first=percent(made.first_confidence)),
        ),
        (_("Used in audits"), _n("once", "{count} times", record.use_count)),
        (_("Version"), str(record.revision)),
        (_("Derived from"), ", ".join(made.derived_from)),
        (_("Source digest"), made.context_hash[:16]),
        (_("Id"), record.id),
    ]
    with st.container(border=True, gap="xsmall", key="provenance"):
        st.markdown(_("**Where it comes from**"))
        for label, value in _known(rows):
            labelled(label, value)
        st.caption(_("What a record is and where it came from are set by the way it came in, and cannot be edited."))


def _what_it_is(record: Record) -> str:
    kind = said(record.kind.value.replace("_", " "))
    match record.kind.nature:
        case Nature.FACT:
            return _("{kind}, a fact", kind=kind)
        case Nature.EVALUATION:
            return _("{kind}, an evaluation", kind=kind)
        case _:
            return kind


def _show_actions(record: Record) -> None:
    ledger = runtime.services().ledger
    moved: tuple[Status, str] | None = None
    with st.container(horizontal=True, gap="small"):
        for action in _MOVES.get(record.status, ()):
            barred = record.protected and action.status is Status.ARCHIVED
            if st.button(
                _(action.label),
                icon=action.icon,
                type="primary" if action.status is Status.ACTIVE else "secondary",
                disabled=barred,
                help=_("A protected record is not archived.") if barred else _(action.effect),
            ):
                moved = action.status, action.reason
        turned = st.button(
            _("Stop protecting") if record.protected else _("Protect"),
            icon=":material/lock_open:" if record.protected else ":material/lock:",
        )
    if moved:
        runtime.services().lifecycle.move(
            record.workspace, [record.id], moved[0], author=runtime.author(), reason=moved[1], now=runtime.now()
        )
        st.rerun()
    if turned:
        reason = "no longer protected" if record.protected else "protected by hand"
        ledger.protect(
            record.workspace, record.id, not record.protected, author=runtime.author(), reason=reason, at=runtime.now()
        )
        st.rerun()


def _correct(record: Record) -> None:
    opened = _opened(record)
    facts = record_form(record.kind, _form_key(opened), _("Save the correction"), opened.facts)
    if facts is None:
        return
    if facts == opened.facts:
        st.info(_("Nothing was changed."), icon=":material/info:")
        return
    if record.revision not in (opened.revision, st.session_state.get(WARNED)):
        st.session_state[WARNED] = record.revision
        st.warning(
            _(
                "This record was changed elsewhere after you opened it, so nothing was saved yet. What you typed "
                "stands here still: compare it with the record above, then save it again to write over that change."
            ),
            icon=":material/info:",
        )
        return
    try:
        kept = runtime.services().intake.revise(
            record.workspace, record.id, facts, author=runtime.author(), reason="corrected by hand", now=runtime.now()
        )
    except (IntakeRefused, RecordInvalid, RecordChanged) as refused:
        st.warning(_("Not saved. {why}", why=as_markdown(said(str(refused)))), icon=":material/info:")
        return
    del st.session_state[OPENED]
    st.session_state.pop(WARNED, None)
    st.session_state[REVISED] = (record.id, changes_made(facts, kept.facts))
    st.rerun()


def _opened(record: Record) -> Record:
    """Give the record as it was when this session opened its form, so that a change elsewhere takes no typed word."""
    opened: Record | None = st.session_state.get(OPENED)
    first = SHEETS[record.kind].fields[0].name
    if opened is None or opened.id != record.id or f"{_form_key(opened)}-{first}" not in st.session_state:
        st.session_state[OPENED] = opened = record
        st.session_state.pop(WARNED, None)
    return opened


def _form_key(record: Record) -> str:
    return f"correct-{record.id}-{record.revision}"
