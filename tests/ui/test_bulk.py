"""Ticked rows on the Memory page: what each button would change is said, done at once, and undone exactly."""

from __future__ import annotations

from streamlit.testing.v1 import AppTest

from memory.records import Status
from tests.ui.looking import click, words
from ui import runtime


def tick(page: AppTest, *rows: int) -> AppTest:
    table = page.dataframe[0].proto.id.split("-", 2)[2]
    page.session_state[table] = {"selection": {"rows": list(rows), "columns": [], "cells": []}}
    page.run()
    assert not page.exception
    return page


def standing() -> dict[str, tuple[Status, bool]]:
    found = runtime.services().ledger.find("local", statuses=tuple(Status), limit=1_000).records
    return {it.title: (it.status, it.protected) for it in found}


def test_ticked_records_are_protected_and_archived_and_each_is_undone(memory_page: AppTest) -> None:
    page = memory_page
    before = standing()
    titles = list(page.dataframe[0].value["Title"])[:3]
    tick(page, 0)
    click(page, "bulk-protect")
    assert standing()[titles[0]] == (Status.ACTIVE, True)
    now = list(page.dataframe[0].value["Title"])
    tick(page, *(now.index(it) for it in titles))
    assert "3 records ticked. 1 is protected and stays." in words(page)
    assert page.button(key="bulk-archive").label == "Archive 2"
    click(page, "bulk-archive")
    assert [standing()[it][0] for it in titles] == [Status.ACTIVE, Status.ARCHIVED, Status.ARCHIVED]
    assert "Archived: 2." in words(page) and "1 is protected and stays." in words(page)
    click(page, "undo-done")
    assert "Archived: 2." not in words(page)
    now = list(page.dataframe[0].value["Title"])
    click(tick(page, now.index(titles[0])), "bulk-unprotect")
    assert standing() == before


def test_what_is_ticked_can_be_exported(memory_page: AppTest) -> None:
    page = tick(memory_page, 0, 1)
    assert [it.proto.label for it in page.get("download_button")] == ["CSV", "JSON Lines"] * 2
