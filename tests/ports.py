"""Ports for servers that tests start."""

from __future__ import annotations

import socket


def free_port() -> int:
    """Find a port of 127.0.0.1 that nothing listens on."""
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        return int(free.getsockname()[1])
