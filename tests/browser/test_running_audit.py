"""An audit that takes its time: seen at work, found again, cancelled, kept."""

from __future__ import annotations

import threading
from collections.abc import Iterator
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path

import pytest
from playwright.sync_api import Browser, Page, expect

from tests.browser.conftest import PATIENCE_MS, compose, running_app

DECK = "We sell tents to campers for 90 euros. Two founders. Revenue was 40,000 euros last year. {}"


class SlowModel(ThreadingHTTPServer):
    """A model server that answers nothing until it is told to, and then with an error."""

    daemon_threads = True

    def __init__(self) -> None:
        super().__init__(("127.0.0.1", 0), _Handler)
        self.go = threading.Event()


class _Handler(BaseHTTPRequestHandler):
    def do_POST(self) -> None:
        assert isinstance(self.server, SlowModel)
        self.rfile.read(int(self.headers.get("content-length", 0)))
        self.server.go.wait(60)
        self.send_response(404)
        self.send_header("content-length", "0")
        self.end_headers()

    def log_message(self, *args: object) -> None:
        return


@pytest.fixture(scope="module")
def slow_model() -> Iterator[SlowModel]:
    server = SlowModel()
    threading.Thread(target=server.serve_forever, daemon=True).start()
    yield server
    server.go.set()
    server.shutdown()
    server.server_close()


@pytest.fixture(scope="module")
def slow_app(slow_model: SlowModel, tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    home: Path = tmp_path_factory.mktemp("slow")
    model = {
        "PRECEDENT_MODELS": "local:slow",
        "PRECEDENT_LOCAL_BASE_URL": f"http://127.0.0.1:{slow_model.server_port}/v1",
    }
    with running_app(home, model) as address:
        yield address


@pytest.fixture
def page(browser: Browser, slow_app: str, slow_model: SlowModel) -> Iterator[Page]:
    slow_model.go.clear()
    context = browser.new_context(base_url=slow_app, viewport={"width": 1280, "height": 900})
    context.set_default_timeout(PATIENCE_MS)
    yield context.new_page()
    slow_model.go.set()
    context.close()


def start(page: Page, text: str) -> None:
    compose(page, "/Investment_Audit", text)
    page.get_by_role("button", name="Audit this deck").click()
    expect(page.get_by_text("Asking the models: local:slow")).to_be_visible()


def test_a_running_audit_survives_a_refresh_is_seen_from_a_second_tab_and_ends_in_both(
    page: Page, slow_model: SlowModel
) -> None:
    start(page, DECK.format("One."))
    page.reload()
    expect(page.get_by_text("Asking the models: local:slow")).to_be_visible()
    second = page.context.new_page()
    second.goto(page.url)
    expect(second.get_by_text("Asking the models: local:slow")).to_be_visible()
    slow_model.go.set()
    for tab in (page, second):
        expect(tab.locator(".p-dial")).to_be_visible()
        expect(tab.get_by_text("the rule analyst, as no model answered").first).to_be_visible()
    page.goto("/History")
    expect(page.locator("[data-testid=stDataFrame]")).to_be_visible()
    expect(page.get_by_text("Something went wrong")).to_have_count(0)


def test_other_pages_answer_while_an_audit_runs(page: Page) -> None:
    start(page, DECK.format("Two."))
    page.get_by_role("link", name="Status").click()
    expect(page.get_by_role("heading", level=1)).to_have_text("Status")
    expect(page.get_by_text("local:slow").first).to_be_attached()


def test_a_cancelled_audit_says_so_and_gives_the_text_back(page: Page) -> None:
    text = DECK.format("Three.")
    start(page, text)
    page.get_by_role("button", name="Cancel").click()
    expect(page.get_by_text("You stopped this audit. Nothing was saved.")).to_be_visible()
    page.get_by_role("button", name="Back to the text").click()
    expect(page.locator("textarea")).to_have_value(text)
