"""Judgements: what a person says of a record reaches all that hangs on it, and nothing ever rises above its sources."""

from __future__ import annotations

from collections.abc import Callable
from datetime import datetime
from pathlib import Path
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from memory.concerns import Concerns
from memory.confidence import RETAINED
from memory.errors import RecordInvalid, RecordNotFound
from memory.intake import Intake
from memory.ledger import Ledger
from memory.records import Door, InvestmentFacts, Kind, Note, Record, Status
from memory.trust import DISPROVED, Judgement, Trust
from memory.verify import verify

MakeRecord = Callable[..., Record]


@pytest.fixture
def trust(ledger: Ledger) -> Trust:
    return Trust(ledger)


def observe(intake: Intake, now: datetime, text: str, **options: Any) -> Record:
    given_ = {"door": Door.FORM, "source": "form", "author": "ana", "now": now} | options
    return intake.remember("local", Kind.OBSERVATION, Note("Note", "Observation", text), **given_)


def worth(ledger: Ledger, *records: Record) -> list[float]:
    found = ledger.get("local", [record.id for record in records])
    return [round(found[record.id].confidence, 6) for record in records]


@pytest.fixture
def family(intake: Intake, now: datetime) -> tuple[Record, Record, Record, Record]:
    """A root and another, a child of both, and a grandchild."""
    root = observe(intake, now, "Delivery firms burn cash on vouchers")
    other = observe(intake, now, "Kitchens need density of orders")
    child = observe(intake, now, "Vouchers bring orders that do not stay", derived_from=[root.id, other.id])
    grandchild = observe(intake, now, "Beware of voucher growth in food", derived_from=[child.id])
    return root, other, child, grandchild


def test_lowering_a_source_lowers_all_that_hangs_on_it_and_undoing_restores_it(
    ledger: Ledger, trust: Trust, family: tuple[Record, ...], now: datetime
) -> None:
    root, _, child, grandchild = family
    before = worth(ledger, *family)
    assert before == [0.5, 0.5, 0.485, 0.47045]
    stood = trust.judgement("local", root.id)
    asked = trust.effect("local", root.id, Judgement(0.2))
    assert worth(ledger, *family) == before
    touched = trust.judge("local", root.id, Judgement(0.2), author="ana", reason="doubtful", at=now)
    assert touched == asked
    assert [it.record.id for it in touched] == [root.id, child.id, grandchild.id]
    assert worth(ledger, *family) == [0.2, 0.5, 0.194, 0.18818]
    trust.judge("local", root.id, stood, author="ana", reason="undo", at=now)
    assert worth(ledger, *family) == before
    assert verify(ledger).clean


def test_a_blocked_source_leaves_nothing_below_it(
    ledger: Ledger, trust: Trust, family: tuple[Record, ...], now: datetime
) -> None:
    _, other, child, _ = family
    trust.judge("local", other.id, Judgement(blocked=True), author="ana", reason="forged", at=now)
    assert worth(ledger, *family) == [0.5, 0, 0, 0]
    trust.judge("local", child.id, Judgement(1.0), author="ana", reason="I like it", at=now)
    assert worth(ledger, *family) == [0.5, 0, 0, 0]
    trust.judge("local", other.id, Judgement(), author="ana", reason="cleared", at=now)
    assert worth(ledger, *family) == [0.5, 0.5, 0.485, 0.47045]


def test_raising_a_child_never_lifts_it_above_its_sources(
    ledger: Ledger, trust: Trust, family: tuple[Record, ...], now: datetime
) -> None:
    *_, grandchild = family
    trust.judge("local", grandchild.id, Judgement(1.0), author="ana", reason="sure", at=now)
    assert worth(ledger, *family) == [0.5, 0.5, 0.485, 0.47045]


def test_a_quarantined_source_lends_nothing_old_or_new(
    ledger: Ledger, intake: Intake, trust: Trust, family: tuple[Record, ...], now: datetime
) -> None:
    root, *_ = family
    trust.quarantine("local", root.id, author="ana", reason="looks forged", at=now)
    assert worth(ledger, *family) == [0, 0.5, 0, 0]
    assert observe(intake, now, "Another thought about vouchers", derived_from=[root.id]).confidence == 0
    trust.verify("local", root.id, author="ana", reason="checked the bank statement", at=now)
    assert worth(ledger, *family) == [0.5, 0.5, 0.485, 0.47045]


def test_a_person_verifies_what_an_agent_brought(ledger: Ledger, intake: Intake, trust: Trust, now: datetime) -> None:
    facts = InvestmentFacts("Acme", summary="Sells bicycles by post")
    held = intake.remember("local", Kind.INVESTMENT, facts, door=Door.AGENT, source="mcp", author="agent", now=now)
    assert (held.status, held.confidence) == (Status.HELD, 0.3)
    assert [it.record_id for it in Concerns(ledger).waiting("local")] == [held.id]
    trust.verify("local", held.id, author="ana", reason="found the contract", at=now)
    record = ledger.get("local", [held.id])[held.id]
    assert (record.status, record.confidence, record.provenance) == (Status.ACTIVE, 0.9, held.provenance)
    assert Concerns(ledger).waiting("local") == []


def test_a_rejected_record_is_forgotten_and_its_children_fall(
    ledger: Ledger, trust: Trust, family: tuple[Record, ...], now: datetime
) -> None:
    root, _, child, grandchild = family
    trust.reject("local", root.id, author="ana", reason="hearsay", at=now)
    assert ledger.get("local", [root.id])[root.id].status is Status.FORGOTTEN
    assert worth(ledger, root, child, grandchild) == [0.1, 0.097, 0.09409]


def test_hearsay_is_disproved_by_a_sourced_fact_and_its_child_is_rated_anew(
    ledger: Ledger, intake: Intake, trust: Trust, now: datetime
) -> None:
    hearsay = observe(intake, now, "The cherry trees in Ueno park bloom in May", door=Door.AGENT, author="friend")
    assert hearsay.confidence == 0.3
    interest = observe(intake, now, "Interested in visiting cherry blossom", derived_from=[hearsay.id])
    assert interest.confidence == pytest.approx(0.3 * RETAINED)
    trust.verify("local", hearsay.id, author="ana", reason="noted", at=now)
    trust.judge("local", hearsay.id, Judgement(0.3), author="ana", reason="still hearsay", at=now)
    fact = observe(intake, now, "The cherry trees in Ueno park do not bloom in May", source="park's almanac")
    trust.verify("local", fact.id, author="ana", reason="almanac", at=now)
    trust.judge("local", fact.id, Judgement(0.9), author="ana", reason="cited almanac", at=now)
    touched = trust.disprove("local", hearsay.id, by=fact.id, author="ana", at=now)
    assert [it.record.id for it in touched] == [hearsay.id, interest.id]
    assert worth(ledger, hearsay, interest, fact) == [DISPROVED, round(DISPROVED * RETAINED, 6), 0.9]
    assert Concerns(ledger).waiting("local") == []
    with pytest.raises(RecordInvalid):
        trust.disprove("local", hearsay.id, by=interest.id, author="ana", at=now)


def test_another_workspace_can_neither_ask_nor_judge(trust: Trust, family: tuple[Record, ...], now: datetime) -> None:
    root, *_ = family
    with pytest.raises(RecordNotFound):
        trust.judge("other", root.id, Judgement(0.1), author="eve", reason="", at=now)
    with pytest.raises(RecordNotFound):
        trust.effect("other", root.id, Judgement(0.1))
    with pytest.raises(RecordNotFound):
        trust.judgement("other", root.id)


@pytest.mark.parametrize("own", [-0.1, 1.1, float("nan")])
def test_a_confidence_that_is_none_is_refused(
    trust: Trust, family: tuple[Record, ...], now: datetime, own: float
) -> None:
    with pytest.raises(RecordInvalid):
        trust.judge("local", family[0].id, Judgement(own), author="ana", reason="", at=now)


@given(data=st.data())
@settings(max_examples=12, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
def test_no_order_of_judgements_lifts_a_descendant_above_what_its_least_source_leaves(
    data: st.DataObject, tmp_path_factory: pytest.TempPathFactory, make_record: MakeRecord, now: datetime
) -> None:
    folder: Path = tmp_path_factory.mktemp("graph")
    ledger = Ledger.open(f"sqlite:///{folder}/ledger.db")
    trust = Trust(ledger)
    records: list[Record] = []
    for _ in range(data.draw(st.integers(2, 9))):
        parents = data.draw(st.sets(st.sampled_from(records), max_size=3)) if records else set()
        sources = sorted(parent.id for parent in parents)
        own = min([0.9, *(parent.confidence * RETAINED for parent in parents)])
        record = make_record(confidence=own, derived_from=tuple(sources))
        ledger.add(record, [])
        records.append(record)
    judged: dict[str, Judgement] = {}
    for _ in range(data.draw(st.integers(1, 8))):
        record = data.draw(st.sampled_from(records))
        judgement = Judgement(data.draw(st.none() | st.floats(0, 1)), data.draw(st.booleans()))
        trust.judge("local", record.id, judgement, author="ana", reason="", at=now)
        judged[record.id] = judgement
        found = ledger.get("local", [it.id for it in records])
        for it in found.values():
            for parent in it.provenance.derived_from:
                assert it.confidence <= found[parent].confidence * RETAINED
    for record_id in judged:
        trust.judge("local", record_id, Judgement(), author="ana", reason="undo", at=now)
    after = ledger.get("local", [it.id for it in records])
    assert [after[it.id].confidence for it in records] == pytest.approx([it.confidence for it in records])
    assert verify(ledger).clean
    ledger.close()
