"""Every place where a memory can live, on real servers: one of each kind a session, an empty place for each test."""

from __future__ import annotations

import tempfile
from collections.abc import Callable, Iterator
from contextlib import closing
from itertools import count
from pathlib import Path

import pytest

from memory.ledger import Ledger
from memory.transfer import transfer
from settings import Settings
from tests.chroma_server.server import Server
from tests.contract.real_postgres import RealPostgres
from tests.memory.conftest import embedder, intake, ledger, make_entry, make_record  # noqa: F401
from tests.memory.test_chroma_index import filled  # noqa: F401
from wiring import ledger_url

LEDGERS = ("sqlite", "postgres")
INDEXES = ("embedded", "pgvector", "chroma server")
_names = count(1)


@pytest.fixture(scope="session")
def postgres() -> Iterator[RealPostgres]:
    with tempfile.TemporaryDirectory(prefix="precedent-pg-") as folder:  # short enough for a socket's address
        server = RealPostgres(Path(folder) / "data")
        yield server
        server.stop()


@pytest.fixture
def url(postgres: RealPostgres) -> str:
    """The address of an empty database of its own."""
    return postgres.database()


@pytest.fixture(scope="session")
def chroma_server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Server]:
    server = Server(tmp_path_factory.mktemp("chroma"))
    server.start()
    yield server
    server.stop()


Place = Callable[[str, str], Settings]


@pytest.fixture(scope="session")
def place(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> Place:
    """Give the settings of an empty memory, by the kind of its ledger and of its index."""

    def make(database: str, index: str) -> Settings:
        addresses = {"sqlite": "", "embedded": "embedded"}
        if "postgres" in (database, index) or index == "pgvector":
            address = request.getfixturevalue("postgres").database()
            addresses |= {"postgres": address, "pgvector": address}
        if index == "chroma server":
            addresses[index] = f"{request.getfixturevalue('chroma_server').url}/t{next(_names)}"
        home = tmp_path_factory.mktemp("home")
        return Settings(_env_file=None, home=home, ledger_url=addresses[database], index=addresses[index], models="")

    return make


@pytest.fixture(scope="session")
def furnished(place: Place, seeded_ledger: Path) -> Place:
    """Give the settings of a memory after its first start, the same records under the same ids everywhere."""

    def make(database: str, index: str) -> Settings:
        settings = place(database, index)
        with (
            closing(Ledger.open(f"sqlite:///{seeded_ledger}")) as source,
            closing(Ledger.open(ledger_url(settings))) as target,
        ):
            transfer(source, target)
        return settings

    return make
