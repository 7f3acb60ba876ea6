"""Numbers that are written in words of seven languages, Chinese or Roman digits, as values. Pure, linear."""

from __future__ import annotations

import re
import tomllib
from collections.abc import Iterable
from functools import lru_cache
from pathlib import Path

from audit.folding import skeleton

NUMBERS = tomllib.loads((Path(__file__).parent / "data" / "numbers.toml").read_text(encoding="utf-8"))


def _folded(words: dict[str, int]) -> dict[str, int]:
    return {skeleton(word).casefold(): value for word, value in words.items()}


UNITS = _folded(NUMBERS["units"])
HUNDREDS = _folded(NUMBERS["hundreds"])
SCALES = _folded(NUMBERS["scales"])
AND = frozenset({"and", "y", "et", "e", "und", "a", "o"})
_NUMBER_WORDS = frozenset({*UNITS, *HUNDREDS, *SCALES, *AND})
AMBIGUOUS_ALONE = frozenset(NUMBERS["alone"]["ambiguous"].split())
COUNTS = (
    frozenset(word for word, value in {**UNITS, **HUNDREDS, **SCALES}.items() if value > 2 and word.isascii())
    | {"dozen", "dozens", "hundreds", "twice", "thrice"}
) - AMBIGUOUS_ALONE
_HAN_DIGITS = {char: at for at, char in enumerate("零一二三四五六七八九")} | {"〇": 0, "两": 2, "兩": 2}
_HAN_SCALES = {"十": 10, "百": 100, "千": 1000, "万": 10**4, "萬": 10**4, "亿": 10**8, "億": 10**8}
_GERMAN = re.compile(
    "ein(?:s|e)?|zwei|drei(?:ss?ig|zehn)?|vier(?:zig|zehn)?|funf(?:zig|zehn)?|sech(?:s|zig|zehn)|sieb(?:en|zig|zehn)"
    "|acht(?:zig|zehn)?|neun(?:zig|zehn)?|zehn|elf|zwolf|zwanzig|und|hundert|tausend"
)


@lru_cache(maxsize=1 << 14)
def is_number_word(word: str) -> bool:
    """True for a word that may be part of a number, in any of the languages."""
    low = word.lower()
    return low in _NUMBER_WORDS or (len(low) > 7 and german_number(low) is not None)


def value_of(words: Iterable[str]) -> int | None:
    """Read the lower-case words of one number; None where it passes 10 to the 18th."""
    words = list(words)
    if len(words) >= 4 and all(UNITS.get(word, 10) < 10 for word in words):
        return int("".join(str(UNITS[word]) for word in words))
    total = current = 0
    for word in words:
        if word in AND:
            continue
        compound = None if word in UNITS else german_number(word) if len(word) > 7 else None
        unit = UNITS.get(word, compound)
        if unit is not None:
            current = _joined(current, unit)
        elif word in HUNDREDS:
            current = max(1, current) * 100
        elif word in SCALES:
            total = total + max(1, current) * SCALES[word] if current or not total else total * SCALES[word]
            current = 0
        if total > 10**18 or current > 10**18:
            return None
    return total + current


def _joined(current: int, unit: int) -> int:
    if current == 0:
        return unit
    if current == 4 and unit == 20:
        return 80
    if current % 100 in {60, 80} and 10 <= unit < 20:
        return current + unit
    if current < 10 and unit < 10:
        return current * 10 + unit
    if 10 <= current < 100 and unit >= 10 and not (current < 20 and unit < 10):
        return current * 100 + unit
    if 200 <= current < 210 and unit < 10 and current % 10:
        return current * 10 + unit
    return current + unit


def german_number(word: str) -> int | None:
    """Read a German compound such as zweitausendeinundzwanzig; None where the word is no number."""
    at, total, current = 0, 0, 0
    while at < len(word):
        part = _GERMAN.match(word, at)
        if part is None:
            return None
        at = part.end()
        piece = part.group()
        if piece == "und":
            continue
        if piece == "tausend":
            total, current = (total + max(1, current)) * 1000, 0
        elif piece == "hundert":
            current = max(1, current) * 100
        else:
            unit = UNITS.get(piece)
            if unit is None:
                return None
            current += unit
    return total + current


def is_digits(han: str) -> bool:
    """True for four Chinese digits in a row, as a year is written."""
    return len(han) == 4 and all(char in _HAN_DIGITS for char in han)


def chinese_number(text: str) -> int | None:
    """Read a number in Chinese digits; None for a scale alone, or more than 16 characters."""
    if len(text) > 16 or (len(text) == 1 and text not in _HAN_DIGITS):
        return None
    if all(char in _HAN_DIGITS for char in text):
        return int("".join(str(_HAN_DIGITS[char]) for char in text))
    total = section = digit = 0
    for char in text:
        if char in _HAN_DIGITS:
            digit = _HAN_DIGITS[char]
        elif _HAN_SCALES[char] >= 10**4:
            total += max(1, section + digit) * _HAN_SCALES[char]
            section = digit = 0
        else:
            section += max(1, digit) * _HAN_SCALES[char]
            digit = 0
    return total + section + digit


def roman_number(text: str) -> int:
    """Read a number in Roman digits."""
    values = {"I": 1, "V": 5, "X": 10, "L": 50, "C": 100, "D": 500, "M": 1000}
    numbers = [values[char] for char in text]
    return sum(-it if any(it < later for later in numbers[at + 1 : at + 2]) else it for at, it in enumerate(numbers))
