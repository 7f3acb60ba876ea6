"""The vocabulary of claims about a past, compiled once: what is looked for in a folded sentence. Pure."""

from __future__ import annotations

import re
import tomllib
from collections.abc import Iterable
from pathlib import Path

from audit.folding import skeleton

_DATA = tomllib.loads((Path(__file__).parent / "data" / "past_claims.toml").read_text(encoding="utf-8"))

# What begins with a letter that cannot be missing; and with a choice, not nested, of such.
_LETTER = re.compile(r"[a-z](?![?*{])")
_INNER = re.compile(r"\((?:[^()\\]|\\.)*\)|\\.")
_GROUP = re.compile(r"\(\?:([^()]+)\)(?![?*{])")


def by_first_letter(entries: Iterable[str]) -> str:
    """Join patterns so that each is tried only where a letter stands that it can begin with: same matches, sooner."""
    groups: dict[str, list[str]] = {}
    for it in entries:
        for letter in _begins(it) or {""}:
            groups.setdefault(letter, []).append(it)
    anywhere = groups.pop("", [])
    parts = [f"(?={letter})(?:{'|'.join(group)})" for letter, group in groups.items()]
    return "|".join([*parts, *anywhere])


def _begins(entry: str) -> set[str]:
    """Say with which letters a match of ``entry`` can begin; empty where that is not plain to see."""
    plain = entry.removeprefix(r"\b")
    outside = plain
    while _INNER.search(outside):
        outside = _INNER.sub("", outside)
    if "|" in outside:
        return set()
    if _LETTER.match(plain):
        return {plain[0]}
    group = _GROUP.match(plain)
    choices = group[1].split("|") if group else []
    return {it[0] for it in choices} if choices and all(map(_LETTER.match, choices)) else set()


def pattern(*tables: str) -> re.Pattern[str]:
    """Compile the entries of tables, all languages together: Latin ones match whole words only."""
    latin: list[str] = []
    other: list[str] = []
    for table in tables:
        for language, entries in _DATA[table].items():
            folded = [skeleton(entry) for entry in entries]
            if language == "hi":
                other.append(rf"(?<![\u0900-\u097f])(?:{'|'.join(folded)})")
            else:
                (other if language == "zh" else latin).extend(folded)
    parts = [rf"(?<![a-z'])(?:{by_first_letter(latin)})(?![a-z])"] if latin else []
    if other:  # no letter of English begins one: without the look ahead each would be tried at each of them
        parts.append(rf"(?=[^\x00-/:-\x7f])(?:{'|'.join(other)})")
    return re.compile("|".join(parts))


OUTCOMES = pattern("outcomes")
LIKENESS = pattern("likeness")
READERS = pattern("readers")
MODAL = pattern("modal")
ACTED, YOU_PAST, HAPPENED, PAST_OUTCOME, DATED, NOTHING, NOTHING_PAST = (
    re.compile(_DATA["shapes"][name])
    for name in (
        "acted",
        "reader_past",
        "happened",
        "past_outcome",
        "dated",
        "nothing",
        "nothing_past",
    )
)

NEUTRAL = frozenset(word for words in _DATA["neutral"].values() for word in words)

OF_MANY = re.compile(
    r"^(?:(?:many|most|some|several|few|often|typically|usually|nine out of ten|nine in ten|about half|half of)\b|"
    r"(?:muchas?|muchos|la mayoria|varias|varios|viele|die meisten|zahlreiche|einige|beaucoup|la plupart|de nombreu\w+|"
    r"plusieurs|muitas|muitos|a maioria|diversas)\b|许多|很多|不少|多数|大多数|大部分|कई |अधिकतर |ज़्यादातर |ज्यादातर )"
)

_BACK = pattern("back")
_BACK_UNSPACED = re.compile(r"^(?:它|他们|她们|这|那|结果|后来|最后|其|वह|वो|यह|वे|उस|इस|नतीज)")


def refers_back(low: str) -> bool:
    """True where a sentence goes on from the one before it: it says "they", "the result", "the same"."""
    return _BACK.match(low.lstrip(" -*#>\"'")) is not None or _BACK_UNSPACED.match(low) is not None
