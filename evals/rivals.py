"""`python -m evals rivals --data DIR`: recall beside raw Chroma and mem0, on the same records, queries and embedder.

mem0 runs in an environment of its own, made from requirements-bench.txt (`make bench-rivals`).
"""

from __future__ import annotations

import argparse
import json
import os
import statistics
import subprocess
import sys
import time
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from tempfile import TemporaryDirectory

import numpy as np

from evals.chroma import query_raw, raw_chroma
from evals.dataset import DataSet, find_sets
from evals.memory import NOW, filled, read_by_analyst
from evals.timing import table
from memory.embed import MiniLmEmbedder
from memory.records import render

LIMIT = 12
ROOT = Path(__file__).parents[1]


@dataclass(frozen=True, slots=True)
class Answer:
    """What one memory gave for a query, best first, and the milliseconds it took.

    ``ids`` are all it ranked, ``shown`` those it calls relevant.
    """

    ids: Sequence[str]
    shown: Sequence[str]
    ms: float


def add_arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("--data", type=Path, required=True, help="the folder with memory.jsonl and queries*.jsonl")
    parser.add_argument(
        "--mem0", type=Path, default=Path(".venv-bench/bin/python"), help="a Python that mem0 is installed for"
    )


def run(arguments: argparse.Namespace) -> int:
    """Measure every set in the folder; 1 where there is none, or no mem0."""
    sets = find_sets(arguments.data, NOW)
    if not sets:
        print(f"skipped: {arguments.data} holds no memory.jsonl", file=sys.stderr)
        return 1
    if not arguments.mem0.is_file():
        print(f"{arguments.mem0} is missing; `make bench-rivals` makes it.", file=sys.stderr)
        return 1
    for data in sets:
        answers = {"Precedent": _ours(data), "raw Chroma": _chroma(data), "mem0": _mem0(data, arguments.mem0)}
        print(f"\n{data.name}: {len(data.queries)} queries of {len(data.records)} records\n")
        head = ["memory", "hit@5", "hit@12", "shows something where there is a precedent", "none where there is none"]
        print(table([*head, "p50 ms"], [[name, *_measures(data, given)] for name, given in answers.items()]))
    return 0


def _measures(data: DataSet, given: Sequence[Answer]) -> list[str]:
    asked = list(zip(data.queries, given, strict=True))
    with_one = [(query.gold, answer) for query, answer in asked if query.gold]
    return [
        *(_share([bool(gold & set(answer.ids[:at])) for gold, answer in with_one]) for at in (5, LIMIT)),
        _share([bool(answer.shown) for _, answer in with_one]),
        _share([not answer.shown for query, answer in asked if not query.gold]),
        f"{statistics.median(answer.ms for answer in given):.0f}",
    ]


def _share(cases: Sequence[bool]) -> str:
    return f"{sum(cases) / len(cases):.3f}" if cases else "no such query"


def _ours(data: DataSet) -> list[Answer]:
    answers: list[Answer] = []
    with filled(data.records, MiniLmEmbedder()) as memory:
        for query in data.queries:
            asked = read_by_analyst(data.kind, query)
            start = time.perf_counter()
            report = memory.ask(data.kind, asked)
            taken = (time.perf_counter() - start) * 1_000
            ranked = sorted(report.candidates, key=lambda it: -it.probability)
            answers.append(Answer([it.record.id for it in ranked], [it.record.id for it in report.kept], taken))
    return answers


def _chroma(data: DataSet) -> list[Answer]:
    embedder = MiniLmEmbedder()
    answers: list[Answer] = []
    with raw_chroma() as collection:
        vectors = embedder.embed([render(it) for it in data.records])
        collection.add(ids=[it.id for it in data.records], embeddings=np.asarray(vectors))
        for query in data.queries:
            start = time.perf_counter()
            found = query_raw(collection, embedder.embed([query.text]), LIMIT)
            taken = (time.perf_counter() - start) * 1_000
            answers.append(Answer(found[0], found[0], taken))
    return answers


def _mem0(data: DataSet, python: Path) -> list[Answer]:
    given = {
        "records": [{"id": it.id, "text": render(it)} for it in data.records],
        "queries": [it.text for it in data.queries],
        "limit": LIMIT,
    }
    with TemporaryDirectory() as folder:
        quiet = {"MEM0_TELEMETRY": "False", "ANONYMIZED_TELEMETRY": "False", "MEM0_DIR": folder, "HOME": folder}
        done = subprocess.run(  # noqa: S603
            [python, "-m", "evals.rival_mem0"],
            input=json.dumps(given), capture_output=True, text=True, check=False, cwd=ROOT,
            env={"PATH": os.defpath, "PYTHONPATH": str(ROOT), **quiet},
        )  # fmt: skip
    if done.returncode:
        raise SystemExit(f"mem0 failed: {done.stderr.strip().splitlines()[-1]}")
    return [Answer(it["ids"], it["ids"], it["ms"]) for it in json.loads(done.stdout.splitlines()[-1])]
