"""The Memory page on 100,000 records: ``pytest -m soak tests/ui/test_large_memory.py -s`` prints what a rerun takes."""

from __future__ import annotations

import statistics
import time
from collections.abc import Callable, Iterator
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest
import streamlit as st
from streamlit.testing.v1 import AppTest

from evals.synthetic import records
from memory.index import Entry
from memory.ledger import Ledger
from tests.ui.conftest import ROOT
from tests.ui.test_browse import choose_column
from ui import runtime

SIZE, AT_MOST_MS, TURNS, AT_ONCE = 100_000, 200.0, 7, 1_000

pytestmark = [pytest.mark.soak, pytest.mark.timeout(1_200)]


def fill(home: Path) -> None:
    """Write records as ``evals scale`` makes them, with drawn vectors: no text is embedded."""
    ledger = Ledger.open(f"sqlite:///{home}/ledger.db")
    drawn = np.random.default_rng(0).normal(size=(AT_ONCE, 384)).astype(np.float32)
    drawn /= np.linalg.norm(drawn, axis=1, keepdims=True)
    made = [replace(it, workspace="local") for it in records(SIZE)]
    for start in range(0, SIZE, AT_ONCE):
        part = zip(made[start : start + AT_ONCE], drawn, strict=True)
        ledger.add_many([(it, [Entry(it.id, "what", 0, vector)]) for it, vector in part])
    ledger.close()


@pytest.fixture(scope="module")
def large(tmp_path_factory: pytest.TempPathFactory) -> Iterator[AppTest]:
    home = tmp_path_factory.mktemp("large")
    fill(home)
    with pytest.MonkeyPatch.context() as patch:
        for name, value in (("HOME", str(home)), ("MODELS", ""), ("WORKSPACE", "local")):
            patch.setenv(f"PRECEDENT_{name}", value)
        patch.chdir(ROOT)
        st.cache_resource.clear()
        app = AppTest.from_file(str(ROOT / "app.py"), default_timeout=600).run()
        runtime.warm_up().join(600)
        yield app
        runtime.services().close()
        st.cache_resource.clear()


@pytest.fixture
def page(large: AppTest) -> AppTest:
    """The Memory page with nothing searched, filtered or turned."""
    page = large.switch_page("pages/3_Memory.py").run()
    page.text_input(key="memory-search").set_value("")
    page.number_input(key="memory-year").set_value(None)
    page.selectbox(key="memory-outcome").select("any")
    page.selectbox(key="memory-sort").select("Last changed")
    page.toggle(key="memory-edit").set_value(False)
    return page.run()


Turn = Callable[[AppTest, int], object]
CASES: dict[str, Turn] = {
    "nothing changed": lambda page, turn: page.run(),
    "a word typed, letter by letter": lambda page, turn: search(page, "dentists"[: turn + 1]),
    "two words": lambda page, turn: search(page, f"dentists {2008 + turn}"),
    "a word that nothing holds": lambda page, turn: search(page, f"zzz{turn}"),
    "a year": lambda page, turn: page.number_input(key="memory-year").set_value(2010 + turn).run(),
    "an outcome": lambda page, turn: page.selectbox(key="memory-outcome").select(("acquired", "any")[turn % 2]).run(),
    "another column to sort by": lambda page, turn: choose_column(page, ("Title", "Year", "Loss", "Trust")[turn % 4]),
    "the next page": lambda page, turn: page.get("pagination")[0].set_value(turn + 2).run(),
    "a page at the end": lambda page, turn: page.get("pagination")[0].set_value(SIZE // 50 - turn).run(),
    "cells to type in": lambda page, turn: page.toggle(key="memory-edit").set_value(turn % 2 == 0).run(),
}


def search(page: AppTest, words: str) -> AppTest:
    return page.text_input(key="memory-search").set_value(words).run()


@pytest.mark.parametrize("case", CASES)
def test_a_rerun_of_the_memory_page_stays_quick(page: AppTest, case: str) -> None:
    taken = []
    for turn in range(TURNS):
        before = time.process_time()
        CASES[case](page, turn)
        taken.append((time.process_time() - before) * 1_000)
        assert not page.exception
    print(f"\n| {case} | {statistics.median(taken):.0f} | {max(taken):.0f} |")
    assert max(taken) <= AT_MOST_MS
