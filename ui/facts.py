"""The active facts of a workspace and what follows from them, read once for every change of the memory."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

import streamlit as st

from memory.causes import why_vectors
from memory.embed import Vectors
from memory.patterns import Patterns, find_patterns
from memory.records import Kind, Nature, Record
from ui import runtime

MOST = 5_000
FACTS = tuple(kind for kind in Kind if kind.nature is Nature.FACT)


@dataclass(frozen=True, slots=True)
class FactsNow:
    """The facts that changed last, and how many there are in all."""

    records: tuple[Record, ...]
    total: int


@dataclass(frozen=True, slots=True)
class Sides:
    """Vectors by the id of their record: of what it is, and of why it came about."""

    what: Mapping[str, Vectors]
    why: Mapping[str, Vectors]


def facts_now(most: int = MOST) -> FactsNow:
    """Read the facts as they stand, at most ``most``. Raises StoreError."""
    return _facts(*here(), most)


def sides_now() -> Sides:
    """Read the vectors of the facts as they stand. Raises StoreError."""
    return _sides(*here())


def patterns_now() -> Patterns:
    """Look for patterns in the facts as they stand. Raises StoreError."""
    return _patterns(*here())


def here() -> tuple[str, str, tuple[int, str]]:
    """Name the memory of this session as it stands: what is worked out from it holds until this changes."""
    settings = runtime.settings()
    return str(settings.home.resolve()), settings.workspace, runtime.services().ledger.place()


@st.cache_resource(max_entries=8, show_spinner=False)
def _facts(home: str, workspace: str, place: tuple[int, str], most: int) -> FactsNow:
    page = runtime.services().ledger.find(workspace, kinds=FACTS, limit=most)
    return FactsNow(page.records, page.total)


@st.cache_resource(max_entries=4, show_spinner=False)
def _sides(home: str, workspace: str, place: tuple[int, str]) -> Sides:
    records = _facts(home, workspace, place, MOST).records
    entries = runtime.services().ledger.entries([it.id for it in records])
    what = {it.record_id: it.vector for it in entries if it.facet == "what" and not it.passage}
    return Sides(what, why_vectors(entries))


@st.cache_resource(max_entries=4, show_spinner=False)
def _patterns(home: str, workspace: str, place: tuple[int, str]) -> Patterns:
    return find_patterns(_facts(home, workspace, place, MOST).records, _sides(home, workspace, place).why)
