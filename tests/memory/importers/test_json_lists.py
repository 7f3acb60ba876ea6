"""The records of a JSON file are found wherever its program has put them."""

from __future__ import annotations

import json
from typing import Any

import pytest

from memory.errors import ImportRefused
from memory.importers.json_lists import find_records
from memory.importers.mapping import guess_mapping
from memory.importers.planning import plan_import
from memory.importers.reading import read_table
from memory.records import BugFacts, Kind, Outcome

ONE = {"title": "Timer drifts", "createdAt": "2022-01-02T00:00:00Z", "state": {"name": "Done"}}
TWO = {"title": "Leaks", "createdAt": "2023-01-02T00:00:00Z", "state": {"name": "Todo"}}


@pytest.mark.parametrize(
    "value",
    [
        {"data": {"issues": {"nodes": [ONE, TWO], "pageInfo": {"hasNextPage": False}}}},
        {"data": {"team": {"id": "t", "name": "Core", "issues": {"edges": [{"node": ONE}, {"node": TWO}]}}}},
        {"data": {"repository": {"issues": {"totalCount": 2, "nodes": [ONE, TWO]}}}},
        [[ONE], [TWO]],
        {"A-1": ONE, "A-2": TWO},
        [list(ONE), list(ONE.values()), list(TWO.values())],
        {name: {"0": ONE[name], "1": TWO[name]} for name in ("title", "createdAt")},
    ],
)
def test_records_are_found_in_every_wrapping(value: Any) -> None:
    assert [it["title"] for it in find_records(value)] == ["Timer drifts", "Leaks"]


def test_one_record_is_not_taken_apart_into_its_labels() -> None:
    issue = ONE | {"labels": [{"name": "bug"}, {"name": "p1"}]}
    assert find_records(issue) == [issue]


def test_pages_printed_one_after_another_are_one_list() -> None:
    table = read_table(f"{json.dumps([ONE])}{json.dumps([TWO])}\n".encode(), "pages.json")
    assert len(table.rows) == 2


def test_a_value_without_records_is_refused() -> None:
    for text in ("42", "[1, 2]", '["a"]', "[]"):
        with pytest.raises(ImportRefused):
            read_table(text.encode(), "x.json")


def test_what_stands_beside_an_amount_is_kept_and_a_zero_date_is_none() -> None:
    deal = {"company": "Quill", "investment": {"amount": 15, "currency": "EUR", "date": "2016-09-01"}}
    table = read_table(json.dumps([deal]).encode(), "x.json")
    assert dict(zip(table.columns, table.rows[0].cells, strict=True)) == {
        "company": "Quill",
        "investment": "EUR 15",
        "investment.date": "2016-09-01",
    }
    issue = {"number": 1, "title": "Log is empty", "state": "OPEN", "labels": [], "closedAt": "0001-01-01T00:00:00Z"}
    bugs = read_table(json.dumps([issue]).encode(), "gh.json")
    (row,) = plan_import(bugs, guess_mapping(bugs)).accepted
    assert row.facts == BugFacts("Log is empty", outcome=Outcome.OPEN)


def test_a_priority_in_words_counts_before_its_number() -> None:
    issue = ONE | {"identifier": "E-1", "team": {"name": "Core"}, "priority": 1, "priorityLabel": "Low"}
    table = read_table(json.dumps([issue]).encode(), "linear.json")
    (row,) = plan_import(table, guess_mapping(table, Kind.BUG)).accepted
    assert isinstance(row.facts, BugFacts)
    assert (row.facts.severity, row.facts.outcome) == ("low", Outcome.FIXED)
