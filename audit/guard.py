"""The guard: the only place where a draft becomes an audit that may be shown. Pure, linear in the draft.

By construction: precedents are recalled facts proved by two verbatim quotes, every fact about the past is read from
their records, and what a writer said of the past in free fields is replaced by what the records say. By heuristic
(``audit.prose``): sentences that claim a past are struck. Whatever is taken out is kept as a ``Refusal``.
"""

from __future__ import annotations

import json
import math
from collections.abc import Mapping, Sequence
from datetime import datetime
from functools import cache
from typing import Any

from pydantic import TypeAdapter, ValidationError

from audit import score
from audit.errors import ArchiveCorrupt
from audit.evidence import Evidence
from audit.fields import Fields
from audit.findings import MOST_FINDINGS, finish_finding, read_finding
from audit.folding import visible
from audit.modes import NOT_JUDGED, Mode
from audit.precedents import prove
from audit.prose import Reader
from audit.quotes import Source
from audit.types import (
    Attempt,
    DraftAudit,
    GroundedAudit,
    History,
    Precedent,
    Rating,
    Submission,
    grounding_permit,
)
from memory.money import total
from memory.records import Kind
from memory.report import RecallReport

MOST_SENTENCES = 40
NONE_FOUND = "None found"
NOT_CHECKED = "not checked"
NO_AMOUNT = "no amount recorded"

_COMPUTED = ("history is computed", "what happened is read from the records alone")
_LEFT_OUT = ("too long to check", "the reply says more here than is read")

NO_SCORE = score.ScoreCard(score.NEUTRAL_RATING * 10, (), "Nothing here could be rated, so there is no score.")

# The name the rule analyst signs with: its findings alone may name the rule they come from.
RULES = "rules"


def ground(
    draft: DraftAudit,
    submission: Submission,
    recall: RecallReport,
    *,
    mode: Mode,
    model: str,
    attempts: Sequence[Attempt],
    now: datetime,
    notes: Sequence[str] = (),
    judged: bool = True,
) -> GroundedAudit:
    """Turn a writer's draft into an audit that may be shown; where it is not ``judged``, without score and verdict.

    Never raises, whatever the draft says: what cannot be proved is refused, each refusal with field, text, rule and
    reason. ``now`` is aware, in UTC.
    """
    source = Source(submission.text)
    proof = prove(draft.precedents, source, recall, mode)
    proved = tuple(it.record for it in proof.precedents)
    evidence = Evidence(
        submission,
        proved,
        (it.record for it in recall.candidates),
        looked=recall.state.looked,
        code=mode.fact_kind is Kind.BUG,
    )
    reader = Reader(evidence)
    fields = Fields(reader)
    fields.refused += proof.refused
    for text in proof.refused_texts:
        reader.taint(text)
    for claim in draft.history_claims:
        reader.taint(claim.text)
        rule, reason = _LEFT_OUT if claim.cut else _COMPUTED
        fields.refuse(claim.field, claim.text, rule, reason)

    summary = fields.read("summary", [draft.summary])
    advice = fields.read("advice", draft.advice[:MOST_SENTENCES])
    questions = fields.read("questions", draft.questions[:MOST_SENTENCES])
    for name, texts in (("advice", draft.advice), ("questions", draft.questions)):
        for text in texts[MOST_SENTENCES:]:
            fields.refuse(name, text, "too many", f"at most {MOST_SENTENCES} are shown")
    readings = [read_finding(fields, at, it) for at, it in enumerate(draft.findings[:MOST_FINDINGS])]
    for at, it in enumerate(draft.findings[MOST_FINDINGS:], MOST_FINDINGS):
        fields.refuse(f"findings[{at}]", it.title, "too many", f"at most {MOST_FINDINGS} are shown")
    rated = _ratings(fields, draft.ratings, mode)
    whys = [
        fields.why(f"precedents[{it.record.id}].why", why, it)
        for why, it in zip(proof.whys, proof.precedents, strict=True)
    ]

    fields.read_again()
    findings = [
        finish_finding(fields, at, it, texts, source, by_rules=model == RULES)
        for at, (it, texts) in enumerate(zip(draft.findings, readings, strict=False))
    ]
    ratings = tuple(Rating(name, value, fields.text(reason)) for name, value, reason in rated)
    precedents = tuple(_with_why(it, fields.text(why)) for it, why in zip(proof.precedents, whys, strict=True))
    shown = tuple(it for it in findings if it is not None)
    card = score.score(mode, ratings, shown, precedents, recall) if judged else NO_SCORE
    with grounding_permit():
        return GroundedAudit(
            mode=mode.name,
            submission=submission,
            created_at=now,
            verdict=mode.verdict(card.score) if judged else NOT_JUDGED,
            score=card.score,
            score_breakdown=card.breakdown,
            rests_on=card.rests_on,
            summary=tuple(fields.final(summary).kept),
            findings=tuple(it for it in shown if it.span is not None),
            unproved_findings=tuple(it for it in shown if it.span is None),
            precedents=precedents,
            history=_history(precedents, recall),
            advice=tuple(fields.final(advice).kept),
            questions=tuple(fields.final(questions).kept),
            refusals=tuple(fields.refused),
            notes=tuple(visible(note) for note in notes),
            recall=recall,
            model=visible(model)[:200],
            attempts=tuple(attempts),
        )


def dump(audit: GroundedAudit) -> bytes:
    """Write an audit as canonical JSON: sorted keys, no spaces, ASCII. ``restore`` reads it back exactly."""
    document = _adapter().dump_python(audit, mode="json")
    return json.dumps(document, sort_keys=True, separators=(",", ":"), ensure_ascii=True).encode("ascii")


def restore(document: Mapping[str, Any] | bytes) -> GroundedAudit:
    """Reopen an audit that ``dump`` wrote. Raises ArchiveCorrupt where the document is no such audit."""
    try:
        content = json.loads(document) if isinstance(document, bytes) else document
        with grounding_permit():
            return _adapter().validate_python(content)
    except (ValueError, ValidationError, RecursionError) as error:
        raise ArchiveCorrupt(
            "This saved audit cannot be read back: it is not the document that was written."
        ) from error


@cache
def _adapter() -> TypeAdapter[GroundedAudit]:
    return TypeAdapter(GroundedAudit)


def _history(precedents: Sequence[Precedent], recall: RecallReport) -> History:
    if not recall.state.looked:
        return History(checked=False, similar_found=False, losses=(), text=NOT_CHECKED)
    losses = total(it.record.loss for it in precedents if it.record.loss is not None and it.record.loss.amount > 0)
    text = NONE_FOUND if not precedents else " and ".join(map(str, losses)) or NO_AMOUNT
    return History(checked=True, similar_found=bool(precedents), losses=losses, text=text)


def _with_why(precedent: Precedent, why: str) -> Precedent:
    return Precedent(
        record=precedent.record,
        record_quote=precedent.record_quote,
        submission_quote=precedent.submission_quote,
        span=precedent.span,
        why=why,
        probability=precedent.probability,
        confidence=precedent.confidence,
        alike=precedent.alike,
    )


def _ratings(fields: Fields, ratings: Sequence[Rating], mode: Mode) -> list[tuple[str, float, int]]:
    known = {dimension.name for dimension in mode.rubric}
    kept: list[tuple[str, float, int]] = []
    for at, rating in enumerate(ratings[4 * len(known) :], 4 * len(known)):
        fields.refuse(f"ratings[{at}]", f"{rating.dimension}: {rating.reason}", "too many", "rated already")
    for at, rating in enumerate(ratings[: 4 * len(known)]):
        name = f"ratings[{at}]"
        if rating.dimension not in known:
            fields.refuse(name, f"{rating.dimension}: {rating.reason}", "unknown dimension", "not in the rubric")
        elif any(rating.dimension == other for other, _, _ in kept):
            fields.refuse(name, f"{rating.dimension}: {rating.reason}", "rated twice", "the first rating counts")
        elif not math.isfinite(rating.value) or not 0 <= rating.value <= 10:
            fields.refuse(name, f"{rating.dimension}: {rating.value}", "not a rating", "a rating is from 0 to 10")
        else:
            kept.append((rating.dimension, float(rating.value), fields.read(f"{name}.reason", [rating.reason])))
    return kept
