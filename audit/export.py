"""A grounded audit as JSON, the same in every language. Pure; only what the guard let through is written."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import fields, is_dataclass
from datetime import date, datetime
from decimal import Decimal
from enum import Enum
from typing import Any

from audit.decided import NOTHING_DECIDED, Decided
from audit.modes import MODES, NOT_JUDGED
from audit.submission import title_of
from audit.types import GroundedAudit, Precedent, Sentence
from audit.withheld import all_covered, secrets_in
from memory.money import Money
from memory.report import Candidate


def as_dict(
    audit: GroundedAudit, saved_as: str | None = None, decided: Mapping[str, Decided] = NOTHING_DECIDED
) -> dict[str, Any]:
    """Lay an audit out for JSON.

    ``similar_idea_found`` (``similar_bug_found``), ``historical_loss`` and ``similar_past_cases`` are read from the
    proved precedents' records; ``saved_as`` is the audit's id in the archive, or None where it was not saved;
    ``decided`` says by record id what the user had decided on what became a precedent. Secrets are covered.
    """
    mode, secrets = MODES[audit.mode], secrets_in([audit])
    told = {
        "mode": audit.mode,
        "title": title_of(audit.submission),
        "created_at": audit.created_at.isoformat(),
        "verdict": audit.verdict,
        "score": None if audit.verdict == NOT_JUDGED else audit.score,
        "score_breakdown": plain(audit.score_breakdown),
        "rests_on": audit.rests_on,
        "summary": _texts(audit.summary, secrets),
        "findings": plain(audit.findings),
        "unproved_findings": plain(audit.unproved_findings),
        mode.wording.similar_field: audit.history.similar_found,
        "history_checked": audit.history.checked,
        "historical_loss": audit.history.text,
        "similar_past_cases": [_case(it, decided.get(it.record.id)) for it in audit.precedents],
        "advice": _texts(audit.advice, secrets),
        "questions": _texts(audit.questions, secrets),
        "refused": plain(audit.refusals),
        "notes": list(audit.notes),
        "recall": {
            "state": audit.recall.state.value,
            "message": audit.recall.message,
            "searched": audit.recall.searched,
            "gate": plain(audit.recall.gate),
            "kept": [_candidate(it) for it in audit.recall.kept],
            "near": [_candidate(it) for it in audit.recall.near],
            "dropped": [_candidate(it) for it in audit.recall.dropped],
        },
        "model": audit.model,
        "attempts": plain(audit.attempts),
        "submission_sha256": audit.submission.sha256,
        "saved_as": saved_as,
    }
    covered: dict[str, Any] = all_covered(told, secrets)
    return covered


def _case(precedent: Precedent, decided: Decided | None) -> dict[str, Any]:
    return {
        "record_id": precedent.record.id,
        **plain(precedent.record.facts),
        "loss": plain(precedent.record.loss),
        "record_quote": precedent.record_quote,
        "submission_quote": precedent.submission_quote,
        "why": precedent.why,
        "probability": precedent.probability,
        "confidence": precedent.confidence,
        "alike": precedent.alike,
        "decided": plain(decided),
    }


def _candidate(candidate: Candidate) -> dict[str, Any]:
    record = candidate.record
    told = {field.name: getattr(candidate, field.name) for field in fields(candidate) if field.name != "record"}
    return {"record_id": record.id, "title": record.title, "kind": record.kind.value, **plain(told)}


def plain(value: Any) -> Any:
    """Lay a value out as JSON has it: money as amount, currency and text; floats to six digits."""
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
            return {str(key): plain(item) for key, item in value.items()}
        case tuple() | list():
            return [plain(item) for item in value]
        case _ if is_dataclass(value):
            return {field.name: plain(getattr(value, field.name)) for field in fields(value)}
        case float():
            return round(value, 6)
        case _:
            return value


def _texts(sentences: Iterable[Sentence], secrets: tuple[str, ...]) -> list[dict[str, Any]]:
    """Lay sentences out with the terms marked in them, but for those that are a piece of a secret."""
    return [
        {"text": it.text, "terms": [plain(term) for term in it.terms if not _piece(term.text, secrets)]}
        for it in sentences
    ]


def _piece(term: str, secrets: tuple[str, ...]) -> bool:
    return len(term) > 3 and any(term in it for it in secrets)
