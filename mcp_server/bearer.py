"""A bearer token before anything else is looked at, compared in constant time."""

from __future__ import annotations

import hmac
from hashlib import sha256

from starlette.datastructures import Headers
from starlette.responses import JSONResponse
from starlette.types import ASGIApp, Receive, Scope, Send

SHORTEST_TOKEN = 16


class RequireBearer:
    """Lets a request through only with the token; the digests are compared, so length and content take equal time."""

    def __init__(self, app: ASGIApp, token: str) -> None:
        if len(token) < SHORTEST_TOKEN:
            raise ValueError(f"the token must have at least {SHORTEST_TOKEN} characters")
        self._app = app
        self._digest = sha256(token.encode()).digest()

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] == "lifespan":
            await self._app(scope, receive, send)
            return
        scheme, _, given = Headers(scope=scope).get("authorization", "").partition(" ")
        known = hmac.compare_digest(sha256(given.strip().encode()).digest(), self._digest)
        if not known or scheme.lower() != "bearer":
            answer = JSONResponse(
                {"error": "unauthorized", "message": "Send the header Authorization: Bearer <PRECEDENT_MCP_TOKEN>."},
                status_code=401,
                headers={"WWW-Authenticate": "Bearer"},
            )
            await answer(scope, receive, send)
            return
        await self._app(scope, receive, send)
