"""Fill mem0 with records and ask it queries, in an environment of its own; told and asked by JSON on standard streams.

mem0 stores what it is given (`infer=False`) in an embedded Chroma, with the product's own embedder. Connections to
anywhere but this machine are refused.
"""

from __future__ import annotations

import json
import socket
import sys
import time
from tempfile import TemporaryDirectory
from typing import Any

from memory.embed import MiniLmEmbedder

OWNER = "bench"


class OwnEmbedder:
    """The product's embedder, as mem0 asks for it."""

    def __init__(self) -> None:
        self._embedder = MiniLmEmbedder()

    def embed(self, text: str, memory_action: str | None = None) -> list[float]:
        return self.embed_batch([text])[0]

    def embed_batch(self, texts: list[str], memory_action: str | None = None) -> list[list[float]]:
        vectors: list[list[float]] = self._embedder.embed(texts).tolist()
        return vectors


class OnlyHere(socket.socket):
    """A socket that connects to this machine alone."""

    def connect(self, address: Any, /) -> None:
        if self.family != socket.AF_UNIX and address[0] not in {"127.0.0.1", "::1"}:
            raise OSError(f"a connection to {address[0]} was refused")
        super().connect(address)


def main() -> int:
    """Read records and queries from standard input; write for each query the ids found, and the milliseconds taken."""
    socket.socket = OnlyHere  # type: ignore[misc]
    given = json.load(sys.stdin)
    with TemporaryDirectory() as folder:
        from mem0 import Memory  # type: ignore[import-not-found]

        unused = {"provider": "openai", "config": {"api_key": "none"}}
        store = {"provider": "chroma", "config": {"collection_name": "bench", "path": f"{folder}/chroma"}}
        places = {"vector_store": store, "history_db_path": f"{folder}/history.db"}
        memory = Memory.from_config({**places, "embedder": unused, "llm": unused})
        memory.embedding_model = OwnEmbedder()
        for it in given["records"]:
            memory.add(it["text"], user_id=OWNER, infer=False, metadata={"record": it["id"]})
        answers = []
        for query in given["queries"]:
            start = time.perf_counter()
            found = memory.search(query, filters={"user_id": OWNER}, top_k=given["limit"])["results"]
            taken = (time.perf_counter() - start) * 1_000
            answers.append({"ids": [it["metadata"]["record"] for it in found], "ms": taken})
    json.dump(answers, sys.stdout)
    return 0


if __name__ == "__main__":
    sys.exit(main())
