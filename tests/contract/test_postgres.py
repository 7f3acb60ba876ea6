"""What only a ledger in a server can do wrong: refuse, be gone, forget its rules, read words in its own way."""

from __future__ import annotations

import logging
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import closing
from datetime import datetime

import psycopg
import pytest
from hypothesis import HealthCheck, given
from hypothesis import settings as hypothesis_settings
from hypothesis import strategies as st
from sqlalchemy import make_url, text
from sqlalchemy.exc import DBAPIError

from audit.speech.said import translated
from memory.errors import LedgerUnavailable
from memory.ledger import Ledger
from memory.records import BugFacts, InvestmentFacts, Kind, Record, Status
from memory.sqlite import IMMUTABLE
from memory.terms import tokens
from tests.contract.real_postgres import RealPostgres

MakeRecord = Callable[..., Record]
SECRET = "sekret-Pa55"


@pytest.fixture(scope="module")
def locked(postgres: RealPostgres) -> Iterator[RealPostgres]:
    """The server with a user whose password is checked, and one who may not write."""
    rules = postgres.folder / "pg_hba.conf"
    before = rules.read_text()
    rules.write_text("local all guarded scram-sha-256\n" + before)
    postgres.execute(
        "CREATE ROLE guarded LOGIN PASSWORD 'right'", "CREATE ROLE reader LOGIN", "SELECT pg_reload_conf()"
    )
    yield postgres
    rules.write_text(before)


def refusal(url: str) -> str:
    with pytest.raises(LedgerUnavailable) as told:
        Ledger.open(url)
    return str(told.value)


def test_each_reason_why_a_server_says_no_is_told_with_what_to_do_and_without_the_password(
    locked: RealPostgres, caplog: pytest.LogCaptureFixture
) -> None:
    caplog.set_level(logging.DEBUG)
    name = make_url(locked.database()).database or ""
    told = {
        "refused the user or the password of PRECEDENT_LEDGER_URL": locked.url(name, f"guarded:{SECRET}"),
        "refused the user": locked.url(name, f"nobody:{SECRET}"),
        "no such database": locked.url("nowhere", f"postgres:{SECRET}"),
        "does not answer": f"postgresql://postgres:{SECRET}@127.0.0.1:1/x",
        "may not do this": locked.url(name, f"reader:{SECRET}"),
        "is not a database URL": f"postgresql://postgres:{SECRET}@127.0.0.1:port/x",
        "a URL such as": f"mysql://root:{SECRET}@127.0.0.1/x",
        "invalid connection option": f"postgresql://postgres:{SECRET}@127.0.0.1/x?unheard_of=1",
        "ENCODING 'UTF8'": locked.database(encoding="LATIN1"),
    }
    for words, url in told.items():
        said = refusal(url)
        assert words in said
        assert SECRET not in said
    assert SECRET not in caplog.text


def test_what_took_longer_than_the_server_allows_is_told_as_that_with_what_was_kept_and_what_to_do(
    ledger: Ledger, make_record: MakeRecord
) -> None:
    ledger.add(make_record(), [])
    cases = {
        "SET LOCAL statement_timeout = 20": "A query took longer than the database server allows",
        "SET LOCAL transaction_timeout = 20": "A transaction took longer than the database server allows",
    }
    for setting, what in cases.items():
        with pytest.raises(LedgerUnavailable) as told, ledger.transaction() as tx:
            ledger.add(make_record(), [], tx=tx)
            tx.exec_driver_sql(setting)
            tx.exec_driver_sql("SELECT pg_sleep(5)")
        assert what in str(told.value)
        assert "does not answer" not in str(told.value)
        assert str(told.value).count("What was being written was not kept; everything saved before it is.") == 1
        assert "let the user of PRECEDENT_LEDGER_URL take longer" in str(told.value)
        assert "took longer" not in (translated(str(told.value), "zh") or "took longer")
    with (
        pytest.raises(LedgerUnavailable, match=r"Everything that was saved is kept\. Try again"),
        ledger.reading() as it,
    ):
        it.exec_driver_sql("SET LOCAL statement_timeout = 20")
        it.exec_driver_sql("SELECT pg_sleep(5)")
    assert (ledger.head(), ledger.size()) == (1, 1)


def test_a_write_that_the_crash_cut_short_is_not_there(
    ledger: Ledger, postgres: RealPostgres, make_record: MakeRecord
) -> None:
    with pytest.raises(LedgerUnavailable), ledger.transaction() as tx:
        ledger.add(make_record(), [], tx=tx)
        postgres.restart()
        ledger.add(make_record(), [], tx=tx)
    assert (ledger.head(), ledger.size()) == (0, 0)


def test_a_reader_sees_one_state_while_others_write(ledger: Ledger, make_record: MakeRecord) -> None:
    with ledger.reading() as connection:
        assert ledger.head(tx=connection) == 0
        ledger.add(make_record(), [])
        assert ledger.head(tx=connection) == 0
        assert ledger.get("local", ["r1"], tx=connection) == {}
    assert ledger.head() == 1


@pytest.mark.parametrize("column", [name for name in IMMUTABLE if name not in {"key", "id"}])
def test_where_a_record_came_from_cannot_be_changed_behind_its_back(shared: Ledger, column: str) -> None:
    value = "now()" if column == "created_at" else "0.1" if column == "first_confidence" else "'mine'"
    with pytest.raises(DBAPIError, match="cannot be changed"), shared.engine.begin() as connection:
        connection.execute(text(f"UPDATE records SET {column} = {value}"))


@pytest.fixture(scope="module")
def shared(postgres: RealPostgres) -> Iterator[Ledger]:
    """One ledger with a record and its child, which no test can change."""
    from tests.memory.conftest import make_record

    make = make_record.__wrapped__(datetime.fromisoformat("2026-11-01T12:00:00+00:00"))  # type: ignore[attr-defined]
    ledger = Ledger.open(postgres.database())
    ledger.add_many([(make(), []), (make(derived_from=("r1",)), [])])
    yield ledger
    ledger.close()


@pytest.mark.parametrize(
    "statement",
    [
        "DELETE FROM records", "DELETE FROM edges", "DELETE FROM changes", "UPDATE edges SET place = 7",
        "UPDATE changes SET reason = 'mine'", "TRUNCATE changes", "TRUNCATE records CASCADE", "TRUNCATE edges",
    ],
)  # fmt: skip
def test_history_cannot_be_taken_out(shared: Ledger, statement: str) -> None:
    with pytest.raises(DBAPIError), shared.engine.begin() as connection:
        connection.execute(text(statement))
    assert shared.size() == 2


def test_what_is_erased_is_in_no_table_and_in_no_statistics(
    ledger: Ledger, url: str, make_record: MakeRecord, now: datetime
) -> None:
    record = make_record(InvestmentFacts("Zanthoxylum", summary="Zanthoxylum grows"))
    ledger.add(record, [])
    with ledger.engine.execution_options(isolation_level="AUTOCOMMIT").connect() as connection:
        connection.execute(text("ANALYZE"))
    ledger.revise("local", record.id, InvestmentFacts("Zanthoxylum II"), [], author="ana", reason="numbered", at=now)
    ledger.set_status("local", record.id, Status.FORGOTTEN, author="ana", reason="", at=now)
    ledger.erase("local", [record.id], author="ana", reason="purged", at=now)
    ledger.scrub()
    with psycopg.connect(url) as connection:
        tables = connection.execute(
            "SELECT oid::regclass FROM pg_class WHERE relnamespace = 'precedent'::regnamespace AND relkind = 'r'"
        ).fetchall()
        for (table,) in [*tables, ("pg_stats",)]:
            held = connection.execute(
                f"SELECT count(*) FROM {table} AS it WHERE it::text ILIKE '%zanthoxylum%'"  # type: ignore[arg-type]
            ).fetchone()
            assert held == (0,), table


@pytest.fixture(scope="module")
def twins(postgres: RealPostgres, tmp_path_factory: pytest.TempPathFactory) -> Iterator[tuple[Ledger, Ledger]]:
    file = tmp_path_factory.mktemp("twin") / "ledger.db"
    with closing(Ledger.open(f"sqlite:///{file}")) as one, closing(Ledger.open(postgres.database())) as other:
        yield one, other


WORDS = st.sampled_from(
    [
        "sourdough", "Payments", "payment", "user_id", "userId", "HTTPServer", "CWE-89", "E0308", "naïve", "Ümlaut",
        "支付", "社区面包", "支付宝", "C++", "it's", "don’t", "0xFF", "v1.2.3", "нет", "ошибка", "a:b", "x*", '"',
        "'", "\\", "%", "OR", "NOT", "NEAR", "{a,b}", "NULL", "ﬁne", "Ⅳ",
    ]
)  # fmt: skip


@given(texts=st.lists(st.lists(WORDS, min_size=1, max_size=6).map(" ".join), min_size=1, max_size=3), asked=WORDS)
@hypothesis_settings(max_examples=25, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
def test_the_same_words_find_the_same_records_in_a_file_and_in_a_server(
    twins: tuple[Ledger, Ledger], make_record: MakeRecord, texts: list[str], asked: str
) -> None:
    for said in texts:
        record = make_record(BugFacts(said, symptom=said), kind=Kind.BUG)
        record = make_record(record.facts, kind=Kind.BUG, record_id=f"b{twins[0].head() + 1}")
        for ledger in twins:
            ledger.add(record, [])
    terms = [*tokens(asked), *tokens(texts[0]), "never"]
    found = [ledger.keywords("local", Kind.BUG, terms, 400) for ledger in twins]
    assert found[0] == found[1]
    pages = [
        [it.id for it in ledger.find("local", search=asked, sort="title", descending=False, limit=500).records]
        for ledger in twins
    ]
    assert pages[0] == pages[1]


def test_a_ledger_of_a_newer_version_is_refused(url: str) -> None:
    with closing(Ledger.open(url)) as ledger, ledger.engine.begin() as connection:
        connection.execute(text("INSERT INTO migrations VALUES (999, 'from the future', now())"))
    assert "newer version" in refusal(url)


def test_the_ledger_lives_beside_other_tables_of_the_same_names(url: str, make_record: MakeRecord) -> None:
    with psycopg.connect(url, autocommit=True) as connection:
        connection.execute("CREATE TABLE public.migrations (version TEXT)")
        connection.execute("CREATE TABLE public.records (mine TEXT)")
    with closing(Ledger.open(url)) as ledger:
        assert ledger.add(make_record(), []) == 1
    with psycopg.connect(url) as connection:
        assert connection.execute("SELECT count(*) FROM public.records").fetchone() == (0,)


def test_an_empty_database_can_be_opened_by_many_at_once(url: str) -> None:
    def open_it(_: int) -> str:
        with closing(Ledger.open(url)) as ledger:
            return ledger.identity()

    with ThreadPoolExecutor(6) as pool:
        assert len(set(pool.map(open_it, range(6)))) == 1
