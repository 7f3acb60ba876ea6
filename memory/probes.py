"""What of a submission is sent to the index: a bounded number of stretches, so that long text costs no more. Pure."""

from __future__ import annotations

import re
from dataclasses import dataclass
from enum import StrEnum

from memory.background import Words, words_of
from memory.report import Cue, RecallQuery

MOST_PASSAGES = 2
MOST_SENTENCES = 8
MOST_CUES = 6
PASSAGE_CHARS = 900
READ_CHARS = 40_000
_END = re.compile(r"(?<=[.!?])\s+|(?<=[。！？；])|\n+")


class Role(StrEnum):
    """What a probe is: a stretch of the whole, one telling sentence, or what a rule found."""

    PASSAGE = "passage"
    SENTENCE = "sentence"
    CUE = "cue"


@dataclass(frozen=True, slots=True)
class Probe:
    """A text to look for, and the stretch of the submission it stands for."""

    role: Role
    text: str
    quote: str


def probes(query: RecallQuery, words: Words) -> tuple[Probe, ...]:
    """Cut ``query`` into at most 16 probes: its opening, its most telling sentences, what rules found in it."""
    text = query.text[:READ_CHARS].strip()
    cues = [Probe(Role.CUE, cue.text, cue.quote) for cue in _first_of_each_key(query) if cue.text.strip()]
    if query.needs_cue:
        stretches = [Probe(Role.PASSAGE, part, part) for part in _chunks(text)[: MOST_PASSAGES + 1]]
        return (*stretches, *cues[:MOST_CUES])
    opening = [Probe(Role.PASSAGE, part, part) for part in _chunks(text)[:1]]
    return (*opening, *_telling_sentences(text, words))


def _first_of_each_key(query: RecallQuery) -> list[Cue]:
    first: dict[str, Cue] = {}
    for cue in query.cues:
        first.setdefault(cue.key, cue)
    return list(first.values())


def _telling_sentences(text: str, words: Words) -> list[Probe]:
    """Choose the sentences whose words are rarest, kept in the order they stand in."""
    found = [piece.strip()[:PASSAGE_CHARS] for piece in _END.split(text)]
    found = list(dict.fromkeys(piece for piece in found if len(piece) >= 12))
    if not found:
        return [Probe(Role.SENTENCE, text[:PASSAGE_CHARS], text[:PASSAGE_CHARS])] if text else []
    worth = {piece: _worth(piece, at, words) for at, piece in enumerate(found)}
    best = set(sorted(found, key=lambda piece: -worth[piece])[:MOST_SENTENCES])
    return [Probe(Role.SENTENCE, piece, piece) for piece in found if piece in best]


def _worth(piece: str, place: int, words: Words) -> float:
    """Rate a sentence: the rarity of its first thirty words, and more for the opening, where a deck says what it is."""
    said = words_of(piece)[:30]
    rare = sum(words.rarity(word) for word in said)
    return rare / (len(said) + 6) + max(0.0, 0.3 - 0.1 * place)


def _chunks(text: str) -> list[str]:
    """Cut ``text`` at line ends into stretches of about ``PASSAGE_CHARS``."""
    parts: list[str] = []
    at = 0
    while at < len(text):
        stop = at + PASSAGE_CHARS
        if stop < len(text):
            cut = max(text.rfind("\n", at + PASSAGE_CHARS // 2, stop), text.rfind(". ", at + PASSAGE_CHARS // 2, stop))
            stop = cut + 1 if cut > 0 else stop
        part = text[at:stop].strip()
        if part:
            parts.append(part)
        at = stop
    return parts
