"""The table of records in the browser: searched letter by letter, acted on in bulk, corrected by keys alone."""

from __future__ import annotations

import json
import re

from playwright.sync_api import Locator, Page, expect

from tests.browser.conftest import settled, visit
from ui.components.tables import ROW_HEIGHT


def table(page: Page) -> Locator:
    settled(page)
    return page.get_by_test_id("stDataFrame").first


def tick(page: Page, *rows: int) -> None:
    """Tick rows one by one; the first moves the table down, under what can be done with them."""
    for count, row in enumerate(rows, start=1):
        table(page).click(position={"x": 16, "y": ROW_HEIGHT * (row + 1.5)})
        expect(page.get_by_text(f"{count} record{'s' if count > 1 else ''} ticked.")).to_be_visible()
    settled(page)


def press(page: Page, name: str) -> None:
    settled(page)
    page.get_by_role("button", name=name).click()
    settled(page)


def total(page: Page) -> int:
    """Read how many records are found, of which the page shows the first."""
    said = page.get_by_text(re.compile(r"^1 to \d+ of \d+\.")).inner_text()
    return int(said.split(" of ")[1].split(".")[0])


def test_ticked_records_are_exported_protected_archived_and_restored_and_each_is_undone(page: Page) -> None:
    visit(page, "/Memory")
    count = total(page)
    tick(page, 0, 1)
    with page.expect_download() as export:
        page.get_by_role("button", name="JSON Lines").first.click()
    lines = export.value.path().read_text("utf-8").splitlines()
    assert len([json.loads(line)["id"] for line in lines]) == 2
    press(page, "Protect 2")
    expect(page.get_by_text("Protected: 2.")).to_be_visible()
    press(page, "Undo")
    expect(page.get_by_text("Protected: 2.")).to_have_count(0)
    tick(page, 0, 1)
    press(page, "Archive 2")
    expect(page.get_by_text(f"of {count - 2}.")).to_be_visible()
    press(page, "Undo")
    expect(page.get_by_text(f"of {count}.")).to_be_visible()
    tick(page, 0)
    press(page, "Archive 1")
    expect(page.get_by_text(f"of {count - 1}.")).to_be_visible()
    page.get_by_role("combobox", name="Status").click()
    page.get_by_role("option", name="Archived").click()
    expect(page.get_by_text(f"of {count - 1}.")).to_have_count(0)
    tick(page, 0)
    press(page, "Restore 1")
    expect(page.get_by_text("Restored: 1.")).to_be_visible()


def test_a_record_is_found_letter_by_letter_and_corrected_by_keys_alone(page: Page) -> None:
    visit(page, "/Memory")
    count = total(page)
    page.get_by_role("textbox", name="Search").press_sequentially(
        "pickle", delay=30
    )  # the table has a button of that name
    expect(page.get_by_text(f"of {count}.")).to_have_count(0)
    assert 0 < total(page) < count
    page.get_by_text("Edit in the table").click()
    expect(page.get_by_text("Nothing is kept before you save.")).to_be_visible()
    page.get_by_label("Because").focus()
    while page.evaluate("document.activeElement.tagName") != "CANVAS":
        page.keyboard.press("Tab")
    page.keyboard.press("ArrowRight")
    page.keyboard.press("Enter")
    cell = page.locator("#portal input")
    expect(cell).to_be_focused()
    cell.fill("1850")
    page.keyboard.press("Enter")
    expect(page.get_by_text("year must lie between 1900 and 2100.")).to_be_visible()
    expect(page.get_by_role("button", name="Save 1 cell")).to_be_disabled()
    press(page, "Discard")
    expect(page.get_by_text("year must lie between")).to_have_count(0)
