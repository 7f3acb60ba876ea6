"""The state of each part: memory, index, embedder, models, keys (yes or no, never their values)."""

from __future__ import annotations

import pandas as pd
import streamlit as st

from memory.errors import StoreError
from memory.records import Kind
from ui import runtime
from ui.plain import as_markdown

LEAD = "What is set up, what is working, and where your data lives."


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
    states = runtime.services().chain.states()
    if not states:
        st.info(
            "No model is set up, so the rule analyst writes every audit. Set GROQ_API_KEY, OPENAI_API_KEY or "
            "PRECEDENT_LOCAL_BASE_URL and start again to have a model write them.",
            icon=":material/smart_toy:",
        )
        return
    st.dataframe(pd.DataFrame(states), hide_index=True, alt="Models")
