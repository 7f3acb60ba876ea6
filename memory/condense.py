"""Condense a long note to the sentences that carry it."""

from __future__ import annotations

import re

import numpy as np

from memory.embed import Embedder

LONGEST_NOTE = 4_000
_SENTENCE = re.compile(r"[^.!?。！？\n]+(?:[.!?。！？]+|\n|$)\s*")


def condense(text: str, embedder: Embedder, longest: int = LONGEST_NOTE) -> str:
    """Keep the first sentence and those nearest to the whole's mean vector, in their order, within ``longest``.

    A text of at most ``longest`` characters is left as it is. Nothing is written anew.
    """
    if len(text) <= longest:
        return text
    sentences = [match[0] for match in _SENTENCE.finditer(text)]
    vectors = embedder.embed([sentence[:1_000] for sentence in sentences])
    nearness = vectors @ vectors.mean(axis=0)
    kept: set[int] = set()
    room = longest
    for at in [0, *np.argsort(-nearness, kind="stable").tolist()]:
        size = len(sentences[at])
        if at not in kept and size <= room:
            kept.add(at)
            room -= size
    if not kept:
        return text[:longest]
    return "".join(sentences[at] for at in sorted(kept)).strip()
