"""The active facts of a workspace and their vectors, read once for every change of the memory."""

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


@dataclass(frozen=True, slots=True)
class FactsNow:
    """The facts that changed last, at most 5,000 of ``total``, and vectors of what each is and why it came about."""

    records: tuple[Record, ...]
    total: int
    what: Mapping[str, Vectors]
    why: Mapping[str, Vectors]


def facts_now() -> FactsNow:
    """Read the facts as they stand. Raises StoreError."""
    ledger = runtime.services().ledger
    return _facts(str(runtime.settings().home.resolve()), runtime.settings().workspace, ledger.place())


def patterns_now() -> Patterns:
    """Look for patterns in the facts as they stand. Raises StoreError."""
    ledger = runtime.services().ledger
    return _patterns(str(runtime.settings().home.resolve()), runtime.settings().workspace, ledger.place())


@st.cache_resource(max_entries=4, show_spinner=False)
def _facts(home: str, workspace: str, place: tuple[int, str]) -> FactsNow:
    ledger = runtime.services().ledger
    kinds = tuple(kind for kind in Kind if kind.nature is Nature.FACT)
    page = ledger.find(workspace, kinds=kinds, limit=MOST)
    entries = ledger.entries([it.id for it in page.records])
    what = {it.record_id: it.vector for it in entries if it.facet == "what" and not it.passage}
    return FactsNow(page.records, page.total, what, why_vectors(entries))


@st.cache_resource(max_entries=4, show_spinner=False)
def _patterns(home: str, workspace: str, place: tuple[int, str]) -> Patterns:
    facts = facts_now()
    return find_patterns(facts.records, facts.why)
