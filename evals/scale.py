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
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import asdict, dataclass, field, replace
from datetime import UTC, datetime
from functools import partial
from pathlib import Path
from tempfile import TemporaryDirectory

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
from evals.chroma import add_raw, query_raw, raw_chroma
from evals.cold import cold_start
from evals.memory import BATCH, NOW, WORKSPACE
from evals.synthetic import EMBEDDED, deck, records, with_vectors
from evals.timing import Line, at_least, at_most, ms, table
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


@dataclass(slots=True)
class Measured:
    """All lines, and the p50 of each step of a recall by number of records."""

    lines: list[Line] = field(default_factory=list)
    steps: dict[int, dict[str, float]] = field(default_factory=dict)


def add_arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("--sizes", default="14,1000,10000", help="numbers of records, comma separated, growing")
    parser.add_argument("--json", action="store_true", help="print JSON instead of a table")
    parser.add_argument("--write", type=Path, help="also write the table to this Markdown file")


def run(arguments: argparse.Namespace) -> int:
    """Measure at each size; 0 when done, whatever was met."""
    sizes = sorted({int(size) for size in arguments.sizes.split(",")})
    got = Measured()
    with TemporaryDirectory() as folder:
        small, large = Path(folder) / "small", Path(folder) / "large"
        with home(large) as services:
            _growth(services, sizes, got)
            got.lines += _ingest(services)
            vectors = sum(services.ledger.entry_counts().values()) * services.embedder.id.dimension * 4
        for grown, size in ((small, 14), (large, sizes[-1])):
            with home(grown) as services:
                got.lines += _audit(services, size)
        got.lines += _cold_starts(small, large, sizes[-1], vectors)
    if arguments.json:
        print(json.dumps(asdict(got), indent=2))
    else:
        print(_tables(got))
    if arguments.write:
        page = _page(got, arguments.sizes) + below_the_tables(arguments.write)
        arguments.write.write_text(page, encoding="utf-8")
    return 0


def below_the_tables(page: Path) -> str:
    """Give what people wrote on ``page``: all from its first section on; "" where there is none."""
    written = page.read_text(encoding="utf-8") if page.exists() else ""
    _, found, below = written.partition("\n## ")
    return found + below


@contextmanager
def home(folder: Path, threads: int = 2) -> Iterator[Services]:
    """Open the seeded memory of a data folder, without any model."""
    settings = Settings(_env_file=None, home=folder, workspace=WORKSPACE, models="")
    services = build_services(settings, threads=threads)
    try:
        yield services
    finally:
        services.close()


def _growth(services: Services, sizes: Sequence[int], got: Measured) -> None:
    """Grow one memory through ``sizes`` and compare recall with a raw query of the same vectors at each."""
    p95: dict[int, float] = {}
    have = services.ledger.counts(WORKSPACE).get(Kind.INVESTMENT, 0)
    made = list(with_vectors(records(max(sizes)), services.embedder))
    with raw_chroma() as collection:
        at = 0
        for size in sizes:
            more = made[at : max(at, size - have)]
            at += len(more)
            store(services, more)
            add_raw(collection, [entry for _, entries in more for entry in entries])
            catch_up(services.ledger, services.index)
            ours, raw, got.steps[size] = recall_times(services, partial(query_raw, collection))
            p95[size] = float(np.quantile(ours, 0.95))
            ratio = statistics.median(ours) / statistics.median(raw)
            note = f"{statistics.median(ours):.1f} ms over {statistics.median(raw):.1f} ms"
            got.lines.append(at_most(f"recall over embedding + raw query, p50, {size:,} records", ratio, 1.5, note))
    small = next((size for size in sizes if size >= 1_000), sizes[0])
    got.lines.append(at_most(f"recall p95 at {sizes[-1]:,} over p95 at {small:,}", p95[sizes[-1]] / p95[small], 1.5))


def recall_times(
    services: Services, query_raw: Callable[[Vectors], object]
) -> tuple[list[float], list[float], dict[str, float]]:
    """Time, in ms, recalls of decks, and embedding the same stretches of them and querying with those alone.

    The last part is the p50 of each step of the recalls.
    """
    ours: list[float] = []
    raw: list[float] = []
    steps: dict[str, list[float]] = {}
    for number in range(QUERIES + 1):
        query = RecallQuery(WORKSPACE, (Kind.INVESTMENT,), deck(WORDS, seed=services.ledger.size() + number))
        texts = [probe.text for probe in probes(query, Words.load())]
        reports: list[RecallReport] = []
        whole = ms(lambda query=query, reports=reports: reports.append(services.recaller.recall(query, NOW)))
        bare = ms(lambda texts=texts: query_raw(services.embedder.embed(texts)))
        if number:
            ours.append(whole)
            raw.append(bare)
            for step, taken in reports[0].steps_ms.items():
                steps.setdefault(step, []).append(taken)
    return ours, raw, {step: statistics.median(taken) for step, taken in steps.items()}


def _cold_starts(small: Path, large: Path, size: int, vectors: int) -> list[Line]:
    """Start a process on a home of 14 records and on the grown one; the memory is what the records add."""
    few, many = cold_start(small, WORKSPACE), cold_start(large, WORKSPACE)
    over = (many.resident - few.resident) / vectors
    note = f"{many.resident / 2**20:.0f} MB with {size:,}, {few.resident / 2**20:.0f} MB with 14 records"
    return [
        at_most("a new process to its first answer, 14 records, s", few.seconds, 3),
        at_most(f"a new process to its first answer, {size:,} records, s", many.seconds, 6),
        at_most(f"resident memory that {size:,} records add, over their vectors' bytes", over, 4, note),
    ]


def _ingest(services: Services) -> list[Line]:
    """Compare ingest with embedding alone, ready vectors with raw Chroma, and a batch with one by one."""
    alone = whole = 0.0
    for turn in range(4):
        made, fresh = list(records(200, seed=70 + turn)), list(records(200, seed=80 + turn))
        alone += ms(lambda made=made: entries_of_many(made, services.embedder))
        whole += ms(
            lambda it=fresh: store(services, list(zip(it, entries_of_many(it, services.embedder), strict=True)))
        )
    ready = list(with_vectors(records(10_000, seed=9), services.embedder))
    entries = [entry for _, group in ready for entry in group]
    with raw_chroma() as collection, TemporaryDirectory() as folder:
        raw = ms(lambda: add_raw(collection, entries))
        index = ChromaIndex(Path(folder))
        ours = ms(lambda: _index(index, entries))
        index.close()
    few = list(with_vectors(records(200, seed=10), services.embedder))
    with TemporaryDirectory() as folder:
        index = ChromaIndex(Path(folder))
        single = ms(lambda: [_index(index, group) for _, group in few])
        index.reset()
        batch = ms(lambda: _index(index, [entry for _, group in few for entry in group]))
        index.close()
    return [
        at_least("ingest with embedding, over embedding alone (records per second)", alone / whole, 0.85),
        at_least("indexing ready vectors, over raw Chroma add", raw / ours, 0.6),
        at_least("indexing in a batch, over one by one", single / batch, 10.0),
    ]


def _audit(services: Services, size: int) -> list[Line]:
    """Time whole audits of 1,000 words in a memory of ``size`` records, and what comes after the draft."""
    whole: list[float] = []
    after: list[float] = []
    for number in range(QUERIES + 1):
        submission = make_submission(INVESTMENT, deck(WORDS, seed=100 + number))
        whole.append(ms(lambda it=submission: run_audit(services, INVESTMENT, it, now=NOW)))
        analysis = INVESTMENT.analyse(submission)
        report = services.recaller.recall(RecallQuery(WORKSPACE, (Kind.INVESTMENT,), submission.text), NOW)
        draft = rules.write_draft(INVESTMENT, submission, analysis, report)

        def keep(draft: DraftAudit = draft, it: Submission = submission, report: RecallReport = report) -> None:
            audit = ground(draft, it, report, mode=INVESTMENT, model="rules", attempts=(), now=NOW)
            with services.ledger.transaction() as tx:
                services.archive.save(WORKSPACE, audit, NO_EXCHANGE, tx=tx)

        after.append(ms(keep))
    model = Chain(["local:scripted"], {"local": ScriptedModel([REPLY])}, Learnt(NoShelf(), lambda: NOW))
    asked = replace(services, chain=model)
    around = [
        ms(lambda it=it: run_audit(asked, INVESTMENT, it, now=NOW))
        for it in (make_submission(INVESTMENT, deck(WORDS, seed=200 + number)) for number in range(QUERIES))
    ]
    return [
        at_most(f"a rule-written audit of 1,000 words, {size:,} records, p50, ms", statistics.median(whole[1:]), 150),
        at_most(f"its guard, score and archive, {size:,} records, p50, ms", statistics.median(after[1:]), 60),
        at_most(f"time added around a model's call, {size:,} records, p95, ms", float(np.quantile(around, 0.95)), 300),
    ]


def store(services: Services, items: Sequence[Item]) -> None:
    """Add records with their vectors, a batch at a time."""
    for start in range(0, len(items), BATCH):
        services.ledger.add_many(items[start : start + BATCH])


def _index(index: ChromaIndex, entries: Sequence[Entry]) -> None:
    for start in range(0, len(entries), 5_000):
        index.apply(WORKSPACE, Kind.INVESTMENT, entries[start : start + 5_000], ())


def _tables(got: Measured) -> str:
    lines = [[it.measure, f"{it.value:.2f}", it.target, "yes" if it.met else "no", it.note] for it in got.lines]
    names = list(dict.fromkeys(step for steps in got.steps.values() for step in steps))
    steps = [[name, *(f"{steps.get(name, 0.0):.1f}" for steps in got.steps.values())] for name in names]
    return "\n\n".join(
        (
            table(["measure", "value", "target", "met", ""], lines),
            "p50 of each step of a recall, ms, by number of records:",
            table(["step", *(f"{size:,}" for size in got.steps)], steps),
        )
    )


def _page(got: Measured, sizes: str) -> str:
    machine = f"{platform.system()} {platform.machine()}, {os.cpu_count()} cores, Python {platform.python_version()}"
    load = f"load {os.getloadavg()[0]:.1f} at the end"
    return (
        f"# Performance, measured\n\n{datetime.now(UTC):%Y-%m-%d}, `python -m evals scale --sizes {sizes}`, {machine}, "
        f"{load}. Ratios are of times taken in turn within one process; times are of this machine. Decks and records "
        f"are made up; the vectors of the first {EMBEDDED:,} records are embedded, the others drawn beside those.\n\n"
        f"{_tables(got)}\n"
    )
