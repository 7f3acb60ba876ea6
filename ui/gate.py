"""The gate before every page: with sign-in set up, nobody passes who is not named in the settings."""

from __future__ import annotations

import logging
from collections.abc import Mapping

import streamlit as st
from streamlit.errors import Error as StreamlitError

from settings import SettingsInvalid
from ui import runtime
from ui.identity import admitted, verified_email
from ui.language import _

log = logging.getLogger(__name__)


def passes() -> bool:
    """Say whether the page may be shown; where not, show the sign-in, the refusal, or what is wrong with the set-up."""
    try:
        people = runtime.configured().people_by_identity
    except SettingsInvalid:
        return True  # the page itself says so, and opens nothing
    claims = st.user.to_dict()
    set_up = "is_logged_in" in claims
    if not people and not set_up:
        return True
    if people and admitted(claims, people):
        return True
    with st.container(key="gate", horizontal_alignment="center"), st.container(key="gate-card", border=True):
        st.title("Precedent", anchor=False)
        if not people:
            _say_unfinished(
                _(
                    "Sign-in is set up in `.streamlit/secrets.toml`, and nobody is named in `PRECEDENT_PEOPLE` who may "
                    "come in. Until then nobody can."
                )
            )
        elif not set_up:
            _say_unfinished(
                _(
                    "`PRECEDENT_PEOPLE` names who may sign in, and `.streamlit/secrets.toml` has no section `[auth]` "
                    "that says where. Until then nobody can."
                )
            )
        elif claims.get("is_logged_in") is not True:
            _ask_to_sign_in()
        else:
            _refuse(claims)
    return False


def show_who() -> None:
    """Show who is signed in, with a way out; nothing where there is no sign-in."""
    try:
        person = runtime.person()
    except SettingsInvalid:
        return
    if person is None:
        return
    with st.container(key="who", horizontal=True, vertical_alignment="center", gap="xsmall", width="content"):
        st.text(person.name, width="content")
        st.button(_("Sign out"), key="sign-out", icon=":material/logout:", type="tertiary", on_click=st.logout)


def _say_unfinished(what: str) -> None:
    st.error(what, icon=":material/lock:")
    st.markdown(_("See docs/sign-in.md."))


def _ask_to_sign_in() -> None:
    st.markdown(_("Your records are behind a sign-in."))
    if st.button(_("Sign in"), key="sign-in", type="primary", icon=":material/login:", width="stretch"):
        try:
            st.login()
        except StreamlitError as error:
            log.error("sign-in is not set up right: %s", error)
            st.error(_("The sign-in is not set up right; the log says what is missing."), icon=":material/lock:")


def _refuse(claims: Mapping[str, object]) -> None:
    email = claims.get("email")
    st.markdown(_("**You are signed in, and no memory here is yours.**"))
    if email and not verified_email(claims):
        st.markdown(_("Your sign-in does not confirm that your e-mail address is yours, so it cannot be used."))
    st.markdown(_("Ask whoever runs Precedent to name you. They need one of these:"))
    untold = _("not told")
    st.text(_("E-mail: {email}", email=email or untold))
    st.text(_("Subject: {subject}", subject=claims.get("sub") or untold))
    st.button(_("Sign out"), key="sign-out", icon=":material/logout:", on_click=st.logout, width="stretch")
