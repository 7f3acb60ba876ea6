"""Phrases as the vocabularies write them, compiled to patterns over a skeleton. Pure.

A phrase is small letters in which a space also matches a hyphen, ``*`` goes on to the end of a word, ``_`` is any
word, ``~`` skips up to 40 characters within a sentence and ``…`` up to 14 within a clause, ``(a|b)`` chooses, and the
characters of ``audit.deck.numbers.Unit`` stand for numbers: ``$`` money, ``%`` a percentage, ``#`` a count, ``@`` any
of them, ``^`` a year, ``0`` a zero.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass

_LATIN = "a-z0-9à-öø-ÿ"
_GAP = r"[^.!?;。！？；]{0,40}?"
_SIGNS = {
    " ": r"[\s\-–]+", "~": _GAP, "…": r"[^.,!?;，。！？；]{0,14}?", "*": rf"[{_LATIN}]*", "_": rf"[{_LATIN}]+",
    "(": "(?:", ")": ")", "|": "|", "$": "¤", "%": "‰", "#": "№", "@": "[¤‰№×]", "^": "‡", "0": "∅",
}  # fmt: skip
_BREAKS = frozenset(" -~…*_@")


@dataclass(frozen=True, slots=True)
class Phrase:
    """A compiled phrase. Every match contains one of ``anchors``, which is quick to rule out."""

    text: str
    anchors: tuple[str, ...]
    pattern: re.Pattern[str]

    def find(self, skeleton: str) -> re.Match[str] | None:
        for anchor in self.anchors:
            if anchor in skeleton:
                return self.pattern.search(skeleton)
        return None


def phrase(text: str) -> Phrase:
    """Compile one phrase. Raises ValueError where its brackets do not match or nothing in it is fixed."""
    if text.count("(") != text.count(")"):
        raise ValueError(f"brackets do not match in phrase {text!r}")
    anchors = _anchors(text)
    if not all(anchors):
        raise ValueError(f"nothing is fixed in phrase {text!r}")
    body = "".join(_SIGNS.get(char, re.escape(char)) for char in re.sub(" ?~ ?", "~", text))
    body = re.sub(rf"{re.escape(_GAP)}(?=[{_LATIN}(])", lambda gap: f"{gap.group()}(?<![{_LATIN}])", body)
    body = body.replace(_GAP, f"(?![{_LATIN}]){_GAP}")
    before = rf"(?<![{_LATIN}])" if re.match(rf"[{_LATIN}(_]", text) else ""
    after = rf"(?![{_LATIN}])" if re.search(rf"[{_LATIN})]$", text) else ""
    return Phrase(text, anchors, re.compile(f"{before}{body}{after}"))


def phrases(texts: Iterable[str]) -> tuple[Phrase, ...]:
    return tuple(phrase(text) for text in texts)


def first_match(options: Iterable[Phrase], skeleton: str) -> re.Match[str] | None:
    """Find the first phrase of ``options``, in their order, that stands in ``skeleton``."""
    for option in options:
        match = option.find(skeleton)
        if match is not None:
            return match
    return None


def _anchors(text: str) -> tuple[str, ...]:
    """Choose the part of a phrase that rules out most texts: a fixed stretch, or a choice of fixed stretches."""
    options: list[tuple[str, ...]] = [("",)]
    literal = ""
    for part in (*_parts(text), " "):
        if len(part) > 1:
            alternatives = [_anchors(it) for it in _choices(part[1:-1])]
            options.append(tuple(anchor for group in alternatives for anchor in group))
        if len(part) > 1 or part in _BREAKS:
            options.append((literal,))
            literal = ""
        else:
            literal += _SIGNS[part] if part in "$%#^0" else part
    return max(options, key=lambda it: (min(len(anchor) for anchor in it), -len(it)))


def _parts(text: str) -> Iterator[str]:
    """Cut a phrase into characters and whole brackets."""
    depth, start = 0, 0
    for at, char in enumerate(text):
        if char == "(":
            start = at if depth == 0 else start
            depth += 1
        elif char == ")":
            depth -= 1
            if depth == 0:
                yield text[start : at + 1]
        elif depth == 0:
            yield char


def _choices(text: str) -> list[str]:
    choices = [""]
    for part in _parts(text):
        if part == "|":
            choices.append("")
        else:
            choices[-1] += part
    return choices
