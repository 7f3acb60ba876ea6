"""Which flaws are the same kind: a finding in pasted code and the kind a past bug was recorded with. Pure."""

from __future__ import annotations

import json
import re
from functools import cache
from pathlib import Path

from memory.background import words_of
from memory.records import BugFacts
from memory.terms import stem

FAMILIES = Path(__file__).parent / "data" / "flaw_families.json"
NAMES = Path(__file__).parent / "data" / "flaw_names.json"


def kind_of(text: str) -> str:
    """Give the kind a field holds, as a key: ``cwe 89`` is ``CWE-89``, ``Off by one`` is ``off-by-one``."""
    match = re.search(r"\bCWE[-_ ]?0*(\d{1,5})\b", text, re.IGNORECASE)
    if match:
        return f"CWE-{match[1]}"
    return re.sub(r"[^a-z0-9]+", "-", text.lower()).strip("-")


def same_kind(one: str, other: str) -> bool:
    """Say whether two kinds are equal or of one family."""
    a, b = kind_of(one), kind_of(other)
    return bool(a and b) and (a == b or bool(_families(a) & _families(b)))


def family(kind: str) -> list[str]:
    """Give ``kind`` and all kinds of its families, sorted."""
    key = kind_of(kind)
    return sorted({key} | {other for other, numbers in _table().items() if numbers & _families(key)} - {""})


def kinds_of(facts: BugFacts) -> frozenset[str]:
    """Give the kinds a past bug was recorded with: its CWE, or else its slug and every kind its words name."""
    kind = kind_of(facts.cwe)
    if kind.startswith("CWE-"):
        return frozenset({kind})
    clauses = re.split(r"[.;:!?]\s", f"{facts.title}. {facts.root_cause}")
    said = [_folded(clause) for clause in clauses]
    named = {name for phrase, name in _names() if any(phrase in clause for clause in said)}
    return frozenset({kind} if kind else ()) | named


def _folded(text: str) -> str:
    return f" {' '.join(stem(word) for word in words_of(text))} "


@cache
def _names() -> tuple[tuple[str, str], ...]:
    listed = json.loads(NAMES.read_text(encoding="utf-8"))["names"]
    return tuple((_folded(phrase), kind) for kind, phrases in listed.items() for phrase in phrases)


def _families(kind: str) -> frozenset[int]:
    return _table().get(kind, frozenset())


@cache
def _table() -> dict[str, frozenset[int]]:
    table: dict[str, frozenset[int]] = {}
    for number, family in enumerate(json.loads(FAMILIES.read_text(encoding="utf-8"))["families"]):
        for kind in family:
            table[kind] = table.get(kind, frozenset()) | {number}
    return table
