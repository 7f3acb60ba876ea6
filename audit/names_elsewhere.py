"""Find names in Chinese and Devanagari, where no capital tells them. Pure, linear; a heuristic for marks alone.

A name stands before the end of a company's name, beside a person's title, in the marks of a title or a quotation, or is
joined by the point of a transliteration. What is found so is marked; nothing is struck for it.
"""

from __future__ import annotations

import re
import tomllib
from collections.abc import Iterable, Iterator
from functools import lru_cache
from pathlib import Path

from audit.folding import skeleton
from audit.mentions import Kind, Mention

LONGEST_STEM = 6
_DATA = tomllib.loads((Path(__file__).parent / "data" / "names_elsewhere.toml").read_text(encoding="utf-8"))


def _listed(language: str, key: str) -> tuple[str, ...]:
    return tuple(sorted((skeleton(word) for word in _DATA[language][key].split()), key=len, reverse=True))


def _any_of(words: Iterable[str]) -> str:
    return "|".join(map(re.escape, words))


_HAN = r"\u3400-\u9fff"
_BREAKS, _COMMON = _listed("zh", "breaks"), frozenset(_listed("zh", "common"))
_BREAK = re.compile(_any_of(_BREAKS))
_SUFFIX = re.compile(rf"(?:{_any_of(_listed('zh', 'suffixes'))})+")
_TITLED = re.compile(
    rf"(?P<before>{_any_of(_listed('zh', 'titles_before'))})?(?P<name>[{_DATA['zh']['surnames']}][{_HAN}]{{1,2}}?)"
    rf"(?:(?P<after>{_any_of(_listed('zh', 'titles_after'))})|(?=[^{_HAN}]|$|{_any_of(_BREAKS)}))"
)
_AFTER = re.compile(_any_of((*_BREAKS, *_listed("zh", "titles_after"))))
_POINTED = re.compile(rf"[{_HAN}]{{1,6}}(?:·[{_HAN}]{{1,6}})+")
_QUOTED = re.compile(
    rf"[《〈]([^《》〈〉]{{1,24}})[》〉]|\"([{_HAN}]{{2,8}})\"|\"([\u0900-\u0963]{{2,}}(?: [\u0900-\u0963]+)?)\""
)
_HINDI_WORD = re.compile(r"[\u0900-\u0963\u0971-\u097f]+")
_HINDI_SUFFIXES, _HINDI_TITLES, _HINDI_COMMON = (
    frozenset(_listed("hi", key)) for key in ("suffixes", "titles", "common")
)


@lru_cache(maxsize=1_000)
def names_elsewhere(text: str) -> tuple[Mention, ...]:
    """Find the names in one sentence that ``audit.folding.skeleton`` has read, in order and without overlap."""
    if text.isascii():
        return ()
    found: list[Mention] = []
    for start, end in sorted({*_quoted(text), *_chinese(text), *_hindi(text)}, key=lambda it: (it[0], -it[1])):
        if not found or found[-1].end <= start:
            found.append(Mention(Kind.NAME, start, end, key=" ".join(text[start:end].lower().split())))
    return tuple(found)


def _quoted(text: str) -> Iterator[tuple[int, int]]:
    for it in _QUOTED.finditer(text):
        group = next(at for at in (1, 2, 3) if it[at])
        if group == 1 or not (_BREAK.search(it[group]) or it[group] in _COMMON):
            yield it.span(group)


def _chinese(text: str) -> Iterator[tuple[int, int]]:
    for it in _POINTED.finditer(text):
        first, last = it[0].index("·"), it[0].rindex("·") + 1
        begin = max((cut.end() for cut in _BREAK.finditer(it[0], 0, first)), default=0)
        end = _AFTER.search(it[0], last + 1)
        yield it.start() + begin, it.start() + (end.start() if end else len(it[0]))
    for it in _SUFFIX.finditer(text):
        start = _stem(text, it.start())
        if it.start() - start > 1:
            yield start, it.end()
    for it in _TITLED.finditer(text):
        if (it["before"] or it["after"]) and not _BREAK.search(it["name"]):
            yield it.span("name")


def _stem(text: str, end: int) -> int:
    """Say where the name begins that ends at ``end``; ``end`` where what stands there is a kind of company."""
    start = end
    while start > max(0, end - LONGEST_STEM) and "\u3400" <= text[start - 1] <= "\u9fff":
        start -= 1
    start += max((cut.end() for cut in _BREAK.finditer(text[start:end])), default=0)
    stem = text[start:end]
    while common := next((it for it in _COMMON if stem.endswith(it)), ""):
        stem = stem.removesuffix(common)
    return start if len(stem) > 1 else end


def _hindi(text: str) -> Iterator[tuple[int, int]]:
    words = list(_HINDI_WORD.finditer(text))
    for at, it in enumerate(words):
        if it[0] in _HINDI_SUFFIXES and at and _may_name(words[at - 1]):
            more = next((n for n, word in enumerate(words[at + 1 :]) if word[0] not in _HINDI_SUFFIXES), len(words))
            yield words[at - 1].start(), words[min(at + more, len(words) - 1)].end()
        if it[0] in _HINDI_TITLES and at + 1 < len(words) and _may_name(words[at + 1]):
            second = words[at + 2 : at + 3]
            both = second and _may_name(second[0]) and text[words[at + 1].end() : second[0].start()] == " "
            yield words[at + 1].start(), (second[0] if both else words[at + 1]).end()


def _may_name(word: re.Match[str]) -> bool:
    return len(word[0]) > 1 and not {word[0]} & (_HINDI_COMMON | _HINDI_SUFFIXES | _HINDI_TITLES)
