"""Where audits are asked for: one background job for one submission under the same settings. No Streamlit here."""

from __future__ import annotations

import hashlib
from collections.abc import Callable
from datetime import datetime
from typing import TYPE_CHECKING

from audit.judge import Handed, Judged, judge
from audit.modes import Mode
from audit.types import Submission
from memory.records import Kind, Nature
from ui.jobs import Job, JobBoard

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

    return board.submit(
        key,
        lambda report, cancelled: judge(
            services,
            mode,
            handed,
            now=now(),
            on_step=lambda step, detail: report(f"{step}: {detail}" if detail else str(step)),
            cancelled=cancelled,
        ),
        stamp=services.ledger.head(),
        subject=handed.text,
        still_valid=no_fact_changed_since,
    )
