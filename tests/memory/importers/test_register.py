"""An import is stored as a whole, once, and undone exactly."""

from __future__ import annotations

from dataclasses import replace
from datetime import datetime

import pytest

from memory.errors import ImportCancelled, RecordInvalid, RecordNotFound
from memory.importers.mapping import guess_mapping
from memory.importers.plan import ImportPlan
from memory.importers.planning import plan_import
from memory.importers.reading import read_table
from memory.importers.register import Imports
from memory.importers.remembered import answered, corrected, mapping_json, recall_mapping, remember_mapping
from memory.intake import Intake
from memory.ledger import Ledger
from memory.records import Door, InvestmentFacts, Kind, Origin, Status

DEALS = b"company,year,outcome,cheque\nAlbatros,2019,dead,$5k\nBiber,2020,live,$6k\nChamois,2021,sold,$7k\n"


@pytest.fixture
def imports(ledger: Ledger, intake: Intake) -> Imports:
    return Imports(ledger, intake, "local")


def plan_of(content: bytes = DEALS) -> ImportPlan:
    table = read_table(content, "deals.csv")
    return plan_import(table, guess_mapping(table))


def test_imported_rows_say_their_file_and_line(imports: Imports, ledger: Ledger, now: datetime) -> None:
    result = imports.apply(plan_of(), author="kim", now=now)
    records = list(ledger.get("local", result.record_ids).values())
    assert [record.provenance.source for record in records] == ["deals.csv:2", "deals.csv:3", "deals.csv:4"]
    assert {record.provenance.door for record in records} == {Door.IMPORT}
    assert {record.provenance.origin for record in records} == {Origin.OWN_RECORD}
    assert {record.status for record in records} == {Status.ACTIVE}


def test_importing_again_adds_nothing(imports: Imports, ledger: Ledger, now: datetime) -> None:
    imports.apply(plan_of(), author="kim", now=now)
    again = imports.apply(plan_of(), author="kim", now=now)
    assert (again.import_id, again.record_ids, again.already) == ("", (), 3)
    grown = imports.apply(plan_of(DEALS + b"Dachs,2022,dead,$8k\n"), author="kim", now=now)
    assert (len(grown.record_ids), grown.already) == (1, 3)
    assert ledger.counts("local") == {Kind.INVESTMENT: 4}


def test_undo_removes_exactly_one_import(imports: Imports, ledger: Ledger, intake: Intake, now: datetime) -> None:
    mine = intake.remember(
        "local", Kind.INVESTMENT, InvestmentFacts("Mine"), door=Door.FORM, source="form", author="kim", now=now
    )
    first = imports.apply(plan_of(), author="kim", now=now)
    second = imports.apply(plan_of(b"company,year\nElster,2018\n"), author="kim", now=now)
    undone = imports.undo(first.import_id, author="kim", now=now)
    assert set(undone.removed) == set(first.record_ids)
    left = {record.id for record in ledger.find("local").records}
    assert left == {mine.id, *second.record_ids}
    with pytest.raises(RecordNotFound):
        imports.undo(first.import_id, author="kim", now=now)
    assert len(imports.apply(plan_of(), author="kim", now=now).record_ids) == 3, "after an undo it can come again"


def test_undo_leaves_protected_records(imports: Imports, ledger: Ledger, now: datetime) -> None:
    result = imports.apply(plan_of(), author="kim", now=now)
    ledger.protect("local", result.record_ids[0], True, author="kim", reason="keep", at=now)
    undone = imports.undo(result.import_id, author="kim", now=now)
    assert undone.protected == (result.record_ids[0],)
    assert len(undone.removed) == 2


def test_another_workspace_can_neither_see_nor_undo(
    ledger: Ledger, intake: Intake, imports: Imports, now: datetime
) -> None:
    result = imports.apply(plan_of(), author="kim", now=now)
    other = Imports(ledger, intake, "other")
    assert other.past() == []
    with pytest.raises(RecordNotFound):
        other.undo(result.import_id, author="eve", now=now)
    assert len(other.apply(plan_of(), author="eve", now=now).record_ids) == 3


def test_chosen_rows_alone_are_stored(imports: Imports, now: datetime) -> None:
    plan = plan_of()
    assert len(imports.apply(plan, author="kim", now=now, rows=plan.accepted[:1]).record_ids) == 1


def test_a_stopped_import_stores_nothing(imports: Imports, ledger: Ledger, now: datetime) -> None:
    many = b"company,year\n" + b"".join(b"Firm %d,2019\n" % n for n in range(150))
    seen: list[tuple[int, int]] = []
    with pytest.raises(ImportCancelled):
        imports.apply(
            plan_of(many), author="kim", now=now,
            on_progress=lambda done, total: seen.append((done, total)), cancelled=lambda: len(seen) >= 2,
        )  # fmt: skip
    assert seen == [(64, 150), (128, 150)]
    assert ledger.counts("local").get(Kind.INVESTMENT, 0) == 0
    assert imports.past() == []


def test_a_failure_in_the_middle_stores_nothing(
    imports: Imports, ledger: Ledger, now: datetime, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(imports, "_new_id", lambda: None)
    with pytest.raises(Exception, match=r".+"):
        imports.apply(plan_of(), author="kim", now=now)
    assert ledger.counts("local").get(Kind.INVESTMENT, 0) == 0


def test_past_imports_are_listed(imports: Imports, now: datetime) -> None:
    result = imports.apply(plan_of(), author="kim", now=now)
    (past,) = imports.past()
    assert (past.id, past.file, past.rows, past.author, past.undone_at) == (
        result.import_id,
        "deals.csv",
        3,
        "kim",
        None,
    )


def test_a_corrected_mapping_is_found_again_by_its_headers(ledger: Ledger) -> None:
    table = read_table(b"Vehicle,When,Blurb\nAlbatros,03/04/2019,flies\n", "a.csv")
    mapping = corrected(
        table, guess_mapping(table, Kind.INVESTMENT), {"columns": {"company": "Vehicle", "year": "When"}}
    )
    mapping = answered(table, mapping, "date_order", "month_first")
    remember_mapping(ledger, "local", table, mapping)
    later = read_table(b"vehicle,when,blurb\nBiber,2020,swims\n", "b.csv")
    assert recall_mapping(ledger, "local", later, Kind.INVESTMENT).columns == mapping.columns
    assert recall_mapping(ledger, "other", later, Kind.INVESTMENT).date_order is None
    assert mapping_json(table, mapping)["date_order"] == "month_first"


@pytest.mark.parametrize(
    "change",
    [
        {"columns": {"nope": "When"}},
        {"columns": {"company": "Nope"}},
        {"currency": "XX"},
        {"date_order": "up"},
        {"outcome": "odd"},
    ],
)
def test_a_wrong_correction_is_refused_in_words(change: dict[str, object]) -> None:
    table = read_table(b"Vehicle,When\nAlbatros,2019\n", "a.csv")
    with pytest.raises(RecordInvalid):
        corrected(table, guess_mapping(table, Kind.INVESTMENT), change)


def test_an_undo_can_say_first_which_records_were_corrected_since(
    imports: Imports, intake: Intake, ledger: Ledger, now: datetime
) -> None:
    result = imports.apply(plan_of(), author="kim", now=now)
    assert imports.edited(result.import_id) == []
    for record_id in result.record_ids[:2]:
        facts = ledger.get("local", [record_id])[record_id].facts
        assert isinstance(facts, InvestmentFacts)
        told = replace(facts, lesson="Ask for the ledger first.")
        intake.revise("local", record_id, told, author="kim", reason="told", now=now)
    ledger.protect("local", result.record_ids[0], True, author="kim", reason="keep", at=now)
    assert imports.edited(result.import_id) == ["Biber"], "a protected record is not removed"
    assert Imports(ledger, intake, "other").edited(result.import_id) == []


def test_rows_that_came_before_with_other_facts_are_named(imports: Imports, now: datetime) -> None:
    first = imports.apply(plan_of(), author="kim", now=now)
    assert imports.changed(plan_of()) == {}
    edited = plan_of(DEALS.replace(b"Biber,2020,live", b"Biber,2020,dead") + b"Dachs,2022,dead,$8k\n")
    assert imports.changed(edited) == {"Biber": first.import_id}
    imports.undo(first.import_id, author="kim", now=now)
    assert imports.changed(edited) == {}
