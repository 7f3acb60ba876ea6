"""What every session shares: the services and the job board, built once per process."""

from __future__ import annotations

import hashlib
import threading
from datetime import UTC, datetime
from typing import TYPE_CHECKING

import streamlit as st
from pydantic import SecretStr

from memory.records import Kind
from memory.report import RecallQuery
from settings import Settings, read_settings
from ui.jobs import JobBoard

if TYPE_CHECKING:
    from audit.judge import Judged
    from memory.importers.register import ImportResult
    from ui.chores import Outcome
    from wiring import Services

WORKERS = 8
AUTHOR = "person"
"""Who is noted for what is done on a page, as there is no sign-in."""


def now() -> datetime:
    """Tell the time, in UTC."""
    return datetime.now(UTC)


@st.cache_resource(show_spinner=False)
def settings() -> Settings:
    """Read the settings once per process. Raises SettingsInvalid."""
    return read_settings()


@st.cache_resource(show_spinner=False)
def services() -> Services:
    """Build the services once per process. Raises StoreError where the memory cannot be opened."""
    from wiring import build_services

    return build_services(settings())


@st.cache_resource(show_spinner=False)
def jobs() -> JobBoard[Judged]:
    """Start the job board once per process."""
    return JobBoard(WORKERS)


@st.cache_resource(show_spinner=False)
def imports() -> JobBoard[ImportResult]:
    """Start the board of imports once per process; one at a time."""
    return JobBoard(1)


@st.cache_resource(show_spinner=False)
def upkeep() -> JobBoard[Outcome]:
    """Start the board of upkeep once per process; one at a time."""
    return JobBoard(1)


@st.cache_resource(show_spinner=False)
def warm_up() -> threading.Thread:
    """Load models and bring the index up to date in the background, so that the first audit does not wait for it."""
    parts = services()
    query = RecallQuery(parts.workspace, (Kind.INVESTMENT, Kind.BUG), "a first look at the memory")
    thread = threading.Thread(target=lambda: parts.recaller.recall(query, now()), name="precedent-warm-up", daemon=True)
    thread.start()
    return thread


def fingerprint(settings: Settings) -> str:
    """Name every setting, and of a secret only whether it is set; a hex digest."""
    parts = [(name, bool(it) if isinstance(it, SecretStr) else it) for name, it in settings]
    return hashlib.sha256(repr(parts).encode()).hexdigest()
