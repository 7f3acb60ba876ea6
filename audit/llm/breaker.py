"""A circuit breaker for one model: after failures in a row it rests, then one call tries it. Thread-safe."""

from __future__ import annotations

import threading
from collections.abc import Callable
from enum import StrEnum

TRIPS_AFTER = 3
FIRST_REST_S = 30.0
LONGEST_REST_S = 300.0
LONGEST_PROBE_S = 120.0


class BreakerState(StrEnum):
    CLOSED = "closed"
    OPEN = "open"
    HALF_OPEN = "half open"


class Breaker:
    """Opens after three failures in a row, for 30 s, doubled each time up to 5 min and spread by jitter.

    ``clock`` counts seconds; ``jitter`` returns numbers in 0..1. After the rest one caller is let through; its success
    closes the breaker, its failure opens it again. ``hold`` keeps callers out for as long as a server said.
    """

    def __init__(self, clock: Callable[[], float], jitter: Callable[[], float]) -> None:
        self._clock = clock
        self._jitter = jitter
        self._lock = threading.Lock()
        self._failures = 0
        self._rests = 0
        self._open_until = 0.0
        self._probe_until = 0.0

    def admits(self) -> bool:
        """Say whether a call may go ahead; where it is the one trial after a rest, others are kept out meanwhile."""
        with self._lock:
            now = self._clock()
            if now < self._open_until or now < self._probe_until:
                return False
            if self._rests:
                self._probe_until = now + LONGEST_PROBE_S
            return True

    def succeeded(self) -> None:
        with self._lock:
            self._failures = self._rests = 0
            self._open_until = self._probe_until = 0.0

    def failed(self) -> None:
        """Count a failure; the third in a row, or a failed trial, opens the breaker."""
        with self._lock:
            self._failures += 1
            self._probe_until = 0.0
            if self._failures >= TRIPS_AFTER or self._rests:
                rest = min(FIRST_REST_S * 2**self._rests, LONGEST_REST_S)
                self._open_until = self._clock() + rest * (0.8 + 0.4 * self._jitter())
                self._rests = min(self._rests + 1, 10)
                self._failures = 0

    def released(self) -> None:
        """End a trial that neither succeeded nor failed."""
        with self._lock:
            self._probe_until = 0.0

    def hold(self, seconds: float) -> None:
        """Keep callers out for ``seconds``, as a server asked."""
        with self._lock:
            self._probe_until = 0.0
            self._open_until = max(self._open_until, self._clock() + seconds)

    @property
    def state(self) -> BreakerState:
        with self._lock:
            if self._clock() < self._open_until:
                return BreakerState.OPEN
            return BreakerState.HALF_OPEN if self._rests else BreakerState.CLOSED

    @property
    def rest_s(self) -> float:
        """Seconds until a call is let through; 0 where one is now."""
        with self._lock:
            return max(0.0, self._open_until - self._clock())
