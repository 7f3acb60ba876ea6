"""What the writer said and the guard would not let through, and how the models answered."""

from __future__ import annotations

import pandas as pd
import streamlit as st

from audit.types import GroundedAudit
from ui.plain import as_markdown, shorten


def show_refusals(audit: GroundedAudit) -> None:
    """Show each refused claim struck out, with the rule and the reason."""
    if not audit.refusals:
        st.markdown("Nothing was refused: every claim that was made could be checked.")
        return
    st.markdown(":gray[The writer said this, and it could not be shown as true. It counts for nothing.]")
    for refusal in audit.refusals:
        with st.container(border=True, gap="xsmall"):
            st.markdown(f"~~{as_markdown(shorten(refusal.text, 400)) or 'empty'}~~")
            st.caption(f"{as_markdown(refusal.field)} · {as_markdown(refusal.rule)} · {as_markdown(refusal.reason)}")


def show_attempts(audit: GroundedAudit) -> None:
    """Show every try of every model, in order."""
    if not audit.attempts:
        st.markdown("No model was asked: the rule analyst wrote this audit.")
        return
    st.dataframe(
        pd.DataFrame(
            [
                {
                    "Model": it.model,
                    "Mode": it.json_mode,
                    "Outcome": it.outcome,
                    "Detail": it.detail,
                    "ms": it.ms,
                    "Tokens in": it.tokens_in,
                    "Tokens out": it.tokens_out,
                }
                for it in audit.attempts
            ]
        ),
        hide_index=True,
        alt="Attempts of the models",
        column_config={"ms": st.column_config.NumberColumn(format="%.0f")},
    )
