"""What a model server may do with a request, good and bad."""

from __future__ import annotations

import gzip
import json
import socket
import struct
from collections.abc import Collection, Mapping
from typing import Any

from tests.model_server.server import Act, Exchange

AUDIT: dict[str, Any] = {
    "summary": "A short deck with little proof.",
    "findings": [
        {
            "subject": "revenue",
            "title": "No revenue is stated",
            "severity": "high",
            "quote": "",
            "explanation": "Nobody pays yet.",
            "fix": "Name a price.",
        }
    ],
    "ratings": [{"dimension": "revenue", "value": 2, "reason": "No price."}],
    "advice": ["Ask who pays."],
    "questions": ["Who pays?"],
}
AUDIT_TEXT = json.dumps(AUDIT)


def _completion(text: str | None, finish: str | None, **message: Any) -> dict[str, Any]:
    return {
        "id": "chatcmpl-1",
        "object": "chat.completion",
        "created": 1,
        "model": "m",
        "choices": [
            {"index": 0, "message": {"role": "assistant", "content": text, **message}, "finish_reason": finish}
        ],
        "usage": {"prompt_tokens": 321, "completion_tokens": 45, "total_tokens": 366},
    }


def _chunk(delta: dict[str, Any], finish: str | None = None) -> dict[str, Any]:
    return {
        "id": "chatcmpl-1",
        "object": "chat.completion.chunk",
        "created": 1,
        "model": "m",
        "choices": [{"index": 0, "delta": delta, "finish_reason": finish}],
    }


def answer(text: str | None = AUDIT_TEXT, finish: str = "stop", **message: Any) -> Act:
    """Answer with ``text``, streamed where that was asked for."""

    def act(exchange: Exchange) -> None:
        if not exchange.streams:
            exchange.send_json(200, _completion(text, finish, **message))
            return
        exchange.begin_stream()
        exchange.event(_chunk({"role": "assistant", "content": ""}))
        for name, value in message.items():
            exchange.event(_chunk({name: value}))
        for at in range(0, len(text or ""), 40):
            exchange.event(_chunk({"content": (text or "")[at : at + 40]}))
        exchange.event(_chunk({}, finish))
        if exchange.seen.body.get("stream_options", {}).get("include_usage"):
            exchange.event({**_chunk({}), "choices": [], "usage": _completion("", "stop")["usage"]})
        exchange.event("[DONE]")

    return act


def error(status: int, body: Any, headers: Mapping[str, str] | None = None) -> Act:
    def act(exchange: Exchange) -> None:
        if isinstance(body, str):
            exchange.send(status, body.encode(), {"Content-Type": "text/html", **(headers or {})})
        else:
            exchange.send_json(status, body, headers)

    return act


def whole(body: Any, content_type: str = "application/json") -> Act:
    """Answer 200 with ``body`` as it is."""

    def act(exchange: Exchange) -> None:
        data = body if isinstance(body, bytes) else json.dumps(body).encode()
        exchange.send(200, data, {"Content-Type": content_type})

    return act


def ignores_stream(text: str = AUDIT_TEXT) -> Act:
    """Answer in one piece, whatever was asked."""
    return whole(_completion(text, "stop"))


def only(*kinds: str, otherwise: Act, then: Act | None = None) -> Act:
    """Take these kinds of ``response_format`` only."""

    def act(exchange: Exchange) -> None:
        (then or answer())(exchange) if exchange.seen.json_mode in kinds else otherwise(exchange)

    return act


def rejecting(fields: Collection[str], otherwise: Act) -> Act:
    """Reject a request that holds one of ``fields``."""

    def act(exchange: Exchange) -> None:
        (otherwise if set(fields) & set(exchange.seen.body) else answer())(exchange)

    return act


def slow(seconds: float, then: Act | None = None) -> Act:
    def act(exchange: Exchange) -> None:
        exchange.pause(seconds)
        (then or answer())(exchange)

    return act


def silence(exchange: Exchange) -> None:
    """Take the request and never answer."""
    exchange.pause(60)


def reset(exchange: Exchange) -> None:
    """Break the connection before answering."""
    exchange.handler.connection.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, struct.pack("ii", 1, 0))
    exchange.handler.connection.close()
    exchange.handler.close_connection = True


def breaks_off(exchange: Exchange) -> None:
    """Begin an answer and break the connection within it."""
    if exchange.streams:
        exchange.begin(200, {"Content-Type": "text/event-stream", "Transfer-Encoding": "chunked"})
        exchange.write(b"40\r\ndata: " + json.dumps(_chunk({"content": "{"})).encode()[:20])
    else:
        exchange.begin(200, {"Content-Type": "application/json", "Content-Length": "5000"})
        exchange.write(b'{"id": "chat')
    exchange.handler.connection.shutdown(socket.SHUT_RDWR)
    exchange.handler.close_connection = True


def endless(piece: str) -> Act:
    """Stream ``piece`` without end, or send it 250,000 characters long where no stream was asked for."""

    def act(exchange: Exchange) -> None:
        if not exchange.streams:
            exchange.send_json(200, _completion((piece * 250_000)[:250_000], "stop"))
            return
        exchange.begin_stream()
        while not exchange.closing.is_set():
            exchange.event(_chunk({"content": piece}))

    return act


def endless_bytes(status: int, start: bytes, piece: bytes, content_type: str) -> Act:
    """Send a body that never ends."""

    def act(exchange: Exchange) -> None:
        exchange.begin(status, {"Content-Type": content_type})
        exchange.write(start)
        while not exchange.closing.is_set():
            exchange.write(piece)

    return act


def dripping(piece: str, every_s: float) -> Act:
    """Stream a little now and then, for ever, so that no read ever times out."""

    def act(exchange: Exchange) -> None:
        if exchange.streams:
            exchange.begin_stream()
        else:
            exchange.begin(200, {"Content-Type": "application/json"})
        while not exchange.closing.is_set():
            exchange.event(_chunk({"content": piece})) if exchange.streams else exchange.write(b" ")
            exchange.pause(every_s)

    return act


def stream_error(body: dict[str, Any]) -> Act:
    """Fail after the stream has begun."""

    def act(exchange: Exchange) -> None:
        exchange.begin_stream()
        exchange.event(_chunk({"content": '{"summary"'}))
        exchange.event({"error": body})
        exchange.event("[DONE]")

    return act


def compressed_bomb(exchange: Exchange) -> None:
    """Answer with a little that unpacks to a lot, though nobody asked for compression."""
    data = gzip.compress(json.dumps(_completion("x" * 50_000_000, "stop")).encode(), 1)
    exchange.send(200, data, {"Content-Type": "application/json", "Content-Encoding": "gzip"})


def redirect_to(url: str) -> Act:
    def act(exchange: Exchange) -> None:
        exchange.send(307, b"", {"Location": url})

    return act
