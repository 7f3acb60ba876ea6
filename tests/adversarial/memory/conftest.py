"""One seeded home for all attacks on the memory; each attack works in a workspace of its own."""

from __future__ import annotations

import shutil
from collections.abc import Callable, Iterator
from datetime import UTC, datetime
from itertools import count
from pathlib import Path

import pytest

from settings import Settings
from tests.adversarial.memory.home import Home
from wiring import Services, build_services

NOW = datetime(2026, 11, 1, 12, tzinfo=UTC)


@pytest.fixture(scope="package")
def shared(seeded_ledger: Path, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Services]:
    home = tmp_path_factory.mktemp("attacked")
    shutil.copy(seeded_ledger, home)
    services = build_services(Settings(_env_file=None, home=home, models=""))
    yield services
    services.close()


@pytest.fixture(scope="package")
def new_home(shared: Services) -> Callable[[], Home]:
    numbers = count(1)
    return lambda: Home(shared, f"space-{next(numbers)}", NOW)


@pytest.fixture
def home(new_home: Callable[[], Home]) -> Home:
    return new_home()
