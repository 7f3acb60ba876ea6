"""Fold text so that two spellings of the same characters compare equal, and map offsets back. Pure, linear.

``fold`` is for quotes: compatibility forms, case, quotation marks, dashes and white space become one spelling, and what
cannot be seen is left out; nothing else is forgiven. ``skeleton`` is for reading prose: letters of other alphabets that
look like Latin ones, and accents, are folded as well. ``visible`` takes out what has no place on a page.
"""

from __future__ import annotations

import re
import tomllib
import unicodedata
from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path

_SINGLE = "'‘’‚‛′‵`´ʹʼʻ＇‹›"
_DOUBLE = '"“”„‟″‶«»＂「」『』〝〞〟'
_DASHES = "‐‑‒–—―−﹘﹣－⁃˗"
_HIDDEN = frozenset("\u034f\u115f\u1160\u17b4\u17b5\u3164\uffa0\u2800")
_HIDDEN_CATEGORIES = frozenset({"Cf", "Cc", "Cs", "Co", "Cn"})
# What is not plainly itself to every reader: most of a text is.
_RARE = re.compile(r"[^\n\x20-\x7e]+")
_MARKS = re.compile("[\u0300-\u036f\u0483-\u0489\u1ab0-\u1aff\u1dc0-\u1dff\u20d0-\u20ff\ufe20-\ufe2f]+")
_LATIN_NAME = re.compile(r"LATIN (?:.*\b)?(?:LETTER|CAPITAL|SMALL)(?: SMALL| CAPITAL)?(?: TURNED| REVERSED)? ([A-Z])\b")
_SYMBOL_NAME = re.compile(r"(?:LATIN CAPITAL LETTER|INDICATOR SYMBOL LETTER|TAG LATIN SMALL LETTER) ([A-Z])$")
_CHINESE = tomllib.loads((Path(__file__).parent / "data" / "chinese.toml").read_text(encoding="utf-8"))
_LOOKALIKES: dict[str, str] = {
    **dict(zip(_CHINESE["traditional"], _CHINESE["simplified"], strict=True)),
    **dict(zip("авекмнорстухіјѕԁԛԝһӏүпгьѵӕ", "abekmhopctyxijsdqwhlynrbvæ", strict=True)),
    **dict(zip("αβγεζηικνορτυχωϲϳ", "abyeznikvoptuxwcj", strict=True)),
    **dict(zip("օսոհզյցքա", "ounhqjgpa", strict=True)),
    **dict(zip("ɑɡɩıȷℓ℮∂ʟꞁ", "agiijleaIl", strict=True)),
}


def hidden(char: str) -> bool:
    """True for a character that shows nothing: control, format, bidirectional mark, variation selector, filler."""
    return char in _HIDDEN or 0xFE00 <= ord(char) <= 0xFE0F or unicodedata.category(char) in _HIDDEN_CATEGORIES


@lru_cache(maxsize=1 << 16)
def _folded(char: str) -> str:
    if char.isspace():
        return " "
    if hidden(char):
        return ""
    if char in _SINGLE:
        return "'"
    if char in _DOUBLE:
        return '"'
    if char in _DASHES:
        return "-"
    if char.isdigit() and unicodedata.decimal(char, None) is not None:
        return str(unicodedata.decimal(char))
    wide = unicodedata.normalize("NFKD", char).casefold()
    return unicodedata.normalize("NFKD", wide)


class _Table(dict[int, str]):
    def __missing__(self, code: int) -> str:
        self[code] = _folded(chr(code))
        return self[code]


_FOLD = _Table()
_SPACES = re.compile(" {2,}")


@dataclass(frozen=True, slots=True)
class Folded:
    """A folded text: ``text[i]`` comes from ``offsets[i]`` of the original, whose length closes ``offsets``."""

    text: str
    offsets: tuple[int, ...]

    def back(self, start: int, end: int) -> tuple[int, int]:
        """Map a non-empty stretch of the folded text to the original (start, end), in characters."""
        return self.offsets[start], self.offsets[end - 1] + 1


def fold_text(text: str) -> str:
    """Fold ``text`` for comparison, without offsets; runs of white space become one space, outer ones go."""
    return _SPACES.sub(" ", text.translate(_FOLD)).strip()


def fold(text: str) -> Folded:
    """Fold ``text`` as ``fold_text`` does, and keep the offset of every character."""
    long = text.translate(_FOLD)
    if all(len(_FOLD[code]) == 1 for code in map(ord, set(text))):
        origins: Sequence[int] = range(len(text))
    else:
        pieces = [_FOLD[ord(char)] for char in text]
        origins = [at for at, piece in enumerate(pieces) for _ in piece]
    parts: list[str] = []
    offsets: list[int] = []
    begin = len(long) - len(long.lstrip(" "))
    end = len(long.rstrip(" "))
    for run in _SPACES.finditer(long, begin, max(begin, end)):
        parts.append(long[begin : run.start() + 1])
        offsets.extend(origins[begin : run.start() + 1])
        begin = run.end()
    parts.append(long[begin:end])
    offsets.extend(origins[begin:end])
    return Folded("".join(parts), (*offsets, len(text)))


@lru_cache(maxsize=1 << 16)
def _plain(char: str) -> str:
    """One character as a reader would take it, case kept."""
    if char in "\n\r\v\f\x85\u2028\u2029":
        return "\n"
    folded = _folded(char)
    if folded in {"", " ", "'", '"', "-"} or (char.isascii() and folded):
        return char if char.isascii() and folded and not hidden(char) else folded
    if char.isdigit() and folded.isdigit():
        return folded
    base = _MARKS.sub("", folded)
    if base == "ß":
        base = "ss"
    read = "".join(map(_lookalike, base))
    if char.isupper() or unicodedata.normalize("NFKC", char)[:1].isupper():
        return read[:1].upper() + read[1:]
    return read


def _lookalike(char: str) -> str:
    if char.isascii():
        return char
    if char in _LOOKALIKES:
        return _LOOKALIKES[char].lower()
    name = unicodedata.name(char, "")
    if "LATIN" in name or "INDICATOR SYMBOL" in name:
        found = _LATIN_NAME.search(name) or _SYMBOL_NAME.search(name)
        if found:
            return found.group(1).lower()
    return char


class _PlainTable(dict[int, str]):
    def __missing__(self, code: int) -> str:
        self[code] = _plain(chr(code))
        return self[code]


_PLAIN = _PlainTable()


def skeleton(text: str) -> str:
    """Read ``text`` as an eye would: look-alike letters become Latin, accents and hidden characters go; case stays."""
    if text.isascii() and text.isprintable():
        return text
    return _MARKS.sub("", _RARE.sub(lambda it: it[0].translate(_PLAIN), text))


class _VisibleTable(dict[int, str]):
    def __missing__(self, code: int) -> str:
        char = chr(code)
        shown = char if char in "\n\t" or not hidden(char) else "\n" if char in "\r\v\f\x85" else ""
        self[code] = shown
        return shown


_VISIBLE = _VisibleTable()


def visible(text: str) -> str:
    """Take out control, zero-width, bidirectional and other unseen characters; line breaks and tabs stay."""
    if text.isascii() and text.isprintable():
        return text
    shown = _RARE.sub(lambda it: it[0].translate(_VISIBLE), text.replace("\r\n", "\n"))
    return unicodedata.normalize("NFC", shown)


def scripts_mixed(word: str) -> bool:
    """True where one word mixes Latin letters with Cyrillic, Greek, Armenian or Cherokee ones, as a disguise does."""
    families = {family for char in word if (family := _family(char))}
    return len(families) > 1


@lru_cache(maxsize=1 << 14)
def _family(char: str) -> str:
    if not char.isalpha():
        return ""
    first = "LATIN" if char.isascii() else unicodedata.name(char, "").split(" ", 1)[0]
    return first if first in {"LATIN", "CYRILLIC", "GREEK", "ARMENIAN", "CHEROKEE", "COPTIC", "LISU"} else ""
