"""Measure time and memory as ratios within one run, and write docs/performance.md.

Machines are noisy, so what is compared is measured in turn in the same process: recall against embedding plus a raw
Chroma query, ingest against embedding alone and against raw Chroma, a batch against one by one.
"""

from __future__ import annotations

import argparse
import json
import os
import platform
import statistics
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import asdict, dataclass, replace
from datetime import UTC, datetime
from pathlib import Path
from tempfile import TemporaryDirectory

import chromadb
import numpy as np

from audit.archive import NO_EXCHANGE
from audit.guard import ground
from audit.llm import rules
from audit.llm.chain import Chain
from audit.llm.learnt import Learnt, NoShelf
from audit.llm.scripted import ScriptedModel
from audit.modes import INVESTMENT
from audit.service import run_audit
from audit.submission import make_submission
from audit.types import DraftAudit, Submission
from evals.memory import BATCH, NOW, WORKSPACE
from evals.synthetic import deck, records, with_vectors
from memory.background import Words
from memory.catch_up import catch_up
from memory.chroma_index import ChromaIndex
from memory.embed import Vectors
from memory.index import Entry
from memory.passages import entries_of_many
from memory.probes import probes
from memory.records import Kind, Record
from memory.report import RecallQuery, RecallReport
from settings import Settings
from wiring import Services, build_services

Item = tuple[Record, list[Entry]]
QUERIES = 30
REPLY = json.dumps({"summary": "The deck names its customers.", "ratings": [{"dimension": "problem", "value": 6}]})
WORDS = 1_000


@dataclass(frozen=True, slots=True)
class Line:
    """One measure: its value, its target, and whether the target is met."""

    measure: str
    value: float
    target: str
    met: bool
    note: str = ""


def add_arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("--sizes", default="14,1000,10000", help="numbers of records, comma separated, growing")
    parser.add_argument("--json", action="store_true", help="print JSON instead of a table")
    parser.add_argument("--write", type=Path, help="also write the table to this Markdown file")


def run(arguments: argparse.Namespace) -> int:
    """Measure at each size; 0 when done, whatever was met."""
    sizes = sorted({int(size) for size in arguments.sizes.split(",")})
    with _home() as services:
        lines = [*_growth(services, sizes), *_ingest(services), *_audit(services)]
    if arguments.json:
        print(json.dumps([asdict(line) for line in lines], indent=2))
    else:
        print(_table(lines))
    if arguments.write:
        arguments.write.write_text(_page(lines), encoding="utf-8")
    return 0


@contextmanager
def _home() -> Iterator[Services]:
    with TemporaryDirectory() as folder:
        settings = Settings(_env_file=None, home=Path(folder), workspace=WORKSPACE, models="")
        services = build_services(settings)
        try:
            yield services
        finally:
            services.close()


def _growth(services: Services, sizes: Sequence[int]) -> list[Line]:
    """Grow one memory through ``sizes`` and compare recall with a raw query of the same vectors at each."""
    lines: list[Line] = []
    p95: dict[int, float] = {}
    have = services.ledger.counts(WORKSPACE).get(Kind.INVESTMENT, 0)
    made = with_vectors(list(records(max(sizes))), services.embedder)
    with _raw_chroma() as collection:
        at = 0
        for size in sizes:
            more = made[at : max(at, size - have)]
            at += len(more)
            _store(services, more)
            _add_raw(collection, [entry for _, entries in more for entry in entries])
            catch_up(services.ledger, services.index)
            ours, raw = _recall_times(services, collection)
            p95[size] = float(np.quantile(ours, 0.95))
            ratio = statistics.median(ours) / statistics.median(raw)
            note = f"{statistics.median(ours):.1f} ms over {statistics.median(raw):.1f} ms"
            lines.append(_at_most(f"recall over embedding + raw query, p50, {size:,} records", ratio, 1.5, note))
    small = next((size for size in sizes if size >= 1_000), sizes[0])
    lines.append(_at_most(f"recall p95 at {sizes[-1]:,} over p95 at {small:,}", p95[sizes[-1]] / p95[small], 1.5))
    return lines


def _recall_times(services: Services, collection: chromadb.Collection) -> tuple[list[float], list[float]]:
    """Time, in ms, recalls of decks, and embedding the same stretches of them and querying Chroma with those."""
    ours: list[float] = []
    raw: list[float] = []
    for number in range(QUERIES + 1):
        query = RecallQuery(WORKSPACE, (Kind.INVESTMENT,), deck(WORDS, seed=number))
        texts = [probe.text for probe in probes(query, Words.load())]
        times = (
            _ms(lambda query=query: services.recaller.recall(query, NOW)),
            _ms(lambda texts=texts: _query_raw(collection, services.embedder.embed(texts))),
        )
        if number:
            ours.append(times[0])
            raw.append(times[1])
    return ours, raw


def _ingest(services: Services) -> list[Line]:
    """Compare ingest with embedding alone, ready vectors with raw Chroma, and a batch with one by one."""
    made = list(records(600, seed=7))
    alone = _ms(lambda: entries_of_many(made, services.embedder))
    fresh = list(records(600, seed=8))
    whole = _ms(lambda: _store(services, list(zip(fresh, entries_of_many(fresh, services.embedder), strict=True))))
    ready = with_vectors(list(records(10_000, seed=9)), services.embedder)
    entries = [entry for _, group in ready for entry in group]
    with _raw_chroma() as collection, TemporaryDirectory() as folder:
        raw = _ms(lambda: _add_raw(collection, entries))
        index = ChromaIndex(Path(folder))
        ours = _ms(lambda: _index(index, entries))
        index.close()
    few = with_vectors(list(records(200, seed=10)), services.embedder)
    with TemporaryDirectory() as folder:
        index = ChromaIndex(Path(folder))
        single = _ms(lambda: [_index(index, group) for _, group in few])
        index.reset()
        batch = _ms(lambda: _index(index, [entry for _, group in few for entry in group]))
        index.close()
    return [
        _at_least("ingest with embedding, over embedding alone (records per second)", alone / whole, 0.85),
        _at_least("indexing ready vectors, over raw Chroma add", raw / ours, 0.6),
        _at_least("indexing in a batch, over one by one", single / batch, 10.0),
    ]


def _audit(services: Services) -> list[Line]:
    """Time whole audits of 1,000 words, and what comes after the draft."""
    whole: list[float] = []
    after: list[float] = []
    for number in range(QUERIES + 1):
        submission = make_submission(INVESTMENT, deck(WORDS, seed=100 + number))
        whole.append(_ms(lambda it=submission: run_audit(services, INVESTMENT, it, now=NOW)))
        analysis = INVESTMENT.analyse(submission)
        report = services.recaller.recall(RecallQuery(WORKSPACE, (Kind.INVESTMENT,), submission.text), NOW)
        draft = rules.write_draft(INVESTMENT, submission, analysis, report)

        def keep(draft: DraftAudit = draft, it: Submission = submission, report: RecallReport = report) -> None:
            audit = ground(draft, it, report, mode=INVESTMENT, model="rules", attempts=(), now=NOW)
            with services.ledger.transaction() as tx:
                services.archive.save(WORKSPACE, audit, NO_EXCHANGE, tx=tx)

        after.append(_ms(keep))
    model = Chain(["local:scripted"], {"local": ScriptedModel([REPLY])}, Learnt(NoShelf(), lambda: NOW))
    asked = replace(services, chain=model)
    around = [
        _ms(lambda it=it: run_audit(asked, INVESTMENT, it, now=NOW))
        for it in (make_submission(INVESTMENT, deck(WORDS, seed=200 + number)) for number in range(QUERIES))
    ]
    return [
        _at_most("time added around a model's call (1,000 words), p95, ms", float(np.quantile(around, 0.95)), 300),
        _at_most("a rule-written audit of 1,000 words, p50, ms", statistics.median(whole[1:]), 150),
        _at_most("guard, score and archive, p50, ms", statistics.median(after[1:]), 60),
    ]


def _store(services: Services, items: Sequence[Item]) -> None:
    for start in range(0, len(items), BATCH):
        services.ledger.add_many(items[start : start + BATCH])


def _index(index: ChromaIndex, entries: Sequence[Entry]) -> None:
    for start in range(0, len(entries), 5_000):
        index.apply(WORKSPACE, Kind.INVESTMENT, entries[start : start + 5_000], ())


@contextmanager
def _raw_chroma() -> Iterator[chromadb.Collection]:
    with TemporaryDirectory() as folder:
        client = chromadb.PersistentClient(folder, settings=chromadb.Settings(anonymized_telemetry=False))
        yield client.create_collection("raw", embedding_function=None, metadata={"hnsw:space": "cosine"})


def _add_raw(collection: chromadb.Collection, entries: Sequence[Entry]) -> None:
    for start in range(0, len(entries), 5_000):
        part = entries[start : start + 5_000]
        collection.add(
            ids=[f"{it.record_id}/{it.facet}/{it.passage}" for it in part],
            embeddings=np.stack([it.vector for it in part]),
        )


def _query_raw(collection: chromadb.Collection, vectors: Vectors) -> None:
    collection.query(query_embeddings=vectors, n_results=min(40, collection.count()), include=["distances"])


def _ms(work: Callable[[], object]) -> float:
    start = time.perf_counter()
    work()
    return (time.perf_counter() - start) * 1_000


def _at_most(measure: str, value: float, target: float, note: str = "") -> Line:
    return Line(measure, value, f"≤ {target:g}", value <= target, note)


def _at_least(measure: str, value: float, target: float) -> Line:
    return Line(measure, value, f"≥ {target:g}", value >= target)


def _table(lines: Sequence[Line]) -> str:
    rows = [
        f"| {it.measure} | {it.value:.2f} | {it.target} | {'yes' if it.met else 'no'} | {it.note} |" for it in lines
    ]
    return "\n".join(["| measure | value | target | met | |", "| --- | --- | --- | --- | --- |", *rows])


def _page(lines: Sequence[Line]) -> str:
    machine = f"{platform.system()} {platform.machine()}, {os.cpu_count()} cores, Python {platform.python_version()}"
    return (
        f"# Performance, measured\n\n{datetime.now(UTC):%Y-%m-%d}, `make bench`, {machine}. Ratios are of times taken "
        f"in turn within one process; times are of this machine.\n\n{_table(lines)}\n"
    )
