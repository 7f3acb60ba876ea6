"""A rerun neither moves nor takes away anything on a page."""

from __future__ import annotations

from pathlib import Path

import pytest
from playwright.sync_api import Browser, Page, expect

from tests.browser.conftest import PATIENCE_MS, compose, drawn, running_app, settled, visit

DECK = """Verdant Tower builds a robot that picks lettuce in vertical farms at night.
Three growers pay us 900 euros a month each per machine. Two founders, both robot engineers."""
MOST_SHIFT = 0.1
WATCH = """() => {
  const main = document.querySelector('[data-testid=stMainBlockContainer]')
  window.shift = 0
  window.gone = []
  window.ran = 0
  new PerformanceObserver(list => {
    for (const it of list.getEntries()) window.shift += it.value
  }).observe({type: 'layout-shift', buffered: false})
  const elements = () => [...main.querySelectorAll('.stElementContainer')].filter(it => it.offsetHeight > 0)
  const kept = elements()
  window.kept = kept.length
  const look = () => {
    for (const it of kept) if (!it.isConnected || it.offsetHeight === 0) window.gone.push(it.className)
    requestAnimationFrame(look)
  }
  look()
  const app = document.querySelector('[data-testid=stApp]')
  new MutationObserver(changes => {
    window.ran += changes.length
  }).observe(app, {attributes: true, attributeFilter: ['data-test-script-state']})
}"""


def rerun_and_look(page: Page) -> None:
    """Rerun the page and fail on a shift, and on any element that goes away, were it for one frame."""
    drawn(page)
    page.wait_for_timeout(600)
    page.evaluate(WATCH)
    page.locator("[data-testid=stMain]").click(position={"x": 3, "y": 300})
    page.keyboard.press("r")
    page.wait_for_function("window.ran > 0")
    settled(page)
    page.wait_for_timeout(400)
    assert page.evaluate("window.kept") > 8, "there is something to watch"
    assert page.evaluate("window.gone") == []
    assert page.evaluate("window.shift") < MOST_SHIFT


def test_a_rerun_of_a_finished_audit_moves_nothing(page: Page) -> None:
    compose(page, "/Investment_Audit", DECK)
    page.locator("textarea").press("Control+Enter")
    expect(page.locator(".p-dial")).to_be_visible()
    rerun_and_look(page)


@pytest.mark.parametrize("path", ["/Memory", "/History", "/Status", "/"])
def test_a_rerun_of_a_page_moves_nothing(page: Page, path: str) -> None:
    visit(page, path)
    rerun_and_look(page)


def test_what_moves_or_goes_away_would_be_seen(page: Page) -> None:
    visit(page, "/Status")
    page.wait_for_timeout(600)
    page.evaluate(WATCH)
    page.evaluate("document.querySelector('.st-key-nav').style.marginTop = '300px'")
    page.evaluate("document.querySelectorAll('.stElementContainer')[9].style.display = 'none'")
    page.wait_for_timeout(500)
    assert page.evaluate("window.shift") >= MOST_SHIFT
    assert page.evaluate("window.gone.length") > 0


def test_a_server_that_stopped_is_said_in_our_words_and_the_text_stays(browser: Browser, tmp_path: Path) -> None:
    context = browser.new_context(viewport={"width": 1440, "height": 900})
    page = context.new_page()
    with running_app(tmp_path, {}) as address:
        compose(page, f"{address}/Investment_Audit", DECK)
        expect(page.locator(".p-offline")).to_be_hidden()
    expect(page.locator(".p-offline")).to_be_visible(timeout=PATIENCE_MS)
    expect(page.locator(".p-offline")).to_contain_text("Precedent does not answer.")
    expect(page.locator("textarea")).to_have_value(DECK)
    context.close()
