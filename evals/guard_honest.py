"""Honest replies for the guard's measure: true precedents with true quotes, and prose that claims no past."""

from __future__ import annotations

import random
import tomllib
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

from audit.modes import BUG, INVESTMENT
from audit.types import DraftAudit, DraftFinding, DraftPrecedent, Rating
from evals.guard_world import World, investment, make_world
from memory.records import BugFacts, InvestmentFacts, Record, render

_SAID = tomllib.loads((Path(__file__).parent / "data" / "guard_honest.toml").read_text(encoding="utf-8"))
_WHY = (
    "Both grow without charging anybody.",
    "The same gap between users and revenue.",
    "The idea and its weakness are alike.",
    "It is built in the same way.",
    "The input is trusted in the same manner.",
    "",
)


@dataclass(frozen=True, slots=True)
class Honest:
    """One honest reply: its world, the draft, and the sentences in it that may not be struck."""

    world: World
    draft: DraftAudit
    benign: tuple[str, ...]


def honest(seed: int, count: int) -> list[Honest]:
    """Make ``count`` honest replies, the same for the same seed."""
    return [_reply(random.Random(f"honest:{seed}:{at}")) for at in range(count)]


def _reply(rng: random.Random) -> Honest:
    mode = INVESTMENT if rng.random() < 0.6 else BUG
    world = make_world(rng, mode, rng.choice((0, 1, 1, 2, 3)))
    foreign = mode is INVESTMENT and rng.random() < 0.15
    pool = _SAID["other"] if foreign else [it.format(**world.facts) for it in _SAID[mode.name]]
    if world.kept or not world.recall.state.looked:
        pool = [it for it in pool if not it.startswith("No p")]
    said = rng.sample(pool, min(len(pool), 12))
    about = [_about(rng, record) for record in world.kept[:1]] if mode is INVESTMENT and not foreign else []
    finding = DraftFinding("revenue", said[6].rstrip("."), "high", _passage(world), None, said[7], said[8])
    draft = DraftAudit(
        summary="\n".join([*said[:3], *about]),
        findings=(finding,),
        ratings=(Rating(mode.rubric[0].name, rng.randrange(11), said[9]),),
        precedents=tuple(_precedent(rng, world, record) for record in world.kept),
        advice=tuple(said[3:6]),
        questions=tuple(said[10:]),
    )
    return Honest(world, draft, (*said, *about))


def _about(rng: random.Random, record: Record) -> str:
    facts = investment(record)
    said: list[str] = _SAID["precedent"]["investment"]
    return rng.choice(said).format(n=facts.company, y=facts.year, a=facts.loss, o=facts.outcome.label)


def _passage(world: World) -> str:
    lines = [line.strip() for line in world.submission.text.splitlines() if len(line.split()) > 3]
    return lines[0]


def _precedent(rng: random.Random, world: World, record: Record) -> DraftPrecedent:
    return DraftPrecedent(
        record.id,
        rng.choice(_QUOTINGS)(rng, _row(rng, record)),
        rng.choice(_QUOTINGS[:5])(rng, world.passages[record.id]),
        rng.choice(_WHY),
    )


def _row(rng: random.Random, record: Record) -> str:
    match record.facts:
        case InvestmentFacts() as it:
            return rng.choice((it.summary, it.cause, it.lesson, f"What it was: {it.summary}"))
        case BugFacts() as it:
            return rng.choice((it.root_cause, it.faulty_code, it.title, f"Root cause: {it.root_cause}"))
    return render(record)


def _ellipsis(rng: random.Random, quote: str) -> str:
    words = quote.split()
    plain = len(words) >= 9 and all(word.isalpha() for word in (*words[:4], *words[-4:]))
    return f"{' '.join(words[:4])} … {' '.join(words[-4:])}" if plain else quote


_QUOTINGS: tuple[Callable[[random.Random, str], str], ...] = (
    lambda rng, quote: quote,
    lambda rng, quote: f"“{quote}”",
    lambda rng, quote: quote.replace("'", "’").replace(" ", "\u00a0", 1),
    lambda rng, quote: quote.upper(),
    lambda rng, quote: quote.replace(" ", "\n  ", 2),
    _ellipsis,
)
