"""A grounded audit as JSON and Markdown. Pure; only what the guard let through is written."""

from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import fields, is_dataclass
from datetime import date, datetime
from decimal import Decimal
from enum import Enum
from typing import Any

from audit.markdown import unlinked
from audit.modes import MODES, NOT_JUDGED, verdict_in_words
from audit.submission import title_of
from audit.types import Finding, GroundedAudit, Precedent, Sentence
from memory.money import Money
from memory.records import Note, Record
from memory.report import Candidate


def as_dict(audit: GroundedAudit, saved_as: str | None = None) -> dict[str, Any]:
    """Lay an audit out for JSON.

    ``similar_idea_found`` (``similar_bug_found``), ``historical_loss`` and ``similar_past_cases`` are read from the
    proved precedents' records; ``saved_as`` is the audit's id in the archive, or None where it was not saved.
    """
    mode = MODES[audit.mode]
    return {
        "mode": audit.mode,
        "title": title_of(audit.submission),
        "created_at": audit.created_at.isoformat(),
        "verdict": audit.verdict,
        "score": None if audit.verdict == NOT_JUDGED else audit.score,
        "score_breakdown": _plain(audit.score_breakdown),
        "rests_on": audit.rests_on,
        "summary": _texts(audit.summary),
        "findings": _plain(audit.findings),
        "unproved_findings": _plain(audit.unproved_findings),
        mode.wording.similar_field: audit.history.similar_found,
        "history_checked": audit.history.checked,
        "historical_loss": audit.history.text,
        "similar_past_cases": [_case(precedent) for precedent in audit.precedents],
        "advice": _texts(audit.advice),
        "questions": _texts(audit.questions),
        "refused": _plain(audit.refusals),
        "notes": list(audit.notes),
        "recall": {
            "state": audit.recall.state.value,
            "message": audit.recall.message,
            "searched": audit.recall.searched,
            "gate": _plain(audit.recall.gate),
            "kept": [_candidate(it) for it in audit.recall.kept],
            "near": [_candidate(it) for it in audit.recall.near],
            "dropped": [_candidate(it) for it in audit.recall.dropped],
        },
        "model": audit.model,
        "attempts": _plain(audit.attempts),
        "submission_sha256": audit.submission.sha256,
        "saved_as": saved_as,
    }


def as_markdown(audit: GroundedAudit) -> str:
    """Write an audit as Markdown for a ticket; text from the submission and records stands escaped or in code."""
    mode = MODES[audit.mode]
    return "\n".join(
        [
            f"# {mode.wording.title}: {_escape(title_of(audit.submission))}",
            "",
            f"**{verdict_in_words(audit.verdict, audit.score)}**. Written by {_code(audit.model)} on "
            f"{audit.created_at:%Y-%m-%d %H:%M} UTC.",
            "",
            _escape(audit.rests_on),
            *_section("Summary", [_escape(it.text) for it in audit.summary], bullet=""),
            *_section("Score", [_score_row(it.label, it.points, it.out_of, it.reason) for it in audit.score_breakdown]),
            *_section("Findings", [_finding(it) for it in audit.findings]),
            *_section("Findings with no passage given", [_finding(it) for it in audit.unproved_findings]),
            "",
            f"## {mode.wording.precedents_title}",
            "",
            f"Historical loss: {audit.history.text}",
            *(["", *map(_precedent, audit.precedents)] if audit.precedents else []),
            *_section("Advice", [_escape(it.text) for it in audit.advice]),
            *_section("Questions", [_escape(it.text) for it in audit.questions]),
            *_section("Notes", [_escape(it) for it in audit.notes]),
            *_section(
                "Refused", [f"{_code(it.text)} ({_escape(it.field)}): {_escape(it.reason)}" for it in audit.refusals]
            ),
            "",
        ]
    )


def _case(precedent: Precedent) -> dict[str, Any]:
    return {
        "record_id": precedent.record.id,
        **_plain(precedent.record.facts),
        "loss": _plain(precedent.record.loss),
        "record_quote": precedent.record_quote,
        "submission_quote": precedent.submission_quote,
        "why": precedent.why,
        "probability": precedent.probability,
        "confidence": precedent.confidence,
        "alike": precedent.alike,
    }


def _candidate(candidate: Candidate) -> dict[str, Any]:
    record = candidate.record
    told = {field.name: getattr(candidate, field.name) for field in fields(candidate) if field.name != "record"}
    return {"record_id": record.id, "title": record.title, "kind": record.kind.value, **_plain(told)}


def _plain(value: Any) -> Any:
    match value:
        case Money():
            return {"amount": str(value.amount), "currency": value.currency, "text": str(value)}
        case Enum():
            return value.value
        case Decimal():
            return str(value)
        case datetime() | date():
            return value.isoformat()
        case dict():
            return {str(key): _plain(item) for key, item in value.items()}
        case tuple() | list():
            return [_plain(item) for item in value]
        case _ if is_dataclass(value):
            return {field.name: _plain(getattr(value, field.name)) for field in fields(value)}
        case float():
            return round(value, 6)
        case _:
            return value


def _texts(sentences: Iterable[Sentence]) -> list[dict[str, Any]]:
    return [{"text": it.text, "terms": _plain(it.terms)} for it in sentences]


def _section(title: str, rows: list[str], bullet: str = "- ") -> list[str]:
    return ["", f"## {title}", "", *(f"{bullet}{row}" for row in rows)] if rows else []


def _score_row(label: str, points: float, out_of: float, reason: str) -> str:
    amount = f"{points:.1f} of {out_of:.0f}" if out_of else f"{points:+.1f}"
    return f"{_escape(label)}: {amount}. {_escape(reason)}".rstrip()


def _finding(finding: Finding) -> str:
    where = f" (line {finding.line})" if finding.line else ""
    quote = f" {_code(finding.quote)}" if finding.quote else ""
    fix = f" **Do:** {_escape(finding.fix)}" if finding.fix else ""
    subject = f"{finding.subject}, {finding.severity}"
    return f"**{_escape(finding.title)}** ({_escape(subject)}){where}: {_escape(finding.explanation)}{quote}{fix}"


def _precedent(precedent: Precedent) -> str:
    record = precedent.record
    return (
        f"- **{_escape(record.title)}** ({_code(record.id)}): {_escape(_facts_line(record))}. "
        f"{_escape(record.lesson)}\n"
        f"  - In the record: {_code(precedent.record_quote)}\n"
        f"  - In this submission: {_code(precedent.submission_quote)}"
    )


def _facts_line(record: Record) -> str:
    if isinstance(record.facts, Note):
        return record.facts.label
    parts = [str(record.year or ""), record.facts.outcome.label, f"lost {record.loss}" if record.loss else ""]
    return ", ".join(part for part in parts if part)


def _escape(text: str) -> str:
    """Escape ``text`` so that Markdown shows it on one line: no markup, no bare link, nobody mentioned."""
    return re.sub(r"([\\`*_{}\[\]<>()#+!|~&])", r"\\\1", unlinked(text))


def _code(text: str) -> str:
    folded = " ".join(text.split())
    fence = "`" * (max((len(run) for run in re.findall("`+", folded)), default=0) + 1)
    return f"{fence} {folded} {fence}" if "`" in folded else f"`{folded}`"
