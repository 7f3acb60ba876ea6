"""Where audits are asked for: one background job for one submission under the same settings. No Streamlit here."""

from __future__ import annotations

import hashlib
from collections.abc import Callable
from datetime import datetime
from typing import TYPE_CHECKING

from audit.modes import Mode
from audit.service import SavedAudit, run_audit
from audit.types import Submission
from memory.records import Kind, Nature
from ui.jobs import Job, JobBoard

if TYPE_CHECKING:
    from wiring import Services

MOST_CHANGES = 500


def submit(
    board: JobBoard[SavedAudit],
    services: Services,
    mode: Mode,
    submission: Submission,
    *,
    fingerprint: str,
    now: Callable[[], datetime],
) -> Job[SavedAudit]:
    """Start an audit, or find the one of the same text and settings that runs, or is done with no fact changed since.

    ``fingerprint`` names the settings. Raises LedgerUnavailable.
    """
    parts = (mode.name, submission.sha256, submission.name, fingerprint)
    key = hashlib.sha256(repr(parts).encode()).hexdigest()[:24]

    def no_fact_changed_since(head: int) -> bool:
        changes = services.ledger.changes(head, MOST_CHANGES)
        return len(changes) < MOST_CHANGES and not any(Kind(it.kind).nature is Nature.FACT for it in changes)

    return board.submit(
        key,
        lambda report, cancelled: run_audit(
            services,
            mode,
            submission,
            now=now(),
            on_step=lambda step, detail: report(f"{step.value}: {detail}" if detail else step.value),
            cancelled=cancelled,
        ),
        stamp=services.ledger.head(),
        subject=submission.text,
        still_valid=no_fact_changed_since,
    )
