"""The language of the browser, in real sessions side by side."""

from __future__ import annotations

from playwright.sync_api import Browser, Page, expect

from tests.browser.conftest import PATIENCE_MS, settled


def opened(browser: Browser, address: str, locale: str) -> Page:
    context = browser.new_context(base_url=address, locale=locale, viewport={"width": 1440, "height": 900})
    context.set_default_timeout(PATIENCE_MS)
    return context.new_page()


def test_each_browser_gets_its_own_language_from_one_server(browser: Browser, address: str) -> None:
    chinese, english = opened(browser, address, "zh-CN"), opened(browser, address, "en-GB")
    for path in ("/Memory", "/Status"):
        chinese.goto(path)
        english.goto(path)
        settled(chinese)
        settled(english)
    expect(chinese.get_by_role("heading", name="状态", exact=True)).to_be_visible()
    expect(english.get_by_role("heading", name="Status", exact=True)).to_be_visible()
    expect(chinese.locator("html")).to_have_attribute("lang", "zh-Hans-CN")
    expect(english.locator("html")).to_have_attribute("lang", "en")
    chinese.reload()
    settled(chinese)
    expect(chinese.get_by_role("heading", name="状态", exact=True)).to_be_visible()
    for page in (chinese, english):
        page.context.close()
