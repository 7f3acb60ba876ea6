"""A deck as passages: sentences and bullets, each with its numbers and the heading it stands under. Pure."""

from __future__ import annotations

import re
from collections.abc import Collection, Iterator, Mapping
from dataclasses import dataclass, field

from audit.deck.numbers import Number, Unit, numbers, skeleton
from audit.deck.phrases import Hits, Lexicon, Phrases
from audit.sentences import sentences

LONGEST = 400
_LABEL = re.compile(r"\s*([^\W\d_][^:：\n]{1,40}?)\s*[*_]{0,2}\s*[:：]\s*[*_]{0,2}\s*(?=\S)")
_BOLD = re.compile(r"\s*\*\*([^*\n]{1,40}?)[.:]?\*\*[.:]?\s*(?=\S)")
_DASHED = re.compile(r"\s*([^\W\d_][^:：\n.]{1,30}?)\s+[-–—|]\s+(?=\S)")
_SLIDE = re.compile(
    r"\s*(?:slide|page|folie|diapositiva|第)\s*\d{1,3}\s*(?:页|张)?\s*(?:/\s*\d+)?\s*(?:[:：.)\-–—|]\s*|$)", re.I
)
_NUMBERING = re.compile(
    r"^(?:\W*(?:\d{1,2}|[ivx]{1,4}|[一二三四五六七八九十]{1,3})\s*[.)、．:：]\s*)+|^[\W_]+|[\W_]+$", re.I
)
_HEADING_LENGTH = 48
_SHORT_ITEM = 60
# A comma parts clauses only where a new subject or a plan follows it: lists stay whole.
_CLAUSES = re.compile(
    r"[;，；]|,\s(?=(?:and |but |so |then |aber |pero |und )?(?:we|i|our|it|they|he|she|the|this|that"
    r"|who|which|there|mrr|arr|"
    r"revenue|target\w*|plan\w*|expect\w*|aim\w*|goal|project\w*|forecast\w*|up|down|with|wir|das"
    r"|die|der|y|el|la)(?![a-z]))|"
    r" and (?=(?:we|i|our|it|the|by|plan|will|expect|growth|churn|retention|margin\w*)(?![a-z]))"
    r"| but | which | while | whereas | aber | pero | pero|但"
)


@dataclass(frozen=True, slots=True)
class Passage:
    """One sentence or bullet at ``text[start:end]``.

    ``skeleton`` is it in small letters with each number as one character of ``Unit``; ``numbers`` are in their order
    there; ``heading`` is the key of the subject whose heading it stands under, or ""; ``line`` counts the lines that
    hold text from 0.
    """

    start: int
    end: int
    text: str
    skeleton: str
    numbers: tuple[Number, ...]
    heading: str
    line: int
    hits: Hits = field(repr=False, compare=False)

    def says(self, options: Phrases) -> bool:
        """Say whether any of ``options`` stands in the passage."""
        return options in self.hits

    @property
    def has_number(self) -> bool:
        return any(number.unit is not Unit.YEAR for number in self.numbers)

    def has_number_near(self, at: int, end: int) -> bool:
        """Say whether a number other than a year stands in the match or within its clause."""
        return not _NO_YEARS.isdisjoint(self.clause(at, end))

    def clause(self, at: int, end: int | None = None) -> str:
        """Return the clause of the skeleton around ``at`` (to ``end``, where a match spans several)."""
        begin, stop = 0, len(self.skeleton)
        for cut in _CLAUSES.finditer(self.skeleton):
            if cut.end() <= at:
                begin = cut.end()
            elif cut.start() >= (at if end is None else end):
                stop = cut.start()
                break
        return self.skeleton[begin:stop]

    def number_at(self, at: int) -> Number:
        """Return the number that stands at ``at`` in the skeleton."""
        return self.numbers[sum(map(_MARKS.__contains__, self.skeleton[:at]))]


_Place = tuple[int, int, str, int]
_MARKS = frozenset(unit.value for unit in Unit)
_NO_YEARS = _MARKS - {Unit.YEAR.value}


def read(
    text: str, lexicon: Lexicon, headings: Mapping[str, str], sections: Collection[str] = ()
) -> tuple[Passage, ...]:
    """Cut a deck into passages and look the phrases of ``lexicon`` up in each.

    ``headings`` maps known headings to subjects or sections; in one of ``sections`` a short "label: value" line is an
    item of that section, whatever its label.
    """
    return tuple(
        _passage(text, *place, lexicon) for place in _places(text, headings, sections) if _has_word(text, *place[:2])
    )


def _has_word(text: str, start: int, end: int) -> bool:
    return any(char.isalnum() for char in text[start:end])


def _passage(text: str, start: int, end: int, heading: str, line: int, lexicon: Lexicon) -> Passage:
    piece = text[start:end]
    found = numbers(piece)
    written = skeleton(piece, found)
    return Passage(start, end, piece, written, found, heading, line, lexicon.hits(written))


def _places(text: str, headings: Mapping[str, str], sections: Collection[str]) -> Iterator[_Place]:
    """Track two headings: ``block`` stands on a line of its own, ``inline`` is a "Problem: ..." and ends sooner."""
    lookup = _Headings(headings)
    block, inline, last_end, line = "", "", 0, -1
    for start, end in sentences(text):
        slide = _SLIDE.match(text, start, end)
        if slide is not None:
            block = inline = ""
            start = slide.end()
            if start >= end:
                last_end = end
                continue
        breaks = text.count("\n", last_end, start)
        opens_line = breaks > 0 or last_end == 0 or slide is not None
        opens_block = breaks > 1 or last_end == 0 or slide is not None
        last_end = end
        if opens_line:
            line += 1
            alone = end == len(text) or text[end : end + 1] in "\r\n"
            known = lookup.find(text[start:end]) if alone else None
            if known is not None:
                block, inline = known, ""
                continue
            if alone and opens_block and _looks_like_heading(text[start:end]):
                block = ""
            labelled = (
                _BOLD.match(text, start, end) or _LABEL.match(text, start, end) or _DASHED.match(text, start, end)
            )
            label = lookup.find(labelled[1]) if labelled else None
            if opens_block or labelled:
                inline = ""
            is_item = block in sections and end - start <= _SHORT_ITEM
            if label is not None and not is_item:
                inline = label
                block = block if label else ""
        yield from _pieces(text, start, end, inline or block, line)


class _Headings:
    """Known headings; one that ends in ``*`` also stands for its longer forms."""

    def __init__(self, headings: Mapping[str, str]) -> None:
        self._exact = {name.rstrip("*"): key for name, key in headings.items()}
        self._exact.update({name.rstrip("*") + "s": key for name, key in headings.items() if name.endswith("*")})

    def find(self, text: str) -> str | None:
        """Return the subject of a heading, "" for one that is none of ours, None where ``text`` is no known heading."""
        if len(text) > _HEADING_LENGTH:
            return None
        name = " ".join(_NUMBERING.sub("", _NUMBERING.sub("", text.strip())).lower().split())
        known = self._exact.get(name)
        if known is not None:
            return known
        for joint in (" & ", " and ", " / ", "/", "与", "和", "及", " und ", " y "):
            first, found, second = name.partition(joint)
            if found and first in self._exact and second in self._exact:
                return self._exact[first] or self._exact.get(second, "")
        return None


def _looks_like_heading(text: str) -> bool:
    words = text.split()
    plain = not re.search(r"[.!?。！？,，;；:：\d%$€£¥₹]", text)
    return plain and len(text) <= _HEADING_LENGTH and (len(words) <= 4 if text.isascii() else len(text) <= 12)


def _pieces(text: str, start: int, end: int, heading: str, line: int) -> Iterator[_Place]:
    """Yield the place of a passage, in pieces of at most ``LONGEST`` characters cut at a comma or a space."""
    while start < end:
        stop = end
        if end - start > LONGEST:
            window = text[start : start + LONGEST]
            at = max(window.rfind(mark) for mark in (", ", "，", "、", "|"))
            at = at if at > LONGEST // 2 else window.rfind(" ")
            stop = start + (at + 1 if at > 0 else LONGEST)
        yield start, start + len(text[start:stop].rstrip()), heading, line
        start = stop
        while start < end and text[start].isspace():
            start += 1
