"""A process that starts, answers one recall and ends: how long that takes, and how much memory it holds then."""

from __future__ import annotations

import json
import subprocess
import sys
import time
from dataclasses import dataclass
from pathlib import Path

_PROGRAM = """
import json, sys
from pathlib import Path
from evals.memory import NOW
from evals.synthetic import deck
from memory.records import Kind
from memory.report import RecallQuery
from settings import Settings
from wiring import build_services
services = build_services(Settings(_env_file=None, home=Path(sys.argv[1]), workspace=sys.argv[2], models=""))
report = services.recaller.recall(RecallQuery(sys.argv[2], (Kind.INVESTMENT,), deck(1000, 7)), NOW)
status = dict(line.split(":", 1) for line in Path("/proc/self/status").read_text().splitlines())
print(json.dumps({"searched": report.searched, "kib": int(status["VmRSS"].split()[0])}))
services.close()
"""


@dataclass(frozen=True, slots=True)
class Cold:
    """``seconds`` from the start of the process to its end; ``resident`` bytes after the answer; records searched."""

    seconds: float
    resident: int
    searched: int


def cold_start(home: Path, workspace: str) -> Cold:
    """Start a process on the data folder ``home`` and have it answer one recall. Linux alone."""
    start = time.perf_counter()
    done = subprocess.run(  # noqa: S603
        [sys.executable, "-c", _PROGRAM, str(home), workspace], capture_output=True, text=True, check=True
    )
    seconds = time.perf_counter() - start
    told = json.loads(done.stdout.splitlines()[-1])
    return Cold(seconds, told["kib"] * 1_024, told["searched"])
