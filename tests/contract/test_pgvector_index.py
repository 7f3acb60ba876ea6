"""What only a shared index in Postgres can do wrong: be rebuilt by another, be dropped, grow large, be of another."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator
from contextlib import ExitStack, closing
from datetime import datetime
from pathlib import Path

import numpy as np
import psycopg
import pytest

from memory import pgvector_index
from memory.catch_up import catch_up
from memory.embed import Vectors
from memory.errors import IndexUnavailable
from memory.index import Entry
from memory.ledger import Ledger
from memory.pgvector_index import PgvectorIndex
from memory.records import Kind
from tests.contract.real_postgres import RealPostgres
from tests.memory.test_chroma_index import finds_everything, test_threads_share_one_index  # noqa: F401

MakeEntry = Callable[..., Entry]
SCOPE = ("local", Kind.INVESTMENT)


@pytest.fixture
def ledger(home: Path) -> Iterator[Ledger]:
    ledger = Ledger.open(f"sqlite:///{home}/ledger.db")
    yield ledger
    ledger.close()


@pytest.fixture
def open_index(url: str) -> Iterator[Callable[..., PgvectorIndex]]:
    with ExitStack() as stack:
        yield lambda identity="one": stack.enter_context(closing(PgvectorIndex(url, identity, "index")))


@pytest.fixture
def index(open_index: Callable[..., PgvectorIndex]) -> PgvectorIndex:
    return open_index()


def test_what_one_process_wrote_another_finds_without_writing_it_again(
    filled: Ledger,
    open_index: Callable[..., PgvectorIndex],
) -> None:
    one, two = open_index(), open_index()
    catch_up(filled, one)
    assert two.position() == filled.head()
    catch_up(filled, two)
    assert finds_everything(filled, two)


def test_an_index_that_another_process_throws_away_is_never_taken_for_an_empty_past(
    filled: Ledger,
    open_index: Callable[..., PgvectorIndex],
    make_entry: MakeEntry,
) -> None:
    one, two = open_index(), open_index()
    catch_up(filled, one)
    two.reset()
    for scope in (SCOPE, ("nobody", Kind.BUG)):
        with pytest.raises(IndexUnavailable, match="rebuilt"):
            one.query(*scope, make_entry("q").vector[None, :], 5)
    catch_up(filled, one)
    assert finds_everything(filled, one)


@pytest.mark.parametrize("damage", ["schema", "table", "rows", "vectors"])
def test_what_a_hand_has_taken_out_is_put_back(
    filled: Ledger,
    open_index: Callable[..., PgvectorIndex],
    url: str,
    make_entry: MakeEntry,
    damage: str,
) -> None:
    index = open_index()
    catch_up(filled, index)
    with psycopg.connect(url, autocommit=True) as connection:
        (schema,) = connection.execute("SELECT nspname FROM pg_namespace WHERE nspname ~ 'precedent_index'").fetchone()  # type: ignore[misc]
        (table,) = connection.execute(f"SELECT name FROM {schema}.precedent_collections LIMIT 1").fetchone()  # type: ignore[misc]
        connection.execute(
            {
                "schema": f"DROP SCHEMA {schema} CASCADE",
                "table": f"DROP TABLE {schema}.{table}",
                "rows": f"DELETE FROM {schema}.{table} WHERE facet = 'what'",
                "vectors": f"DELETE FROM {schema}.precedent_collections",
            }[damage]
        )
    if damage in {"rows", "vectors"}:
        index = open_index()  # found when it is opened
    else:
        for kind in (Kind.INVESTMENT, Kind.BUG):
            try:
                index.query("local", kind, make_entry("q").vector[None, :], 5)
            except IndexUnavailable:
                break
    catch_up(filled, index)
    assert finds_everything(filled, index)


def test_vectors_of_another_length_have_the_index_built_anew(
    filled: Ledger,
    open_index: Callable[..., PgvectorIndex],
    now: datetime,
) -> None:
    index = open_index()
    catch_up(filled, index)
    for record in filled.find("local", limit=100).records:
        entry = Entry(record.id, "what", 0, np.eye(100, dtype=np.float32)[int(record.id[1:])])
        filled.replace_entries("local", {record.id: [entry]}, author="ana", reason="", at=now)
    catch_up(filled, index)
    assert finds_everything(filled, index)


@pytest.mark.parametrize("dimension", [1_536, 3_072, 4_096])
def test_long_vectors_are_found_too(open_index: Callable[..., PgvectorIndex], dimension: int) -> None:
    index = open_index()
    vectors = _unit(np.random.default_rng(3).normal(size=(9, dimension)))
    with index.catching_up():
        index.apply(*SCOPE, [Entry(f"r{n}", "what", 0, it) for n, it in enumerate(vectors)], [])
    assert [hits[0].record_id for hits in index.query(*SCOPE, vectors, 2)] == [f"r{n}" for n in range(9)]


def test_indexes_of_two_ledgers_share_a_database_and_never_meet(
    filled: Ledger,
    open_index: Callable[..., PgvectorIndex],
    make_entry: MakeEntry,
) -> None:
    mine, other = open_index("one"), open_index("other")
    catch_up(filled, mine)
    assert (other.position(), dict(other.counts())) == (0, {})
    other.reset()
    assert finds_everything(filled, mine)


def test_a_server_that_is_away_is_told_and_no_reason_to_build_anew(
    filled: Ledger, open_index: Callable[..., PgvectorIndex], postgres: RealPostgres,
    caplog: pytest.LogCaptureFixture,
) -> None:  # fmt: skip
    index = open_index()
    catch_up(filled, index)
    postgres.kill()
    with pytest.raises(IndexUnavailable, match=r"does not answer.*PRECEDENT_INDEX"):
        catch_up(filled, index)
    postgres.start()
    assert catch_up(filled, index) == filled.head()
    assert finds_everything(filled, index)
    assert "thrown away" not in caplog.text


def test_an_address_that_is_none_is_refused_without_its_password() -> None:
    with pytest.raises(IndexUnavailable, match="no database URL") as told:
        PgvectorIndex("postgresql://me:sekret@host:port/x", "one", "index")
    assert "sekret" not in str(told.value)


def test_a_table_that_has_grown_gets_its_index_when_the_catch_up_is_through(
    open_index: Callable[..., PgvectorIndex], url: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(pgvector_index, "LARGE", 50)
    index = open_index()
    vectors = _clustered(60)
    asked = "SELECT count(*) FROM pg_indexes WHERE indexdef LIKE '%USING hnsw%'"
    with psycopg.connect(url, autocommit=True) as connection:
        for start in (0, 30):
            with index.catching_up():
                index.apply(*SCOPE, _entries(vectors[start : start + 30], start), [])
                assert connection.execute(asked).fetchone() == (0,)
        assert connection.execute(asked).fetchone() == (1,)
        with index.catching_up():
            index.apply(*SCOPE, _entries(vectors[:1], 60), ["r1"])
        assert connection.execute(asked).fetchone() == (1,)


@pytest.mark.soak
@pytest.mark.timeout(3_000)
def test_a_search_in_half_of_many_entries_takes_no_more_than_twice_one_in_all(
    open_index: Callable[..., PgvectorIndex], capsys: pytest.CaptureFixture[str]
) -> None:
    """A filter is a table of its own here, so what a record kind or a workspace rules out is never read."""
    count = 100_000
    index, vectors = open_index(), _clustered(count)
    with index.catching_up():
        for start in range(0, count, 1_000):
            part = _entries(vectors[start : start + 1_000], start)
            index.apply("all", Kind.BUG, part, [])
            index.apply("half", Kind.BUG, part[::2], [])
    asked = _unit(vectors[:40] + 0.01 * np.random.default_rng(8).normal(size=(40, 384)))
    found = index.query("all", Kind.BUG, asked, 60)
    exact = np.argsort(-(asked @ vectors.T), axis=1)[:, :60]
    recall = np.mean(
        [
            len({it.record_id for it in hits} & {f"r{n}" for n in best}) / 60
            for hits, best in zip(found, exact, strict=True)
        ]
    )
    medians = {scope: _median_ms(index, scope, asked) for scope in ("all", "half")}
    with capsys.disabled():
        print(
            f"\n{count} entries: {medians['all']:.1f} ms, half of them: {medians['half']:.1f} ms, recall {recall:.3f}"
        )
    assert recall > 0.9
    assert medians["half"] <= 2 * medians["all"]


def _median_ms(index: PgvectorIndex, workspace: str, asked: Vectors) -> float:
    took = []
    for row in asked:
        start = time.perf_counter()
        index.query(workspace, Kind.BUG, row[None, :], 60)
        took.append(1_000 * (time.perf_counter() - start))
    return float(np.median(took))


def _entries(vectors: Vectors, start: int) -> list[Entry]:
    return [Entry(f"r{start + n}", "what", 0, vector) for n, vector in enumerate(vectors)]


def _clustered(count: int) -> Vectors:
    """Make vectors in groups of a hundred that are near each other, as texts on one subject are."""
    numbers = np.random.default_rng(7)
    middles = numbers.normal(size=(count // 100 + 1, 384)).repeat(100, axis=0)[:count]
    return _unit(middles + 0.7 * numbers.normal(size=(count, 384)))


def _unit(vectors: np.ndarray[tuple[int, int], np.dtype[np.float64]]) -> Vectors:
    unit: Vectors = (vectors / np.linalg.norm(vectors, axis=1, keepdims=True)).astype(np.float32)
    return unit
