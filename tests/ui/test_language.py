"""The language of a session: chosen by setting or browser, never mixed; numbers, dates and amounts by locale."""

from __future__ import annotations

import threading
from concurrent.futures import ThreadPoolExecutor
from datetime import UTC, datetime
from decimal import Decimal
from itertools import pairwise

import pytest
from hypothesis import given
from hypothesis import strategies as st

from audit.speech.language import USUAL, choose
from memory.money import Money, parse_money
from ui import formats, language
from ui import said as wording

WHEN = datetime(2026, 11, 3, 4, 5, tzinfo=UTC)


@pytest.mark.parametrize(
    ("setting", "browser", "chosen", "locale"),
    [
        ("auto", "zh-CN", "zh", "zh_Hans_CN"),
        ("auto", "zh-TW", "zh", "zh_Hant_TW"),
        ("auto", "en-IN", "en", "en_IN"),
        ("auto", "de-DE", "en", "en"),
        ("auto", None, "en", "en"),
        ("en", "zh-CN", "en", "en"),
        ("en", "en-GB", "en", "en_GB"),
        ("zh", "en-GB", "zh", "zh_Hans_CN"),
        ("zh", None, "zh", "zh_Hans_CN"),
    ],
)
def test_the_setting_decides_and_on_auto_the_browser(setting: str, browser: str, chosen: str, locale: str) -> None:
    spoken = choose(setting, browser)
    assert (spoken.language, str(spoken.locale)) == (chosen, locale)


@given(st.text(max_size=60))
def test_whatever_a_browser_states_gives_a_language(tag: str) -> None:
    assert choose("auto", tag).language in USUAL


def speak(monkeypatch: pytest.MonkeyPatch, tag: str) -> None:
    monkeypatch.setattr(language, "speech", lambda: choose("auto", tag))
    monkeypatch.setattr(formats, "speech", lambda: choose("auto", tag))


@pytest.mark.parametrize(
    ("tag", "amount", "day", "moment", "number"),
    [
        ("en-US", "₹1,234,567", "Nov 3, 2026", "Nov 3, 2026, 4:05\u202fAM", "1,234,567.9"),
        ("en-GB", "₹1,234,567", "3 Nov 2026", "3 Nov 2026, 04:05", "1,234,567.9"),
        ("en-IN", "₹12,34,567", "3 Nov 2026", "3 Nov 2026, 4:05\u202fAM", "12,34,567.9"),
        ("zh-CN", "₹1,234,567", "2026年11月3日", "2026年11月3日 04:05", "1,234,567.9"),
    ],
)
def test_numbers_dates_and_amounts_are_written_as_the_locale_writes_them(
    monkeypatch: pytest.MonkeyPatch, tag: str, amount: str, day: str, moment: str, number: str
) -> None:
    speak(monkeypatch, tag)
    assert formats.money(Money(Decimal(1_234_567), "INR")) == amount
    assert formats.day(WHEN) == day
    assert formats.moment(WHEN) == moment
    assert formats.number(1_234_567.89, 1) == number
    assert formats.percent(0.125) == "12%"
    assert formats.percent(0.125, 1) == "12.5%"


def test_halves_are_rounded_up_as_a_browser_rounds_them_in_a_table() -> None:
    assert [formats.number(it) for it in (12.5, 13.5, 0.5)] == ["13", "14", "1"]
    assert formats.number(0.25, 1) == "0.3"


def test_a_sign_of_a_currency_is_never_that_of_another(monkeypatch: pytest.MonkeyPatch) -> None:
    for tag, signs in {"en-US": ("$", "¥", "CN¥"), "zh-CN": ("US$", "JP¥", "¥")}.items():
        speak(monkeypatch, tag)
        assert [formats.money(Money(Decimal(1), code))[:-1] for code in ("USD", "JPY", "CNY")] == list(signs)


@given(st.decimals(0, 10**12, places=3), st.sampled_from(["INR", "USD", "EUR", "CNY", ""]))
def test_an_amount_on_a_page_loses_no_digit(amount: Decimal, currency: str) -> None:
    with pytest.MonkeyPatch.context() as patch:
        speak(patch, "en-GB")
        digits = formats.money(Money(amount, currency)).replace(",", "").lstrip("₹US$€CN¥")
    assert Decimal(digits) == amount


def test_tables_plots_and_fields_get_the_same_order_of_day_month_and_year(monkeypatch: pytest.MonkeyPatch) -> None:
    speak(monkeypatch, "en-US")
    assert (formats.day_column(), formats.day_axis(), formats.day_input()) == (
        "MMM D, YYYY",
        "%b %-d, %Y",
        "MM/DD/YYYY",
    )
    speak(monkeypatch, "en-GB")
    assert (formats.day_column(), formats.day_axis(), formats.day_input()) == ("D MMM YYYY", "%-d %b %Y", "DD/MM/YYYY")
    speak(monkeypatch, "zh-CN")
    assert formats.moment_column() == "YYYY[年]M[月]D[日] HH:mm"
    assert (formats.day_axis(), formats.day_input()) == ("%Y年%-m月%-d日", "YYYY/MM/DD")


def test_what_a_form_shows_of_an_amount_is_read_back_the_same_in_every_language() -> None:
    for money in (Money(Decimal(50_000), "INR"), Money(Decimal("1234.5"), "USD"), Money(Decimal(7), "CHF")):
        assert parse_money(str(money)) == money


def test_two_sessions_at_once_never_hear_each_other_s_language(monkeypatch: pytest.MonkeyPatch) -> None:
    """Many threads translate at the same time, each in the language of its own session."""
    spoken = {}
    monkeypatch.setattr(language, "get_script_run_ctx", lambda suppress_warning: object())
    monkeypatch.setattr(language.runtime, "settings", lambda: type("Set", (), {"language": "auto"})())

    class Context:
        @property
        def locale(self) -> str:
            return spoken[threading.get_ident()]

    monkeypatch.setattr(language.st, "context", Context())

    def session(number: int) -> set[tuple[str, str]]:
        told = set()
        for tag in ("zh-CN", "en-GB")[:: 1 if number % 2 else -1] * 40:
            spoken[threading.get_ident()] = tag
            told.add((tag, language._("Undo")))
        return told

    with ThreadPoolExecutor(8) as pool:
        heard = list(pool.map(session, range(8)))
    assert all(one == {("zh-CN", "撤销"), ("en-GB", "Undo")} for one in heard)
    assert all(one == other for one, other in pairwise(heard))


def test_the_product_is_no_precedent_where_it_is_named_as_author(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(wording, "speech", lambda: choose("zh", None))
    assert (wording.said("precedent"), wording.said_author("precedent")) == ("先例", "Precedent")
    assert wording.said_author("Ana") == "Ana"


def test_only_what_is_english_is_marked_as_english_on_a_chinese_page() -> None:
    chinese = choose("zh", None)
    assert chinese.left_in_english("Ask them who pays.")
    assert not chinese.left_in_english("问问谁付费。") and not chinese.left_in_english("None found")
    assert not choose("en", None).left_in_english("Ask them who pays.")
