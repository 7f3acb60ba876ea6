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
from memory.records import Kind, Nature, Record, Status
from ui import chores, runtime
from ui.chores import Erased, Moved, Surplus, Twins
from ui.components.chore import MERGED, TOLD, clear, start, told
from ui.components.tables import ROW_HEIGHT
from ui.components.waiting import differing, lineage
from ui.formats import day_column, moment, moment_column, number, percent
from ui.language import _, _n
from ui.messages import N_
from ui.plain import as_markdown, quiet
from ui.said import said

ARCHIVE, MERGE, FORGOTTEN = "archive", "merge", "forgotten"
MOST_SHOWN = 500
MOST_PAIRS = 20
_NAMES = {
    Kind.INVESTMENT: N_("investments"),
    Kind.BUG: N_("bugs"),
    Kind.EVALUATED_DECK: N_("evaluated decks"),
    Kind.REVIEWED_CODE: N_("reviewed code"),
    Kind.OBSERVATION: N_("observations"),
    Kind.PREFERENCE: N_("preferences"),
}


def _name(kind: Kind) -> str:
    return _(_NAMES[kind])


def show_archive() -> None:
    """Show what eviction would archive, and archive it."""
    services = runtime.services()
    st.header(_("Archive what is least worth keeping"), anchor=False)
    lead = _(
        "What is used, young and trusted stays; protected records always stay. What is archived is kept, is not "
        "recalled, and can be restored."
    )
    st.markdown(quiet(lead))
    counts = services.ledger.counts(services.workspace)
    kinds = [it for it in Kind if counts.get(it)]
    if not kinds:
        st.markdown(_("There are no records yet."))
        return
    with st.container(horizontal=True, vertical_alignment="bottom", gap="small"):
        kind = st.selectbox(_("Of the"), kinds, format_func=_name, key="archive-kind", width=200)
        keep = st.number_input(
            _("Keep at most"), 0, 10_000_000, value=max(0, counts[kind] - counts[kind] // 10), step=10,
            key=f"archive-keep-{kind.value}", width=150,
        )  # fmt: skip
        asked = st.button(_("Show what would go"), icon=":material/search:", key="archive-list")
    st.caption(_("There are {count} active {kinds}.", count=number(counts[kind]), kinds=_name(kind)))
    if asked:
        start(ARCHIVE, chores.list_surplus(services, kind, int(keep), runtime.now))
    match told(ARCHIVE):
        case Surplus() as found:
            _show_surplus(found)
        case Moved() as done:
            _show_moved(done)


def _show_surplus(found: Surplus) -> None:
    if not found.rows:
        st.markdown(
            _(
                "Nothing would go: no more than {count} {kinds} are unprotected and active.",
                count=number(found.keep),
                kinds=_name(found.kind),
            )
        )
        return
    st.markdown(
        _n(
            "**{count} record would be archived.** Nothing is done yet.",
            "**{count} records would be archived.** Nothing is done yet.",
            len(found.rows),
        )
    )
    st.dataframe(
        pd.DataFrame(
            [
                {
                    _("Title"): record.title,
                    _("Worth keeping"): score,
                    _("Used"): record.use_count,
                    _("Last change"): record.updated_at,
                    _("Trust"): round(100 * record.confidence),
                }
                for record, score in found.rows[:MOST_SHOWN]
            ]
        ),
        hide_index=True,
        row_height=ROW_HEIGHT,
        height=min(8, len(found.rows) + 1) * ROW_HEIGHT,
        placeholder="",
        alt=_("What would be archived"),
        column_config={
            _("Worth keeping"): st.column_config.ProgressColumn(format="%.2f", min_value=0, max_value=1),
            _("Last change"): st.column_config.DatetimeColumn(format=day_column()),
            _("Trust"): st.column_config.NumberColumn(format="%.0f%%", width="small"),
        },
    )
    do = _n("Archive {count} record", "Archive {count} records", len(found.rows))
    if st.button(do, type="primary", icon=":material/archive:", key="archive-do"):
        ids = tuple(record.id for record, _ in found.rows)
        services = runtime.services()
        start(ARCHIVE, chores.move(services, ids, Status.ARCHIVED, runtime.author(), "evicted", runtime.now))


def _show_moved(done: Moved) -> None:
    with st.container(horizontal=True, vertical_alignment="center", gap="small"):
        told = (
            _n("{count} record archived.", "{count} records archived.", done.moved)
            if done.archived
            else _n("{count} record restored.", "{count} records restored.", done.moved)
        )
        st.markdown(f":material/check: {told}", width="content")
        if done.archived and st.button(_("Undo"), key="archive-undo", icon=":material/undo:"):
            services = runtime.services()
            start(
                ARCHIVE,
                chores.move(services, done.ids, Status.ACTIVE, runtime.author(), "undone: evicted", runtime.now),
            )


def show_merge() -> None:
    """Show near duplicates side by side, and merge them."""
    services = runtime.services()
    st.header(_("Merge near duplicates"), anchor=False)
    lead = _(
        "Records of one kind that say nearly the same, and do not contradict each other. The later one is archived; "
        "no fact and no trust changes."
    )
    st.markdown(quiet(lead))
    counts = services.ledger.counts(services.workspace)
    kinds = [it for it in Kind if counts.get(it) and it.nature is not Nature.EVALUATION]
    with st.container(horizontal=True, vertical_alignment="bottom", gap="small"):
        kind = st.selectbox(_("Among the"), kinds, format_func=_name, key="merge-kind", width=200)
        if st.button(_("Look for them"), icon=":material/search:", key="merge-list", disabled=not kinds):
            start(MERGE, chores.list_twins(services, kind))
    _show_unmerge()
    found = told(MERGE)
    if not isinstance(found, Twins):
        return
    if not found.pairs:
        none = _("No two {kinds} are nearly the same.", kinds=_name(found.kind))
        st.markdown(f":gray[:material/check: {none}]")
        return
    st.markdown(_n("**{count} pair** to look at.", "**{count} pairs** to look at.", len(found.pairs)))
    for keep, other, likeness in found.pairs[:MOST_PAIRS]:
        _show_pair(found, keep, other, likeness)
    if len(found.pairs) > MOST_PAIRS:
        st.caption(_("The rest is shown once these are settled."))


def _show_pair(found: Twins, keep: Record, other: Record, likeness: float) -> None:
    with st.container(border=True, key=f"pair-{keep.id}-{other.id}"):
        left, right = st.columns(2, gap="medium")
        for column, record, role in ((left, keep, _("Stays")), (right, other, _("Would be archived"))):
            with column:
                st.caption(role)
                st.markdown(f"**{as_markdown(record.title)}**")
                st.caption(lineage(record))
        differs = _(", ").join(sorted(name.lower() for name in differing(keep, [other])))
        st.markdown(
            _("{share} alike; they differ in {facts}.", share=percent(likeness, 1), facts=as_markdown(differs))
            if differs
            else _("{share} alike; they differ in nothing but the origin.", share=percent(likeness, 1))
        )
        with st.container(horizontal=True, gap="small"):
            merged = st.button(_("Merge"), key=f"merge-{keep.id}-{other.id}", icon=":material/merge:", type="primary")
            apart = st.button(_("Keep both"), key=f"apart-{keep.id}-{other.id}", icon=":material/close:")
    if merged:
        services = runtime.services()
        try:
            services.lifecycle.merge(
                services.workspace, keep.id, [other.id], author=runtime.author(), now=runtime.now()
            )
        except RecordInvalid as refused:
            st.warning(as_markdown(said(str(refused))), icon=":material/info:")
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
        merged = _("**{title}** was merged and archived.", title=as_markdown(title))
        st.markdown(f":material/check: {merged}", width="content")
        if st.button(_("Undo"), key="merge-undo", icon=":material/undo:"):
            services = runtime.services()
            services.lifecycle.move(
                services.workspace, [record_id], Status.ACTIVE, author=runtime.author(), reason="undone: merged",
                now=runtime.now(),
            )  # fmt: skip
            del st.session_state[MERGED]
            clear(MERGE)
            st.rerun()


def show_forgotten() -> None:
    """Show what is forgotten: restore it, or erase what is due."""
    services = runtime.services()
    st.header(_("Erase what was forgotten"), anchor=False)
    lead = _(
        "What is forgotten can be restored for {days} days. After that it can be erased for ever; a receipt says where "
        "it was looked for afterwards, and that it is nowhere.",
        days=number(SOFT.days),
    )
    st.markdown(quiet(lead))
    page = services.ledger.find(services.workspace, statuses=[Status.FORGOTTEN], limit=MOST_SHOWN)
    records = [it for it in page.records if it.facts != gone(it.kind)]
    due = services.lifecycle.to_purge(services.workspace, runtime.now())
    if isinstance(done := told(FORGOTTEN), Erased):
        _show_receipt(done.receipt, done.backup)
    if not records:
        st.markdown(quiet(":material/check: " + _("Nothing is forgotten.")))
        return
    _show_restorable(records)
    if not due:
        st.markdown(quiet(_("None of it is due to be erased yet.")))
        return
    st.markdown(_n("**{count} record can be erased now.**", "**{count} records can be erased now.**", len(due)))
    first = st.checkbox(_("Back up first; the backup still holds what is erased"), value=True, key="purge-backup")
    sure = st.checkbox(_("Erase for ever. This cannot be undone."), key="purge-sure")
    erase = _n("Erase {count} record", "Erase {count} records", len(due))
    if st.button(erase, type="primary", icon=":material/delete_forever:", disabled=not sure, key="purge-do"):
        start(FORGOTTEN, chores.purge(services, runtime.author(), first, runtime.now), can_stop=False)


def _show_restorable(records: Sequence[Record]) -> None:
    now = runtime.now()
    chosen = st.dataframe(
        pd.DataFrame(
            [
                {
                    _("Title"): it.title,
                    _("Kind"): said(it.kind.value.replace("_", " ")),
                    _("Forgotten"): it.updated_at,
                    _("Can be erased from"): _due(it, now),
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
        placeholder="",
        alt=_("Forgotten records"),
        column_config={_("Forgotten"): st.column_config.DatetimeColumn(format=moment_column())},
    )
    picked = [records[row] for row in chosen["selection"]["rows"] if row < len(records)]
    label = _("Restore {count}", count=number(len(picked))) if picked else _("Tick what is to be restored")
    if st.button(label, key="forgotten-restore", icon=":material/restore_from_trash:", disabled=not picked):
        services = runtime.services()
        services.lifecycle.move(
            services.workspace, [it.id for it in picked], Status.ACTIVE, author=runtime.author(),
            reason="restored by hand", now=now,
        )  # fmt: skip
        st.rerun()


def _due(record: Record, now: datetime) -> str:
    if record.protected:
        return _("never: protected")
    due = (record.updated_at or record.provenance.created_at) + SOFT
    return _("now") if due <= now else moment(due)


def _show_receipt(receipt: Receipt, backup: Backup | None) -> None:
    count = len(receipt.erased)
    if receipt.clean:
        st.success(
            _n(
                "{count} record erased at change {change}. Looked for afterwards in {places}: found nowhere.",
                "{count} records erased at change {change}. Looked for afterwards in {places}: found nowhere.",
                count,
                change=number(receipt.change),
                places=_(", ").join(map(said, receipt.looked_in)),
            ),
            icon=":material/check_circle:",
        )
    else:
        st.error(
            _n(
                "{count} record erased, but something is still found. Erase again.",
                "{count} records erased, but something is still found. Erase again.",
                count,
            ),
            icon=":material/error:",
        )
    st.caption(_("Receipt {digest}, sha256 of all it says.", digest=receipt.digest[:16]))
    if backup:
        st.caption(_("The backup made before: {file}", file=as_markdown(backup.path.name)))
    st.download_button(
        _("Save the receipt"),
        json.dumps(asdict(receipt), default=str, indent=2),
        file_name=f"erased-{receipt.at:%Y%m%dT%H%M%S}.json",
        mime="application/json",
        icon=":material/download:",
        key="receipt",
        on_click="ignore",
    )
