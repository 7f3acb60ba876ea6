"""The language a page declares: screen readers, hyphenation and the choice of fonts go by the ``lang`` of its root."""

from __future__ import annotations

import streamlit as st

from audit.speech.catalogs import ENGLISH
from ui.language import speech

_mark = st.components.v2.component(
    "precedent.language",
    html="<span hidden></span>",
    js="export default ({ data }) => { document.documentElement.lang = data.language }",
)


def mark_language() -> None:
    """Declare the session's language on the page, which Streamlit itself declares English."""
    spoken = speech()
    if spoken.language != ENGLISH:
        with st.container(key="page-language"):
            _mark(data={"language": str(spoken.locale).replace("_", "-")}, key="language")
