"""Passages: long text cut at sentences into stretches that an embedder reads whole; and a record's entries."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence

from memory.embed import Embedder
from memory.index import MAX_PASSAGES, Entry
from memory.records import Record, facets

PASSAGE_CHARS = 900

_END = re.compile(r"(?<=[.!?;])\s+|(?<=[。！？；])|\n+")


def passages(text: str, size: int = PASSAGE_CHARS, at_most: int = MAX_PASSAGES) -> tuple[str, ...]:
    """Cut ``text`` into at most ``at_most`` passages of at most ``size`` characters, each of whole sentences.

    A sentence longer than ``size`` is cut at a space, or hard where it has none. What lies beyond is left out. Line
    breaks within a passage are kept, so code stays code.
    """
    cut: list[str] = []
    start = end = 0
    for first, last in _pieces(text, size):
        if end > start and last - start > size:
            cut.append(text[start:end].strip())
            start = first
        elif end == start:
            start = first
        end = last
    cut.append(text[start:end].strip())
    return tuple(piece for piece in cut if piece)[:at_most]


def _pieces(text: str, size: int) -> Iterator[tuple[int, int]]:
    """Yield the spans of sentences, the too long ones cut."""
    at = 0
    for stop in [*(match.end() for match in _END.finditer(text)), len(text)]:
        while stop - at > size:
            space = text.rfind(" ", at + size // 2, at + size)
            middle = space + 1 if space > 0 else at + size
            yield at, middle
            at = middle
        if stop > at:
            yield at, stop
            at = stop


def entries_of(record: Record, embedder: Embedder) -> list[Entry]:
    """Embed a record: one entry for each passage of each of its facets."""
    return entries_of_many([record], embedder)[0]


def entries_of_many(records: Sequence[Record], embedder: Embedder) -> list[list[Entry]]:
    """Embed many records in one pass; the entries of each, in the order given."""
    places = [
        (which, facet.name, number, passage)
        for which, record in enumerate(records)
        for facet in facets(record)
        for number, passage in enumerate(passages(facet.text))
    ]
    made: list[list[Entry]] = [[] for _ in records]
    if not places:
        return made
    vectors = embedder.embed([passage for *_, passage in places])
    for (which, facet_name, number, _), vector in zip(places, vectors, strict=True):
        made[which].append(Entry(records[which].id, facet_name, number, vector))
    return made
