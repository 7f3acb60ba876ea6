"""The state of each part: memory, index, embedder, models, keys (yes or no, never their values)."""

from __future__ import annotations

import pandas as pd
import streamlit as st

from audit.types import Attempt
from memory.errors import StoreError
from memory.records import Kind
from ui import runtime
from ui.plain import as_markdown


def show() -> None:
    """Show the page."""
    services, settings = runtime.services(), runtime.settings()
    st.subheader("Memory", anchor=False)
    counts = services.ledger.counts(settings.workspace)
    with st.container(horizontal=True, gap="medium"):
        for kind in Kind:
            if counts.get(kind) or kind in {Kind.INVESTMENT, Kind.BUG}:
                st.metric(kind.value.replace("_", " ").capitalize(), f"{counts.get(kind, 0):,}", border=True)
    _show_index()
    st.subheader("Models", anchor=False)
    _show_models()
    st.subheader("Settings", anchor=False)
    st.dataframe(
        pd.DataFrame(
            [
                ("Data folder", str(settings.home.resolve())),
                ("Workspace", settings.workspace),
                ("Models, in order", settings.models),
                ("Groq key", _present(settings.groq_api_key.get_secret_value())),
                ("OpenAI key", _present(settings.openai_api_key.get_secret_value())),
                ("Local server", settings.local_base_url or "not set"),
                ("Time for all models of one audit", f"{settings.audit_deadline_s:.0f} s"),
            ],
            columns=["Setting", "Value"],
        ),
        hide_index=True,
        alt="Settings",
    )


def _present(secret: str) -> str:
    return "present" if secret else "not set"


def _show_index() -> None:
    services = runtime.services()
    head = services.ledger.head()
    try:
        position = services.index.position()
    except StoreError as error:
        st.error(f"The search index cannot be used. {as_markdown(str(error))}", icon=":material/error:")
    else:
        if position == head:
            st.success(f"The search index is up to date (change {head:,}).", icon=":material/check_circle:")
        else:
            st.info(
                f"The search index stands at change {position:,} of {head:,}. The next audit brings it up to date.",
                icon=":material/sync:",
            )
    stored, current = services.ledger.embedder(), services.embedder.id
    if stored is None:
        st.info(f"Embedding model: {as_markdown(current.name)}. Nothing is stored with it yet.")
    elif stored == current:
        st.success(
            f"Embedding model: {as_markdown(current.name)}, {current.dimension} dimensions, "
            f"weights {current.sha256[:12]}; the records were stored with the same.",
            icon=":material/check_circle:",
        )
    else:
        st.warning(
            f"The records were stored with {as_markdown(stored.name)} and the model now set is "
            f"{as_markdown(current.name)}: they cannot be compared, so no audit can search your history.",
            icon=":material/warning:",
        )


def _show_models() -> None:
    chain = runtime.services().chain
    states = chain.states()
    if not any(it.asked for it in states):
        st.info(
            "No model can be asked now, so the rule analyst writes every audit. To have a model write them, set "
            "GROQ_API_KEY, OPENAI_API_KEY or PRECEDENT_LOCAL_BASE_URL and start Precedent again.",
            icon=":material/smart_toy:",
        )
    if not states:
        return
    st.dataframe(
        pd.DataFrame(
            [
                {
                    "Model": it.model,
                    "Next audit": "will ask it" if it.asked else "will not ask it",
                    "Why not": it.why_not,
                    "Breaker": str(it.breaker.value),
                    "JSON mode": it.json_mode,
                    "Last answer": _told(it.last),
                    "Last failure": _told(it.last_failure),
                }
                for it in states
            ]
        ),
        hide_index=True,
        alt="Models",
    )
    with st.container(horizontal=True, vertical_alignment="bottom", gap="small"):
        model = st.selectbox("Test a model", [it.model for it in states], key="status-model", width=360)
        tested = st.button("Test", icon=":material/network_check:", key="status-test")
    st.caption("A test asks the model one fixed question. Nothing of yours is sent.")
    if tested:
        with st.spinner(f"Asking {model}"):
            attempt = chain.test(model)
        show = st.success if attempt.outcome == "answered" else st.warning
        show(f"{as_markdown(model)}: {as_markdown(_told(attempt))}")


def _told(attempt: Attempt | None) -> str:
    if attempt is None:
        return ""
    said = f"{attempt.outcome.replace('_', ' ')} in {attempt.ms:,.0f} ms"
    return f"{said}: {attempt.detail}" if attempt.detail else said
