"""kill -9 at any moment: every acknowledged write is there, nothing is half there, no step is needed by hand."""

from __future__ import annotations

import os
import random
import signal
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest

from memory.catch_up import catch_up
from memory.chroma_index import ChromaIndex
from memory.ledger import Ledger
from memory.records import Kind, Status
from memory.verify import verify

ROOT = Path(__file__).parents[2]

WRITER = """
import os
import sys
from datetime import UTC, datetime, timedelta
from pathlib import Path
import chromadb
import numpy as np
from memory.catch_up import catch_up
from memory.chroma_index import ChromaIndex
from memory.index import Entry
from memory.ledger import Ledger
from memory.lifecycle import Lifecycle
from memory.records import Door, InvestmentFacts, Kind, Origin, Provenance, Record, Status

def live(home, life):
    at = datetime(2026, 11, 1, tzinfo=UTC)
    made = Provenance(Door.FORM, Origin.OWN_RECORD, "form", "ana", at, 0.9)
    ledger, index = Ledger.open(f"sqlite:///{home}/ledger.db"), ChromaIndex(home / "index")
    numbers = np.random.default_rng(life)
    print("ready", flush=True)
    for turn in range(10_000):
        items = []
        for n in range(1 if turn % 4 else 12):
            vector = numbers.normal(size=384).astype(np.float32)
            record = Record(f"{life}-{turn}-{n}", "local", Kind.INVESTMENT, InvestmentFacts(f"co {n}"), made, 0.9)
            items.append((record, [Entry(record.id, "what", 0, vector / np.linalg.norm(vector))]))
        ledger.add_many(items)
        print(*["+" + record.id for record, _ in items], flush=True)
        if turn % 3 == 1:
            gone = items[0][0].id
            ledger.set_status("local", gone, Status.FORGOTTEN, author="ana", reason="", at=at)
            print("-" + gone, flush=True)
        if turn % 5 == 2:
            record, entries = items[-1]
            ledger.revise("local", record.id, InvestmentFacts("new"), entries, author="ana", reason="", at=at)
        catch_up(ledger, index)
        if turn % 4 == 2:
            lifecycle = Lifecycle(ledger, index)
            later = at + timedelta(days=8)
            lifecycle.evict("local", Kind.INVESTMENT, 60, author="ana", now=later)
            receipt = lifecycle.purge("local", author="ana", now=later)
            assert receipt.clean
            print(*["!" + record_id for record_id in receipt.erased], flush=True)


for line in sys.stdin:
    if (child := os.fork()) == 0:
        live(Path(sys.argv[1]), int(line))
    print("pid", child, flush=True)
    os.waitpid(child, 0)
    print("\\ndead", flush=True)
"""


@contextmanager
def mother(home: Path) -> Iterator[subprocess.Popen[str]]:
    """Start a process that has loaded everything and forks a writer for each line it reads."""
    home.mkdir()
    command = [sys.executable, "-W", "ignore", "-c", WRITER, str(home)]
    with subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True, cwd=ROOT) as process:
        yield process
        assert process.stdin is not None
        process.stdin.close()
        process.wait(10)


def live_and_die(process: subprocess.Popen[str], life: int, seconds: float) -> list[str]:
    """Let a writer work for ``seconds``, kill it, and give what it had acknowledged."""
    assert process.stdin is not None
    assert process.stdout is not None
    process.stdin.write(f"{life}\n")
    process.stdin.flush()
    pid, ready, said = 0, False, list[str]()
    while not (pid and ready):
        line = process.stdout.readline().split()
        pid = int(line[1]) if line[0] == "pid" else pid
        ready = ready or line == ["ready"]
    time.sleep(seconds)
    os.kill(pid, signal.SIGKILL)
    while (line := process.stdout.readline().split()) != ["dead"]:
        said += line
    return said


def survive(home: Path, kills: int, seed: int) -> None:
    moments = random.Random(seed)
    kept: set[str] = set()
    forgotten: set[str] = set()
    erased: set[str] = set()
    with mother(home) as process:
        for life in range(kills):
            said = live_and_die(process, life, moments.uniform(0, 0.6))
            kept |= {word[1:] for word in said if word[0] == "+"}
            forgotten |= {word[1:] for word in said if word[0] == "-"}
            erased |= {word[1:] for word in said if word[0] == "!"}
            ledger = Ledger.open(f"sqlite:///{home}/ledger.db")
            assert verify(ledger).clean
            found = ledger.get("local", sorted(kept))
            assert set(found) == kept
            assert all(found[record_id].status is Status.FORGOTTEN for record_id in forgotten)
            assert all(found[record_id].title == "(erased)" for record_id in erased)
            assert not ledger.entries(sorted(erased))
            ledger.close()
    ledger, index = Ledger.open(f"sqlite:///{home}/ledger.db"), ChromaIndex(home / "index")
    catch_up(ledger, index)
    assert dict(index.counts()) == ledger.entry_counts()
    assert len(kept) > kills
    assert erased
    active = sorted(kept - forgotten)[::17]
    for entry in ledger.entries(active, active_only=True):
        (hits,) = index.query("local", Kind.INVESTMENT, entry.vector[None, :], 3)
        assert hits[0].record_id == entry.record_id
        assert not {hit.record_id for hit in hits} & forgotten
    index.close()
    ledger.close()


def test_twenty_kills_at_random_moments_lose_no_acknowledged_write(home: Path) -> None:
    survive(home, kills=20, seed=11)


@pytest.mark.soak
def test_two_hundred_kills_at_random_moments_lose_no_acknowledged_write(home: Path) -> None:
    survive(home, kills=200, seed=12)
