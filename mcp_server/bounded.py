"""A bound on the size of a request, met while it arrives: no body is held that no tool could accept."""

from __future__ import annotations

from starlette.datastructures import Headers
from starlette.responses import JSONResponse
from starlette.types import ASGIApp, Message, Receive, Scope, Send

LARGEST_BODY = 8 * 1024 * 1024


class BoundedBody:
    """Answers 413 to a body above ``largest`` bytes, declared or sent."""

    def __init__(self, app: ASGIApp, largest: int = LARGEST_BODY) -> None:
        self._app = app
        self._largest = largest

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] != "http":
            await self._app(scope, receive, send)
            return
        declared = Headers(scope=scope).get("content-length", "0")
        if not declared.isdecimal() or len(declared) > 12 or int(declared) > self._largest:
            await self._refuse(scope, receive, send)
            return
        held: list[Message] = []
        size = 0
        while True:
            message = await receive()
            held.append(message)
            size += len(message.get("body", b""))
            if size > self._largest:
                await self._refuse(scope, receive, send)
                return
            if message["type"] != "http.request" or not message.get("more_body", False):
                break

        async def again() -> Message:
            return held.pop(0) if held else await receive()

        await self._app(scope, again, send)

    async def _refuse(self, scope: Scope, receive: Receive, send: Send) -> None:
        body = {"error": "too large", "message": f"A request has at most {self._largest:,} bytes."}
        await JSONResponse(body, status_code=413)(scope, receive, send)
