"""Photograph the real app in every state, light and dark, wide and narrow, in both languages, into docs/screenshots."""

from __future__ import annotations

import os
import socket
import subprocess
import sys
import tempfile
import threading
import time
import urllib.request
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path

from PIL import Image
from playwright.sync_api import Browser, Page, sync_playwright
from playwright.sync_api import Error as BrowserError

ROOT = Path(__file__).parents[1]
sys.path.insert(0, str(ROOT))

from audit.examples import examples  # noqa: E402
from scripts.filled_home import Kept, fill  # noqa: E402

OUT = ROOT / "docs" / "screenshots"
CHROMIUM = os.environ.get("CHROMIUM", "/usr/bin/chromium")
FLAGS = ["--no-sandbox", "--disable-gpu", "--disable-background-networking", "--no-first-run"]
LOOKS = tuple((scheme, width) for scheme in ("light", "dark") for width in (1440, 900))
MOST_HIGH = 6000
COLOURS = 256
PATIENCE_MS = 90_000
ROW = 38

SHEET = """Company;Sector;Invested;Date;Status;Comment
Egret Ferry;transport;€ 50.000,00;12.03.2019;Written off;Fuel ate the margin
Heron Tiles;building;€ 20.000,00;05.07.2020;Exited;Bought by a chain
Swift Kilns;bricks;about 25k;06.07.2020;Dead;
Total;;€ 70.000;;;
"""
DIFF = """diff --git a/shop/login.py b/shop/login.py
--- a/shop/login.py
+++ b/shop/login.py
@@ -10,2 +10,4 @@ import sqlite3
 def find(cursor, name):
+    query = "SELECT * FROM users WHERE name = '" + name + "'"
+    cursor.execute(query)
     return cursor.fetchone()
"""
SIGN_IN = """[auth]
redirect_uri = "http://127.0.0.1:8501/oauth2callback"
cookie_secret = "a-long-secret-for-a-picture-and-nothing-else"
client_id = "precedent"
client_secret = "of-no-worth"
server_metadata_url = "http://127.0.0.1:9/.well-known/openid-configuration"
"""


@dataclass(frozen=True, slots=True)
class Shot:
    """One state to photograph: its file's name, its address, what to do on the page first, and in which looks."""

    name: str
    path: str
    prepare: Callable[[Page], None] = lambda page: None
    looks: tuple[tuple[str, int], ...] = LOOKS


def open_all(page: Page) -> None:
    for summary in page.locator("[data-testid=stExpander] summary").all():
        summary.click()
        settled(page)


def choose(*labels: str) -> Callable[[Page], None]:
    """Click what has each of these labels, one after the other; a label may go on, as with a count."""

    def act(page: Page) -> None:
        for label in labels:
            page.get_by_text(label, exact=False).first.click()
            settled(page)

    return act


def send(text: str, done: str) -> Callable[[Page], None]:
    """Send ``text`` and wait for what stands at ``done``."""

    def act(page: Page) -> None:
        page.locator("textarea").fill(text)
        page.locator("textarea").press("Control+Enter")
        page.locator(done).first.wait_for()

    return act


def take_tour(page: Page) -> None:
    for number in range(2, 4):
        page.locator(".st-key-tour-next button").click()
        page.locator(".st-key-tour").get_by_text(f"{number} / 4").wait_for()


def open_nearest(page: Page) -> None:
    page.locator("[data-testid=stExpander] summary").filter(has_text="Nearest misses").click()


def tick_rows(page: Page) -> None:
    """Tick three rows of the table of records, which is drawn on a canvas."""
    table = page.locator("[data-testid=stDataFrame]").first
    table.scroll_into_view_if_needed()
    for row in (1, 2, 4):
        table.click(position={"x": 18, "y": ROW * (row + 0.5)})
        settled(page)


def import_sheet(page: Page) -> None:
    choose("Import a file")(page)
    content = SHEET.encode("cp1252")
    file = {"name": "portfolio.csv", "mimeType": "text/csv", "buffer": content}
    page.locator("input[type=file]").set_input_files(file)
    settled(page)
    page.get_by_text("Egret Ferry").or_(page.locator("[data-testid=stDataFrame]")).first.wait_for()


EMPTY = (
    Shot("home-empty", "/"),
    Shot("tour", "/", take_tour),
    Shot("history-empty", "/History"),
    Shot("track-record-empty", "/Track_Record"),
    Shot("patterns-empty", "/Track_Record?view=patterns"),
    Shot("review-empty", "/Memory", choose("To review")),
    Shot("status-empty", "/Status"),
)


def full(kept: Kept) -> tuple[Shot, ...]:
    """List the states of a filled home."""
    deck, other = kept.audits["investment"][:2]
    code, clean = kept.audits["bug"][:2]
    return (
        Shot("home", "/"),
        Shot("investment-compose", "/Investment_Audit"),
        Shot("investment-refused", "/Investment_Audit", send("hello", "[data-testid=stAlert]")),
        Shot("investment-precedent", f"/Investment_Audit?audit={deck}"),
        Shot("investment-none-found", f"/Investment_Audit?audit={other}", open_nearest),
        Shot("investment-all-open", f"/Investment_Audit?audit={deck}", open_all),
        Shot("bug-compose", "/Bug_Triage"),
        Shot("bug-precedent", f"/Bug_Triage?audit={code}"),
        Shot("bug-clean", f"/Bug_Triage?audit={clean}"),
        Shot("bug-diff", "/Bug_Triage", send(DIFF, "[class*=st-key-card-]")),
        Shot("memory", "/Memory"),
        Shot("memory-bulk", "/Memory", tick_rows),
        Shot("memory-plots", "/Memory", choose("In plots")),
        Shot("memory-add", "/Memory", choose("Add an investment")),
        Shot("memory-import", "/Memory", import_sheet),
        Shot("memory-review", "/Memory", choose("To review")),
        Shot("memory-upkeep", "/Memory", choose("Upkeep")),
        Shot("memory-record", f"/Memory?record={kept.record}"),
        Shot("memory-family", f"/Memory?record={kept.family}"),
        Shot("history", "/History"),
        Shot("history-compare", f"/History?a={deck}&b={kept.revised}"),
        Shot("track-record", "/Track_Record"),
        Shot("patterns", "/Track_Record?view=patterns"),
        Shot("status", "/Status"),
    )


def chinese(kept: Kept) -> tuple[Shot, ...]:
    """List the pages that are shown in Chinese too."""
    pages = {
        "home": "/",
        "investment-precedent": f"/Investment_Audit?audit={kept.audits['investment'][0]}",
        "investment-none-found": f"/Investment_Audit?audit={kept.audits['investment'][1]}",
        "bug-precedent": f"/Bug_Triage?audit={kept.audits['bug'][0]}",
        "memory": "/Memory",
        "history": "/History",
        "track-record": "/Track_Record",
        "status": "/Status",
    }
    return tuple(Shot(f"{name}-zh", path, looks=(("light", 1440), ("dark", 900))) for name, path in pages.items())


@contextmanager
def served(home: Path, **more: str) -> Iterator[str]:
    """Run the app on ``home`` without keys and give its address; ``more`` is added to its environment."""
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        port = free.getsockname()[1]
    quiet = {"PRECEDENT_HOME": str(home), "GROQ_API_KEY": "", "OPENAI_API_KEY": "", "PRECEDENT_LOCAL_BASE_URL": ""}
    server = subprocess.Popen(
        [sys.executable, "-m", "streamlit", "run", "app.py", "--server.port", str(port)],
        cwd=ROOT,
        env=os.environ | quiet | more,
        stdout=subprocess.DEVNULL,
        stderr=subprocess.DEVNULL,
    )
    try:
        for _ in range(900):
            try:
                urllib.request.urlopen(f"http://127.0.0.1:{port}/_stcore/health", timeout=2).close()
                break
            except OSError:
                time.sleep(0.1)
        yield f"http://127.0.0.1:{port}"
    finally:
        server.terminate()
        server.wait(15)


@contextmanager
def slow_model() -> Iterator[str]:
    """Run a model server that never answers; give its address."""

    class Silent(BaseHTTPRequestHandler):
        def do_POST(self) -> None:
            over.wait(PATIENCE_MS / 1000)

        def log_message(self, *args: object) -> None:
            return

    over = threading.Event()
    server = ThreadingHTTPServer(("127.0.0.1", 0), Silent)
    server.daemon_threads = True
    threading.Thread(target=server.serve_forever, daemon=True).start()
    yield f"http://127.0.0.1:{server.server_port}/v1"
    over.set()
    server.shutdown()
    server.server_close()


def settled(page: Page) -> None:
    at_rest(page)
    page.wait_for_timeout(250)


def at_rest(page: Page) -> None:
    page.wait_for_selector("[data-testid=stApp][data-test-script-state=notRunning]")
    page.wait_for_function("!document.querySelector('[data-testid=stSkeleton]')")


class Camera:
    """Takes shots with one browser and counts those that failed; takes only those whose name holds ``only``."""

    def __init__(self, browser: Browser, only: str) -> None:
        self._browser, self._only = browser, only
        self.failed: list[str] = []

    def take(self, address: str, shots: tuple[Shot, ...], locale: str = "en-US") -> None:
        """Bring each shot's page into its state once, and take it in each look."""
        context = self._browser.new_context(viewport={"width": 1440, "height": 900}, locale=locale)
        context.set_default_timeout(PATIENCE_MS)
        for shot in shots:
            if self._only not in shot.name:
                continue
            page = context.new_page()
            try:
                page.goto(address + shot.path)
                settled(page)
                shot.prepare(page)
                self.photograph(page, shot.name, shot.looks)
            except BrowserError as error:
                self.failed.append(shot.name)
                print(f"{shot.name} FAILED: {error}", flush=True)
            page.close()
        context.close()

    def take_running(self, address: str) -> None:
        """Take an audit at work, then the page once the server has gone."""
        if self._only not in "investment-running":
            return
        page = self._browser.new_page(viewport={"width": 1440, "height": 900})
        page.set_default_timeout(PATIENCE_MS)
        page.goto(f"{address}/Investment_Audit")
        settled(page)
        page.locator("textarea").fill(examples("investment")[0].text)
        page.locator("textarea").press("Control+Enter")
        page.get_by_text("Asking the models: ").wait_for()
        self.photograph(page, "investment-running", LOOKS, running=True)
        page.close()

    @contextmanager
    def offline(self) -> Iterator[Page]:
        """Give a page to open while the server runs; it is taken once the block, and with it the server, has ended."""
        page = self._browser.new_page(viewport={"width": 1440, "height": 900})
        page.set_default_timeout(PATIENCE_MS)
        yield page
        if self._only in "offline":
            page.locator(".p-offline").wait_for()
            page.wait_for_timeout(3_200)
            self.photograph(page, "offline", LOOKS, running=True)
        page.close()

    def photograph(self, page: Page, name: str, looks: tuple[tuple[str, int], ...], *, running: bool = False) -> None:
        """Take a page as it stands in each look, as high as it is; ``running`` where it never comes to rest."""
        for scheme, width in looks:
            page.emulate_media(color_scheme=scheme)
            page.set_viewport_size({"width": width, "height": 900})
            page.wait_for_timeout(250)
            height = page.evaluate("document.querySelector('[data-testid=stMain]').scrollHeight")
            page.set_viewport_size({"width": width, "height": max(900, min(height, MOST_HIGH))})
            page.evaluate("document.querySelector('[data-testid=stMain]').scrollTo(0, 0)")
            if not running:
                at_rest(page)
            page.wait_for_timeout(300)
            path = OUT / f"{name}-{scheme}-{width}.png"
            page.screenshot(path=path, animations="disabled")
            Image.open(path).convert("RGB").quantize(COLOURS, Image.Quantize.MAXCOVERAGE).save(path, optimize=True)
            print(path.relative_to(ROOT), flush=True)


def main(only: str = "") -> int:
    """Take all pictures, or those whose name holds ``only``; 1 where one could not be taken."""
    OUT.mkdir(parents=True, exist_ok=True)
    with tempfile.TemporaryDirectory() as folder, sync_playwright() as playwright:
        home = Path(folder)
        browser = playwright.chromium.launch(executable_path=CHROMIUM, args=FLAGS)
        camera = Camera(browser, only)
        with camera.offline() as page, served(home / "empty") as address:
            camera.take(address, EMPTY)
            page.goto(f"{address}/Investment_Audit")
            settled(page)
            page.locator("textarea").fill(examples("investment")[0].text)
        kept = fill(home / "full")
        with served(home / "full") as address:
            camera.take(address, full(kept))
            camera.take(address, chinese(kept), "zh-CN")
        (home / "broken").mkdir()
        (home / "broken" / "ledger.db").write_bytes(b"no database at all " * 400)
        with served(home / "broken") as address:
            camera.take(address, (Shot("status-broken", "/Status"),))
        secrets = home / "secrets.toml"
        secrets.write_text(SIGN_IN)
        with served(
            home / "guarded", PRECEDENT_PEOPLE="ana@example.com=ana", STREAMLIT_SECRETS_FILES=str(secrets)
        ) as it:
            camera.take(it, (Shot("sign-in", "/"),))
        with (
            slow_model() as model,
            served(home / "slow", PRECEDENT_MODELS="local:slow", PRECEDENT_LOCAL_BASE_URL=model) as address,
        ):
            camera.take_running(address)
        browser.close()
    return 1 if camera.failed else 0


if __name__ == "__main__":
    raise SystemExit(main(*sys.argv[1:2]))
