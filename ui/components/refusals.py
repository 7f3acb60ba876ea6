"""What the writer said and the guard would not let through, and how the models answered."""

from __future__ import annotations

import pandas as pd
import streamlit as st

from audit.types import GroundedAudit
from ui.language import _
from ui.plain import as_markdown, quiet, shorten
from ui.said import said


def show_refusals(audit: GroundedAudit) -> None:
    """Show each refused claim struck out, with the rule and the reason."""
    if not audit.refusals:
        st.markdown(_("Nothing was refused: every claim that was made could be checked."))
        return
    lead = _("The writer said this, and it could not be shown as true. It counts for nothing.")
    st.markdown(quiet(lead))
    for refusal in audit.refusals:
        with st.container(border=True, gap="xsmall"):
            refused = as_markdown(shorten(refusal.text, 400)) or _("empty")
            st.markdown(f"~~{refused}~~")
            st.caption(" · ".join(as_markdown(said(it)) for it in (refusal.field, refusal.rule, refusal.reason)))


def show_attempts(audit: GroundedAudit) -> None:
    """Show every try of every model, in order."""
    if not audit.attempts:
        st.markdown(_("No model was asked: the rule analyst wrote this audit."))
        return
    st.dataframe(
        pd.DataFrame(
            [
                {
                    _("Model"): it.model,
                    _("JSON mode"): said(it.json_mode),
                    _("Outcome"): said(it.outcome.replace("_", " ")),
                    _("Detail"): said(it.detail),
                    _("Time (ms)"): it.ms,
                    _("Tokens in"): it.tokens_in,
                    _("Tokens out"): it.tokens_out,
                }
                for it in audit.attempts
            ]
        ),
        hide_index=True,
        placeholder="",
        alt=_("Attempts of the models"),
        column_config={_("Time (ms)"): st.column_config.NumberColumn(format="%.0f")},
    )
