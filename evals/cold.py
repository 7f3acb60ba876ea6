"""A process that starts and answers one recall: how long that takes, and how much memory it holds then."""

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
print(json.dumps({"searched": report.searched, "kib": int(status["VmRSS"].split()[0])}), flush=True)
services.close()
"""


@dataclass(frozen=True, slots=True)
class Cold:
    """``seconds`` from the start of the process to its answer; ``resident`` bytes then; records searched."""

    seconds: float
    resident: int
    searched: int


def cold_start(home: Path, workspace: str, times: int = 3) -> Cold:
    """Give the middle one of ``times`` starts of a process that answers one recall of the data folder ``home``.

    Linux alone. Raises JSONDecodeError where the process ends without an answer; it then says why on standard error.
    """
    return sorted((_once(home, workspace) for _ in range(times)), key=lambda it: it.seconds)[times // 2]


def _once(home: Path, workspace: str) -> Cold:
    start = time.perf_counter()
    command = [sys.executable, "-c", _PROGRAM, str(home), workspace]
    with subprocess.Popen(command, stdout=subprocess.PIPE, text=True) as process:  # noqa: S603
        answer = next(iter(process.stdout or ()), "")
        seconds = time.perf_counter() - start
    told = json.loads(answer)
    return Cold(seconds, told["kib"] * 1_024, told["searched"])
