"""Whatever carries a promise is sealed, in a file and in a server: what is altered behind the ledger's back is told."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import replace
from datetime import UTC, datetime

import pytest
from sqlalchemy import Connection, func, select, text

from audit.feedback import Opinion
from audit.modes import INVESTMENT
from memory import schema
from memory.ledger import Ledger
from memory.migrations import MIGRATIONS, migrate
from memory.records import Door, InvestmentFacts, Kind, Outcome
from memory.seals import SEALED
from memory.trust import Judgement
from memory.verify import verify
from tests.adversarial.memory.attacks import by_import
from tests.adversarial.memory.home import DECK, Home
from tests.contract.conftest import LEDGERS, Place
from wiring import build_services

NOW = datetime(2026, 11, 1, 12, tzinfo=UTC)
LOAF = InvestmentFacts("Loaf", "food", "Bread by subscription", 2019, outcome=Outcome.SHUT_DOWN)


@pytest.fixture(scope="module", params=LEDGERS)
def ledger(request: pytest.FixtureRequest, furnished: Place) -> Iterator[Ledger]:
    """A ledger with rows in every sealed table, each made by the product itself."""
    services = build_services(furnished(request.param, "embedded"))
    home = Home(services, "local", NOW)
    saved = home.audit(INVESTMENT, text=DECK, save=True)
    (kept, *_) = saved.audit.recall.kept
    assert saved.saved_as
    said = {"author": "ana", "now": NOW}
    services.feedback.give("local", saved.saved_as, kept.record.id, Opinion.USEFUL, **said)
    services.feedback.give("local", saved.saved_as, kept.record.id, Opinion.OUTDATED, **said)
    services.decisions.decide("local", saved.saved_as, "invested", reason="good bread", **said)
    services.decisions.settle("local", saved.saved_as, LOAF, went_well=False, **said)
    held = home.remember(Kind.INVESTMENT, replace(LOAF, company="Crust"), Door.AGENT, "mail")
    home.trust.judge("local", held.id, Judgement(0.2), author="ana", reason="", at=NOW)
    services.intake.revise("local", kept.record.id, replace(LOAF, company="Crumb"), reason="typo", **said)
    by_import({"kind": "investment", "company": "Rye {n}", "summary": "Rye bread by post {n}"}, "own.csv", home, 2)
    services.close()
    opened = Ledger.open(services.ledger.engine.url.render_as_string(hide_password=False))
    yield opened
    opened.close()


@contextmanager
def disarmed(ledger: Ledger) -> Iterator[Connection]:
    """Give a connection in which no trigger works; nothing that is done in it stays."""
    with ledger.engine.connect() as connection:
        if connection.dialect.name == "sqlite":
            for (name,) in connection.execute(text("SELECT name FROM sqlite_master WHERE type = 'trigger'")).all():
                connection.execute(text(f"DROP TRIGGER {name}"))
        else:
            connection.execute(text("SET LOCAL session_replication_role = replica"))
        yield connection
        connection.rollback()


def test_every_sealed_table_has_rows_and_all_is_clean(ledger: Ledger) -> None:
    with ledger.reading() as connection:
        for table in SEALED:
            assert connection.execute(select(func.count()).select_from(table)).scalar_one(), table.name
        assert connection.execute(select(func.count()).select_from(schema.unsealed)).scalar_one() == 0
    assert verify(ledger).clean


ALTERED = {
    "revisions": "UPDATE revisions SET author = 'eve' WHERE revision = 1",
    "ratings": "UPDATE ratings SET own = 0.99",
    "feedback": "UPDATE feedback SET opinion = 'useful'",
    "audits": "UPDATE audits SET score = 99",
    "decisions": "UPDATE decisions SET choice = 'passed'",
    "outcomes": "UPDATE outcomes SET went_well = NOT went_well",
    "concerns": "UPDATE concerns SET settled_as = 'verified', settled_at = at",
    "imports": "UPDATE imports SET undone_at = at",
    "import_rows": "UPDATE import_rows SET line = line + 7",
}


@pytest.mark.parametrize("table", ALTERED)
def test_what_was_altered_is_told_with_its_seal(ledger: Ledger, table: str) -> None:
    assert set(ALTERED) == {it.name for it in SEALED}
    with disarmed(ledger) as connection:
        connection.execute(text(ALTERED[table]))
        found = verify(ledger, tx=connection)
    noun = SEALED[schema.tables.tables[table]]
    assert found.problem.startswith(f"The {noun} ")
    assert "is not as seal" in found.problem
    assert verify(ledger).clean


@pytest.mark.parametrize("table", sorted(set(ALTERED) - {"audits", "imports"}))
def test_what_was_taken_away_is_told(ledger: Ledger, table: str) -> None:
    with disarmed(ledger) as connection:
        connection.execute(text(f"DELETE FROM {table}"))
        found = verify(ledger, tx=connection)
    assert "is missing" in found.problem


@pytest.mark.parametrize(
    ("statement", "says"),
    [
        ("INSERT INTO ratings SELECT id, 1, '0' FROM records WHERE title = 'Rye 0'", "put in without a seal"),
        ("UPDATE seals SET digest = '' WHERE number = 3", "Seal 3 was altered."),
        ("DELETE FROM seals WHERE number = 2", "Seal 2 is missing."),
        ("DELETE FROM seals WHERE number = (SELECT max(number) FROM seals)", "The last seals are missing"),
        ("UPDATE records SET title = 'Acme' WHERE title = 'Rye 1'", "found by"),
        ("UPDATE records SET loss = 1 WHERE loss > 1", "found by"),
    ],
)
def test_what_was_put_in_or_taken_from_the_chain_is_told(ledger: Ledger, statement: str, says: str) -> None:
    with disarmed(ledger) as connection:
        connection.execute(text(statement))
        assert says in verify(ledger, tx=connection).problem


def test_the_first_of_several_breaks_is_told(ledger: Ledger) -> None:
    with disarmed(ledger) as connection:
        for statement in ALTERED.values():
            connection.execute(text(statement))
        problem = verify(ledger, tx=connection).problem
    assert problem.startswith("The saved audit")  # it was kept before all the rest was said of it


def test_no_write_of_ours_seals_what_was_altered_outside(ledger: Ledger) -> None:
    with ledger.engine.begin() as connection:
        connection.execute(text("UPDATE decisions SET reason = 'so said eve'"))
    ledger.set_setting("a setting", 1)
    assert "The decision" in verify(ledger).problem
    with ledger.transaction() as tx:
        tx.execute(schema.decisions.update().values(reason="good bread"))
    assert verify(ledger).clean


def test_a_ledger_from_before_the_seals_is_sealed_as_it_stands(ledger: Ledger) -> None:
    number = next(at for at, (name, _) in enumerate(MIGRATIONS, start=1) if name == "seals")
    with ledger.engine.begin() as connection:
        for statement in (
            "DROP TABLE seals", "DROP TABLE unsealed", "DELETE FROM settings WHERE name = 'seals'",
            f"DELETE FROM migrations WHERE number = {number}",
        ):  # fmt: skip
            connection.execute(text(statement))
    assert migrate(ledger.engine) == 1
    assert verify(ledger).clean
    with ledger.reading() as connection:
        assert connection.execute(select(func.count()).select_from(schema.seals)).scalar_one() > len(SEALED)
