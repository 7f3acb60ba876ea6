"""A clock that was set back loses nothing and opens nothing early: order is by number, and an age is never below 0."""

from __future__ import annotations

from datetime import datetime, timedelta

from audit.modes import INVESTMENT
from audit.service import run_audit
from audit.submission import make_submission
from memory.backup import back_up, restore
from memory.records import Door, InvestmentFacts, Kind, Record, Status
from memory.report import RecallQuery
from memory.verify import verify
from ui.chores import database
from wiring import Services

BACK = timedelta(days=400)
BREAD = InvestmentFacts("Crumb", summary="Subscriptions to sourdough bread that neighbours bake at home", year=2019)
DECK = "Neighbours bake sourdough bread at home and we deliver it by subscription. We have 400 subscribers."


def remember(services: Services, at: datetime) -> Record:
    return services.intake.remember(
        "local", Kind.INVESTMENT, BREAD, door=Door.FORM, source="form", author="ana", now=at
    )


def move(services: Services, record: Record, status: Status, at: datetime) -> None:
    services.lifecycle.move("local", [record.id], status, author="ana", reason="", now=at)


def test_what_is_changed_under_an_earlier_clock_stands_as_it_was_changed_last(
    services: Services, now: datetime
) -> None:
    earlier = now - BACK
    record = remember(services, now)
    services.intake.revise("local", record.id, BREAD, author="ana", reason="seen again", now=earlier)
    move(services, record, Status.ARCHIVED, now)
    move(services, record, Status.ACTIVE, earlier)
    assert services.ledger.get("local", [record.id])[record.id].status is Status.ACTIVE
    assert [it.number for it in services.ledger.revisions("local", record.id)] == [1, 2]
    report = services.recaller.recall(RecallQuery("local", (Kind.INVESTMENT,), DECK), earlier)
    assert (report.kept[0].record.id, report.kept[0].age_days) == (record.id, 0.0)
    assert verify(services.ledger).clean


def test_what_is_forgotten_is_kept_its_seven_days_by_whichever_clock_is_later(
    services: Services, now: datetime
) -> None:
    record = remember(services, now)
    move(services, record, Status.FORGOTTEN, now)
    assert services.lifecycle.to_purge("local", now - BACK) == []
    report = services.recaller.recall(RecallQuery("local", (Kind.INVESTMENT,), DECK), now - BACK)
    assert record.id not in {it.record.id for it in report.candidates}
    assert services.lifecycle.to_purge("local", now + timedelta(days=7)) == [record.id]


def test_audits_and_decisions_made_under_an_earlier_clock_are_kept_listed_and_due(
    services: Services, now: datetime
) -> None:
    first, second = (
        run_audit(services, INVESTMENT, make_submission(INVESTMENT, DECK), now=at).saved_as for at in (now, now - BACK)
    )
    assert first and second
    assert [it.id for it in services.archive.list("local")] == [first, second]
    soon = (now - BACK).date() + timedelta(days=1)
    for choice, at in (("invested", now), ("passed", now - BACK)):
        services.decisions.decide(
            "local", first, choice, reason="as told", author="ana", now=at,
            review_on=soon if at < now else None,
        )  # fmt: skip
    assert [it.choice for it in services.decisions.of("local", first)] == ["passed", "invested"]
    assert [it.audit_id for it in services.decisions.due("local", soon)] == [first]


def test_a_backup_made_under_an_earlier_clock_replaces_none_and_restores(services: Services, now: datetime) -> None:
    folder = database(services).parent / "backups"
    one = back_up(services.ledger, folder, now)
    record = remember(services, now - BACK)
    other = back_up(services.ledger, folder, now - BACK)
    assert one.path != other.path
    restore(database(services), one.path, now - BACK)
    assert services.ledger.get("local", [record.id]) == {}
    restore(database(services), other.path, now - BACK)
    assert set(services.ledger.get("local", [record.id])) == {record.id}
    assert verify(services.ledger).clean
