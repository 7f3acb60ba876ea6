"""The language a page is shown in: chosen for each session, from the setting or from the browser; by gettext.

Nothing is kept between calls but the catalogs: two sessions that speak different languages never meet. What is
fixed when a module is imported is marked with ``ui.messages.N_`` and goes through ``_`` when it is shown.
"""

from __future__ import annotations

import gettext
from dataclasses import dataclass
from functools import cache, lru_cache
from io import BytesIO
from pathlib import Path
from types import MappingProxyType

import streamlit as st
from babel import Locale, UnknownLocaleError
from babel.messages.catalog import Catalog
from babel.messages.mofile import write_mo
from babel.messages.pofile import read_po
from babel.numbers import format_decimal
from streamlit.runtime.scriptrunner import get_script_run_ctx

from settings import SettingsInvalid
from ui import runtime
from ui.messages import Message

TRANSLATIONS = Path(__file__).with_name("translations")
AUTO, ENGLISH = "auto", "en"
USUAL = MappingProxyType({ENGLISH: "en", "zh": "zh_Hans_CN"})
"""The languages there are, each with the locale that writes its numbers and dates where the browser names none."""
LONGEST_TAG = 35


@dataclass(frozen=True, slots=True)
class Speech:
    """A language, and the locale that writes numbers, dates and money in it."""

    language: str
    locale: Locale


@lru_cache(maxsize=256)
def choose(setting: str, browser: str | None) -> Speech:
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


def speech() -> Speech:
    """Give the language of the session that asks; English outside of any session."""
    if get_script_run_ctx(suppress_warning=True) is None:
        return choose(ENGLISH, None)
    setting: str
    try:
        setting = runtime.configured().language
    except SettingsInvalid:
        setting = AUTO
    return choose(setting, st.context.locale)


def read_catalog(language: str, domain: str) -> Catalog:
    """Read what ``domain`` says in a language: ``pages`` or ``said``. Raises OSError where it is missing."""
    with (TRANSLATIONS / language / "LC_MESSAGES" / f"{domain}.po").open("rb") as file:
        return read_po(file, locale=language, domain=domain)


@cache
def _pages(language: str) -> gettext.NullTranslations:
    if language == ENGLISH:
        return gettext.NullTranslations()
    compiled = BytesIO()
    write_mo(compiled, read_catalog(language, "pages"))
    compiled.seek(0)
    return gettext.GNUTranslations(compiled)


def _(message: str, /, **values: object) -> str:
    """Say a whole sentence in the session's language, its ``{placeholders}`` filled with ``values``."""
    told = _pages(speech().language).gettext(message) if message else ""
    return told.format(**values) if values else told


def _n(one: str, many: str, count: int, /, **values: object) -> str:
    """Say a sentence about ``count`` things; ``{count}`` is filled with the number as the locale writes it."""
    spoken = speech()
    told = _pages(spoken.language).ngettext(one, many, count)
    return told.format(count=format_decimal(count, locale=spoken.locale), **values)


def paragraph(*sentences: str) -> str:
    """Put sentences one after the other, with a space between them in a language that writes one."""
    return (" " if speech().language == ENGLISH else "").join(it for it in sentences if it)


def tell(message: Message) -> str:
    """Say a message in the session's language."""
    locale = speech().locale
    return _(message.text, **{name: format_decimal(it, locale=locale) for name, it in message.numbers.items()})
