"""Start the server: ``python -m mcp_server`` over stdio, ``python -m mcp_server --http`` over streamable HTTP."""

from __future__ import annotations

import argparse
import logging
import sys
from collections.abc import Sequence

from mcp_server.bearer import SHORTEST_TOKEN
from memory.errors import StoreError
from settings import SettingsInvalid, read_settings

DONE, FAILED, BAD_USAGE = 0, 1, 2


def main(arguments: Sequence[str] | None = None) -> int:
    """Serve until stopped; return 0 when done, 1 when it failed and 2 for bad usage."""
    try:
        settings = read_settings()
    except SettingsInvalid as error:
        print(error, file=sys.stderr)
        return BAD_USAGE
    parser = argparse.ArgumentParser(
        prog="python -m mcp_server",
        description="Give agents the memory and the two audits as tools.",
        epilog="example: PRECEDENT_MCP_TOKEN=$(openssl rand -hex 32) python -m mcp_server --http",
    )
    parser.add_argument("--http", action="store_true", help="streamable HTTP instead of stdio; needs a token")
    parser.add_argument("--host", default=settings.mcp_host, help="where to listen (127.0.0.1 by default)")
    parser.add_argument("--port", type=int, default=settings.mcp_port)
    parser.add_argument("--read-only", action="store_true", default=settings.mcp_read_only, help="no tool that writes")
    options = parser.parse_args(arguments)
    logging.basicConfig(stream=sys.stderr, level=logging.WARNING, format="%(levelname)s %(name)s %(message)s")
    token = settings.mcp_token.get_secret_value()
    if options.http and len(token) < SHORTEST_TOKEN:
        print(
            f"Over HTTP a token is needed: set PRECEDENT_MCP_TOKEN to at least {SHORTEST_TOKEN} random characters.",
            file=sys.stderr,
        )
        return BAD_USAGE
    from mcp_server.server import PATH, build_server, http_app
    from wiring import build_services

    try:
        services = build_services(settings)
    except StoreError as error:
        print(error, file=sys.stderr)
        return FAILED
    try:
        server = build_server(services, read_only=options.read_only)
        if options.http:
            import uvicorn

            origins = [origin.strip() for origin in settings.mcp_origins.split(",") if origin.strip()]
            print(f"Listening on http://{options.host}:{options.port}{PATH}", file=sys.stderr, flush=True)
            app = http_app(server, token, options.host, origins)
            uvicorn.run(app, host=options.host, port=options.port, log_level="warning")
        else:
            server.run("stdio")
    finally:
        services.close()
    return DONE


if __name__ == "__main__":
    sys.exit(main())
