"""Audits of one process take turns at what keeps a core busy.

More of them at once would finish no sooner, and would slow the pages that others look at. Waiting for a model is no
turn: any number of audits may do that at once.
"""

from __future__ import annotations

import os
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager

from audit.errors import Cancelled

AT_ONCE = max(1, (os.cpu_count() or 1) // 2)
"""How many work at once: the embedding model alone uses two cores."""

ASKED_EVERY_S = 0.1
STOPPED = "The audit was stopped. Nothing was saved."

_TURNS = threading.BoundedSemaphore(AT_ONCE)


@contextmanager
def turn(cancelled: Callable[[], bool]) -> Iterator[None]:
    """Wait for a turn and hold it. Raises Cancelled where the audit is stopped while it waits."""
    while not _TURNS.acquire(timeout=ASKED_EVERY_S):
        if cancelled():
            raise Cancelled(STOPPED)
    try:
        yield
    finally:
        _TURNS.release()
