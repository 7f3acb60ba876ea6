"""Rule analyst for decks."""

from __future__ import annotations

from audit.types import Analysis, Submission


def analyse(submission: Submission) -> Analysis:
    """Say what a deck states, leaves out and contradicts."""
    raise NotImplementedError
