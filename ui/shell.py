"""The frame of every page: configuration, style, navigation, and the boundary no trace crosses."""

from __future__ import annotations

import logging
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

import streamlit as st

from audit.errors import AuditError
from memory.errors import RecordNotFound, StoreError
from settings import SettingsInvalid
from ui import gate
from ui.components.page_language import mark_language
from ui.language import _
from ui.messages import N_
from ui.plain import as_html, as_markdown, quiet
from ui.said import said

log = logging.getLogger(__name__)

STYLE = Path(__file__).with_name("style.css")
ICON = Path(__file__).with_name("icon.svg")  # a local file: a named icon would be fetched from the network


@dataclass(frozen=True, slots=True)
class Place:
    """One page of the dashboard; ``path`` is relative to ``app.py``, ``lead`` the line under its title."""

    path: str
    label: str
    icon: str
    lead: str = ""


HOME = Place("app.py", N_("Precedent"), ":material/balance:")
INVESTMENT = Place(
    "pages/1_Investment_Audit.py",
    N_("Investment audit"),
    ":material/lightbulb:",
    N_("Judge a pitch on what it states, and on what really happened to investments of yours like it."),
)
BUG = Place(
    "pages/2_Bug_Triage.py",
    N_("Bug triage"),
    ":material/bug_report:",
    N_("Find flaws in code, and the bugs of yours that they repeat, with the fix that worked."),
)
MEMORY = Place(
    "pages/3_Memory.py",
    N_("Memory"),
    ":material/inventory_2:",
    N_("Your own past. Only what is written here can ever be called a precedent."),
)
HISTORY = Place(
    "pages/4_History.py",
    N_("History"),
    ":material/history:",
    N_("Every audit is kept whole and opens again exactly as it was."),
)
TRACK_RECORD = Place(
    "pages/5_Track_Record.py",
    N_("Track record"),
    ":material/timeline:",
    N_("What the audits said, and how often they were right."),
)
STATUS = Place(
    "pages/6_Status.py",
    N_("Status"),
    ":material/monitor_heart:",
    N_("What is set up, what is working, and where your data lives."),
)
OFFLINE = N_("Precedent does not answer.")
OFFLINE_REST = N_(
    "What you see stays readable, and everything that was saved is safe; a text that was not sent yet is only here, so "
    "copy it before you reload. Once Precedent runs again, this page goes on by itself."
)
# A step can have been done before what shows it failed.
UNSURE = N_("If you were saving something, look whether it is there before you save it again.")
PLACES = (HOME, INVESTMENT, BUG, MEMORY, HISTORY, TRACK_RECORD, STATUS)


@contextmanager
def open_page(place: Place) -> Iterator[None]:
    """Open a page: configure it, draw the navigation and the title, and show failures as calm messages.

    Every page runs its whole body within this block, imports of heavy parts included: the frame is drawn before them.
    With sign-in set up, nothing of the page is drawn and nothing of its body runs before somebody named has signed in.
    """
    st.set_page_config(
        page_title="Precedent" if place is HOME else f"{_(place.label)} · Precedent",
        page_icon=ICON,
        layout="wide",
        initial_sidebar_state="collapsed",
    )
    st.html(STYLE)
    mark_language()
    st.html(f'<div class="p-offline" role="status"><b>{as_html(_(OFFLINE))}</b> {as_html(_(OFFLINE_REST))}</div>')
    if not gate.passes():
        st.stop()
    _navigation()
    if place is not HOME:
        st.title(_(place.label), anchor=False)
    if place.lead:
        st.markdown(quiet(_(place.lead)))
    try:
        yield
    except RecordNotFound as error:
        _failure(_("This is not in your memory"), said(str(error)), _(UNSURE))
    except StoreError as error:
        log.warning("the memory failed on %s: %s", place.label, error)
        _failure(_("The memory could not be used"), said(str(error)), _(UNSURE))
        if place is not STATUS:
            st.page_link(STATUS.path, label=_("See what can be done"), icon=STATUS.icon)
    except SettingsInvalid as error:
        log.error("%s", error)
        _failure(
            _("Precedent cannot start with these settings"),
            said(str(error)),
            _("Correct them and start it again."),
        )
    except AuditError as error:
        log.warning("an audit failed on %s: %s", place.label, error)
        _failure(_("This could not be done"), said(str(error)), _("Nothing was changed."))
    except Exception:
        log.exception("the page %s failed", place.label)
        _failure(
            _("Something went wrong inside Precedent"),
            _("The page could not be finished; the log says more."),
            _("Your records are safe. Reload the page to try again."),
        )


def _navigation() -> None:
    with st.container(key="nav", horizontal=True, vertical_alignment="center", gap="xxsmall"):
        for place in PLACES:
            st.page_link(place.path, label=_(place.label), icon=place.icon)
        gate.show_who()


def _failure(headline: str, message: str, rest: str) -> None:
    told = _("**{headline}.** {body}", headline=headline, body=as_markdown(message))
    st.error(f"{told}  \n{rest}", icon=":material/error:")
