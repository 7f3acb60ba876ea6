"""Passages: long text cut at sentences into stretches that an embedder reads whole; and a record's entries."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence

from memory.embed import Embedder, Reader, Vectors
from memory.index import MAX_PASSAGES, Entry
from memory.multilingual import MultilingualEmbedder
from memory.records import Nature, Record, facets
from memory.telling import READ_CHARS, Teller, what_of

PASSAGE_CHARS = 900
AT_A_TIME = 500

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
    """Embed many records in one pass; the entries of each, in the order given.

    Facts are read closely on the way, where the embedder can, and the reading goes with the record's first entry.
    """
    return [
        made for start in range(0, len(records), AT_A_TIME) for made in _entries(records[start:][:AT_A_TIME], embedder)
    ]


def _entries(records: Sequence[Record], embedder: Embedder) -> list[list[Entry]]:
    places = [
        (which, facet.name, number, passage)
        for which, record in enumerate(records)
        for facet in facets(record)
        for number, passage in enumerate(passages(facet.text))
    ]
    vectors: dict[str, Vectors] = {}
    packed: dict[int, bytes] = {}
    if isinstance(embedder, Reader):
        teller = Teller(embedder, MultilingualEmbedder())
        facts = [which for which, record in enumerate(records) if record.kind.nature is Nature.FACT]
        for which, (reading, told) in zip(facts, teller.tell([records[it] for it in facts]), strict=True):
            vectors[what_of(records[which])[:READ_CHARS]] = reading.vector
            packed[which] = teller.pack(told)
    unread = list(dict.fromkeys(passage for *_, passage in places if passage not in vectors))
    if unread:
        vectors |= dict(zip(unread, embedder.embed(unread), strict=True))
    made: list[list[Entry]] = [[] for _ in records]
    for which, facet_name, number, passage in places:
        kept = b"" if made[which] else packed.get(which, b"")
        made[which].append(Entry(records[which].id, facet_name, number, vectors[passage], kept))
    return made
