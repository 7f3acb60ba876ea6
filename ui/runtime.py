"""What every session shares: the services and the job board, built once per process."""

from __future__ import annotations

import gc
import hashlib
import sys
import threading
from dataclasses import replace
from datetime import UTC, datetime
from importlib import import_module
from pkgutil import iter_modules
from typing import TYPE_CHECKING

import streamlit as st
from pydantic import SecretStr

from memory.records import Kind
from memory.report import RecallQuery
from settings import Settings, read_settings
from ui import views
from ui.identity import NotSignedIn, Person, admitted

if TYPE_CHECKING:
    from audit.judge import Judged
    from memory.importers.register import ImportResult
    from ui.chores import Outcome
    from ui.jobs import JobBoard
    from wiring import Services

WORKERS = 8
TURN_S = 0.001
"""How long one thread computes before another may: a page gives way at each read, and would wait 5 ms each time."""
AUTHOR = "person"
"""Who is noted for what is done on a page where there is no sign-in."""


def now() -> datetime:
    """Tell the time, in UTC."""
    return datetime.now(UTC)


@st.cache_resource(show_spinner=False)
def configured() -> Settings:
    """Read the settings once per process. Raises SettingsInvalid."""
    return read_settings()


def person() -> Person | None:
    """Say who has signed in to this session; None where there is no sign-in, or they are not named in the settings."""
    people = configured().people_by_identity
    return admitted(st.user.to_dict(), people) if people else None


def author() -> str:
    """Name who is noted for what is done on a page."""
    known = person()
    return known.name if known else AUTHOR


def settings() -> Settings:
    """Give the settings of this session: with sign-in, the workspace is the person's, never the configured one.

    Raises SettingsInvalid, and NotSignedIn where sign-in is set up and nobody who is named has signed in.
    """
    base = configured()
    if not base.people:
        return base
    known = person()
    if known is None:
        raise NotSignedIn("Nobody has signed in to this session.")
    return base.model_copy(update={"workspace": known.workspace})


@st.cache_resource(show_spinner=False)
def _shared() -> Services:
    from wiring import build_services

    sys.setswitchinterval(TURN_S)
    return build_services(configured())


def services() -> Services:
    """Give the services, built once per process, as this session's workspace sees them; who asks first warms them up.

    Raises StoreError where the memory cannot be opened, and what ``settings`` raises.
    """
    mine = settings()
    parts = _shared()
    warm_up()
    return parts if mine is parts.settings else replace(parts, settings=mine)


@st.cache_resource(show_spinner=False)
def _audits() -> JobBoard[Judged]:
    from ui.jobs import JobBoard

    return JobBoard(WORKERS)


@st.cache_resource(show_spinner=False)
def _imports() -> JobBoard[ImportResult]:
    from ui.jobs import JobBoard

    return JobBoard(1)


@st.cache_resource(show_spinner=False)
def _upkeep() -> JobBoard[Outcome]:
    from ui.jobs import JobBoard

    return JobBoard(1)


def jobs() -> JobBoard[Judged]:
    """Give the board of audits, started once per process, with the jobs of this session's workspace."""
    return _audits().of(settings().workspace)


def imports() -> JobBoard[ImportResult]:
    """Give the board of imports, one at a time in a process, with the jobs of this session's workspace."""
    return _imports().of(settings().workspace)


def upkeep() -> JobBoard[Outcome]:
    """Give the board of upkeep, one at a time in a process, with the jobs of this session's workspace."""
    return _upkeep().of(settings().workspace)


@st.cache_resource(show_spinner=False)
def warm_up() -> threading.Thread:
    """Load models, all pages and the index in the background, so that no first audit and no first look waits for it."""
    parts = _shared()
    query = RecallQuery(parts.workspace, (Kind.INVESTMENT, Kind.BUG), "a first look at the memory")

    def warm() -> None:
        spare_the_lasting()  # what is loaded by now, as the rest takes seconds in which people look at pages
        parts.recaller.recall(query, now())
        for module in iter_modules(views.__path__, f"{views.__name__}."):
            import_module(module.name)
        spare_the_lasting()

    thread = threading.Thread(target=warm, name="precedent-warm-up", daemon=True)
    thread.start()
    return thread


def spare_the_lasting() -> None:
    """Let the garbage collector pass over all there is now: modules, models and what else lives as long as the process.

    To walk every object of the process takes it 0.2 s, in which no page or audit gets on.
    """
    gc.collect()
    gc.freeze()


def fingerprint(settings: Settings) -> str:
    """Name every setting, and of a secret only whether it is set; a hex digest."""
    parts = [(name, bool(it) if isinstance(it, SecretStr) else it) for name, it in settings]
    return hashlib.sha256(repr(parts).encode()).hexdigest()
