"""A question at a terminal is answered by a clear yes alone, and no state of standard input ends in a trace."""

from __future__ import annotations

import os
import signal
from collections.abc import Iterator
from threading import Timer, get_ident

import pytest

from memory.asking import make_sure, standard_input
from memory.errors import RecordInvalid


@pytest.fixture
def typed(monkeypatch: pytest.MonkeyPatch) -> Iterator[int]:
    """A terminal as standard input; what is written to it is typed."""
    keys, terminal = os.openpty()
    with open(terminal, encoding="utf-8") as given:  # noqa: PTH123, a terminal has no path of ours
        monkeypatch.setattr("sys.stdin", given)
        yield keys
    os.close(keys)


def ask() -> None:
    make_sure("Remove it?", unasked="not asked", declined="declined")


@pytest.mark.parametrize("answer", [b"y\n", b"YES\n", b" yes \n"])
def test_a_yes_is_a_yes(typed: int, answer: bytes) -> None:
    os.write(typed, answer)
    ask()


@pytest.mark.parametrize("answer", [b"n\n", b"\n", b"\x04", b"yes please\n", b"\xff\xfe\n", b"\xef\xbd\x99\n"])
def test_anything_else_is_a_no(typed: int, answer: bytes) -> None:
    os.write(typed, answer)
    with pytest.raises(RecordInvalid, match=r"^declined$"):
        ask()


@pytest.mark.usefixtures("typed")
def test_ctrl_c_at_the_question_is_a_no() -> None:
    Timer(0.2, signal.pthread_kill, [get_ident(), signal.SIGINT]).start()
    with pytest.raises(RecordInvalid, match=r"^declined$"):
        ask()


def test_where_standard_input_is_closed_nobody_is_asked_and_nothing_is_read(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("sys.stdin", None)
    with pytest.raises(RecordInvalid, match=r"^not asked$"):
        ask()
    assert standard_input() == b""
