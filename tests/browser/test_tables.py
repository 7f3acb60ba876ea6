"""Tables in the browser."""

from __future__ import annotations

from playwright.sync_api import Page, expect

from tests.browser.conftest import visit


def test_no_table_offers_a_csv_that_a_spreadsheet_would_run(page: Page) -> None:
    visit(page, "/Memory")
    page.get_by_test_id("stDataFrame").first.hover()
    toolbar = page.get_by_test_id("stElementToolbar").first
    expect(toolbar.get_by_label("Search")).to_be_visible()
    offer = toolbar.locator('[aria-label*="Download as CSV"]')
    expect(offer, "what is hidden is still what Streamlit calls it").to_have_count(1)
    expect(offer).to_be_hidden()
