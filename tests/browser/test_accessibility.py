"""No page breaks a rule of accessibility seriously, in light or in dark; all that is done by mouse is done by keys."""

from __future__ import annotations

import json
from collections.abc import Iterator
from datetime import UTC, datetime
from pathlib import Path

import pytest
from axe_playwright_python.base import AXE_SCRIPT
from playwright.sync_api import Browser, Page, expect

from audit.examples import examples
from audit.modes import MODES
from audit.service import run_audit
from audit.submission import make_submission
from settings import Settings
from tests.browser.conftest import PATIENCE_MS, running_app, settled
from wiring import build_services

SERIOUS = {"serious", "critical"}
HELD_TOO = {"heading-order"}
"""Rules that axe calls moderate, and that hold all the same."""
STREAMLIT_ITSELF: tuple[tuple[str, str, str], ...] = ()
"""What Streamlit's own parts break and we cannot mend: rule, a piece of the node's selector, the reason."""

EMPTY = ("/", "/Investment_Audit", "/Bug_Triage", "/Memory", "/History", "/Track_Record", "/Status")
FULL = ("/", "/Investment_Audit?audit={deck}", "/Investment_Audit?audit={other}", "/Bug_Triage?audit={code}", "/Memory",
        "/Memory?record=seed-bug-login-sql-injection", "/History", "/Track_Record", "/Status")  # fmt: skip
IN_LIGHT = pytest.mark.parametrize("tab", ["light"], indirect=True)
VIEWS = ("To review", "In plots", "Add a bug", "Import a file", "Upkeep")


@pytest.fixture(scope="module")
def empty_app(tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    with running_app(tmp_path_factory.mktemp("empty"), {}) as address:
        yield address


@pytest.fixture(scope="module")
def full(tmp_path_factory: pytest.TempPathFactory) -> Iterator[tuple[str, dict[str, str]]]:
    """The app on a memory with finished audits: its address, and the audits' ids by name."""
    home: Path = tmp_path_factory.mktemp("full")
    services = build_services(Settings(_env_file=None, home=home / "data", models=""))
    names = {}
    for name, mode, number in (("deck", "investment", 0), ("other", "investment", 1), ("code", "bug", 0)):
        submission = make_submission(MODES[mode], examples(mode)[number].text)
        names[name] = str(run_audit(services, MODES[mode], submission, now=datetime.now(UTC)).saved_as)
    services.close()
    with running_app(home, {}) as address:
        yield address, names


@pytest.fixture(params=["light", "dark"])
def tab(request: pytest.FixtureRequest, browser: Browser) -> Iterator[Page]:
    context = browser.new_context(viewport={"width": 1440, "height": 900}, color_scheme=request.param)
    context.set_default_timeout(PATIENCE_MS)
    yield context.new_page()
    context.close()


def broken_rules(page: Page) -> list[str]:
    """Run axe on the page as it stands; list what is serious or held too, but for what Streamlit itself breaks."""
    settled(page)
    page.wait_for_function("!document.querySelector('[data-testid=stSkeleton]')")
    if not page.evaluate("'axe' in window"):
        page.evaluate(AXE_SCRIPT)
    found = page.evaluate("axe.run(document, {resultTypes: ['violations']})")
    return [
        f"{page.url} {rule['id']} {node['target']}: {node['html'][:200]} {json.dumps(node['any'])[:300]}"
        for rule in found["violations"]
        if rule["impact"] in SERIOUS or rule["id"] in HELD_TOO
        for node in rule["nodes"]
        if not any(rule["id"] == name and piece in str(node["target"]) for name, piece, _ in STREAMLIT_ITSELF)
    ]


@IN_LIGHT
def test_a_broken_rule_would_be_found(tab: Page) -> None:
    tab.set_content("<html lang=en><title>t</title><main><p style='color:#999;background:#fff'>pale</p></main>")
    tab.evaluate(AXE_SCRIPT)
    rules = tab.evaluate("axe.run(document, {resultTypes: ['violations']})")["violations"]
    assert "color-contrast" in {rule["id"] for rule in rules if rule["impact"] in SERIOUS}


def test_no_page_of_an_empty_memory_breaks_a_serious_rule(tab: Page, empty_app: str) -> None:
    broken = []
    for path in EMPTY:
        tab.goto(empty_app + path)
        broken += broken_rules(tab)
    assert not broken, "\n".join(broken)


def test_no_page_of_a_used_memory_breaks_a_serious_rule(tab: Page, full: tuple[str, dict[str, str]]) -> None:
    address, names = full
    broken = []
    for path in FULL:
        tab.goto(address + path.format(**names))
        settled(tab)
        for summary in tab.locator("[data-testid=stExpander] summary").all():
            summary.click()
        broken += broken_rules(tab)
    assert not broken, "\n".join(broken)


def test_no_view_of_the_memory_breaks_a_serious_rule(tab: Page, full: tuple[str, dict[str, str]]) -> None:
    tab.goto(full[0] + "/Memory")
    broken = []
    for view in VIEWS:
        settled(tab)
        tab.get_by_role("radio", name=view).or_(tab.get_by_role("button", name=view, exact=True)).first.click()
        broken += broken_rules(tab)
    tab.goto(full[0] + "/Memory")
    settled(tab)
    tab.get_by_text("Edit in the table").click()
    expect(tab.get_by_label("Because")).to_be_visible()
    tab.get_by_role("button", name="This view").click()
    expect(tab.get_by_role("button", name="Keep as a new view")).to_be_visible()
    broken += broken_rules(tab)
    assert not broken, "\n".join(broken)


@IN_LIGHT
def test_an_audit_is_asked_for_and_read_by_keys_alone(tab: Page, full: tuple[str, dict[str, str]]) -> None:
    tab.goto(full[0] + "/Bug_Triage")
    settled(tab)
    seen = []
    for _ in range(30):
        tab.keyboard.press("Tab")
        seen.append(tab.evaluate("document.activeElement.tagName + ' ' + (document.activeElement.innerText || '')"))
        if seen[-1].startswith("TEXTAREA"):
            break
    assert seen[-1].startswith("TEXTAREA"), "the text comes within reach"
    links = [it for it in seen if it.startswith("A ")]
    assert "Skip to main content" in links[0]
    assert "Precedent" in links[1], "the way home comes first"
    assert seen.index(links[-1]) < len(seen) - 1, "the pages come before the text"
    tab.keyboard.insert_text(examples("bug")[0].text)
    tab.keyboard.press("Control+Enter")
    expect(tab.locator(".p-dial")).to_be_visible()
    mark = tab.locator("mark").first
    mark.focus()
    tab.keyboard.press("Enter")
    expect(tab.locator("li.on")).to_have_count(1)
