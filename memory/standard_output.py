"""What commands write on standard output: any text, also where its encoding has no letters for it."""

from __future__ import annotations

import io
import json
import os
import sys
from collections.abc import Callable

READER_GONE = 141


def take_any_text() -> None:
    """Let standard output write escaped what its encoding lacks, such as ``\\u20ac`` on a terminal of plain ASCII."""
    if isinstance(sys.stdout, io.TextIOWrapper):
        sys.stdout.reconfigure(errors="backslashreplace")


def as_json(data: object, indent: int | None = 2) -> str:
    """Write ``data`` as JSON, in letters where standard output has them all, else with JSON's own escapes."""
    encoding = (getattr(sys.stdout, "encoding", None) or "utf-8").lower()
    return json.dumps(data, ensure_ascii=not encoding.startswith("utf"), indent=indent)


def to_a_reader(command: Callable[[], int]) -> int:
    """Run a command and give its exit code; 141, and not a word, where the reader ends first, as ``head`` does."""
    try:
        code = command()
        sys.stdout.flush()
    except BrokenPipeError:
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        return READER_GONE
    return code
