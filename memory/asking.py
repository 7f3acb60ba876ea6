"""What stands on standard input: the answer of a person at a terminal, or what was piped in."""

from __future__ import annotations

import sys

from memory.errors import RecordInvalid


def make_sure(question: str, *, unasked: str, declined: str) -> None:
    """Ask ``question`` on standard error, for a yes on standard input.

    Raises RecordInvalid: with ``unasked`` where no terminal is there to answer, with ``declined`` for any other answer.
    """
    if sys.stdin is None or not sys.stdin.isatty():
        raise RecordInvalid(unasked)
    print(f"{question} [y/N] ", end="", file=sys.stderr, flush=True)
    try:
        answer = sys.stdin.readline().strip().lower()
    except (KeyboardInterrupt, UnicodeDecodeError):
        print(file=sys.stderr)
        answer = ""
    if answer not in {"y", "yes"}:
        raise RecordInvalid(declined)


def standard_input() -> bytes:
    """Read all of standard input; nothing where it is closed."""
    return sys.stdin.buffer.read() if sys.stdin is not None else b""
