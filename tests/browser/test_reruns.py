"""Many sessions that rerun at once; the server is spoken to as by a browser, so that no browser takes their time."""

from __future__ import annotations

import time
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import ExitStack

import numpy as np
import pytest
from websockets.sync.client import ClientConnection

from tests.browser.bare_session import rerun_ms, session

PAGES = ("", "Investment_Audit", "Bug_Triage", "Memory", "History", "Track_Record", "Status")
SESSIONS = 20
ROUNDS = 30
WARM_MS = 100
"""A rerun of one session alone is quicker once the models are loaded, and takes longer while they are."""


@pytest.fixture
def sessions(address: str) -> Iterator[list[ClientConnection]]:
    """Twenty sessions of an app that has loaded its models, each of which has seen every page."""
    with ExitStack() as open_ones:
        made = [open_ones.enter_context(session(address)) for _ in range(SESSIONS)]
        until = time.monotonic() + 60
        while rerun_ms(made[0], "Memory") > WARM_MS:
            assert time.monotonic() < until, "the app was not warm within a minute"
            time.sleep(0.5)
        for one in made:
            for page in PAGES:
                rerun_ms(one, page)
        yield made


@pytest.mark.soak
def test_of_twenty_sessions_that_each_rerun_every_second_none_waits_half_a_second(
    sessions: list[ClientConnection],
) -> None:
    start = time.monotonic()

    def click(number: int) -> list[float]:
        """Look at another page each second, at a moment of one's own."""
        taken = []
        for turn in range(ROUNDS):
            time.sleep(max(0.0, start + turn + number / SESSIONS - time.monotonic()))
            taken.append(rerun_ms(sessions[number], PAGES[(turn + number) % len(PAGES)]))
        return taken

    with ThreadPoolExecutor(SESSIONS) as all_at_once:
        apart = [ms for taken in all_at_once.map(click, range(SESSIONS)) for ms in taken]
        pages = [[PAGES[(turn + number) % len(PAGES)] for number in range(SESSIONS)] for turn in range(ROUNDS)]
        together = [ms for asked in pages for ms in all_at_once.map(rerun_ms, sessions, asked)]
    for told, taken in (("a rerun a second each", apart), ("all in the same instant", together)):
        p50, p95 = np.quantile(taken, [0.5, 0.95])
        print(f"\n{SESSIONS} sessions, {told}, {len(taken)} reruns: p50 {p50:.0f} ms, p95 {p95:.0f} ms", end="")
    assert np.quantile(apart, 0.95) <= 500
