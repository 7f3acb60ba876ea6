"""Phrases as the vocabularies write them, compiled to patterns over a skeleton. Pure.

A phrase is small letters in which a space also matches a hyphen, ``*`` goes on to the end of a word, ``_`` is any
word, ``~`` skips up to 40 characters within a sentence and ``…`` up to 14 within a clause, ``(a|b)`` chooses, and the
characters of ``audit.deck.numbers.Unit`` stand for numbers: ``$`` money, ``%`` a percentage, ``#`` a count, ``@`` any
of them, ``^`` a year, ``0`` a zero.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property

_LATIN = "a-z0-9à-öø-ÿ"
_GAP = r"[^.!?;。！？；]{0,40}?"
_SIGNS = {
    " ": r"[\s\-–]+", "~": _GAP, "…": r"[^.,!?;，。！？；]{0,14}?", "*": rf"[{_LATIN}]*", "_": rf"[{_LATIN}]+",
    "(": "(?:", ")": ")", "|": "|", "$": "¤", "%": "‰", "#": "№", "@": "[¤‰№×]", "^": "‡", "0": "∅",
}  # fmt: skip
_BREAKS = frozenset(" -~…*_@")


@dataclass(frozen=True, eq=False)
class Phrase:
    """A phrase. Every match contains one of ``anchors``, which is quick to rule out; few are ever compiled."""

    text: str
    anchors: tuple[str, ...]

    @cached_property
    def pattern(self) -> re.Pattern[str]:
        body = "".join(_SIGNS.get(char, re.escape(char)) for char in re.sub(" ?~ ?", "~", self.text))
        body = re.sub(rf"{re.escape(_GAP)}(?=[{_LATIN}(])", lambda gap: f"{gap.group()}(?<![{_LATIN}])", body)
        body = body.replace(_GAP, f"(?![{_LATIN}]){_GAP}")
        before = rf"(?<![{_LATIN}])" if re.match(rf"[{_LATIN}(_]", self.text) else ""
        after = rf"(?![{_LATIN}])" if re.search(rf"[{_LATIN})]$", self.text) else ""
        return re.compile(f"{before}{body}{after}")


@dataclass(frozen=True, slots=True, eq=False)
class Phrases:
    """Phrases that mean the same to a reader, as a key to look their hits up by."""

    members: tuple[Phrase, ...]


@dataclass(frozen=True, slots=True)
class Hit:
    """A phrase and where it first stands."""

    phrase: Phrase
    match: re.Match[str]


Hits = Mapping[Phrases, Sequence[Hit]]


class Lexicon:
    """Finds all phrases of many sets in one look at a text.

    Each anchor is filed under its rarest stretch of up to three characters; a text is cut into such stretches once, and
    only the anchors filed under one of them are looked for.
    """

    def __init__(self, sets: Iterable[Phrases]) -> None:
        entries = [(anchor, it, of) for of in sets for it in of.members for anchor in it.anchors]
        counts = Counter(gram for anchor, _, _ in entries for gram in _grams(anchor, min(3, len(anchor))))
        self._files: dict[str, list[tuple[str, Phrase, Phrases]]] = {}
        for anchor, it, of in entries:
            rarest = min(_grams(anchor, min(3, len(anchor))), key=lambda gram: counts[gram])
            self._files.setdefault(rarest, []).append((anchor, it, of))
        self._keys = self._files.keys()

    def hits(self, skeleton: str) -> Hits:
        """Find every phrase that stands in ``skeleton``, by its set."""
        found: dict[Phrases, list[Hit]] = {}
        tried: set[Phrase] = set()
        stretches = {*skeleton, *_grams(skeleton, 2), *_grams(skeleton, 3)}
        for gram in self._keys & stretches:
            for anchor, it, of in self._files[gram]:
                if anchor in skeleton and it not in tried:
                    tried.add(it)
                    match = it.pattern.search(skeleton)
                    if match is not None:
                        found.setdefault(of, []).append(Hit(it, match))
        return found


def _grams(text: str, size: int) -> list[str]:
    return [text[at : at + size] for at in range(len(text) - size + 1)]


def phrase(text: str) -> Phrase:
    """Read one phrase. Raises ValueError where its brackets do not match or nothing in it is fixed."""
    if text.count("(") != text.count(")"):
        raise ValueError(f"brackets do not match in phrase {text!r}")
    anchors = _anchors(text)
    if not all(anchors):
        raise ValueError(f"nothing is fixed in phrase {text!r}")
    return Phrase(text, anchors)


def phrases(texts: Iterable[str]) -> Phrases:
    return Phrases(tuple(phrase(text) for text in texts))


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
