"""Which flaws are the same kind: a finding in pasted code and the kind a past bug was recorded with. Pure."""

from __future__ import annotations

import json
import re
from collections.abc import Collection, Sequence
from functools import cache, lru_cache
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


def closest(kinds: Collection[str], keys: Sequence[str]) -> tuple[int, float] | None:
    """Give the place in ``keys`` of the one that meets ``kinds`` best, and how closely (0..1]; None where none does.

    The same kind is closer than one of its family, and keys tell less the later they stand.
    """
    found = [
        (at, 1 / (1 + at / 3) * (1.0 if kind_of(key) in kinds else 0.6))
        for at, key in enumerate(keys)
        if any(same_kind(key, kind) for kind in kinds)
    ]
    return max(found, key=lambda it: it[1], default=None)


def family(kind: str) -> list[str]:
    """Give ``kind`` and all kinds of its families, sorted."""
    key = kind_of(kind)
    return sorted({key} | {other for other, numbers in _table().items() if numbers & _families(key)} - {""})


def kinds_of(facts: BugFacts) -> frozenset[str]:
    """Give the kinds a past bug was recorded with: its CWE, or else its slug and every kind its words name.

    The title names the flaw; the root cause is asked where the title does not. Beside a CWE its words may only name a
    narrower kind of the same family; beside one that says little, any.
    """
    kind = kind_of(facts.cwe)
    named = _named(facts.title) or _named(facts.root_cause)
    if kind.startswith("CWE-") and kind not in _vague():
        named = {it for it in named if not it.startswith("CWE-") and same_kind(it, kind)}
    return frozenset({kind} if kind else ()) | named


@lru_cache(maxsize=4_096)
def _named(text: str) -> set[str]:
    said = [_folded(clause) for clause in re.split(r"[.;:!?]\s", text)]
    return {kind for phrase, kind in _names() if any(phrase.search(clause) for clause in said)}


def _folded(text: str) -> str:
    return f" {' '.join(stem(word).rstrip('e') or word for word in words_of(text))} "


@cache
def _names() -> tuple[tuple[re.Pattern[str], str], ...]:
    listed = json.loads(NAMES.read_text(encoding="utf-8"))["names"]
    return tuple(
        (re.compile(f" {' (?:.* )?'.join(_folded(part).strip() for part in phrase.split('*'))} "), kind)
        for kind, phrases in listed.items()
        for phrase in phrases
    )


@cache
def _vague() -> frozenset[str]:
    return frozenset(json.loads(FAMILIES.read_text(encoding="utf-8"))["vague"])


def _families(kind: str) -> frozenset[int]:
    return _table().get(kind, frozenset())


@cache
def _table() -> dict[str, frozenset[int]]:
    table: dict[str, frozenset[int]] = {}
    for number, family in enumerate(json.loads(FAMILIES.read_text(encoding="utf-8"))["families"]):
        for kind in family:
            table[kind] = table.get(kind, frozenset()) | {number}
    return table
