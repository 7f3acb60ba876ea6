"""kill -9 at any moment of any chore: every acknowledged write is there, nothing is half there, no step by hand."""

from __future__ import annotations

import os
import random
import signal
import subprocess
import sys
import time
from collections import Counter
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path

import pytest

from memory.catch_up import catch_up
from memory.chroma_index import ChromaIndex
from memory.ledger import Ledger
from memory.records import Kind, Status
from memory.verify import verify

ROOT = Path(__file__).parents[2]
ERASED = "erased"


@contextmanager
def mother(home: Path) -> Iterator[subprocess.Popen[str]]:
    """Start a process that has loaded everything and forks a child for each line it reads."""
    home.mkdir()
    command = [sys.executable, "-W", "ignore", "-m", "tests.memory.doomed", str(home)]
    with subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True, cwd=ROOT) as process:
        yield process
        assert process.stdin is not None
        process.stdin.close()
        process.wait(10)


def live_and_die(process: subprocess.Popen[str], life: int, seconds: float) -> list[list[str]]:
    """Let a child work for ``seconds``, kill it, and give what it said."""
    assert process.stdin is not None
    assert process.stdout is not None
    process.stdin.write(f"{life}\n")
    process.stdin.flush()
    pid, said = 0, list[list[str]]()
    while not (pid and ["ready"] in said):
        line = process.stdout.readline().split()
        assert line != ["dead"], f"life {life} died by itself"
        pid = int(line[1]) if line[0] == "pid" else pid
        said.append(line)
    time.sleep(seconds)
    os.kill(pid, signal.SIGKILL)
    while (line := process.stdout.readline().split()) != ["dead"]:
        said.append(line)
    return [line for line in said if line and line[0] in {"will", "did"}]


@dataclass
class Witness:
    """What was acknowledged: where each record must stand, and where each stood when a backup was made.

    ``course`` is the one the ledger was on before the last restore: a restore begins another, and so tells that it
    was done.
    """

    standing: dict[str, str] = field(default_factory=dict)
    backups: dict[str, dict[str, str]] = field(default_factory=dict)
    unsure: set[str] = field(default_factory=set)
    restoring: str = ""
    course: str = ""
    struck: Counter[str] = field(default_factory=Counter)

    def hear(self, said: list[list[str]]) -> None:
        """Take in what a life said; the last thing that it would do and did not is what it was struck in."""
        doing = ""
        for verb, chore, *words in said:
            merging = words[-1:] == ["merge"]
            ids = words[:-1] if merging else words
            if verb == "will":
                doing = "merge" if merging else chore
                self.unsure = set(ids) if chore != "restore" else set()
                self.restoring, self.course = words if chore == "restore" else ("", "")
                continue
            doing, self.restoring = "", ""
            self.unsure = set()
            match chore:
                case "backup":
                    self.backups[words[0]] = dict(self.standing)
                case "restore":
                    self.standing = dict(self.backups[words[0]])
                case "index":
                    pass
                case _:
                    self.standing |= dict.fromkeys(ids, chore)
        self.struck[doing or "between two chores"] += 1

    def check(self, home: Path) -> None:
        """Compare the ledger with what was acknowledged."""
        ledger = Ledger.open(f"sqlite:///{home}/ledger.db")
        found = verify(ledger)
        assert found.clean, found.problem
        if self.restoring and self.course != (ledger.place()[1] or "first"):
            self.standing = dict(self.backups[self.restoring])
        records = ledger.get("local", sorted(self.standing))
        assert set(records) == set(self.standing)
        seen = {it.id: ERASED if it.title == "(erased)" else it.status.value for it in records.values()}
        for record_id in self.unsure & set(seen):
            self.standing[record_id] = seen[record_id]
        assert seen == self.standing
        gone = [record_id for record_id, status in self.standing.items() if status == ERASED]
        assert not ledger.entries(gone)
        ledger.close()
        for path in (home / "backups").glob("*.db"):
            if str(path) not in self.backups:
                path.unlink()


def survive(home: Path, kills: int, seed: int) -> Witness:
    moments = random.Random(seed)
    witness = Witness()
    with mother(home) as process:
        for life in range(kills):
            witness.hear(live_and_die(process, life, moments.uniform(0, 0.8)))
            witness.check(home)
    ledger, index = Ledger.open(f"sqlite:///{home}/ledger.db"), ChromaIndex(home / "index")
    catch_up(ledger, index)
    assert dict(index.counts()) == ledger.entry_counts()
    active = [record_id for record_id, status in witness.standing.items() if status == Status.ACTIVE.value]
    hidden = set(witness.standing) - set(active)
    assert index.holds("local", Kind.INVESTMENT, active) == set(active)
    assert index.holds("local", Kind.INVESTMENT, sorted(hidden)) == set()
    index.close()
    ledger.close()
    return witness


def test_twenty_kills_at_random_moments_lose_no_acknowledged_write(home: Path) -> None:
    witness = survive(home, kills=20, seed=11)
    assert witness.backups
    assert {status for state in (witness.standing, *witness.backups.values()) for status in state.values()} >= {
        "active", "archived", "forgotten",
    }  # fmt: skip


@pytest.mark.soak
def test_two_hundred_kills_at_random_moments_of_every_chore_lose_no_acknowledged_write(home: Path) -> None:
    witness = survive(home, kills=200, seed=12)
    print(f"\nstruck in: {dict(witness.struck.most_common())}")
    assert set(witness.struck) >= {"intake", "index", "archived", "erased", "backup", "restore"}
