"""What the audit core and the memory say, in the session's language: their sentences are found back by templates.

The core knows no language. Its sentences are a closed set with slots, the message ids of ``said.po``. A slot's name
says what stands in it: ``count...`` a number, ``said...`` something that the core says too, ``list...`` several of
those, and any other name what is shown as it is: names, words of a record, of a submission or of a model.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cache, lru_cache

from ui.language import ENGLISH, read_catalog, speech

LONGEST = 2_000
_SLOT = re.compile(r"\{(\w+)\}")
_SENTENCE_END = re.compile(r"(?<=[.!?])\s+")
_COMMA = re.compile(r",? and |, ")
_NUMBER = r"[+\-−]?\d[\d.,]*%?"


@dataclass(frozen=True, slots=True)
class _Template:
    """A sentence with slots: how it begins, what it matches, and what it is in the other language."""

    start: str
    pattern: re.Pattern[str]
    told: str


def said(text: str) -> str:
    """Say what the core said in the session's language; unchanged where it is not of the closed set."""
    return translated(text, speech().language) or text


def said_all(texts: Sequence[str]) -> str:
    """Say several reasons in one breath."""
    return ("; " if speech().language == ENGLISH else "；").join(map(said, texts))


def in_english(text: str) -> bool:
    """True where ``text`` stays English on a page of another language, so that the page can mark it so."""
    language = speech().language
    return language != ENGLISH and translated(text, language) is None


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
    if text in exact:
        return exact[text]
    for it in templates:
        if text.startswith(it.start) and (match := it.pattern.fullmatch(text)):
            return it.told.format(**{name: _filled(name, value, language) for name, value in match.groupdict().items()})
    return None


def _filled(name: str, value: str, language: str) -> str:
    if name.startswith("list"):
        return "、".join(translated(it, language) or it for it in _COMMA.split(value))
    return (translated(value, language) or value) if name.startswith("said") else value


@cache
def _read(language: str) -> tuple[Mapping[str, str], tuple[_Template, ...]]:
    """Read the closed set: what has no slot, and templates, those with the most words of their own first."""
    exact, templates = {}, []
    for message in read_catalog(language, "said"):
        if message.id and message.string:
            if _SLOT.search(message.id):
                templates.append(_template(message.id, message.string))
            else:
                exact[message.id] = message.string
    return exact, tuple(sorted(templates, key=lambda it: -len(_words_of(it))))


def _words_of(template: _Template) -> str:
    return re.sub(r"\(\?P<.*?\)", "", template.pattern.pattern)


def _template(message: str, told: str) -> _Template:
    pattern = _SLOT.sub(lambda it: f"(?P<{it[1]}>{_NUMBER if it[1].startswith('count') else '.+?'})", _escape(message))
    return _Template(message.split("{")[0], re.compile(pattern, re.DOTALL), told)


def _escape(message: str) -> str:
    """Escape what stands between slots."""
    return "".join(part if part.startswith("{") else re.escape(part) for part in re.split(r"(\{\w+\})", message))
