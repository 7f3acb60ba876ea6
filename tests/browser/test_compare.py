"""A person compares two versions, sees the past in plots and reads the patterns, in the real app."""

from __future__ import annotations

from pathlib import Path

import pytest
from playwright.sync_api import Page, expect

from memory.embed import MiniLmEmbedder
from memory.intake import Intake
from memory.ledger import Ledger
from memory.records import BugFacts, Door, Kind
from tests.browser.conftest import compose, settled, visit
from tests.ui.samples import NOW

FIRST = """Tide Loom weaves rope from kelp.
Nobody pays us yet and we have no revenue. We will think about prices later.
One founder does it all. We raise 200,000 euros for four months of runway."""
SECOND = FIRST.replace(
    "Nobody pays us yet and we have no revenue. We will think about prices later.",
    "Eleven harbours pay us 700 euros a month each. Gross margin is 58 percent.",
)
CODE = """def find(cursor, name):
    cursor.execute("SELECT * FROM users WHERE name = '" + name + "'")
    return cursor.fetchone()
"""


def audited(page: Page, path: str, text: str) -> str:
    compose(page, path, text)
    page.locator("textarea").press("Control+Enter")
    expect(page.locator(".p-dial")).to_be_visible()
    page.wait_for_url("**audit=**")
    settled(page)
    return page.url.split("audit=")[1]


def plots_drawn(page: Page, count: int) -> None:
    expect(page.locator(".js-plotly-plot .main-svg:first-child")).to_have_count(count)


@pytest.mark.parametrize(
    ("path", "first", "second", "moved"),
    [
        ("/Investment_Audit", FIRST, SECOND, "Eleven harbours pay us"),
        ("/Bug_Triage", CODE, CODE.replace('"SELECT * FROM users WHERE name = \'" + name + "\'"',
                                           '"SELECT * FROM users WHERE name = ?", (name,)'), "name = ?"),
    ],
)  # fmt: skip
def test_a_second_version_is_compared_with_the_first_in_one_click(
    page: Page, path: str, first: str, second: str, moved: str
) -> None:
    audited(page, path, first)
    audited(page, path, second)
    page.get_by_role("link", name="Compare with the last audit").click()
    expect(page.locator(".p-pair .p-dial")).to_have_count(2)
    expect(page.get_by_text("rose by")).to_be_visible()
    expect(page.locator(".p-revised ins").first).to_be_visible()
    expect(page.locator(".p-revised")).to_contain_text(moved)
    expect(page.locator(".p-list-head", has_text="Gone")).not_to_contain_text("(0)")
    plots_drawn(page, 1)
    page.get_by_role("button", name="All audits").click()
    expect(page.get_by_text("Tick a row to open the audit")).to_be_visible()


def test_two_audits_are_picked_from_the_list(page: Page) -> None:
    audited(page, "/Investment_Audit", FIRST + "\nA first remark.")
    audited(page, "/Investment_Audit", FIRST + "\nAnother remark.")
    visit(page, "/History")
    page.get_by_text("Compare two audits").click()
    page.get_by_role("button", name="Compare", exact=True).click()
    expect(page.locator(".p-pair")).to_be_visible()
    assert "a=" in page.url and "b=" in page.url
    page.reload()
    expect(page.locator(".p-pair")).to_be_visible()


def test_what_was_audited_is_seen_on_the_map_of_the_memory(page: Page) -> None:
    audited(page, "/Investment_Audit", SECOND + "\nSeen on the map.")
    page.get_by_text("Where it lies among your records").click()
    expect(page.get_by_text("The star is this deck")).to_be_visible()
    plots_drawn(page, 3)


def test_the_memory_in_plots_leads_to_its_patterns_and_their_records(page: Page, app_home: Path) -> None:
    visit(page, "/Memory")
    ledger = Ledger.open(f"sqlite:///{app_home / 'data' / 'ledger.db'}")
    intake = Intake(ledger, MiniLmEmbedder())
    for at, place in enumerate(("login", "search", "export", "report", "basket", "upload", "invoice", "profile")):
        facts = BugFacts(
            f"Query joined in the {place}", "python", "CWE-89", "high", 2010 + at, symptom=f"The {place} broke.",
            root_cause="The query was joined from strings.", fix="Bound.",
        )  # fmt: skip
        intake.remember("local", Kind.BUG, facts, door=Door.FORM, source="form", author="person", now=NOW)
    ledger.close()
    page.get_by_text("In plots", exact=True).click()
    plots_drawn(page, 6)
    page.get_by_role("link", name="Patterns in these records").click()
    card = page.locator(".st-key-pattern-0")
    expect(card).to_contain_text("observation, derived")
    card.get_by_text("The records behind it").click()
    card.get_by_role("link").first.click()
    expect(page.get_by_text("Where it comes from")).to_be_visible()


def test_home_shows_the_past_at_a_glance(page: Page) -> None:
    page.goto("/")
    expect(page.get_by_text("records say that")).to_be_visible()
    plots_drawn(page, 2)
