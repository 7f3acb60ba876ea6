"""What the user says of a precedent: useful, not the same, outdated; one click, and one more takes it back."""

from __future__ import annotations

import streamlit as st

from audit.errors import AuditError
from audit.feedback import Opinion
from memory.errors import StoreError
from ui import runtime
from ui.language import _
from ui.plain import as_markdown
from ui.said import said


def show_opinion(audit_id: str, record_id: str) -> None:
    """Ask whether a record that a saved audit showed was of use; the answer teaches the gate, never trust."""
    key = f"opinion-{audit_id}-{record_id}"
    if key not in st.session_state:
        given = runtime.services().feedback.of(runtime.settings().workspace, audit_id)
        st.session_state[key] = next((it.opinion for it in given if it.record_id == record_id), None)
    st.segmented_control(
        _("Was this record of use here?"),
        list(Opinion),
        format_func=lambda it: said(it.value).capitalize(),
        key=key,
        on_change=_note,
        args=(audit_id, record_id, key),
        help=_(
            "Your answers are what `python -m evals calibrate` fits the gate on. They also order what is found "
            "next time; they change no record."
        ),
    )


def _note(audit_id: str, record_id: str, key: str) -> None:
    workspace, feedback = runtime.settings().workspace, runtime.services().feedback
    opinion = st.session_state[key]
    try:
        if opinion is None:
            feedback.take_back(workspace, audit_id, record_id)
        else:
            feedback.give(workspace, audit_id, record_id, opinion, author=runtime.author(), now=runtime.now())
    except (StoreError, AuditError) as error:
        st.toast(_("Not noted. {why}", why=as_markdown(said(str(error)))), icon=":material/error:")
