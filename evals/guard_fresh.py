"""Read batches of sentences, written before a look at the guard's rules, each alone: which are shown, which struck."""

from __future__ import annotations

import random
import tomllib
from collections.abc import Iterator
from dataclasses import dataclass, replace
from hashlib import sha256
from pathlib import Path
from typing import Any

from audit.guard import ground
from audit.modes import BUG, INVESTMENT, Mode
from audit.types import DraftAudit, DraftPrecedent, GroundedAudit
from evals.guard_world import NOW, World, investment, make_world
from memory.records import BugFacts, Record

FOLDER = Path(__file__).parent / "data" / "guard_fresh"


@dataclass(frozen=True, slots=True)
class Batch:
    """What one batch came to: readings, and those that went wrong as ``language: sentence (rule)``, each once."""

    name: str
    honest: int
    struck: int
    hostile: int
    shown: int
    wrong: tuple[str, ...]


def fresh(folder: Path = FOLDER) -> list[Batch]:
    """Read every batch below ``folder``: each sentence with an empty recall and beside a proved precedent, twice."""
    return [read_batch(path) for path in sorted(folder.glob("*.toml"))]


def read_batch(path: Path) -> Batch:
    """Read one batch. Raises KeyError for a file without ``deck``, ``code``, ``honest`` and ``hostile``."""
    batch = tomllib.loads(path.read_text(encoding="utf-8"))
    honest, struck, mild = _count(batch, "honest")
    hostile, fallen, grave = _count(batch, "hostile")
    return Batch(path.stem, honest, struck, hostile, hostile - fallen, tuple(dict.fromkeys(mild + grave)))


def _count(batch: dict[str, Any], side: str) -> tuple[int, int, list[str]]:
    total = struck = 0
    wrong = []
    for language, sentences in batch[side].items():
        mode = BUG if language.endswith("bug") else INVESTMENT
        for sentence in sentences:
            for audit in _readings(batch, mode, sentence, alone="none" in language):
                told = [it for it in audit.refusals if not it.field.startswith("precedents")]
                left = bool(audit.summary or audit.advice or audit.questions)
                fallen = bool(told) if side == "honest" else not left
                total += 1
                struck += fallen
                if fallen == (side == "honest"):
                    wrong.append(f"{side} {language}: {sentence}" + (f" ({told[0].rule})" if told else ""))
    return total, struck, wrong


def _readings(batch: dict[str, Any], mode: Mode, sentence: str, *, alone: bool) -> Iterator[GroundedAudit]:
    for kept in (0,) if alone else (0, 1):
        world = _world(batch, mode, kept)
        proved = tuple(_proof(world, record) for record in world.kept)
        asked = sentence.rstrip().endswith(("?", "？"))
        for draft in (
            DraftAudit(summary=sentence, precedents=proved),
            DraftAudit(questions=(sentence,), precedents=proved)
            if asked
            else DraftAudit(advice=(sentence,), precedents=proved),
        ):
            yield ground(draft, world.submission, world.recall, mode=mode, model="measured", attempts=(), now=NOW)


def _world(batch: dict[str, Any], mode: Mode, kept: int) -> World:
    world = make_world(random.Random(f"fresh:{kept}"), mode, kept)
    text = batch["deck" if mode is INVESTMENT else "code"].strip()
    text = "\n".join([text, *world.passages.values()])
    return replace(world, submission=replace(world.submission, text=text, sha256=sha256(text.encode()).hexdigest()))


def _proof(world: World, record: Record) -> DraftPrecedent:
    quote = record.facts.root_cause if isinstance(record.facts, BugFacts) else investment(record).cause
    return DraftPrecedent(record.id, quote, world.passages[record.id])
