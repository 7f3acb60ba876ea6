"""Tell a question that asks from one that presumes, in seven languages. Pure, linear."""

from __future__ import annotations

import re
import tomllib
from functools import lru_cache
from pathlib import Path

from audit.names import language_of

MOODS = tomllib.loads((Path(__file__).parent / "data" / "moods.toml").read_text(encoding="utf-8"))
_MARK = re.compile(r"[?？]\s*[\"'”’)]*$")
_HAN = re.compile(r"[\u3400-\u9fff]")
_DEVANAGARI = re.compile(r"[\u0900-\u097f]")


def moods(table: str) -> dict[str, re.Pattern[str]]:
    """Compile one table of ``audit/data/moods.toml``, by language."""
    return {name: re.compile(entry.replace("\n", "")) for name, entry in MOODS[table].items()}


_ASKS, _PRESUMES = moods("asks"), moods("presumes")


def spoken(low: str) -> str:
    """Say in which of the seven languages a folded, lower-case sentence is."""
    if _HAN.search(low):
        return "zh"
    return "hi" if _DEVANAGARI.search(low) else language_of(low)


def asked(text: str) -> bool:
    """True for a question, whatever it says."""
    return _MARK.search(text) is not None


@lru_cache(maxsize=1_000)
def asks(low: str) -> bool:
    """True for a question that asks and takes no past of its reader for granted; any other is read as a statement."""
    if not asked(low):
        return False
    language = spoken(low)
    if language != "en" and language not in _ASKS:
        return False
    return _ASKS[language].search(low) is not None and _PRESUMES[language].search(low) is None
