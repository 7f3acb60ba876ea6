"""Loopback servers, and clients and chains that talk to them through the real SDKs."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from datetime import UTC, datetime

import pytest

from audit.llm.chain import Chain
from audit.llm.clients import SdkClient
from audit.llm.learnt import Learnt, NoShelf, Shelf
from tests.model_server.server import ModelServer

KEY = "planted-key-7f3e9c41d2"


@pytest.fixture(scope="session")
def servers() -> Iterator[dict[str, ModelServer]]:
    with ModelServer("/openai/v1") as groq, ModelServer("/v1") as openai:
        yield {"groq": groq, "openai": openai}


@pytest.fixture(scope="session")
def clients(servers: dict[str, ModelServer]) -> Iterator[dict[str, SdkClient]]:
    """One client a provider for all tests, as the app has: making one takes a tenth of a second."""
    groq, openai = servers["groq"].url, servers["openai"].url
    made = {
        "groq": SdkClient("groq", groq, KEY),
        "openai": SdkClient("openai", f"{openai}/v1", KEY),
        "local": SdkClient("local", openai, KEY),
    }
    yield made
    for client in made.values():
        client.close()


@pytest.fixture
def groq_server(servers: dict[str, ModelServer]) -> ModelServer:
    servers["groq"].clear()
    return servers["groq"]


@pytest.fixture
def openai_server(servers: dict[str, ModelServer]) -> ModelServer:
    servers["openai"].clear()
    return servers["openai"]


@pytest.fixture(params=["groq", "openai"])
def sdk(request: pytest.FixtureRequest) -> str:
    """Each of the two SDKs in turn."""
    return str(request.param)


@pytest.fixture
def server(sdk: str, groq_server: ModelServer, openai_server: ModelServer) -> ModelServer:
    """The server that the SDK in turn talks to."""
    return groq_server if sdk == "groq" else openai_server


@pytest.fixture
def client(sdk: str, clients: dict[str, SdkClient], server: ModelServer) -> SdkClient:
    return clients["groq" if sdk == "groq" else "local"]


MakeChain = Callable[..., Chain]


@pytest.fixture
def make_chain(clients: dict[str, SdkClient], groq_server: ModelServer, openai_server: ModelServer) -> MakeChain:
    """Make a chain over the loopback servers: groq, openai and local are all connected."""

    def make(*models: str, shelf: Shelf | None = None, **timing: Callable[..., float]) -> Chain:
        learnt = Learnt(shelf or NoShelf(), lambda: datetime.now(UTC))
        return Chain(models, clients, learnt, **timing)  # type: ignore[arg-type]

    return make
