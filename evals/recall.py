"""`python -m evals recall --data DIR [--json]`: how well recall finds precedents, and how well it says there are none.

DIR holds memory.jsonl and queries*.jsonl, or folders that do. Every query runs through the real rule analyst and the
real recall, on a memory in a temporary folder. Intervals are 95 %, by bootstrap over queries.
"""

from __future__ import annotations

import argparse
import json
import platform
import sys
from collections import defaultdict
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from evals import bugs, decks
from evals.dataset import DataSet, find_sets
from evals.memory import NOW, Remembering, asked_all
from evals.outcome import Outcome
from evals.sizes import NoneRates, none_rates
from evals.table import text
from memory.embed import MiniLmEmbedder
from memory.records import Kind
from memory.report import Decision

WORST = 12


def add_arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("--data", type=Path, required=True, help="the folder with memory.jsonl and queries*.jsonl")
    parser.add_argument("--json", action="store_true", help="write JSON to standard output")
    parser.add_argument(
        "--sizes", default="", metavar="N,N", help="measure the none-rate at these numbers of records too"
    )


def run(arguments: argparse.Namespace) -> int:
    """Measure every set in the folder; 1 where there is none."""
    sets = find_sets(arguments.data, NOW)
    if not sets:
        print(f"skipped: {arguments.data} holds no memory.jsonl", file=sys.stderr)
        return 1
    embedder = Remembering(MiniLmEmbedder())
    sizes = [int(size) for size in arguments.sizes.split(",") if size.strip()]
    reports = [
        Report(each, asked_all(each, embedder), none_rates(each, sizes, embedder) if _are_decks(each) else None)
        for each in sets
    ]
    if arguments.json:
        machine = {"python": platform.python_version(), "machine": platform.platform()}
        print(
            json.dumps(
                {"data": str(arguments.data), "machine": machine, "sets": [it.data() for it in reports]}, indent=1
            )
        )
    else:
        print("\n\n".join(it.text() for it in reports))
    return 0


class Report:
    """What was measured on one set."""

    def __init__(self, data: DataSet, outcomes: Sequence[Outcome], sizes: NoneRates | None) -> None:
        self._data = data
        self._outcomes = outcomes
        self._sizes = sizes
        self.rows = [*(decks if _are_decks(data) else bugs).rows(outcomes), *(sizes.rows() if sizes else [])]

    def by_type(self) -> dict[str, dict[str, float | int]]:
        """Count, for each type of query: how many, how often something and something right was shown, hit@5."""
        groups: dict[str, list[Outcome]] = defaultdict(list)
        for it in self._outcomes:
            groups[it.query.type].append(it)
        return {name: _summary(group) for name, group in sorted(groups.items())}

    def misses(self) -> list[dict[str, Any]]:
        """Name the worst misses: precedents ranked last, and strangers scored highest."""
        lost = sorted((it for it in self._outcomes if it.has), key=lambda it: -(it.rank() or 999))[: WORST // 2]
        claimed = sorted((it for it in self._outcomes if not it.has), key=lambda it: -it.best)[: WORST // 2]
        return [*(_miss(it) for it in lost if (it.rank() or 999) > 1), *(_miss(it) for it in claimed)]

    def data(self) -> dict[str, Any]:
        return {
            "kind": self._data.kind.value,
            "records": len(self._data.records),
            "queries": len(self._data.queries),
            "name": self._data.name,
            "rows": [row.data() for row in self.rows],
            "none_rate_by_size": self._sizes.data() if self._sizes else {},
            "recall_ms": self._times(),
            "by_type": self.by_type(),
            "worst": self.misses(),
        }

    def text(self) -> str:
        kinds = [
            f"  {name}: n={row['queries']}, hit@5 {row['hit@5']:.2f}, kept {row['kept']:.2f}, right kept "
            f"{row['right kept']:.2f}, right near {row['right near']:.2f}"
            for name, row in self.by_type().items()
        ]
        worst = [f"  {it['query']} ({it['type']}): {it['what']}" for it in self.misses()]
        times = self._times()
        data = self._data
        title = f"{data.name} ({data.kind.value}): {len(data.queries)} queries of {len(data.records)} records"
        sections = {
            "by type": kinds,
            "none-rate by size": self._sizes.lines() if self._sizes else [],
            "worst misses": worst,
        }
        lines = [line for name, part in sections.items() if part for line in (name, *part)]
        return "\n".join([text(title, self.rows), f"recall: p50 {times['p50']} ms, p95 {times['p95']} ms", *lines])

    def _times(self) -> dict[str, int]:
        ordered = sorted(it.ms for it in self._outcomes)
        return (
            {"p50": round(ordered[len(ordered) // 2]), "p95": round(ordered[int(len(ordered) * 0.95)])}
            if ordered
            else {}
        )


def _are_decks(data: DataSet) -> bool:
    return data.kind is Kind.INVESTMENT


def _summary(group: Sequence[Outcome]) -> dict[str, float | int]:
    def part(cases: Sequence[bool]) -> float:
        return round(sum(cases) / len(cases), 4)

    def right(it: Outcome, decision: Decision) -> bool:
        return any(seen.record_id in it.query.gold for seen in it.shown(decision))

    return {
        "queries": len(group),
        "hit@5": part([it.has and (it.rank() or 99) <= 5 for it in group]),
        "kept": part([bool(it.shown(Decision.KEPT)) for it in group]),
        "right kept": part([right(it, Decision.KEPT) for it in group]),
        "right near": part([right(it, Decision.NEAR) for it in group]),
    }


def _miss(it: Outcome) -> dict[str, Any]:
    first = it.candidates[0] if it.candidates else None
    seen = f"first is {first.title[:60]!r} with chance {first.chance:.2f}" if first else "nothing was proposed"
    what = f"its precedent is at {it.rank() or 'no'} place; {seen}" if it.has else f"has no precedent; {seen}"
    return {"query": it.query.id, "type": it.query.type, "what": what}
