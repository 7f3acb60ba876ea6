"""Ask the person at the terminal before something is taken away."""

from __future__ import annotations

import sys

from memory.errors import RecordInvalid


def make_sure(question: str, *, unasked: str, declined: str) -> None:
    """Ask ``question`` on standard error, for a yes on standard input.

    Raises RecordInvalid: with ``unasked`` where no terminal is there to answer, with ``declined`` for any other answer.
    """
    if not sys.stdin.isatty():
        raise RecordInvalid(unasked)
    print(f"{question} [y/N] ", end="", file=sys.stderr, flush=True)
    if sys.stdin.readline().strip().lower() not in {"y", "yes"}:
        raise RecordInvalid(declined)
