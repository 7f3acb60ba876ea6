"""A model that answers from a script, for tests and demonstrations."""

from __future__ import annotations

import threading
from collections.abc import Callable, Iterable
from itertools import cycle

from audit.llm.errors import ModelFailure
from audit.llm.port import Bounds, Reply, Request

Line = str | Reply | ModelFailure | Callable[[Request], str]


class ScriptedModel:
    """Answers each call with the next line of its script, over and over. Implements ``ModelClient``.

    A line is a reply's text, a whole reply, a failure to raise, or a function from the request to a text.
    ``requests`` holds what was asked. Thread-safe.
    """

    server = "scripted"

    def __init__(self, script: Iterable[Line]) -> None:
        self._lines = cycle(tuple(script))
        self._lock = threading.Lock()
        self.requests: list[Request] = []

    def complete(self, request: Request, bounds: Bounds) -> Reply:
        """Give the next line. Raises ModelFailure where the line is one; StopIteration never."""
        del bounds
        with self._lock:
            self.requests.append(request)
            line = next(self._lines, "")
        if isinstance(line, ModelFailure):
            raise line
        if isinstance(line, Reply):
            return line
        text = line if isinstance(line, str) else line(request)
        return Reply(text, "stop", tokens_in=len(request.user) // 4, tokens_out=len(text) // 4)

    def close(self) -> None:
        """Release nothing: a script has no connections."""
