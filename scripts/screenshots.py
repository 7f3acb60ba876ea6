"""Photograph every page of the real app, light and dark, wide and narrow, empty and full, into docs/screenshots."""

from __future__ import annotations

import os
import socket
import subprocess
import sys
import tempfile
import time
import urllib.request
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from pathlib import Path

from PIL import Image
from playwright.sync_api import Browser, Page, sync_playwright

ROOT = Path(__file__).parents[1]
sys.path.insert(0, str(ROOT))

from audit.examples import examples  # noqa: E402
from audit.modes import MODES  # noqa: E402
from audit.service import run_audit  # noqa: E402
from audit.submission import make_submission  # noqa: E402
from memory.records import InvestmentFacts, Outcome  # noqa: E402
from settings import Settings  # noqa: E402
from wiring import build_services  # noqa: E402

OUT = ROOT / "docs" / "screenshots"
CHROMIUM = os.environ.get("CHROMIUM", "/usr/bin/chromium")
WIDTHS = (1440, 900)
SCHEMES = ("light", "dark")
MOST_HIGH = 3200
COLOURS = 200


@dataclass(frozen=True, slots=True)
class Shot:
    """One page to photograph: its file's name, its address, and what to do on it first."""

    name: str
    path: str
    prepare: Callable[[Page], None] = lambda page: None


@dataclass(frozen=True, slots=True)
class Kept:
    """What a filled home holds, by id: the audits of each mode's examples, a revised first deck, and one record."""

    audits: dict[str, list[str]]
    revised: str
    record: str


def fill(home: Path) -> Kept:
    """Audit every example and record some decisions and outcomes, as a user would over a year."""
    services = build_services(Settings(_env_file=None, home=home, models=""))
    now = datetime.now(UTC)
    audits: dict[str, list[str]] = {}
    for mode in MODES.values():
        for days, example in enumerate(examples(mode.name)):
            saved = run_audit(services, mode, make_submission(mode, example.text), now=now - timedelta(days=30 * days))
            audits.setdefault(mode.name, []).append(str(saved.saved_as))
    mode = MODES["investment"]
    for number in range(12):
        text = (
            f"{examples(mode.name)[number % 2].text}\n\nSecond look, number {number}, after a call with the founders."
        )
        at = now - timedelta(days=300 - 20 * number)
        saved = run_audit(services, mode, make_submission(mode, text), now=at)
        went_well = number % 2 == 1 and number != 5
        facts = InvestmentFacts(
            company=f"Outcome {number + 1}",
            summary="Recorded for the picture.",
            outcome=Outcome.EXITED if went_well else Outcome.SHUT_DOWN,
            year=2026,
        )
        services.decisions.settle(
            services.workspace, str(saved.saved_as), facts, went_well=went_well, author="person", now=at
        )
    services.decisions.decide(
        services.workspace,
        audits["investment"][0],
        "passed",
        reason="Nobody pays, and one person carries it all.",
        disproof="Ten merchants who pay by March",
        review_on=now.date(),
        author="person",
        now=now,
    )
    better = examples(mode.name)[0].text.replace(
        "Payments are free and will stay free. We have no revenue today.",
        "We charge shops 0.4% of each payment. Revenue was ₹3 lakh last month, up from ₹1 lakh in June.",
    )
    revised = str(run_audit(services, mode, make_submission(mode, better), now=now + timedelta(minutes=9)).saved_as)
    record = services.ledger.find(services.workspace, search="SQL injection").records[0].id
    services.close()
    return Kept(audits, revised, record)


def open_all(page: Page) -> None:
    for summary in page.locator("[data-testid=stExpander] summary").all():
        summary.click()


def choose(label: str) -> Callable[[Page], None]:
    return lambda page: page.get_by_text(label, exact=True).click()


EMPTY = (
    Shot("home-empty", "/"),
    Shot("history-empty", "/History"),
    Shot("track-record-empty", "/Track_Record"),
    Shot("status-empty", "/Status"),
)


def full(kept: Kept) -> tuple[Shot, ...]:
    """List the pages of a filled home."""
    deck, other = kept.audits["investment"][:2]
    code, clean = kept.audits["bug"][:2]
    return (
        Shot("home", "/"),
        Shot("investment-compose", "/Investment_Audit"),
        Shot("investment-precedent", f"/Investment_Audit?audit={deck}"),
        Shot("investment-none-found", f"/Investment_Audit?audit={other}"),
        Shot("investment-all-open", f"/Investment_Audit?audit={deck}", open_all),
        Shot("bug-compose", "/Bug_Triage"),
        Shot("bug-precedent", f"/Bug_Triage?audit={code}"),
        Shot("bug-clean", f"/Bug_Triage?audit={clean}"),
        Shot("memory", "/Memory"),
        Shot("memory-plots", "/Memory", choose("In plots")),
        Shot("memory-add", "/Memory", choose("Add an investment")),
        Shot("memory-record", f"/Memory?record={kept.record}"),
        Shot("history", "/History"),
        Shot("history-compare", f"/History?a={deck}&b={kept.revised}"),
        Shot("track-record", "/Track_Record"),
        Shot("patterns", "/Track_Record?view=patterns"),
        Shot("status", "/Status"),
    )


@contextmanager
def served(home: Path) -> Iterator[str]:
    """Run the app on ``home`` without keys and give its address."""
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        port = free.getsockname()[1]
    quiet = {"PRECEDENT_HOME": str(home), "GROQ_API_KEY": "", "OPENAI_API_KEY": "", "PRECEDENT_LOCAL_BASE_URL": ""}
    server = subprocess.Popen(
        [sys.executable, "-m", "streamlit", "run", "app.py", "--server.port", str(port)],
        cwd=ROOT,
        env=os.environ | quiet,
        stdout=subprocess.DEVNULL,
        stderr=subprocess.DEVNULL,
    )
    try:
        for _ in range(300):
            try:
                urllib.request.urlopen(f"http://127.0.0.1:{port}/_stcore/health", timeout=2).close()
                break
            except OSError:
                time.sleep(0.1)
        yield f"http://127.0.0.1:{port}"
    finally:
        server.terminate()
        server.wait(15)


def settled(page: Page) -> None:
    page.wait_for_selector("[data-testid=stApp][data-test-script-state=notRunning]")
    page.wait_for_function("!document.querySelector('[data-testid=stSkeleton]')")
    page.wait_for_timeout(900)


def photograph(browser: Browser, address: str, shots: tuple[Shot, ...], only: str) -> None:
    """Take each shot in each width and scheme, as high as the page is."""
    for scheme in SCHEMES:
        for width in WIDTHS:
            context = browser.new_context(viewport={"width": width, "height": 900}, color_scheme=scheme)
            for shot in shots:
                if only not in shot.name:
                    continue
                page = context.new_page()
                page.goto(address + shot.path)
                settled(page)
                shot.prepare(page)
                settled(page)
                height = page.evaluate("document.querySelector('[data-testid=stMain]').scrollHeight")
                page.set_viewport_size({"width": width, "height": max(900, min(height, MOST_HIGH))})
                settled(page)
                path = OUT / f"{shot.name}-{scheme}-{width}.png"
                page.screenshot(path=path)
                Image.open(path).convert("RGB").quantize(COLOURS, Image.Quantize.MAXCOVERAGE).save(path, optimize=True)
                print(path.relative_to(ROOT), flush=True)
                page.close()
            context.close()


def main(only: str = "") -> None:
    """Take all pictures, or those whose name holds ``only``."""
    OUT.mkdir(parents=True, exist_ok=True)
    with tempfile.TemporaryDirectory() as folder, sync_playwright() as playwright:
        flags = ["--no-sandbox", "--disable-gpu", "--disable-background-networking", "--no-first-run"]
        browser = playwright.chromium.launch(executable_path=CHROMIUM, args=flags)
        with served(Path(folder) / "empty") as address:
            photograph(browser, address, EMPTY, only)
        home = Path(folder) / "full"
        kept = fill(home)
        with served(home) as address:
            photograph(browser, address, full(kept), only)
        browser.close()


if __name__ == "__main__":
    main(*sys.argv[1:2])
