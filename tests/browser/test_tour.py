"""The tour of the first run: by keys alone, never in the way, and never again once done or skipped."""

from __future__ import annotations

import sqlite3
from contextlib import closing
from pathlib import Path

import pytest
from playwright.sync_api import Page, expect

from tests.browser.conftest import settled, visit

TITLES = ("What to paste", "What “None found” means", "Where records come from", "Where decisions go")


@pytest.fixture
def first_visit(page: Page, app_home: Path) -> Page:
    """A tab of the app as it is before anybody has done or skipped the tour."""
    page.set_viewport_size({"width": 900, "height": 900})
    visit(page, "/")
    with closing(sqlite3.connect(app_home / "data" / "ledger.db", isolation_level=None)) as ledger:
        ledger.execute("DELETE FROM settings WHERE name = 'tour-local'")
    visit(page, "/")
    return page


def test_the_tour_is_walked_by_keys_and_does_not_come_back(first_visit: Page) -> None:
    page = first_visit
    card = page.locator(".st-key-tour")
    page.get_by_role("button", name="Next").focus()
    for title in TITLES:
        expect(card.get_by_role("heading")).to_have_text(title)
        assert page.evaluate("document.activeElement.innerText") in {"Next", "Done"}, "the focus stays where it was"
        page.keyboard.press("Enter")
    expect(card).to_have_count(0)
    page.reload()
    settled(page)
    expect(page.get_by_text("Your memory")).to_be_visible()
    expect(card).to_have_count(0)


def test_a_skipped_tour_stays_away_from_other_tabs_too_and_blocked_nothing(first_visit: Page) -> None:
    page = first_visit
    page.get_by_role("button", name="Next").click()
    page.get_by_role("button", name="Back").click()
    expect(page.locator(".st-key-tour").get_by_role("heading")).to_have_text(TITLES[0])
    page.get_by_role("link", name="Audit a deck").click()
    expect(page.get_by_role("heading", level=1)).to_have_text("Investment audit")
    visit(page, "/")
    page.get_by_role("button", name="Skip the tour").click()
    expect(page.locator(".st-key-tour")).to_have_count(0)
    another = page.context.new_page()
    visit(another, "/")
    expect(another.get_by_text("Your memory")).to_be_visible()
    expect(another.locator(".st-key-tour")).to_have_count(0)
