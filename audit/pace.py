"""How long a model usually takes to answer, from the saved audits it wrote."""

from __future__ import annotations

from dataclasses import dataclass
from statistics import median

from audit.archive import Archive

LEAST, RECENT = 3, 20


@dataclass(frozen=True, slots=True)
class Pace:
    """The median and the longest of a model's recent answers, in seconds."""

    usual_s: float
    longest_s: float


def pace_of(archive: Archive, workspace: str, model: str) -> Pace | None:
    """Take the pace of a model's last 20 answers; None where fewer than three are kept. Raises LedgerUnavailable."""
    times = [ms / 1000 for ms in archive.answer_times_ms(workspace, model, RECENT)]
    return Pace(median(times), max(times)) if len(times) >= LEAST else None
