"""What can be done with ticked records: each button says how many it would change, and what was done is undoable."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import partial

import streamlit as st

from memory.bulk import Action, Effect, carry_out, foresee
from memory.export import Format, export
from memory.records import Record
from ui import runtime
from ui.components.done import forget_done, note_done
from ui.components.record_table import fresh_table
from ui.formats import number
from ui.language import _, _n
from ui.later import later
from ui.messages import N_

FORMATS: dict[Format, str] = {"csv": "CSV", "jsonl": "JSON Lines"}


@dataclass(frozen=True, slots=True)
class _Look:
    """How an action is offered, how it is told when it is done, and the reason that is kept with it."""

    label: str
    icon: str
    told: str
    reason: str


_LOOKS = {
    Action.PROTECT: _Look(
        N_("Protect {count}"),
        ":material/lock:",
        N_("Protected: {count}."),
        "protected by hand",
    ),
    Action.UNPROTECT: _Look(
        N_("Stop protecting {count}"),
        ":material/lock_open:",
        N_("No longer protected: {count}."),
        "no longer protected",
    ),
    Action.ARCHIVE: _Look(
        N_("Archive {count}"),
        ":material/archive:",
        N_("Archived: {count}. What is archived is kept, and not recalled."),
        "archived by hand",
    ),
    Action.RESTORE: _Look(
        N_("Restore {count}"),
        ":material/unarchive:",
        N_("Restored: {count}."),
        "restored by hand",
    ),
}


def show_bulk(ticked: Sequence[Record]) -> None:
    """Offer what can be done with ticked records, with what each would change."""
    effects = [foresee(ticked, action) for action in Action]
    archived = next(it for it in effects if it.action is Action.ARCHIVE)
    with st.container(horizontal=True, vertical_alignment="center", gap="small", key="bulk"):
        told = _n("**{count} record ticked.**", "**{count} records ticked.**", len(ticked))
        st.markdown(f"{told} {_stays(archived)}", width="content")
        for effect in effects:
            if effect.changed:
                look = _LOOKS[effect.action]
                label = _(look.label, count=number(len(effect.changed)))
                st.button(
                    label,
                    key=f"bulk-{effect.action.value}",
                    icon=look.icon,
                    on_click=later,
                    args=(_do, [it.id for it in ticked], effect.action),
                )
        for form, label in FORMATS.items():
            st.download_button(
                label,
                partial(export, tuple(ticked), form),
                file_name=f"precedent-records.{form}",
                icon=":material/download:",
                on_click="ignore",
                key=f"bulk-{form}",
                help=_("The ticked records"),
            )


def _stays(effect: Effect) -> str:
    if not effect.protected:
        return ""
    return _n("{count} is protected and stays.", "{count} are protected and stay.", effect.protected)


def _do(ids: Sequence[str], action: Action) -> None:
    """Carry it out on what it applies to as it stands now, and keep the way back."""
    done = _carry_out(ids, action)
    told = _(_LOOKS[action].told, count=number(len(done.changed)))
    note_done(" ".join((told, _stays(done))).strip(), partial(_undo, done))


def _undo(done: Effect) -> None:
    forget_done()
    _carry_out(done.changed, done.action.opposite)


def _carry_out(ids: Sequence[str], action: Action) -> Effect:
    services = runtime.services()
    fresh_table()
    return carry_out(
        services.ledger,
        services.lifecycle,
        runtime.settings().workspace,
        ids,
        action,
        author=runtime.author(),
        reason=_LOOKS[action].reason,
        now=runtime.now(),
    )
