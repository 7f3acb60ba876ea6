"""The memory kept safe: backups, the check of its chain, and its search index."""

from __future__ import annotations

import streamlit as st

from memory.backup import Backup, Restored
from memory.errors import StoreError
from memory.verify import Verification
from ui import chores, runtime
from ui.chores import Indexed
from ui.components.chore import count_words, start, told
from ui.plain import as_markdown
from ui.runtime import AUTHOR

BACKUP, CHAIN, INDEX = "backup", "chain", "index"


def show_backup() -> None:
    """Back up now, or restore a backup after asking."""
    services = runtime.services()
    st.subheader("Back up and restore", anchor=False)
    st.markdown(":gray[A backup is one file, checked before it is called done. You may go on working meanwhile.]")
    if st.button("Back up now", type="primary", icon=":material/save:", key="backup-do"):
        start(BACKUP, chores.make_backup(services, runtime.now), can_stop=False)
    match told(BACKUP):
        case Backup() as made:
            st.success(
                f"{count_words(made.records)} and {made.changes:,} changes are in {as_markdown(made.path.name)}.",
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
        start(BACKUP, chores.restore_backup(services, name, runtime.now), can_stop=False)


def show_chain() -> None:
    """Check the chain and say clean, or the first break."""
    services = runtime.services()
    st.subheader("Check that nothing was altered", anchor=False)
    st.markdown(
        ":gray[Each change is sealed with the one before it. The check walks all of them, then compares every record.]"
    )
    if st.button("Check now", icon=":material/verified:", key="chain-do"):
        start(CHAIN, chores.check(services), can_stop=False)
    found = told(CHAIN)
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


def show_index() -> None:
    """Say how the search index stands; bring it up to date, build it or embed anew."""
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
            start(INDEX, chores.embed_anew(services, AUTHOR, runtime.now))
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
            start(INDEX, chores.index_anew(services, from_nothing=False), can_stop=False)
        if st.button("Build it anew", icon=":material/refresh:", key="index-anew", help="No record is touched."):
            start(INDEX, chores.index_anew(services, from_nothing=True), can_stop=False)
    match told(INDEX):
        case Indexed(position=position, embedder=name):
            done = f"All records were embedded by {as_markdown(name)} and indexed" if name else "Indexed"
            st.success(f"{done}, up to change {position:,}.", icon=":material/check_circle:")
