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
from ui.formats import day, moment, money, number
from ui.jobs import JobState, Report
from ui.language import _, _n
from ui.messages import N_, Message
from ui.plain import as_markdown, quiet, shorten
from ui.said import said, said_all

SUFFIXES = ("csv", "tsv", "xlsx", "json", "jsonl", "txt")
MAX_FILE_MB = 25
MOST_SHOWN = 500
MOST_NAMED = 8
JOB = "import-job"
PLANS, MOST_PLANS, LONG = "import-plans", 2, 5_000
NONE = N_("(not in this file)")


def show() -> None:
    """Show the upload, the plan of what would be stored, and the imports of before."""
    if _show_job():
        return
    file = st.file_uploader(
        _("A CSV, Excel, JSON or JSON Lines file: a portfolio sheet, or an export of Jira, GitHub, Linear or Bugzilla"),
        type=SUFFIXES,
        max_upload_size=MAX_FILE_MB,
        key="import-file",
    )
    if file is not None:
        try:
            _plan(file.getvalue(), file.name)
        except (ImportRefused, RecordInvalid) as refused:
            st.warning(as_markdown(said(str(refused))), icon=":material/info:")
    _show_past()


def _show_job() -> bool:
    """Show the running import; say how a finished one ended. True where the page shows nothing else."""
    key = st.session_state.get(JOB)
    job = runtime.imports().get(key) if key else None
    if job is None:
        return False
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
        mapping = _ask_columns(table, mapping, digest)
    plan = _planned(table, mapping, digest)
    for question in plan.questions:
        labels = {label: value for value, label in question.choices}
        label = st.selectbox(
            as_markdown(said(question.text)), list(labels), format_func=said, key=f"ask-{digest}-{kind}-{question.key}"
        )
        if labels[label] != question.choices[0][0]:
            mapping = answered(table, mapping, question.key, labels[label])
    plan = _planned(table, mapping, digest)
    rows = [*plan.accepted, *_show_plan(plan, digest)]
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


def _ask_columns(table: Table, mapping: ColumnMapping, digest: str) -> ColumnMapping:
    changes: dict[str, list[str]] = {}
    columns = st.columns(3)
    for at, (name, label) in enumerate(FIELDS[mapping.kind].items()):
        names = table.columns if name in JOINED else table.labels
        now = list(dict.fromkeys(names[place] for place in mapping.columns.get(name, ())))
        key = f"map-{digest}-{mapping.kind.value}-{name}"
        shown = _("{field}, guessed", field=said(label)) if name in mapping.guessed else said(label)
        with columns[at % 3]:
            if name in JOINED:
                wanted = st.multiselect(
                    shown,
                    list(dict.fromkeys(names)),
                    default=now,
                    key=key,
                    placeholder=_("Choose columns"),
                )
            else:
                options = [NONE, *names]
                one = st.selectbox(
                    shown, options, index=options.index(now[0]) if now else 0, format_func=_column, key=key
                )
                wanted = [] if one == NONE else [one]
        if wanted != now:
            changes[name] = wanted
    return corrected(table, mapping, {"columns": changes}) if changes else mapping


def _column(name: str) -> str:
    return _(name) if name == NONE else name


def _show_plan(plan: ImportPlan, digest: str) -> list[PlannedRow]:
    """Show what would be stored and what not; give the rows set aside that the user chose all the same."""
    accepted, apart = number(len(plan.accepted)), number(len(plan.set_aside))
    st.markdown(
        _(
            "**{accepted} of {rows} rows would be stored**, {apart} are set aside. Nothing is stored yet.",
            accepted=accepted,
            rows=number(len(plan.table.rows)),
            apart=apart,
        )
    )
    for trap in plan.traps:
        if trap not in plan.table.notes:
            st.markdown(quiet(":material/info: " + as_markdown(said(trap))))
    if plan.unread:
        names = _(", ").join(as_markdown(shorten(it, 40)) for it in plan.unread[:MOST_NAMED])
        more = len(plan.unread) - MOST_NAMED
        told = _("{names} and {more} more", names=names, more=number(more)) if more > 0 else names
        st.warning(
            _(
                "Nothing is read from these columns: {names}. Say above what they are if you want them kept.",
                names=told,
            ),
            icon=":material/view_column:",
        )
    stored, aside = st.tabs(
        [_("Would be stored ({count})", count=accepted), _("Rows set aside ({count})", count=apart)]
    )
    with stored:
        shown = facts_rows([it.facts for it in plan.accepted[:MOST_SHOWN]])
        if len(shown):
            shown.insert(0, _("Line"), [it.line for it in plan.accepted[:MOST_SHOWN]])
            for name, label in (("invested", _("Invested")), ("returned", _("Returned"))):
                amounts = [getattr(it.facts, name, None) for it in plan.accepted[:MOST_SHOWN]]
                if any(amounts):
                    shown[label] = [money(it) if it else "" for it in amounts]
            shown[_("Dates")] = [
                _("; ").join(f"{said(name)}: {on}" for name, on in it.dates) for it in plan.accepted[:MOST_SHOWN]
            ]
            shown[_("Remarks")] = [said_all(it.remarks) for it in plan.accepted[:MOST_SHOWN]]
            st.dataframe(shown, hide_index=True, key=f"plan-{digest}", alt=_("Rows that would be stored"))
    with aside:
        if not plan.set_aside:
            return []
        edited = st.data_editor(
            pd.DataFrame(
                [
                    {
                        _("Store all the same"): False,
                        _("Line"): it.line,
                        _("Column"): it.column,
                        _("Value"): it.value,
                        _("Why"): said(it.reason),
                        _("Can be stored"): it.row is not None,
                    }
                    for it in plan.set_aside[:MOST_SHOWN]
                ]
            ),
            hide_index=True,
            disabled=[_("Line"), _("Column"), _("Value"), _("Why"), _("Can be stored")],
            key=f"aside-{digest}-{plan.mapping.kind.value}-{len(plan.set_aside)}",
            alt=_("Rows set aside"),
        )
    chosen = [bool(it) for it in edited[_("Store all the same")]]
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
            report(Message(N_("{done} of {total} read"), {"done": done, "total": total}))

    return on_progress


def _show_past() -> None:
    services = runtime.services()
    imports = Imports(services.ledger, services.intake, runtime.settings().workspace)
    past = imports.past()
    if not past:
        return
    st.header(_("Imports so far"), anchor=False)
    for it in past:
        with st.container(horizontal=True, vertical_alignment="center", gap="small"):
            st.markdown(
                _(
                    "**{file}**, {rows} {kinds}, {moment}",
                    file=as_markdown(it.file),
                    rows=number(it.rows),
                    kinds=_(SHEETS[it.kind].plural),
                    moment=moment(it.at),
                ),
                width="content",
            )
            if it.undone_at:
                st.caption(_("undone {day}", day=day(it.undone_at)))
            elif st.button(_("Undo"), key=f"undo-{it.id}", icon=":material/undo:"):
                try:
                    undone = imports.undo(it.id, author=runtime.author(), now=runtime.now())
                except RecordNotFound as missing:
                    st.warning(as_markdown(said(str(missing))), icon=":material/info:")
                else:
                    st.toast(
                        _(
                            "{removed} records removed, {left} protected ones left.",
                            removed=number(len(undone.removed)),
                            left=number(len(undone.protected)),
                        )
                    )
                    st.rerun()
