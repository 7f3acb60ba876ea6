"""What the machine does to a memory in use is told at every door, loses nothing, and needs no repair by hand."""

from __future__ import annotations

import io
import os
import re
import shutil
import sqlite3
import subprocess
import sys
from collections.abc import Iterator
from contextlib import closing, redirect_stderr
from datetime import datetime
from pathlib import Path

import pytest
import streamlit as st
from streamlit.testing.v1 import AppTest

from audit.speech.said import translated
from mcp_server.__main__ import main as serve
from memory.__main__ import main
from memory.ledger import Ledger
from memory.reasons import of_sqlite_code
from memory.records import Door, InvestmentFacts, Kind
from memory.report import RecallState
from settings import Settings
from tests.adversarial.doors import DECK, QUERY, Doors, opened
from tests.ui.looking import words
from ui import runtime
from wiring import build_services

ROOT = Path(__file__).parents[2]


@pytest.fixture(scope="module")
def small_disk(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Path]:
    """A disk of 24 MB."""
    if os.geteuid():
        pytest.skip("only root may mount a disk")
    place = tmp_path_factory.mktemp("disk")
    subprocess.run(["mount", "-t", "tmpfs", "-o", "size=24m", "tmpfs", str(place)], check=True)
    yield place
    subprocess.run(["umount", "--lazy", str(place)], check=True)


@pytest.fixture(scope="module")
def doors(small_disk: Path, seeded_ledger: Path) -> Iterator[Doors]:
    with opened(small_disk / "home", seeded_ledger) as doors:
        yield doors


@pytest.fixture
def locked_home(small_disk: Path, seeded_ledger: Path) -> Iterator[Path]:
    """A memory on a disk that is mounted read-only."""
    home, locked = small_disk / "whole", small_disk / "locked"
    home.mkdir()
    locked.mkdir()
    shutil.copy(seeded_ledger, home)
    subprocess.run(["mount", "--bind", str(home), str(locked)], check=True)
    subprocess.run(["mount", "-o", "remount,bind,ro", str(locked)], check=True)
    yield locked
    subprocess.run(["umount", "--lazy", str(locked)], check=True)
    shutil.rmtree(home)


def test_a_home_on_a_read_only_disk_is_told_at_every_door(locked_home: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PRECEDENT_HOME", str(locked_home))
    monkeypatch.setenv("PRECEDENT_MODELS", "")
    st.cache_resource.clear()
    page = AppTest.from_file(str(ROOT / "app.py"), default_timeout=60).run().switch_page("pages/3_Memory.py").run()
    st.cache_resource.clear()
    assert not page.exception
    said = [words(page)]
    for door in (main, serve):
        errors = io.StringIO()
        with redirect_stderr(errors):
            assert door(["list"] if door is main else []) == 1
        said.append(errors.getvalue())
    for answer in said:
        assert f"The data folder {locked_home} cannot be written to. What is in it is kept." in answer
        assert "choose another folder in PRECEDENT_HOME" in answer
        assert "Traceback" not in answer


def test_a_home_without_the_right_to_write_is_told_and_opens_once_it_is_given(
    tmp_path: Path, seeded_ledger: Path
) -> None:
    home = tmp_path / "home"
    home.mkdir()
    shutil.copy(seeded_ledger, home)
    home.chmod(0o555)
    command = [sys.executable, "-m", "memory", "list"]
    if not os.geteuid():
        command = ["setpriv", "--bounding-set=-all", "--inh-caps=-all", *command]  # root without root's rights
    done = subprocess.run(
        command, cwd=ROOT, env=os.environ | {"PRECEDENT_HOME": str(home)}, capture_output=True, text=True, timeout=60
    )
    home.chmod(0o755)
    assert (done.returncode, done.stdout) == (1, "")
    assert done.stderr.startswith(f"The data folder {home} cannot be written to. What is in it is kept.")
    assert len(done.stderr.splitlines()) == 1
    with closing(Ledger.open(f"sqlite:///{home}/ledger.db")) as ledger:
        assert ledger.size() == 14


def test_an_index_that_outlived_its_ledger_is_not_taken_for_that_of_the_next(settings: Settings, now: datetime) -> None:
    for name in ("Acme", "Other"):
        with closing(build_services(settings)) as services:
            services.intake.remember(
                "local", Kind.INVESTMENT, InvestmentFacts(name, summary="Rents lamps"), door=Door.FORM, source="form",
                author="ana", now=now,
            )  # fmt: skip
            assert services.recaller.recall(QUERY, runtime.now()).kept
            ids = [it.id for it in services.ledger.find("local", kinds=[Kind.INVESTMENT]).records]
            assert services.index.holds("local", Kind.INVESTMENT, ids) == set(ids)
        for part in settings.home.glob("ledger.db*"):
            part.unlink()


@pytest.mark.parametrize("code", [13, 4874, 5, 261, 6, 8, 1032, 14, 10, 266, 11, 26])
def test_every_way_that_sqlite_fails_is_told_in_each_language(code: int) -> None:
    told = of_sqlite_code(code)
    assert len(told.split(". ")) > 1
    assert all(translated(it, "zh") for it in re.split(r"(?<=\.) ", told))


def fill(disk: Path) -> Path:
    """Take the last byte of a disk."""
    ballast = disk / "ballast"
    file = os.open(ballast, os.O_WRONLY | os.O_CREAT)
    try:
        for size in (65_536, 1):
            with pytest.raises(OSError, match="No space left"):
                while True:
                    os.write(file, b"x" * size)
    finally:
        os.close(file)
    return ballast


def test_a_full_disk_is_told_at_every_door_and_room_on_it_is_all_that_is_needed(doors: Doors, small_disk: Path) -> None:
    ballast = fill(small_disk)
    doors.refuse("The disk is full.", "Make room on it and try again.")
    ballast.unlink()
    doors.work()


def test_a_writer_that_does_not_end_is_waited_for_and_then_told(doors: Doors) -> None:
    with closing(sqlite3.connect(doors.home / "ledger.db", isolation_level=None)) as other:
        other.execute("BEGIN IMMEDIATE")
        doors.refuse("Another process has been writing for too long.", "Try again when it is done.")
        report = doors.command("recall", "investment", "-", given=DECK)
        assert report[0] == 0, "readers never wait"
    doors.work()


def test_a_memory_that_was_moved_away_takes_nothing_in_and_goes_on_when_it_is_back(
    doors: Doors, small_disk: Path
) -> None:
    before = doors.counts()
    away = doors.home.rename(small_disk / "elsewhere")
    refused, said = doors.tell()
    shown = doors.archive()
    assert refused
    for answer in (said, shown):
        assert f"{doors.home / 'ledger.db'} is gone: it was moved or deleted" in answer
        assert "Put it back and this goes on by itself" in answer
    assert not doors.home.exists(), "no second memory has begun in its place"
    away.rename(doors.home)
    assert doors.counts() == before
    doors.work()


def test_a_search_index_that_is_deleted_or_damaged_while_in_use_is_built_anew_unasked(doors: Doors) -> None:
    services = runtime.services()

    def found() -> set[str]:
        report = services.recaller.recall(QUERY, runtime.now())
        assert report.state is RecallState.FOUND, report.message
        return {it.record.title for it in report.kept}

    before = found()
    shutil.rmtree(doors.home / "index")
    assert found() == before
    doors.work()
    assert found() == before
    for database in (doors.home / "index").glob("*/*/chroma.sqlite3"):
        database.write_bytes(os.urandom(database.stat().st_size))
    assert found() == before
    assert dict(services.index.counts()) == services.ledger.entry_counts()
