"""A language and how it is spoken: whole sentences by gettext, numbers, money and dates by locale."""

from __future__ import annotations

import gettext
import re
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cache, lru_cache
from io import BytesIO
from types import MappingProxyType

from babel import Locale, UnknownLocaleError
from babel.messages.mofile import write_mo
from babel.numbers import format_decimal

from audit.speech.catalogs import ENGLISH, read_catalog
from audit.speech.said import translated

AUTO = "auto"
USUAL = MappingProxyType({ENGLISH: "en", "zh": "zh_Hans_CN"})
"""The languages there are, each with the locale that writes its numbers and dates where the browser names none."""
LONGEST_TAG = 35
_NOT_LATIN = re.compile(r"[\u0370-\u1dff\u2e80-\ud7ff\uf900-\ufaff]")


@dataclass(frozen=True, slots=True)
class Speech:
    """A language, and the locale that writes numbers, dates and money in it."""

    language: str
    locale: Locale

    def say(self, message: str, /, **values: object) -> str:
        """Say a whole sentence, its ``{placeholders}`` filled with ``values``."""
        told = _pages(self.language).gettext(message) if message else ""
        return told.format(**values) if values else told

    def say_n(self, one: str, many: str, count: int, /, **values: object) -> str:
        """Say a sentence about ``count`` things; ``{count}`` is filled with the number as the locale writes it."""
        told = _pages(self.language).ngettext(one, many, count)
        return told.format(count=format_decimal(count, locale=self.locale), **values)

    def paragraph(self, *sentences: str) -> str:
        """Put sentences one after the other, with a space between them in a language that writes one."""
        return (" " if self.language == ENGLISH else "").join(it for it in sentences if it)

    def said(self, text: str) -> str:
        """Say what the core said; unchanged where it is not of the closed set."""
        return translated(text, self.language) or text

    def said_all(self, texts: Sequence[str]) -> str:
        """Say several reasons in one breath."""
        return ("; " if self.language == ENGLISH else "；").join(map(self.said, texts))

    def left_in_english(self, text: str) -> bool:
        """True where ``text`` stays English in another language, so that it can be marked so.

        What a model wrote in letters that are not Latin is no English.
        """
        return self.language != ENGLISH and not _NOT_LATIN.search(text) and translated(text, self.language) is None


@lru_cache(maxsize=256)
def choose(setting: str, browser: str | None = None) -> Speech:
    """Choose the language: the setting, or the browser's on ``auto``, or English; with the browser's locale if it fits.

    ``browser`` is a language tag such as ``zh-CN``, as a browser states it: anything at all.
    """
    stated = _locale(browser or "")
    wanted = stated.language if setting == AUTO and stated else setting
    language = wanted if wanted in USUAL else ENGLISH
    if stated is not None and stated.language == language:
        return Speech(language, stated)
    return Speech(language, Locale.parse(USUAL[language]))


def _locale(tag: str) -> Locale | None:
    try:
        return Locale.parse(tag, sep="-") if 0 < len(tag) <= LONGEST_TAG else None
    except (ValueError, UnknownLocaleError):
        return None


@cache
def _pages(language: str) -> gettext.NullTranslations:
    if language == ENGLISH:
        return gettext.NullTranslations()
    compiled = BytesIO()
    write_mo(compiled, read_catalog(language, "pages"))
    compiled.seek(0)
    return gettext.GNUTranslations(compiled)


SPEAKS_ENGLISH = choose(ENGLISH)
