"""No page breaks a rule of accessibility seriously, in light or in dark; all that is done by mouse is done by keys."""

from __future__ import annotations

import json
from collections.abc import Iterator
from datetime import UTC, datetime
from pathlib import Path
from typing import Literal

import pytest
from axe_playwright_python.base import AXE_SCRIPT
from playwright.sync_api import Browser, BrowserContext, Page, expect

from audit.examples import examples
from audit.modes import MODES
from audit.service import run_audit
from audit.submission import make_submission
from settings import Settings
from tests.browser.conftest import PATIENCE_MS, drawn, running_app, settled, visit
from wiring import build_services

SERIOUS = {"serious", "critical"}
HELD_TOO = {"heading-order"}
"""Rules that axe calls moderate, and that hold all the same."""
STREAMLIT_ITSELF: tuple[tuple[str, str, str], ...] = ()
"""What Streamlit's own parts break and we cannot mend: rule, a piece of the node's selector, the reason."""
COLOURS = ["color-contrast", "link-in-text-block"]
"""The rules of axe that light and dark can tell apart."""
STILL = "!document.getAnimations().some(it => it instanceof CSSTransition)"
BACKGROUND = "+getComputedStyle(document.querySelector('[data-testid=stApp]')).backgroundColor.match(/\\d+/)[0]"

EMPTY = ("/", "/Investment_Audit", "/Bug_Triage", "/Memory", "/History", "/Track_Record", "/Status")
FULL = ("/", "/Investment_Audit?audit={deck}", "/Investment_Audit?audit={other}", "/Bug_Triage?audit={code}", "/Memory",
        "/Memory?record=seed-bug-login-sql-injection", "/History", "/Track_Record", "/Status")  # fmt: skip
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


@pytest.fixture(scope="module")
def context(browser: Browser) -> Iterator[BrowserContext]:
    opened = browser.new_context(viewport={"width": 1440, "height": 900}, color_scheme="light")
    opened.set_default_timeout(PATIENCE_MS)
    yield opened
    opened.close()


def broken_rules(page: Page) -> list[str]:
    """Run axe on the page as it stands, then its rules on colours in the dark; list what is broken, and where."""
    drawn(page)
    if not page.evaluate("'axe' in window"):
        page.evaluate(AXE_SCRIPT)
    found = _run(page, "light", "axe.run(document, {resultTypes: ['violations']})")
    _show_in(page, "dark", "< 60")
    found += _run(
        page,
        "dark",
        f"axe.run(document, {{resultTypes: ['violations'], runOnly: {COLOURS}}})",
    )
    _show_in(page, "light", "> 200")
    return found


def _show_in(page: Page, scheme: Literal["light", "dark"], background: str) -> None:
    """Switch the colours, and wait until none is on its way from one to the other."""
    page.emulate_media(color_scheme=scheme)
    page.wait_for_function(f"{BACKGROUND} {background} && {STILL}")


def _run(page: Page, scheme: str, run: str) -> list[str]:
    """List what is serious or held too, but for what Streamlit itself breaks."""
    return [
        f"{scheme} {page.url} {rule['id']} {node['target']}: {node['html'][:200]} {json.dumps(node['any'])[:300]}"
        for rule in page.evaluate(run)["violations"]
        if rule["impact"] in SERIOUS or rule["id"] in HELD_TOO
        for node in rule["nodes"]
        if not any(rule["id"] == name and piece in str(node["target"]) for name, piece, _ in STREAMLIT_ITSELF)
    ]


def test_a_broken_rule_would_be_found_in_light_and_in_the_dark(page: Page, empty_app: str) -> None:
    visit(page, empty_app)
    for colour in ("#ddd", "#222"):
        page.evaluate(f"""document.querySelector("[data-testid=stMain] p").style.color = "{colour}" """)
        [scheme] = {it.split()[0] for it in broken_rules(page) if " color-contrast " in it}
        assert scheme == {"#ddd": "light", "#222": "dark"}[colour]


def test_no_page_of_an_empty_memory_breaks_a_serious_rule(page: Page, empty_app: str) -> None:
    broken = []
    for path in EMPTY:
        page.goto(empty_app + path)
        broken += broken_rules(page)
    assert not broken, "\n".join(broken)


def test_no_page_of_a_used_memory_breaks_a_serious_rule(page: Page, full: tuple[str, dict[str, str]]) -> None:
    address, names = full
    broken = []
    for path in FULL:
        visit(page, address + path.format(**names))
        for summary in page.locator("[data-testid=stExpander] summary").all():
            summary.click()
        broken += broken_rules(page)
    assert not broken, "\n".join(broken)


def test_no_view_of_the_memory_breaks_a_serious_rule(page: Page, full: tuple[str, dict[str, str]]) -> None:
    page.goto(full[0] + "/Memory")
    broken = []
    for view in VIEWS:
        settled(page)
        page.get_by_role("radio", name=view).or_(page.get_by_role("button", name=view, exact=True)).first.click()
        broken += broken_rules(page)
    visit(page, full[0] + "/Memory")
    page.get_by_text("Edit in the table").click()
    expect(page.get_by_label("Because")).to_be_visible()
    page.get_by_role("button", name="This view").click()
    expect(page.get_by_role("button", name="Keep as a new view")).to_be_visible()
    broken += broken_rules(page)
    assert not broken, "\n".join(broken)


def test_an_audit_is_asked_for_and_read_by_keys_alone(page: Page, full: tuple[str, dict[str, str]]) -> None:
    visit(page, full[0] + "/Bug_Triage")
    seen = []
    for _ in range(30):
        page.keyboard.press("Tab")
        seen.append(page.evaluate("document.activeElement.tagName + ' ' + (document.activeElement.innerText || '')"))
        if seen[-1].startswith("TEXTAREA"):
            break
    assert seen[-1].startswith("TEXTAREA"), "the text comes within reach"
    links = list(dict.fromkeys(it for it in seen if it.startswith("A ")))
    assert "Skip to main content" in links[0]
    assert "Precedent" in links[1], "the way home comes first"
    assert seen.index(links[-1]) < len(seen) - 1, "the pages come before the text"
    page.keyboard.insert_text(examples("bug")[0].text)
    page.keyboard.press("Control+Enter")
    expect(page.locator(".p-dial")).to_be_visible()
    mark = page.locator("mark").first
    mark.focus()
    page.keyboard.press("Enter")
    expect(page.locator("li.on")).to_have_count(1)
