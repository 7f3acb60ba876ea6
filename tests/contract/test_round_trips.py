"""What a server at a distance costs: how often a recall waits for its answer, however many records it looks at."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from datetime import UTC, datetime
from pathlib import Path
from typing import BinaryIO

from sqlalchemy import event
from sqlalchemy.engine.interfaces import DBAPIConnection
from sqlalchemy.pool import Pool

from memory.records import InvestmentFacts, Kind
from memory.report import RecallQuery, RecallReport, RecallState
from tests.adversarial.memory.home import Home
from tests.contract.conftest import Place
from wiring import build_services

NOW = datetime(2026, 11, 1, 12, tzinfo=UTC)
DECK = "Neighbours bake sourdough bread in their home kitchens and we deliver it by subscription in twelve cities."
# One each: standing, state of the index, keywords, their ids, neighbours, records, vectors, close readings, opinions.
# Records in another language add their rows and their close readings.
MOST = 12


@contextmanager
def traced(log: BinaryIO) -> Iterator[None]:
    """Have libpq write all that is said on connections made in this block."""

    def trace(connection: DBAPIConnection, _entry: object) -> None:
        connection.pgconn.trace(log.fileno())

    event.listen(Pool, "connect", trace)
    try:
        yield
    finally:
        event.remove(Pool, "connect", trace)


def waits(log: Path) -> int:
    """Count how often a server has said that it is done and waits: once for each time it was waited for."""
    return log.read_text(errors="replace").count("ReadyForQuery")


def test_a_recall_waits_for_its_server_twelve_times_at_most(furnished: Place, tmp_path: Path) -> None:
    settings, log = furnished("postgres", "pgvector"), tmp_path / "said"
    with log.open("wb") as file, traced(file):
        services = build_services(settings)
        try:
            home = Home(services, "local", NOW)
            summary = "Sells sourdough bread that neighbours bake at home, in {} cities"
            facts = [InvestmentFacts(f"Crumb {number}", "food", summary.format(number)) for number in range(75)]
            foreign = InvestmentFacts("面包", "食品", "邻居在家里烤面包，按月订阅，送货上门，覆盖十二个城市")
            home.furnish([(Kind.INVESTMENT, it) for it in (*facts, foreign)])
            asked = RecallQuery("local", (Kind.INVESTMENT,), DECK)
            reports: list[tuple[RecallReport, int]] = []
            for _ in range(3):
                before = waits(log)
                reports.append((services.recaller.recall(asked, NOW), waits(log) - before))
        finally:
            services.close()
    assert [report.state for report, _ in reports] == [RecallState.FOUND] * 3
    assert any(it.record.title == "面包" for it in reports[-1][0].candidates)
    assert all(0 < counted <= MOST for _, counted in reports[1:]), [counted for _, counted in reports]
