"""Plots of the past add up what the records say, per currency, and say it in a sentence."""

from __future__ import annotations

import json
from dataclasses import replace
from decimal import Decimal
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from audit.code.rulebook import weaknesses
from audit.code.weakness_names import NAMES
from audit.speech.said import translated
from memory.causes import Cause
from memory.money import Money
from memory.projection import project
from memory.records import Outcome, Record
from tests.ui import samples
from ui.components.memory_map import map_figure
from ui.components.past import (
    BAR_YEARS,
    cause_figure,
    cause_sentence,
    currencies,
    lost_by_cause,
    lost_figure,
    lost_sentence,
    lost_to,
    money_by_year,
    money_figure,
    money_sentence,
    severity_figure,
    severity_sentence,
    weakness_of,
)

ROOT = Path(__file__).parents[2]


def investment(year: int | None, invested: Money | None, returned: Money | None) -> Record:
    it = samples.payments()
    return replace(it, facts=replace(it.facts, year=year, invested=invested, returned=returned))


RUPEES = [
    investment(2020, Money(Decimal(100), "INR"), Money(Decimal(250), "INR")),
    investment(2020, Money(Decimal(50), "INR"), None),
    investment(2021, Money(Decimal(7), "USD"), Money(Decimal(1), "USD")),
    investment(None, Money(Decimal(9), "INR"), None),
]


def test_every_weakness_of_a_family_has_a_name_on_plots_in_both_languages() -> None:
    data = json.loads((ROOT / "memory/data/flaw_families.json").read_text(encoding="utf-8"))
    known = {it for family in (*data["families"], data["vague"]) for it in family if it.startswith("CWE-")} | set(NAMES)
    bug = samples.injection()
    named = {it: weakness_of(replace(bug, facts=replace(bug.facts, cwe=it))) for it in known}
    assert {it for it, name in named.items() if name == it} == set()
    assert named["CWE-772"] == "Resource not released after use"
    assert not NAMES.keys() & weaknesses().keys()
    assert [name for name in NAMES.values() if translated(name, "zh") is None] == []


def test_money_is_summed_by_year_and_never_across_currencies() -> None:
    assert money_by_year(RUPEES, "INR") == {2020: (Decimal(150), Decimal(250))}
    assert money_by_year(RUPEES, "USD") == {2021: (Decimal(7), Decimal(1))}
    assert currencies(RUPEES) == ["INR", "USD"]


def test_the_money_plot_and_its_sentence_tell_the_same_sums() -> None:
    figure = money_figure(RUPEES, "INR")
    assert sum(y for trace in figure.data for y in trace.y if y < 0) == -150
    assert sum(y for trace in figure.data for y in trace.y if y > 0) == 250
    assert {trace.name: trace.marker.pattern.shape for trace in figure.data} == {"ended badly": "/"}
    said = money_sentence(money_by_year(RUPEES, "INR"), "INR").replace("\\", "")
    assert "₹150 invested" in said
    assert "₹250 came back" in said


def test_money_is_told_apart_by_how_it_ended_without_colour_alone() -> None:
    it = RUPEES[0]
    others = [replace(it, facts=replace(it.facts, outcome=outcome)) for outcome in (Outcome.EXITED, Outcome.OPERATING)]
    figure = money_figure([it, *others], "INR")
    assert len({trace.marker.pattern.shape for trace in figure.data}) == 3
    assert sum(y for trace in figure.data for y in trace.y) == 3 * (250 - 100)


def test_losses_are_summed_by_cause_the_largest_first_in_one_currency() -> None:
    records = [replace(investment(2020, Money(Decimal(at), "INR"), None), id=f"r{at}") for at in (5, 7, 30)]
    found = [Cause("rent", ("r5", "r7")), Cause("founder", ("r30",)), Cause("nothing", ())]
    lost = lost_to(records, found, "INR")
    assert [(it.name, int(amount)) for it, amount in lost] == [("founder", 30), ("rent", 12)]
    assert "Of ₹42 lost for a reason that is recorded, ₹30 went to one: **“founder”**" in lost_sentence(
        lost, "INR"
    ).replace("\\", "")
    assert list(lost_figure(lost, "INR").data[0].x) == [12, 30]
    assert lost_to(records, found, "EUR") == []


def test_severity_over_time_marks_every_bug_with_a_year_by_shape_too() -> None:
    bug = samples.injection()
    low = replace(bug, facts=replace(bug.facts, severity="low", year=2024))
    undated = replace(bug, facts=replace(bug.facts, year=None))
    figure = severity_figure([bug, bug, low, undated])
    assert sum(count for trace in figure.data for _, count in trace.customdata) == 3
    assert len({trace.marker.symbol for trace in figure.data}) == 2
    assert "**SQL injection** was critical or high most often: 2 times, last in 2021" in severity_sentence(
        [bug, bug]
    ).replace("\\", "")
    assert severity_sentence([low]) == "No bug was critical or high."


def test_the_map_places_every_record_and_the_submission_and_names_the_precedents() -> None:
    draw = np.random.default_rng(1)
    records = [replace(samples.payments(f"Firm {at}"), id=f"r{at}") for at in range(6)]
    vectors = {it.id: draw.normal(size=16).astype(np.float32) for it in records}
    asked = vectors["r2"] + 0.01
    plane = project([*vectors.values(), asked])
    figure = map_figure(records, vectors, plane, asked, "this deck", ["r2"])
    assert sum(len(trace.x) for trace in figure.data) == 7
    assert [it for trace in figure.data for it in trace.text if it] == ["Firm 2", "\u2002this deck"]
    star, marks = figure.data[-1], figure.data[0]
    distances = np.hypot(np.array(marks.x) - star.x[0], np.array(marks.y) - star.y[0])
    assert distances[2] < 0.1


@given(st.integers(1, 12), st.integers(0, 1000))
def test_a_flat_picture_keeps_a_share_and_is_the_same_each_time(count: int, seed: int) -> None:
    vectors = list(np.random.default_rng(seed).normal(size=(count, 8)).astype(np.float32))
    plane = project(vectors)
    assert 0 <= plane.kept <= 1
    assert np.array_equal(plane.place(np.stack(vectors)), project(vectors).place(np.stack(vectors)))
    turned = np.stack(vectors) - np.mean(vectors, axis=0)
    whole, seen = float((turned**2).sum()), float((plane.place(np.stack(vectors)) ** 2).sum())
    assert seen == pytest.approx(plane.kept * whole, rel=1e-3, abs=1e-3)


def test_bugs_are_counted_by_weakness_the_most_frequent_first() -> None:
    bug = samples.injection()
    other = replace(bug, facts=replace(bug.facts, cwe="", severity="low"))
    by_cause = lost_by_cause([other, bug, bug])
    assert list(by_cause) == ["SQL injection", "no CWE"]
    assert cause_sentence(by_cause).replace("\\", "") == "SQL injection came most often: 2 of 3 bugs."
    assert sum(sum(trace.x) for trace in cause_figure(by_cause).data) == 3


def test_a_weakness_named_with_markup_is_drawn_as_text() -> None:
    bug = samples.injection()
    figure = cause_figure(lost_by_cause([replace(bug, facts=replace(bug.facts, cwe="<b>x</b>"))]))
    assert "<b>" not in figure.data[0].y[0]


def test_a_bar_is_as_wide_as_its_year_however_few_years_there_are() -> None:
    some = Money(Decimal(9), "EUR")
    figure = money_figure([investment(2016, some, some), investment(2021, some, some)], "EUR")
    assert {bar.width for bar in figure.data} == {BAR_YEARS}
    assert 0 < BAR_YEARS < 1
