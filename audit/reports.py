"""What the command line and the downloads say of an audit or of a triaged diff: as data, as text and as SARIF."""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import dataclass
from importlib.metadata import PackageNotFoundError, version
from pathlib import Path
from typing import Any

from audit.decided import NOTHING_DECIDED, Decided, in_words
from audit.diff_triage import DiffTriage
from audit.errors import AuditError
from audit.export import as_dict, plain
from audit.markdown_report import as_markdown
from audit.placed import PlacedFinding, PlacedRepeat, placed_findings, placed_repeats
from audit.sarif import as_sarif
from audit.service import SavedAudit
from audit.speech.language import SPEAKS_ENGLISH, Speech
from audit.withheld import all_covered, covered, secrets_in
from memory.records import Record
from memory.view import record_json


@dataclass(frozen=True, slots=True)
class Report:
    """A result ready to be told: JSON data and text with ``secrets`` covered, and what stands at which line."""

    data: dict[str, Any]
    text: str
    findings: tuple[PlacedFinding, ...]
    repeats: tuple[PlacedRepeat, ...]
    notes: tuple[str, ...] = ()
    secrets: tuple[str, ...] = ()


def precedents_in(judged: SavedAudit | DiffTriage) -> list[Record]:
    """List the records that were shown as precedents, or that recur in a diff."""
    if isinstance(judged, DiffTriage):
        return [it.precedent.record for it in judged.repeats]
    return [it.record for it in judged.audit.precedents]


def audit_report(
    saved: SavedAudit,
    path: str,
    speech: Speech = SPEAKS_ENGLISH,
    decided: Mapping[str, Decided] = NOTHING_DECIDED,
) -> Report:
    """Tell one audit, as text in a language; ``decided`` says by record id what had been decided on precedents."""
    audit = saved.audit
    return Report(
        data=as_dict(audit, saved.saved_as, decided),
        text=as_markdown(audit, speech, decided),
        findings=tuple(placed_findings(audit, path)),
        repeats=tuple(placed_repeats(audit, path)),
        notes=audit.notes,
        secrets=secrets_in([audit]),
    )


def triage_report(
    triage: DiffTriage, speech: Speech = SPEAKS_ENGLISH, decided: Mapping[str, Decided] = NOTHING_DECIDED
) -> Report:
    """Tell a triaged diff: repeats first, then findings, file by file."""
    said = speech.said
    lines = [_repeat(it, speech, decided) for it in triage.repeats]
    lines += [
        f"{it.path}:{it.line or 1}: {said(it.finding.severity)}: {it.finding.subject} {said(it.finding.title)}"
        for it in triage.findings
    ]
    lines += [speech.say("note: {note}", note=said(it)) for it in triage.notes]
    lines.append(
        speech.say(
            "{files}, {findings} on added lines, {repeats} of past bugs.",
            files=speech.say_n("{count} file judged", "{count} files judged", len(triage.files)),
            findings=speech.say_n("{count} finding", "{count} findings", len(triage.findings)),
            repeats=speech.say_n("{count} repeat", "{count} repeats", len(triage.repeats)),
        )
    )
    unsearched = [it.file.path for it in triage.files if not it.saved.audit.recall.state.looked]
    if unsearched:
        lines.append(
            speech.say(
                "The memory could not be searched for {files}: repeats may be missing.", files=", ".join(unsearched)
            )
        )
    data = {
        "files": [
            {"path": it.file.path, "verdict": it.saved.audit.verdict, "score": it.saved.audit.score,
             "history_checked": it.saved.audit.recall.state.looked, "saved_as": it.saved.saved_as}
            for it in triage.files
        ],
        "repeats": [
            {"path": it.path, "line": it.line, "quote": it.precedent.submission_quote,
             "record": record_json(it.precedent.record), "decided": plain(decided.get(it.precedent.record.id))}
            for it in triage.repeats
        ],
        "findings": [
            {"path": it.path, "line": it.line, "subject": it.finding.subject, "title": it.finding.title,
             "severity": it.finding.severity, "quote": it.finding.quote, "fix": it.finding.fix}
            for it in triage.findings
        ],
        "notes": list(triage.notes),
    }  # fmt: skip
    secrets = secrets_in(it.saved.audit for it in triage.files)
    text = covered("\n".join(lines), secrets)
    return Report(all_covered(data, secrets), text, triage.findings, triage.repeats, triage.notes, secrets)


def report(
    judged: SavedAudit | DiffTriage,
    path: str = "",
    speech: Speech = SPEAKS_ENGLISH,
    decided: Mapping[str, Decided] = NOTHING_DECIDED,
) -> Report:
    """Tell what was judged, whatever it was; ``path`` names the file of a single audit."""
    if isinstance(judged, DiffTriage):
        return triage_report(judged, speech, decided)
    return audit_report(judged, path, speech, decided)


def _repeat(it: PlacedRepeat, speech: Speech, decided: Mapping[str, Decided]) -> str:
    record = it.precedent.record
    told = speech.say("a past bug recurs: {title} ({id}).", title=record.title, id=record.id)
    behind = decided.get(record.id)
    more = [record.lesson, in_words(behind, speech) if behind else ""]
    return " ".join([f"{it.path}:{it.line}: {told}", *filter(None, more)])


def sarif_text(report: Report) -> str:
    """Write a report as SARIF 2.1.0."""
    try:
        number = version("precedent")
    except PackageNotFoundError:
        number = "0"
    sarif = as_sarif(report.findings, report.repeats, version=number, notes=report.notes, secrets=report.secrets)
    return json.dumps(sarif, ensure_ascii=False, indent=2)


def write_sarif(path: Path, report: Report) -> None:
    """Write a report to a file as SARIF 2.1.0. Raises AuditError where the file cannot be written."""
    try:
        path.write_text(sarif_text(report), encoding="utf-8")
    except OSError as error:
        raise AuditError(f"{path} cannot be written: {error.strerror}.") from error
