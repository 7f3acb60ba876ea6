"""The table of records: sorted by its columns, kept as views, and corrected in its cells, whole or not at all."""

from __future__ import annotations

import json
from dataclasses import replace
from datetime import UTC, datetime
from decimal import Decimal

import pandas as pd
import pytest
from streamlit.proto.WidgetStates_pb2 import WidgetState
from streamlit.testing.v1 import AppTest

from memory.corrections import Correction
from memory.money import Money
from memory.records import BugFacts, InvestmentFacts, Kind, Outcome, Record
from tests.ui.looking import click, words
from ui import runtime
from ui.components.record_cells import cells_of, columns_of, corrections_of, typed_over

BOTH = (Kind.INVESTMENT, Kind.BUG)


def stored() -> list[Record]:
    return list(runtime.services().ledger.find("local", kinds=BOTH, limit=1_000).records)


def shown(page: AppTest) -> list[str]:
    return list(page.dataframe[0].value.iloc[:, 0])


def choose_column(page: AppTest, name: str) -> AppTest:
    table = page.dataframe[0].proto.id
    return send(page, table, {"selection": {"rows": [], "columns": [name], "cells": []}})


def type_in(page: AppTest, cells: dict[int, dict[str, object]]) -> AppTest:
    """Type into cells, by the number of the row and the name of the column, as a browser tells it."""
    return send(page, page.dataframe[0].proto.id, {"edited_rows": cells, "added_rows": [], "deleted_rows": []})


def send(page: AppTest, widget: str, value: object) -> AppTest:
    states = page._tree.get_widget_states()
    states.widgets.append(WidgetState(id=widget, string_value=json.dumps(value)))
    page._run(states)
    assert not page.exception
    return page


def editing(page: AppTest, kind: str = "All facts") -> AppTest:
    page.selectbox(key="memory-kind").select(kind)
    page.selectbox(key="memory-sort").select("Title").run()
    page.toggle(key="memory-edit").set_value(True).run()
    assert not page.exception
    return page


def test_what_nobody_typed_in_is_no_correction_and_one_cell_changes_one_field(seeded_app: None) -> None:
    odd = Money(Decimal("1.234"), "INR")
    records = stored()
    for kind, kinds in ((Kind.INVESTMENT, BOTH[:1]), (Kind.BUG, BOTH[1:]), (None, BOTH)):
        mine = [it for it in records if kind in (None, it.kind)]
        mine += [replace(it, id="odd", facts=replace(it.facts, invested=odd)) for it in mine if it.kind is BOTH[0]][:1]
        columns = columns_of(kinds)
        cells = cells_of(mine, columns, {})
        same = {at: {name: None if value is pd.NA else value for name, value in row.items()}
                for at, row in enumerate(cells.to_dict("records"))}  # fmt: skip
        assert typed_over(mine, columns, {}, same) == {}
        typed = typed_over(mine, columns, {}, same | {len(mine) - 1: {"year": 1987.0}})
        assert typed == {mine[-1].id: {"year": 1987}}
        corrections = corrections_of(mine, columns, typed)[0]
        assert corrections == [Correction(mine[-1].id, replace(mine[-1].facts, year=1987), mine[-1].revision)]
        assert cells_of(mine, columns, typed).loc[mine[-1].id, "year"] == 1987
        assert typed_over(mine, columns, typed, {}) == typed
        assert typed_over(mine, columns, typed, {len(mine) - 1: {"year": mine[-1].year}}) == {}


def test_cells_are_saved_as_revisions_with_who_when_and_why_and_are_undone(memory_page: AppTest) -> None:
    page, before = editing(memory_page, "Investments"), {it.id: it for it in stored()}
    titles = shown(page)
    type_in(page, {0: {"lesson": "Ask who pays.", "invested": "$2M"}, 2: {"outcome": "acquired"}})
    assert page.button(key="editor-save").label == "Save 3 cells"
    assert page.text_input(key="memory-search").disabled, "what is typed cannot be lost by a search"
    page.text_input(key="record-editor-why").set_value("The letter says so")
    click(page, "editor-save")
    now = {it.title: it for it in stored()}
    one, other = now[titles[0]], now[titles[2]]
    assert isinstance(one.facts, InvestmentFacts)
    assert (one.facts.lesson, one.facts.invested) == ("Ask who pays.", Money(Decimal(2_000_000), "USD"))
    assert other.outcome is Outcome.ACQUIRED
    last = runtime.services().ledger.revisions("local", one.id)[-1]
    assert (last.number, last.author, last.reason) == (before[one.id].revision + 1, "person", "The letter says so")
    assert "Corrected: 2 records." in words(page)
    assert not page.text_input(key="memory-search").disabled
    click(page, "undo-done")
    assert {it.id: it.facts for it in stored()} == {it.id: it.facts for it in before.values()}


def test_a_row_that_cannot_be_kept_is_told_and_keeps_the_others_back(memory_page: AppTest) -> None:
    page, before = editing(memory_page, "Bugs"), stored()
    titles = shown(page)
    type_in(page, {0: {"cwe": "SQL"}, 1: {"loss": "a lot"}, 2: {"year": 1850}, 3: {"symptom": ""}, 4: {"fix": "Fine."}})
    told = words(page)
    assert f"{titles[0]}: cwe must look like CWE-89." in told
    assert f"{titles[1]}: What it cost: 'a lot' is not one amount" in told
    assert f"{titles[2]}: year must lie between 1900 and 2100." in told
    assert f"{titles[3]}: Still needed: How it showed." in told
    assert titles[4] not in told
    assert page.button(key="editor-save").disabled
    assert stored() == before
    click(page, "editor-discard")
    assert "cannot be kept" not in words(page)
    assert page.button(key="editor-discard").disabled


def test_a_record_changed_elsewhere_is_told_and_not_written_over(memory_page: AppTest) -> None:
    page = editing(memory_page)
    titles = shown(page)
    type_in(page, {0: {"year": 1999}, 1: {"year": 1998}})
    record = next(it for it in stored() if it.title == titles[0])
    theirs = replace(record.facts, year=2001, outcome=Outcome.UNKNOWN)
    runtime.services().intake.revise(
        "local", record.id, theirs, author="ben", reason="knew better", now=datetime(2026, 11, 30, tzinfo=UTC)
    )
    page.run()
    told = words(page)
    assert f"{titles[0]}: This record was changed elsewhere meanwhile." in told
    assert f"{titles[0]}, Year: {record.year} became 2001, by ben" in told
    assert page.button(key="editor-save").disabled
    click(page, "editor-reload")
    assert page.button(key="editor-save").label == "Save 1 cell"
    click(page, "editor-save")
    now = {it.title: it for it in stored()}
    assert (now[titles[0]].facts, now[titles[1]].year) == (theirs, 1998)


def test_what_is_typed_outlives_a_look_at_another_view_and_a_cell_put_back_is_no_change(memory_page: AppTest) -> None:
    page = editing(memory_page)
    year = next(it for it in stored() if it.title == shown(page)[0]).year
    type_in(page, {0: {"year": 1991}})
    page.segmented_control(key="memory-view").set_value("In plots").run()
    page.segmented_control(key="memory-view").set_value("Browse").run()
    assert page.button(key="editor-save").label == "Save 1 cell"
    assert page.dataframe[0].value["year"].iloc[0] == 1991
    type_in(page, {0: {"year": year}})
    assert page.button(key="editor-save").disabled
    assert not page.text_input(key="memory-search").disabled


def test_a_change_that_is_quicker_than_the_save_is_not_written_over_either(memory_page: AppTest) -> None:
    page = editing(memory_page)
    title = shown(page)[2]
    type_in(page, {2: {"year": 1999}})
    record = next(it for it in stored() if it.title == title)
    theirs = replace(record.facts, year=2002)
    runtime.services().intake.revise("local", record.id, theirs, author="ben", reason="", now=datetime.now(UTC))
    click(page, "editor-save")
    assert next(it for it in stored() if it.id == record.id).facts == theirs
    assert f"{title}: This record was changed elsewhere meanwhile." in words(page)


def test_only_facts_have_cells_and_never_kind_origin_or_trust(memory_page: AppTest) -> None:
    page = editing(memory_page)
    config = json.loads(page.dataframe[0].proto.columns)
    assert [name for name, it in config.items() if it.get("disabled")] == ["kind", "origin", "trust"]
    facts = {*InvestmentFacts.__slots__, *BugFacts.__slots__}
    for kinds in (BOTH, BOTH[:1], BOTH[1:]):
        assert {name for it in columns_of(kinds) for name in it.fields.values()} <= facts
    page.selectbox(key="memory-kind").select("Opinions (evaluations)").run()
    assert page.toggle(key="memory-edit").disabled
    page.selectbox(key="memory-kind").select("Investments")
    page.selectbox(key="memory-status").select("Held for you").run()
    assert page.toggle(key="memory-edit").disabled


def test_a_column_sorts_by_itself_on_the_server_and_turns_around(memory_page: AppTest) -> None:
    page = memory_page
    titles = sorted((it.title for it in stored()), key=str.lower)
    choose_column(page, "Title")
    assert page.selectbox(key="memory-sort").value == "Title"
    assert shown(page) == titles
    choose_column(page, "Title")
    assert shown(page) == titles[::-1]
    choose_column(page, "Year")
    years = list(page.dataframe[0].value["Year"].dropna())
    assert years == sorted(years, reverse=True)
    choose_column(page, "About")
    assert page.selectbox(key="memory-sort").value == "Year"


@pytest.fixture
def views(seeded_app: None) -> list[str]:
    kept = runtime.services().saved_views
    for it in kept.list("local"):
        kept.delete("local", it.name)
    return []


def names() -> list[str]:
    return [it.name for it in runtime.services().saved_views.list("local")]


def test_a_view_is_named_chosen_changed_renamed_deleted_and_brought_back(views: None, memory_page: AppTest) -> None:
    page = memory_page
    page.text_input(key="memory-search").set_value("python")
    page.selectbox(key="memory-kind").select("Bugs").run()
    page.selectbox(key="memory-sort").select("Loss").run()
    found = shown(page)
    page.text_input(key="saved-view-name").set_value("Costly Python")
    click(page, "view-add")
    assert names() == ["Costly Python"]
    assert page.selectbox(key="saved-view").value == "Costly Python"
    page.text_input(key="memory-search").set_value("").run()
    page.number_input(key="memory-year").set_value(2021).run()
    assert shown(page) != found
    click(page, "view-back")
    assert (shown(page), page.number_input(key="memory-year").value) == (found, None)
    page.selectbox(key="memory-kind").select("All facts").run()
    click(page, "view-replace")
    page.text_input(key="saved-view-name").set_value("All Python")
    click(page, "view-rename")
    assert (names(), page.selectbox(key="saved-view").value) == (["All Python"], "All Python")
    click(page, "view-delete")
    assert names() == []
    assert "The view All Python was deleted." in words(page)
    click(page, "undo-done")
    assert names() == ["All Python"]
    other = AppTest.from_file(str(page._script_path), default_timeout=60).run().switch_page("pages/3_Memory.py").run()
    other.selectbox(key="saved-view").select("All Python").run()
    assert other.text_input(key="memory-search").value == "python"
    assert other.selectbox(key="memory-kind").value == "All facts"
    assert set(shown(other)) >= set(found)


def test_a_name_that_will_not_do_is_told_and_an_odd_view_opens_what_it_can(views: None, memory_page: AppTest) -> None:
    page, kept = memory_page, runtime.services().saved_views
    click(page, "view-add")
    assert "The name of a view has 1 to 60 characters." in words(page)
    odd = {"kind": "Spaceships", "year": 9999, "status": "Archived", "descending": "no", "search": 7, "else": None}
    kept.add("local", "Odd", odd, author="ana", now=datetime.now(UTC))
    page.run()
    page.selectbox(key="saved-view").select("Odd").run()
    assert not page.exception
    assert (page.selectbox(key="memory-kind").value, page.selectbox(key="memory-status").value) == (
        "All facts",
        "Archived",
    )
    page.text_input(key="saved-view-name").set_value("Odd")
    click(page, "view-add")
    assert "There is a view named Odd already." in words(page)
    kept.delete("local", "Odd")
    page.run()
    assert not page.exception
