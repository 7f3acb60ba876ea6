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
from ui.plain import as_markdown
from ui.runtime import AUTHOR

JUDGED = "judged"
LOWER, BLOCK, CLEAR = "Set its trust", "Block it", "As at first"
_HELP = {
    LOWER: "Say what it is worth. All that was derived from it follows.",
    BLOCK: "It and all that was derived from it are worth nothing, until you take the block away.",
    CLEAR: "Take away what was said of it: it is worth what its origin and its sources leave it.",
}

_DEEDS = {"add": "came in", "confidence": "trust changed", "revise": "facts changed", "active": "made active"}


def show(record_id: str) -> None:
    """Show the section below a record. Raises RecordNotFound."""
    services, workspace = runtime.services(), runtime.settings().workspace
    record = services.ledger.get(workspace, [record_id])[record_id]
    st.subheader("Family and trust", anchor=False)
    _show_family(record)
    _show_judging(record)
    _show_replacing(record)
    with st.expander("What was done to it", icon=":material/history:"):
        for it in deeds(services.ledger, workspace, record_id):
            why = f": {as_markdown(it.reason)}" if it.reason and it.action != "add" else ""
            action = _DEEDS.get(it.action, as_markdown(it.action.replace("_", " ")))
            st.markdown(f"{it.at:%d %b %Y, %H:%M} · {as_markdown(it.author)} · **{action}**{why}")


def _show_family(record: Record) -> None:
    family = family_of(runtime.services().ledger, record.workspace, record.id)
    said = family_sentence(family)
    if len(family.relatives) == 1:
        st.markdown(":gray[It was derived from no other record, and nothing was derived from it.]")
        return
    st.markdown(said)
    st.plotly_chart(family_figure(family), key=f"family-{record.id}", alt=said, config={"displayModeBar": False})
    st.caption(
        "Sources stand on the left, what was derived on the right. Green is trusted 70% and more, red too little to be "
        "recalled; a hollow mark is not active."
    )
    with st.expander(f"As a table ({len(family.relatives)})", icon=":material/table_rows:"):
        chosen = st.dataframe(
            family_rows(family),
            hide_index=True,
            key=f"relatives-{record.id}",
            on_select="rerun",
            selection_mode="single-row",
            row_height=ROW_HEIGHT,
            alt="The family",
            column_config={"Trust": st.column_config.NumberColumn(format="%.0f%%", width="small")},
        )
        picked = chosen["selection"]["rows"]
        if picked and picked[0] < len(family.relatives) and family.relatives[picked[0]].record.id != record.id:
            state.set_address(record=family.relatives[picked[0]].record.id)
            st.rerun()
        st.caption("Tick a row to open that record.")


def _show_judging(record: Record) -> None:
    services = runtime.services()
    stands = services.trust.judgement(record.workspace, record.id)
    st.markdown("**What would this touch?**")
    _show_undo(record)
    st.markdown(f":gray[{_standing(stands)}]")
    with st.container(horizontal=True, vertical_alignment="bottom", gap="medium"):
        choice = st.segmented_control(
            "Judgement", list(_HELP), default=LOWER, required=True, key=f"judge-{record.id}",
            label_visibility="collapsed",
        )  # fmt: skip
        own = 100
        if choice == LOWER:
            own = st.slider("Trust, in %", 0, 100, 10, 5, key=f"own-{record.id}", width=260)
    st.caption(_HELP[choice])
    judgement = {LOWER: Judgement(own / 100), BLOCK: Judgement(blocked=True), CLEAR: Judgement()}[choice]
    touched = services.trust.effect(record.workspace, record.id, judgement)
    if touched:
        st.markdown(
            f"It would touch **{len(touched):,}** {'record' if len(touched) == 1 else 'records'}. Nothing is done yet."
        )
        st.dataframe(
            touched_rows(touched),
            hide_index=True,
            key=f"touched-{record.id}",
            row_height=ROW_HEIGHT,
            alt="What it would touch",
            column_config={
                name: st.column_config.NumberColumn(format="%.0f%%", width="small") for name in ("Now", "Then")
            },
        )
    else:
        st.markdown("It would change no record's trust.")
    with st.container(horizontal=True, vertical_alignment="bottom", gap="small"):
        reason = st.text_input("Because", key=f"because-{record.id}", placeholder="What you know that it does not say")
        done = st.button(
            "Do it", key=f"do-{record.id}", type="primary", disabled=judgement == stands, icon=":material/gavel:"
        )
    if done:
        _judge(record, judgement, reason.strip() or choice.lower(), stands)


def _judge(record: Record, judgement: Judgement, reason: str, stood: Judgement | None) -> None:
    """Apply a judgement; ``stood`` is what undoes it, None where this is the undoing."""
    try:
        touched = runtime.services().trust.judge(
            record.workspace, record.id, judgement, author=AUTHOR, reason=reason, at=runtime.now()
        )
    except RecordInvalid as refused:
        st.warning(as_markdown(str(refused)), icon=":material/info:")
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
        count = f"{touched:,} {'record' if touched == 1 else 'records'}"
        st.markdown(f":material/check: Done. It touched {count}.", width="content")
        if st.button("Undo", key=f"undo-judge-{record.id}", icon=":material/undo:"):
            _judge(record, stood, "undone", None)


def _standing(it: Judgement) -> str:
    if it.blocked:
        return "You have blocked it."
    if it.own is not None:
        return f"You have said that it is worth {it.own:.0%} of itself."
    return "Nobody has judged it: it is worth what its origin and its sources leave it."


def touched_rows(touched: tuple[Touched, ...]) -> pd.DataFrame:
    """Lay out what a judgement would touch, the record itself first."""
    return pd.DataFrame(
        [
            {
                "Title": it.record.title,
                "Kind": it.record.kind.value.replace("_", " "),
                "Now": round(100 * it.before),
                "Then": round(100 * it.after),
            }
            for it in touched
        ]
    )


def _show_replacing(record: Record) -> None:
    if record.kind.nature is Nature.EVALUATION or record.status is not Status.ACTIVE:
        return
    st.button(
        "It was wrong: write down what is right",
        key=f"replace-{record.id}",
        icon=":material/edit_note:",
        on_click=lambda: st.session_state.update({CORRECTING: record.id}),
    )
    show_correction(record)
