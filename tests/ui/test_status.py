"""What is wrong is told on the Status page, with what can be done."""

from __future__ import annotations

import shutil
import sqlite3
from collections.abc import Iterator
from pathlib import Path

import pytest
import streamlit as st
from streamlit.testing.v1 import AppTest

from tests.ui.looking import words

ROOT = Path(__file__).parents[2]


@pytest.fixture
def broken_home(tmp_path: Path) -> Iterator[Path]:
    """A data folder whose ledger is no database."""
    (tmp_path / "ledger.db").write_bytes(b"no database at all " * 400)
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("PRECEDENT_HOME", str(tmp_path))
        for name in ("PRECEDENT_MODELS", "GROQ_API_KEY", "OPENAI_API_KEY"):
            patch.setenv(name, "")
        patch.chdir(ROOT)
        st.cache_resource.clear()
        yield tmp_path
        st.cache_resource.clear()


def opened(page: str) -> AppTest:
    return AppTest.from_file(str(ROOT / "app.py"), default_timeout=60).run().switch_page(page).run()


def test_a_memory_that_cannot_be_opened_leaves_its_place_and_settings_to_read(broken_home: Path) -> None:
    page = opened("pages/6_Status.py")
    assert not page.exception
    assert "The memory cannot be opened" in words(page)
    assert "no backup in the data folder" in words(page)
    assert str(broken_home) in list(page.dataframe[0].value["Value"])


def test_the_newest_backup_is_named_in_a_command_that_brings_it_back(broken_home: Path, seeded_ledger: Path) -> None:
    backups = broken_home / "backups"
    backups.mkdir()
    good = backups / "backup 2.db"
    shutil.copy(seeded_ledger, good)
    page = opened("pages/6_Status.py")
    assert f"restore '{good}'" in page.code[0].value
    assert sqlite3.connect(good).execute("select count(*) from records").fetchone()[0] == 14


@pytest.mark.parametrize("name", ["1_Investment_Audit", "3_Memory", "4_History", "5_Track_Record"])
def test_another_page_says_it_and_leads_there(broken_home: Path, name: str) -> None:
    page = opened(f"pages/{name}.py")
    assert not page.exception
    assert "The memory could not be used" in words(page)
    assert "look whether it is there before you save it again" in words(page)
    assert "See what can be done" in [it.proto.label for it in page.get("page_link")]
