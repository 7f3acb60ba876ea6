"""A Hindsight server on a loopback port: recall and listing of one bank, with a key, as the API of 1.1 words them."""

from __future__ import annotations

import json
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any
from urllib.parse import parse_qs, urlsplit

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
        self.memories.append({"id": f"m{number}", "text": text, "document_id": document, **more})


@contextmanager
def hindsight(bank: Bank, name: str = "agent") -> Iterator[str]:
    """Run a server that holds ``bank`` under ``name``; give its address."""

    class Handler(BaseHTTPRequestHandler):
        protocol_version = "HTTP/1.1"

        def do_POST(self) -> None:
            asked = json.loads(self.rfile.read(int(self.headers["Content-Length"])))
            bank.asked.append(asked)
            words = set(asked["query"].lower().split())
            found = [it for it in bank.memories if words & set(it["text"].lower().split())]
            self._answer("/memories/recall", {"results": [_recalled(it) for it in found]})

        def do_GET(self) -> None:
            asked = {key: values[0] for key, values in parse_qs(urlsplit(self.path).query).items()}
            start, limit = int(asked["offset"]), int(asked["limit"])
            page = [_listed(it) for it in bank.memories[start : start + limit]]
            self._answer(
                "/memories/list", {"items": page, "total": len(bank.memories), "limit": limit, "offset": start}
            )

        def _answer(self, path: str, data: dict[str, Any]) -> None:
            time.sleep(bank.slow_s)
            status, text = bank.status, bank.body or json.dumps(data)
            if self.headers["Authorization"] != f"Bearer {KEY}":
                status, text = 401, '{"detail": "Invalid API key"}'
            elif urlsplit(self.path).path != f"{BANKS}{name}{path}":
                status, text = 404, '{"detail": "Not Found"}'
            body = text.encode()
            self.send_response(status)
            self.send_header("Content-Type", "application/json")
            self.send_header("Content-Length", str(len(body)))
            self.end_headers()
            self.wfile.write(body)

        def log_message(self, *_: object) -> None:
            pass

    class Server(ThreadingHTTPServer):
        daemon_threads = True

    with Server(("127.0.0.1", 0), Handler) as server:
        threading.Thread(target=server.serve_forever, daemon=True).start()
        yield f"http://127.0.0.1:{server.server_port}"
        server.shutdown()


def _recalled(memory: dict[str, Any]) -> dict[str, Any]:
    told = {"id", "text", "document_id", "occurred_start", "mentioned_at"}
    return {key: value for key, value in memory.items() if key in told} | {"type": memory.get("fact_type", "world")}


def _listed(memory: dict[str, Any]) -> dict[str, Any]:
    return {"fact_type": "world", "context": "", "date": "", "entities": "", "state": "valid"} | memory
