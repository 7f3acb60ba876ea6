"""Moving a memory between a file and a server, and back: all of it or nothing, and the same chain at both ends."""

from __future__ import annotations

import json
import os
import shutil
import signal
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from contextlib import ExitStack, closing
from datetime import UTC, date, datetime
from pathlib import Path

import psycopg
import pytest
from sqlalchemy import func, select, text

from audit.feedback import Opinion
from audit.modes import INVESTMENT
from memory import schema
from memory.concerns import Concerns
from memory.errors import LedgerUnavailable
from memory.index import Entry
from memory.ledger import Ledger
from memory.records import Door, InvestmentFacts, Kind, Note, Record, Status
from memory.terms import tokens
from memory.transfer import transfer
from memory.verify import verify
from settings import Settings
from tests.adversarial.memory.home import Home
from tests.contract.real_postgres import RealPostgres
from tests.memory.test_command_line import run
from wiring import Services, build_services

ROOT = Path(__file__).parents[2]
NOW = datetime(2026, 11, 1, 12, tzinfo=UTC)


@pytest.fixture(scope="module")
def lived_in(seeded_ledger: Path, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Services]:
    """A memory in a file that has something in every table."""
    folder = tmp_path_factory.mktemp("lived-in")
    shutil.copy(seeded_ledger, folder)
    services = build_services(Settings(_env_file=None, home=folder, models=""))
    home = Home(services, "local", NOW)
    (first,) = home.furnish([(Kind.INVESTMENT, InvestmentFacts("Ümlaut & 公司", "", "sells 社区面包", 2019))])
    services.intake.revise("local", first.id, InvestmentFacts("Umlaut"), author="ana", reason="typo", now=NOW)
    home.remember(Kind.OBSERVATION, Note("Seen", "Observation", "It grew anyway"), derived_from=[first.id])
    home.remember(Kind.INVESTMENT, InvestmentFacts("Told by an agent"), Door.AGENT, "agent")
    home.trust.verify("local", first.id, author="ana", reason="known", at=NOW)
    home.lifecycle.move("local", [first.id], Status.ARCHIVED, author="ana", reason="", now=NOW)
    saved = home.audit(INVESTMENT, save=True).saved_as
    assert saved
    shown = services.archive.open("local", saved).recall.kept[0].record.id
    services.feedback.give("local", saved, shown, Opinion.USEFUL, author="ana", now=NOW)
    services.decisions.decide("local", saved, "passed", reason="x", review_on=date(2027, 1, 1), author="ana", now=NOW)
    services.saved_views.add("local", "Kept", {"search": "面包", "year": 2019}, author="ana", now=NOW)
    services.decisions.settle("local", saved, InvestmentFacts("Ended"), went_well=False, author="ana", now=NOW)
    yield services
    services.close()


@pytest.fixture
def opened() -> Iterator[ExitStack]:
    with ExitStack() as stack:
        yield stack


def counts(ledger: Ledger) -> dict[str, int]:
    with ledger.reading() as connection:
        return {
            name: connection.execute(select(func.count()).select_from(table)).scalar_one()
            for name, table in schema.tables.tables.items()
        }


def head(ledger: Ledger) -> str:
    with ledger.reading() as connection:
        return str(connection.execute(select(schema.head.c.hash)).scalar_one())


def is_empty(ledger: Ledger) -> bool:
    begun = {"head": 1, "settings": 1, "migrations": counts(ledger)["migrations"]}
    return {name: count for name, count in counts(ledger).items() if count} == begun and ledger.head() == 0


def test_there_and_back_everything_is_the_same(
    lived_in: Services, postgres: RealPostgres, tmp_path: Path, opened: ExitStack
) -> None:
    source = lived_in.ledger
    there = opened.enter_context(closing(Ledger.open(postgres.database())))
    back = opened.enter_context(closing(Ledger.open(f"sqlite:///{tmp_path}/back.db")))
    out, home = transfer(source, there), transfer(there, back)
    empty = {name for name, count in out.rows.items() if not count}
    assert empty <= {"imports", "import_rows"}
    assert out.rows == home.rows
    assert out.head == home.head == head(source) == head(there) == head(back)
    assert counts(there) == counts(back)
    assert (verify(source), out.later) == (verify(there), 0)
    assert verify(back) == verify(there)
    assert verify(back).clean
    assert len({it.identity() for it in (source, there, back)}) == 3
    assert len({it.place()[1] for it in (source, there, back)}) == 3
    for words in ("payments", "社区", "sells", "CWE-89"):
        for kind in (Kind.INVESTMENT, Kind.BUG):
            found = [it.keywords("local", kind, tokens(words), 50) for it in (source, there, back)]
            assert found[0] == found[1] == found[2]


def test_what_was_copied_can_be_written_to(lived_in: Services, postgres: RealPostgres, home: Path) -> None:
    url = postgres.database()
    with closing(Ledger.open(url)) as target:
        transfer(lived_in.ledger, target)
    services = build_services(Settings(_env_file=None, home=home, ledger_url=url, index=url, models=""))
    try:
        mine = Home(services, "another", NOW)
        told = [mine.remember(Kind.INVESTMENT, InvestmentFacts(f"New {it}"), Door.AGENT, "agent") for it in range(2)]
        assert [it.record_id for it in Concerns(services.ledger).waiting("another")] == [it.id for it in told]
        assert Home(services, "local", NOW).audit(INVESTMENT).audit.history.similar_found
        assert verify(services.ledger).clean
    finally:
        services.close()


def test_a_target_that_is_not_empty_is_refused_and_left_alone(
    lived_in: Services, postgres: RealPostgres, opened: ExitStack
) -> None:
    target = opened.enter_context(closing(Ledger.open(postgres.database())))
    transfer(lived_in.ledger, target)
    before = (counts(target), target.place(), head(target))
    with pytest.raises(LedgerUnavailable, match="not empty"):
        transfer(lived_in.ledger, target)
    assert (counts(target), target.place(), head(target)) == before


def test_what_is_not_clean_is_not_copied(
    lived_in: Services, postgres: RealPostgres, tmp_path: Path, opened: ExitStack
) -> None:
    shutil.copy(lived_in.settings.home / "ledger.db", tmp_path / "altered.db")
    source = opened.enter_context(closing(Ledger.open(f"sqlite:///{tmp_path}/altered.db")))
    target = opened.enter_context(closing(Ledger.open(postgres.database())))
    with source.transaction() as tx:
        tx.execute(text("UPDATE records SET confidence = 1.0"))
    with pytest.raises(LedgerUnavailable, match="not clean"):
        transfer(source, target)
    assert is_empty(target)


def test_a_copy_that_is_killed_leaves_the_target_empty(
    postgres: RealPostgres, tmp_path: Path, make_record: Callable[..., Record], make_entry: Callable[..., Entry]
) -> None:
    source = Ledger.open(f"sqlite:///{tmp_path}/ledger.db")
    source.add_many([(it, [make_entry(it.id, n % 9)]) for n, it in enumerate(make_record() for _ in range(1_200))])
    url = postgres.database()
    with closing(Ledger.open(url)) as target:
        command = [sys.executable, "-m", "memory", "migrate", "--to", url]
        process = subprocess.Popen(command, cwd=ROOT, env=os.environ | {"PRECEDENT_HOME": str(tmp_path)})
        with psycopg.connect(url, autocommit=True) as watcher:
            asked = "SELECT count(*) FROM pg_stat_activity WHERE query LIKE 'INSERT INTO entries%'"
            until = time.monotonic() + 60
            while not watcher.execute(asked).fetchone()[0] and process.poll() is None:  # type: ignore[index]
                assert time.monotonic() < until
            process.send_signal(signal.SIGKILL)
        assert process.wait(10) == -signal.SIGKILL
        assert is_empty(target)
        assert transfer(source, target).head == head(source)
    source.close()


def test_the_command_says_what_was_copied_and_never_the_password(
    lived_in: Services, postgres: RealPostgres, tmp_path: Path
) -> None:
    url = postgres.database().replace("postgres:@", "postgres:sekret@")
    home = lived_in.settings.home
    code, out, err = run(home, "migrate", "--to", url, "--json")
    assert code == 0, err
    told = json.loads(out)
    assert (told["head"], told["rows"]["audits"], told["later"]) == (head(lived_in.ledger), 1, 0)
    assert "sekret" not in out + err
    code, out, err = run(home, "migrate", "--to", url)
    assert code == 1
    assert "not empty" in err
    assert "sekret" not in out + err
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("PRECEDENT_LEDGER_URL", url)
        code, out, err = run(home, "verify", "--json")
        assert (code, json.loads(out)["clean"]) == (0, True)
        code, out, err = run(home, "backup")
        assert code == 1
        assert "pg_dump" in err
        code, out, err = run(home, "migrate", "--to", f"sqlite:///{tmp_path}/back.db")
        assert code == 0
        assert "Both chains end in" in out
