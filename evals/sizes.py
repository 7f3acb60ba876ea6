"""The none-rate as a memory grows: the gate's promise must hold at 14 records as at 10,000.

Small memories are samples of the set's records without any precedent of the queries; larger ones are filled up with
invented investments of every trade, put together from parts. Asked are the set's decks without a precedent and, since
those are few, decks of our own in trades that hardly any portfolio holds.
"""

from __future__ import annotations

import random
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import islice, product
from pathlib import Path

from evals.dataset import DataSet, Query
from evals.measures import Measure, measure
from evals.memory import Asked, Remembering, filled
from evals.table import Row
from memory.records import InvestmentFacts, Record
from memory.report import Decision

PARTS = Path(__file__).parent / "data" / "invented.txt"
STRANGERS = Path(__file__).parent / "data" / "strangers.txt"
DRAWS = {14: 20, 100: 6}


@dataclass(frozen=True, slots=True)
class NoneRates:
    """How often each submission without a precedent got none, by the number of records in the memory.

    ``shares`` holds, by size and by the id of a deck, the share (0..1) of draws in which it got none; a deck that is
    asked of several draws counts once, so that the intervals are those of the number of decks. ``own`` are the ids of
    the set's decks, the others are ours. ``p50_ms`` is the time of a recall.
    """

    shares: Mapping[int, Mapping[str, float]]
    own: frozenset[str]
    p50_ms: Mapping[int, float]

    def rows(self) -> list[Row]:
        """Give by how much the none-rate differs between the sizes, as rows of the table of measures."""
        sizes = ", ".join(f"{size:,}" for size in self.shares)
        return [
            Row(
                f"none-rate at {sizes} records, most less least",
                measure(self._groups["all"], self._spread),
                floor=0.05,
                goal=0.03,
                most=True,
            ),
            Row("the same, the set's own decks alone", measure(self._groups["own"], self._spread)),
        ]

    def lines(self) -> list[str]:
        """Say the none-rate at each size in words, with its interval."""
        return [
            f"  {size} records: {'; '.join(f'{name} {_words(it)}' for name, it in rates.items())}; "
            f"p50 {self.p50_ms[size]:.0f} ms"
            for size, rates in self._rates.items()
        ]

    def data(self) -> dict[str, dict[str, float]]:
        """Give the none-rate at each size as JSON data."""
        return {str(size): {name: round(it.value, 4) for name, it in its.items()} for size, its in self._rates.items()}

    @property
    def _groups(self) -> dict[str, list[str]]:
        asked = sorted(next(iter(self.shares.values())))
        own = [it for it in asked if it in self.own]
        return {"all": asked, "own": own, "strangers": [it for it in asked if it not in self.own]}

    @property
    def _rates(self) -> dict[int, dict[str, Measure]]:
        return {
            size: {name: measure([shares[it] for it in decks], _mean) for name, decks in self._groups.items()}
            for size, shares in self.shares.items()
        }

    def _spread(self, decks: Sequence[str]) -> float:
        rates = [_mean([shares[it] for it in decks]) for shares in self.shares.values()]
        return max(rates) - min(rates)


def none_rates(data: DataSet, sizes: Sequence[int], embedder: Remembering) -> NoneRates | None:
    """Measure the none-rate at each of ``sizes``; None where there is no size or no deck without a precedent."""
    own = [it for it in data.queries if not it.gold]
    if not own or not sizes:
        return None
    asked = (*own, *strangers())
    measured = {size: _at(data, size, asked, embedder) for size in sizes}
    return NoneRates(
        {size: shares for size, (shares, _) in measured.items()},
        frozenset(it.id for it in own),
        {size: p50 for size, (_, p50) in measured.items()},
    )


def strangers() -> list[Query]:
    """Give the decks of our own that have no precedent in any ordinary memory."""
    lines = STRANGERS.read_text(encoding="utf-8").splitlines()[1:]
    return [Query(f"stranger-{at}", line, "stranger", frozenset(), frozenset()) for at, line in enumerate(lines, 1)]


def _at(data: DataSet, size: int, asked: Sequence[Query], embedder: Remembering) -> tuple[dict[str, float], float]:
    none: dict[str, list[bool]] = {it.id: [] for it in asked}
    times: list[float] = []
    for draw in range(DRAWS.get(size, 1)):
        with filled(_records(data, size, draw), embedder) as memory:
            for query in asked:
                report = memory.ask(data.kind, Asked(query.text, "", ()))
                none[query.id].append(not any(it.decision is Decision.KEPT for it in report.candidates))
                times.append(sum(report.steps_ms.values()))
    return {deck: sum(drawn) / len(drawn) for deck, drawn in none.items()}, sorted(times)[len(times) // 2]


def _words(it: Measure) -> str:
    return f"{it.value:.3f} ({it.low:.2f}–{it.high:.2f}, n={it.cases})"


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
