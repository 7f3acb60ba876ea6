"""Plots of the past add up what the records say, per currency, and say it in a sentence."""

from __future__ import annotations

from dataclasses import replace
from decimal import Decimal

from memory.money import Money
from memory.records import Record
from tests.ui import samples
from ui.components.past import (
    cause_figure,
    cause_sentence,
    currencies,
    lost_by_cause,
    money_by_year,
    money_figure,
    money_sentence,
)


def investment(year: int | None, invested: Money | None, returned: Money | None) -> Record:
    it = samples.payments()
    return replace(it, facts=replace(it.facts, year=year, invested=invested, returned=returned))


RUPEES = [
    investment(2020, Money(Decimal(100), "INR"), Money(Decimal(250), "INR")),
    investment(2020, Money(Decimal(50), "INR"), None),
    investment(2021, Money(Decimal(7), "USD"), Money(Decimal(1), "USD")),
    investment(None, Money(Decimal(9), "INR"), None),
]


def test_money_is_summed_by_year_and_never_across_currencies() -> None:
    assert money_by_year(RUPEES, "INR") == {2020: (Decimal(150), Decimal(250))}
    assert money_by_year(RUPEES, "USD") == {2021: (Decimal(7), Decimal(1))}
    assert currencies(RUPEES) == ["INR", "USD"]


def test_the_money_plot_and_its_sentence_tell_the_same_sums() -> None:
    by_year = money_by_year(RUPEES, "INR")
    figure = money_figure(by_year, "INR")
    assert [sum(trace.y) for trace in figure.data] == [150, 250]
    said = money_sentence(by_year, "INR").replace("\\", "")
    assert "₹150 invested" in said
    assert "₹250 came back" in said


def test_bugs_are_counted_by_weakness_the_most_frequent_first() -> None:
    bug = samples.injection()
    other = replace(bug, facts=replace(bug.facts, cwe="", severity="low"))
    by_cause = lost_by_cause([other, bug, bug])
    assert list(by_cause) == ["CWE-89", "no CWE"]
    assert cause_sentence(by_cause).replace("\\", "") == "CWE-89 came most often: 2 of 3 bugs."
    assert sum(sum(trace.x) for trace in cause_figure(by_cause).data) == 3


def test_a_weakness_named_with_markup_is_drawn_as_text() -> None:
    bug = samples.injection()
    figure = cause_figure(lost_by_cause([replace(bug, facts=replace(bug.facts, cwe="<b>x</b>"))]))
    assert "<b>" not in figure.data[0].y[0]
