"""Wherever a memory lives it keeps the same promises: every ledger with every index, on real servers."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import closing
from dataclasses import replace
from datetime import UTC, date, datetime, timedelta
from itertools import product

import pytest

from audit.feedback import Opinion
from audit.modes import INVESTMENT
from memory.catch_up import catch_up
from memory.errors import StoreError
from memory.records import InvestmentFacts, Kind, Outcome, Record, Status
from memory.report import RecallQuery, RecallReport, RecallState
from memory.terms import tokens
from memory.verify import verify
from tests.adversarial.memory.home import Home, Standing, standing
from tests.chroma_server.server import Server
from tests.contract.conftest import INDEXES, LEDGERS, Place
from tests.contract.real_postgres import RealPostgres
from wiring import Services, build_services, open_index

NOW = datetime(2026, 11, 1, 12, tzinfo=UTC)
BREAD = InvestmentFacts(
    "Crumb", "food", "Sells subscriptions to sourdough bread baked by neighbours in their own kitchens, 社区面包",
    2019, 2021, Outcome.SHUT_DOWN, cause="Hygiene inspectors closed the home kitchens, error KITCHEN-42",
)  # fmt: skip
ASKED = (
    "Neighbours bake sourdough bread in their home kitchens and we deliver it by subscription. "
    "We have 400 subscribers and no hygiene permits for the home kitchens yet."
)


@pytest.fixture(scope="module", params=product(LEDGERS, INDEXES), ids=lambda it: " + ".join(it))
def services(request: pytest.FixtureRequest, furnished: Place) -> Iterator[Services]:
    built = build_services(furnished(*request.param))
    yield built
    built.close()


@pytest.fixture
def home(services: Services, request: pytest.FixtureRequest) -> Home:
    """A workspace of its own for each test; the seeds are in ``local``."""
    return Home(services, request.function.__name__[5:60].strip("_"), NOW)


@pytest.fixture(scope="module")
def expected(furnished: Place) -> Standing:
    """What an audit says of a memory in SQLite and an embedded index."""
    services = build_services(furnished("sqlite", "embedded"))
    try:
        return standing(Home(services, "local", NOW).audit(INVESTMENT).audit)
    finally:
        services.close()


def recalled(home: Home, text: str = ASKED) -> RecallReport:
    return home.services.recaller.recall(RecallQuery(home.workspace, (Kind.INVESTMENT,), text), NOW)


def kept(home: Home) -> list[str]:
    report = recalled(home)
    assert report.state in {RecallState.FOUND, RecallState.NONE_RELEVANT, RecallState.NO_RECORDS}, report.message
    return [it.record.title for it in report.kept]


def worded(home: Home, words: str) -> list[str]:
    hits = home.services.ledger.keywords(home.workspace, Kind.INVESTMENT, tokens(words), 9)
    return [hit.record_id for hit in hits]


def move(home: Home, record: Record, status: Status) -> None:
    home.lifecycle.move(home.workspace, [record.id], status, author="ana", reason="", now=NOW)


def indexed(home: Home, record: Record) -> bool:
    index = home.services.index
    catch_up(home.services.ledger, index)
    return index.holds(home.workspace, Kind.INVESTMENT, [record.id]) == {record.id}


def test_an_audit_says_the_same_wherever_the_memory_lives(services: Services, expected: Standing) -> None:
    assert standing(Home(services, "local", NOW).audit(INVESTMENT).audit) == expected
    assert expected.kept


def test_what_is_remembered_is_found_by_meaning_and_by_word(home: Home) -> None:
    assert kept(home) == []
    record = home.remember(Kind.INVESTMENT, BREAD)
    assert kept(home) == ["Crumb"]
    for words in ("sourdough", "KITCHEN-42", "面包"):
        assert worded(home, words) == [record.id]
    assert home.services.ledger.find(home.workspace, search="crumb inspect").records == (record,)
    assert home.services.ledger.get(home.workspace, [record.id]) == {record.id: record}


def test_a_correction_is_found_and_what_it_corrects_is_not(home: Home) -> None:
    record = home.remember(Kind.INVESTMENT, BREAD)
    facts = replace(BREAD, company="Crumble", summary="Rents e-scooters to tourists", cause="Scooters were stolen")
    home.services.intake.revise(
        home.workspace, record.id, facts, author="ana", reason="another company", now=NOW + timedelta(days=1)
    )
    assert kept(home) == []
    assert (worded(home, "sourdough"), worded(home, "scooters")) == ([], [record.id])
    before, after = home.services.ledger.revisions(home.workspace, record.id)
    assert (before.facts, after.facts, after.reason) == (BREAD, facts, "another company")


def test_what_is_archived_is_not_recalled_until_it_is_restored(home: Home) -> None:
    record = home.remember(Kind.INVESTMENT, BREAD)
    move(home, record, Status.ARCHIVED)
    assert (kept(home), worded(home, "sourdough"), indexed(home, record)) == ([], [], False)
    move(home, record, Status.ACTIVE)
    assert (kept(home), worded(home, "sourdough"), indexed(home, record)) == (["Crumb"], [record.id], True)


def test_what_is_forgotten_is_nowhere_and_its_erasure_leaves_nothing(home: Home) -> None:
    record = home.remember(Kind.INVESTMENT, BREAD)
    assert kept(home) == ["Crumb"]
    move(home, record, Status.FORGOTTEN)
    assert (kept(home), worded(home, "sourdough"), indexed(home, record)) == ([], [], False)
    receipt = home.lifecycle.purge(home.workspace, author="ana", now=NOW + timedelta(days=8))
    assert (receipt.erased, receipt.clean) == ((record.id,), True)


def test_two_workspaces_never_meet(home: Home, services: Services) -> None:
    other = Home(services, "others", NOW)
    record = home.remember(Kind.INVESTMENT, BREAD)
    assert (kept(home), kept(other), worded(other, "sourdough")) == (["Crumb"], [], [])
    assert other.services.ledger.get("others", [record.id]) == {}
    assert not indexed(other, record)


def test_the_feed_brings_a_second_reader_to_where_the_first_is(home: Home) -> None:
    ledger = home.services.ledger
    before = ledger.head()
    record = home.remember(Kind.INVESTMENT, BREAD)
    move(home, record, Status.ARCHIVED)
    move(home, record, Status.ACTIVE)
    feed = ledger.changes(before, 10)
    assert [it.number for it in feed] == list(range(before + 1, ledger.head() + 1))
    assert [(it.record_id, it.removed) for it in feed] == [(record.id, False), (record.id, True), (record.id, False)]
    with closing(open_index(home.services.settings, ledger)) as second:
        assert catch_up(ledger, second) == ledger.head()
        assert second.holds(home.workspace, Kind.INVESTMENT, [record.id]) == {record.id}
        assert dict(second.counts()) == ledger.entry_counts()


def test_a_whole_audit_with_opinion_decision_and_outcome_is_kept(home: Home) -> None:
    record = home.remember(Kind.INVESTMENT, BREAD)
    done = home.audit(INVESTMENT, text=ASKED, save=True)
    assert done.saved_as
    services, space = home.services, home.workspace
    assert services.archive.open(space, done.saved_as) == done.audit
    assert [it.id for it in services.archive.list(space)] == [done.saved_as]
    services.feedback.give(space, done.saved_as, record.id, Opinion.USEFUL, author="ana", now=NOW)
    services.decisions.decide(
        space, done.saved_as, "invested", reason="good bread", review_on=date(2027, 1, 1), author="ana", now=NOW
    )
    assert [it.choice for it in services.decisions.due(space, date(2027, 2, 1))] == ["invested"]
    fact = services.decisions.settle(
        space, done.saved_as, replace(BREAD, company="Loaf"), went_well=False, author="ana", now=NOW
    )
    assert [(it.record_id, it.went_well) for it in services.decisions.settled(space)] == [(fact.id, False)]
    assert [it.opinion for it in services.feedback.of(space)] == [Opinion.USEFUL]
    assert fact.provenance.source == done.saved_as


def test_a_crash_of_the_servers_is_told_and_loses_nothing(
    home: Home, services: Services, request: pytest.FixtureRequest
) -> None:
    record = home.remember(Kind.INVESTMENT, BREAD)
    assert kept(home) == ["Crumb"]
    servers: list[tuple[Callable[[], None], Callable[[], None]]] = []
    settings = services.settings
    if "postgresql" in settings.ledger_url + settings.index:
        postgres: RealPostgres = request.getfixturevalue("postgres")
        servers.append((postgres.kill, postgres.start))
    if settings.index.startswith("http"):
        chroma: Server = request.getfixturevalue("chroma_server")
        servers.append((chroma.stop, chroma.start))
    for kill, _ in servers:
        kill()
    if servers:
        assert recalled(home).state is RecallState.UNAVAILABLE
    if settings.ledger_url:
        with pytest.raises(StoreError, match="PRECEDENT_LEDGER_URL"):
            home.remember(Kind.INVESTMENT, replace(BREAD, company="Lost"))
    for _, start in servers:
        start()
    assert kept(home) == ["Crumb"]
    later = home.remember(Kind.INVESTMENT, replace(BREAD, company="Crust", year=2020))
    assert sorted(kept(home)) == ["Crumb", "Crust"]
    assert {it.id for it in home.all()} == {record.id, later.id}
    assert verify(services.ledger).clean
    assert dict(services.index.counts()) == services.ledger.entry_counts()
