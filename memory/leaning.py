"""Text that leans on how an audit comes out, told by what stands together in a sentence and not by its phrases. Pure.

A record tells what happened. It has no business with an audit that is still to be made: with who makes it, with what it
says of "this founder", or with where it is to end. Each of these alone is honest ("the report must be signed by two");
together, and not told as over, they bend a verdict. A heuristic, beside the phrases of ``memory.instructions``.
"""

from __future__ import annotations

import re
import tomllib
from collections.abc import Iterator
from functools import cache
from pathlib import Path

from memory.tilting import IN_CODE, TILTS, tilts

_DATA = Path(__file__).parent / "data" / "leaning.toml"
_SENTENCE = re.compile(r"[^.!?。！？।\n]+(?:\.(?=\w)[^.!?。！？।\n]*)*[.!?。！？।]*")
LONGEST = 600
_LATIN = ("es", "de", "fr", "pt")
_OTHERS = (*_LATIN, "zh", "hi")


def leaning(text: str, *, of_code: bool = False) -> Iterator[tuple[int, int]]:
    """Yield the (start, end) of each sentence that leans on an audit's outcome; ``of_code`` for a record of a bug."""
    for it in _SENTENCE.finditer(text):
        sentence = it[0][:LONGEST]
        others = _LATIN if sentence.isascii() else _OTHERS
        bends = any(_bends(sentence, language) for language in others)
        if bends or _leans(sentence, of_code) or tilts(sentence, IN_CODE if of_code else TILTS):
            yield it.span()


def tilting(text: str, least: float) -> Iterator[tuple[int, int]]:
    """Yield the (start, end) of each sentence whose signs alone, at ``least``, tilt an audit."""
    return (it.span() for it in _SENTENCE.finditer(text) if tilts(it[0][:LONGEST], least))


def _leans(sentence: str, of_code: bool) -> bool:
    """Judge an English sentence by the kinds that stand together in it; what is told as over leans on nothing."""
    kinds = _tables()["en"]

    def has(kind: str) -> bool:
        return kinds[kind].search(sentence) is not None

    if has("over"):
        return False
    maker, this, asked, you = has("maker"), has("this"), has("asked"), has("you")
    if has("bent") and ((maker and (asked or this or you)) or (this and (asked or you))):
        return True
    if has("weak") and maker and (this or (you and asked)):
        return True
    if (this and has("judged")) or (has("found") and (asked or has("stands"))):
        return True
    if has("ended") and asked and (has("audit") or has("judged")):
        return True
    return not of_code and ((has("itself") and (asked or has("stands"))) or (has("audit") and (asked or has("stands"))))


def _bends(sentence: str, language: str) -> bool:
    """Judge a sentence in another language: what audits, with this case or where it is to end, and not told as over."""
    kinds = _tables()[language]
    if kinds["made"].search(sentence) is None or kinds["over"].search(sentence):
        return False
    if kinds["bent"].search(sentence) or kinds["this"].search(sentence):
        return True
    return kinds["ended"].search(sentence) is not None and kinds["asked"].search(sentence) is not None


@cache
def _tables() -> dict[str, dict[str, re.Pattern[str]]]:
    data = tomllib.loads(_DATA.read_text(encoding="utf-8"))
    return {
        language: {kind: re.compile(pattern, re.IGNORECASE) for kind, pattern in kinds.items()}
        for language, kinds in data.items()
    }
