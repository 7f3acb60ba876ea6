"""Recall: from a submission to the records that are precedents of it, or the answer that there are none.

The only reader of the indexes. Vectors and keywords propose more candidates than are wanted; each is resolved through
the ledger, so what was forgotten cannot return, compared in full, given a chance, and gated. Only then are the kept
put in order, folded, spread and cut.
"""

from __future__ import annotations

import time
from collections import defaultdict
from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, replace
from datetime import datetime
from pathlib import Path

import numpy as np

from memory.background import Words, mean_vector
from memory.catch_up import catch_up, search
from memory.close_reading import CloseReader
from memory.confirm import Confirmation, confirm
from memory.embed import Embedder, MiniLmEmbedder, Reader, Reading, Vectors
from memory.errors import StoreError
from memory.evidence import Comparison, Evidence, likened_to, named_in
from memory.flaw_kind import family
from memory.index import Entry, VectorIndex
from memory.judge import RANK, Seen, judge, speaks
from memory.keyword_ranking import KeywordHit
from memory.ledger_reader import LedgerReader
from memory.multilingual import MultilingualEmbedder
from memory.opinions import opinions
from memory.other_languages import MOST_FOREIGN, TAGS, OtherLanguages
from memory.probes import READ_CHARS, Probe, Role, probes
from memory.ranking import by_opinion
from memory.records import Kind, Nature, Record, Status
from memory.relevance import CALIBRATIONS, Calibration, calibration
from memory.report import Candidate, Decision, Gate, Hearsay, RecallQuery, RecallReport, RecallState
from memory.telling import what_of
from memory.terms import COMMON, language, tokens

HITS_PER_PROBE = 40
SENTENCE_PROBES = 3
POOL = 60
CLOSER_LOOKS = 16
KEYWORD_HITS = 24
KEYWORD_TERMS = 24


# Begins to ask another memory; the function that is given waits for its answer.
Asking = Callable[[RecallQuery], Callable[[], Hearsay | None]]


class Recaller:
    """Answers what a memory holds about a submission. Safe to share between threads where its index is."""

    def __init__(
        self,
        ledger: LedgerReader,
        index: VectorIndex,
        embedder: Embedder,
        open_multilingual: Callable[[], VectorIndex] | None = None,
        calibrations: Path = CALIBRATIONS,
        ask: Asking | None = None,
    ) -> None:
        self._ledger = ledger
        self._index = index
        self._embedder = embedder
        self._calibrations = calibrations
        self._ask = ask
        multilingual = MultilingualEmbedder()
        self._closer = _Closer(
            CloseReader(embedder if isinstance(embedder, Reader) else MiniLmEmbedder(), multilingual),
            OtherLanguages(ledger, multilingual, open_multilingual),
        )

    def begin(self, query: RecallQuery) -> None:
        """Begin to read a submission that is about to be recalled for, while its cues are still looked for.

        Nothing depends on it, and where cues are part of what is asked, or it is in another language, nothing is begun.
        """
        if query.text.strip() and not query.needs_cue and language(query.text) in {"en", ""}:
            self._closer.reader.begin([probe.text for probe in probes(query, Words.load())])

    def recall(self, query: RecallQuery, now: datetime) -> RecallReport:
        """Find the precedents of ``query``. Never raises StoreError: what failed is a state of the report.

        Where another memory is set it is asked meanwhile, and what it says stands apart as hearsay.
        """
        answer = self._ask(query) if self._ask else None
        report = self._own(query, now)
        return replace(report, hearsay=answer()) if answer else report

    def _own(self, query: RecallQuery, now: datetime) -> RecallReport:
        try:
            return _Recall(
                self._ledger, self._index, self._embedder, self._closer, self._calibrations, query, now
            ).run()
        except StoreError as error:
            return RecallReport(
                state=RecallState.UNAVAILABLE,
                message=f"Your records could not be searched, so nothing is said about your history. {error}",
            )


@dataclass(frozen=True, slots=True)
class _Closer:
    """The ways to look closer at a few candidates, and to look across languages."""

    reader: CloseReader
    others: OtherLanguages


class _Recall:
    """One recall: the steps share the query, the clock and the timings."""

    def __init__(
        self,
        ledger: LedgerReader,
        index: VectorIndex,
        embedder: Embedder,
        closer: _Closer,
        calibrations: Path,
        query: RecallQuery,
        now: datetime,
    ) -> None:
        self._ledger = ledger
        self._index = index
        self._embedder = embedder
        self._closer = closer
        self._calibrations = calibrations
        self._query = query
        self._now = now
        self._kinds = tuple(kind for kind in query.kinds if kind.nature is Nature.FACT)
        self._language = "en" if query.needs_cue else language(query.text)
        self._steps: dict[str, float] = {}

    def run(self) -> RecallReport:
        with self._timed("count"):
            standing = self._ledger.standing(self._query.workspace)
            counts, written_with = standing.counts, standing.embedder
            searched = sum(counts.get(kind, 0) for kind in self._kinds)
        if searched == 0:
            return self._report(RecallState.NO_RECORDS, "You have no records of this kind yet.")
        if written_with is not None and written_with != self._embedder.id:
            return self._report(
                RecallState.EMBEDDER_CHANGED,
                f"Your {searched} records were indexed with {written_with.name}, and {self._embedder.id.name} is set "
                "now. They are not lost; index them again to search them.",
                searched,
            )
        if not self._query.text.strip():
            return self._report(RecallState.NONE_RELEVANT, "None found: the text is empty.", searched)
        with self._timed("catch up"):
            catch_up(self._ledger, self._index, standing.place)
        gate = Gate(1.0, 1.0)
        found: list[Candidate] = []
        for kind in self._kinds:
            if counts.get(kind):
                numbers = calibration(kind, self._embedder.id, self._calibrations)
                gate = numbers.gate
                if self._language in {"en", ""}:
                    with self._timed("keywords"):
                        words, foreign = self._by_keywords(kind)
                    found += self._candidates(kind, numbers, counts[kind], words)
                    found += self._foreign(kind, counts[kind], foreign, {it.record.id for it in found})
                else:
                    gate = calibration(kind, self._closer.others.id, self._calibrations).gate
                    found += self._across(kind, counts[kind])
        found.sort(key=lambda it: (RANK[it.decision], -it.order, -it.probability, it.record.id))
        said = opinions(
            self._ledger, self._query.workspace, [it.record.id for it in found if it.decision is Decision.KEPT]
        )
        found = by_opinion(found, said)
        kept = sum(it.decision is Decision.KEPT for it in found)
        if kept:
            state, message = (
                RecallState.FOUND,
                f"{kept} of your {searched} records {'is' if kept == 1 else 'are'} like this.",
            )
        else:
            state, message = RecallState.NONE_RELEVANT, f"None found: none of your {searched} records is like this."
        return self._report(state, message, searched, tuple(found), gate)

    def _candidates(
        self, kind: Kind, numbers: Calibration, searched: int, words: Mapping[str, KeywordHit]
    ) -> list[Candidate]:
        with self._timed("embed"):
            asked = probes(self._query, Words.load())
            texts = [probe.text for probe in asked]
            said = self._closer.reader.read(texts)
            if self._closer.reader.id == self._embedder.id:
                vectors = np.stack([reading.vector for reading in said])
            else:
                vectors = self._embedder.embed(texts)
            mean = mean_vector(self._embedder.id, kind)
        if numbers.weights.get("second"):
            self._closer.reader.hear(self._query.text)
        with self._timed("vectors"):
            proposed = self._by_vectors(kind, asked, vectors, mean)
        with self._timed("resolve"):
            ids = list(dict.fromkeys([*proposed[:POOL], *words]))
            records = self._ledger.get(self._query.workspace, ids)
            entries: dict[str, list[Entry]] = defaultdict(list)
            for entry in self._ledger.entries(list(records)):
                entries[entry.record_id].append(entry)
        with self._timed("compare"):
            active = [it for it in records.values() if it.status is Status.ACTIVE and it.kind is kind]
            evidence = Comparison(asked, vectors, mean).compare(active, entries)
            seen = [
                self._see(record, entries[record.id], seen_of, words.get(record.id))
                for record, seen_of in zip(active, evidence, strict=True)
            ]
        with self._timed("look closer"):
            seen = self._look_closer(kind, seen, said, numbers)
        with self._timed("gate"):
            return judge(seen, numbers, searched, self._query, self._now)

    def _across(self, kind: Kind, searched: int) -> list[Candidate]:
        """Look for records through the multilingual embedder, for a submission that is not in English."""
        others = self._closer.others
        with self._timed("embed"):
            asked = probes(self._query, Words.load())
            vectors = others.embed([probe.text for probe in asked])
        with self._timed("vectors"):
            turned = vectors - mean_vector(others.id, kind)
            turned = turned / np.maximum(np.linalg.norm(turned, axis=1, keepdims=True), 1e-9)
            ids = others.near(self._query.workspace, kind, turned.astype(np.float32), HITS_PER_PROBE)[:POOL]
        ids = list(dict.fromkeys([*ids, *self._by_keywords(kind)[0]]))
        return self._compare_across(kind, ids, asked, vectors, searched)

    def _foreign(self, kind: Kind, searched: int, foreign: Sequence[str], seen: Collection[str]) -> list[Candidate]:
        """Look at the records that are not in English, for a submission that is."""
        if self._query.needs_cue:
            return []
        others = self._closer.others
        with self._timed("other languages"):
            ids = [record_id for record_id in foreign if record_id not in seen]
            if not ids:
                return []
            asked = probes(self._query, Words.load())
            vectors = others.embed([probe.text for probe in asked])
            return self._compare_across(kind, ids, asked, vectors, searched)

    def _compare_across(
        self, kind: Kind, ids: Sequence[str], asked: Sequence[Probe], vectors: Vectors, searched: int
    ) -> list[Candidate]:
        """Compare through the multilingual embedder alone, with its own gate."""
        others = self._closer.others
        records = [it for it in self._ledger.get(self._query.workspace, ids).values() if it.status is Status.ACTIVE]
        if not records:
            return []
        told = self._closer.reader.tellings(records, self._ledger.readings([it.id for it in records]))
        entries = {it.id: [Entry(it.id, "what", 0, made.second)] for it, made in zip(records, told, strict=True)}
        compared = Comparison(asked, vectors, mean_vector(others.id, kind)).compare(records, entries)
        seen = [
            self._see(record, entries[record.id], evidence, None)
            for record, evidence in zip(records, compared, strict=True)
        ]
        for it in seen:
            own = language(what_of(it.record)) or "en"
            it.across = own != (self._language or "en")
        numbers = calibration(kind, others.id, self._calibrations)
        return judge(seen, numbers, searched, self._query, self._now)

    def _look_closer(self, kind: Kind, seen: list[Seen], said: Sequence[Reading], numbers: Calibration) -> list[Seen]:
        """Read the most promising closely and hear the multilingual embedder on them; the others it would not lift."""
        seen.sort(key=lambda it: (-numbers.score(it.evidence.features), it.record.id))
        first = seen[:CLOSER_LOOKS]
        records = [it.record for it in first]
        told = self._closer.reader.tellings(records, self._ledger.readings([it.id for it in records]))
        looks: dict[str, list[float]] = {"words": self._closer.reader.coverage(said, told)}
        if numbers.weights.get("second"):
            mean = mean_vector(self._closer.others.id, kind)
            looks["second"] = self._closer.reader.likeness(self._query.text, told, mean)
        for at, it in enumerate(first):
            seen_closer = {name: values[at] for name, values in looks.items()}
            it.evidence = replace(it.evidence, features={**it.evidence.features, **seen_closer})
        return seen

    def _by_vectors(self, kind: Kind, asked: Sequence[Probe], vectors: Vectors, mean: Vectors) -> list[str]:
        """Propose records near a probe, best first. A probe less the background's mean finds by corrected likeness."""
        sentences = [at for at, probe in enumerate(asked) if probe.role is Role.SENTENCE][:SENTENCE_PROBES]
        rows = [at for at, probe in enumerate(asked) if probe.role is not Role.SENTENCE] + sentences
        turned = vectors[rows] - mean
        lengths = np.linalg.norm(turned, axis=1, keepdims=True)
        best: dict[str, float] = {}
        turned = (turned / np.maximum(lengths, 1e-9)).astype(np.float32)
        found = search(self._ledger, self._index, self._query.workspace, kind, turned, HITS_PER_PROBE)
        for length, hits in zip(lengths[:, 0], found, strict=True):
            for hit in hits:
                best[hit.record_id] = max(best.get(hit.record_id, -1.0), hit.similarity * float(length))
        return sorted(best, key=lambda record_id: (-best[record_id], record_id))

    def _by_keywords(self, kind: Kind) -> tuple[dict[str, KeywordHit], list[str]]:
        """Find the records that hold rare terms of the submission, and the ids of those in another language."""
        terms = dict.fromkeys(
            kind.lower() for cue in self._query.cues if self._query.needs_cue for kind in family(cue.key)
        )
        words = Words.load()
        said = [
            term for term in dict.fromkeys(tokens(self._query.text[:20_000])) if term not in COMMON and len(term) > 1
        ]
        said.sort(key=lambda term: -words.rarity(term))
        terms |= dict.fromkeys(said[:KEYWORD_TERMS])
        asked = [(list(terms), KEYWORD_HITS), (() if self._query.needs_cue else TAGS, MOST_FOREIGN)]
        hits, foreign = self._ledger.keyword_lists(self._query.workspace, kind, asked)
        return {hit.record_id: hit for hit in hits}, [hit.record_id for hit in foreign]

    def _see(self, record: Record, entries: Sequence[Entry], evidence: Evidence, keywords: KeywordHit | None) -> Seen:
        confirmation = confirm(record, self._query) if self._query.needs_cue else None
        features = dict(evidence.features)
        features["named"] = float(named_in(record, self._query.text[:READ_CHARS]))
        features["likened"] = float(likened_to(record, self._query.text[:READ_CHARS]))
        features["language"] = float(speaks(record, self._query.language))
        features["match"] = _match(confirmation, record, self._query.language)
        features["recurs"] = float(confirmation is not None and confirmation.recurs)
        features["keywords"] = keywords.score if keywords else 0.0
        return Seen(
            record, replace(evidence, features=features), keywords.terms if keywords else (), confirmation, entries
        )

    def _report(
        self,
        state: RecallState,
        message: str,
        searched: int = 0,
        candidates: tuple[Candidate, ...] = (),
        gate: Gate | None = None,
    ) -> RecallReport:
        return RecallReport(state, message, candidates, gate or Gate(1.0, 1.0), searched, dict(self._steps))

    @contextmanager
    def _timed(self, step: str) -> Iterator[None]:
        start = time.perf_counter()
        try:
            yield
        finally:
            self._steps[step] = self._steps.get(step, 0.0) + (time.perf_counter() - start) * 1_000


def _match(confirmation: Confirmation | None, record: Record, spoken: str) -> float:
    """Say how closely (0..1) a finding of the record's kind ties it: a past bug in another language less."""
    if confirmation is None or confirmation.recurs:
        return 0.0
    return confirmation.closeness * (1.0 if not spoken or speaks(record, spoken) else 0.85)
