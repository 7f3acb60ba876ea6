"""What was handed in, and its judgement: the one place where every door tells a diff from a single text."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from datetime import datetime

from audit import languages
from audit.diff import Diff, is_diff, parse_diff
from audit.diff_triage import DiffTriage, triage_diff
from audit.documents import MAX_BYTES, MAX_PAGES, document_submission
from audit.errors import CannotJudge
from audit.modes import Mode
from audit.service import SavedAudit, Services, run_audit
from audit.submission import make_submission
from audit.types import Submission
from memory.importers.encodings import decode
from memory.stack_trace import find_traces

Handed = Submission | Diff
Judged = SavedAudit | DiffTriage


def read(
    mode: Mode,
    content: str | bytes,
    name: str = "",
    *,
    language: str = "",
    max_bytes: int = MAX_BYTES,
    max_pages: int = MAX_PAGES,
) -> Handed:
    """Read what was pasted (no ``name``) or a file: a diff of code as such, anything else as one submission.

    ``language`` is the programming language where the user states it; else a guess at it is noted.
    Raises SubmissionRefused where it cannot be read, and CannotJudge where the mode has nothing to say of it.
    """
    if mode.takes_diffs and (diff := _diff(content, max_bytes)):
        return diff
    if name and isinstance(content, bytes):
        submission = document_submission(mode, content, name, max_bytes=max_bytes, max_pages=max_pages)
    else:
        submission = make_submission(mode, content, name)
    if language:
        submission = replace(submission, language=language)
    elif _guessed(submission):
        guessed = f"Read as {languages.LABELS[submission.language]}, by guess."
        submission = replace(submission, notes=(*submission.notes, guessed))
    if why := mode.why_not(submission):
        raise CannotJudge(f"{why} Nothing was saved.")
    return submission


def judge(
    services: Services,
    mode: Mode,
    handed: Handed,
    *,
    now: datetime,
    save: bool = True,
    on_step: Callable[[str, str], None] = lambda step, model: None,
    on_file: Callable[[str, int, int], None] = lambda path, number, total: None,
    cancelled: Callable[[], bool] = lambda: False,
) -> Judged:
    """Audit a submission, or every file of a diff.

    ``on_step`` is told each step of a submission, with the model where one is asked; ``on_file`` path, number and total
    of the files of a diff. Raises Cancelled, and StoreError.
    """
    if isinstance(handed, Submission):
        return run_audit(services, mode, handed, now=now, save=save, on_step=on_step, cancelled=cancelled)
    return triage_diff(services, handed, now=now, save=save, on_file=on_file, cancelled=cancelled)


def _guessed(submission: Submission) -> bool:
    """Say whether the language of code is a guess at its text, which no file name and no stack trace bears out."""
    known = submission.language in languages.LABELS
    return known and not languages.by_file_name(submission.name) and not find_traces(submission.text)


def _diff(content: str | bytes, max_bytes: int) -> Diff | None:
    """Read a diff in any encoding; None where it is none, or a file too large to be read at all."""
    if isinstance(content, bytes):
        if len(content) > max_bytes or content.startswith((b"%PDF", b"PK\x03\x04")):
            return None
        content = decode(content).text
    return parse_diff(content) if is_diff(content) else None
