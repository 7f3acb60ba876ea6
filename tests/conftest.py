"""Fixtures for every test: sockets end at loopback, the clock and the data folder are passed in."""

from __future__ import annotations

import shutil
import signal
from collections.abc import Callable, Iterator
from dataclasses import replace
from datetime import UTC, datetime
from pathlib import Path
from typing import TYPE_CHECKING

import pytest
from pytest_socket import socket_allow_hosts

if TYPE_CHECKING:
    from audit.llm.port import ModelClient
    from settings import Settings
    from wiring import Services


@pytest.fixture(autouse=True)
def only_loopback() -> None:
    socket_allow_hosts(["127.0.0.1", "::1", "localhost"], allow_unix_socket=True)


@pytest.fixture(scope="session", autouse=True)
def interruptible() -> None:
    """Let Ctrl-C reach the tests and what they start; a shell that starts them in the background leaves it ignored."""
    signal.signal(signal.SIGINT, signal.default_int_handler)


@pytest.fixture
def now() -> datetime:
    return datetime(2026, 11, 1, 12, 0, tzinfo=UTC)


@pytest.fixture
def home(tmp_path: Path) -> Path:
    return tmp_path / "home"


@pytest.fixture
def settings(home: Path, monkeypatch: pytest.MonkeyPatch) -> Settings:
    """Settings of a fresh home, free of what the machine's environment or a ``.env`` file says."""
    for name in ("GROQ_API_KEY", "OPENAI_API_KEY", "PRECEDENT_LOCAL_BASE_URL", "PRECEDENT_MODELS"):
        monkeypatch.delenv(name, raising=False)
    from settings import Settings

    return Settings(_env_file=None, home=home)


@pytest.fixture(scope="session")
def seeded_ledger(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The ledger of a home after its first start, made once to be copied."""
    from settings import Settings
    from wiring import build_services

    home = tmp_path_factory.mktemp("seeded")
    build_services(Settings(_env_file=None, home=home, models="")).close()
    return home / "ledger.db"


@pytest.fixture
def services(settings: Settings, seeded_ledger: Path) -> Iterator[Services]:
    """The real parts on a fresh, seeded home, without any model."""
    from wiring import build_services

    settings.home.mkdir(parents=True)
    shutil.copy(seeded_ledger, settings.home)
    built = build_services(settings)
    yield built
    built.close()


@pytest.fixture
def served_by(services: Services, now: datetime) -> Callable[[ModelClient], Services]:
    """Make the services ask one given model."""
    from audit.llm.chain import Chain
    from audit.llm.learnt import Learnt, NoShelf

    def make(model: ModelClient) -> Services:
        chain = Chain(["local:scripted"], {"local": model}, Learnt(NoShelf(), lambda: now))
        return replace(services, chain=chain)

    return make
