"""The none-rate as a memory grows: the gate's promise must hold at 14 records as at 10,000.

Small memories are samples of the set's records without any precedent of the queries; larger ones are filled up with
invented investments of every trade, put together from parts. Asked are the set's decks without a precedent and, since
those are few, decks of our own in trades that hardly any portfolio holds.
"""

from __future__ import annotations

import random
from collections import defaultdict
from collections.abc import Sequence
from dataclasses import dataclass, replace
from itertools import islice, product
from pathlib import Path

from evals.dataset import DataSet, Query
from evals.measures import Measure, measure
from evals.memory import Asked, Remembering, filled
from memory.records import InvestmentFacts, Record
from memory.report import Decision

PARTS = Path(__file__).parent / "data" / "invented.txt"
STRANGERS = Path(__file__).parent / "data" / "strangers.txt"
DRAWS = {14: 6, 100: 2}


@dataclass(frozen=True, slots=True)
class Size:
    """The share of submissions without a precedent that got none, in a memory of ``records``; p50 in milliseconds.

    ``own`` rests on the set's decks, ``strangers`` on ours. A deck that is asked of several draws counts once, by the
    share of draws in which it got none, so that the intervals are those of the number of decks.
    """

    records: int
    own: Measure
    strangers: Measure
    p50_ms: float


def none_rates(data: DataSet, sizes: Sequence[int], embedder: Remembering) -> list[Size]:
    """Measure the none-rate at each of ``sizes``."""
    own = [it for it in data.queries if not it.gold]
    return [_at(data, size, own, embedder) for size in sizes] if own else []


def strangers() -> list[Query]:
    """Give the decks of our own that have no precedent in any ordinary memory."""
    lines = STRANGERS.read_text(encoding="utf-8").splitlines()[1:]
    return [Query(f"stranger-{at}", line, "stranger", frozenset(), frozenset()) for at, line in enumerate(lines, 1)]


def _at(data: DataSet, size: int, own: Sequence[Query], embedder: Remembering) -> Size:
    ours = strangers()
    none: dict[str, list[bool]] = defaultdict(list)
    times: list[float] = []
    for draw in range(DRAWS.get(size, 1)):
        with filled(_records(data, size, draw), embedder) as memory:
            for query in (*own, *ours):
                report = memory.ask(data.kind, Asked(query.text, "", ()))
                none[query.id].append(not any(it.decision is Decision.KEPT for it in report.candidates))
                times.append(sum(report.steps_ms.values()))

    def rate(queries: Sequence[Query]) -> Measure:
        return measure([sum(none[it.id]) / len(none[it.id]) for it in queries], _mean)

    return Size(size, rate(own), rate(ours), sorted(times)[len(times) // 2])


def _mean(shares: Sequence[float]) -> float:
    return sum(shares) / len(shares)


def _records(data: DataSet, size: int, draw: int) -> list[Record]:
    shuffled = list(data.records)
    random.Random(draw).shuffle(shuffled)
    made = shuffled[:size]
    pattern = shuffled[0]
    for number, facts in enumerate(islice(invented(), size - len(made))):
        made.append(replace(pattern, id=f"invented-{number}", facts=facts))
    return made


def invented() -> list[InvestmentFacts]:
    """Make some 13,000 invented investments: what is offered, to whom, where; in a fixed random order."""
    columns: dict[str, list[str]] = {}
    for line in PARTS.read_text(encoding="utf-8").splitlines():
        if line and not line.startswith("#"):
            name, _, values = line.partition(":")
            columns[name] = [value.strip() for value in values.split("|")]
    together = [
        InvestmentFacts(f"Invented {number}", "", f"{offer} for {customer} {where}.")
        for number, (offer, customer, where) in enumerate(
            product(columns["offers"], columns["customers"], columns["places"])
        )
    ]
    random.Random(0).shuffle(together)
    return together
