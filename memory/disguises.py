"""The ways a text can be read: as it stands, and without what hides words from a pattern. Pure.

Undone are look-alike letters, letters set apart, digits for letters, misspelt key words, markup, escapes, encodings,
and text written backwards. Each reading is only for searching, never for showing in place of the text.
"""

from __future__ import annotations

import base64
import binascii
import codecs
import html
import re
import unicodedata
from collections import Counter
from collections.abc import Iterator
from urllib.parse import unquote

from memory.look_alikes import unmask

# Whoever hides a command misspells, encodes or turns round at least one of these.
KEYS = (
    "ignore", "disregard", "override", "previous", "instructions", "instruction", "guidelines", "assistant", "system",
    "prompt", "precedent", "verdict", "score", "rating",
)  # fmt: skip

_BLANKS = re.compile(r"[^\S\n]+")
_APART = re.compile(r"(?<![^\W_])([^\W\d_])([ .\-_*|/·•~])([^\W\d_])(?:\2[^\W\d_])+(?![^\W_])")
_MARKUP = re.compile(r"<!--.*?-->|</?[a-zA-Z][^<>]{0,200}>|[*_~`|\\]+", re.DOTALL)
_HYPHENED = re.compile(r"\b(?:\w+-){3,}\w+")
_ESCAPE = re.compile(r"\\u([0-9a-fA-F]{4})|\\x([0-9a-fA-F]{2})")
_LEET_WORD = re.compile(r"(?<![\w@$!])(?=[\w@$!]*[a-zA-Z])[\w@$!]*[0134578@$!][\w@$!]*")
_LEET = str.maketrans("0134578@$!", "oieastbasi")
_BASE64 = re.compile(r"(?<![\w+/-])[A-Za-z0-9+/_-]{16,8000}={0,2}(?![\w+/-])")
_HEX = re.compile(r"(?<!\w)(?:[0-9a-fA-F]{2}[ :]?){10,4000}(?!\w)")
_WORD = re.compile(r"[^\W\d_]{5,16}")
_TURNED = tuple(codecs.encode(key, "rot13") for key in KEYS[:9]) + tuple(key[::-1] for key in KEYS[:9])
_SOLID = re.compile(
    r"(?:ignore|disregard|forget|override|bypass)(?:all|any|every)?(?:of)?(?:the|your|my|these)?"
    r"(?:previous|prior|earlier|above|preceding|former|existing|system)*(?:instruction|prompt|guideline|directive|rule)s?"
)  # fmt: skip

_APART_ALREADY = re.compile(r"\b(?:ignore|disregard|forget|override|bypass)\s", re.IGNORECASE)


def readings(text: str) -> Iterator[str]:
    """Give each reading of ``text`` once: first as it stands, in compatibility forms, then without its disguises."""
    plain = _BLANKS.sub(" ", unicodedata.normalize("NFKC", text))
    found = dict.fromkeys([plain])
    open_text = _BLANKS.sub(" ", _APART.sub(lambda it: it[0].replace(it[2], ""), unmask(text)))
    unmarked = _MARKUP.sub(" ", unquote(_ESCAPE.sub(_escaped, html.unescape(open_text))))
    unmarked = _HYPHENED.sub(lambda it: it[0].replace("-", " "), unmarked)
    spelt = _LEET_WORD.sub(lambda it: it[0].translate(_LEET), unmarked)
    for it in (open_text, _BLANKS.sub(" ", unmarked), spelt, _WORD.sub(_mended, spelt), *_decoded(text)):
        found.setdefault(it)
    low = open_text.lower()
    if any(key in low for key in _TURNED):
        found |= dict.fromkeys([codecs.encode(open_text, "rot13"), open_text[::-1]])
    if not _APART_ALREADY.search(spelt) and _SOLID.search(re.sub(r"[\W\d_]+", "", spelt.lower())):
        found.setdefault("ignore all previous instructions")
    yield from found


def _escaped(match: re.Match[str]) -> str:
    return chr(int(match[1] or match[2], 16))


def _mended(match: re.Match[str]) -> str:
    """Read a word with its inner letters turned round, or one left out, as the key word it looks like."""
    word = match[0].lower()
    for key in KEYS:
        if word[0] != key[0] or word == key or not 0 <= len(key) - len(word) <= 1:
            continue
        missing = Counter(key) - Counter(word)
        if not Counter(word) - Counter(key) and (len(word) == len(key) or (len(key) > 7 and missing.total() == 1)):
            return key
    return match[0]


def _decoded(text: str) -> Iterator[str]:
    for match in _BASE64.finditer(text):
        token = match[0].rstrip("=").replace("-", "+").replace("_", "/")
        if token.isalpha() and (token.islower() or token.isupper()):
            continue
        try:
            yield from _told(base64.b64decode(token + "=" * (-len(token) % 4), validate=True))
        except (binascii.Error, ValueError):
            continue
    for match in _HEX.finditer(text):
        digits = re.sub(r"[ :]", "", match[0])
        yield from _told(bytes.fromhex(digits[: len(digits) // 2 * 2]))


def _told(raw: bytes) -> Iterator[str]:
    try:
        told = raw.decode()
    except UnicodeDecodeError:
        return
    if len(told) >= 8 and all(char.isprintable() or char in "\n\t" for char in told):
        yield unicodedata.normalize("NFKC", told)
