"""The language a page is shown in: chosen for each session, from the setting or from the browser.

Nothing is kept between calls: two sessions that speak different languages never meet. What is fixed when a module is
imported is marked with ``ui.messages.N_`` and goes through ``_`` when it is shown.
"""

from __future__ import annotations

import streamlit as st
from babel.numbers import format_decimal
from streamlit.runtime.scriptrunner import get_script_run_ctx

from audit.speech.language import AUTO, SPEAKS_ENGLISH, Speech, choose
from settings import SettingsInvalid
from ui import runtime
from ui.messages import Message


def speech() -> Speech:
    """Give the language of the session that asks; English outside of any session."""
    if get_script_run_ctx(suppress_warning=True) is None:
        return SPEAKS_ENGLISH
    setting: str
    try:
        setting = runtime.configured().language
    except SettingsInvalid:
        setting = AUTO
    return choose(setting, st.context.locale)


def _(message: str, /, **values: object) -> str:
    """Say a whole sentence in the session's language, its ``{placeholders}`` filled with ``values``."""
    return speech().say(message, **values)


def _n(one: str, many: str, count: int, /, **values: object) -> str:
    """Say a sentence about ``count`` things; ``{count}`` is filled with the number as the locale writes it."""
    return speech().say_n(one, many, count, **values)


def paragraph(*sentences: str) -> str:
    """Put sentences one after the other, with a space between them in a language that writes one."""
    return speech().paragraph(*sentences)


def tell(message: Message) -> str:
    """Say a message in the session's language."""
    locale = speech().locale
    return _(message.text, **{name: format_decimal(it, locale=locale) for name, it in message.numbers.items()})
