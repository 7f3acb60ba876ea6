"""The table of records as cells to type in: what was typed is checked row by row, and kept whole or not at all."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, fields, replace
from functools import partial

import streamlit as st

from memory.corrections import Corrected, Correction, CorrectionsRefused, correct, faults_of, take_back
from memory.errors import RecordChanged
from memory.records import Kind, Record, Status
from ui import runtime
from ui.components.done import forget_done, note_done
from ui.components.record_cells import (
    Column,
    Typed,
    cells_of,
    columns_of,
    config_of,
    corrections_of,
    told,
    typed_over,
)
from ui.components.record_form import SHEETS
from ui.components.stored import changes_made
from ui.components.tables import ROW_HEIGHT
from ui.language import _, _n
from ui.later import later
from ui.plain import as_markdown
from ui.said import said

HELD, WHY = "record-editor", "record-editor-why"


@dataclass(frozen=True, slots=True)
class Open:
    """The records as they were when their cells were drawn, and what is typed over them.

    ``turn`` names the table; ``carried`` was typed in an earlier one and stands in the cells of this.
    """

    records: tuple[Record, ...]
    kinds: tuple[Kind, ...]
    turn: int
    carried: Typed
    typed: Typed

    @property
    def key(self) -> str:
        return f"records-editor-{self.turn}"


def has_unsaved() -> bool:
    """Whether something was typed that is not kept yet."""
    held: Open | None = st.session_state.get(HELD)
    return held is not None and bool(held.typed or _typed_now(held))


def show_editor(records: Sequence[Record], kinds: tuple[Kind, ...]) -> None:
    """Show records as cells to type in. While something is typed, the table stays as it was when it was drawn."""
    held = _held(tuple(records), kinds)
    columns = columns_of(held.kinds)
    above = st.container()
    rows = cells_of(held.records, columns, held.carried)
    rows["kind"] = [said(it.kind.value.replace("_", " ")) for it in held.records]
    rows["origin"] = [said(it.provenance.origin.value.replace("_", " ")) for it in held.records]
    rows["trust"] = [100 * it.confidence for it in held.records]
    st.data_editor(
        rows,
        hide_index=True,
        key=held.key,
        disabled=["kind", "origin", "trust"],
        row_height=ROW_HEIGHT,
        height=min(16, len(rows) + 1) * ROW_HEIGHT,
        placeholder="",
        alt=_("Records, as cells to type in"),
        column_config={it.name: config_of(it, held.kinds) for it in columns}
        | {
            "kind": st.column_config.TextColumn(_("Kind")),
            "origin": st.column_config.TextColumn(_("Origin")),
            "trust": st.column_config.NumberColumn(_("Trust"), format="%.0f%%", width="small"),
        },
    )
    typed = _typed_now(held)
    if held.typed and not typed:
        _turn_to(held, held.records, {})
        st.rerun()
    held = replace(held, typed=typed)
    st.session_state[HELD] = held
    with above:
        _show_saving(held, columns)


def _typed_now(held: Open) -> Typed:
    """Say what stands in the cells, with the one left last, which no run of the page has seen yet."""
    edited = st.session_state.get(held.key, {}).get("edited_rows", {})
    return typed_over(held.records, columns_of(held.kinds), held.carried, edited)


def _held(records: tuple[Record, ...], kinds: tuple[Kind, ...]) -> Open:
    """Give what is open: what was typed in stays as it is, also when the page was left meanwhile."""
    held: Open | None = st.session_state.get(HELD)
    turn = held.turn + 1 if held else 0
    if held is None or (not has_unsaved() and (held.records, held.kinds) != (records, kinds)):
        return Open(records, kinds, turn, {}, {})
    if held.typed and held.key not in st.session_state:
        return Open(held.records, held.kinds, turn, held.typed, held.typed)
    return held


def _turn_to(held: Open, records: tuple[Record, ...], typed: Typed) -> None:
    """Draw the cells anew next time, with these records and what is typed over them."""
    st.session_state[HELD] = Open(records, held.kinds, held.turn + 1, typed, typed)


def _show_saving(held: Open, columns: Sequence[Column]) -> None:
    corrections, faults = corrections_of(held.records, columns, held.typed)
    services, workspace = runtime.services(), runtime.settings().workspace
    refused = faults_of(services.intake, workspace, corrections)
    whys = faults | {name: said(str(it)) for name, it in refused.items()}
    changed = [name for name, it in refused.items() if isinstance(it, RecordChanged)]
    cells = sum(map(len, held.typed.values()))
    with st.container(horizontal=True, vertical_alignment="bottom", gap="small", key="editing"):
        st.text_input(_("Because"), key=WHY, placeholder=_("Kept with the correction"), max_chars=200, width=300)
        label = _n("Save {count} cell", "Save {count} cells", cells) if cells else _("Save")
        st.button(
            label,
            key="editor-save",
            type="primary",
            icon=":material/save:",
            disabled=not cells or bool(whys),
            on_click=later,
            args=(_save, held),
        )
        st.button(
            _("Discard"),
            key="editor-discard",
            icon=":material/close:",
            disabled=not cells,
            on_click=later,
            args=(_turn_to, held, held.records, {}),
        )
        if changed:
            st.button(
                _("Show what stands there now"),
                key="editor-reload",
                icon=":material/refresh:",
                on_click=later,
                args=(_reload, held, changed),
            )
    if not whys:
        return
    titles = {it.id: it.title for it in held.records}
    lines = [f"- **{as_markdown(titles[name])}**: {as_markdown(it)}" for name, it in whys.items()]
    lines += [f"  - {line}" for name in changed for line in _elsewhere(held, name)]
    head = _("Nothing was saved yet. This cannot be kept as it is:")
    st.warning("\n".join((head, "", *lines)), icon=":material/info:")


def _elsewhere(held: Open, record_id: str) -> list[str]:
    """Say what a change elsewhere made of a record, field by field, by whom."""
    before = next(it for it in held.records if it.id == record_id)
    ledger = runtime.services().ledger
    after = ledger.get(before.workspace, [record_id]).get(record_id)
    if after is None:
        return []
    labels = {it.name: _(it.label).rstrip(" *") for it in SHEETS[before.kind].fields}
    by = ledger.revisions(before.workspace, record_id)[-1].author
    return [
        _(
            "{title}, {field}: {before} became {after}, by {author}",
            title=as_markdown(before.title),
            field=labels[it.name],
            before=as_markdown(told(getattr(before.facts, it.name))),
            after=as_markdown(told(getattr(after.facts, it.name))),
            author=as_markdown(said(by)),
        )
        for it in fields(before.facts)
        if getattr(before.facts, it.name) != getattr(after.facts, it.name)
    ]


def _reload(held: Open, changed: Sequence[str]) -> None:
    """Take up records as they stand now; what was typed over the others stays."""
    fresh = runtime.services().ledger.get(runtime.settings().workspace, [it.id for it in held.records])
    typed = {name: cells for name, cells in held.typed.items() if name not in changed and name in fresh}
    _turn_to(held, tuple(fresh[it.id] if it.id in changed else it for it in held.records if it.id in fresh), typed)


def _save(held: Open) -> None:
    corrections, faults = corrections_of(held.records, columns_of(held.kinds), _typed_now(held))
    if faults or not corrections:
        return  # the page tells each fault beside what was typed
    services, workspace = runtime.services(), runtime.settings().workspace
    try:
        done = correct(
            services.ledger,
            services.intake,
            workspace,
            corrections,
            author=runtime.author(),
            reason=st.session_state[WHY].strip() or "corrected in the table",
            now=runtime.now(),
        )
    except CorrectionsRefused:
        return
    _turn_to(held, held.records, {})
    st.session_state[WHY] = ""
    done_so = _n("Corrected: {count} record.", "Corrected: {count} records.", len(done.after))
    note_done(done_so, partial(_undo, done), _came_of(corrections, done))


def _came_of(corrections: Sequence[Correction], done: Corrected) -> list[str]:
    """Say what intake made of corrections besides keeping them: what it masked, what waits now."""
    came: list[str] = []
    for sent, before, after in zip(corrections, done.before, done.after, strict=True):
        title = as_markdown(after.title)
        came += [f"{title}: {as_markdown(it)}" for it in changes_made(sent.facts, after.facts)]
        if after.status is not before.status and after.status in {Status.HELD, Status.QUARANTINED}:
            came.append(_("{title} waits for you now: look under To review.", title=title))
    return came


def _undo(done: Corrected) -> None:
    services = runtime.services()
    forget_done()
    try:
        take_back(
            services.ledger,
            services.intake,
            runtime.settings().workspace,
            done,
            author=runtime.author(),
            now=runtime.now(),
        )
    except CorrectionsRefused as refused:
        st.toast(
            _n(
                "Not undone: {count} record was changed since. Open it to see its earlier versions.",
                "Not undone: {count} records were changed since. Open them to see their earlier versions.",
                len(refused.faults),
            ),
            icon=":material/info:",
            duration="long",
        )
