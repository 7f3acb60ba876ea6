"""The doors of one memory: the page of a running app, the command line and an agent, while something breaks below."""

from __future__ import annotations

import io
import shutil
import sqlite3
import sys
from collections.abc import Iterator
from contextlib import closing, contextmanager, redirect_stderr, redirect_stdout
from dataclasses import dataclass
from pathlib import Path

import anyio
import pytest
import streamlit as st
from mcp import Client
from streamlit.testing.v1 import AppTest

from audit.speech.said import translated
from mcp_server.server import build_server
from memory import sqlite
from memory.__main__ import main
from memory.records import Kind
from memory.report import RecallQuery
from memory.verify import verify
from tests.ui.looking import words
from tests.ui.test_bulk import tick
from ui import runtime

ROOT = Path(__file__).parents[2]
ACME = b'{"company": "Acme %d", "year": 2022, "outcome": "written_off", "summary": "Rents solar lamps to kiosks"}'
DECK = b"A peer-to-peer payments app for friends. Users double every two months, no revenue yet, one founder."
QUERY = RecallQuery("local", (Kind.INVESTMENT,), DECK.decode())


@dataclass
class Doors:
    """The three doors of one memory: a running app's page, the command line, and an agent beside the app."""

    home: Path
    page: AppTest
    added: int = 0

    def archive(self) -> str:
        """Archive the first record on the Memory page; give what the page says then."""
        self.page.run()
        if not self.page.exception and self.page.dataframe:
            tick(self.page, 0)
            self.page.button(key="bulk-archive").click().run()
        assert not self.page.exception
        return words(self.page)

    def command(self, *arguments: str, given: bytes = b"") -> tuple[int, str]:
        """Run the command line; give its exit code and what it said."""
        out, err = io.StringIO(), io.StringIO()
        with pytest.MonkeyPatch.context() as patch, redirect_stdout(out), redirect_stderr(err):
            patch.setattr(sys, "stdin", io.TextIOWrapper(io.BytesIO(given)))
            code = main(arguments)
        return code, out.getvalue() + err.getvalue()

    def add(self) -> tuple[int, str]:
        self.added += 1
        return self.command("add", "investment", "-", given=ACME % self.added)

    def tell(self) -> tuple[bool, str]:
        """Let an agent write; give whether it was refused and what it was told."""

        async def session() -> tuple[bool, str]:
            async with Client(build_server(runtime.services())) as client:
                record = {"kind": "observation", "title": f"Note {self.added}", "text": "Kiosks close early in winter"}
                done = await client.call_tool("memory_write", {"record": record, "source": "a call with the founder"})
                return bool(done.is_error), str(getattr(done.content[0], "text", ""))

        return anyio.run(session)

    def counts(self) -> list[int]:
        with closing(sqlite3.connect(self.home / "ledger.db")) as database:
            return [
                database.execute(f"SELECT count(*) FROM {table}").fetchone()[0]
                for table in ("records", "changes", "entries")
            ]

    def refuse(self, *told: str) -> None:
        """Find every door shut, each with all of ``told`` in words for a reader, and nothing stored."""
        before = self.counts()
        refused, said = self.tell()
        code, printed = self.add()
        shown = self.archive()
        for answer in (said, printed, shown):
            assert "Traceback" not in answer
            assert "sqlite" not in answer.lower()
            for sentence in told:
                assert sentence in answer
                assert translated(sentence, "zh"), "a page in Chinese would say it in English"
        assert (refused, code) == (True, 1)
        assert "look whether it is there" in shown
        assert self.counts() == before

    def work(self) -> None:
        """Find every door open again, with nothing started anew."""
        records, changes, _ = self.counts()
        assert self.add()[0] == 0
        assert not self.tell()[0]
        assert "Archived: 1." in self.archive()
        assert self.counts()[:2] == [records + 2, changes + 3]
        assert verify(runtime.services().ledger).clean
        assert self.command("recall", "investment", "-", given=DECK)[0] == 0


@contextmanager
def opened(home: Path, seeded_ledger: Path) -> Iterator[Doors]:
    """Start the app on a seeded memory in ``home`` that gives up after a fifth of a second."""
    home.mkdir(parents=True, exist_ok=True)
    shutil.copy(seeded_ledger, home)
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(sqlite, "BUSY_TIMEOUT_MS", 200)
        with running({"PRECEDENT_HOME": str(home)}) as page:
            yield Doors(home, page)


@contextmanager
def running(environment: dict[str, str]) -> Iterator[AppTest]:
    """Start the app without any model in this environment; give its Memory page."""
    with pytest.MonkeyPatch.context() as patch:
        names = ("PRECEDENT_MODELS", "GROQ_API_KEY", "OPENAI_API_KEY")
        for name, value in (dict.fromkeys(names, "") | environment).items():
            patch.setenv(name, value)
        patch.chdir(ROOT)
        st.cache_resource.clear()
        st.cache_data.clear()
        app = AppTest.from_file(str(ROOT / "app.py"), default_timeout=60).run()
        runtime.warm_up().join(60)
        yield app.switch_page("pages/3_Memory.py").run()
        runtime.services().close()
        st.cache_resource.clear()
        st.cache_data.clear()
