"""A process that does every chore of a memory at random until it is killed, and says what it will do and what it did.

``python -m tests.memory.doomed HOME`` reads the number of a life from each line and forks a child that lives it. Its
lines are ``will CHORE WORDS`` and ``did CHORE WORDS``; a chore that was said to be done is acknowledged.
"""

from __future__ import annotations

import os
import sys
from collections.abc import Callable
from datetime import UTC, datetime, timedelta
from itertools import count
from pathlib import Path
from random import Random

import chromadb  # noqa: F401  (loaded before any child is forked)

from memory.backup import back_up, restore
from memory.catch_up import catch_up
from memory.chroma_index import ChromaIndex
from memory.embed import MiniLmEmbedder
from memory.instructions import find_instructions
from memory.intake import Intake
from memory.ledger import Ledger
from memory.lifecycle import Lifecycle
from memory.passages import entries_of
from memory.records import Door, InvestmentFacts, Kind, Origin, Provenance, Record, Status
from memory.sensitive import mask

SPACE, KIND = "local", Kind.INVESTMENT
KEPT = 40
EMBEDDER = MiniLmEmbedder(threads=1)  # a pool of threads would not survive a fork
BEGIN = datetime(2026, 11, 1, tzinfo=UTC)
SUMMARIES = (
    "Boxes of cooked dinners for offices, brought by bicycle",
    "Solar lamps for kiosks, rented by the day",
    "A payments app for friends that split bills",
    "Robots that weld the hulls of fishing boats",
)


def say(*words: str) -> None:
    print(*words, flush=True)


class Life:
    """One life on the data folder ``home``; its number seeds what it does and dates it."""

    def __init__(self, home: Path, number: int) -> None:
        self.home = home
        self.random = Random(number)
        self.at = BEGIN + timedelta(hours=number)
        names = count()
        self.ledger = Ledger.open(f"sqlite:///{home}/ledger.db")
        self.index = ChromaIndex(home / "index")
        self.intake = Intake(self.ledger, EMBEDDER, new_id=lambda: f"{number}-{next(names)}")
        self.lifecycle = Lifecycle(self.ledger, self.index)

    def live(self) -> None:
        chores: list[Callable[[], None]] = [
            self.take_in, self.take_in, self.import_some, self.revise, self.catch_up, self.archive, self.put_back,
            self.forget, self.evict, self.merge, self.purge, self.back_up, self.restore,
        ]  # fmt: skip
        self.take_in()
        say("ready")
        while True:
            self.at += timedelta(seconds=1)
            self.random.choice(chores)()

    def take_in(self) -> None:
        say("will", "intake")
        say("did", "active", self.remember(self.random.choice(SUMMARIES)).id)

    def import_some(self) -> None:
        say("will", "intake")
        made = [
            self.intake.check(SPACE, KIND, self.facts(SUMMARIES[n % 4]), door=Door.IMPORT, **self.signed("deals.csv"))
            for n in range(8)
        ]
        self.intake.store(made)
        say("did", "active", *[it.id for it in made])

    def revise(self) -> None:
        for record in self.some(Status.ACTIVE):
            say("will", "revise")
            facts = self.facts("Umbrellas to borrow at stations")
            self.intake.revise(SPACE, record.id, facts, author="ana", reason="", now=self.at)
            say("did", "active", record.id)

    def catch_up(self) -> None:
        say("will", "index")
        catch_up(self.ledger, self.index)
        say("did", "index")

    def archive(self) -> None:
        self.move(Status.ACTIVE, Status.ARCHIVED)

    def put_back(self) -> None:
        self.move(Status.ARCHIVED, Status.ACTIVE)

    def forget(self) -> None:
        self.move(Status.ACTIVE, Status.FORGOTTEN)

    def evict(self) -> None:
        ids = [it.id for it in self.lifecycle.to_evict(SPACE, KIND, KEPT, self.at)]
        say("will", "archived", *ids)
        self.lifecycle.evict(SPACE, KIND, KEPT, author="ana", now=self.at)
        say("did", "archived", *ids)

    def merge(self) -> None:
        one = self.remember("Bread by drone to islands")
        say("did", "active", one.id)
        other = self.remember("Bread by drone to islands")
        say("did", "active", other.id)
        say("will", "archived", other.id, "merge")
        assert self.lifecycle.merge(SPACE, one.id, [other.id], author="ana", now=self.at) == 1
        say("did", "archived", other.id, "merge")

    def purge(self) -> None:
        late = self.at + timedelta(days=8)
        ids = self.lifecycle.to_purge(SPACE, late)
        say("will", "erased", *ids)
        receipt = self.lifecycle.purge(SPACE, author="ana", now=late)
        assert receipt.clean
        assert list(receipt.erased) == ids
        say("did", "erased", *ids)

    def back_up(self) -> None:
        say("will", "backup")
        say("did", "backup", str(back_up(self.ledger, self.home / "backups", self.at).path))

    def restore(self) -> None:
        for path in sorted((self.home / "backups").glob("backup-*.db"))[-1:]:
            say("will", "restore", str(path), self.ledger.place()[1] or "first")
            restore(self.home / "ledger.db", path, self.at)
            say("did", "restore", str(path))

    def move(self, standing: Status, to: Status) -> None:
        ids = [it.id for it in self.some(standing)]
        say("will", to.value, *ids)
        self.lifecycle.move(SPACE, ids, to, author="ana", reason="", now=self.at)
        say("did", to.value, *ids)

    def some(self, status: Status) -> list[Record]:
        found = self.ledger.find(SPACE, kinds=[KIND], statuses=[status], sort="created", limit=12).records
        return self.random.sample(found, min(2, len(found)))

    def remember(self, summary: str) -> Record:
        return self.intake.remember(SPACE, KIND, self.facts(summary), door=Door.FORM, **self.signed("form"))

    def facts(self, summary: str) -> InvestmentFacts:
        return InvestmentFacts(f"Firm {self.random.randrange(10**9)}", summary=summary, year=2020)

    def signed(self, source: str) -> dict[str, object]:
        return {"source": source, "author": "ana", "now": self.at}


def warm_up() -> None:
    """Load the model and compile the patterns of intake once, for all children."""
    made = Provenance(Door.FORM, Origin.OWN_RECORD, "form", "ana", BEGIN, 0.9)
    record = Record("warm", SPACE, KIND, InvestmentFacts("Warm", summary=mask(SUMMARIES[0])[0]), made, 0.9)
    find_instructions(record)
    entries_of(record, EMBEDDER)


def main(home: Path) -> None:
    warm_up()
    for line in sys.stdin:
        if (child := os.fork()) == 0:
            Life(home, int(line)).live()
        say("pid", str(child))
        os.waitpid(child, 0)
        say("\ndead")


if __name__ == "__main__":
    main(Path(sys.argv[1]))
