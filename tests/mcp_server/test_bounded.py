"""No request is held that is larger than any tool accepts."""

from __future__ import annotations

from collections.abc import Iterator

import pytest
from starlette.requests import Request
from starlette.responses import PlainTextResponse
from starlette.testclient import TestClient
from starlette.types import Receive, Scope, Send

from mcp_server.bounded import BoundedBody


async def count(scope: Scope, receive: Receive, send: Send) -> None:
    body = await Request(scope, receive).body()
    await PlainTextResponse(str(len(body)))(scope, receive, send)


def client() -> TestClient:
    return TestClient(BoundedBody(count, largest=1_000))


def chunks(number: int) -> Iterator[bytes]:
    for _ in range(number):
        yield b"x" * 100


def test_a_body_within_the_bound_arrives_whole() -> None:
    assert client().post("/", content=b"x" * 1_000).text == "1000"
    assert client().post("/", content=chunks(10)).text == "1000"


@pytest.mark.parametrize("content", [b"x" * 1_001, chunks(11)], ids=["declared", "streamed"])
def test_a_larger_body_is_refused_declared_or_not(content: bytes | Iterator[bytes]) -> None:
    answer = client().post("/", content=content)
    assert answer.status_code == 413 and answer.json()["error"] == "too large"


def test_a_length_that_is_no_number_is_refused() -> None:
    assert client().post("/", content=b"x", headers={"content-length": "9" * 30}).status_code == 413
