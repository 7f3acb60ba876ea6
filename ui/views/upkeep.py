"""Upkeep: archive, merge, erase, back up, restore, check and index. Each is shown before it is done, and runs aside."""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import asdict
from datetime import datetime

import pandas as pd
import streamlit as st

from memory.backup import Backup, Restored
from memory.errors import RecordInvalid, StoreError
from memory.facts import erased as gone
from memory.lifecycle import SOFT, Receipt
from memory.records import Kind, Record, Status
from memory.verify import Verification
from ui import chores, runtime
from ui.chores import Erased, Indexed, Moved, Surplus, Twins
from ui.components.settle import STEPS, forget_count
from ui.components.tables import ROW_HEIGHT
from ui.components.waiting import differing, lineage
from ui.components.working import watch
from ui.jobs import JobState
from ui.plain import as_markdown
from ui.runtime import AUTHOR

JOB, TOLD, MERGED = "upkeep-job", "upkeep-told", "upkeep-merged"
ARCHIVE, MERGE, FORGOTTEN, BACKUP, CHAIN, INDEX = "archive", "merge", "forgotten", "backup", "chain", "index"
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


def show() -> None:
    """Show the chores, or the one that runs."""
    failed = _follow_job()
    if failed is None:
        return
    for name, show_one in (
        (ARCHIVE, _show_archive),
        (MERGE, _show_merge),
        (FORGOTTEN, _show_forgotten),
        (BACKUP, _show_backup),
        (CHAIN, _show_chain),
        (INDEX, _show_index),
    ):
        with st.container(border=True, key=f"chore-{name}"):
            show_one()
            if name in failed:
                st.warning(failed[name], icon=":material/info:")


def _start(name: str, work: chores.Chore, *, can_stop: bool = True) -> None:
    job = runtime.upkeep().submit(f"{name}-{runtime.settings().workspace}", work, still_valid=lambda _: False)
    job.wait(1.0)
    st.session_state[JOB] = (name, job.key, can_stop)
    st.rerun()


def _follow_job() -> dict[str, str] | None:
    """Show the running chore and give None; where one has ended, keep its result and say by chore what failed."""
    name, key, can_stop = st.session_state.get(JOB, ("", "", True))
    job = runtime.upkeep().get(key) if key else None
    if job is None:
        return {}
    if not job.state.ended:
        watch(runtime.upkeep(), job, "It goes on when you leave this page.", can_stop=can_stop)
        return None
    del st.session_state[JOB]
    forget_count()
    told = st.session_state.setdefault(TOLD, {})
    told.pop(name, None)
    match job.state:
        case JobState.DONE:
            told[name] = job.result
            if isinstance(job.result, Restored):
                for kept in (STEPS, MERGED):
                    st.session_state.pop(kept, None)
            return {}
        case JobState.CANCELLED:
            return {name: "It was stopped. What was finished until then is kept; start it again to go on."}
        case _:
            return {name: as_markdown(job.error)}


def _count(number: int) -> str:
    return "1 record" if number == 1 else f"{number:,} records"


def _told(name: str) -> object:
    return st.session_state.get(TOLD, {}).get(name)


def _clear(name: str) -> None:
    st.session_state.get(TOLD, {}).pop(name, None)


def _show_archive() -> None:
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
        _start(ARCHIVE, chores.list_surplus(services, kind, int(keep), runtime.now))
    match _told(ARCHIVE):
        case Surplus() as found:
            _show_surplus(found)
        case Moved() as done:
            _show_moved(done)


def _show_surplus(found: Surplus) -> None:
    if not found.rows:
        st.markdown(f"Nothing would go: no more than {found.keep:,} {_NAMES[found.kind]} are unprotected and active.")
        return
    st.markdown(f"**{_count(len(found.rows))} would be archived.** Nothing is done yet.")
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
    if st.button(f"Archive {_count(len(found.rows))}", type="primary", icon=":material/archive:", key="archive-do"):
        ids = tuple(record.id for record, _ in found.rows)
        services = runtime.services()
        _start(ARCHIVE, chores.move(services, ids, Status.ARCHIVED, AUTHOR, "evicted", runtime.now))


def _show_moved(done: Moved) -> None:
    with st.container(horizontal=True, vertical_alignment="center", gap="small"):
        st.markdown(f":material/check: {_count(done.moved)} {done.done}.", width="content")
        if done.done == "archived" and st.button("Undo", key="archive-undo", icon=":material/undo:"):
            services = runtime.services()
            _start(ARCHIVE, chores.move(services, done.ids, Status.ACTIVE, AUTHOR, "undone: evicted", runtime.now))


def _show_merge() -> None:
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
            _start(MERGE, chores.list_twins(services, kind))
    _show_unmerge()
    found = _told(MERGE)
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
            _clear(MERGE)
            st.rerun()


def _show_forgotten() -> None:
    services = runtime.services()
    st.subheader("Erase what was forgotten", anchor=False)
    st.markdown(
        f":gray[What is forgotten can be restored for {SOFT.days} days. After that it can be erased for ever; a "
        "receipt says where it was looked for afterwards, and that it is nowhere.]"
    )
    page = services.ledger.find(services.workspace, statuses=[Status.FORGOTTEN], limit=MOST_SHOWN)
    records = [it for it in page.records if it.facts != gone(it.kind)]
    due = services.lifecycle.to_purge(services.workspace, runtime.now())
    if isinstance(done := _told(FORGOTTEN), Erased):
        _show_receipt(done.receipt, done.backup)
    if not records:
        st.markdown(":gray[:material/check: Nothing is forgotten.]")
        return
    _show_restorable(records)
    if not due:
        st.markdown(":gray[None of it is due to be erased yet.]")
        return
    count = _count(len(due))
    st.markdown(f"**{count} can be erased now.**")
    first = st.checkbox("Back up first; the backup still holds what is erased", value=True, key="purge-backup")
    sure = st.checkbox("Erase for ever. This cannot be undone.", key="purge-sure")
    if st.button(f"Erase {count}", type="primary", icon=":material/delete_forever:", disabled=not sure, key="purge-do"):
        _start(FORGOTTEN, chores.purge(services, AUTHOR, first, runtime.now), can_stop=False)


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
    count = _count(len(receipt.erased))
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


def _show_backup() -> None:
    services = runtime.services()
    st.subheader("Back up and restore", anchor=False)
    st.markdown(":gray[A backup is one file, checked before it is called done. You may go on working meanwhile.]")
    if st.button("Back up now", type="primary", icon=":material/save:", key="backup-do"):
        _start(BACKUP, chores.make_backup(services, runtime.now), can_stop=False)
    match _told(BACKUP):
        case Backup() as made:
            st.success(
                f"{_count(made.records)} and {made.changes:,} changes are in {as_markdown(made.path.name)}.",
                icon=":material/check_circle:",
            )
            st.caption(f"sha256 {made.sha256}")
        case Restored() as done:
            former = f" What was here before is kept in {as_markdown(done.former.name)}." if done.former else ""
            st.success(
                f"Restored: {done.records:,} records, {done.changes:,} changes.{former}", icon=":material/check_circle:"
            )
    kept = chores.backups(services)
    if not kept:
        st.markdown(":gray[There is no backup yet.]")
        return
    sizes = {it.name: f"{it.name}, {it.stat().st_size / 1_000_000:,.1f} MB" for it in kept}
    name = st.selectbox("Backups, newest first", list(sizes), format_func=sizes.__getitem__, key="restore-name")
    sure = st.checkbox(
        "Make my memory what this backup holds. What is here now is backed up first.", key="restore-sure"
    )
    if st.button("Restore it", icon=":material/settings_backup_restore:", disabled=not sure, key="restore-do"):
        _start(BACKUP, chores.restore_backup(services, name, runtime.now), can_stop=False)


def _show_chain() -> None:
    services = runtime.services()
    st.subheader("Check that nothing was altered", anchor=False)
    st.markdown(
        ":gray[Each change is sealed with the one before it. The check walks all of them, then compares every record.]"
    )
    if st.button("Check now", icon=":material/verified:", key="chain-do"):
        _start(CHAIN, chores.check(services), can_stop=False)
    found = _told(CHAIN)
    if not isinstance(found, Verification):
        return
    if found.clean:
        st.success(
            f"Clean: {found.changes:,} changes and {found.records:,} records are as they were written.",
            icon=":material/verified:",
        )
    else:
        where = f" The first break is at change {found.break_at:,}." if found.break_at is not None else ""
        st.error(
            f"**Not clean.** {as_markdown(found.problem)}{where} Somebody or something changed the file behind the "
            "memory's back. Restore a backup from before, or keep this file for an inquiry.",
            icon=":material/gpp_bad:",
        )


def _show_index() -> None:
    services = runtime.services()
    st.subheader("Search index", anchor=False)
    stored, now_set = services.ledger.embedder(), services.embedder.id
    if stored is not None and stored != now_set:
        st.warning(
            f"The records were embedded by {as_markdown(stored.name)}, and {as_markdown(now_set.name)} is set now. "
            "Until they are embedded anew, no audit can search your history. It may be stopped and goes on later.",
            icon=":material/warning:",
        )
        if st.button("Embed all records anew", type="primary", icon=":material/model_training:", key="embed-do"):
            _start(INDEX, chores.embed_anew(services, AUTHOR, runtime.now))
    head = services.ledger.head()
    try:
        position = services.index.position()
    except StoreError as error:
        st.error(as_markdown(str(error)), icon=":material/error:")
        position = None
    if position == head:
        st.markdown(f":gray[:material/check: It is up to date, at change {head:,}.]")
    elif position is not None:
        st.markdown(f":gray[It stands at change {position:,} of {head:,}. The next audit brings it up to date.]")
    with st.container(horizontal=True, gap="small"):
        late = position != head
        if st.button("Bring it up to date", icon=":material/sync:", key="index-do", disabled=not late):
            _start(INDEX, chores.index_anew(services, from_nothing=False), can_stop=False)
        if st.button("Build it anew", icon=":material/refresh:", key="index-anew", help="No record is touched."):
            _start(INDEX, chores.index_anew(services, from_nothing=True), can_stop=False)
    match _told(INDEX):
        case Indexed(position=position, embedder=name):
            done = f"All records were embedded by {as_markdown(name)} and indexed" if name else "Indexed"
            st.success(f"{done}, up to change {position:,}.", icon=":material/check_circle:")
