"""Checks on servers that answer datagrams, whose sender anybody can forge."""

from __future__ import annotations

import re

from ast_grep_py import SgNode

from audit.code import nodes
from audit.code.taint import Taint

_RECEIVES = re.compile(
    r"(?i)\b(recvfrom|recv_from|ReadFrom(UDP)?|ReceiveAsync|receive|recvfrom_nonblock)\s*\(|\.on\(\s*['\"]message"
)
_ASKS = re.compile(
    r"(?i)allow|limit|rate|trusted|verif|cookie|token|known|peers|challenge|hmac|sign|quota|bucket|\bseen\b"
)


def answers_anyone(match: SgNode, taint: Taint) -> SgNode | None:
    """Report an answer to whoever a datagram claims to come from, where nothing asks who, or how often."""
    function = nodes.function_of(match) or match.get_root().root()
    text = function.text()[:6_000]
    if not _RECEIVES.search(text):  # a callback of the socket's
        text = (nodes.function_of(function) or match.get_root().root()).text()[:6_000]
    return match if _RECEIVES.search(text) and not _ASKS.search(text) else None
