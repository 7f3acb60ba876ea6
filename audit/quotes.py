"""Find a quote in a text: verbatim after folding, or not at all. Pure, linear; no edit distance.

What is shown of a quote is always the text's own characters, never the writer's. A quote may join two found parts of
at least four words with an ellipsis. It must begin and end between words and may not cut a number short.
"""

from __future__ import annotations

import bisect
import re
import unicodedata
from collections.abc import Iterator
from dataclasses import dataclass

from audit.folding import fold, fold_text
from audit.names import FUNCTION_WORDS
from audit.types import Span

MOST_OCCURRENCES = 500
LONGEST_QUOTE = 4000
LEAST_CHARACTERS = 8
LEAST_WORDS = 3
LEAST_WORDS_JOINED = 4

_ELLIPSIS = re.compile(r"\s*(?:\[\s*\.{3,}\s*\]|\(\s*\.{3,}\s*\)|\.{3,})\s*")
_UNSPACED = "\u0e00-\u0eff\u1000-\u109f\u1780-\u17ff\u3040-\u30ff\u3400-\u9fff\uf900-\ufaff\U00020000-\U0003ffff"
_WORD = re.compile(rf"[{_UNSPACED}]|[^\W_{_UNSPACED}]+")
_JOINED_LETTER = re.compile(rf"[^\W{_UNSPACED}]")
_CODE = re.compile(r"[(){}\[\]=<>+*/%;$&|]")
_PLAIN_WORDS = frozenset().union(*FUNCTION_WORDS.values()) - {"no", "not"}
_OUTER = " \"'"
_END = " \"'.,;:!?。，；：！？"


@dataclass(frozen=True, slots=True)
class Found:
    """A quote found: ``span`` in the text, and ``text``, the text's own words (two parts are joined by an ellipsis)."""

    span: Span
    text: str


class Source:
    """A text to find quotes in; folds it once."""

    def __init__(self, text: str) -> None:
        self.text = text
        self._folded = fold(text)
        self._lines: list[int] | None = None

    def find(self, quote: str) -> Found | None:
        """Find ``quote``; None where it is not there, is cut through a word or number, or joins too short parts."""
        return next(self.occurrences(quote), None)

    def occurrences(self, quote: str) -> Iterator[Found]:
        """Yield where ``quote`` stands, in order; of its first 500 places."""
        if len(quote) > LONGEST_QUOTE:
            return
        folded = fold_text(quote)
        exact = list(self._places(folded, 0)) or list(self._places(folded.strip(_OUTER), 0))
        exact = exact or list(self._places(folded.strip(_OUTER).rstrip(_END), 0))
        for start, end in exact:
            span = Span(*self._folded.back(start, end))
            yield Found(span, self.text[span.start : span.end])
        if not exact and (joined := self._joined(folded.strip(_OUTER))):
            yield joined

    def line_of(self, offset: int) -> int:
        """Say on which line, counted from 1, the character at ``offset`` stands."""
        if self._lines is None:
            self._lines = [match.end() for match in re.finditer("\n", self.text)]
        return bisect.bisect_right(self._lines, offset) + 1

    def _joined(self, folded: str) -> Found | None:
        parts = [part for part in _ELLIPSIS.split(folded) if part.strip(_END)]
        if len(parts) == 1 and len(parts[0]) < len(folded):
            place = next(self._places(parts[0].strip(_OUTER), 0), None)
            if place is None:
                return None
            span = Span(*self._folded.back(*place))
            return Found(span, self.text[span.start : span.end])
        if len(parts) != 2 or any(len(words(part)) < LEAST_WORDS_JOINED for part in parts):
            return None
        first = next(self._places(parts[0].strip(_OUTER), 0), None)
        second = first and next(self._places(parts[1].strip(_OUTER).rstrip(_END), first[1]), None)
        if not first or not second:
            return None
        spans = [self._folded.back(*place) for place in (first, second)]
        text = " … ".join(self.text[start:end] for start, end in spans)
        return Found(Span(spans[0][0], spans[1][1]), text)

    def _places(self, needle: str, at: int) -> Iterator[tuple[int, int]]:
        if not needle:
            return
        text = self._folded.text
        for _ in range(MOST_OCCURRENCES):
            at = text.find(needle, at)
            if at < 0:
                return
            end = at + len(needle)
            if _between_words(text, at) and _between_words(text, end):
                yield at, end
                at = end
            else:
                at += 1


def find_quote(quote: str, text: str) -> Span | None:
    """Find ``quote`` in ``text``, verbatim after folding; the span is in characters of ``text``."""
    found = Source(text).find(quote)
    return found.span if found else None


def words(text: str) -> list[str]:
    """Cut ``text`` into words; where a script writes no spaces each character counts as one."""
    return _WORD.findall(text)


def substantial(quote: str) -> bool:
    """True where a quote says enough to prove anything.

    At least eight characters and three words; or, from twelve characters, two words that carry meaning; or two words
    of code.
    """
    folded = fold_text(quote)
    found = words(folded)
    letters = sum(map(len, found))
    if len(folded.replace(" ", "")) < LEAST_CHARACTERS and not (letters >= 4 and all(map(_unspaced, found))):
        return False
    meaning = {word for word in found if word not in _PLAIN_WORDS}
    if _CODE.search(folded) and len(found) >= 2:
        return bool(meaning)
    if len(found) >= LEAST_WORDS:
        return bool(meaning)
    return len(meaning) >= 2 and letters >= 12


def _unspaced(word: str) -> bool:
    return len(word) == 1 and not word.isascii()


def _between_words(text: str, at: int) -> bool:
    if at <= 0 or at >= len(text):
        return True
    before, after = text[at - 1], text[at]
    if unicodedata.category(after).startswith("M"):
        return False
    if _JOINED_LETTER.match(before) and _JOINED_LETTER.match(after):
        return False
    if after in ".,'" and before.isdigit():
        return not text[at + 1 : at + 2].isdigit()
    if before in ".,'" and after.isdigit():
        return not text[max(0, at - 2) : at - 1].isdigit()
    return True
