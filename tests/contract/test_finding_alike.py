"""Finding in a file and in a server: the same pages, the same common terms, and what an older version left is found."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import closing
from dataclasses import replace
from datetime import datetime, timedelta
from decimal import Decimal
from pathlib import Path
from typing import get_args

import pytest
from hypothesis import HealthCheck, given
from hypothesis import settings as hypothesis_settings
from hypothesis import strategies as st
from sqlalchemy import text

from memory import postgres_keywords, sqlite
from memory.finding import Sort
from memory.ledger import Ledger
from memory.migrations import MIGRATIONS
from memory.money import Money
from memory.records import InvestmentFacts, Kind, Outcome, Record, Status

MakeRecord = Callable[..., Record]
WORDS = ("bread", "oven", "it's", "a\\b", "社区", "CWE-89")
BEGINNINGS = next(number for number, (name, _) in enumerate(MIGRATIONS, start=1) if name == "beginnings of words")
BEFORE = (
    f"DELETE FROM migrations WHERE number >= {BEGINNINGS}",
    "DROP INDEX keywords_by_term",
    "DROP TABLE common_terms",
    "DROP FUNCTION lexeme(text)",
    "DELETE FROM keywords WHERE key IN (SELECT key FROM records WHERE status = 'archived')",
    "ALTER TABLE keywords ALTER COLUMN terms TYPE text[] USING tsvector_to_array(terms)",
    "CREATE INDEX keywords_by_term ON keywords USING gin (terms) WITH (fastupdate = off)",
)


@pytest.fixture
def twins(home: Path, url: str) -> Iterator[tuple[Ledger, Ledger]]:
    with closing(Ledger.open(f"sqlite:///{home}/ledger.db")) as one, closing(Ledger.open(url)) as other:
        yield one, other


def test_any_page_in_any_order_is_a_stretch_of_the_whole(
    twins: tuple[Ledger, Ledger], make_record: MakeRecord, now: datetime
) -> None:
    outcomes = (None, Outcome.ACQUIRED, Outcome.SHUT_DOWN)
    for number in range(11):
        invested = Money(Decimal(number % 4), "USD") if number % 3 else None
        facts = InvestmentFacts(f"{'bB'[number % 2]}{number % 5}", "", "", 2000 + number % 3 if number % 4 else None)
        record = make_record(replace(facts, outcome=outcomes[number % 3], invested=invested), record_id=f"r{number}")
        record = replace(record, updated_at=now + timedelta(days=number % 3), use_count=number % 2)
        for ledger in twins:
            ledger.add(record, [])
    for sort in get_args(Sort):
        for descending in (True, False):
            whole = [it.id for it in twins[0].find("local", sort=sort, descending=descending).records]
            assert len(whole) == 11
            for ledger in twins:
                for start in (0, 3, 5, 6, 9, 11, 40):
                    page = ledger.find("local", sort=sort, descending=descending, limit=3, offset=start)
                    assert ([it.id for it in page.records], page.total) == (whole[start : start + 3], 11), (sort, start)


@given(
    changes=st.lists(
        st.tuples(st.integers(0, 5), st.sampled_from(["add", "active", "archived", "forgotten"])),
        min_size=6,
        max_size=14,
    )
)
@hypothesis_settings(max_examples=8, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
def test_a_term_is_common_in_a_server_as_long_as_it_is_in_a_file(
    twins: tuple[Ledger, Ledger], make_record: MakeRecord, now: datetime, changes: list[tuple[int, str]]
) -> None:
    with pytest.MonkeyPatch.context() as patch:
        for module in (sqlite, postgres_keywords):
            patch.setattr(module, "COMMON", 2)
        own = f"w{twins[0].head()}"
        ids: list[str] = []
        for at, (number, change) in enumerate(changes):
            if change == "add" or not ids:
                said = " ".join(WORDS[number:] + WORDS[: number // 2])
                record = make_record(InvestmentFacts("co", "", said), workspace=own, record_id=f"{own}-{at}")
                ids.append(record.id)
                for ledger in twins:
                    ledger.add_many([(record, [])])
            else:
                for ledger in twins:
                    ledger.set_status(
                        own,
                        ids[number % len(ids)],
                        Status(change),
                        author="ana",
                        reason="",
                        at=now + timedelta(days=at),
                    )
            asked = ["bread", "oven", "it'", "it", "s", "a", "b", "社区", "cwe-89", "co", "never"]
            found = [ledger.keywords(own, Kind.INVESTMENT, asked, 50) for ledger in twins]
            assert found[0] == found[1]
    with twins[1].engine.connect() as connection:
        kept = connection.execute(text("SELECT term, held FROM common_terms ORDER BY term")).all()
        counted = connection.execute(
            text(
                "SELECT term, count(*) FROM keywords CROSS JOIN unnest(tsvector_to_array(terms)) AS one (term) "
                'GROUP BY term HAVING count(*) > 2 ORDER BY term COLLATE "C"'
            )
        ).all()
    assert [tuple(row) for row in kept] == [tuple(row) for row in counted]


def test_what_an_older_version_kept_is_found_by_its_beginnings_archived_or_not(
    twins: tuple[Ledger, Ledger], make_record: MakeRecord, now: datetime
) -> None:
    records = [
        make_record(InvestmentFacts(f"co{number}", "", "sourdough bread"), record_id=f"r{number}")
        for number in range(4)
    ]
    for ledger in twins:
        ledger.add_many([(it, []) for it in records])
        ledger.set_statuses("local", ["r2", "r3"], Status.ARCHIVED, author="ana", reason="", at=now)
        with ledger.engine.begin() as tx:
            if ledger is twins[1]:
                for statement in BEFORE:
                    tx.exec_driver_sql(statement)
            else:
                words = tx.exec_driver_sql("SELECT key, words FROM records WHERE status = 'archived'").all()
                sqlite.remove_keywords(tx, [(row.key, "1a", row.words) for row in words])
                tx.exec_driver_sql(BEFORE[0])
        with closing(Ledger.open(ledger.engine.url.render_as_string(hide_password=False))) as newer:
            for status, ids in ((Status.ACTIVE, {"r0", "r1"}), (Status.ARCHIVED, {"r2", "r3"})):
                assert {it.id for it in newer.find("local", statuses=[status], search="sourd").records} == ids
            assert {it.record_id for it in newer.keywords("local", Kind.INVESTMENT, ["bread"], 9)} == {"r0", "r1"}
            newer.set_statuses("local", ["r2"], Status.ACTIVE, author="ana", reason="", at=now)
            assert {it.record_id for it in newer.keywords("local", Kind.INVESTMENT, ["bread"], 9)} == {"r0", "r1", "r2"}
            assert newer.find("local", statuses=[Status.ACTIVE, Status.ARCHIVED], search="sourd").total == 4


def test_a_record_of_more_words_than_a_server_keeps_is_found_by_the_first_and_garbles_none(url: str) -> None:
    words = [f"{number:06}{'社' * 58}" for number in range(7_000)]
    asked = "SELECT tsvector_to_array(terms) FROM keywords"
    with closing(Ledger.open(url)) as ledger, ledger.engine.begin() as tx:
        postgres_keywords.add_keywords(tx, [(1, "7", " ".join(words))])
        kept = tx.exec_driver_sql(asked).scalar_one()
        assert sorted(kept) == [f"7:{word}" for word in words[: len(kept)]]
        assert 5_000 < len(kept) < len(words)
        for statement in BEFORE[1:]:
            tx.exec_driver_sql(statement)
        tx.execute(text("UPDATE keywords SET terms = :terms"), {"terms": [f"7:{word}" for word in words]})
        postgres_keywords.index_beginnings(tx)
        assert tx.exec_driver_sql(asked).scalar_one() == kept
