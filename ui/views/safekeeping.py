"""The memory kept safe: backups, the check of its chain, and its search index."""

from __future__ import annotations

import streamlit as st

from memory.backup import Backup, Restored
from memory.errors import StoreError
from memory.verify import Verification
from ui import chores, runtime
from ui.chores import Indexed
from ui.components.chore import start, told
from ui.formats import number
from ui.language import _, _n, paragraph
from ui.plain import as_markdown, quiet
from ui.said import said

BACKUP, CHAIN, INDEX = "backup", "chain", "index"


def show_backup() -> None:
    """Back up now, or restore a backup after asking."""
    services = runtime.services()
    st.header(_("Back up and restore"), anchor=False)
    lead = _("A backup is one file, checked before it is called done. You may go on working meanwhile.")
    st.markdown(quiet(lead))
    if st.button(_("Back up now"), type="primary", icon=":material/save:", key="backup-do"):
        start(BACKUP, chores.make_backup(services, runtime.now), can_stop=False)
    match told(BACKUP):
        case Backup() as made:
            st.success(
                _n(
                    "{count} record and {changes} changes are in {file}.",
                    "{count} records and {changes} changes are in {file}.",
                    made.records,
                    changes=number(made.changes),
                    file=as_markdown(made.path.name),
                ),
                icon=":material/check_circle:",
            )
            st.caption(f"sha256 {made.sha256}")
        case Restored() as done:
            counts = {"records": number(done.records), "changes": number(done.changes)}
            st.success(
                _(
                    "Restored: {records} records, {changes} changes. What was here before is kept in {file}.",
                    file=as_markdown(done.former.name),
                    **counts,
                )
                if done.former
                else _("Restored: {records} records, {changes} changes.", **counts),
                icon=":material/check_circle:",
            )
    kept = chores.backups(services)
    if not kept:
        st.markdown(quiet(_("There is no backup yet.")))
        return
    sizes = {it.name: f"{it.name}, {number(it.stat().st_size / 1_000_000, 1)} MB" for it in kept}
    name = st.selectbox(_("Backups, newest first"), list(sizes), format_func=sizes.__getitem__, key="restore-name")
    sure = st.checkbox(
        _("Make my memory what this backup holds. What is here now is backed up first."), key="restore-sure"
    )
    if st.button(_("Restore it"), icon=":material/settings_backup_restore:", disabled=not sure, key="restore-do"):
        start(BACKUP, chores.restore_backup(services, name, runtime.now), can_stop=False)


def show_chain() -> None:
    """Check the chain and say clean, or the first break."""
    services = runtime.services()
    st.header(_("Check that nothing was altered"), anchor=False)
    lead = _("Each change is sealed with the one before it. The check walks all of them, then compares every record.")
    st.markdown(quiet(lead))
    if st.button(_("Check now"), icon=":material/verified:", key="chain-do"):
        start(CHAIN, chores.check(services), can_stop=False)
    found = told(CHAIN)
    if not isinstance(found, Verification):
        return
    if found.clean:
        st.success(
            _(
                "Clean: {changes} changes and {records} records are as they were written.",
                changes=number(found.changes),
                records=number(found.records),
            ),
            icon=":material/verified:",
        )
        return
    parts = [_("**Not clean.**"), as_markdown(said(found.problem))]
    if found.break_at is not None:
        parts.append(_("The first break is at change {change}.", change=number(found.break_at)))
    parts.append(
        _(
            "Somebody or something changed the file behind the memory's back. Restore a backup from before, or keep "
            "this file for an inquiry."
        )
    )
    st.error(paragraph(*parts), icon=":material/gpp_bad:")


def show_index() -> None:
    """Say how the search index stands; bring it up to date, build it or embed anew."""
    services = runtime.services()
    st.header(_("Search index"), anchor=False)
    stored, now_set = services.ledger.embedder(), services.embedder.id
    if stored is not None and stored != now_set:
        st.warning(
            _(
                "The records were embedded by {stored}, and {current} is set now. Until they are embedded anew, no "
                "audit can search your history. It may be stopped and goes on later.",
                stored=as_markdown(stored.name),
                current=as_markdown(now_set.name),
            ),
            icon=":material/warning:",
        )
        if st.button(_("Embed all records anew"), type="primary", icon=":material/model_training:", key="embed-do"):
            start(INDEX, chores.embed_anew(services, runtime.author(), runtime.now))
    head = services.ledger.head()
    try:
        position = services.index.position()
    except StoreError as error:
        st.error(as_markdown(said(str(error))), icon=":material/error:")
        position = None
    if position == head:
        done = _("It is up to date, at change {change}.", change=number(head))
        st.markdown(f":gray[:material/check: {done}]")
    elif position is not None:
        behind = _(
            "It stands at change {change} of {head}. The next audit brings it up to date.",
            change=number(position),
            head=number(head),
        )
        st.markdown(quiet(behind))
    with st.container(horizontal=True, gap="small"):
        late = position != head
        if st.button(_("Bring it up to date"), icon=":material/sync:", key="index-do", disabled=not late):
            start(INDEX, chores.index_anew(services, from_nothing=False), can_stop=False)
        if st.button(_("Build it anew"), icon=":material/refresh:", key="index-anew", help=_("No record is touched.")):
            start(INDEX, chores.index_anew(services, from_nothing=True), can_stop=False)
    match told(INDEX):
        case Indexed(position=position, embedder=name):
            change = number(position)
            st.success(
                _(
                    "All records were embedded by {embedder} and indexed, up to change {change}.",
                    embedder=as_markdown(name),
                    change=change,
                )
                if name
                else _("Indexed, up to change {change}.", change=change),
                icon=":material/check_circle:",
            )
