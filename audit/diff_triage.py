"""Triage a diff: one audit a file, of which only what stands on added lines counts."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace
from datetime import datetime

from audit import languages
from audit.diff import Diff, DiffFile, parse_diff
from audit.errors import Cancelled, SubmissionRefused
from audit.modes import BUG
from audit.placed import PlacedFinding, PlacedRepeat, placed_findings, placed_repeats
from audit.service import SavedAudit, Services, run_audit
from audit.submission import make_submission

MOST_FILES = 100


@dataclass(frozen=True, slots=True)
class FileTriage:
    """One file of a diff, its audit, and what of it stands on added lines."""

    file: DiffFile
    saved: SavedAudit

    @property
    def findings(self) -> tuple[PlacedFinding, ...]:
        return tuple(placed_findings(self.saved.audit, self.file.path))

    @property
    def repeats(self) -> tuple[PlacedRepeat, ...]:
        return tuple(placed_repeats(self.saved.audit, self.file.path))


@dataclass(frozen=True, slots=True)
class DiffTriage:
    """The files that were judged, and in words those that were not."""

    files: tuple[FileTriage, ...]
    notes: tuple[str, ...]

    @property
    def findings(self) -> tuple[PlacedFinding, ...]:
        return tuple(it for file in self.files for it in file.findings)

    @property
    def repeats(self) -> tuple[PlacedRepeat, ...]:
        return tuple(it for file in self.files for it in file.repeats)


def triage_diff(
    services: Services,
    text: str | Diff,
    *,
    now: datetime,
    save: bool = True,
    on_file: Callable[[str, int, int], None] = lambda path, number, total: None,
    cancelled: Callable[[], bool] = lambda: False,
) -> DiffTriage:
    """Audit every code file a diff adds lines to, at most 100. ``on_file`` is told path, number and total.

    Raises SubmissionRefused where the text is no diff or adds no code, Cancelled, and StoreError.
    """
    diff = parse_diff(text) if isinstance(text, str) else text
    notes = list(diff.notes)
    code = [file for file in diff.files if languages.by_file_name(file.path) or not languages.guess(file.text).prose]
    notes += [f"{file.path} is no code and was left out." for file in diff.files if file not in code]
    if len(code) > MOST_FILES:
        notes.append(f"The first {MOST_FILES} of {len(code)} files were judged.")
    judged: list[FileTriage] = []
    for number, file in enumerate(code[:MOST_FILES], start=1):
        if cancelled():
            raise Cancelled("The triage was stopped.")
        on_file(file.path, number, min(len(code), MOST_FILES))
        try:
            submission = replace(make_submission(BUG, file.text, file.path), excerpt=file.excerpt)
        except SubmissionRefused as refusal:
            notes.append(f"{file.path}: {refusal}")
            continue
        judged.append(FileTriage(file, run_audit(services, BUG, submission, now=now, save=save, cancelled=cancelled)))
    return DiffTriage(tuple(judged), tuple(notes))
