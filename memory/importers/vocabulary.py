"""The words exports use, read once from ``vocabulary.toml``. Pure after loading."""

from __future__ import annotations

import re
import tomllib
from collections.abc import Mapping
from functools import cache
from importlib.resources import files
from types import MappingProxyType
from typing import Any

from memory.importers.units import without_signs, without_units
from memory.records import Kind, Outcome, Severity

_PARENTHESIS = re.compile(r"[(（\[](?P<inside>[^)）\]]*)[)）\]]")
OWNERS = frozenset(
    {"company", "startup", "deal", "investment", "portfolio", "issue", "bug", "ticket", "defect", "item", "details"}
)


def fold(text: str) -> str:
    """Lower a name and fold its punctuation to single spaces: ``Date\\nInvested`` and ``date_invested`` are one."""
    return " ".join(re.sub(r"[\W_]+", " ", text.lower()).split())


@cache
def _data() -> Mapping[str, Any]:
    return MappingProxyType(tomllib.loads(files(__package__).joinpath("vocabulary.toml").read_text("utf-8")))


@cache
def column_words(kind: Kind) -> Mapping[str, str]:
    """Map each known folded column name of ``kind`` (investment or bug) to its field; earlier fields win."""
    words: dict[str, str] = {}
    for field, names in _data()[kind.value].items():
        for name in names:
            words.setdefault(name, field)
    return MappingProxyType(words)


@cache
def outcome_words(kind: Kind) -> Mapping[str, Outcome]:
    """Map each known folded status of ``kind`` to its outcome."""
    return MappingProxyType(
        {word: Outcome(outcome) for outcome, words in _data()["outcomes"][kind.value].items() for word in words}
    )


@cache
def severity_words() -> Mapping[str, Severity]:
    """Map each known folded severity or priority to one of ours."""
    table: Mapping[Severity, list[str]] = _data()["severities"]
    return MappingProxyType({word: severity for severity, words in table.items() for word in words})


@cache
def set_aside_words(group: str) -> frozenset[str]:
    """Give a group of ``[set_aside]``: resolutions, types, not_bug_labels, bug_labels or totals."""
    return frozenset(_data()["set_aside"][group])


def name_forms(header: str) -> tuple[str, ...]:
    """Give the ways a header may be read, likeliest first: whole, inside its brackets, without them, without units."""
    forms = [fold(header)]
    match = _PARENTHESIS.search(header)
    if match:
        inside = fold(match["inside"])
        without = fold(_PARENTHESIS.sub(" ", header))
        forms += [inside, without] if without in {"custom field", "field"} else [without]
    forms += [without_units(form) for form in (*forms, fold(without_signs(header)))]
    return tuple(dict.fromkeys(form for form in forms if form))


def owned_form(header: str) -> str:
    """Give a header without the thing it names first, or "": ``company.sector`` is a ``sector``."""
    owner, _, rest = fold(header).partition(" ")
    return rest if owner in OWNERS else ""


def field_of(header: str, kind: Kind | None = None) -> str | None:
    """Say which field a header names, for ``kind`` or for either; None where it is not known."""
    for kinds in (kind,) if kind else (Kind.INVESTMENT, Kind.BUG):
        words = column_words(kinds)
        for form in name_forms(header):
            if form in words:
                return words[form]
    return None
