"""The state of each part: memory, index, embedder, models, keys (yes or no, never their values)."""

from __future__ import annotations

from shlex import quote
from typing import TYPE_CHECKING

import pandas as pd
import streamlit as st

from audit.llm.breaker import BreakerState
from audit.types import Attempt
from memory.errors import StoreError
from memory.records import Kind
from ui import runtime
from ui.formats import number
from ui.language import _
from ui.looks import PLURALS
from ui.plain import as_markdown
from ui.said import said
from wiring import places

if TYPE_CHECKING:
    from audit.llm.standing import ModelState
    from settings import Settings
    from wiring import Services


def show() -> None:
    """Show the page."""
    settings = runtime.settings()
    st.header(_("Memory"), anchor=False)
    try:
        services = runtime.services()
    except StoreError as error:
        _show_broken(error, settings)
    else:
        _show_parts(services, settings)
    _show_settings(settings)


def _show_broken(error: StoreError, settings: Settings) -> None:
    """Say why the memory cannot be opened, and how its newest backup is brought back."""
    why = as_markdown(said(str(error)))
    st.error(_("**The memory cannot be opened.** {why}", why=why), icon=":material/error:")
    if runtime.person():
        return
    kept = sorted((settings.home / "backups").glob("*.db"), key=lambda it: it.stat().st_mtime)
    if not kept:
        st.markdown(_("There is no backup in the data folder."))
        return
    st.markdown(_("If its file is damaged, this brings the newest backup back. What is there now is set aside first."))
    home, newest = quote(str(settings.home.resolve())), quote(str(kept[-1].resolve()))
    st.code(f"PRECEDENT_HOME={home} python -m memory restore {newest}", language="sh", wrap_lines=True)


def _show_parts(services: Services, settings: Settings) -> None:
    counts = services.ledger.counts(settings.workspace)
    shown = [kind for kind in Kind if counts.get(kind) or kind in {Kind.INVESTMENT, Kind.BUG}]
    for column, kind in zip(st.columns(max(4, len(shown))), shown, strict=False):
        label = said(PLURALS.get(kind) or kind.value.replace("_", " ")).capitalize()
        column.metric(label, number(counts.get(kind, 0)), border=True)
    _show_index()
    st.header(_("Models"), anchor=False)
    _show_models()


def _show_settings(settings: Settings) -> None:
    ledger, index = places(settings)
    st.header(_("Settings"), anchor=False)
    st.dataframe(
        pd.DataFrame(
            [
                (_("Data folder"), str(settings.home.resolve())),
                (_("Ledger"), ledger),
                (_("Search index"), index),
                (_("Workspace"), settings.workspace),
                (_("Models, in order"), settings.models),
                (_("Groq key"), _present(settings.groq_api_key.get_secret_value())),
                (_("OpenAI key"), _present(settings.openai_api_key.get_secret_value())),
                (_("Local server"), settings.local_base_url or _("not set")),
                (
                    _("Time for all models of one audit"),
                    _("{seconds} s", seconds=number(settings.audit_deadline_s)),
                ),
            ],
            columns=[_("Setting"), _("Value")],
        ),
        hide_index=True,
        placeholder="",
        alt=_("Settings"),
    )


def _present(secret: str) -> str:
    return _("present") if secret else _("not set")


def _show_index() -> None:
    services = runtime.services()
    head = services.ledger.head()
    try:
        position = services.index.position()
    except StoreError as error:
        why = as_markdown(said(str(error)))
        st.error(_("The search index cannot be used. {why}", why=why), icon=":material/error:")
    else:
        if position == head:
            _well(_("The search index is up to date (change {change}).", change=number(head)))
        else:
            behind = _(
                "The search index stands at change {change} of {head}. The next audit brings it up to date.",
                change=number(position),
                head=number(head),
            )
            st.markdown(f":gray[:material/sync:] {behind}")
    stored, current = services.ledger.embedder(), services.embedder.id
    name = as_markdown(current.name)
    if stored is None:
        _well(_("Embedding model: {name}. Nothing is stored with it yet.", name=name))
    elif stored == current:
        _well(
            _(
                "Embedding model: {name}, {dimensions} dimensions, weights {digest}; the records were stored with the "
                "same.",
                name=name,
                dimensions=number(current.dimension),
                digest=current.sha256[:12],
            )
        )
    else:
        st.warning(
            _(
                "The records were stored with {stored} and the model now set is {current}: they cannot be compared, so "
                "no audit can search your history.",
                stored=as_markdown(stored.name),
                current=name,
            ),
            icon=":material/warning:",
        )


def _well(told: str) -> None:
    st.markdown(f":green[:material/check_circle:] {told}")


def _show_models() -> None:
    chain = runtime.services().chain
    states = chain.states()
    if not any(it.asked for it in states):
        st.info(
            _(
                "No model can be asked now, so the rule analyst writes every audit. To have a model write them, set "
                "GROQ_API_KEY, OPENAI_API_KEY or PRECEDENT_LOCAL_BASE_URL and start Precedent again."
            ),
            icon=":material/smart_toy:",
        )
    if not states:
        return
    rows = pd.DataFrame([_model_row(it) for it in states])
    st.dataframe(rows.loc[:, (rows != "").any()], hide_index=True, placeholder="", alt=_("Models"))
    with st.container(horizontal=True, vertical_alignment="bottom", gap="small"):
        model = st.selectbox(_("Test a model"), [it.model for it in states], key="status-model", width=360)
        tested = st.button(_("Test"), icon=":material/network_check:", key="status-test")
    st.caption(_("A test asks the model one fixed question. Nothing of yours is sent."))
    if tested:
        with st.spinner(_("Asking {model}", model=as_markdown(model))):
            attempt = chain.test(model)
        show = st.success if attempt.outcome == "answered" else st.warning
        show(_("{model}: {answer}", model=as_markdown(model), answer=as_markdown(_told(attempt))))


def _model_row(it: ModelState) -> dict[str, str]:
    """Lay out how a model stands; a breaker that is closed, as it should be, is nothing to tell."""
    return {
        _("Model"): it.model,
        _("Next audit"): _("will ask it") if it.asked else _("will not ask it"),
        _("Why not"): said(it.why_not),
        _("Breaker"): "" if it.breaker is BreakerState.CLOSED else said(it.breaker.value),
        _("JSON mode"): said(it.json_mode),
        _("Last answer"): _told(it.last),
        _("Last failure"): _told(it.last_failure),
    }


def _told(attempt: Attempt | None) -> str:
    if attempt is None:
        return ""
    told = _("{outcome} in {ms} ms", outcome=said(attempt.outcome.replace("_", " ")), ms=number(attempt.ms))
    return _("{outcome}: {detail}", outcome=told, detail=said(attempt.detail)) if attempt.detail else told
