"""What the audit core and the memory say, in another language: their sentences are found back by templates.

The core knows no language. Its sentences are a closed set with slots, the message ids of ``said.po``. A slot's name
says what stands in it: ``count...`` a number, ``day`` a date, ``said...`` something of the set itself (``saidwhole``
also where a name within it holds a full stop), ``maybe...`` something that may be of it, ``list...`` several of those,
and any other name what is shown as it is: names, words of a record, of a submission or of a model.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from datetime import datetime
from functools import cache, lru_cache

from babel.dates import format_date

from audit.speech.catalogs import ENGLISH, read_catalog

LONGEST = 2_000
_SLOT = re.compile(r"\{(\w+)\}")
_SENTENCE_END = re.compile(r"(?<=[.!?])\s+")
_ONE_SENTENCE = r"(?:(?!\. ).)+?"
_NUMBER = r"[+\-−]?\d[\d.,]*%?"


@dataclass(frozen=True, slots=True)
class _Template:
    """A sentence with slots: how it begins, what it matches, and what it is in the other language."""

    start: str
    pattern: re.Pattern[str]
    told: str


@lru_cache(maxsize=8_192)
def translated(text: str, language: str) -> str | None:
    """Translate a text of the closed set, or each of its sentences that is; None where none is, and in English."""
    if language == ENGLISH or not text or len(text) > LONGEST:
        return None
    whole = _whole(text, language)
    if whole is not None:
        return whole
    parts = _SENTENCE_END.split(text)
    told = [_whole(it, language) for it in parts]
    if len(parts) == 1 or not any(told):
        return None
    pieces = [new or old for new, old in zip(told, parts, strict=True)]
    return "".join(it if it[-1:] in "。！？" else f"{it} " for it in pieces).rstrip()


def _whole(text: str, language: str) -> str | None:
    exact, templates = _read(language)
    known = exact.get(text) or exact.get(text.casefold())  # within a sentence a title begins small
    if known:
        return known
    # one by one, as a name's slot would take in all but the last
    clauses = [_whole(it, language) for it in text.split("; ")] if "; " in text else []
    if clauses and None not in clauses:
        return "；".join(filter(None, clauses))
    for it in templates:
        if text.startswith(it.start) and (match := it.pattern.fullmatch(text)):
            filled = {name: _filled(name, value, language) for name, value in match.groupdict().items()}
            if None not in filled.values():
                return it.told.format(**filled)
    return None


def _filled(name: str, value: str, language: str) -> str | None:
    """Fill a slot; None where what stands in it had to be of the closed set and is not."""
    if name.startswith("said"):
        return translated(value, language)
    if name.startswith("maybe"):
        return translated(value, language) or value
    if name == "day":
        return _day(value, language)
    if name.startswith("list"):
        return "、".join(translated(it, language) or it for it in _listed(value, language))
    return value


def _day(value: str, language: str) -> str:
    """Write a day such as ``30 November 2026`` as the language does; anything else stays as it is."""
    try:
        return format_date(datetime.strptime(value, "%d %B %Y"), "medium", language)
    except ValueError:
        return value


def _listed(value: str, language: str) -> Iterator[str]:
    """Yield the members of a list; what is known as a whole is not divided at its comma, nor at its ``and``."""
    parts = value.split("; ")
    for it in (piece for part in parts for piece in ((part,) if translated(part, language) else part.split(", "))):
        words = it.split(" and ")
        halves = ((" and ".join(words[:at]), " and ".join(words[at:])) for at in range(1, len(words)))
        known = (pair for pair in halves if all(translated(half, language) for half in pair))
        yield from (it,) if translated(it, language) else next(known, (it,))


@cache
def _read(language: str) -> tuple[Mapping[str, str], tuple[_Template, ...]]:
    """Read the closed set: what has no slot, and templates, those with the most words of their own first."""
    exact, templates = {}, []
    for message in read_catalog(language, "said"):
        text, told = str(message.id), str(message.string)
        if message.id and message.string:
            if _SLOT.search(text):
                templates.append(_template(text, told))
            else:
                exact[text] = told
                exact.setdefault(text.casefold(), told)
    return exact, tuple(sorted(templates, key=lambda it: -len(_words_of(it))))


def _words_of(template: _Template) -> str:
    return re.sub(r"\(\?P<.*?\)", "", template.pattern.pattern)


def _template(message: str, told: str) -> _Template:
    pattern = _SLOT.sub(lambda it: f"(?P<{it[1]}>{_held(it[1])})", _escape(message))
    return _Template(message.split("{")[0], re.compile(pattern, re.DOTALL), told)


def _held(name: str) -> str:
    if name.startswith("count"):
        return _NUMBER
    one = name.startswith(("said", "maybe", "list")) and name != "saidwhole"
    return _ONE_SENTENCE if one else ".+?"


def _escape(message: str) -> str:
    """Escape what stands between slots."""
    return "".join(part if part.startswith("{") else re.escape(part) for part in re.split(r"(\{\w+\})", message))
