"""An index on a server keeps every promise of the embedded one: the same tests, on real servers."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from memory.index import VectorIndex
from memory.ledger import Ledger
from tests.contract.conftest import INDEXES, Place
from tests.memory.test_chroma_index import (  # noqa: F401
    test_a_collection_that_does_not_exist_gives_nothing,
    test_a_shorter_revision_leaves_no_passage_behind,
    test_an_index_ahead_of_the_ledger_is_rebuilt,
    test_an_index_finds_what_the_ledger_holds,
    test_applying_the_same_changes_twice_changes_nothing,
    test_hits_come_nearest_first_with_their_cosine,
    test_what_left_the_ledger_leaves_the_index_and_can_come_back,
    test_workspaces_never_meet,
)
from wiring import open_index


@pytest.fixture
def ledger(home: Path) -> Iterator[Ledger]:
    ledger = Ledger.open(f"sqlite:///{home}/ledger.db")
    yield ledger
    ledger.close()


@pytest.fixture(params=[kind for kind in INDEXES if kind != "embedded"])
def index(request: pytest.FixtureRequest, place: Place, ledger: Ledger) -> Iterator[VectorIndex]:
    index = open_index(place("sqlite", request.param), ledger)
    yield index
    index.close()
