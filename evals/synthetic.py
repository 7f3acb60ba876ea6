"""Records and decks made to a size, from a seed; for measuring time, never quality."""

from __future__ import annotations

import random
from collections.abc import Iterable, Iterator
from dataclasses import replace
from decimal import Decimal
from itertools import islice

import numpy as np

from evals.memory import NOW, WORKSPACE
from memory.embed import Embedder
from memory.index import Entry
from memory.money import Money
from memory.passages import entries_of_many
from memory.records import Door, InvestmentFacts, Kind, Origin, Outcome, Provenance, Record

EMBEDDED = 2_000
NOISE = 0.03

_WHAT = ("marketplace", "app", "subscription", "platform", "device", "clinic network", "analytics service", "wallet")
_FOR = ("dentists", "farmers", "students", "freight brokers", "restaurants", "landlords", "nurses", "small shops")
_WITH = ("same-day delivery", "group buying", "salary advances", "remote diagnosis", "route planning", "loyalty points")
_CAUSE = ("never charged its users", "ran out of cash", "lost its only engineer", "was copied by a larger rival")
_LESSON = ("ask who pays first", "check the runway monthly", "want two founders", "want a moat before growth")
_SYLLABLES = ("va", "lo", "ri", "mun", "ta", "kel", "so", "pra", "ni", "dor", "fe", "zu", "bra", "qui", "san", "te")


def records(count: int, seed: int = 0) -> Iterator[Record]:
    """Yield ``count`` investments, each with its own name."""
    draw = random.Random(seed)
    for number in range(count):
        name = "".join(draw.choice(_SYLLABLES) for _ in range(3)).capitalize() + f" {number}"
        what, whom, how = draw.choice(_WHAT), draw.choice(_FOR), draw.choice(_WITH)
        facts = InvestmentFacts(
            company=name,
            sector=f"{what} for {whom}",
            summary=f"A {what} that gives {whom} {how}, sold in {draw.randint(2, 40)} cities.",
            year=draw.randint(2008, 2025),
            outcome=draw.choice((Outcome.WRITTEN_OFF, Outcome.SHUT_DOWN, Outcome.ACQUIRED)),
            invested=Money(Decimal(draw.randint(5, 500) * 1_000), "USD"),
            cause=f"It {draw.choice(_CAUSE)} in year {draw.randint(1, 6)}",
            lesson=f"{draw.choice(_LESSON)} next time".capitalize(),
        )
        credential = Provenance(Door.IMPORT, Origin.OWN_RECORD, f"synthetic:{number}", "evals", NOW, 0.9)
        yield Record(f"syn-{seed}-{number}", WORKSPACE, Kind.INVESTMENT, facts, credential, 0.9, updated_at=NOW)


def with_vectors(made: Iterable[Record], embedder: Embedder, seed: int = 0) -> Iterator[tuple[Record, list[Entry]]]:
    """Give each record its vectors: the first 2,000 embedded, the others a little beside one of those."""
    drawn = np.random.default_rng(seed)
    rest = iter(made)
    embedded = list(islice(rest, EMBEDDED))
    first = entries_of_many(embedded, embedder)
    yield from zip(embedded, first, strict=True)
    for number, record in enumerate(rest):
        entries = []
        for entry in first[number % EMBEDDED]:
            moved = entry.vector + drawn.normal(0, NOISE, entry.vector.shape).astype(np.float32)
            entries.append(replace(entry, record_id=record.id, vector=moved / np.linalg.norm(moved)))
        yield record, entries


def deck(words: int, seed: int = 0) -> str:
    """Write a deck of about ``words`` words in short paragraphs, with amounts, shares and years."""
    draw = random.Random(seed)
    lines: list[str] = []
    written = 0
    while written < words:
        line = draw.choice(
            (
                f"We are building a {draw.choice(_WHAT)} for {draw.choice(_FOR)} with {draw.choice(_WITH)}.",
                f"Customers pay ${draw.randint(5, 900)} a month and {draw.randint(1, 9)} percent leave each month.",
                f"Revenue rose from ${draw.randint(1, 50)}k to ${draw.randint(51, 400)}k in 20{draw.randint(12, 25)}.",
                f"The market of {draw.choice(_FOR)} is worth ${draw.randint(1, 90)} billion.",
                f"Our team of {draw.randint(2, 30)} has built {draw.choice(_WITH)} before at other companies.",
                f"We raise ${draw.randint(1, 20)}M for {draw.randint(9, 30)} months of runway.",
            )
        )
        lines.append(line)
        written += len(line.split())
    return "\n".join(lines)
