"""Close readings: read once, kept beside the vectors, and never older than what they were read from."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace
from datetime import datetime

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from sqlalchemy import delete, func, select, update

from memory import schema
from memory.chroma_index import ChromaIndex
from memory.close_reading import CloseReader
from memory.embed import EmbedderId, MiniLmEmbedder, Reading, Vectors
from memory.errors import EmbedderUnavailable
from memory.intake import Intake
from memory.ledger import Ledger
from memory.multilingual import MultilingualEmbedder
from memory.passages import entries_of_many
from memory.recall import Recaller
from memory.records import Door, InvestmentFacts, Kind, Note, Record, Status
from memory.report import Cue, RecallQuery, RecallReport
from memory.telling import Teller, Telling
from memory.verify import verify

MakeRecord = Callable[..., Record]
PAYMENTS = InvestmentFacts("Coinrush", summary="Peer-to-peer payments app that lets friends split bills for free.")
FLOWERS = InvestmentFacts("Petalpost", summary="Fresh flowers sent every week by subscription to offices.")
DECK = "An app to pay friends and split bills, peer to peer. 200,000 users, doubling yearly. No revenue yet."
ASKED = RecallQuery("local", (Kind.INVESTMENT,), DECK)


class Counting:
    """A reader that notes which texts it was given."""

    def __init__(self, reader: MiniLmEmbedder) -> None:
        self._reader = reader
        self.given: list[str] = []

    @property
    def id(self) -> EmbedderId:
        return self._reader.id

    def embed(self, texts: Sequence[str]) -> Vectors:
        self.given += texts
        return self._reader.embed(texts)

    def read(self, texts: Sequence[str]) -> list[Reading]:
        self.given += texts
        return self._reader.read(texts)


@pytest.fixture
def teller(embedder: MiniLmEmbedder) -> Teller:
    return Teller(embedder, MultilingualEmbedder())


@pytest.fixture
def told(teller: Teller, make_record: MakeRecord) -> Telling:
    return teller.tell([make_record(PAYMENTS)])[0][1]


def remember(intake: Intake, facts: InvestmentFacts, now: datetime) -> Record:
    return intake.remember(
        "local", Kind.INVESTMENT, facts, door=Door.FORM, source="form", author="ana", now=now
    )  # fmt: skip


def words_of(report: RecallReport) -> dict[str, tuple[float, float]]:
    return {it.record.title: (it.features["words"], it.features["second"]) for it in report.candidates}


def test_a_packed_telling_says_the_same_to_a_thousandth(teller: Teller, told: Telling) -> None:
    again = teller.unpack(teller.pack(told))
    assert again is not None
    assert np.allclose((again.states * told.states).sum(axis=1), 1, atol=1e-3)
    assert np.allclose(again.rarity, told.rarity)
    assert again.second @ told.second == pytest.approx(1, abs=1e-3)
    assert len(teller.pack(told)) < 7_200


def test_a_record_without_telling_words_is_packed_too(teller: Teller, make_record: MakeRecord) -> None:
    empty = teller.tell([make_record(InvestmentFacts("...", summary="???"))])[0][1]
    again = teller.unpack(teller.pack(empty))
    assert again is not None
    assert again.states.shape == (0, 384)


@given(cut=st.integers(0, 7_500), extra=st.binary(max_size=8))
def test_what_is_damaged_or_of_another_model_is_not_read(cut: int, extra: bytes) -> None:
    teller = Teller(MiniLmEmbedder(), MultilingualEmbedder())
    blank = Telling(np.eye(3, 384, dtype=np.float32), np.ones(3, np.float32), np.eye(1, 512, dtype=np.float32)[0])
    packed = teller.pack(blank)
    other = packed[:cut] + extra
    assert (teller.unpack(other) is None) == (len(other) != len(packed) or other[:8] != packed[:8] or other[8] != 3)
    assert teller.unpack(bytes([packed[0] ^ 1]) + packed[1:]) is None


def test_facts_are_read_at_intake_and_nothing_else_is(intake: Intake, ledger: Ledger, now: datetime) -> None:
    fact = remember(intake, PAYMENTS, now)
    wish = Note("Payments", "Preference", "We prefer payments apps that have a licence in each country.")
    note = intake.remember(
        "local", Kind.PREFERENCE, wish,
        door=Door.FORM, source="form", author="ana", now=now,
    )  # fmt: skip
    assert set(ledger.readings([fact.id, note.id])) == {fact.id}


def test_recall_reads_no_record_that_was_read_at_intake(
    ledger: Ledger, index: ChromaIndex, embedder: MiniLmEmbedder, now: datetime
) -> None:
    reader = Counting(embedder)
    remember(Intake(ledger, reader), PAYMENTS, now)
    reader.given.clear()
    recaller = Recaller(ledger, index, reader)
    first = recaller.recall(ASKED, now)
    assert first.candidates
    assert not any(PAYMENTS.summary in text for text in reader.given)
    given = len(reader.given)
    assert replace(recaller.recall(ASKED, now), steps_ms={}) == replace(first, steps_ms={})
    assert len(reader.given) == given


def test_a_submission_that_was_begun_is_read_once_and_gives_the_same(
    ledger: Ledger, index: ChromaIndex, embedder: MiniLmEmbedder, now: datetime
) -> None:
    remember(Intake(ledger, embedder), PAYMENTS, now)
    reader = Counting(embedder)
    first = Recaller(ledger, index, reader).recall(ASKED, now)
    read = list(reader.given)
    reader.given.clear()
    recaller = Recaller(ledger, index, reader)
    recaller.begin(ASKED)
    cued = replace(ASKED, cues=(Cue("team", "no team is named"),))
    assert replace(recaller.recall(cued, now), steps_ms={}) == replace(first, steps_ms={})
    assert reader.given == read
    for other in ("", "   ", "我们让朋友之间互相转账，从不收费。"):
        recaller.begin(replace(ASKED, text=other))
    recaller.begin(replace(ASKED, needs_cue=True))
    recaller.recall(ASKED, now)
    assert reader.given == read, "nothing is begun where it is not what would be asked"


def test_a_revised_record_is_read_again(
    ledger: Ledger, index: ChromaIndex, intake: Intake, embedder: MiniLmEmbedder, now: datetime
) -> None:
    record = remember(intake, FLOWERS, now)
    recaller = Recaller(ledger, index, embedder)
    before = words_of(recaller.recall(ASKED, now))
    intake.revise("local", record.id, PAYMENTS, author="ana", reason="mixed up", now=now)
    after = words_of(recaller.recall(ASKED, now))
    other = remember(intake, replace(PAYMENTS, company="Coinrush too"), now)
    fresh = words_of(recaller.recall(ASKED, now))[other.title]
    assert after["Coinrush"] == pytest.approx(fresh, abs=1e-6)
    assert after["Coinrush"][0] > before["Petalpost"][0] + 0.2


def test_a_record_that_the_ledger_keeps_no_reading_of_is_read_at_recall(
    ledger: Ledger, index: ChromaIndex, intake: Intake, embedder: MiniLmEmbedder, now: datetime
) -> None:
    remember(intake, PAYMENTS, now)
    kept = words_of(Recaller(ledger, index, embedder).recall(ASKED, now))["Coinrush"]
    with ledger.transaction() as tx:
        tx.execute(update(schema.entries).values(reading=None))
    assert words_of(Recaller(ledger, index, embedder).recall(ASKED, now))["Coinrush"] == pytest.approx(kept, abs=2e-3)


def test_an_erased_record_leaves_no_reading(ledger: Ledger, intake: Intake, now: datetime) -> None:
    record = remember(intake, PAYMENTS, now)
    about = {"author": "ana", "reason": "asked", "at": now}
    ledger.set_status("local", record.id, Status.FORGOTTEN, **about)
    ledger.erase("local", [record.id], **about)
    with ledger.reading() as tx:
        assert tx.execute(select(func.count()).select_from(schema.entries)).scalar_one() == 0


def test_a_reading_that_was_altered_in_the_file_is_noticed(ledger: Ledger, intake: Intake, now: datetime) -> None:
    remember(intake, PAYMENTS, now)
    assert verify(ledger).clean
    with ledger.transaction() as tx:
        tx.execute(update(schema.entries).values(reading=b"other").where(schema.entries.c.reading.is_not(None)))
    assert not verify(ledger).clean


def test_a_ledger_from_before_readings_is_migrated_and_stays_clean(
    ledger: Ledger, url: str, make_record: MakeRecord, embedder: MiniLmEmbedder
) -> None:
    record = make_record(PAYMENTS)
    ledger.add(record, [replace(it, reading=b"") for it in entries_of_many([record], embedder)[0]])
    with ledger.transaction() as tx:
        tx.exec_driver_sql("ALTER TABLE entries DROP COLUMN reading")
        tx.execute(delete(schema.migrations).where(schema.migrations.c.name == "close readings"))
    ledger.close()
    again = Ledger.open(url)
    assert verify(again).clean
    assert again.readings([record.id]) == {}
    again.close()


def test_a_record_has_the_same_vectors_whatever_it_is_embedded_with(
    make_record: MakeRecord, embedder: MiniLmEmbedder
) -> None:
    records = [
        make_record(PAYMENTS),
        make_record(replace(FLOWERS, summary="Flowers sent to offices. " * 90)),
        make_record(),
    ]
    together = entries_of_many(records, embedder)
    for record, entries in zip(records, together, strict=True):
        alone = entries_of_many([record], embedder)[0]
        assert [(it.facet, it.passage) for it in alone] == [(it.facet, it.passage) for it in entries]
        assert all(np.allclose(one.vector, other.vector, atol=1e-5) for one, other in zip(alone, entries, strict=True))
    assert [bool(it.reading) for it in together[1]] == [True] + [False] * (len(together[1]) - 1)


def test_a_hearing_that_failed_is_tried_again() -> None:
    multilingual = MultilingualEmbedder()
    failures = [EmbedderUnavailable("not installed")]

    class FailsOnce(MultilingualEmbedder):
        def embed(self, texts: Sequence[str]) -> Vectors:
            if failures:
                raise failures.pop()
            return multilingual.embed(texts)

    reader = CloseReader(MiniLmEmbedder(), FailsOnce())
    told = [Telling(np.zeros((0, 384), np.float32), np.zeros(0, np.float32), multilingual.embed(["bread"])[0])]
    mean = np.zeros(512, np.float32)
    reader.hear("bread")
    assert reader.likeness("bread", told, mean) == [pytest.approx(1)]
    failures.append(EmbedderUnavailable("not installed"))
    with pytest.raises(EmbedderUnavailable):
        reader.likeness("milk", told, mean)
    assert reader.likeness("milk", told, mean)
