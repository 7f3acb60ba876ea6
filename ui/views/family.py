"""A record's family and its trust: who stands behind it, what a judgement would touch, doing it and undoing it."""

from __future__ import annotations

import pandas as pd
import streamlit as st

from memory.errors import RecordInvalid
from memory.family import deeds, family_of
from memory.records import Nature, Record, Status
from memory.trust import Judgement, Touched
from ui import runtime, state
from ui.components.family_tree import family_figure, family_rows, family_sentence
from ui.components.settle import CORRECTING, forget_count, show_correction
from ui.components.tables import ROW_HEIGHT
from ui.formats import moment, percent
from ui.language import _, _n
from ui.messages import N_
from ui.plain import as_markdown, quiet
from ui.said import said, said_author

JUDGED = "judged"
LOWER, BLOCK, CLEAR = N_("Set its trust"), N_("Block it"), N_("As at first")
_HELP = {
    LOWER: N_("Say what it is worth. All that was derived from it follows."),
    BLOCK: N_("It and all that was derived from it are worth nothing, until you take the block away."),
    CLEAR: N_("Take away what was said of it: it is worth what its origin and its sources leave it."),
}

_DEEDS = {
    "add": N_("came in"),
    "confidence": N_("trust changed"),
    "revise": N_("facts changed"),
    "active": N_("made active"),
}


def show(record_id: str) -> None:
    """Show the section below a record. Raises RecordNotFound."""
    services, workspace = runtime.services(), runtime.settings().workspace
    record = services.ledger.get(workspace, [record_id])[record_id]
    st.header(_("Family and trust"), anchor=False)
    _show_family(record)
    _show_judging(record)
    _show_replacing(record)
    with st.expander(_("What was done to it"), icon=":material/history:"):
        for it in deeds(services.ledger, workspace, record_id):
            known = _DEEDS.get(it.action)
            action = f"**{_(known) if known else as_markdown(said(it.action.replace('_', ' ')))}**"
            if it.reason and it.action != "add":
                action = _("{deed}: {why}", deed=action, why=as_markdown(said(it.reason)))
            st.markdown(f"{moment(it.at)} · {as_markdown(said_author(it.author))} · {action}")


def _show_family(record: Record) -> None:
    family = family_of(runtime.services().ledger, record.workspace, record.id)
    sentence = family_sentence(family)
    if len(family.relatives) == 1:
        st.markdown(quiet(_("It was derived from no other record, and nothing was derived from it.")))
        return
    st.markdown(sentence)
    st.plotly_chart(family_figure(family), key=f"family-{record.id}", alt=sentence, config={"displayModeBar": False})
    st.caption(
        _(
            "Sources stand on the left, what was derived on the right. Green is trusted 70% and more, red too little "
            "to be recalled; a hollow mark is not active."
        )
    )
    with st.expander(_("As a table ({count})", count=len(family.relatives)), icon=":material/table_rows:"):
        chosen = st.dataframe(
            family_rows(family),
            hide_index=True,
            key=f"relatives-{record.id}",
            on_select="rerun",
            selection_mode="single-row",
            row_height=ROW_HEIGHT,
            placeholder="",
            alt=_("The family"),
            column_config={_("Trust"): st.column_config.NumberColumn(format="%.0f%%", width="small")},
        )
        picked = chosen["selection"]["rows"]
        if picked and picked[0] < len(family.relatives) and family.relatives[picked[0]].record.id != record.id:
            state.set_address(record=family.relatives[picked[0]].record.id)
            st.rerun()
        st.caption(_("Tick a row to open that record."))


def _show_judging(record: Record) -> None:
    services = runtime.services()
    stands = services.trust.judgement(record.workspace, record.id)
    st.markdown(_("**What would this touch?**"))
    _show_undo(record)
    st.markdown(f":gray[{_standing(stands)}]")
    with st.container(horizontal=True, vertical_alignment="bottom", gap="medium"):
        choice = st.segmented_control(
            _("Judgement"), list(_HELP), default=LOWER, required=True, key=f"judge-{record.id}", format_func=_,
            label_visibility="collapsed",
        )  # fmt: skip
        own = 100
        if choice == LOWER:
            stood = round(100 * (record.confidence if stands.own is None else stands.own))
            own = st.slider(_("Trust, in %"), 0, 100, stood, key=f"own-{record.id}", width=260)
    st.caption(_(_HELP[choice]))
    judgement = {LOWER: Judgement(own / 100), BLOCK: Judgement(blocked=True), CLEAR: Judgement()}[choice]
    touched = services.trust.effect(record.workspace, record.id, judgement)
    if touched:
        st.markdown(
            _n(
                "It would touch **{count}** record. Nothing is done yet.",
                "It would touch **{count}** records. Nothing is done yet.",
                len(touched),
            )
        )
        st.dataframe(
            touched_rows(touched),
            hide_index=True,
            key=f"touched-{record.id}",
            row_height=ROW_HEIGHT,
            placeholder="",
            alt=_("What it would touch"),
            column_config={
                name: st.column_config.NumberColumn(format="%.0f%%", width="small") for name in (_("Now"), _("Then"))
            },
        )
    else:
        st.markdown(_("It would change no record's trust."))
    with st.container(horizontal=True, vertical_alignment="bottom", gap="small"):
        reason = st.text_input(
            _("Because"), key=f"because-{record.id}", placeholder=_("What you know that it does not say")
        )
        done = st.button(
            _("Do it"), key=f"do-{record.id}", type="primary", disabled=judgement == stands, icon=":material/gavel:"
        )
    if done:
        _judge(record, judgement, reason.strip() or choice.lower(), stands)


def _judge(record: Record, judgement: Judgement, reason: str, stood: Judgement | None) -> None:
    """Apply a judgement; ``stood`` is what undoes it, None where this is the undoing."""
    try:
        touched = runtime.services().trust.judge(
            record.workspace, record.id, judgement, author=runtime.author(), reason=reason, at=runtime.now()
        )
    except RecordInvalid as refused:
        st.warning(as_markdown(said(str(refused))), icon=":material/info:")
        return
    if stood is None:
        st.session_state.pop(JUDGED, None)
    else:
        st.session_state[JUDGED] = (record.id, stood, len(touched))
    forget_count()
    st.rerun()


def _show_undo(record: Record) -> None:
    record_id, stood, touched = st.session_state.get(JUDGED, ("", Judgement(), 0))
    if record_id != record.id:
        return
    with st.container(horizontal=True, vertical_alignment="center", gap="small"):
        done = _n("Done. It touched {count} record.", "Done. It touched {count} records.", touched)
        st.markdown(f":material/check: {done}", width="content")
        if st.button(_("Undo"), key=f"undo-judge-{record.id}", icon=":material/undo:"):
            _judge(record, stood, "undone", None)


def _standing(it: Judgement) -> str:
    if it.blocked:
        return _("You have blocked it.")
    if it.own is not None:
        return _("You have said that it is worth {share} of itself.", share=percent(it.own))
    return _("Nobody has judged it: it is worth what its origin and its sources leave it.")


def touched_rows(touched: tuple[Touched, ...]) -> pd.DataFrame:
    """Lay out what a judgement would touch, the record itself first."""
    return pd.DataFrame(
        [
            {
                _("Title"): it.record.title,
                _("Kind"): said(it.record.kind.value.replace("_", " ")),
                _("Now"): round(100 * it.before),
                _("Then"): round(100 * it.after),
            }
            for it in touched
        ]
    )


def _show_replacing(record: Record) -> None:
    if record.kind.nature is Nature.EVALUATION or record.status is not Status.ACTIVE:
        return
    st.button(
        _("It was wrong: write down what is right"),
        key=f"replace-{record.id}",
        icon=":material/edit_note:",
        on_click=lambda: st.session_state.update({CORRECTING: record.id}),
    )
    show_correction(record)
