"""Importing files of records: what would happen is shown before it happens, and an import can be undone whole."""

from __future__ import annotations

import hashlib
from collections.abc import Callable

import pandas as pd
import streamlit as st

from memory.errors import ImportRefused, RecordInvalid, RecordNotFound
from memory.importers.mapping import FIELDS, JOINED, ColumnMapping
from memory.importers.plan import ImportPlan, PlannedRow
from memory.importers.planning import plan_import
from memory.importers.reading import read_table
from memory.importers.register import Imports
from memory.importers.remembered import answered, corrected, recall_mapping, remember_mapping
from memory.importers.tables import Table
from memory.records import Kind
from ui import runtime
from ui.components.record_form import SHEETS
from ui.components.tables import facts_rows
from ui.components.working import watch
from ui.jobs import JobState, Report
from ui.plain import as_markdown

SUFFIXES = ("csv", "tsv", "xlsx", "json", "jsonl", "txt")
MAX_FILE_MB = 25
MOST_SHOWN = 500
JOB = "import-job"
PLANS, MOST_PLANS, LONG = "import-plans", 2, 5_000
NONE = "(not in this file)"


def show() -> None:
    """Show the upload, the plan of what would be stored, and the imports of before."""
    if _show_job():
        return
    file = st.file_uploader(
        "A CSV, Excel, JSON or JSON Lines file: a portfolio sheet, or an export of Jira, GitHub, Linear or Bugzilla",
        type=SUFFIXES,
        max_upload_size=MAX_FILE_MB,
        key="import-file",
    )
    if file is not None:
        try:
            _plan(file.getvalue(), file.name)
        except (ImportRefused, RecordInvalid) as refused:
            st.warning(as_markdown(str(refused)), icon=":material/info:")
    _show_past()


def _show_job() -> bool:
    """Show the running import; say how a finished one ended. True where the page shows nothing else."""
    key = st.session_state.get(JOB)
    job = runtime.imports().get(key) if key else None
    if job is None:
        return False
    if not job.state.ended:
        watch(runtime.imports(), job, "All rows are stored at once at the end, or none.")
        return True
    del st.session_state[JOB]
    if job.state is JobState.DONE and job.result is not None:
        stored, already = len(job.result.record_ids), job.result.already
        st.success(f"{stored:,} records stored, {already:,} were there already.", icon=":material/check:")
    elif job.state is JobState.CANCELLED:
        st.info("The import was stopped. Nothing was stored.", icon=":material/cancel:")
    else:
        st.error(f"Nothing was stored. {as_markdown(job.error)}", icon=":material/error:")
    return False


def _plan(content: bytes, name: str) -> None:
    digest = hashlib.sha256(content).hexdigest()[:12]
    table = read_table(content, name)
    if len(table.sheets) > 1:
        sheet = st.selectbox("Sheet", table.sheets, key=f"sheet-{digest}", width=300)
        table = read_table(content, name, sheet)
    services, workspace = runtime.services(), runtime.settings().workspace
    guess = recall_mapping(services.ledger, workspace, table)
    kinds = list(SHEETS)
    kind = st.segmented_control(
        "These are",
        kinds,
        default=guess.kind,
        required=True,
        format_func=lambda it: f"{SHEETS[Kind(it)].noun}s",
        key=f"kind-{digest}",
    )
    mapping = guess if kind == guess.kind else recall_mapping(services.ledger, workspace, table, Kind(kind))
    st.caption(as_markdown(f"{table.source}: {table.format}, {len(table.rows):,} rows. {' '.join(table.notes)}"))
    with st.expander("Which column is what", icon=":material/view_column:", expanded=bool(mapping.guessed)):
        mapping = _ask_columns(table, mapping, digest)
    plan = _planned(table, mapping, digest)
    for question in plan.questions:
        labels = {label: value for value, label in question.choices}
        label = st.selectbox(as_markdown(question.text), list(labels), key=f"ask-{digest}-{kind}-{question.key}")
        if labels[label] != question.choices[0][0]:
            mapping = answered(table, mapping, question.key, labels[label])
    plan = _planned(table, mapping, digest)
    rows = [*plan.accepted, *_show_plan(plan, digest)]
    if st.button(f"Store {len(rows):,} records", type="primary", disabled=not rows, icon=":material/save:"):
        _store(plan, rows, digest)


def _planned(table: Table, mapping: ColumnMapping, digest: str) -> ImportPlan:
    """Plan an import, or give the plan that was made of the same sheet and mapping before."""
    plans: list[tuple[object, ImportPlan]] = st.session_state.setdefault(PLANS, [])
    key = (digest, table.sheet, repr(mapping))
    for known, plan in plans:
        if known == key:
            return plan
    place = st.empty()

    def on_progress(done: int, total: int) -> None:
        if total >= LONG:
            place.progress(done / total, "Reading the rows")

    plan = plan_import(table, mapping, on_progress)
    place.empty()
    st.session_state[PLANS] = [(key, plan), *plans][:MOST_PLANS]
    return plan


def _ask_columns(table: Table, mapping: ColumnMapping, digest: str) -> ColumnMapping:
    changes: dict[str, list[str]] = {}
    columns = st.columns(3)
    for number, (name, label) in enumerate(FIELDS[mapping.kind].items()):
        now = [table.columns[at] for at in mapping.columns.get(name, ())]
        key = f"map-{digest}-{mapping.kind.value}-{name}"
        shown = f"{label}, guessed" if name in mapping.guessed else label
        with columns[number % 3]:
            if name in JOINED:
                wanted = st.multiselect(shown, list(dict.fromkeys(table.columns)), default=now, key=key)
            else:
                options = [NONE, *dict.fromkeys(table.columns)]
                one = st.selectbox(shown, options, index=options.index(now[0]) if now else 0, key=key)
                wanted = [] if one == NONE else [one]
        if wanted != now:
            changes[name] = wanted
    return corrected(table, mapping, {"columns": changes}) if changes else mapping


def _show_plan(plan: ImportPlan, digest: str) -> list[PlannedRow]:
    """Show what would be stored and what not; give the rows set aside that the user chose all the same."""
    st.markdown(
        f"**{len(plan.accepted):,} of {len(plan.table.rows):,} rows would be stored**, "
        f"{len(plan.set_aside):,} are set aside. Nothing is stored yet."
    )
    for trap in plan.traps:
        st.markdown(f":gray[:material/info: {as_markdown(trap)}]")
    stored, aside = st.tabs([f"Would be stored ({len(plan.accepted):,})", f"Set aside ({len(plan.set_aside):,})"])
    with stored:
        shown = facts_rows([it.facts for it in plan.accepted[:MOST_SHOWN]])
        if len(shown):
            shown.insert(0, "Line", [it.line for it in plan.accepted[:MOST_SHOWN]])
            for name in ("invested", "returned"):
                amounts = [getattr(it.facts, name, None) for it in plan.accepted[:MOST_SHOWN]]
                if any(amounts):
                    shown[name.capitalize()] = [str(it) if it else "" for it in amounts]
            shown["Dates"] = ["; ".join(f"{name}: {on}" for name, on in it.dates) for it in plan.accepted[:MOST_SHOWN]]
            shown["Remarks"] = ["; ".join(it.remarks) for it in plan.accepted[:MOST_SHOWN]]
            st.dataframe(shown, hide_index=True, key=f"plan-{digest}", alt="Rows that would be stored")
    with aside:
        if not plan.set_aside:
            return []
        edited = st.data_editor(
            pd.DataFrame(
                [
                    {
                        "Store all the same": False,
                        "Line": it.line,
                        "Column": it.column,
                        "Value": it.value,
                        "Why": it.reason,
                        "Can be stored": it.row is not None,
                    }
                    for it in plan.set_aside[:MOST_SHOWN]
                ]
            ),
            hide_index=True,
            disabled=["Line", "Column", "Value", "Why", "Can be stored"],
            key=f"aside-{digest}-{plan.mapping.kind.value}-{len(plan.set_aside)}",
            alt="Rows set aside",
        )
    chosen = [bool(it) for it in edited["Store all the same"]]
    return [it.row for it, wanted in zip(plan.set_aside, chosen, strict=False) if wanted and it.row is not None]


def _store(plan: ImportPlan, rows: list[PlannedRow], digest: str) -> None:
    services, workspace = runtime.services(), runtime.settings().workspace
    remember_mapping(services.ledger, workspace, plan.table, plan.mapping)
    imports, now = Imports(services.ledger, services.intake, workspace), runtime.now()
    author = runtime.author()  # the job has no session to ask
    job = runtime.imports().submit(
        f"import-{digest}",
        lambda report, cancelled: imports.apply(
            plan,
            author=author,
            now=now,
            rows=rows,
            on_progress=_in_tenths(report),
            cancelled=cancelled,
        ),
        still_valid=lambda _: False,
    )
    job.wait(1.0)
    st.session_state[JOB] = job.key
    st.rerun()


def _in_tenths(report: Report) -> Callable[[int, int], None]:
    """Report a long import's progress each tenth of the way."""
    told = -1

    def on_progress(done: int, total: int) -> None:
        nonlocal told
        if done * 10 // total > told:
            told = done * 10 // total
            report(f"{done:,} of {total:,} read")

    return on_progress


def _show_past() -> None:
    services = runtime.services()
    imports = Imports(services.ledger, services.intake, runtime.settings().workspace)
    past = imports.past()
    if not past:
        return
    st.subheader("Imports so far", anchor=False)
    for it in past:
        with st.container(horizontal=True, vertical_alignment="center", gap="small"):
            st.markdown(
                f"**{as_markdown(it.file)}**, {it.rows:,} {SHEETS[it.kind].noun}s, {it.at:%d %b %Y, %H:%M}",
                width="content",
            )
            if it.undone_at:
                st.caption(f"undone {it.undone_at:%d %b %Y}")
            elif st.button("Undo", key=f"undo-{it.id}", icon=":material/undo:"):
                try:
                    undone = imports.undo(it.id, author=runtime.author(), now=runtime.now())
                except RecordNotFound as missing:
                    st.warning(as_markdown(str(missing)), icon=":material/info:")
                else:
                    st.toast(f"{len(undone.removed):,} records removed, {len(undone.protected):,} protected ones left.")
                    st.rerun()
