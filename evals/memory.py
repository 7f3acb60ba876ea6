"""A real memory in a temporary folder, filled with the records to measure, and asked through the real recall."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path
from tempfile import TemporaryDirectory

from audit.errors import AuditError
from audit.modes import BUG, INVESTMENT, Mode
from audit.submission import make_submission
from evals.dataset import DataSet, Query
from evals.outcome import Outcome, outcome
from memory.chroma_index import ChromaIndex
from memory.embed import EmbedderId, Reader, Reading, Vectors
from memory.ledger import Ledger
from memory.passages import entries_of_many
from memory.recall import Recaller
from memory.records import Kind, Record
from memory.relevance import calibration
from memory.report import Cue, RecallQuery, RecallReport

NOW = datetime(2026, 11, 1, 12, 0, tzinfo=UTC)
WORKSPACE = "evals"
BATCH = 500


@dataclass(frozen=True, slots=True)
class Asked:
    """What recall is asked of one submission: its text, its language, and what the rule analyst found in it."""

    text: str
    language: str
    cues: tuple[Cue, ...]


def mode_of(kind: Kind) -> Mode:
    """Give the mode whose precedents are records of ``kind``."""
    return INVESTMENT if kind is Kind.INVESTMENT else BUG


def read_by_analyst(kind: Kind, query: Query) -> Asked:
    """Let the rule analyst of ``kind`` read a query's text first, as an audit does."""
    mode = mode_of(kind)
    try:
        submission = make_submission(mode, query.text, query.file_name)
    except AuditError:
        return Asked(query.text, query.language, ())
    return Asked(submission.text, submission.language, mode.analyse(submission).cues)


class Remembering:
    """A reader that remembers how it read each text, so that many memories can be asked the same queries."""

    def __init__(self, reader: Reader) -> None:
        self._reader = reader
        self._read: dict[str, Reading] = {}

    @property
    def id(self) -> EmbedderId:
        return self._reader.id

    def embed(self, texts: Sequence[str]) -> Vectors:
        return self._reader.embed(texts)

    def read(self, texts: Sequence[str]) -> list[Reading]:
        fresh = list(dict.fromkeys(text for text in texts if text not in self._read))
        self._read |= dict(zip(fresh, self._reader.read(fresh) if fresh else [], strict=True))
        return [self._read[text] for text in texts]


class Memory:
    """A memory that can be asked. ``recaller`` is the one the product uses."""

    def __init__(self, ledger: Ledger, recaller: Recaller) -> None:
        self.ledger = ledger
        self.recaller = recaller

    def ask(self, kind: Kind, asked: Asked) -> RecallReport:
        """Recall the precedents of what was asked, at a fixed time."""
        mode = mode_of(kind)
        language = asked.language if mode.needs_cue else ""
        query = RecallQuery(WORKSPACE, (kind,), asked.text, asked.cues, language, mode.needs_cue)
        return self.recaller.recall(query, NOW)


@contextmanager
def filled(records: Sequence[Record], embedder: Reader) -> Iterator[Memory]:
    """Fill a memory in a temporary folder with ``records``; it is thrown away at the end."""
    with TemporaryDirectory() as folder:
        ledger = Ledger.open(f"sqlite:///{folder}/ledger.db")
        ledger.set_embedder(embedder.id)
        for start in range(0, len(records), BATCH):
            batch = list(records[start : start + BATCH])
            ledger.add_many(list(zip(batch, entries_of_many(batch, embedder), strict=True)))
        index = ChromaIndex(Path(folder) / "index")
        try:
            yield Memory(ledger, Recaller(ledger, index, embedder, lambda: ChromaIndex(Path(folder) / "multilingual")))
        finally:
            index.close()
            ledger.close()


def asked_all(data: DataSet, embedder: Reader) -> list[Outcome]:
    """Ask every query of a set, through the analyst and the recall of the product."""
    numbers = calibration(data.kind, embedder.id)
    with filled(data.records, embedder) as memory:
        return [outcome(it, memory.ask(data.kind, read_by_analyst(data.kind, it)), numbers) for it in data.queries]
