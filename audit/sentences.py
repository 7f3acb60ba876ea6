"""Cut prose into sentences with their offsets, in any of the scripts people paste. Pure, linear in the text."""

from __future__ import annotations

import re
from collections.abc import Iterator

_ABBREVIATION_LIST = (
    "mr mrs ms dr prof st sr jr vs etc approx est inc ltd co corp llc plc dept no nos fig vol pp p cf al ca incl excl "
    "resp min max avg jan feb mar apr jun jul aug sep sept oct nov dec mon tue wed thu fri sat sun "
    "e.g i.e a.k.a u.s u.k u.s.a e.u ph.d b.sc m.sc d.c a.m p.m s.a s.l s.r.l "
    "z.b d.h u.a z.t bzw ggf usw evtl inkl exkl mio mrd tsd nr str sog vgl "
    "sra srta ud uds aprox ej pág núm dña "
    "rs cr mn bn"
)
_ABBREVIATIONS = frozenset(_ABBREVIATION_LIST.split())
# These end a sentence too, unless a number or a small letter goes on.
_ALSO_WORD_LIST = "no mar sun sat min max st co est p al etc inc ltd corp rs ud uds"
_ALSO_WORDS = frozenset(_ALSO_WORD_LIST.split())
_BULLET = re.compile(
    r"[ \t]*(?:[-–—*•‣◦▪●·○■□▸►➤✓✔→]+[ \t]+|[•‣◦▪●○■□▸►➤✓✔][ \t]*|#{1,6}[ \t]+|>+[ \t]*"
    r"|\(?(?:\d{1,2}|[a-hA-H]|[ivx]{1,4})[.)][ \t]+){0,3}"
)
_BREAK = re.compile(r"\r\n|[\n\r\v\f\x1c-\x1e\x85\u2028\u2029]")
_STOP = re.compile(
    r"[.!?…]+[\"'”’»)\]]*(?=\s|$|[\u3040-\u30ff\u3400-\u9fff])|[。！？｡।۔؟；]+[\"'”’」』）】》]*|;(?=\s)"
)
_CLOSED = re.compile(r"[.!?…。！？｡।۔؟][\"'”’»)\]」』）】》]*$")
_WORD_BEFORE = re.compile(r"[^\W_]+(?:\.[^\W_]+)*$")
# After these words a single capital is no initial: "a Series A. It closed".
_LETTERED = re.compile(r"(?:series|class|plan|type|phase|part|option|vitamin|grade|group|serie)\s$", re.IGNORECASE)
_LONGEST_WORD = 24


def sentences(text: str) -> tuple[tuple[int, int], ...]:
    """Return the (start, end) of each sentence of ``text``, in order and without overlap.

    Offsets are characters. Surrounding white space and a leading bullet, number or heading mark stay outside; a line
    break always ends a sentence, so a slide's bullets and headings stand alone. Decimals, abbreviations, initials,
    addresses and file names do not end one.
    """
    return tuple(_spans(text))


def closed(text: str) -> str:
    """End ``text`` with a full stop, unless it ends as a sentence already."""
    return text if _CLOSED.search(text) else f"{text}."


def _spans(text: str) -> Iterator[tuple[int, int]]:
    begin = 0
    for line in _BREAK.finditer(text):
        yield from _line(text, begin, line.start())
        begin = line.end()
    yield from _line(text, begin, len(text))


def _line(text: str, begin: int, end: int) -> Iterator[tuple[int, int]]:
    bullet = _BULLET.match(text, begin, end)
    begin = bullet.end() if bullet else begin
    for stop in _STOP.finditer(text, begin, end):
        if not _ends(text, begin, stop, end):
            continue
        yield from _trimmed(text, begin, stop.end())
        begin = stop.end()
    yield from _trimmed(text, begin, end)


def _ends(text: str, begin: int, stop: re.Match[str], end: int) -> bool:
    if stop.group()[0] != "." or stop.group().startswith(".."):
        return True
    at = stop.start()
    word = _WORD_BEFORE.search(text, max(begin, at - _LONGEST_WORD), at)
    if word is None:
        return True
    name = word.group().lower()
    following = text[stop.end() : min(end, stop.end() + 3)].lstrip()[:1]
    before = text[max(begin, word.start() - 10) : word.start()]
    if before.endswith("°") or _LETTERED.search(before):
        return True
    if len(name) == 1 and name.isalpha() and word.group().isupper() and ord(name) < 0x3000:
        return not following.isalpha()
    if name not in _ABBREVIATIONS:
        return True
    if name in _ALSO_WORDS:
        return not (following.isdigit() or following.islower())
    return not following


def _trimmed(text: str, begin: int, end: int) -> Iterator[tuple[int, int]]:
    while begin < end and text[begin].isspace():
        begin += 1
    while end > begin and text[end - 1].isspace():
        end -= 1
    if any(char.isalnum() for char in text[begin:end]):
        yield begin, end
