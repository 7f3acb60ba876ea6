"""The seeds: fourteen, once, and never again."""

from __future__ import annotations

import subprocess
import sys
from collections.abc import Iterator
from datetime import datetime
from decimal import Decimal
from pathlib import Path

import pytest

from memory.embed import MiniLmEmbedder
from memory.intake import Intake
from memory.ledger import Ledger
from memory.money import Money
from memory.records import Door, InvestmentFacts, Kind, Origin, Status
from memory.validation import checked
from seeds.load import load_seeds, read_seeds

ROOT = Path(__file__).parents[2]
LOADER = """
import sys
from datetime import UTC, datetime
from memory.embed import MiniLmEmbedder
from memory.intake import Intake
from memory.ledger import Ledger
from seeds.load import load_seeds
ledger = Ledger.open(sys.argv[1])
print(load_seeds(ledger, Intake(ledger, MiniLmEmbedder()), "local", datetime.now(UTC)))
"""


@pytest.fixture
def ledger(home: Path) -> Iterator[Ledger]:
    ledger = Ledger.open(f"sqlite:///{home}/ledger.db")
    yield ledger
    ledger.close()


@pytest.fixture(scope="module")
def embedder() -> MiniLmEmbedder:
    return MiniLmEmbedder()


def test_a_new_memory_starts_with_seven_investments_and_seven_bugs(
    ledger: Ledger, embedder: MiniLmEmbedder, now: datetime
) -> None:
    assert load_seeds(ledger, Intake(ledger, embedder), "local", now) == 14
    assert ledger.counts("local") == {Kind.INVESTMENT: 7, Kind.BUG: 7}
    for record in ledger.find("local").records:
        assert (record.provenance.door, record.provenance.origin) == (Door.SEED, Origin.OWN_RECORD)
        assert record.provenance.source.startswith("seeds/")


def test_a_second_start_seeds_nothing(ledger: Ledger, embedder: MiniLmEmbedder, now: datetime) -> None:
    intake = Intake(ledger, embedder)
    load_seeds(ledger, intake, "local", now)
    assert load_seeds(ledger, intake, "local", now) == 0
    assert load_seeds(ledger, intake, "other", now) == 0
    assert ledger.find("local").total == 14


def test_seeds_that_a_user_deleted_stay_away(ledger: Ledger, embedder: MiniLmEmbedder, now: datetime) -> None:
    intake = Intake(ledger, embedder)
    load_seeds(ledger, intake, "local", now)
    for record in ledger.find("local").records:
        ledger.set_status("local", record.id, Status.FORGOTTEN, author="me", reason="not mine", at=now)
    assert load_seeds(ledger, intake, "local", now) == 0
    assert ledger.counts("local") == {}


def test_two_processes_that_start_at_once_seed_once(home: Path) -> None:
    url = f"sqlite:///{home}/ledger.db"
    starts = [
        subprocess.Popen([sys.executable, "-c", LOADER, url], stdout=subprocess.PIPE, text=True, cwd=ROOT)
        for _ in range(3)
    ]
    said = sorted(int(start.communicate(timeout=60)[0]) for start in starts)
    assert said == [0, 0, 14]
    assert all(start.returncode == 0 for start in starts)


def test_every_seed_keeps_the_rules_that_users_keep() -> None:
    seeds = read_seeds()
    assert len({it.id for it in seeds}) == len(seeds) == 14
    for it in seeds:
        assert checked(it.kind, it.facts) == it.facts


def test_the_payments_start_up_of_2022_lost_fifty_thousand_rupees() -> None:
    facts = next(it.facts for it in read_seeds() if it.id == "seed-investment-paisaloop-2022")
    assert isinstance(facts, InvestmentFacts)
    assert (facts.year, facts.loss) == (2022, Money(Decimal(50_000), "INR"))
    assert facts.lesson
