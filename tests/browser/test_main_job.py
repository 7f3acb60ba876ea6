"""What a user does: audit, read, add, find again."""

from __future__ import annotations

import re

import pypdfium2 as pdfium
from playwright.sync_api import Page, expect

from tests.browser.conftest import compose, settled, visit

LOGIN = """def find_user(cursor, name, password):
    query = "SELECT * FROM users WHERE name = '" + name + "' AND password = '" + password + "'"
    cursor.execute(query)
    return cursor.fetchone()
"""
ROBOT = """Verdant Tower builds a robot that picks lettuce in vertical farms at night.
Three growers pay us 900 euros a month each per machine. Gross margin is 61 percent.
Two founders, both robot engineers. We raise 800,000 euros for 18 months of runway."""


PAGES = {
    "/": "What really happened to you",
    "/Investment_Audit": "Investment audit",
    "/Bug_Triage": "Bug triage",
    "/Memory": "Memory",
    "/History": "History",
    "/Track_Record": "Track record",
    "/Status": "Status",
}


def audit(page: Page, path: str, text: str) -> None:
    compose(page, path, text)
    page.locator("textarea").press("Control+Enter")
    expect(page.locator(".p-dial")).to_be_visible()


def test_every_page_opens_by_its_own_address(page: Page) -> None:
    for path, title in PAGES.items():
        visit(page, path)
        expect(page.get_by_role("heading", level=1)).to_contain_text(title)
        settled(page)
        expect(page.get_by_role("link", name="Memory").first).to_be_visible()
        expect(page.get_by_text("Something went wrong")).to_have_count(0)
        expect(page.locator("[data-testid=stException]")).to_have_count(0)
        assert not re.search("sign (in|out)", page.locator("body").inner_text().lower()), "no sign-in is set up"


def test_the_payments_example_brings_back_the_2022_start_up_and_prints_on_two_pages(page: Page) -> None:
    visit(page, "/Investment_Audit")
    page.locator(".st-key-examples button").first.click()
    expect(page.locator("textarea")).not_to_be_empty()
    page.get_by_role("button", name="Audit this deck").click()
    card = page.locator("[class*=st-key-card-]").first
    expect(card).to_contain_text("2022")
    expect(card).to_contain_text("₹50,000")
    expect(card).to_contain_text("Lesson")
    expect(page.get_by_text("the rule analyst").first).to_be_visible()
    settled(page)
    with page.expect_download() as download:
        page.get_by_role("button", name="HTML").click()
    page.set_content(download.value.path().read_text(encoding="utf-8"))
    expect(page.locator(".card")).to_contain_text("₹50,000")
    printed = pdfium.PdfDocument(page.pdf(format="A4"))
    assert len(printed) <= 2
    printed.close()


def test_a_deck_like_nothing_in_memory_says_none_found(page: Page) -> None:
    audit(page, "/Investment_Audit", ROBOT)
    expect(page.locator(".p-state .p-head")).to_have_text("None found")
    expect(page.locator("[class*=st-key-card-]")).to_have_count(0)
    expect(page.get_by_text(re.compile("fundamentals")).first).to_be_visible()


def test_a_login_query_by_concatenation_brings_back_the_past_bug_and_its_fix(page: Page) -> None:
    audit(page, "/Bug_Triage", LOGIN)
    card = page.locator("[class*=st-key-card-]").first
    expect(card).to_contain_text("SQL injection")
    expect(card).to_contain_text("The fix that worked")
    expect(card).to_contain_text("$18,400")
    expect(page.locator("mark.critical").filter(has_text="SELECT").first).to_be_visible()


def test_a_click_on_a_finding_marks_its_passage_and_a_click_on_a_passage_its_finding(page: Page) -> None:
    audit(page, "/Bug_Triage", LOGIN)
    row = page.locator("li:not(.precedent)", has=page.locator("button:not([disabled])")).first
    row.click()
    expect(row).to_have_class(re.compile(r"\bon\b"))
    expect(page.locator("mark.on").first).to_be_in_viewport()
    page.locator("mark").first.click()
    expect(page.locator("li.on")).to_have_count(1)


def test_pasted_markup_is_shown_as_text_and_runs_nothing(page: Page) -> None:
    nasty = (
        "<script>window.hacked=1</script> We sell <img src=x onerror='window.hacked=2'> to shops. "
        "Everything is free for ever and no one pays us anything. One founder does it all alone."
    )
    audit(page, "/Investment_Audit", nasty)
    expect(page.get_by_text("<script>window.hacked=1</script>").first).to_be_visible()
    assert page.evaluate("window.hacked") is None
    assert page.locator("img[src=x]").count() == 0


def test_what_is_added_is_recalled_by_the_next_audit(page: Page) -> None:
    visit(page, "/Memory")
    page.get_by_text("Add an investment").click()
    fill = page.get_by_label
    fill("Company *").fill("Pelican Kelp Feed")
    fill("Sector").fill("cattle feed from seaweed")
    fill("What it was *").fill("Grew kelp at sea and sold it as feed that lowers methane from dairy cattle.")
    fill("Invested", exact=True).fill("€200k")
    fill("Why it ended so").fill("Dairy farms would not pay more for kelp feed than for soy.")
    fill("Lesson", exact=True).fill("Ask three dairy farms for a signed price before the pilot.")
    page.get_by_role("button", name="Remember it").click()
    expect(page.get_by_text("is in your memory")).to_be_visible()
    deck = (
        "Tidefeed grows kelp at sea and sells it as cattle feed that lowers methane from dairy cattle.\n"
        "Dairy farms get seaweed feed by the sack. Pilots run on two dairy farms. No price is agreed yet."
    )
    audit(page, "/Investment_Audit", deck)
    card = page.locator("[class*=st-key-card-]").first
    expect(card).to_contain_text("Pelican Kelp Feed")
    expect(card).to_contain_text("€200,000")


def test_a_form_with_something_missing_says_what_and_keeps_what_was_typed(page: Page) -> None:
    visit(page, "/Memory")
    page.get_by_text("Add a bug").click()
    page.get_by_label("Bug *").fill("Clock drift in the scheduler")
    page.get_by_role("button", name="Remember it").click()
    expect(page.get_by_text("Still needed: How it showed")).to_be_visible()
    expect(page.get_by_label("Bug *")).to_have_value("Clock drift in the scheduler")


def test_an_audit_opens_again_from_its_address_exactly_as_it_was(page: Page) -> None:
    audit(page, "/Investment_Audit", ROBOT)
    settled(page)
    before = page.locator(".p-verdict").text_content()
    page.reload()
    expect(page.locator(".p-dial")).to_be_visible()
    assert page.locator(".p-verdict").text_content() == before


def test_history_opens_a_past_audit(page: Page) -> None:
    audit(page, "/Investment_Audit", f"{ROBOT}\nWe have no debt.")
    settled(page)
    before = page.locator(".p-verdict").text_content()
    visit(page, "/History")
    table = page.locator("[data-testid=stDataFrame]")
    expect(table).to_be_visible()
    box = table.bounding_box()
    assert box
    page.mouse.click(box["x"] + 18, box["y"] + 38 * 1.5)
    expect(page.locator(".p-dial")).to_be_visible()
    assert page.locator(".p-verdict").text_content() == before


def test_what_cannot_be_judged_is_refused_in_plain_words(page: Page) -> None:
    compose(page, "/Investment_Audit", "   \n\t ")
    for text, said in (
        ("   \n\t ", "nothing to audit"),
        ("🙂🙂🙂", "too little to judge"),
        ("\x01\x02" * 40, "looks like a binary file"),
        ("", "nothing to audit"),
        ("a" * 1_000_000, "1,000,000 characters long"),
    ):
        page.locator("textarea").fill(text)
        page.get_by_role("button", name="Audit this deck").click()
        expect(page.get_by_text(re.compile(said))).to_be_visible()
        expect(page.locator(".p-dial")).to_have_count(0)
    assert "audit=" not in page.url
