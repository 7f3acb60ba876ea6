"""Patterns are found where they were put, hardly ever where there are none, and no audit ever sees one."""

from __future__ import annotations

import ast
import math
import random
from collections.abc import Sequence
from dataclasses import replace
from datetime import UTC, datetime, timedelta
from decimal import Decimal
from pathlib import Path

import numpy as np
import pytest

from audit import guard
from audit.examples import examples
from audit.modes import MODES
from audit.service import run_audit
from audit.submission import make_submission
from memory.causes import Cause, causes, why_vectors
from memory.embed import Vectors
from memory.money import Money
from memory.months import month_of
from memory.patterns import ENOUGH, Form, Patterns, Trait, ended_badly, find_patterns
from memory.records import BugFacts, Door, Facts, InvestmentFacts, Kind, Origin, Outcome, Provenance, Record, Status
from wiring import Services

ROOT = Path(__file__).parents[2]
AT = datetime(2026, 11, 1, tzinfo=UTC)
MADE = Provenance(Door.FORM, Origin.OWN_RECORD, "form", "person", AT, 0.9)
MONTHS = ("January", "March", "May", "June", "August", "October", "November")


def record(at: int, facts: Facts, status: Status = Status.ACTIVE) -> Record:
    kind = Kind.BUG if isinstance(facts, BugFacts) else Kind.INVESTMENT
    made = replace(MADE, created_at=AT + timedelta(days=at))
    return Record(f"r{at:03}", "local", kind, facts, made, 0.9, status)


def investment(at: int, sector: str, bad: bool, year: int = 2020, cause: str = "") -> Record:
    outcome = Outcome.WRITTEN_OFF if bad else Outcome.EXITED
    return record(at, InvestmentFacts(f"C{at}", sector, "", year, outcome=outcome, cause=cause))


def vectors(records: Sequence[Record], draw: random.Random) -> dict[str, Vectors]:
    """One direction for each different reason."""
    seen: dict[str, Vectors] = {}
    found = {}
    for it in records:
        told = getattr(it.facts, "cause", "") or getattr(it.facts, "root_cause", "")
        if told not in seen:
            made = np.array([draw.gauss(0, 1) for _ in range(64)], dtype=np.float32)
            seen[told] = made / np.linalg.norm(made)
        found[it.id] = seen[told]
    return found


def looked(records: Sequence[Record]) -> Patterns:
    return find_patterns(records, vectors(records, random.Random(0)))


def test_a_sector_that_always_ends_badly_is_found_with_its_records() -> None:
    records = [investment(at, "payments", True, 2000 + at) for at in range(10)]
    records += [investment(10 + at, "farming", at % 5 == 0, 2000 + at) for at in range(20)]
    [found] = [it for it in looked(records).found if it.trait is Trait.SECTOR and it.name == "payments"]
    assert found.holds
    assert (found.count, found.of, found.worse) == (10, 10, True)
    assert set(found.records) == {it.id for it in records[:10]}
    assert found.expected == pytest.approx(14 * 10 / 30)


def test_a_cause_that_comes_again_and_again_is_found_by_its_words() -> None:
    records = [investment(at, "", True, cause="The only founder left the company.") for at in range(9)]
    records += [investment(9 + at, "", True, cause=f"Reason number {at} of its own kind.") for at in range(9)]
    [found] = [it for it in looked(records).found if it.form is Form.REPEATS]
    assert found.holds
    assert found.count == 9
    assert "founder" in found.name


def test_losses_in_one_season_are_found() -> None:
    records = [
        investment(at, "", True, cause=f"It closed in {'November' if at % 2 else 'December'}.") for at in range(14)
    ]
    [found] = [it for it in looked(records).found if it.form is Form.SEASONS]
    assert found.holds
    assert found.name in {"11", "12"}
    assert found.count == 14


def test_a_long_run_of_bad_endings_is_a_streak_and_its_records_are_named() -> None:
    records = [investment(at, "", 10 <= at < 22, 1990 + at) for at in range(32)]
    [found] = [it for it in looked(records).found if it.form is Form.STREAKS]
    assert found.holds
    assert found.records == tuple(it.id for it in records[10:22])


def test_under_ten_records_there_are_too_few_to_say() -> None:
    records = [investment(at, "payments", True, cause="The founder left in May 2020.") for at in range(ENOUGH - 1)]
    found = looked(records)
    assert not found.found
    assert {it.form for it in found.too_few} == set(Form)
    assert {it.have for it in found.too_few} == {ENOUGH - 1}


def test_only_active_facts_are_looked_at() -> None:
    records = [investment(at, "payments", True, 2000 + at) for at in range(30)]
    gone = [replace(it, status=Status.ARCHIVED) for it in records]
    noted = [replace(it, kind=Kind.EVALUATED_DECK) for it in records]
    assert looked([*gone, *noted]) == Patterns((), ())


def a_history(draw: random.Random, size: int = 40) -> list[Record]:
    """A history in which nothing hangs together: sectors, months, causes and weaknesses are drawn blindly."""
    found = []
    for at in range(size):
        month, year = draw.choice(MONTHS), draw.randint(2005, 2025)
        sector, cause = draw.choice(["payments", "farming", "health"]), f"Reason {draw.randint(1, 40)}, in {month}."
        found.append(investment(at, sector, draw.random() < 0.5, year, cause))
        weakness = draw.choice(["CWE-89", "CWE-79", "CWE-22", "CWE-476"])
        severity = draw.choice(["critical", "low"])
        facts = BugFacts(f"B{at}", draw.choice(["go", "python"]), weakness, severity, year, symptom=f"Seen in {month}.")
        found.append(record(size + at, facts))
    return found


def test_shuffled_outcomes_are_called_a_pattern_in_at_most_one_run_of_twenty() -> None:
    draw, runs = random.Random(11), 150
    base = a_history(draw)
    called = 0
    for _ in range(runs):
        money = [it for it in base if isinstance(it.facts, InvestmentFacts)]
        outcomes = [it.facts.outcome for it in money if isinstance(it.facts, InvestmentFacts)]
        draw.shuffle(outcomes)
        shuffled = [
            replace(it, facts=replace(it.facts, outcome=outcome)) for it, outcome in zip(money, outcomes, strict=True)
        ]
        found = find_patterns(shuffled, vectors(shuffled, draw))
        called += any(it.holds for it in found.found)
    assert called <= runs * 0.05 + 3 * math.sqrt(runs * 0.05 * 0.95)


def test_histories_drawn_blindly_are_called_a_pattern_in_at_most_one_run_of_twenty() -> None:
    draw, runs = random.Random(5), 120
    called = 0
    for _ in range(runs):
        records = a_history(draw)
        called += any(it.holds for it in find_patterns(records, vectors(records, draw)).found)
    assert called <= runs * 0.05 + 3 * math.sqrt(runs * 0.05 * 0.95)


def test_the_same_records_in_any_order_give_the_same_patterns() -> None:
    draw = random.Random(3)
    records = a_history(draw)
    made = vectors(records, draw)
    again = records[:]
    draw.shuffle(again)
    assert find_patterns(records, made) == find_patterns(again, made)


@pytest.mark.parametrize(
    ("told", "month"),
    [
        ("It ran out of cash in March.", 3),
        ("Closed on 2021-11-30 for good.", 11),
        ("May be sold; the team may march on.", None),
        ("Shut down May 2019.", 5),
        ("From June until August.", None),
        ("2020年7月关闭。", 7),
        ("", None),
    ],
)
def test_a_month_is_read_where_the_words_name_exactly_one(told: str, month: int | None) -> None:
    assert month_of(investment(0, "", True, cause=told)) == month


def test_what_is_open_has_no_ending() -> None:
    base = InvestmentFacts("C", invested=Money(Decimal(10), "EUR"))
    assert ended_badly(record(0, replace(base, outcome=Outcome.OPERATING))) is None
    assert ended_badly(record(0, replace(base, outcome=Outcome.EXITED))) is False
    assert ended_badly(record(0, replace(base, outcome=Outcome.EXITED, returned=Money(Decimal(4), "EUR")))) is True
    assert ended_badly(record(0, BugFacts("B", severity="low", outcome=Outcome.FIX_FAILED))) is True


def test_like_reasons_are_one_cause_and_a_lone_one_is_its_own(services: Services) -> None:
    now, texts = (
        AT,
        ["The only founder fell ill and left.", "The sole founder left after an illness.", "Energy got dear."],
    )
    made = [
        services.intake.remember(
            services.workspace, Kind.INVESTMENT, InvestmentFacts(f"Firm {at}", summary="A firm.", cause=text),
            door=Door.FORM, source="form", author="person", now=now,
        )
        for at, text in enumerate(texts)
    ]  # fmt: skip
    found = causes(made, why_vectors(services.ledger.entries([it.id for it in made])))
    assert [len(it.records) for it in found] == [2, 1]
    assert isinstance(found[0], Cause)
    assert "founder" in found[0].name


def test_looking_for_patterns_writes_nothing_and_changes_no_audit(services: Services, now: datetime) -> None:
    mode = MODES["investment"]
    submission = make_submission(mode, examples("investment")[0].text)

    def audited() -> bytes:
        done = run_audit(services, mode, submission, now=now, save=False).audit
        return guard.dump(replace_times(done))

    def replace_times(done: guard.GroundedAudit) -> guard.GroundedAudit:
        from audit.types import grounding_permit

        with grounding_permit():
            return replace(done, recall=replace(done.recall, steps_ms={}))

    before, head = audited(), services.ledger.head()
    records = services.ledger.find(services.workspace, limit=100).records
    assert find_patterns(records, why_vectors(services.ledger.entries([it.id for it in records]))).too_few
    assert services.ledger.head() == head
    assert audited() == before


def test_nothing_that_recalls_judges_or_grounds_reads_patterns() -> None:
    own = {"patterns.py", "causes.py", "chances.py", "months.py"}
    for path in [*ROOT.glob("memory/**/*.py"), *ROOT.glob("audit/**/*.py"), *ROOT.glob("mcp_server/**/*.py")]:
        if path.parent.name == "memory" and path.name in own:
            continue
        names = {
            name
            for node in ast.walk(ast.parse(path.read_text(encoding="utf-8")))
            for name in (
                [node.module or "", *(f"{node.module}.{it.name}" for it in node.names)]
                if isinstance(node, ast.ImportFrom)
                else [it.name for it in node.names]
                if isinstance(node, ast.Import)
                else []
            )
        }
        assert not names & {"memory.patterns", "memory.causes", "memory.chances"}, path
