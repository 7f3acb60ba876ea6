"""What of a recall enters a prompt: short, distinct texts of the kept records. Pure."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass

from memory.instructions import without_quoted
from memory.records import render
from memory.report import Candidate
from memory.terms import tokens

MOST_RECORDS = 12
MOST_CHARS = 700
NEAR_DUPLICATE = 0.9


@dataclass(frozen=True, slots=True)
class Prepared:
    """A record as a prompt shows it; ``text`` has at most 700 characters. ``candidate`` says what it is."""

    record_id: str
    text: str
    candidate: Candidate


def prepare(candidates: Sequence[Candidate]) -> tuple[Prepared, ...]:
    """Write out ``candidates`` in their order: white space folded, duplicates dropped, at most 12.

    Two texts are near duplicates where they share nine of ten terms (Jaccard); the first one stays. What a record
    quotes of an attack on a model is blotted out.
    """
    made: list[Prepared] = []
    terms: list[frozenset[str]] = []
    for candidate in candidates:
        text = fold(without_quoted(render(candidate.record)))[:MOST_CHARS].rstrip()
        said = frozenset(tokens(text))
        if not text or any(alike(said, other) for other in terms):
            continue
        made.append(Prepared(candidate.record.id, text, candidate))
        terms.append(said)
        if len(made) == MOST_RECORDS:
            break
    return tuple(made)


def fold(text: str) -> str:
    """Fold blanks within lines to one, and blank lines away."""
    lines = (re.sub(r"[^\S\n]+", " ", line).strip() for line in text.splitlines())
    return "\n".join(line for line in lines if line)


def alike(one: frozenset[str], other: frozenset[str]) -> bool:
    """True where two texts share nine of ten terms."""
    together = len(one | other)
    return together > 0 and len(one & other) / together >= NEAR_DUPLICATE
