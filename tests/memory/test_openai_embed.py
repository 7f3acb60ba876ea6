"""The served embedder, through the real SDK, against a server on loopback."""

from __future__ import annotations

import hashlib
import json
import threading
from collections.abc import Iterator
from datetime import datetime
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any

import numpy as np
import pytest
from pydantic import SecretStr

from memory.embed import MiniLmEmbedder
from memory.errors import EmbedderUnavailable
from memory.openai_embed import OpenAiEmbedder
from memory.records import Kind
from memory.report import RecallQuery, RecallState
from settings import Settings
from wiring import build_services

KEY = "sk-planted-embedding-key"
DIMENSION = 16


class Served(BaseHTTPRequestHandler):
    """Answers as OpenAI does, or with the status that the model's name asks for."""

    def do_POST(self) -> None:
        asked = json.loads(self.rfile.read(int(self.headers["Content-Length"])))
        if asked["model"].isdigit():
            return self.answer(int(asked["model"]), {"error": {"message": f"bad key {KEY}"}})
        data = [
            {"object": "embedding", "index": at, "embedding": vector(text)} for at, text in enumerate(asked["input"])
        ]
        usage = {"prompt_tokens": 1, "total_tokens": 1}
        return self.answer(
            200, {"object": "list", "model": asked["model"], "data": list(reversed(data)), "usage": usage}
        )

    def answer(self, status: int, body: dict[str, Any]) -> None:
        content = json.dumps(body).encode()
        self.send_response(status)
        self.send_header("Content-Type", "application/json")
        self.send_header("Content-Length", str(len(content)))
        self.end_headers()
        self.wfile.write(content)

    def log_message(self, *_: object) -> None:
        """Say nothing."""


def vector(text: str) -> list[float]:
    return [float(byte) - 127.5 for byte in hashlib.sha256(text.encode()).digest()[:DIMENSION]]


@pytest.fixture(scope="module")
def address() -> Iterator[str]:
    server = ThreadingHTTPServer(("127.0.0.1", 0), Served)
    threading.Thread(target=server.serve_forever, daemon=True).start()
    yield f"http://127.0.0.1:{server.server_port}/v1"
    server.shutdown()
    server.server_close()


def embedder(address: str, model: str = "served", dimension: int = DIMENSION) -> OpenAiEmbedder:
    return OpenAiEmbedder(model, dimension, SecretStr(KEY), address)


def test_texts_get_unit_vectors_in_their_order_over_many_batches(address: str) -> None:
    texts = [f"text {at}" for at in range(300)]
    vectors = embedder(address).embed(texts)
    assert np.allclose(np.linalg.norm(vectors, axis=1), 1, atol=1e-5)
    wanted = np.array([vector(text) for text in texts])
    assert np.allclose(vectors, wanted / np.linalg.norm(wanted, axis=1, keepdims=True), atol=1e-5)


@pytest.mark.parametrize("status", ["401", "404"])
def test_a_server_that_refuses_is_named_and_the_key_is_not(address: str, status: str) -> None:
    with pytest.raises(EmbedderUnavailable, match="did not answer") as told:
        embedder(address, status).embed(["text"])
    assert KEY not in str(told.value)


def test_a_dimension_that_is_not_the_models_is_told(address: str) -> None:
    with pytest.raises(EmbedderUnavailable, match="PRECEDENT_EMBEDDING_DIMENSION"):
        embedder(address, dimension=8).embed(["text"])


def test_another_model_dimension_or_address_is_another_embedder(address: str) -> None:
    ids = {embedder(address).id, embedder(address, "other").id, embedder(address, dimension=8).id}
    assert len(ids | {embedder("http://127.0.0.1:1/v1").id, MiniLmEmbedder().id}) == 5


def test_a_memory_kept_with_one_embedder_says_so_when_the_setting_changes(
    settings: Settings, address: str, now: datetime
) -> None:
    build_services(settings).close()
    changed = settings.model_copy(
        update={
            "embedder": "openai",
            "embedding_model": "served",
            "embedding_dimension": DIMENSION,
            "openai_base_url": address,
            "models": "",
        }
    )
    services = build_services(changed)
    query = RecallQuery(services.workspace, (Kind.INVESTMENT,), "A payments app for friends")
    assert services.recaller.recall(query, now).state is RecallState.EMBEDDER_CHANGED
    services.close()
