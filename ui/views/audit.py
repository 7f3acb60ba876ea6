"""The two audit pages: compose, watch, read. The address names the job or the audit, so a refresh finds it again."""

from __future__ import annotations

import streamlit as st
from streamlit.runtime.uploaded_file_manager import UploadedFile

from audit.diff_triage import DiffTriage
from audit.errors import CannotJudge, SubmissionRefused
from audit.examples import examples
from audit.judge import Handed, Judged, read
from audit.languages import LABELS
from audit.modes import MODES, Mode
from audit.service import SavedAudit
from ui import runtime, state
from ui.components.comparison import offer_earlier
from ui.components.diff_result import show_triage
from ui.components.result import show_result
from ui.components.working import watch
from ui.desk import submit
from ui.jobs import Job, JobState
from ui.language import _
from ui.looks import LOOKS
from ui.messages import N_
from ui.plain import as_markdown, quiet
from ui.said import said

FIRST_LOOK_S = 0.6
GO_TO, CARRIED = "other-mode", "carried-to"
GUESS = N_("Guess the language")
_LANGUAGES = {GUESS: "", **{label: name for name, label in reversed(LABELS.items())}}


def show(mode_name: str) -> None:
    """Show the page of a mode."""
    mode = MODES[mode_name]
    if place := st.session_state.pop(CARRIED, None):
        st.switch_page(place)
    services = runtime.services()  # first of all: nobody writes a text that no memory can be asked about
    if saved := state.from_address(state.AUDIT):
        audit = services.archive.open(runtime.settings().workspace, saved)
        if audit.mode != mode.name:
            st.switch_page(LOOKS[audit.mode].place.path, query_params={state.AUDIT: saved})
        _show_finished(mode, SavedAudit(audit, saved))
        return
    key = state.from_address(state.JOB)
    job = runtime.jobs().get(key) if key else None
    if key and job is None:
        st.info(
            _("That audit is no longer being worked on. If it finished, it is in History."), icon=":material/history:"
        )
    if job is None:
        _compose(mode)
    elif isinstance(job.result, DiffTriage):
        _show_diff(mode, job.result, job)
    elif job.result is not None:
        state.set_address(audit=job.result.saved_as)
        _show_finished(mode, job.result)
    elif job.state.ended:
        _show_stopped(mode, job)
    else:
        watch(runtime.jobs(), job, _("You may leave or close this page: the audit goes on and is kept in History."))


def _compose(mode: Mode) -> None:
    look = LOOKS[mode.name]
    tries = examples(mode.name)
    with st.container(horizontal=True, vertical_alignment="center", gap="small", key="examples"):
        st.markdown(quiet(_("Try an example:")), width="content")
        for number, example in enumerate(tries):
            st.button(
                as_markdown(example.title),
                key=f"example-{number}",
                on_click=_fill,
                args=(mode.name, example.text),
                icon=":material/science:",
            )
    with st.form(f"compose-{mode.name}", border=False):
        text = st.text_area(
            said(mode.wording.paste_hint),
            key=state.text_key(mode.name),
            height=360,
            placeholder=_("Ctrl+Enter starts the audit."),
        )
        with st.container(horizontal=True, vertical_alignment="top", gap="medium"):
            asked = st.form_submit_button(_(look.button), type="primary", icon=":material/play_arrow:")
            language = GUESS
            if look.shows_code:
                language = st.selectbox(
                    _("Language"),
                    sorted(_LANGUAGES, key=lambda it: (it != GUESS, it)),
                    format_func=lambda it: _(it) if it == GUESS else it,
                    key=f"language-{mode.name}",
                    width=190,
                    label_visibility="collapsed",
                )
            file = st.file_uploader(
                _("Or a file"),
                key=f"file-{mode.name}",
                max_upload_size=runtime.settings().document_max_mb,
                label_visibility="collapsed",
            )
    if look.shows_code:
        st.caption(
            _("Of what git diff prints, the added lines are judged. A stack trace is known again by its frames.")
        )
    st.caption(
        _(
            "What you paste stays on this machine unless a model is set up. A file (PDF, PPTX, DOCX, Markdown, text or "
            "code) is read where no text is pasted."
        )
    )
    if asked:
        _start(mode, text or "", file, _LANGUAGES[language])


def _carry_over(mode_name: str, text: str) -> None:
    """Take the text to the page of another mode, once this page runs again."""
    _fill(mode_name, text)
    st.session_state[CARRIED] = LOOKS[mode_name].place.path


def _fill(mode_name: str, text: str) -> None:
    st.session_state[state.text_key(mode_name)] = text


def _start(mode: Mode, text: str, file: UploadedFile | None, language: str) -> None:
    try:
        handed = _read(mode, text, file, language)
    except CannotJudge as refused:
        st.warning(as_markdown(said(str(refused))), icon=":material/info:")
        with st.container(horizontal=True, vertical_alignment="center", gap="small"):
            for other in (it for it in MODES.values() if it is not mode and text.strip()):
                look = LOOKS[other.name]
                st.button(_(look.enter), key=GO_TO, on_click=_carry_over, args=(other.name, text), icon=look.place.icon)
            st.caption(_("If it is code after all, choose its language above and send it again."))
        return
    except SubmissionRefused as refused:
        st.warning(as_markdown(said(str(refused))), icon=":material/info:")
        return
    job = submit(
        runtime.jobs(),
        runtime.services(),
        mode,
        handed,
        fingerprint=runtime.fingerprint(runtime.settings()),
        now=runtime.now,
    )
    job.wait(FIRST_LOOK_S)
    state.set_address(job=job.key)
    st.rerun()


def _read(mode: Mode, text: str, file: UploadedFile | None, language: str) -> Handed:
    if file is None or text.strip():
        return read(mode, text, language=language)
    settings = runtime.settings()
    return read(
        mode,
        file.getvalue(),
        file.name,
        language=language,
        max_bytes=settings.document_max_mb * 2**20,
        max_pages=settings.document_max_pages,
    )


def _show_diff(mode: Mode, triage: DiffTriage, job: Job[Judged]) -> None:
    with st.container(horizontal=True, vertical_alignment="center", gap="small", key="result-actions"):
        st.button(_("Edit this diff"), on_click=_compose_again, args=(mode.name, job.subject), icon=":material/edit:")
        st.button(_("Start a new one"), on_click=_compose_again, args=(mode.name, ""), icon=":material/add:")
    show_triage(triage, job.key)


def _show_stopped(mode: Mode, job: Job[Judged]) -> None:
    if job.state is JobState.CANCELLED:
        st.info(_("You stopped this audit. Nothing was saved."), icon=":material/cancel:")
    else:
        why = as_markdown(said(job.error))
        st.error(_("The audit could not be finished. {why}", why=why), icon=":material/error:")
    st.button(_("Back to the text"), on_click=_compose_again, args=(mode.name, job.subject), type="primary")


def _show_finished(mode: Mode, saved: SavedAudit) -> None:
    with st.container(horizontal=True, vertical_alignment="center", gap="small", key="result-actions"):
        st.button(
            _("Edit this text"),
            on_click=_compose_again,
            args=(mode.name, saved.audit.submission.text),
            icon=":material/edit:",
        )
        st.button(_("Start a new one"), on_click=_compose_again, args=(mode.name, ""), icon=":material/add:")
        if saved.saved_as:
            offer_earlier(saved.audit, saved.saved_as)
    if saved.problem:
        st.warning(as_markdown(said(saved.problem)), icon=":material/warning:")
    show_result(saved.audit, saved.saved_as)


def _compose_again(mode_name: str, text: str) -> None:
    _fill(mode_name, text)
    state.set_address()
