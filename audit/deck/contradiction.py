"""The value that a contradiction is: what cannot both hold, and the passages that say it."""

from __future__ import annotations

from dataclasses import dataclass

from audit.deck.reading import Passage
from memory.records import Severity


@dataclass(frozen=True, slots=True)
class Contradiction:
    """Numbers of one deck that cannot all hold.

    ``rule`` names the check; ``passages`` are quoted in order, the most telling first; ``explanation`` shows the sum.
    """

    rule: str
    subject: str
    title: str
    severity: Severity
    passages: tuple[Passage, ...]
    explanation: str
