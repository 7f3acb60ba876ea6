"""The server: plays for each model the acts it was given, in order; the last act goes on."""

from __future__ import annotations

import json
import threading
from collections import defaultdict
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any

Act = Callable[["Exchange"], None]


@dataclass(frozen=True)
class Seen:
    """One request that came in."""

    path: str
    headers: Mapping[str, str]
    body: dict[str, Any]

    @property
    def model(self) -> str:
        return str(self.body.get("model"))

    @property
    def json_mode(self) -> str:
        form = self.body.get("response_format") or {}
        kind = form.get("type", "text")
        return "strict_schema" if form.get("json_schema", {}).get("strict") else kind


class Exchange:
    """A request and the ways to answer it."""

    def __init__(self, handler: BaseHTTPRequestHandler, seen: Seen, closing: threading.Event) -> None:
        self.handler = handler
        self.seen = seen
        self.closing = closing

    @property
    def streams(self) -> bool:
        return bool(self.seen.body.get("stream"))

    def send(self, status: int, body: bytes, headers: Mapping[str, str]) -> None:
        self.begin(status, {**headers, "Content-Length": str(len(body))})
        self.write(body)

    def send_json(self, status: int, body: Any, headers: Mapping[str, str] | None = None) -> None:
        self.send(status, json.dumps(body).encode(), {"Content-Type": "application/json", **(headers or {})})

    def begin(self, status: int, headers: Mapping[str, str]) -> None:
        self.handler.send_response(status)
        for name, value in headers.items():
            self.handler.send_header(name, value)
        if "Content-Length" not in headers:
            self.handler.send_header("Connection", "close")
            self.handler.close_connection = True
        self.handler.end_headers()

    def begin_stream(self) -> None:
        self.begin(200, {"Content-Type": "text/event-stream"})

    def event(self, value: Any) -> None:
        data = value if isinstance(value, str) else json.dumps(value)
        self.write(f"data: {data}\n\n".encode())

    def write(self, data: bytes) -> None:
        self.handler.wfile.write(data)
        self.handler.wfile.flush()

    def pause(self, seconds: float) -> None:
        self.closing.wait(seconds)


class ModelServer:
    """Serves on loopback while it is a context. ``prefix`` is the path before ``/chat/completions``."""

    def __init__(self, prefix: str = "/v1") -> None:
        self._prefix = prefix
        self._acts: dict[str, list[Act]] = defaultdict(list)
        self._lock = threading.Lock()
        self._closing = threading.Event()
        self.requests: list[Seen] = []

    def play(self, model: str, *acts: Act) -> None:
        with self._lock:
            self._acts[model] = list(acts)

    def clear(self) -> None:
        """Forget all acts and requests."""
        with self._lock:
            self._acts.clear()
            self.requests.clear()

    def asked(self, model: str) -> list[Seen]:
        with self._lock:
            return [seen for seen in self.requests if seen.model == model]

    @property
    def url(self) -> str:
        return f"http://127.0.0.1:{self._server.server_address[1]}"

    def __enter__(self) -> ModelServer:
        self._server = _Server(("127.0.0.1", 0), self._handler())
        self._thread = threading.Thread(target=self._server.serve_forever, kwargs={"poll_interval": 0.02}, daemon=True)
        self._thread.start()
        return self

    def __exit__(self, *exc: object) -> None:
        self._closing.set()
        self._server.shutdown()
        self._server.server_close()
        self._thread.join()

    def _next(self, seen: Seen) -> Act | None:
        with self._lock:
            self.requests.append(seen)
            acts = self._acts.get(seen.model)
            if not acts:
                return None
            return acts.pop(0) if len(acts) > 1 else acts[0]

    def _handler(self) -> type[BaseHTTPRequestHandler]:
        server = self

        class Handler(BaseHTTPRequestHandler):
            protocol_version = "HTTP/1.1"
            disable_nagle_algorithm = True

            def do_POST(self) -> None:
                body = json.loads(self.rfile.read(int(self.headers.get("Content-Length", 0))) or b"{}")
                seen = Seen(self.path, {name.lower(): value for name, value in self.headers.items()}, body)
                exchange = Exchange(self, seen, server._closing)
                act = server._next(seen)
                try:
                    if self.path != f"{server._prefix}/chat/completions" or act is None:
                        exchange.send_json(404, {"detail": "Not Found"})
                    else:
                        act(exchange)
                except OSError:
                    self.close_connection = True

            def log_message(self, format: str, *args: object) -> None:
                pass

        return Handler


class _Server(ThreadingHTTPServer):
    daemon_threads = True
    block_on_close = False
    request_queue_size = 128

    def handle_error(self, request: object, client_address: object) -> None:
        pass
