"""The memory as JSON Lines and CSV: nothing lost, nothing that a spreadsheet would run."""

from __future__ import annotations

import csv
import io
import json
import stat
from collections.abc import Callable, Iterable, Sequence
from dataclasses import replace
from datetime import UTC, datetime
from decimal import Decimal
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from memory.__main__ import main
from memory.cells import plain_cell, safe_cell
from memory.errors import RecordInvalid
from memory.export import FORMATS, Format, export
from memory.importers.mapping import guess_mapping
from memory.importers.plan import ImportPlan
from memory.importers.planning import plan_import
from memory.importers.reading import read_table
from memory.money import CODES, Money
from memory.records import (
    SEVERITIES,
    BugFacts,
    Door,
    Facts,
    InvestmentFacts,
    Kind,
    Note,
    Origin,
    Outcome,
    Provenance,
    Record,
    Status,
)
from memory.validation import checked
from settings import Settings
from wiring import Services, build_services

NOW = datetime(2026, 5, 4, 12, tzinfo=UTC)
DANGEROUS = ("=", "+", "-", "@", "\t", "\r", "\n", "＝", "＋", "－", "＠")
RUNS = frozenset("=+-@＝＋－＠\t\r\n")


def record(number: int, facts: Facts, **changes: Any) -> Record:
    kind = {InvestmentFacts: Kind.INVESTMENT, BugFacts: Kind.BUG, Note: Kind.PREFERENCE}[type(facts)]
    made = Provenance(Door.FORM, Origin.OWN_RECORD, f"form:{number}", "=cmd|' /C calc'!A0", NOW, 0.9)
    return Record(f"{number:032x}", "local", kind, facts, made, 0.9, **changes)


def plan(content: bytes, form: Format, kind: Kind) -> ImportPlan:
    table = read_table(content, f"export.{form}")
    return plan_import(table, guess_mapping(table, kind))


def read_back(content: bytes, form: Format, kind: Kind) -> list[Facts]:
    return [row.facts for row in plan(content, form, kind).accepted]


awkward = st.one_of(
    st.text(max_size=40),
    st.sampled_from(
        [
            "n/a",
            "Total",
            "unknown",
            "-",
            "=1+1",
            "'quoted",
            "''",
            " \t=1",
            "a\n\nb",
            "1,5",
            '"',
            "5万",
            "a\u2028b",
            "sep=;",
        ]
    ),
    st.builds("{}{}".format, st.sampled_from([*DANGEROUS, "'", ";", ",", '"']), st.text(max_size=20)),
)
names = awkward.filter(lambda it: any(char.isalnum() and char.isascii() for char in it)) | st.sampled_from(
    ["Total", "=HYPERLINK(1)", "unknown", "null", "'A"]
)
money = st.none() | st.builds(
    Money, st.decimals(0, 10**15, allow_nan=False, allow_infinity=False, places=3), st.sampled_from(sorted(CODES))
)
years = st.none() | st.integers(1900, 2100)
investments = st.builds(
    InvestmentFacts, company=names, sector=awkward, summary=awkward, year=years,
    outcome=st.sampled_from(sorted(set(Outcome) - {Outcome.FIXED, Outcome.FIX_FAILED, Outcome.OPEN})),
    invested=money, returned=money, cause=awkward, lesson=awkward,
)  # fmt: skip
bugs = st.builds(
    BugFacts, title=names, language=awkward, cwe=st.sampled_from(["", "CWE-89"]), severity=st.sampled_from(SEVERITIES),
    year=years, outcome=st.sampled_from([Outcome.FIXED, Outcome.FIX_FAILED, Outcome.OPEN, Outcome.UNKNOWN]),
    symptom=awkward, root_cause=awkward, faulty_code=awkward, fixed_code=awkward, fix=awkward, loss=money,
    impact=awkward,
)  # fmt: skip


def stored(kind: Kind, facts: Iterable[Facts]) -> list[Facts]:
    """The facts as the memory would hold them, each once."""
    clean = []
    for it in facts:
        try:
            clean.append(checked(kind, it))
        except RecordInvalid:
            continue
    return list(dict.fromkeys(clean))


@pytest.mark.parametrize("form", FORMATS)
@given(deals=st.lists(investments, max_size=4), flaws=st.lists(bugs, max_size=4))
@settings(max_examples=120, deadline=None)
def test_what_is_exported_is_read_back_to_the_letter(
    form: Format, deals: list[InvestmentFacts], flaws: list[BugFacts]
) -> None:
    expected = {Kind.INVESTMENT: stored(Kind.INVESTMENT, deals), Kind.BUG: stored(Kind.BUG, flaws)}
    everything = [*expected[Kind.INVESTMENT], *expected[Kind.BUG]]
    if not everything:
        return
    content = export([record(number, it) for number, it in enumerate(everything)], form)
    for kind, facts in expected.items():
        assert read_back(content, form, kind) == facts


@given(awkward | st.text())
def test_a_cell_is_read_back_and_never_begins_as_a_formula(text: str) -> None:
    cell = safe_cell(text)
    assert plain_cell(cell) == text
    assert cell[:1] not in RUNS
    assert cell.lstrip()[:1] not in RUNS


def test_no_cell_of_a_csv_runs_whatever_column_it_is_in() -> None:
    facts = [InvestmentFacts(f"{sign}cmd", sector=f"{sign}1", lesson=f" {sign}x") for sign in DANGEROUS]
    flaws = [BugFacts(f"{sign}cmd", faulty_code=f"{sign}code") for sign in DANGEROUS]
    content = export([record(number, it) for number, it in enumerate([*facts, *flaws])], "csv")
    rows = list(csv.reader(io.StringIO(content.decode("utf-8-sig"), newline="")))
    assert len(rows) == 1 + 2 * len(DANGEROUS)
    assert not [cell for row in rows for cell in row if cell[:1] in RUNS or cell.lstrip()[:1] in RUNS]


def test_the_credential_goes_with_a_record_but_is_not_brought_back_by_an_import() -> None:
    doubted = replace(record(1, InvestmentFacts("Doubted")), confidence=0.3)
    held = record(2, InvestmentFacts("Held"), status=Status.HELD)
    own = record(3, InvestmentFacts("Own"))
    for form in FORMATS:
        read = plan(export([doubted, held, own], form), form, Kind.INVESTMENT)
        assert [row.facts.title for row in read.accepted] == ["Own"]
        assert [it.reason for it in read.set_aside] == [
            "the record was trusted less than one of your own; choose the row to vouch for it",
            "the record was held when it was exported",
        ]
        assert [row.facts.title for row in read.choosable] == ["Doubted", "Held"]


def test_a_note_is_exported_and_set_aside_by_an_import() -> None:
    note = record(1, Note("Style", "Preference", "I prefer seed rounds below 2M."))
    for form in FORMATS:
        content = export([note, record(2, InvestmentFacts("Own"))], form)
        assert b"seed rounds below 2M" in content
        assert [it.reason for it in plan(content, form, Kind.INVESTMENT).set_aside] == ["it is of kind preference"]


def test_nothing_exported_is_an_empty_file_with_a_header_for_csv() -> None:
    assert export([], "jsonl") == b""
    assert export([], "csv").decode("utf-8-sig").startswith("kind of record,")


Run = Callable[..., dict[str, Any]]


@pytest.fixture
def run(services: Services, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> Run:
    monkeypatch.setenv("PRECEDENT_HOME", str(services.settings.home))
    monkeypatch.setenv("PRECEDENT_MODELS", "")

    def run(*arguments: str, code: int = 0) -> dict[str, Any]:
        ended = main(list(arguments))
        said = capsys.readouterr()
        assert ended == code, said.err
        return dict(json.loads(said.out)) if "--json" in arguments and not code else {"error": said.err}

    return run


def facts_of(services: Services, kind: Kind) -> set[Facts]:
    return {it.facts for it in services.ledger.find(services.workspace, kinds=[kind], limit=100).records}


@pytest.mark.parametrize("form", FORMATS)
def test_a_memory_goes_into_an_empty_home_and_again_adds_nothing(
    run: Run, services: Services, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, form: Format
) -> None:
    file = tmp_path / f"memory.{form}"
    services.intake.remember(
        services.workspace, Kind.INVESTMENT,
        InvestmentFacts("=Formula & Co", year=2021, invested=Money(Decimal("1234567.891"), "INR")),
        door=Door.FORM, source="form", author="me", now=NOW,
    )  # fmt: skip
    told = run("export", str(file), "--json")
    assert told == {"file": str(file), "records": 15}
    assert stat.S_IMODE(file.stat().st_mode) == 0o600
    here = run("import", str(file), "--kind", "investment", "--json")
    assert (here["stored"], here["already"]) == (0, 8), "the records are here"
    empty = build_services(Settings(home=tmp_path / "empty", models="", workspace="other"))
    try:
        before = {it.id for it in empty.ledger.find("other", limit=100).records}
        empty.ledger.set_statuses(
            "other", sorted(before), Status.FORGOTTEN, author="test", reason="begin empty", at=NOW
        )
        monkeypatch.setenv("PRECEDENT_HOME", str(tmp_path / "empty"))
        monkeypatch.setenv("PRECEDENT_WORKSPACE", "other")
        for kind, count in ((Kind.INVESTMENT, 8), (Kind.BUG, 7)):
            done = run("import", str(file), "--kind", kind.value, "--json")
            assert (done["stored"], done["already"]) == (count, 0)
            assert facts_of(empty, kind) == facts_of(services, kind)
            assert run("import", str(file), "--kind", kind.value, "--json")["stored"] == 0
    finally:
        empty.close()


def test_one_kind_alone_and_a_file_that_cannot_be_written(run: Run, tmp_path: Path) -> None:
    told = run("export", str(tmp_path / "bugs.jsonl"), "--kind", "bug", "--json")
    assert told["records"] == 7
    kinds: Sequence[str] = [json.loads(it)["kind"] for it in (tmp_path / "bugs.jsonl").read_text().splitlines()]
    assert set(kinds) == {"bug"}
    assert "must end with .jsonl or .csv" in run("export", str(tmp_path / "bugs.xml"), code=1)["error"]
    assert "cannot be written" in run("export", str(tmp_path / "none" / "bugs.csv"), code=1)["error"]
    assert sorted(it.name for it in tmp_path.iterdir() if it.name.startswith(".")) == []
