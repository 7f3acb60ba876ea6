"""Forgetting: archive first, softly, with a dry run; what is erased is nowhere; what is protected stays."""

from __future__ import annotations

from collections.abc import Callable
from datetime import datetime, timedelta
from pathlib import Path

import pytest

from memory.catch_up import catch_up
from memory.chroma_index import ChromaIndex
from memory.embed import MiniLmEmbedder
from memory.errors import RecordInvalid
from memory.intake import Intake
from memory.ledger import Ledger
from memory.lifecycle import Lifecycle, keeping
from memory.records import Door, InvestmentFacts, Kind, Outcome, Record, Status
from memory.verify import verify

MakeRecord = Callable[..., Record]


@pytest.fixture
def lifecycle(ledger: Ledger, index: ChromaIndex) -> Lifecycle:
    return Lifecycle(ledger, index)


def add(intake: Intake, now: datetime, *companies: str, **values: object) -> list[Record]:
    records = [
        intake.check(
            "local", Kind.INVESTMENT, InvestmentFacts(company, summary=f"{company} sells walrus paintings", **values),  # type: ignore[arg-type]
            door=Door.FORM, source="form", author="ana", now=now,
        )
        for company in companies
    ]  # fmt: skip
    intake.store(records)
    return records


def status(ledger: Ledger, record: Record) -> Status:
    return ledger.get("local", [record.id])[record.id].status


def test_eviction_archives_the_unused_first_and_spares_the_protected(
    ledger: Ledger, intake: Intake, lifecycle: Lifecycle, now: datetime
) -> None:
    used, dear, one, two = add(intake, now, "Used", "Dear", "One", "Two")
    for _ in range(3):
        ledger.note_use("local", [used.id], now)
    ledger.protect("local", dear.id, True, author="ana", reason="", at=now)
    later = now + timedelta(days=400)
    (young,) = add(intake, later, "Young")
    listed = lifecycle.to_evict("local", Kind.INVESTMENT, 3, later)
    assert {record.id for record in listed} == {one.id, two.id}
    assert ledger.find("local").total == 5
    assert lifecycle.evict("local", Kind.INVESTMENT, 3, author="ana", now=later) == 2
    assert [status(ledger, it) for it in (one, two)] == [Status.ARCHIVED, Status.ARCHIVED]
    assert [status(ledger, it) for it in (used, dear, young)] == [Status.ACTIVE] * 3
    assert lifecycle.evict("local", Kind.INVESTMENT, 3, author="ana", now=later) == 0
    assert lifecycle.evict("local", Kind.INVESTMENT, 0, author="ana", now=later) == 2
    assert status(ledger, dear) is Status.ACTIVE


def test_what_keeps_a_record_weighs_as_agreed(make_record: MakeRecord, now: datetime) -> None:
    from dataclasses import replace

    record = make_record(confidence=1.0)
    assert keeping(record, now) == pytest.approx(0.3 + 0.2)
    assert keeping(replace(record, use_count=5, last_used_at=now), now) == pytest.approx(0.2 + 0.3 + 0.2)
    assert keeping(replace(record, protected=True), now) == pytest.approx(0.3 + 0.2 + 0.1)
    assert keeping(record, now + timedelta(days=365)) == pytest.approx(0.15 + 0.2)
    assert keeping(record, now - timedelta(days=30)) == pytest.approx(0.3 + 0.2)


def test_forgetting_is_soft_for_seven_days_and_can_be_undone(
    ledger: Ledger, intake: Intake, lifecycle: Lifecycle, now: datetime
) -> None:
    one, dear = add(intake, now, "One", "Dear")
    ledger.protect("local", dear.id, True, author="ana", reason="", at=now)
    ids = [one.id, dear.id]
    assert lifecycle.move("local", ids, Status.FORGOTTEN, author="ana", reason="wrong", now=now) == 1
    assert lifecycle.to_purge("local", now + timedelta(days=6)) == []
    assert lifecycle.move("local", ids, Status.ACTIVE, author="ana", reason="right after all", now=now) == 1
    assert status(ledger, one) is Status.ACTIVE
    assert lifecycle.to_purge("local", now + timedelta(days=60)) == []


def test_a_purged_record_is_nowhere_and_the_receipt_says_so(
    ledger: Ledger,
    intake: Intake,
    lifecycle: Lifecycle,
    index: ChromaIndex,
    embedder: MiniLmEmbedder,
    home: Path,
    now: datetime,
) -> None:
    secret, other = add(intake, now, "Zyxomatic", "Plain")
    intake.revise(
        "local", secret.id, InvestmentFacts("Zyxomatic", lesson="Qwertzuiop"), author="ana", reason="", now=now
    )
    catch_up(ledger, index)
    lifecycle.move("local", [secret.id], Status.FORGOTTEN, author="ana", reason="", now=now)
    later = now + timedelta(days=8)
    assert lifecycle.to_purge("local", later) == [secret.id]
    assert lifecycle.to_purge("other", later) == []
    receipt = lifecycle.purge("local", author="ana", now=later)
    assert (receipt.erased, receipt.clean, len(receipt.digest)) == ((secret.id,), True, 64)
    assert ledger.get("local", [secret.id])[secret.id].title == "(erased)"
    assert ledger.entries([secret.id]) == []
    assert index.holds("local", Kind.INVESTMENT, [secret.id, other.id]) == {other.id}
    assert verify(ledger).clean
    for path in home.glob("ledger.db*"):
        content = path.read_bytes().lower()
        assert b"zyxomatic" not in content
        assert b"qwertzuiop" not in content
    assert lifecycle.move("local", [secret.id], Status.ACTIVE, author="ana", reason="", now=later) == 0
    assert lifecycle.purge("local", author="ana", now=later).erased == ()


def test_a_receipt_is_not_clean_where_an_index_still_holds_it(
    ledger: Ledger, intake: Intake, index: ChromaIndex, now: datetime
) -> None:
    class Stubborn(ChromaIndex):
        """An index that takes nothing out."""

        def apply(self, workspace, kind, add, remove) -> None:  # type: ignore[no-untyped-def]
            super().apply(workspace, kind, add, [])

        def trusted(self) -> bool:
            return True

    stubborn = Stubborn(index._folder)
    (record,) = add(intake, now, "Zyxomatic")
    catch_up(ledger, stubborn)
    lifecycle = Lifecycle(ledger, stubborn)
    lifecycle.move("local", [record.id], Status.FORGOTTEN, author="ana", reason="", now=now)
    assert not lifecycle.purge("local", author="ana", now=now + timedelta(days=8)).clean
    stubborn.close()


def test_what_was_not_forgotten_cannot_be_erased(ledger: Ledger, intake: Intake, now: datetime) -> None:
    (record,) = add(intake, now, "One")
    with pytest.raises(RecordInvalid):
        ledger.erase("local", [record.id], author="ana", reason="", at=now)


def test_near_duplicates_are_shown_and_merged_only_where_they_agree(
    ledger: Ledger, intake: Intake, lifecycle: Lifecycle, now: datetime
) -> None:
    first, second = (
        add(intake, now + timedelta(days=n), "Nimbus Meals", outcome=Outcome.WRITTEN_OFF)[0] for n in range(2)
    )
    (other,) = add(intake, now, "Harbour Freight Desk", outcome=Outcome.WRITTEN_OFF)
    (pair,) = lifecycle.near_duplicates("local", Kind.INVESTMENT)
    assert (pair.keep, pair.other) == (first.id, second.id)
    with pytest.raises(RecordInvalid):
        lifecycle.merge("local", first.id, [other.id], author="ana", now=now)
    before = ledger.get("local", [first.id])[first.id]
    assert lifecycle.merge("local", first.id, [second.id], author="ana", now=now) == 1
    assert ledger.get("local", [first.id])[first.id] == before
    assert status(ledger, second) is Status.ARCHIVED
    assert lifecycle.near_duplicates("local", Kind.INVESTMENT) == []
    assert verify(ledger).clean
