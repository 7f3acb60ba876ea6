"""Postgres is killed and started again while an app, a command line and an agent are at work on it."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

import anyio
import psycopg
import pytest
from mcp import Client

from mcp_server.server import build_server
from memory.errors import StoreError
from memory.records import Door, InvestmentFacts, Kind
from tests.adversarial.doors import DECK, Doors, running
from tests.contract.conftest import Place
from tests.contract.real_postgres import RealPostgres
from tests.ui.looking import words
from tests.ui.test_audit_pages import send
from tests.ui.test_bulk import tick
from ui import runtime

TOLD = "The database server does not answer"
DO = "See that it runs and that PRECEDENT_LEDGER_URL is right, then try again; what was acknowledged is kept."


@dataclass
class PostgresDoors(Doors):
    """The doors of a memory whose ledger and index are in Postgres."""

    url: str = ""

    def counts(self) -> list[int]:
        with psycopg.connect(self.url, options="-c search_path=precedent") as connection:
            return [
                connection.execute(f"SELECT count(*) FROM {table}").fetchone()[0]  # type: ignore[call-overload, index]
                for table in ("records", "changes", "entries", "audits")
            ]

    def work(self) -> None:
        """Find every door open, with nothing started anew."""
        records, changes, *_ = self.counts()
        assert self.add()[0] == 0
        assert not self.tell()[0]
        assert "Archived: 1." in self.archive()
        assert self.counts()[:2] == [records + 2, changes + 3]
        assert self.command("recall", "investment", "-", given=DECK)[0] == 0
        assert self.command("verify")[0] == 0


@pytest.fixture(scope="module")
def doors(furnished: Place) -> Iterator[PostgresDoors]:
    settings = furnished("postgres", "pgvector")
    names = {"HOME": str(settings.home), "LEDGER_URL": settings.ledger_url, "INDEX": settings.index}
    with running({f"PRECEDENT_{name}": value for name, value in names.items()}) as page:
        yield PostgresDoors(settings.home, page, url=settings.ledger_url)


def told(answer: str) -> bool:
    """Say whether an answer tells what happened and what to do, without a trace."""
    return TOLD in answer and DO in answer and "Traceback" not in answer and "psycopg" not in answer


def test_a_restart_amid_work_is_told_at_every_door_leaves_nothing_half_done_and_needs_nothing_after(
    doors: PostgresDoors, postgres: RealPostgres
) -> None:
    doors.work()
    before = doors.counts()
    page = doors.page.run()
    tick(page, 0)
    postgres.kill()

    page.button(key="bulk-archive").click().run()  # what was on the page when the server went
    assert not page.exception
    assert told(words(page))
    assert told(words(page.run()))
    page.switch_page("pages/4_History.py").run()
    assert told(words(page))
    page.switch_page("pages/1_Investment_Audit.py").run()
    assert not page.exception

    refused, said = doors.tell()
    assert (refused, told(said)) == (True, True), said
    for code, printed in (doors.add(), doors.command("list"), doors.command("recall", "investment", "-", given=DECK)):
        assert (code, told(printed), len(printed.splitlines())) == (1, True, 1), printed

    postgres.start()
    assert doors.counts() == before
    page.switch_page("pages/3_Memory.py").run()
    assert TOLD not in words(page)
    doors.work()


def test_one_session_of_an_agent_outlives_the_restart(doors: PostgresDoors, postgres: RealPostgres) -> None:
    record = {"kind": "observation", "title": "Kiosks", "text": "Kiosks close early in winter, says the founder"}

    async def session() -> list[bool]:
        async with Client(build_server(runtime.services())) as client:

            async def refused(tool: str, **arguments: object) -> bool:
                done = await client.call_tool(tool, arguments)
                text = str(getattr(done.content[0], "text", ""))
                assert not done.is_error or told(text), text
                return bool(done.is_error)

            async def at_work() -> list[bool]:
                return [
                    await refused("memory_search", query=DECK.decode(), kind="investment"),
                    await refused("memory_write", record=record, source="a call"),
                ]

            answers = [await refused("memory_search", query=DECK.decode(), kind="investment")]
            postgres.kill()
            answers += await at_work()
            audit = (await client.call_tool("audit_investment", {"deck": DECK.decode()})).structured_content
            assert audit is not None
            assert audit["precedents"] == []
            assert "Your past investments were not checked" in audit["rests_on"]
            assert told(audit["rests_on"])
            postgres.start()
            return answers + await at_work()

    before = doors.counts()
    assert anyio.run(session) == [False, True, True, False, False]
    records, _, _, audits = doors.counts()
    assert (records, audits) == (before[0] + 1, before[3])


def test_a_write_and_an_audit_that_the_crash_cuts_short_leave_nothing_and_can_be_done_again(
    doors: PostgresDoors, postgres: RealPostgres
) -> None:
    services, before, now = runtime.services(), doors.counts(), runtime.now()
    facts = InvestmentFacts("Crumb", summary="Sold bread to hotels", year=2019)
    record = services.intake.check(
        "local", Kind.INVESTMENT, facts, door=Door.FORM, source="form", author="ana", now=now
    )  # fmt: skip
    with pytest.raises(StoreError, match=TOLD), services.ledger.transaction() as tx:
        services.intake.store([record], tx=tx)
        postgres.kill()
    postgres.start()
    assert doors.counts() == before
    services.intake.store([record])
    assert doors.counts()[0] == before[0] + 1

    page = doors.page.switch_page("pages/1_Investment_Audit.py").run()
    page.text_area(key="text-investment").set_value(DECK.decode())
    postgres.kill()
    next(it for it in page.button if it.label.startswith("Audit this")).click().run()
    assert not page.exception
    assert told(words(page))
    postgres.start()
    assert doors.counts()[3] == before[3]
    assert page.run().text_area(key="text-investment").value == DECK.decode(), "what was pasted is still there"
    assert TOLD not in words(send(page, "investment", DECK.decode()))
    assert doors.counts()[3] == before[3] + 1
