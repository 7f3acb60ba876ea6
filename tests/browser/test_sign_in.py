"""Two people, two memories, one app: signed in through a real OpenID Connect provider on this machine."""

from __future__ import annotations

import json
import re
import subprocess
import sys
import urllib.request
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest
from playwright.sync_api import Browser, BrowserContext, Page, expect

from tests.browser.conftest import PATIENCE_MS, compose, running_app, settled, visit, wait_until_up
from tests.browser.test_accessibility import broken_rules
from tests.ports import free_port

PEOPLE = (
    {"sub": "ana-1", "email": "Ana@example.com", "email_verified": True},
    {"sub": "kim-2", "email": "kim@example.com", "email_verified": True},
    {"sub": "eve-3", "email": "ana@example.com", "email_verified": False},
    {"sub": "moe-4", "email": "moe@example.com", "email_verified": True},
    {"sub": "ana@example.com", "email_verified": True},
    {"sub": "oid-6"},
)
NAMED = "ana@example.com=ana, kim@example.com=kim, oid-6=kim"
DECK = """Verdant Tower builds a robot that picks lettuce in vertical farms at night.
Three growers pay us 900 euros a month each per machine. Two founders, both robot engineers."""
PATHS = ("/", "/Investment_Audit", "/Bug_Triage", "/Memory", "/History", "/Track_Record", "/Status")


@contextmanager
def provider() -> Iterator[str]:
    """Run the provider with everybody in it; give its address."""
    port = free_port()
    claims = [part for it in PEOPLE for part in ("--user-claims", json.dumps(it))]
    command = [sys.executable, "-m", "oidc_provider_mock", "--port", str(port), *claims]
    server = subprocess.Popen(command, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    try:
        wait_until_up(f"http://127.0.0.1:{port}/.well-known/openid-configuration", server)
        yield f"http://127.0.0.1:{port}"
    finally:
        server.terminate()
        server.wait(15)


@pytest.fixture(scope="module")
def address(tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    """Give the address of an app behind a sign-in, which ``page`` opens here."""
    home: Path = tmp_path_factory.mktemp("guarded")
    with provider() as issuer:
        secrets = home / "secrets.toml"
        secrets.write_text(
            "[auth]\n"
            'redirect_uri = "http://127.0.0.1:{port}/oauth2callback"\n'
            'cookie_secret = "a-long-secret-that-only-this-test-knows"\n'
            'client_id = "precedent"\n'
            'client_secret = "of-no-worth"\n'
            f'server_metadata_url = "{issuer}/.well-known/openid-configuration"\n'
        )
        with running_app(home, {"PRECEDENT_PEOPLE": NAMED, "STREAMLIT_SECRETS_FILES": str(secrets)}) as at:
            yield at


@pytest.fixture(autouse=True)
def nobody_is_signed_in(context: BrowserContext) -> None:
    context.clear_cookies()


def sign_in(page: Page, subject: str, path: str = "/") -> None:
    page.goto(path)
    page.get_by_role("button", name="Sign in").click()
    page.get_by_role("button", name=subject, exact=True).click()
    page.wait_for_url(re.compile(r"127\.0\.0\.1:\d+/$"))
    settled(page)


def sees_nothing_but_the_sign_in(page: Page) -> None:
    settled(page)
    expect(page.get_by_role("button", name="Sign in")).to_be_visible()
    text = page.locator("[data-testid=stMain]").inner_text().split()
    assert text[:2] == ["Precedent", "Your"], text
    assert "Verdant" not in text
    assert page.locator("[data-testid=stPageLink-NavLink]").count() == 0
    assert page.get_by_role("button").count() == 1


def test_a_deep_link_shows_only_the_sign_in(page: Page) -> None:
    for path in PATHS:
        page.goto(f"{path}?record=seed-bug-login-sql-injection&audit=x&job=y")
        sees_nothing_but_the_sign_in(page)
    assert not broken_rules(page)


@pytest.mark.timeout(300)
def test_two_people_see_two_memories_and_neither_reaches_the_others(page: Page, browser: Browser, address: str) -> None:
    another = browser.new_context(base_url=address, viewport={"width": 1440, "height": 900})
    another.set_default_timeout(PATIENCE_MS)
    hers, theirs = page, another.new_page()
    sign_in(hers, "ana-1", "/Memory")
    expect(hers.get_by_text("ana@example.com")).to_be_visible()
    compose(hers, "/Investment_Audit", DECK)
    hers.locator("textarea").press("Control+Enter")
    hers.wait_for_url(re.compile("job="))
    job = hers.url
    expect(hers.locator(".p-dial")).to_be_visible()
    hers.wait_for_url(re.compile("audit="))
    audit = hers.url
    hers.goto("/History")
    expect(hers.locator("[data-testid=stDataFrame]")).to_be_visible()

    sign_in(theirs, "kim-2")
    expect(theirs.get_by_text("kim@example.com")).to_be_visible()
    expect(theirs.get_by_text("None yet.")).to_be_visible()
    for link, said in ((job, "no longer being worked on"), (audit, "No saved audit has the id")):
        visit(theirs, link)
        expect(theirs.get_by_text(said)).to_be_visible()
        expect(theirs.get_by_text("Verdant")).to_have_count(0)
    theirs.goto("/Memory?record=seed-bug-login-sql-injection")
    expect(theirs.get_by_text("There is no such record in this workspace.")).to_be_visible()
    theirs.goto("/History")
    expect(theirs.get_by_text("No audits yet")).to_be_visible()

    hers.get_by_role("button", name="Sign out").click()
    hers.get_by_role("button", name="End session").click()
    hers.wait_for_url(re.compile(r"127\.0\.0\.1:\d+/$"))
    sees_nothing_but_the_sign_in(hers)
    hers.goto(audit)
    sees_nothing_but_the_sign_in(hers)
    another.close()


def test_who_is_not_named_or_not_verified_is_refused_and_can_sign_out(page: Page) -> None:
    for subject in ("eve-3", "moe-4", "ana@example.com"):
        sign_in(page, subject, "/Memory")
        expect(page.get_by_text("no memory here is yours")).to_be_visible()
        expect(page.get_by_text(subject).first).to_be_visible()
        assert page.locator("[data-testid=stPageLink-NavLink]").count() == 0
        assert page.get_by_role("button").count() == 1
        page.get_by_role("button", name="Sign out").click()
        page.get_by_role("button", name="End session").click()
        page.wait_for_url(re.compile(r"127\.0\.0\.1:\d+/$"))
    sign_in(page, "eve-3")
    visit(page, "/Memory")
    expect(page.get_by_text("no memory here is yours")).to_be_visible()
    assert not broken_rules(page)


def test_a_person_without_an_address_is_known_by_their_subject(page: Page) -> None:
    sign_in(page, "oid-6")
    expect(page.get_by_text("oid-6")).to_be_visible()
    expect(page.get_by_role("link", name="Memory").first).to_be_visible()


def test_a_forged_cookie_opens_nothing(page: Page, address: str) -> None:
    claims = {"sub": "kim-2", "email": "kim@example.com", "email_verified": True, "is_logged_in": True}
    forged = json.dumps(claims).replace('"', "%22")
    page.context.add_cookies([{"name": "_streamlit_user", "value": forged, "url": address}])
    page.goto("/Memory")
    sees_nothing_but_the_sign_in(page)


def test_a_sign_in_that_nobody_is_named_for_lets_nobody_in(page: Page, tmp_path: Path) -> None:
    secrets = tmp_path / "secrets.toml"
    secrets.write_text('[auth]\nredirect_uri = "http://127.0.0.1:{port}/oauth2callback"\ncookie_secret = "short"\n')
    with running_app(tmp_path, {"STREAMLIT_SECRETS_FILES": str(secrets)}) as address:
        page.goto(f"{address}/Memory")
        expect(page.get_by_text("nobody is named in")).to_be_visible(timeout=PATIENCE_MS)
        assert page.locator("[data-testid=stPageLink-NavLink]").count() == 0


def test_people_named_without_a_sign_in_lets_nobody_in(page: Page, tmp_path: Path) -> None:
    with running_app(tmp_path, {"PRECEDENT_PEOPLE": NAMED}) as address:
        page.goto(f"{address}/History")
        expect(page.get_by_text("has no section")).to_be_visible(timeout=PATIENCE_MS)
        assert page.locator("[data-testid=stPageLink-NavLink]").count() == 0
        with urllib.request.urlopen(f"{address}/_stcore/health", timeout=5) as answer:
            assert answer.status == 200
