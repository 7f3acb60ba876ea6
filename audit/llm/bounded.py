"""Bound a call by bytes, by time and by the user's wish, whatever the server does."""

from __future__ import annotations

import threading
import time
from collections.abc import Callable, Iterable, Iterator
from typing import Generic, TypeVar

from audit.errors import Cancelled
from audit.llm.errors import FailureKind, ModelFailure
from audit.llm.port import Bounds

POLL_S = 0.05
_GRACE_S = 0.25

T = TypeVar("T")


class Meter:
    """Counts what comes off the network for one call; ``cut`` names why it was cut off, None while it is not."""

    def __init__(self, bounds: Bounds, clock: Callable[[], float] = time.monotonic) -> None:
        self._left = bounds.wire_bytes
        self._until = clock() + bounds.seconds
        self._stop = bounds.stop
        self._clock = clock
        self.cut: FailureKind | None = None

    def check(self, size: int = 0) -> None:
        """Take ``size`` bytes from what is left. Raises ModelFailure when the call is over its bounds."""
        self._left -= size
        if self._left < 0:
            self.cut = FailureKind.RAMBLING
        elif self._stop.is_set() or self._clock() > self._until:
            self.cut = FailureKind.TIMED_OUT
        if self.cut:
            raise ModelFailure(self.cut)

    def over(self, pieces: Iterable[bytes]) -> Iterator[bytes]:
        """Pass ``pieces`` on while the call is within its bounds."""
        self.check()
        for piece in pieces:
            self.check(len(piece))
            yield piece


class _Box(Generic[T]):
    """The outcome of a call in another thread."""

    def __init__(self) -> None:
        self.done = threading.Event()
        self.value: T | None = None
        self.failure: ModelFailure | None = None


def run_bounded(call: Callable[[], T], bounds: Bounds, cancelled: Callable[[], bool]) -> T:
    """Run ``call`` in a thread of its own and give up on it at ``bounds.seconds`` or when ``cancelled``.

    What is given up on is told to stop and ends by itself at the next piece it reads. Raises ModelFailure, the one of
    ``call`` or TIMED_OUT, and Cancelled.
    """
    box: _Box[T] = _Box()

    def work() -> None:
        try:
            box.value = call()
        except ModelFailure as failure:
            box.failure = failure
        finally:
            box.done.set()

    threading.Thread(target=work, name="model-call", daemon=True).start()
    until = time.monotonic() + bounds.seconds + _GRACE_S
    while not box.done.wait(POLL_S):
        if cancelled():
            bounds.stop.set()
            raise Cancelled("The audit was stopped. Nothing was saved.")
        if time.monotonic() > until:
            bounds.stop.set()
            raise ModelFailure(FailureKind.TIMED_OUT)
    if box.failure is not None:
        raise box.failure
    if box.value is None:
        raise ModelFailure(FailureKind.NOT_AN_API)
    return box.value
