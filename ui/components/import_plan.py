"""An import before it is made: which column is what, what each row would become, and which rows are set aside."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import pandas as pd
import streamlit as st

from memory.importers.mapping import FIELDS, JOINED, ColumnMapping
from memory.importers.plan import ImportPlan, PlannedRow
from memory.importers.remembered import corrected
from memory.importers.tables import Table
from ui.components.tables import facts_rows
from ui.formats import money, number
from ui.language import _, _n
from ui.messages import N_
from ui.plain import as_markdown, quiet, shorten
from ui.said import said, said_all

MOST_SHOWN = 500
MOST_NAMED = 8
NONE = N_("(not in this file)")


def named(names: Sequence[str]) -> str:
    """Write the first names of a list, and how many more there are."""
    shown = _(", ").join(as_markdown(shorten(it, 40)) for it in names[:MOST_NAMED])
    more = len(names) - MOST_NAMED
    return _("{names} and {more} more", names=shown, more=number(more)) if more > 0 else shown


def ask_columns(table: Table, mapping: ColumnMapping, digest: str) -> ColumnMapping:
    """Let the user say what each column is; give the mapping with what was changed."""
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


def show_plan(plan: ImportPlan, changed: Mapping[str, str], digest: str) -> list[PlannedRow]:
    """Show what would be stored and what not; give the rows set aside that the user chose all the same.

    ``changed`` are the titles of rows that a standing import of this file has brought with other facts.
    """
    accepted, apart = number(len(plan.accepted)), number(len(plan.set_aside))
    st.markdown(
        _(
            "**{accepted} of {rows} rows would be stored**, {apart} set aside. Nothing is stored yet.",
            accepted=accepted,
            rows=number(len(plan.table.rows)),
            apart=apart,
        )
    )
    for trap in plan.traps:
        if trap not in plan.table.notes:
            st.markdown(quiet(":material/info: " + as_markdown(said(trap))))
    if plan.unread:
        st.warning(
            _(
                "Nothing is read from these columns: {names}. Say above what they are if you want them kept.",
                names=named(plan.unread),
            ),
            icon=":material/view_column:",
        )
    if changed:
        told = _n(
            "{count} row came from this file before, with other facts: {names}. Undo that import below first, or both "
            "records will stand.",
            "{count} rows came from this file before, with other facts: {names}. Undo that import below first, or both "
            "records of each will stand.",
            len(changed),
            names=named(list(changed)),
        )
        st.warning(told, icon=":material/difference:")
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
            st.dataframe(
                shown, hide_index=True, key=f"plan-{digest}", placeholder="", alt=_("Rows that would be stored")
            )
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
            placeholder="",
            alt=_("Rows set aside"),
        )
    chosen = [bool(it) for it in edited[_("Store all the same")]]
    return [it.row for it, wanted in zip(plan.set_aside, chosen, strict=False) if wanted and it.row is not None]
