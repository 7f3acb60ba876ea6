"""Files through the import page: every trap is named, and what is stored is what was shown."""

from __future__ import annotations

import re
from dataclasses import replace
from datetime import UTC, datetime
from pathlib import Path

import pytest
from playwright.sync_api import Page, expect

from memory.errors import ImportRefused
from memory.importers.mapping import guess_mapping
from memory.importers.planning import plan_import
from memory.importers.reading import read_table
from settings import Settings
from tests.browser.conftest import settled, visit
from wiring import build_services

GIVEN = Path("/work/shared/data/imports")
COUNTS = {
    "bugzilla_buglist.csv": (35, 60),
    "cr_only_lines.csv": (2, 2),
    "github_issues_rest.json": (36, 40),
    "header_only.csv": (0, 0),
    "jira_bom_crlf.csv": (35, 40),
    "jira_cloud_shape.csv": (35, 40),
    "portfolio_messy.xlsx": (24, 27),
    "portfolio_messy_cp1252.csv": (24, 27),
    "portfolio_messy_utf8_bom_semicolon.csv": (24, 27),
    "real_pe_portfolio_dvd1587.csv": (8, 8),
    "real_startup_failures_unquoted_commas.csv": (71, 156),
}
SHEET = """My deals as of 31.12.2023;;;;
Company;Sector;Invested;Date;Status
Wren Docks;ports;€ 40.000,00;13.03.2019;Written off
Finch Mills;flour;₹ 2,00,000;05.07.2020;Exited
Swift Kilns;bricks;25k;06.07.2020;Dead
Total;;€ 65.000;;
""".encode("cp1252", "replace")
OWN = {
    "messy.csv": (SHEET, 3, 4),
    "cr.csv": (b"company,year,outcome\rWren,2019,dead\rFinch,2020,live\r", 2, 2),
    "issues.json": (
        b'[{"number": 1, "title": "Clock drifts", "state": "closed", "labels": [], "body": "late by a second",'
        b' "created_at": "2024-02-03T10:00:00Z", "closed_at": "2024-02-04T10:00:00Z"},'
        b' {"number": 2, "title": "Mend the clock", "state": "closed", "labels": [], "body": "",'
        b' "created_at": "2024-02-03T11:00:00Z", "closed_at": null, "pull_request": {"url": "x"}}]',
        1,
        2,
    ),
    "wide.csv": ("company,year,outcome\nWren,2019,dead\n".encode("utf-16"), 1, 1),
    "bare.csv": (b"company,year,outcome\n", 0, 0),
}


def upload(page: Page, name: str, content: bytes) -> None:
    visit(page, "/Memory")
    page.get_by_text("Import a file").click()
    page.locator("input[type=file]").set_input_files({"name": name, "mimeType": "text/csv", "buffer": content})


def check(page: Page, name: str, content: bytes, accepted: int, rows: int) -> None:
    upload(page, name, content)
    expect(page.get_by_text(f"{accepted} of {rows} rows would be stored")).to_be_visible()
    settled(page)
    table = read_table(content, name)
    plan = plan_import(table, guess_mapping(table))
    shown = page.locator(".stMain").inner_text().replace("\u2060", "")
    for said in (*plan.traps, *(it.text for it in plan.questions)):
        assert " ".join(said.split()) in " ".join(shown.split()), said
    expect(page.get_by_role("button", name=re.compile(f"Store {accepted} records?$"))).to_be_visible()


@pytest.mark.parametrize("name", OWN)
def test_a_file_shows_its_count_and_every_trap(page: Page, name: str) -> None:
    check(page, name, *OWN[name])


@pytest.mark.skipif(not GIVEN.is_dir(), reason=f"{GIVEN} is not here")
@pytest.mark.parametrize("name", COUNTS)
def test_a_given_file_shows_its_count_and_every_trap(page: Page, name: str) -> None:
    check(page, name, (GIVEN / name).read_bytes(), *COUNTS[name])


def test_an_import_is_stopped_on_its_way_and_another_is_undone_after_a_question(page: Page, app_home: Path) -> None:
    rows = "".join(f"Slow {n},2019,dead,a long note about a firm that sold too little\n" for n in range(2_000))
    upload(page, "slow.csv", f"company,year,outcome,notes\n{rows}".encode())
    page.get_by_role("button", name="Store 2,000 records").click()
    page.get_by_role("button", name="Cancel").click()
    expect(page.get_by_text("The import was stopped. Nothing was stored.")).to_be_visible()
    deals = b"company,year,outcome\nWren Quay,2019,dead\nFinch Lock,2020,live\n"
    upload(page, "quays.csv", deals)
    page.get_by_role("button", name="Store 2 records").click()
    expect(page.get_by_text("2 records stored, 0 were there already.")).to_be_visible()
    services = build_services(Settings(home=app_home / "data"))
    try:
        wren = services.ledger.find(services.workspace, search="Wren Quay").records[0]
        told = replace(wren.facts, lesson="Read the lease of the quay.")
        services.intake.revise(services.workspace, wren.id, told, author="kim", reason="told", now=datetime.now(UTC))
    finally:
        services.close()
    upload(page, "quays.csv", deals.replace(b"2020,live", b"2020,dead"))
    expect(page.get_by_text("1 row came from this file before, with other facts: Finch Lock")).to_be_visible()
    page.get_by_role("button", name="Undo", exact=True).first.click()
    expect(page.get_by_text("1 record of this import was corrected since: Wren Quay")).to_be_visible()
    page.get_by_role("button", name="Undo all the same").click()
    expect(page.get_by_text("2 records removed, 0 protected ones left.")).to_be_visible()
    expect(page.get_by_text("came from this file before")).to_have_count(0)


def test_a_file_without_anything_is_refused_in_words(page: Page) -> None:
    with pytest.raises(ImportRefused):
        read_table(b" ", "empty.csv")
    upload(page, "empty.csv", b" ")
    expect(page.get_by_text("There is nothing to import")).to_be_visible()
