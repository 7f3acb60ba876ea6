"""Regular expressions read as text: patterns that do not compile, and those that can take exponential time.

A repetition is called slow when its body can match one stretch of text in several ways: a repetition inside it that
no mandatory, different character sets apart, or alternatives that can begin and end alike.
"""

from __future__ import annotations

import re
from dataclasses import dataclass, field

_MANY = 16
_ANY = frozenset(map(chr, range(32, 127)))
_DIGITS = frozenset("0123456789")
_WORDS = frozenset("abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_")
_SPACES = frozenset(" \t\r\n")
_CLASSES = {"d": _DIGITS, "w": _WORDS, "s": _SPACES, "D": _ANY - _DIGITS, "W": _ANY - _WORDS, "S": _ANY - _SPACES}
_EMPTY = frozenset("bBAzZGQE")


@dataclass(slots=True)
class _Item:
    """One element: the characters it may hold, whether it may be absent, whether it repeats, its alternatives."""

    chars: frozenset[str]
    optional: bool = False
    repeats: bool = False
    alternatives: list[list[_Item]] = field(default_factory=list)

    @property
    def loops(self) -> bool:
        return self.repeats or any(it.loops for sequence in self.alternatives for it in sequence)


def is_slow(pattern: str) -> bool:
    """Say whether ``pattern`` (at most 500 characters of it) can take exponential time on some text."""
    reader = _Reader(pattern[:500])
    return any(_is_ambiguous(it) for sequence in reader.alternatives(0) for it in _walk(sequence))


def _walk(sequence: list[_Item]) -> list[_Item]:
    found: list[_Item] = []
    for it in sequence:
        found.append(it)
        for inner in it.alternatives:
            found += _walk(inner)
    return found


def _is_ambiguous(item: _Item) -> bool:
    if not item.repeats or not item.alternatives:
        return False
    for sequence in item.alternatives:
        flat = _flatten(sequence)
        for one in flat:
            if one.loops and all(other is one or other.optional or other.chars & one.chars for other in flat):
                return True
    single = [flat[0].chars for sequence in item.alternatives if len(flat := _flatten(sequence)) == 1]
    return any(a & b for index, a in enumerate(single) for b in single[index + 1 :])


def _flatten(sequence: list[_Item]) -> list[_Item]:
    """Open groups that stand once and have no alternatives: ``(a)(b+)`` is ``ab+``."""
    found: list[_Item] = []
    for it in sequence:
        if len(it.alternatives) == 1 and not it.optional and not it.repeats:
            found += _flatten(it.alternatives[0])
        else:
            found.append(it)
    return found


class _Reader:
    """A forgiving reader of the syntax that all our languages share."""

    def __init__(self, text: str) -> None:
        self._text = text
        self._at = 0

    def alternatives(self, depth: int) -> list[list[_Item]]:
        found: list[list[_Item]] = [[]]
        while self._at < len(self._text):
            char = self._text[self._at]
            if char == ")" and depth > 0:
                break
            if char == "|":
                self._at += 1
                found.append([])
                continue
            item = self._item(depth)
            if item is not None:
                found[-1].append(self._quantified(item))
        return found

    def _item(self, depth: int) -> _Item | None:
        char = self._text[self._at]
        self._at += 1
        if char == "(" and depth < 40:
            return self._group(depth)
        if char == "[":
            return _Item(self._class())
        if char == "\\" and self._at < len(self._text):
            escaped = self._text[self._at]
            self._at += 1
            return None if escaped in _EMPTY else _Item(_CLASSES.get(escaped, frozenset(escaped)))
        if char in "^$":
            return None
        return _Item(_ANY if char == "." else frozenset(char))

    def _group(self, depth: int) -> _Item | None:
        opening = re.compile(r"\?(:|P?<\w+>|>|[imsx-]+:)|\?(=|!|<=|<!|[imsx-]+\))").match(self._text, self._at)
        looks = opening is not None and opening.group(2) is not None
        self._at = opening.end() if opening else self._at
        if looks and opening is not None and opening.group().endswith(")"):
            return None
        inner = self.alternatives(depth + 1)
        self._at += 1
        if looks:
            return None
        chars = frozenset().union(*(it.chars for sequence in inner for it in sequence)) if inner else frozenset()
        return _Item(chars, alternatives=inner)

    def _class(self) -> frozenset[str]:
        negated = self._text[self._at : self._at + 1] == "^"
        self._at += negated
        chars: set[str] = set()
        first = True
        while self._at < len(self._text) and (self._text[self._at] != "]" or first):
            first = False
            char = self._text[self._at]
            self._at += 1
            if char == "\\" and self._at < len(self._text):
                escaped = self._text[self._at]
                self._at += 1
                chars |= _CLASSES.get(escaped, frozenset(escaped))
            elif self._text[self._at : self._at + 1] == "-" and self._text[self._at + 1 : self._at + 2] not in {
                "]",
                "",
            }:
                last = self._text[self._at + 1]
                self._at += 2
                chars |= {chr(code) for code in range(ord(char), min(ord(last), 126) + 1)}
            else:
                chars.add(char)
        self._at += 1
        return _ANY - chars if negated else frozenset(chars)

    def _quantified(self, item: _Item) -> _Item:
        found = re.compile(r"([*+?]|\{(\d*)(,?)(\d*)\})([?+]?)").match(self._text, self._at)
        if found is None:
            return item
        self._at = found.end()
        sign = found.group(1)
        if found.group(5) == "+":  # possessive: it never gives back
            return item
        least = 0 if sign in "*?" else 1 if sign == "+" else int(found.group(2) or 0)
        most = _most(found)
        item.optional = item.optional or least == 0
        item.repeats = most >= _MANY
        return item


def _most(found: re.Match[str]) -> int:
    """Return how often a quantifier may repeat, at most ``_MANY`` being told apart."""
    sign, low, comma, high = found.group(1), found.group(2), found.group(3), found.group(4)
    if sign in "*+":
        return _MANY
    if sign == "?":
        return 1
    number = high or ("" if comma else low)
    return min(_MANY, int(number[:4])) if number else _MANY


def is_invalid(pattern: str) -> bool:
    """Say whether a pattern opens what it does not close, or repeats nothing."""
    depth = 0
    position = 0
    inside = False
    while position < len(pattern):
        char = pattern[position]
        if char == "\\":
            if position + 1 == len(pattern):
                return True
            position += 2
            continue
        before = pattern[position - 1] if position else "("
        if inside:
            inside = char != "]"
        elif char == "[":
            inside = True
        elif char in "()":
            depth += 1 if char == "(" else -1
            if depth < 0:
                return True
        elif (char in "*+" and before in "(|") or (char == "?" and (position == 0 or before == "|")):
            return True
        position += 1
    return inside or depth != 0
