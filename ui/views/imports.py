"""Importing files of records: what would happen is shown before it happens, and an import can be undone whole."""

from __future__ import annotations

import hashlib
from collections.abc import Callable

import streamlit as st

from memory.errors import ImportRefused, RecordInvalid
from memory.importers.mapping import ColumnMapping, guess_mapping
from memory.importers.plan import ImportPlan, PlannedRow
from memory.importers.planning import plan_import
from memory.importers.reading import read_table
from memory.importers.register import Imports
from memory.importers.remembered import answered, recall_mapping, remember_mapping
from memory.importers.tables import Table
from memory.records import Kind
from ui import runtime
from ui.components.import_plan import ask_columns, show_plan
from ui.components.past_imports import show_past_imports
from ui.components.record_form import SHEETS
from ui.components.working import watch
from ui.formats import number
from ui.jobs import JobState, Report
from ui.language import _, _n
from ui.messages import N_, Message
from ui.plain import as_markdown
from ui.said import said

MAX_FILE_MB = 25
JOB = "import-job"
PLANS, MOST_PLANS, LONG = "import-plans", 2, 5_000


def show() -> None:
    """Show the upload, the plan of what would be stored, and the imports of before."""
    if _show_job():
        return
    file = st.file_uploader(
        _("A CSV, Excel, JSON or JSON Lines file: a portfolio sheet, or an export of Jira, GitHub, Linear or Bugzilla"),
        max_upload_size=MAX_FILE_MB,
        key="import-file",
    )
    if file is not None:
        try:
            _plan(file.getvalue(), file.name)
        except (ImportRefused, RecordInvalid) as refused:
            st.warning(as_markdown(said(str(refused))), icon=":material/info:")
    show_past_imports(_imports())


def _show_job() -> bool:
    """Show the running import; say how a finished one ended. True where the page shows nothing else."""
    key = st.session_state.get(JOB)
    job = runtime.imports().get(key) if key else runtime.imports().under_way()
    if job is None:
        return False
    st.session_state[JOB] = job.key  # one begun in another tab, or before a refresh, is seen to its end here too
    if not job.state.ended:
        watch(runtime.imports(), job, _("All rows are stored at once at the end, or none."))
        return True
    del st.session_state[JOB]
    if job.state is JobState.DONE and job.result is not None:
        told = _(
            "{stored} records stored, {already} were there already.",
            stored=number(len(job.result.record_ids)),
            already=number(job.result.already),
        )
        st.success(told, icon=":material/check:")
        if job.result.waiting:
            told = _n(
                "{count} of them waits for you under To review: no audit rests on it before.",
                "{count} of them wait for you under To review: no audit rests on them before.",
                job.result.waiting,
            )
            st.info(told, icon=":material/hourglass_top:")
    elif job.state is JobState.CANCELLED:
        st.info(_("The import was stopped. Nothing was stored."), icon=":material/cancel:")
    else:
        why = as_markdown(said(job.error))
        st.error(_("Nothing was stored. {why}", why=why), icon=":material/error:")
    return False


def _plan(content: bytes, name: str) -> None:
    digest = hashlib.sha256(content).hexdigest()[:12]
    table = read_table(content, name)
    if len(table.sheets) > 1:
        sheet = st.selectbox(_("Sheet"), table.sheets, key=f"sheet-{digest}", width=300)
        table = read_table(content, name, sheet)
    services, workspace = runtime.services(), runtime.settings().workspace
    guess = recall_mapping(services.ledger, workspace, table)
    kinds = list(SHEETS)
    kind = st.segmented_control(
        _("These are"),
        kinds,
        default=guess.kind,
        required=True,
        format_func=lambda it: _(SHEETS[Kind(it)].plural),
        key=f"kind-{digest}",
    )
    mapping = guess if kind == guess.kind else recall_mapping(services.ledger, workspace, table, Kind(kind))
    told = _(
        "{file}: {format}, {rows} rows.",
        file=as_markdown(table.source),
        format=as_markdown(said(table.format)),
        rows=number(len(table.rows)),
    )
    st.caption(" ".join((told, *(as_markdown(said(it)) for it in table.notes))))
    with st.expander(_("Which column is what"), icon=":material/view_column:", expanded=bool(mapping.guessed)):
        mapping = ask_columns(table, mapping, digest)
    plan = _planned(table, mapping, digest)
    for question in plan.questions:
        labels = {label: value for value, label in question.choices}
        label = st.selectbox(
            as_markdown(said(question.text)), list(labels), format_func=said, key=f"ask-{digest}-{kind}-{question.key}"
        )
        if labels[label] != question.choices[0][0]:
            mapping = answered(table, mapping, question.key, labels[label])
    plan = _planned(table, mapping, digest)
    rows = [*plan.accepted, *show_plan(plan, _imports().changed(plan), digest)]
    store = _n("Store {count} record", "Store {count} records", len(rows))
    if st.button(store, type="primary", disabled=not rows, icon=":material/save:"):
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
            place.progress(done / total, _("Reading the rows"))

    plan = plan_import(table, mapping, on_progress)
    place.empty()
    st.session_state[PLANS] = [(key, plan), *plans][:MOST_PLANS]
    return plan


def _store(plan: ImportPlan, rows: list[PlannedRow], digest: str) -> None:
    services, workspace = runtime.services(), runtime.settings().workspace
    if plan.mapping != guess_mapping(plan.table, plan.mapping.kind):
        remember_mapping(services.ledger, workspace, plan.table, plan.mapping)
    imports, now = _imports(), runtime.now()
    author = runtime.author()  # the job has no session to ask
    job = runtime.imports().submit(
        f"import-{digest}",
        lambda report, cancelled: imports.apply(
            plan,
            author=author,
            now=now,
            rows=rows,
            on_progress=_in_hundredths(report),
            cancelled=cancelled,
        ),
        still_valid=lambda _: False,
    )
    job.wait(1.0)
    st.session_state[JOB] = job.key
    st.rerun()


def _imports() -> Imports:
    services = runtime.services()
    return Imports(services.ledger, services.intake, runtime.settings().workspace)


def _in_hundredths(report: Report) -> Callable[[int, int], None]:
    """Report an import's progress each hundredth of the way."""
    told = -1

    def on_progress(done: int, total: int) -> None:
        nonlocal told
        if done * 100 // total > told:
            told = done * 100 // total
            report(Message(N_("{done} of {total} read"), {"done": done, "total": total}))

    return on_progress
