"""Where audits are asked for: one background job for one submission under the same settings. No Streamlit here."""

from __future__ import annotations

import hashlib
from collections.abc import Callable
from datetime import datetime
from typing import TYPE_CHECKING

from audit.judge import Handed, Judged, judge
from audit.modes import Mode
from audit.pace import Pace, pace_of
from audit.types import Submission
from memory.errors import StoreError
from memory.records import Kind, Nature
from ui.jobs import IsCancelled, Job, JobBoard, Report
from ui.messages import N_, Message

if TYPE_CHECKING:
    from wiring import Services

MOST_CHANGES = 500


def submit(
    board: JobBoard[Judged],
    services: Services,
    mode: Mode,
    handed: Handed,
    *,
    fingerprint: str,
    now: Callable[[], datetime],
) -> Job[Judged]:
    """Start an audit, or find the one of the same text and settings that runs, or is done with no fact changed since.

    ``fingerprint`` names the settings. Raises LedgerUnavailable.
    """
    name, language = (handed.name, handed.language) if isinstance(handed, Submission) else ("", "")
    parts = (mode.name, hashlib.sha256(handed.text.encode()).hexdigest(), name, language, fingerprint)
    key = hashlib.sha256(repr(parts).encode()).hexdigest()[:24]

    def no_fact_changed_since(head: int) -> bool:
        changes = services.ledger.changes(head, MOST_CHANGES)
        return len(changes) < MOST_CHANGES and not any(Kind(it.kind).nature is Nature.FACT for it in changes)

    def work(report: Report, cancelled: IsCancelled) -> Judged:
        def on_step(step: str, model: str) -> None:
            report(f"{step}: {model}" if model else step, _pace(services, model) if model else None)

        def on_file(path: str, number: int, total: int) -> None:
            report(Message(N_("{done} of {total} files judged"), {"done": number - 1, "total": total}))

        return judge(services, mode, handed, now=now(), on_step=on_step, on_file=on_file, cancelled=cancelled)

    return board.submit(
        key,
        work,
        stamp=services.ledger.head(),
        subject=handed.text,
        still_valid=no_fact_changed_since,
    )


def _pace(services: Services, asked: str) -> Pace | None:
    """Look up how long the model that is asked, such as ``groq:gpt (1 of 2)``, usually takes to answer."""
    try:
        return pace_of(services.archive, services.workspace, asked.rpartition(" (")[0])
    except StoreError:
        return None
