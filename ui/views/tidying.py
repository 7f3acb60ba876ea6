"""Records no longer wanted: archive the least worth keeping, merge near duplicates, erase what is forgotten."""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import asdict
from datetime import datetime

import pandas as pd
import streamlit as st

from memory.backup import Backup
from memory.errors import RecordInvalid
from memory.facts import erased as gone
from memory.lifecycle import SOFT, Receipt
from memory.records import Kind, Record, Status
from ui import chores, runtime
from ui.chores import Erased, Moved, Surplus, Twins
from ui.components.chore import MERGED, TOLD, clear, count_words, start, told
from ui.components.tables import ROW_HEIGHT
from ui.components.waiting import differing, lineage
from ui.plain import as_markdown
from ui.runtime import AUTHOR

ARCHIVE, MERGE, FORGOTTEN = "archive", "merge", "forgotten"
MOST_SHOWN = 500
MOST_PAIRS = 20
_NAMES = {
    Kind.INVESTMENT: "investments",
    Kind.BUG: "bugs",
    Kind.EVALUATED_DECK: "evaluated decks",
    Kind.REVIEWED_CODE: "reviewed code",
    Kind.OBSERVATION: "observations",
    Kind.PREFERENCE: "preferences",
}


def show_archive() -> None:
    """Show what eviction would archive, and archive it."""
    services = runtime.services()
    st.subheader("Archive what is least worth keeping", anchor=False)
    st.markdown(
        ":gray[What is used, young and trusted stays; protected records always stay. What is archived is kept, "
        "is not recalled, and can be restored.]"
    )
    counts = services.ledger.counts(services.workspace)
    kinds = [it for it in Kind if counts.get(it)]
    if not kinds:
        st.markdown("There are no records yet.")
        return
    with st.container(horizontal=True, vertical_alignment="bottom", gap="small"):
        kind = st.selectbox("Of the", kinds, format_func=_NAMES.__getitem__, key="archive-kind", width=200)
        keep = st.number_input(
            "Keep at most", 0, 10_000_000, value=max(0, counts[kind] - counts[kind] // 10), step=10,
            key=f"archive-keep-{kind.value}", width=150,
        )  # fmt: skip
        asked = st.button("Show what would go", icon=":material/search:", key="archive-list")
    st.caption(f"There are {counts[kind]:,} active {_NAMES[kind]}.")
    if asked:
        start(ARCHIVE, chores.list_surplus(services, kind, int(keep), runtime.now))
    match told(ARCHIVE):
        case Surplus() as found:
            _show_surplus(found)
        case Moved() as done:
            _show_moved(done)


def _show_surplus(found: Surplus) -> None:
    if not found.rows:
        st.markdown(f"Nothing would go: no more than {found.keep:,} {_NAMES[found.kind]} are unprotected and active.")
        return
    st.markdown(f"**{count_words(len(found.rows))} would be archived.** Nothing is done yet.")
    st.dataframe(
        pd.DataFrame(
            [
                {
                    "Title": record.title,
                    "Worth keeping": score,
                    "Used": record.use_count,
                    "Last change": record.updated_at,
                    "Trust": round(100 * record.confidence),
                }
                for record, score in found.rows[:MOST_SHOWN]
            ]
        ),
        hide_index=True,
        row_height=ROW_HEIGHT,
        height=min(8, len(found.rows) + 1) * ROW_HEIGHT,
        alt="What would be archived",
        column_config={
            "Worth keeping": st.column_config.ProgressColumn(format="%.2f", min_value=0, max_value=1),
            "Last change": st.column_config.DatetimeColumn(format="D MMM YYYY"),
            "Trust": st.column_config.NumberColumn(format="%.0f%%", width="small"),
        },
    )
    if st.button(
        f"Archive {count_words(len(found.rows))}", type="primary", icon=":material/archive:", key="archive-do"
    ):
        ids = tuple(record.id for record, _ in found.rows)
        services = runtime.services()
        start(ARCHIVE, chores.move(services, ids, Status.ARCHIVED, AUTHOR, "evicted", runtime.now))


def _show_moved(done: Moved) -> None:
    with st.container(horizontal=True, vertical_alignment="center", gap="small"):
        st.markdown(f":material/check: {count_words(done.moved)} {done.done}.", width="content")
        if done.done == "archived" and st.button("Undo", key="archive-undo", icon=":material/undo:"):
            services = runtime.services()
            start(ARCHIVE, chores.move(services, done.ids, Status.ACTIVE, AUTHOR, "undone: evicted", runtime.now))


def show_merge() -> None:
    """Show near duplicates side by side, and merge them."""
    services = runtime.services()
    st.subheader("Merge near duplicates", anchor=False)
    st.markdown(
        ":gray[Records of one kind that say nearly the same, and do not contradict each other. The later one is "
        "archived; no fact and no trust changes.]"
    )
    counts = services.ledger.counts(services.workspace)
    kinds = [it for it in Kind if counts.get(it)]
    with st.container(horizontal=True, vertical_alignment="bottom", gap="small"):
        kind = st.selectbox("Among the", kinds, format_func=_NAMES.__getitem__, key="merge-kind", width=200)
        if st.button("Look for them", icon=":material/search:", key="merge-list", disabled=not kinds):
            start(MERGE, chores.list_twins(services, kind))
    _show_unmerge()
    found = told(MERGE)
    if not isinstance(found, Twins):
        return
    if not found.pairs:
        st.markdown(f":gray[:material/check: No two {_NAMES[found.kind]} are nearly the same.]")
        return
    st.markdown(f"**{len(found.pairs):,} {'pair' if len(found.pairs) == 1 else 'pairs'}** to look at.")
    for keep, other, likeness in found.pairs[:MOST_PAIRS]:
        _show_pair(found, keep, other, likeness)
    if len(found.pairs) > MOST_PAIRS:
        st.caption("The rest is shown once these are settled.")


def _show_pair(found: Twins, keep: Record, other: Record, likeness: float) -> None:
    with st.container(border=True, key=f"pair-{keep.id}-{other.id}"):
        left, right = st.columns(2, gap="medium")
        for column, record, role in ((left, keep, "Stays"), (right, other, "Would be archived")):
            with column:
                st.caption(role)
                st.markdown(f"**{as_markdown(record.title)}**")
                st.caption(lineage(record))
        differs = ", ".join(sorted(name.lower() for name in differing(keep, [other]))) or "nothing but the origin"
        st.markdown(f"{likeness:.1%} alike; they differ in {as_markdown(differs)}.")
        with st.container(horizontal=True, gap="small"):
            merged = st.button("Merge", key=f"merge-{keep.id}-{other.id}", icon=":material/merge:", type="primary")
            apart = st.button("Keep both", key=f"apart-{keep.id}-{other.id}", icon=":material/close:")
    if merged:
        services = runtime.services()
        try:
            services.lifecycle.merge(services.workspace, keep.id, [other.id], author=AUTHOR, now=runtime.now())
        except RecordInvalid as refused:
            st.warning(as_markdown(str(refused)), icon=":material/info:")
            return
        st.session_state[MERGED] = (other.id, other.title)
    if merged or apart:
        rest = tuple(it for it in found.pairs if {it[0].id, it[1].id} != {keep.id, other.id})
        if merged:
            rest = tuple(it for it in rest if other.id not in {it[0].id, it[1].id})
        st.session_state[TOLD][MERGE] = Twins(found.kind, rest)
        st.rerun()


def _show_unmerge() -> None:
    record_id, title = st.session_state.get(MERGED, ("", ""))
    if not record_id:
        return
    with st.container(horizontal=True, vertical_alignment="center", gap="small"):
        st.markdown(f":material/check: **{as_markdown(title)}** was merged and archived.", width="content")
        if st.button("Undo", key="merge-undo", icon=":material/undo:"):
            services = runtime.services()
            services.lifecycle.move(
                services.workspace, [record_id], Status.ACTIVE, author=AUTHOR, reason="undone: merged",
                now=runtime.now(),
            )  # fmt: skip
            del st.session_state[MERGED]
            clear(MERGE)
            st.rerun()


def show_forgotten() -> None:
    """Show what is forgotten: restore it, or erase what is due."""
    services = runtime.services()
    st.subheader("Erase what was forgotten", anchor=False)
    st.markdown(
        f":gray[What is forgotten can be restored for {SOFT.days} days. After that it can be erased for ever; a "
        "receipt says where it was looked for afterwards, and that it is nowhere.]"
    )
    page = services.ledger.find(services.workspace, statuses=[Status.FORGOTTEN], limit=MOST_SHOWN)
    records = [it for it in page.records if it.facts != gone(it.kind)]
    due = services.lifecycle.to_purge(services.workspace, runtime.now())
    if isinstance(done := told(FORGOTTEN), Erased):
        _show_receipt(done.receipt, done.backup)
    if not records:
        st.markdown(":gray[:material/check: Nothing is forgotten.]")
        return
    _show_restorable(records)
    if not due:
        st.markdown(":gray[None of it is due to be erased yet.]")
        return
    count = count_words(len(due))
    st.markdown(f"**{count} can be erased now.**")
    first = st.checkbox("Back up first; the backup still holds what is erased", value=True, key="purge-backup")
    sure = st.checkbox("Erase for ever. This cannot be undone.", key="purge-sure")
    if st.button(f"Erase {count}", type="primary", icon=":material/delete_forever:", disabled=not sure, key="purge-do"):
        start(FORGOTTEN, chores.purge(services, AUTHOR, first, runtime.now), can_stop=False)


def _show_restorable(records: Sequence[Record]) -> None:
    now = runtime.now()
    chosen = st.dataframe(
        pd.DataFrame(
            [
                {
                    "Title": it.title,
                    "Kind": it.kind.value.replace("_", " "),
                    "Forgotten": it.updated_at,
                    "Can be erased from": _due(it, now),
                }
                for it in records
            ]
        ),
        hide_index=True,
        key=f"forgotten-{len(records)}",
        on_select="rerun",
        selection_mode="multi-row",
        row_height=ROW_HEIGHT,
        height=min(8, len(records) + 1) * ROW_HEIGHT,
        alt="Forgotten records",
        column_config={"Forgotten": st.column_config.DatetimeColumn(format="D MMM YYYY, HH:mm")},
    )
    picked = [records[row] for row in chosen["selection"]["rows"] if row < len(records)]
    label = f"Restore {len(picked):,}" if picked else "Tick what is to be restored"
    if st.button(label, key="forgotten-restore", icon=":material/restore_from_trash:", disabled=not picked):
        services = runtime.services()
        services.lifecycle.move(
            services.workspace, [it.id for it in picked], Status.ACTIVE, author=AUTHOR, reason="restored by hand",
            now=now,
        )  # fmt: skip
        st.rerun()


def _due(record: Record, now: datetime) -> str:
    if record.protected:
        return "never: protected"
    due = (record.updated_at or record.provenance.created_at) + SOFT
    return "now" if due <= now else f"{due:%d %b %Y, %H:%M}"


def _show_receipt(receipt: Receipt, backup: Backup | None) -> None:
    count = count_words(len(receipt.erased))
    looked = ", ".join(receipt.looked_in)
    if receipt.clean:
        st.success(
            f"{count} erased at change {receipt.change:,}. Looked for afterwards in {looked}: found nowhere.",
            icon=":material/check_circle:",
        )
    else:
        st.error(f"{count} erased, but something is still found. Erase again.", icon=":material/error:")
    st.caption(f"Receipt {receipt.digest[:16]}, sha256 of all it says.")
    if backup:
        st.caption(f"The backup made before: {as_markdown(backup.path.name)}")
    st.download_button(
        "Save the receipt",
        json.dumps(asdict(receipt), default=str, indent=2),
        file_name=f"erased-{receipt.at:%Y%m%dT%H%M%S}.json",
        mime="application/json",
        icon=":material/download:",
        key="receipt",
        on_click="ignore",
    )
