"""Know a Latin name again that is written in Devanagari or Chinese, by its consonants. Pure.

Vowels are heard and written too differently to compare. Three consonants at least, in order, nothing between: so
"पैसालूप" and "派萨卢普" are PaisaLoop. A heuristic: it misses what is translated, and names of one syllable.
"""

from __future__ import annotations

import re
import tomllib
from functools import lru_cache
from pathlib import Path

from audit.folding import skeleton

LEAST_CONSONANTS = 3
LONGEST = 10
_DATA = tomllib.loads((Path(__file__).parent / "data" / "sounds.toml").read_text(encoding="utf-8"))
_DEVANAGARI = {skeleton(letter): sound for sound, letters in _DATA["hi"].items() for letter in letters.split()}
_CHINESE = {char: sound for sound, chars in _DATA["zh"].items() for char in chars}
_HINDI_WORD = re.compile(r"[\u0900-\u0963]+")
_HAN_RUN = re.compile(rf"[{''.join(_CHINESE)}]{{2,40}}")
_WRITTEN = (
    (r"ph", "f"),
    (r"sh|sch", "s"),
    (r"ch", "c"),
    (r"ck|q|c(?![hiey])", "k"),
    (r"x", "ks"),
    (r"w", "v"),
    (r"ng", "n"),
)
_ELSEWHERE = re.compile(r"[\u0900-\u0963\u3400-\u9fff]")
_TWICE = re.compile(r"(.)\1+")


def heard_at(name: str, text: str) -> tuple[int, int] | None:
    """Say where the folded ``text`` names the Latin ``name`` (folded, lower case) in Devanagari or in Chinese."""
    if not (_ELSEWHERE.search(text) and name.isascii()):
        return None
    hindi, chinese = _consonants(name)
    if len(hindi) >= LEAST_CONSONANTS:
        words = list(_HINDI_WORD.finditer(text))
        for at, it in enumerate(words):
            for last in words[at : at + name.count(" ") + 1]:
                if _hindi(text[it.start() : last.end()]) == hindi:
                    return it.start(), last.end()
    if len(chinese[-1]) >= LEAST_CONSONANTS:
        for run in _HAN_RUN.finditer(text):
            if place := _spelt(run[0], chinese):
                return run.start() + place[0], run.start() + place[1]
    return None


@lru_cache(maxsize=1_000)
def _consonants(name: str) -> tuple[str, tuple[str, str]]:
    """Give the consonants of a Latin name as Devanagari writes them, and as Chinese does: with each "r", or without
    those that end a syllable."""
    heard = re.sub(r"[^a-z]", "", name)
    for written, sound in _WRITTEN:
        heard = re.sub(written, sound, heard)
    heard = heard.replace("c", "s") if "ch" not in name else heard
    bare = heard[:1] + re.sub(r"[aeiouy]", "", heard[1:])
    bare = bare.lstrip("aeiou")
    dropped = re.sub(r"[aeiouy]", "", re.sub(r"(?<=[aeiou])r(?![aeiouy])", "", heard)).lstrip("aeiou")
    chinese = (_once(re.sub(r"(?<=.)h", "", it).replace("r", "l")) for it in (bare, dropped))
    return _once(bare.replace("h", "").replace("z", "j")), (next(chinese), next(chinese))


def _hindi(word: str) -> str:
    return _once("".join(_DEVANAGARI.get(char, "") for char in word))


def _spelt(run: str, consonants: tuple[str, str]) -> tuple[int, int] | None:
    """Say which characters of a run spell the consonants, in either way."""
    for start in range(len(run)):
        heard = ""
        for end, char in enumerate(run[start : start + LONGEST], start + 1):
            heard += _CHINESE[char]
            if _once(heard) in consonants:
                return start, end
    return None


def _once(consonants: str) -> str:
    return _TWICE.sub(r"\1", consonants)
