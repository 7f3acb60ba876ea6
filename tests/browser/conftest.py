"""The real app in a process of its own, and a headless Chromium that looks at it."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
import time
import urllib.request
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import Browser, BrowserContext, Page, expect, sync_playwright

from tests.ports import free_port

ROOT = Path(__file__).parents[2]
CHROMIUM = os.environ.get("CHROMIUM") or shutil.which("chromium-headless-shell") or "/usr/bin/chromium"
FLAGS = [
    "--no-sandbox",
    "--disable-gpu",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
    "--no-first-run",
]
UP_WITHIN_S = 40
PATIENCE_MS = 40_000

expect.set_options(timeout=PATIENCE_MS)


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    for item in items:
        if Path(__file__).parent in item.path.parents:
            item.add_marker(pytest.mark.browser)


@pytest.fixture(scope="session")
def app_home(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return tmp_path_factory.mktemp("home")


@pytest.fixture(scope="session")
def address(app_home: Path) -> Iterator[str]:
    """Give the address of the app on a memory of its own, without any key."""
    with running_app(app_home, {}) as at:
        yield at


@contextmanager
def running_app(home: Path, more: dict[str, str]) -> Iterator[str]:
    """Start the app on a free port; ``more`` is added to its environment. Give its address."""
    port = free_port()
    mine = {name: value for name, value in os.environ.items() if not name.startswith(("PRECEDENT_", "GROQ", "OPENAI"))}
    keyless = {"PRECEDENT_HOME": str(home / "data"), "GROQ_API_KEY": "", "OPENAI_API_KEY": ""}
    log = (home / "app.log").open("w")
    server = subprocess.Popen(
        [sys.executable, "-m", "streamlit", "run", "app.py", "--server.port", str(port), "--server.headless", "true"],
        cwd=ROOT,
        env=mine | keyless | more,
        stdout=log,
        stderr=subprocess.STDOUT,
    )
    try:
        wait_until_up(f"http://127.0.0.1:{port}/_stcore/health", server)
        yield f"http://127.0.0.1:{port}"
    finally:
        server.terminate()
        server.wait(15)
        log.close()


def wait_until_up(health: str, server: subprocess.Popen[Any]) -> None:
    """Wait until ``health`` answers; fails where the server ends before."""
    until = time.monotonic() + UP_WITHIN_S
    while time.monotonic() < until:
        assert server.poll() is None, "the server ended before it was up"
        try:
            with urllib.request.urlopen(health, timeout=2):
                return
        except OSError:
            time.sleep(0.1)
    raise AssertionError(f"the app was not up within {UP_WITHIN_S} s")


@pytest.fixture(scope="module")
def browser() -> Iterator[Browser]:
    if not Path(CHROMIUM).exists():
        pytest.skip(f"no browser at {CHROMIUM}; name one with CHROMIUM")
    with sync_playwright() as playwright:
        chromium = playwright.chromium.launch(executable_path=CHROMIUM, args=FLAGS)
        yield chromium
        chromium.close()


@pytest.fixture(scope="module")
def context(browser: Browser, address: str) -> Iterator[BrowserContext]:
    opened = browser.new_context(base_url=address, viewport={"width": 1440, "height": 900})
    opened.set_default_timeout(PATIENCE_MS)
    yield opened
    opened.close()


@pytest.fixture
def page(context: BrowserContext) -> Iterator[Page]:
    """A fresh tab, so a session of its own; the test fails on any error of a script in the page."""
    opened = context.new_page()
    broken: list[str] = []
    opened.on("pageerror", lambda error: broken.append(str(error)))
    yield opened
    opened.close()
    assert not broken, broken


def settled(page: Page) -> None:
    """Wait until the page's script has run to its end: before, a key or a click may meet a page half drawn."""
    page.wait_for_selector("[data-testid=stApp][data-test-script-state=notRunning]")


def drawn(page: Page) -> None:
    """Wait until the page has settled and each part of it, loaded when it is first needed, is there."""
    settled(page)
    page.wait_for_function("!document.querySelector('[data-testid=stSkeleton]')")


def visit(page: Page, address: str) -> None:
    """Open a page and wait until its script has run."""
    page.goto(address)
    settled(page)


def compose(page: Page, path: str, text: str) -> None:
    """Open an audit page and put a text into it, ready to be sent."""
    visit(page, path)
    page.locator("textarea").fill(text)
