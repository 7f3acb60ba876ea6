"""Text that tilts audits still to come, told by the signs that add up in one sentence. Pure.

A norm ("such plans start at ninety here"), a rank ("this note prevails"), a closed question, a thing better left
unsaid or a verdict for cases alike takes many words and no fixed phrase. Each sign has a weight, and the lesson of a
person ("check", "before signing"), or what is told as over or as wrong, weighs against. A heuristic, beside
``memory.leaning``.
"""

from __future__ import annotations

import re
import tomllib
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cache
from pathlib import Path

_DATA = Path(__file__).parent / "data" / "tilting.toml"
_UNSPACED = ("zh", "hi")  # no blanks between words, or vowels that are no letters to a pattern
# What an account of a product that rates has too: something beside these must say whom it is meant for.
_PLAIN = frozenset({"judged", "deemed", "fine", "level", "bad"})
TILTS = 3.0
IN_CODE = 5.0  # a record of a bug has scores, defaults, errors and an order of precedence of its own
PLAINLY = 4.0  # as no account of an attack needs to
ACROSS = 5.0  # a sentence that may be two, put together by chance


@dataclass(frozen=True, slots=True)
class _Sign:
    name: str
    weight: float
    pattern: re.Pattern[str]


@dataclass(frozen=True, slots=True)
class _Language:
    common: re.Pattern[str]
    signs: tuple[_Sign, ...]


def tilts(sentence: str, least: float = TILTS) -> bool:
    """Say whether the signs of one language in ``sentence`` add up to at least ``least``."""
    spoken = (it for it in _languages() if it.common.search(sentence))
    return any(
        sum(it.weight for it in found) >= least and not _PLAIN.issuperset(it.name for it in found)
        for found in (tuple(_heard(sentence, it.signs)) for it in spoken)
    )


def _heard(sentence: str, signs: tuple[_Sign, ...]) -> Iterator[_Sign]:
    """Give the signs that stand in ``sentence``, heaviest first; words that one of them took are not heard again."""
    for sign in signs:
        if match := sign.pattern.search(sentence):
            yield sign
            if sign.weight > 1:
                sentence = f"{sentence[: match.start()]} … {sentence[match.end() :]}"


@cache
def _languages() -> tuple[_Language, ...]:
    data = tomllib.loads(_DATA.read_text(encoding="utf-8"))
    weights: dict[str, float] = data["weights"]
    common: dict[str, str] = data["common"]

    def compiled(language: str, patterns: list[str]) -> re.Pattern[str]:
        joined = "|".join(patterns)
        whole = joined if language in _UNSPACED else rf"(?<!\w)(?:{joined})(?!-?\w)"
        return re.compile(whole, re.IGNORECASE)

    return tuple(
        _Language(
            re.compile(words, re.IGNORECASE),
            tuple(
                _Sign(name, weight, compiled(language, data[language][name]))
                for name, weight in weights.items()
                if name in data[language]
            ),
        )
        for language, words in common.items()
    )
