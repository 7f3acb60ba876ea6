"""What the command line and the downloads say of an audit or of a triaged diff: as data, as text and as SARIF."""

from __future__ import annotations

import json
from dataclasses import dataclass
from importlib.metadata import PackageNotFoundError, version
from pathlib import Path
from typing import Any

from audit.diff_triage import DiffTriage
from audit.errors import AuditError
from audit.export import as_dict, as_markdown
from audit.placed import PlacedFinding, PlacedRepeat, placed_findings, placed_repeats
from audit.sarif import as_sarif
from audit.service import SavedAudit
from memory.importers.tables import counted
from memory.view import record_json


@dataclass(frozen=True, slots=True)
class Report:
    """A result ready to be told: JSON data, text, and what stands at which line."""

    data: dict[str, Any]
    text: str
    findings: tuple[PlacedFinding, ...]
    repeats: tuple[PlacedRepeat, ...]
    notes: tuple[str, ...] = ()


def audit_report(saved: SavedAudit, path: str) -> Report:
    """Tell one audit."""
    audit = saved.audit
    return Report(
        data=as_dict(audit, saved.saved_as),
        text=as_markdown(audit),
        findings=tuple(placed_findings(audit, path)),
        repeats=tuple(placed_repeats(audit, path)),
        notes=audit.notes,
    )


def triage_report(triage: DiffTriage) -> Report:
    """Tell a triaged diff: repeats first, then findings, file by file."""
    lines = [
        f"{it.path}:{it.line}: a past bug recurs: {it.precedent.record.title} ({it.precedent.record.id}). "
        f"{it.precedent.record.lesson}".rstrip()
        for it in triage.repeats
    ]
    lines += [
        f"{it.path}:{it.line or 1}: {it.finding.severity}: {it.finding.subject} {it.finding.title}"
        for it in triage.findings
    ]
    lines += [f"note: {note}" for note in triage.notes]
    files, findings = counted(len(triage.files), "file"), counted(len(triage.findings), "finding")
    lines.append(f"{files} judged, {findings} on added lines, {counted(len(triage.repeats), 'repeat')} of past bugs.")
    unsearched = [it.file.path for it in triage.files if not it.saved.audit.recall.state.looked]
    if unsearched:
        lines.append(f"The memory could not be searched for {', '.join(unsearched)}: repeats may be missing.")
    data = {
        "files": [
            {"path": it.file.path, "verdict": it.saved.audit.verdict, "score": it.saved.audit.score,
             "history_checked": it.saved.audit.recall.state.looked, "saved_as": it.saved.saved_as}
            for it in triage.files
        ],
        "repeats": [
            {"path": it.path, "line": it.line, "quote": it.precedent.submission_quote,
             "record": record_json(it.precedent.record)}
            for it in triage.repeats
        ],
        "findings": [
            {"path": it.path, "line": it.line, "subject": it.finding.subject, "title": it.finding.title,
             "severity": it.finding.severity, "quote": it.finding.quote, "fix": it.finding.fix}
            for it in triage.findings
        ],
        "notes": list(triage.notes),
    }  # fmt: skip
    return Report(data, "\n".join(lines), triage.findings, triage.repeats, triage.notes)


def report(judged: SavedAudit | DiffTriage, path: str = "") -> Report:
    """Tell what was judged, whatever it was; ``path`` names the file of a single audit."""
    return triage_report(judged) if isinstance(judged, DiffTriage) else audit_report(judged, path)


def sarif_text(report: Report) -> str:
    """Write a report as SARIF 2.1.0."""
    try:
        number = version("precedent")
    except PackageNotFoundError:
        number = "0"
    sarif = as_sarif(report.findings, report.repeats, version=number, notes=report.notes)
    return json.dumps(sarif, ensure_ascii=False, indent=2)


def write_sarif(path: Path, report: Report) -> None:
    """Write a report to a file as SARIF 2.1.0. Raises AuditError where the file cannot be written."""
    try:
        path.write_text(sarif_text(report), encoding="utf-8")
    except OSError as error:
        raise AuditError(f"{path} cannot be written: {error.strerror}.") from error
