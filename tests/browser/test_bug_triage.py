"""Bug triage with what engineers have at hand: a diff, and text that is no code."""

from __future__ import annotations

import json
import re

from playwright.sync_api import Page, expect

from tests.audit.test_diff import DIFF
from tests.audit.test_judge import PROSE
from tests.browser.conftest import compose, settled

RECURS = re.compile(r"past bugs? of yours recurs?")


def test_a_diff_is_triaged_exported_as_sarif_and_stays_after_a_refresh(page: Page) -> None:
    compose(page, "/Bug_Triage", DIFF)
    page.locator("textarea").press("Control+Enter")
    expect(page.get_by_text(RECURS)).to_be_visible()
    expect(page.locator("[class*=st-key-card-]").filter(has_text="SQL injection").first).to_be_visible()
    settled(page)
    with page.expect_download() as download:
        page.get_by_role("button", name="SARIF").click()
    sarif = json.loads(download.value.path().read_text(encoding="utf-8"))
    place = sarif["runs"][0]["results"][0]["locations"][0]["physicalLocation"]
    assert (place["artifactLocation"]["uri"], place["region"]["startLine"]) == ("shop/login.py", 14)
    page.reload()
    expect(page.get_by_text(RECURS)).to_be_visible()
    page.get_by_role("link", name="Open its audit").first.click()
    expect(page.locator(".p-dial")).to_be_visible()
    expect(page.locator(".evidence .n").first).to_have_text("10")


def test_a_deck_sent_as_code_is_not_judged_and_moves_to_its_own_page(page: Page) -> None:
    compose(page, "/Bug_Triage", PROSE)
    page.locator("textarea").press("Control+Enter")
    expect(page.get_by_text("This looks like prose, not code.")).to_be_visible()
    expect(page.locator(".p-dial")).to_have_count(0)
    settled(page)
    page.get_by_role("button", name="Audit a deck").click()
    expect(page.get_by_role("heading", level=1)).to_contain_text("Investment audit")
    expect(page.locator("textarea")).to_have_value(PROSE)
