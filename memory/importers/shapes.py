"""Whose export a table is: Jira, GitHub, Linear, Bugzilla, or a sheet of somebody's own. Pure."""

from __future__ import annotations

from collections import Counter

from memory.export import KIND
from memory.importers.tables import Table
from memory.importers.vocabulary import column_words, fold, name_forms
from memory.records import Kind

_MARKS: tuple[tuple[str, tuple[frozenset[str], ...]], ...] = (
    ("jira", (frozenset({"issue key", "issue type"}), frozenset({"issuetype", "key", "summary"}))),
    ("bugzilla", (frozenset({"bug id", "product", "component"}), frozenset({"id", "product", "component", "summary"}))),
    (
        "linear",
        (
            frozenset({"id", "team", "title", "status", "cycle name"}),
            frozenset({"id", "team", "title", "status", "cycle number"}),
            frozenset({"identifier", "team", "title"}),
        ),
    ),
    (
        "github",
        (
            frozenset({"number", "title", "state", "body"}),
            frozenset({"number", "title", "state", "created at"}),
            frozenset({"number", "title", "state", "createdat"}),
            frozenset({"number", "title", "state", "labels"}),
        ),
    ),
)
LABELS = {
    "precedent": "an export of this memory",
    "jira": "a Jira export",
    "github": "GitHub issues",
    "linear": "a Linear export",
    "bugzilla": "a Bugzilla list",
}


def recognise(table: Table) -> str:
    """Name the tracker a table was exported from, or "" where its columns are nobody's in particular."""
    names = {fold(column) for column in table.columns}
    if KIND in names:
        return "precedent"
    for shape, alternatives in _MARKS:
        if any(needed <= names for needed in alternatives):
            return shape
    return ""


def likely_kind(table: Table) -> Kind:
    """Say whether the rows look like bugs or like investments: a known tracker, or the better named columns."""
    if table.shape == "precedent":
        kinds = Counter(row.cell(table.columns.index(KIND)) for row in table.rows)
        return Kind.BUG if kinds[Kind.BUG.value] > kinds[Kind.INVESTMENT.value] else Kind.INVESTMENT
    if table.shape:
        return Kind.BUG
    scores = {
        kind: len(
            {
                column_words(kind)[form]
                for name in table.columns
                for form in name_forms(name)
                if form in column_words(kind)
            }
        )
        for kind in (Kind.INVESTMENT, Kind.BUG)
    }
    return Kind.BUG if scores[Kind.BUG] > scores[Kind.INVESTMENT] else Kind.INVESTMENT
