"""What waits for a person, settled in one click each, and the last steps taken back."""

from __future__ import annotations

from collections.abc import Callable

import streamlit as st

from memory.errors import IntakeRefused, RecordInvalid, RecordNotFound
from memory.records import Facts, Note, Record, Status
from memory.review import Step
from ui import runtime
from ui.components.record_form import SHEETS, record_form
from ui.language import _
from ui.messages import N_
from ui.plain import as_markdown
from ui.said import said, said_all

STEPS = "settled-steps"
CORRECTING = "correcting"
REFUSED = (IntakeRefused, RecordInvalid, RecordNotFound)


def waiting() -> int:
    """Count what waits for a person, anew only after the ledger has changed."""
    ledger = runtime.services().ledger
    return _count(str(ledger.engine.url), runtime.settings().workspace, ledger.place())


@st.cache_data(max_entries=8, show_spinner=False)
def _count(ledger: str, workspace: str, place: tuple[int, str]) -> int:
    return runtime.services().review.count(workspace)


def forget_count() -> None:
    """Count anew at the next look: a settlement may change a queue and no record."""
    _count.clear()


def show_steps() -> None:
    """Say what was settled last in this session, and offer to take it back."""
    steps: list[Step] = st.session_state.get(STEPS, [])
    if not steps:
        return
    step = steps[-1]
    with st.container(horizontal=True, vertical_alignment="center", gap="small", key="settled"):
        done = _("**{title}** was {done}.", title=as_markdown(step.title), done=said(step.done))
        st.markdown(f":material/check: {done}", width="content")
        if st.button(_("Undo"), key=f"undo-step-{len(steps)}", icon=":material/undo:"):
            steps.pop()
            try:
                runtime.services().review.undo(
                    runtime.settings().workspace, step, author=runtime.author(), at=runtime.now()
                )  # fmt: skip
            except REFUSED as refused:
                st.warning(as_markdown(said(str(refused))), icon=":material/info:")
                return
            forget_count()
            st.rerun()
    if step.made:
        _show_made(step.made)


def _show_made(record_id: str) -> None:
    """Say where the record stands that a correction wrote: it passed through intake as any other."""
    services, workspace = runtime.services(), runtime.settings().workspace
    record = services.ledger.get(workspace, [record_id]).get(record_id)
    if record is not None and record.status in {Status.HELD, Status.QUARANTINED}:
        why = as_markdown(said_all(services.review.reasons(record)))
        st.warning(_("What you wrote waits too: {why}.", why=why), icon=":material/hourglass_top:")


def settle(act: Callable[[], Step]) -> None:
    """Do one step and remember how to take it back; say in words where it may not be done."""
    try:
        step = act()
    except REFUSED as refused:
        st.warning(_("Nothing was changed. {why}", why=as_markdown(said(str(refused)))), icon=":material/info:")
        return
    st.session_state.setdefault(STEPS, []).append(step)
    st.session_state.pop(CORRECTING, None)
    forget_count()
    st.rerun()


def offer(
    record: Record, verify: str = N_("Verify"), help_text: str = N_("You vouch for it. Audits may recall it.")
) -> None:
    """Offer to verify, correct and reject a record that waits."""
    review, workspace = runtime.services().review, record.workspace
    with st.container(horizontal=True, gap="small"):
        if st.button(_(verify), key=f"verify-{record.id}", type="primary", icon=":material/check:", help=_(help_text)):
            settle(lambda: review.verify(workspace, record.id, author=runtime.author(), at=runtime.now()))
        _offer_rest(record)
    show_correction(record)


def offer_choice(record: Record, wrong: list[str]) -> None:
    """Offer, for one side of a conflict, to keep it as the right one, to correct it and to reject it."""
    review, workspace = runtime.services().review, record.workspace
    with st.container(horizontal=True, gap="small"):
        if st.button(
            _("This one is right"),
            key=f"right-{record.id}",
            type="primary",
            icon=":material/check:",
            help=_("You vouch for it. The other falls to 10% trust, and its history says why."),
        ):
            settle(lambda: review.prefer(workspace, record.id, wrong, author=runtime.author(), at=runtime.now()))
        _offer_rest(record)
    show_correction(record)


def _offer_rest(record: Record) -> None:
    review, workspace = runtime.services().review, record.workspace
    st.button(
        _("Correct"),
        key=f"correct-{record.id}",
        icon=":material/edit:",
        help=_("Write down what is right. This one falls to 10% trust and is archived."),
        on_click=lambda: st.session_state.update({CORRECTING: record.id}),
    )
    if st.button(
        _("Reject"),
        key=f"reject-{record.id}",
        icon=":material/block:",
        help=_("It is forgotten, and erased after seven days. What was derived from it falls with it."),
    ):
        settle(lambda: review.reject(workspace, record.id, author=runtime.author(), at=runtime.now()))


def show_correction(record: Record) -> None:
    """Show the form that writes down what is right, filled with what the record says, once it is asked for."""
    if st.session_state.get(CORRECTING) != record.id:
        return
    st.caption(
        _(
            "What you save is a new record of your own. The wrong one falls to 10% trust and is archived; all that was "
            "derived from it falls with it."
        )
    )
    facts = ask_facts(record, f"right-facts-{record.id}-{record.revision}")
    if st.button(_("Leave it as it is"), key=f"leave-{record.id}", icon=":material/close:"):
        del st.session_state[CORRECTING]
        st.rerun()
    if facts is None:
        return
    if facts == record.facts:
        st.info(_("Nothing was changed."), icon=":material/info:")
        return
    review = runtime.services().review
    settle(lambda: review.correct(record.workspace, record.id, facts, author=runtime.author(), at=runtime.now())[0])


def ask_facts(record: Record, key: str) -> Facts | None:
    """Ask for the facts of a record's kind, filled with those it has."""
    if record.kind in SHEETS:
        return record_form(record.kind, key, _("Save what is right"), record.facts)
    if not isinstance(record.facts, Note):
        return None
    with st.form(key, enter_to_submit=False):
        title = st.text_input(_("Title"), record.facts.title, key=f"{key}-title")
        text = st.text_area(record.facts.label or _("Text"), record.facts.text, key=f"{key}-text", height=120)
        if not st.form_submit_button(_("Save what is right"), type="primary", icon=":material/save:"):
            return None
    return Note(title.strip(), record.facts.label, text.strip(), record.facts.year)
