"""A person settles what waits and looks after the memory, in the real app."""

from __future__ import annotations

from dataclasses import replace
from datetime import UTC, datetime
from pathlib import Path

import pytest
from playwright.sync_api import Page, expect

from memory.embed import MiniLmEmbedder
from memory.intake import Intake
from memory.ledger import Ledger
from memory.records import Door, InvestmentFacts, Kind, Outcome, Record
from tests.browser.conftest import visit

KELP = InvestmentFacts("Marsh Kelp", summary="Dries kelp on racks by the sea", outcome=Outcome.SHUT_DOWN, year=2018)


def put(home: Path, facts: InvestmentFacts, door: Door) -> Record:
    """Write beside the running app, as the agents' server does."""
    ledger = Ledger.open(f"sqlite:///{home / 'data' / 'ledger.db'}")
    try:
        return Intake(ledger, MiniLmEmbedder()).remember(
            "local", Kind.INVESTMENT, facts, door=door, source="mcp", author="agent", now=datetime.now(UTC)
        )
    finally:
        ledger.close()


@pytest.fixture
def queue(page: Page, app_home: Path) -> Page:
    visit(page, "/Memory")
    expect(page.get_by_text("Browse", exact=True)).to_be_visible()
    return page


def test_what_an_agent_wrote_is_verified_in_one_click_and_taken_back(queue: Page, app_home: Path) -> None:
    record = put(app_home, replace(KELP, company="Dune Racks"), Door.AGENT)
    queue.reload()
    queue.get_by_text("To review (1)").click()
    card = queue.locator(f".st-key-waits-{record.id}")
    expect(card).to_contain_text("An agent brought it, and nobody has vouched for it")
    card.get_by_role("button", name="Verify").click()
    expect(queue.get_by_text("Nothing waits for you")).to_be_visible()
    queue.get_by_role("button", name="Undo").click()
    card.get_by_role("button", name="Reject").click()
    expect(queue.get_by_text("was rejected")).to_be_visible()


def test_a_contradiction_stands_side_by_side_until_one_side_is_chosen(queue: Page, app_home: Path) -> None:
    put(app_home, KELP, Door.FORM)
    new = put(app_home, replace(KELP, outcome=Outcome.ACQUIRED), Door.FORM)
    queue.reload()
    queue.get_by_text("To review (1)").click()
    card = queue.locator(f".st-key-waits-{new.id}")
    expect(card.get_by_text("differs").first).to_be_visible()
    card.get_by_role("button", name="This one is right").first.click()
    expect(queue.get_by_text("Nothing waits for you")).to_be_visible()
    visit(queue, f"/Memory?record={new.id}")
    expect(queue.get_by_text("Family and trust")).to_be_visible()
    expect(queue.get_by_text("90% now, 90% at first")).to_be_visible()


def test_the_memory_is_backed_up_and_found_clean(queue: Page) -> None:
    queue.get_by_text("Upkeep", exact=True).click()
    queue.get_by_role("button", name="Back up now").click()
    expect(queue.get_by_text("changes are in backup-")).to_be_visible()
    queue.get_by_role("button", name="Check now").click()
    expect(queue.get_by_text("are as they were written")).to_be_visible()
