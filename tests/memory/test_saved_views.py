"""Saved views: filters under a name, a workspace's own, chosen, changed, renamed and deleted."""

from __future__ import annotations

from datetime import datetime, timedelta

import pytest

from memory.errors import RecordInvalid, RecordNotFound
from memory.ledger import Ledger
from memory.saved_views import SavedView, SavedViews

LOSSES = {"search": "面包 payments", "kind": "Investments", "year": 2019, "descending": True, "outcome": None}


def test_a_view_is_kept_by_name_chosen_changed_renamed_and_deleted(ledger: Ledger, now: datetime) -> None:
    views, later = SavedViews(ledger), now + timedelta(days=1)
    kept = views.add("local", " My \n losses\u200b ", LOSSES, author="ana", now=now)
    assert kept == SavedView("My losses", LOSSES, "ana", now)
    views.add("local", "Bugs", {"kind": "Bugs"}, author="ana", now=now)
    assert [it.name for it in SavedViews(ledger).list("local")] == ["Bugs", "My losses"]
    assert views.list("local")[1] == kept
    assert views.list("other") == []
    changed = views.replace("local", "My losses", {"kind": "Bugs"}, author="ben", now=later)
    assert views.list("local")[1] == changed == SavedView("My losses", {"kind": "Bugs"}, "ben", later)
    assert views.rename("local", "My losses", "  Alone ") == views.rename("local", "Alone", "Alone") == "Alone"
    views.delete("local", "Bugs")
    assert [it.name for it in views.list("local")] == ["Alone"]
    for missing in (
        lambda: views.delete("other", "Alone"),
        lambda: views.rename("local", "Bugs", "New"),
        lambda: views.replace("local", "Bugs", {}, author="ana", now=now),
    ):
        with pytest.raises(RecordNotFound, match="no view named"):
            missing()


def test_a_name_that_is_empty_too_long_or_taken_is_refused(ledger: Ledger, now: datetime) -> None:
    views = SavedViews(ledger)
    views.add("local", "Mine", LOSSES, author="ana", now=now)
    views.add("other", "Mine", {}, author="eve", now=now)
    views.add("local", "Yours", {}, author="ana", now=now)
    for name, why in (("", "1 to 60"), (" \u200b", "1 to 60"), ("x" * 61, "1 to 60"), (" Mine ", "already")):
        with pytest.raises(RecordInvalid, match=why):
            views.add("local", name, {}, author="ana", now=now)
        with pytest.raises(RecordInvalid, match=why):
            views.rename("local", "Yours", name)
    assert [it.filters for it in views.list("local")] == [LOSSES, {}]
