"""Measure how the time of a recall grows with the records, and of an audit with the words, and fit the exponents.

Times are CPU time of this process, in which other programs of the machine do not count, so they hold on a busy one. A
submission of more than 400,000 characters is refused by the product; beyond that its parts are measured all the same.
"""

from __future__ import annotations

import argparse
import os
import platform
import statistics
import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field, replace
from datetime import UTC, datetime
from hashlib import sha256
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import TypeVar

from audit.modes import INVESTMENT
from audit.service import run_audit
from audit.submission import make_submission
from audit.types import Submission
from evals.memory import NOW, WORKSPACE
from evals.scale import home, store
from evals.synthetic import EMBEDDED, deck, records, with_vectors
from evals.timing import exponent, table
from memory.catch_up import catch_up
from memory.records import Kind
from memory.report import RecallQuery
from wiring import Services

T = TypeVar("T")

SECTION = "## Growth"
RECALLS = 15
AUDITS = 3
WORDS = 1_000


@dataclass(slots=True)
class Curve:
    """CPU milliseconds, p50, of one thing by size."""

    what: str
    times: dict[int, float] = field(default_factory=dict)

    def row(self) -> list[str]:
        told = ", ".join(f"{size:,}: {taken:,.0f}" for size, taken in self.times.items())
        last = dict(list(self.times.items())[-2:])
        return [self.what, told, f"{exponent(self.times):.2f}", f"{exponent(last):.2f}"]


def add_arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("--records", default="100,1000,10000", help="numbers of records, comma separated, growing")
    parser.add_argument("--words", default="100,1000,10000,100000", help="numbers of words, comma separated, growing")
    parser.add_argument("--write", type=Path, help="also write the table to this Markdown file, as its section Growth")


def run(arguments: argparse.Namespace) -> int:
    """Measure both curves; 0 when done."""
    sizes, words = ([int(it) for it in given.split(",")] for given in (arguments.records, arguments.words))
    with TemporaryDirectory() as folder:
        with home(Path(folder) / "records", threads=1) as services:
            curves = [by_records(services, sorted(sizes))]
        with home(Path(folder) / "words", threads=1) as services:
            curves += by_words(services, sorted(words))
    told = _section(curves)
    print(told)
    if arguments.write:
        page = arguments.write.read_text(encoding="utf-8") if arguments.write.exists() else ""
        arguments.write.write_text(with_section(page, told), encoding="utf-8")
    return 0


def by_records(services: Services, sizes: Sequence[int]) -> Curve:
    """Grow one memory through ``sizes`` and recall decks of 1,000 words at each."""
    curve = Curve("a recall, by records")
    made = with_vectors(records(sizes[-1]), services.embedder)
    have = services.ledger.size()
    for size in sizes:
        store(services, [item for _, item in zip(range(size - have), made, strict=False)])
        have = size
        catch_up(services.ledger, services.index)
        queries = [RecallQuery(WORKSPACE, (Kind.INVESTMENT,), deck(WORDS, size + it)) for it in range(RECALLS + 1)]
        times = [cpu_ms(lambda it=it: services.recaller.recall(it, NOW)) for it in queries]
        curve.times[size] = statistics.median(times[1:])
    return curve


def by_words(services: Services, words: Sequence[int]) -> list[Curve]:
    """Audit decks of more and more words on a memory of 14 records; the reading and the recall also by themselves."""
    reading, recall, whole = (Curve(f"{it}, by words") for it in ("reading it", "its recall", "a rule-written audit"))
    run_audit(services, INVESTMENT, _submission(WORDS, 0), now=NOW)
    for count in words:
        submissions = [_submission(count, count + it) for it in range(AUDITS)]
        reading.times[count] = _median(lambda it: INVESTMENT.analyse(it), submissions)
        asked = [RecallQuery(WORKSPACE, (Kind.INVESTMENT,), deck(count, count + AUDITS + it)) for it in range(AUDITS)]
        recall.times[count] = _median(lambda it: services.recaller.recall(it, NOW), asked)
        whole.times[count] = _median(lambda it: run_audit(services, INVESTMENT, it, now=NOW), submissions)
    return [reading, recall, whole]


def _submission(words: int, seed: int) -> Submission:
    """Make a submission, of any length."""
    text = deck(words, seed)
    digest = sha256(text.encode()).hexdigest()
    return replace(make_submission(INVESTMENT, deck(min(words, WORDS), seed)), text=text, sha256=digest)


def _median(work: Callable[[T], object], given: Sequence[T]) -> float:
    return statistics.median(cpu_ms(lambda it=it: work(it)) for it in given)


def cpu_ms(work: Callable[[], object]) -> float:
    """Time ``work`` in milliseconds of CPU, of all threads."""
    start = time.process_time()
    work()
    return (time.process_time() - start) * 1_000


def with_section(page: str, section: str) -> str:
    """Put ``section`` in the place of the one of its heading, or at the end of ``page``."""
    heading, _, _ = section.partition("\n")
    before, found, after = page.partition(f"{heading}\n")
    if not found:
        return f"{page.rstrip()}\n\n{section}\n" if page else f"{section}\n"
    _, rest, below = after.partition("\n## ")
    return f"{before}{section}\n{rest}{below}"


def _section(curves: Sequence[Curve]) -> str:
    machine = f"{platform.system()} {platform.machine()}, {os.cpu_count()} cores, Python {platform.python_version()}"
    rows = [it.row() for it in curves]
    return (
        f"{SECTION}\n\n{datetime.now(UTC):%Y-%m-%d}, `python -m evals growth`, {machine}, load "
        f"{os.getloadavg()[0]:.0f}: milliseconds of CPU on one thread, p50, so the neighbours do not count. The "
        f"exponent is 0 where it is flat and 1 where it is proportional, over all sizes and over the last two. Decks "
        f"and records are made up; the vectors of the first {EMBEDDED:,} records are embedded, the others drawn "
        f"beside those.\n\n" + table(["what", "times", "exponent", "of the last two"], rows)
    )
