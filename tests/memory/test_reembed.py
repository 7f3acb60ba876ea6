"""Another embedder: noticed, and the memory can be embedded again, even in two goes."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import datetime

import numpy as np
import pytest

from memory.catch_up import catch_up
from memory.chroma_index import ChromaIndex
from memory.embed import EmbedderId, MiniLmEmbedder, Vectors
from memory.errors import EmbedderUnavailable
from memory.intake import Intake
from memory.ledger import Ledger
from memory.records import Door, InvestmentFacts, Kind
from memory.reembed import reembed
from memory.verify import verify


class HalfMiniLm:
    """Another embedder in earnest: half of MiniLM's numbers, scaled to length 1."""

    def __init__(self, whole: MiniLmEmbedder) -> None:
        self._whole = whole
        self.id = EmbedderId("half-minilm", 192, whole.id.sha256)

    def embed(self, texts: Sequence[str]) -> Vectors:
        half = self._whole.embed(texts)[:, :192]
        scaled: Vectors = half / np.linalg.norm(half, axis=1, keepdims=True)
        return scaled


@pytest.fixture
def half(embedder: MiniLmEmbedder) -> HalfMiniLm:
    return HalfMiniLm(embedder)


def fill(intake: Intake, count: int, now: datetime) -> None:
    intake.store(
        [
            intake.check(
                "local", Kind.INVESTMENT, InvestmentFacts(f"co {n}", summary=f"sells thing {n}"),
                door=Door.FORM, source="form", author="ana", now=now,
            )
            for n in range(count)
        ]
    )  # fmt: skip


def test_the_first_write_names_the_embedder_and_another_one_may_not_write(
    ledger: Ledger, intake: Intake, embedder: MiniLmEmbedder, half: HalfMiniLm, now: datetime
) -> None:
    fill(intake, 1, now)
    assert ledger.embedder() == embedder.id
    with pytest.raises(EmbedderUnavailable, match="all-MiniLM"):
        fill(Intake(ledger, half), 1, now)
    assert ledger.find("local").total == 1


def test_a_memory_embedded_again_is_found_with_the_new_embedder(
    ledger: Ledger, intake: Intake, half: HalfMiniLm, index: ChromaIndex, now: datetime
) -> None:
    fill(intake, 3, now)
    catch_up(ledger, index)
    assert reembed(ledger, half, author="ana", now=now)
    assert ledger.embedder() == half.id
    catch_up(ledger, index)
    (hits,) = index.query("local", Kind.INVESTMENT, half.embed(["sells thing 2"]), 1)
    assert ledger.get("local", [hits[0].record_id])[hits[0].record_id].title == "co 2"
    assert verify(ledger).clean
    fill(Intake(ledger, half), 1, now)


def test_a_stopped_run_goes_on_where_it_was(
    ledger: Ledger, intake: Intake, embedder: MiniLmEmbedder, half: HalfMiniLm, now: datetime
) -> None:
    fill(intake, 150, now)
    told: list[tuple[int, int]] = []
    stopped = reembed(
        ledger, half, author="ana", now=now, on_progress=lambda *at: told.append(at), cancelled=lambda: len(told) == 1
    )
    assert (stopped, told) == (False, [(64, 150)])
    assert ledger.embedder() not in {embedder.id, half.id}
    with pytest.raises(EmbedderUnavailable):
        fill(intake, 1, now)
    assert reembed(ledger, half, author="ana", now=now, on_progress=lambda *at: told.append(at))
    assert told == [(64, 150), (128, 150), (150, 150)]
    assert {len(it.vector) for it in ledger.entries([record.id for _, record in ledger.scan(0, 200)])} == {192}


def test_there_is_nothing_to_do_for_the_same_embedder(
    ledger: Ledger, intake: Intake, embedder: MiniLmEmbedder, now: datetime
) -> None:
    fill(intake, 1, now)
    head = ledger.head()
    assert reembed(ledger, embedder, author="ana", now=now)
    assert ledger.head() == head
