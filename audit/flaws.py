"""Rule analyst for code."""

from __future__ import annotations

from audit.types import Analysis, Submission


def analyse(submission: Submission) -> Analysis:
    """Find flaws in code, each with its CWE, line and quote."""
    raise NotImplementedError
