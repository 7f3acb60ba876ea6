"""Measure recall on Postgres with pgvector as a memory grows, over the raw HNSW query of the same vectors.

It fills an empty database with made-up records and leaves them there; ``--again`` measures one that it filled before,
so that a change can be compared on the same records. Each size is printed as soon as it is measured.
"""

from __future__ import annotations

import argparse
import statistics
import sys
import time
from collections.abc import Iterator
from contextlib import closing
from itertools import islice
from pathlib import Path
from tempfile import TemporaryDirectory

from sqlalchemy import Engine, create_engine, make_url, text

from evals.memory import WORKSPACE
from evals.scale import Item, recall_times, store
from evals.synthetic import records, with_vectors
from memory.catch_up import catch_up
from memory.embed import Vectors
from memory.ledger import Ledger
from memory.pgvector_index import SETTINGS
from memory.pgvector_sql import as_text
from memory.records import Kind
from settings import Settings
from wiring import Services, build_services

CHUNK = 20_000

_RAW = """
    WITH asked AS MATERIALIZED (
        SELECT CAST(written AS vector({dimension})) AS vector FROM unnest(CAST(:vectors AS text[])) AS one (written)
    )
    SELECT held.record_id FROM asked CROSS JOIN LATERAL (
        SELECT record_id FROM {table} ORDER BY vector <=> asked.vector LIMIT 40
    ) AS held
"""


def add_arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("--url", required=True, help="an EMPTY database, postgresql://user@host/database")
    parser.add_argument("--sizes", default="1000,10000,100000", help="numbers of records, comma separated, growing")
    parser.add_argument("--again", action="store_true", help="measure a database that was filled before, as it is")


def run(arguments: argparse.Namespace) -> int:
    """Measure at each size; 0 when done, whatever was met, and 2 where the database is not as it must be."""
    with closing(Ledger.open(arguments.url)) as ledger:
        filled = ledger.counts(WORKSPACE).get(Kind.INVESTMENT, 0)
        if arguments.again and not filled:
            print("There is nothing to measure in this database; fill it without --again.", file=sys.stderr)
            return 2
        if ledger.head() and not arguments.again:
            print("There are records in this database; give an empty one, or --again.", file=sys.stderr)
            return 2
    sizes = [filled] if arguments.again else sorted({int(size) for size in arguments.sizes.split(",")})
    with TemporaryDirectory() as folder:
        settings = Settings(
            _env_file=None,
            home=Path(folder),
            ledger_url=arguments.url,
            index=arguments.url,
            workspace=WORKSPACE,
            models="",
        )
        with closing(build_services(settings)) as services:
            made = with_vectors(records(sizes[-1]), services.embedder)
            for size in sizes:
                if not arguments.again:
                    _grow(services, made, size)
                _measure(services, arguments.url, size)
    return 0


def _grow(services: Services, made: Iterator[Item], size: int) -> None:
    """Add records until there are ``size``, index them, and say how long each took."""
    missing = size - services.ledger.counts(WORKSPACE).get(Kind.INVESTMENT, 0)
    begun, stored = time.perf_counter(), 0.0
    wanted = islice(made, missing)
    while chunk := list(islice(wanted, CHUNK)):
        start = time.perf_counter()
        store(services, chunk)
        stored += time.perf_counter() - start
    start = time.perf_counter()
    catch_up(services.ledger, services.index)
    indexed = time.perf_counter() - start
    drawn = start - begun - stored
    print(f"{size:,} records: {missing:,} drawn in {drawn:.0f} s, stored in {stored:.0f} s, indexed in {indexed:.0f} s")


def _measure(services: Services, url: str, size: int) -> None:
    """Time recalls beside raw queries and print both medians, the p95 and the steps."""
    options = {"options": SETTINGS}
    engine = create_engine(make_url(url).set(drivername="postgresql+psycopg"), connect_args=options)
    try:
        query = text(_RAW.format(table=_table(engine), dimension=services.embedder.id.dimension))

        def raw(vectors: Vectors) -> object:
            with engine.connect() as connection:
                return connection.execute(query, {"vectors": [as_text(it) for it in vectors]}).all()

        ours, bare, steps = recall_times(services, raw)
    finally:
        engine.dispose()
    p50, p50_raw = statistics.median(ours), statistics.median(bare)
    p95 = statistics.quantiles(ours, n=20)[-1]
    print(
        f"{size:,} records: recall p50 {p50:.1f} ms, p95 {p95:.1f} ms, over embedding and raw HNSW {p50_raw:.1f} ms: "
        f"{p50 / p50_raw:.2f}\n  " + ", ".join(f"{name} {taken:.1f}" for name, taken in steps.items()),
        flush=True,
    )


def _table(engine: Engine) -> str:
    """Name the table that holds the vectors of the investments."""
    with engine.connect() as connection:
        schema = connection.execute(
            text("SELECT schemaname FROM pg_tables WHERE tablename = 'precedent_collections'")
        ).scalar_one()
        asked = text(f"SELECT name FROM {schema}.precedent_collections WHERE workspace = :workspace AND kind = :kind")  # noqa: S608
        values = {"workspace": WORKSPACE, "kind": Kind.INVESTMENT.value}
        return f"{schema}.{connection.execute(asked, values).scalar_one()}"
