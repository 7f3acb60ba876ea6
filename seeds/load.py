"""Load the seeds into a memory, once in its life."""

from __future__ import annotations

import json
from dataclasses import dataclass
from datetime import datetime
from pathlib import Path

from memory.facts import from_json
from memory.intake import Intake
from memory.ledger import Ledger
from memory.records import Door, Facts, Kind

FOLDER = Path(__file__).parent
FILES = ("investments.jsonl", "bugs.jsonl")
MARKER = "seeded"


@dataclass(frozen=True, slots=True)
class Seed:
    """One seed: its fixed id, its facts, and the file and line it stands in."""

    id: str
    kind: Kind
    facts: Facts
    source: str


def read_seeds() -> tuple[Seed, ...]:
    """Read all seeds in the order of their files. Raises RecordInvalid for a seed that breaks a rule."""
    seeds: list[Seed] = []
    for name in FILES:
        for number, line in enumerate((FOLDER / name).read_text(encoding="utf-8").splitlines(), start=1):
            row = json.loads(line)
            kind = Kind(row["kind"])
            seeds.append(Seed(row["id"], kind, from_json(kind, row["facts"]), f"seeds/{name}:{number}"))
    return tuple(seeds)


def load_seeds(ledger: Ledger, intake: Intake, workspace: str, now: datetime) -> int:
    """Store the seeds in ``workspace`` unless this memory was ever seeded, and say how many were stored.

    The marker is kept in the same transaction, so a start that is killed seeds nothing, two starts at once seed once,
    and seeds that a user has deleted stay away. Raises StoreError.
    """
    if ledger.setting(MARKER) is not None:
        return 0
    items = [
        intake.check(
            workspace, it.kind, it.facts, door=Door.SEED, source=it.source, author="precedent", now=now, record_id=it.id
        )
        for it in read_seeds()
    ]
    with ledger.transaction() as tx:
        if ledger.setting(MARKER, tx=tx) is not None:
            return 0
        intake.store(items, tx=tx)
        ledger.set_setting(MARKER, now.isoformat(), tx=tx)
    return len(items)
