"""Many people at once on one app, and one person who never stops clicking, against slow model servers."""

from __future__ import annotations

import json
import re
import time
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from itertools import cycle
from pathlib import Path
from threading import Event

import numpy as np
import pytest
from playwright.sync_api import Browser, BrowserContext, Page, expect

from tests.browser.bare_session import rerun_ms, session
from tests.browser.conftest import compose, running_app, settled, visit
from tests.model_server.acts import AUDIT, answer
from tests.model_server.server import Act, Exchange, ModelServer

SESSIONS = 20
RERUNS = 200
SLOW_S = 3.0
LOOKED_AT = ("History", "Memory", "Status")


def echo_slowly(seconds: float) -> Act:
    """Answer after a while, with a finding that quotes the city the request's own deck names."""

    def act(exchange: Exchange) -> None:
        exchange.pause(seconds)
        asked = json.dumps(exchange.seen.body, ensure_ascii=False)
        city = re.search(r"the city of Town\d+ed", asked)
        finding = {
            **AUDIT["findings"][0],
            "subject": "customer",
            "title": "One city only",
            "quote": city[0] if city else "",
        }
        answer(json.dumps(AUDIT | {"findings": [finding]}))(exchange)

    return act


@pytest.fixture(scope="module", params=["openai", "groq", "local"])
def served(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> Iterator[tuple[str, Path]]:
    """The app with one slow model behind each kind of client: its address and its log."""
    provider: str = request.param
    with ModelServer("/openai/v1" if provider == "groq" else "/v1") as server:
        server.play("slow", echo_slowly(SLOW_S))
        home = tmp_path_factory.mktemp(provider)
        more = {
            "PRECEDENT_MODELS": f"{provider}:slow",
            f"PRECEDENT_{provider.upper()}_BASE_URL": server.url if provider == "groq" else f"{server.url}/v1",
            "GROQ_API_KEY": "key-for-groq",
            "OPENAI_API_KEY": "key-for-openai",
        }
        with running_app(home, more) as address:
            yield address, home / "app.log"


def deck(number: int) -> str:
    return (
        f"We deliver bread by bicycle in the city of Town{number}ed. Households pay 30 euros a month.\n"
        "Two founders work on it full time. Revenue was 4,000 euros last month and grew by a fifth.\n"
    )


def ask(page: Page, number: int) -> None:
    compose(page, "/Investment_Audit", deck(number))
    page.locator("textarea").press("Control+Enter")


def resident_mb(address: str) -> float:
    """Read the resident memory of the app that serves at ``address``, in MB; other apps on the machine do not count."""
    port = address.rsplit(":", 1)[1].encode()
    for status in Path("/proc").glob("[0-9]*/status"):
        try:
            words = (status.parent / "cmdline").read_bytes().split(b"\0")
            if b"app.py" in words and port in words:
                found = re.search(r"VmRSS:\s+(\d+) kB", status.read_text())
                return int(found[1]) / 1024 if found else 0
        except OSError:
            continue
    raise AssertionError(f"no app serves at {address}")


def _seconds_to_open(page: Page, title: str) -> float:
    start = time.monotonic()
    page.get_by_role("link", name=title, exact=True).click()
    expect(page.get_by_role("heading", level=1)).to_contain_text(title)
    return round(time.monotonic() - start, 2)


@contextmanager
def answering(address: str) -> Iterator[list[float]]:
    """Look at pages in a session without a browser until the block ends: how long the app took for each, in ms."""
    waited: list[float] = []
    over = Event()

    def look() -> None:
        for page in cycle(LOOKED_AT):
            if over.wait(0.05):
                return
            waited.append(rerun_ms(beside, page))

    with session(address) as beside, ThreadPoolExecutor(1) as one:
        for page in LOOKED_AT:
            rerun_ms(beside, page)
        looking = one.submit(look)
        try:
            yield waited
        finally:
            over.set()
            looking.result()


@pytest.mark.soak
@pytest.mark.timeout(900)
def test_twenty_audits_at_once_lose_none_mix_none_and_leave_other_pages_answering(
    browser: Browser, served: tuple[str, Path]
) -> None:
    address, _ = served
    contexts: list[BrowserContext] = [browser.new_context(base_url=address) for _ in range(SESSIONS)]
    pages = [context.new_page() for context in contexts]
    looking = browser.new_context(base_url=address).new_page()
    visit(looking, "/Status")
    before = resident_mb(address)
    with answering(address) as waited:
        for number, page in enumerate(pages):
            ask(page, number)
        opened = {title: _seconds_to_open(looking, title) for title in LOOKED_AT}
        for number, page in enumerate(pages):
            expect(page.locator(".p-dial")).to_be_visible(timeout=240_000)
            text = page.locator("body").inner_text()
            assert {int(it) for it in re.findall(r"Town(\d+)ed", text)} <= {number}
            assert "slow" in text, "the model, and not the rules, wrote it"
    grown = resident_mb(address) - before
    p50, p95 = np.quantile(waited, [0.5, 0.95])
    print(
        f"\nanswered meanwhile, {len(waited)} times: p50 {p50:.0f} ms, p95 {p95:.0f}, most {max(waited):.0f}; "
        f"drawn by a browser among the twenty, s: {opened}; grown: {grown:.0f} MB",
        end="",
    )
    assert grown < 400
    assert p95 <= 1_000
    for context in contexts:
        context.close()


@pytest.mark.soak
@pytest.mark.timeout(900)
def test_two_hundred_reruns_never_meet_a_closed_event_loop(browser: Browser, served: tuple[str, Path]) -> None:
    address, log = served
    page = browser.new_context(base_url=address).new_page()
    ask(page, 999)
    expect(page.locator(".p-dial")).to_be_visible(timeout=120_000)
    for number in range(RERUNS):
        if number % 50 == 25:
            ask(page, 1_000 + number)
            expect(page.locator(".p-dial")).to_be_visible(timeout=120_000)
        page.locator("[data-testid=stExpander] summary").nth(number % 3).click()
        page.keyboard.press("r")
    settled(page)
    expect(page.locator(".p-dial")).to_be_visible()
    expect(page.locator("[data-testid=stException]")).to_have_count(0)
    told = log.read_text()
    assert "Event loop is closed" not in told
    assert "Traceback" not in told
