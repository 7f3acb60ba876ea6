"""A Hindsight server on a loopback port: recall and listing of one bank, with a key, as the API of 1.1 words them.

What it answers was compared with ``hindsight-api`` itself, which ``tests/contract/test_hindsight_itself.py`` starts.
"""

from __future__ import annotations

import json
import time
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from typing import Any
from urllib.parse import parse_qs, urlsplit

from tests.hindsight_server.serving import JsonHandler, serving

BANKS = "/v1/default/banks/"
KEY = "hs-key"


@dataclass
class Bank:
    """What the server holds and how it behaves; change it while it runs."""

    memories: list[dict[str, Any]] = field(default_factory=list)
    asked: list[dict[str, Any]] = field(default_factory=list)
    status: int = 200
    body: str = ""
    slow_s: float = 0.0

    def add(self, text: str, document: str | None = None, **more: Any) -> None:
        number = len(self.memories) + 1
        told = {"fact_type": "world", "mentioned_at": f"2026-11-30T11:36:00.{number:06}+00:00"}
        self.memories.append({"id": f"m{number}", "text": text, "document_id": document, **told, **more})


@contextmanager
def hindsight(bank: Bank, name: str = "agent") -> Iterator[str]:
    """Run a server that holds ``bank`` under ``name``; give its address."""

    class Handler(JsonHandler):
        def do_POST(self) -> None:
            asked = json.loads(self.rfile.read(int(self.headers["Content-Length"])))
            bank.asked.append(asked)
            words = set(asked["query"].lower().split())
            found = [
                it for it in bank.memories
                if it["fact_type"] in asked["types"] and words & set(it["text"].lower().split())
            ]  # fmt: skip
            if any(map(str.isalnum, asked["query"])):
                self._answer("/memories/recall", {"results": [_recalled(it) for it in found]})
            else:
                self.send(422, json.dumps(_NO_WORD))

        def do_GET(self) -> None:
            asked = {key: values[0] for key, values in parse_qs(urlsplit(self.path).query).items()}
            start, limit = int(asked["offset"]), int(asked["limit"])
            newest = sorted(bank.memories, key=lambda it: it["mentioned_at"], reverse=True)
            page = [_listed(it) for it in newest[start : start + limit]]
            self._answer(
                "/memories/list", {"items": page, "total": len(bank.memories), "limit": limit, "offset": start}
            )

        def _answer(self, path: str, data: dict[str, Any]) -> None:
            time.sleep(bank.slow_s)
            status, text = bank.status, bank.body or json.dumps(data)
            if self.headers["Authorization"] != f"Bearer {KEY}":
                status, text = 401, '{"detail": "Authentication failed: Invalid API key"}'
            elif not urlsplit(self.path).path.startswith(f"{BANKS}{name}/"):
                asked = urlsplit(self.path).path.removeprefix(BANKS).split("/")[0]
                status, text = 404, json.dumps({"detail": f"Bank '{asked}' not found"})
            elif urlsplit(self.path).path != f"{BANKS}{name}{path}":
                status, text = 404, '{"detail": "Not Found"}'
            self.send(status, text)

    with serving(Handler) as address:
        yield address


_NO_WORD = {
    "detail": [
        {"type": "value_error", "loc": ["body", "query"], "input": "",
         "msg": "Value error, query must contain at least one word character after normalization"}
    ]
}  # fmt: skip


def _recalled(memory: dict[str, Any]) -> dict[str, Any]:
    told = {"id", "text", "document_id", "occurred_start", "mentioned_at"}
    more = {"context": "", "metadata": {}, "tags": [], "scores": {"final": 0.5, "reranker": 0.4, "semantic": None}}
    return more | {key: value for key, value in memory.items() if key in told} | {"type": memory["fact_type"]}


def _listed(memory: dict[str, Any]) -> dict[str, Any]:
    date = memory.get("occurred_start") or memory["mentioned_at"]
    return {"context": "", "date": date, "entities": "", "proof_count": 1, "state": "valid"} | memory
