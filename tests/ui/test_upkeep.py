"""Upkeep on the Memory page: each chore is shown before it is done, done on real parts, and undone where it can be."""

from __future__ import annotations

from datetime import timedelta

import pytest
from sqlalchemy import text
from streamlit.testing.v1 import AppTest

from memory.records import Door, InvestmentFacts, Kind, Record, Status
from tests.ui.looking import click, words
from ui import runtime


def put(company: str, summary: str = "Grew fennel in containers and sold it daily to supermarkets.") -> Record:
    return runtime.services().intake.remember(
        "local", Kind.INVESTMENT, InvestmentFacts(company, summary=summary), door=Door.FORM, source="form",
        author="ana", now=runtime.now(),
    )  # fmt: skip


def status(record: Record) -> Status:
    return runtime.services().ledger.get("local", [record.id])[record.id].status


def active() -> int:
    return runtime.services().ledger.counts("local")[Kind.INVESTMENT]


@pytest.fixture
def upkeep(memory_page: AppTest) -> AppTest:
    memory_page.segmented_control(key="memory-view").set_value("Upkeep").run()
    assert not memory_page.exception
    return memory_page


def finish(page: AppTest, key: str) -> AppTest:
    """Press a button and wait for the job it starts."""
    page.button(key=key).click().run()
    if "upkeep-job" in page.session_state:
        job = runtime.upkeep().get(page.session_state["upkeep-job"][1])
        assert job is None or job.wait(60)
        page.run()
    assert not page.exception
    return page


def test_what_would_be_archived_is_listed_with_scores_then_archived_then_restored(upkeep: AppTest) -> None:
    before = active()
    upkeep.number_input(key="archive-keep-investment").set_value(before - 2).run()
    page = finish(upkeep, "archive-list")
    assert "2 records would be archived. Nothing is done yet." in words(page)
    listed = next(it.value for it in page.dataframe if "Worth keeping" in it.value)
    assert list(listed["Worth keeping"]) == sorted(listed["Worth keeping"])
    assert active() == before
    finish(page, "archive-do")
    assert "2 records archived" in words(page)
    assert active() == before - 2
    finish(page, "archive-undo")
    assert "2 records restored" in words(page)
    assert active() == before


def test_near_duplicates_are_merged_one_by_one_and_parted_again(upkeep: AppTest) -> None:
    first, second = put("Fennel Farm"), put("Fennel Farms")
    page = finish(upkeep, "merge-list")
    assert "1 pair to look at." in words(page)
    click(page, f"merge-{first.id}-{second.id}")
    assert (status(first), status(second)) == (Status.ACTIVE, Status.ARCHIVED)
    click(page, "merge-undo")
    assert status(second) is Status.ACTIVE
    finish(page, "merge-list")
    click(page, f"apart-{first.id}-{second.id}")
    assert "No two investments are nearly the same" in words(page)


def test_what_was_forgotten_is_erased_only_when_due_and_asked_for_with_a_receipt(upkeep: AppTest) -> None:
    record = put("Gherkin Gym", "A gym that pays its members to come.")
    services = runtime.services()
    move = services.lifecycle.move
    move("local", [record.id], Status.FORGOTTEN, author="ana", reason="", now=runtime.now())
    page = upkeep.run()
    assert "None of it is due to be erased yet." in words(page)
    move("local", [record.id], Status.ACTIVE, author="ana", reason="", now=runtime.now())
    before = runtime.now() - timedelta(days=8)
    move("local", [record.id], Status.FORGOTTEN, author="ana", reason="", now=before)
    page.run()
    assert page.button(key="purge-do").disabled
    page.checkbox(key="purge-sure").check().run()
    finish(page, "purge-do")
    assert "1 record erased at change" in words(page)
    assert "found nowhere" in words(page)
    assert "before-purge-" in words(page)
    assert services.ledger.get("local", [record.id])[record.id].title == "(erased)"


def test_a_backup_is_made_and_restored_after_asking(upkeep: AppTest) -> None:
    page = finish(upkeep, "backup-do")
    assert "are in backup-" in words(page)
    late = put("Late Lemons", "Lemons by post.")
    name = next(it for it in page.selectbox(key="restore-name").options if it.startswith("backup-"))
    page.selectbox(key="restore-name").select(name.split(",")[0]).run()
    assert page.button(key="restore-do").disabled
    page.checkbox(key="restore-sure").check().run()
    finish(page, "restore-do")
    assert "Restored: " in words(page)
    assert "kept in before-restore-" in words(page)
    services = runtime.services()
    assert services.ledger.get("local", [late.id]) == {}
    assert services.index.position() == services.ledger.head()


def test_the_index_is_built_anew_from_the_ledger(upkeep: AppTest) -> None:
    services = runtime.services()
    held = dict(services.index.counts())
    page = finish(upkeep, "index-anew")
    assert f"Indexed, up to change {services.ledger.head():,}." in words(page)
    assert dict(services.index.counts()) == services.ledger.entry_counts()
    assert held


def test_the_check_says_clean_and_then_names_the_first_break(upkeep: AppTest) -> None:
    page = finish(upkeep, "chain-do")
    assert "Clean: " in words(page)
    with runtime.services().ledger.engine.begin() as connection:
        for name in connection.execute(text("SELECT name FROM sqlite_master WHERE type = 'trigger'")).scalars().all():
            connection.execute(text(f"DROP TRIGGER {name}"))
        connection.execute(text("UPDATE changes SET reason = 'nothing to see' WHERE number = 3"))
    finish(page, "chain-do")
    assert "Not clean." in words(page)
    assert "The first break is at change 3." in words(page)
