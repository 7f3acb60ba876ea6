"""A family holds every source and every heir, and nothing of another workspace."""

from __future__ import annotations

from datetime import datetime
from typing import Any

import pytest

from memory.errors import RecordNotFound
from memory.family import deeds, family_of
from memory.intake import Intake
from memory.ledger import Ledger
from memory.records import Door, Kind, Note, Record


def note(intake: Intake, now: datetime, text: str, *sources: Record) -> Record:
    options: dict[str, Any] = {"door": Door.FORM, "source": "form", "author": "ana", "now": now}
    derived = [it.id for it in sources]
    return intake.remember("local", Kind.OBSERVATION, Note("Note", "Saying", text), derived_from=derived, **options)


def test_a_family_reaches_up_and_down_through_every_link(ledger: Ledger, intake: Intake, now: datetime) -> None:
    root, other = note(intake, now, "Kitchens need density"), note(intake, now, "Vouchers burn cash quickly")
    child = note(intake, now, "Growth by vouchers does not stay", root, other)
    heir = note(intake, now, "Ask for cohorts without vouchers", child, root)
    found = family_of(ledger, "local", child.id)
    assert {it.record.id: it.generation for it in found.relatives} == {
        root.id: -1,
        other.id: -1,
        child.id: 0,
        heir.id: 1,
    }
    assert set(found.links) == {(root.id, child.id), (other.id, child.id), (child.id, heir.id), (root.id, heir.id)}
    assert not found.cut
    top = family_of(ledger, "local", root.id)
    assert {it.record.id: it.generation for it in top.relatives} == {root.id: 0, child.id: 1, heir.id: 2}


def test_a_large_family_is_cut_and_says_so(ledger: Ledger, intake: Intake, now: datetime) -> None:
    root = note(intake, now, "Kitchens need density of orders")
    for number in range(6):
        note(intake, now, f"Thought number {number} on kitchens and orders", root)
    found = family_of(ledger, "local", root.id, most=4)
    assert (len(found.relatives), found.cut) == (5, True)
    assert not family_of(ledger, "local", root.id).cut


def test_a_family_is_of_its_own_workspace(ledger: Ledger, intake: Intake, now: datetime) -> None:
    root = note(intake, now, "Kitchens need density of orders")
    with pytest.raises(RecordNotFound):
        family_of(ledger, "other", root.id)
    assert deeds(ledger, "other", root.id) == []


def test_what_was_done_to_a_record_is_told_newest_first(ledger: Ledger, intake: Intake, now: datetime) -> None:
    root = note(intake, now, "Kitchens need density of orders")
    ledger.protect("local", root.id, True, author="bo", reason="dear to me", at=now)
    told = deeds(ledger, "local", root.id)
    assert [(it.action, it.author, it.reason) for it in told] == [
        ("protect", "bo", "dear to me"),
        ("add", "ana", "added"),
    ]
