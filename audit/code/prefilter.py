"""What a rule needs to find at all, so that most rules need not be compiled and run over most texts."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

# What may be empty at the beginning of a pattern tells nothing of whether it is found, and makes the search slow.
_EMPTY_BEGINNING = re.compile(
    r"(\(\?i\))?(?:\^|\((?:\?:)?\^\|(?:\\.|\[[^\]]*\]|[^\\()\[|])\)|\\[wsd]\*|\[[^\]\\]*(?:\\.[^\]\\]*)*\]\*|\((?:\?:)?[^()]*\)[?*])(?![?+*{])"
)


@dataclass(frozen=True, slots=True)
class Need:
    """Kinds of nodes that must occur, patterns that must match somewhere, and choices of which one must hold."""

    kinds: tuple[str, ...] = ()
    patterns: tuple[re.Pattern[str], ...] = ()
    choices: tuple[tuple[Need, ...], ...] = ()

    def met(self, kinds: frozenset[str], text: str) -> bool:
        """Say whether a tree with these ``kinds`` and this ``text`` can hold a match."""
        return (
            all(it in kinds for it in self.kinds)
            and all(it.search(text) for it in self.patterns)
            and all(any(one.met(kinds, text) for one in choice) for choice in self.choices)
        )


def need(rule: Mapping[str, Any]) -> Need:
    """Derive what an ast-grep rule needs; whatever is not understood needs nothing."""
    kinds: list[str] = []
    patterns: list[re.Pattern[str]] = []
    choices: list[tuple[Need, ...]] = []
    parts: list[Need] = []
    if isinstance(rule.get("kind"), str):
        kinds.append(rule["kind"])
    if isinstance(rule.get("regex"), str):
        patterns.append(re.compile(_unanchored(rule["regex"])))
    parts += [need(rule[key]) for key in ("has", "inside", "follows", "precedes") if isinstance(rule.get(key), dict)]
    parts += [need(it) for it in rule.get("all", ())]
    if rule.get("any"):
        choices.append(tuple(need(it) for it in rule["any"]))
    for it in parts:
        kinds += it.kinds
        patterns += it.patterns
        choices += it.choices
    plainest_first = sorted(dict.fromkeys(patterns), key=lambda it: len(it.pattern))
    return Need(tuple(dict.fromkeys(kinds)), tuple(plainest_first), tuple(choices))


def _unanchored(pattern: str) -> str:
    """Drop ``^`` and ``$`` outside classes: they stand for the ends of a node, which lies anywhere in the text."""
    while (beginning := _EMPTY_BEGINNING.match(pattern)) is not None:
        pattern = (beginning[1] or "") + pattern[beginning.end() :]
    out: list[str] = []
    inside = False
    position = 0
    while position < len(pattern):
        char = pattern[position]
        if char == "\\":
            out.append(pattern[position : position + 2])
            position += 2
            continue
        if inside:
            inside = char != "]"
        elif char == "[":
            inside = True
            out.append(char)
            position += 1
            if pattern[position : position + 1] == "^":
                out.append("^")
                position += 1
            continue
        elif char in "^$":
            out.append("(?:)")
            position += 1
            continue
        out.append(char)
        position += 1
    return "".join(out)
