"""A real ledger, index and embedder for each test of the memory."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from datetime import datetime
from itertools import count
from pathlib import Path

import numpy as np
import pytest

from memory.chroma_index import ChromaIndex
from memory.embed import MiniLmEmbedder
from memory.index import Entry
from memory.intake import Intake
from memory.ledger import Ledger
from memory.records import (
    BugFacts,
    Door,
    Facts,
    InvestmentFacts,
    Kind,
    Origin,
    Outcome,
    Provenance,
    Record,
    Status,
)

MakeRecord = Callable[..., Record]


@pytest.fixture
def url(home: Path) -> str:
    return f"sqlite:///{home}/ledger.db"


@pytest.fixture
def ledger(url: str) -> Iterator[Ledger]:
    ledger = Ledger.open(url)
    yield ledger
    ledger.close()


@pytest.fixture(scope="session")
def embedder() -> MiniLmEmbedder:
    return MiniLmEmbedder()


@pytest.fixture
def index(home: Path) -> Iterator[ChromaIndex]:
    index = ChromaIndex(home / "index")
    yield index
    index.close()


@pytest.fixture
def intake(ledger: Ledger, embedder: MiniLmEmbedder) -> Intake:
    return Intake(ledger, embedder)


@pytest.fixture
def make_record(now: datetime) -> MakeRecord:
    numbers = count(1)

    def make(
        facts: Facts | None = None,
        *,
        workspace: str = "local",
        kind: Kind = Kind.INVESTMENT,
        record_id: str = "",
        status: Status = Status.ACTIVE,
        derived_from: tuple[str, ...] = (),
        confidence: float = 0.9,
    ) -> Record:
        number = next(numbers)
        if facts is None and kind is Kind.BUG:
            facts = BugFacts(f"Bug {number}", symptom="crashes on a leap day", year=2020)
        facts = facts or InvestmentFacts(f"Company {number}", summary="sells software", outcome=Outcome.OPERATING)
        provenance = Provenance(Door.FORM, Origin.OWN_RECORD, "form", "ana", now, confidence, "c" * 64, derived_from)
        return Record(record_id or f"r{number}", workspace, kind, facts, provenance, confidence, status, updated_at=now)

    return make


MakeEntry = Callable[..., Entry]


@pytest.fixture
def make_entry() -> MakeEntry:
    def make(record_id: str, seed: int = 0, facet: str = "what", passage: int = 0) -> Entry:
        vector = np.random.default_rng(seed).normal(size=384).astype(np.float32)
        return Entry(record_id, facet, passage, vector / np.linalg.norm(vector))

    return make
