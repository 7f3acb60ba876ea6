"""What tools answer: structured results that say what they are."""

from __future__ import annotations

from typing import Any, Literal

from pydantic import BaseModel, ConfigDict, Field

from audit.diff_triage import DiffTriage
from audit.documents import page_of
from audit.service import SavedAudit
from audit.types import Finding, Precedent
from audit.withheld import all_covered, secrets_in
from memory.confidence import vouched_for
from memory.facts import to_json
from memory.records import Record
from memory.report import Candidate

Nature = Literal["fact", "evaluation", "observation", "preference"]


class View(BaseModel):
    """A value that leaves the server."""

    model_config = ConfigDict(extra="forbid", frozen=True)


class RecordView(View):
    """One record: what it is, how far it is trusted, where it came from, and what it says."""

    id: str
    kind: str
    nature: Nature = Field(description="only a fact may be cited as something that happened")
    verified: bool = Field(description="false: no person has vouched for it, or it waits for one to settle a doubt")
    status: str
    confidence: float = Field(ge=0, le=1)
    source: str
    title: str
    year: int | None
    outcome: str
    loss: str
    lesson: str
    facts: dict[str, Any]


class MatchView(View):
    """A record that recall looked at and how it decided."""

    record: RecordView
    decision: Literal["kept", "near", "dropped"]
    rule: str
    probability: float
    similarity: float
    matched_terms: list[str]
    confirmed_by: str
    passage: str


class SearchView(View):
    """The answer to a search. Only ``records`` are history; ``near`` are no precedents, ``unverified`` no facts."""

    state: Literal["found", "none_relevant", "no_records", "unavailable", "embedder_changed"]
    message: str
    searched: int
    records: list[MatchView]
    near: list[MatchView]
    unverified: list[RecordView]


class WrittenView(View):
    """What became of a write."""

    record: RecordView
    message: str


class ForgottenView(View):
    """What became of a forget."""

    id: str
    title: str
    status: str
    message: str


class ExplainedView(View):
    """Why a record was or was not recalled for a query."""

    record: RecordView
    recalled: bool
    reason: str
    match: MatchView | None
    state: str


class FindingView(View):
    """A finding with its passage. ``proved`` is false where no passage of the submission bears it."""

    subject: str
    title: str
    severity: str
    line: int | None
    place: str
    quote: str
    explanation: str
    fix: str
    proved: bool


class PrecedentView(View):
    """A past record proved to be a precedent by two quotes; everything about the past is read from the record."""

    record: RecordView
    record_quote: str
    submission_quote: str
    why: str = Field(description="the writer's reading, no fact")
    probability: float


class AuditView(View):
    """An audit. It is an evaluation, never a fact; ``precedents`` alone are facts."""

    what_this_is: Literal["evaluation"]
    mode: str
    verdict: str
    score: float = Field(ge=0, le=100)
    rests_on: str
    summary: str
    findings: list[FindingView]
    history_checked: bool
    similar_found: bool
    historical_loss: str
    precedents: list[PrecedentView]
    advice: list[str]
    questions: list[str]
    refused: list[str]
    notes: list[str]
    model: str
    saved_as: str | None


class DiffFindingView(View):
    """A finding on an added line of a diff, under the file's own line number."""

    path: str
    line: int | None
    subject: str
    title: str
    severity: str
    quote: str
    fix: str


class RepeatView(View):
    """A past bug, confirmed, that recurs on an added line of a diff."""

    path: str
    line: int
    quote: str
    record: RecordView


class DiffView(View):
    """A triaged diff. It is an evaluation, never a fact; the records of ``repeats`` alone are facts."""

    what_this_is: Literal["evaluation"]
    repeats: list[RepeatView]
    findings: list[DiffFindingView]
    files: list[str]
    history_checked: bool
    notes: list[str]


def diff_view(triage: DiffTriage) -> DiffView:
    """Lay a triaged diff out for an agent, with its secrets covered."""
    told = DiffView(
        what_this_is="evaluation",
        repeats=[
            RepeatView(
                path=it.path,
                line=it.line,
                quote=it.precedent.submission_quote,
                record=record_view(it.precedent.record),
            )
            for it in triage.repeats
        ],
        findings=[
            DiffFindingView(
                path=it.path,
                line=it.line,
                subject=it.finding.subject,
                title=it.finding.title,
                severity=it.finding.severity,
                quote=it.finding.quote,
                fix=it.finding.fix,
            )
            for it in triage.findings
        ],
        files=[it.file.path for it in triage.files],
        history_checked=all(it.saved.audit.history.checked for it in triage.files),
        notes=list(triage.notes),
    )
    return DiffView.model_validate(all_covered(told.model_dump(), secrets_in(it.saved.audit for it in triage.files)))


def record_view(record: Record) -> RecordView:
    """Lay a record out for an agent."""
    return RecordView(
        id=record.id,
        kind=record.kind.value,
        nature=record.kind.nature.value,
        verified=vouched_for(record),
        status=record.status.value,
        confidence=record.confidence,
        source=record.provenance.source,
        title=record.title,
        year=record.year,
        outcome=record.outcome.label if record.outcome else "",
        loss=str(record.loss) if record.loss else "",
        lesson=record.lesson,
        facts=to_json(record.facts),
    )


def match_view(candidate: Candidate) -> MatchView:
    """Lay out what recall decided about one record."""
    return MatchView(
        record=record_view(candidate.record),
        decision=candidate.decision.value,
        rule=candidate.rule,
        probability=round(candidate.probability, 4),
        similarity=round(candidate.similarity, 4),
        matched_terms=list(candidate.matched_terms),
        confirmed_by=candidate.confirmed_by.key if candidate.confirmed_by else "",
        passage=candidate.passage,
    )


def audit_view(saved: SavedAudit) -> AuditView:
    """Lay an audit out for an agent, with its secrets covered."""
    audit = saved.audit
    text = audit.submission.text
    told = AuditView(
        what_this_is="evaluation",
        mode=audit.mode,
        verdict=audit.verdict,
        score=audit.score,
        rests_on=audit.rests_on,
        summary=" ".join(sentence.text for sentence in audit.summary),
        findings=[
            *(_finding(it, text, proved=True) for it in audit.findings),
            *(_finding(it, text, proved=False) for it in audit.unproved_findings),
        ],
        history_checked=audit.history.checked,
        similar_found=audit.history.similar_found,
        historical_loss=audit.history.text,
        precedents=[_precedent(it) for it in audit.precedents],
        advice=[sentence.text for sentence in audit.advice],
        questions=[sentence.text for sentence in audit.questions],
        refused=[f"{it.field}: {it.text} ({it.reason})" for it in audit.refusals],
        notes=list(audit.notes),
        model=audit.model,
        saved_as=saved.saved_as,
    )
    return AuditView.model_validate(all_covered(told.model_dump(), secrets_in([audit])))


def _finding(finding: Finding, text: str, *, proved: bool) -> FindingView:
    return FindingView(
        subject=finding.subject,
        title=finding.title,
        severity=finding.severity,
        line=finding.line,
        place=page_of(text, finding.span.start) if finding.span else "",
        quote=finding.quote,
        explanation=finding.explanation,
        fix=finding.fix,
        proved=proved,
    )


def _precedent(precedent: Precedent) -> PrecedentView:
    return PrecedentView(
        record=record_view(precedent.record),
        record_quote=precedent.record_quote,
        submission_quote=precedent.submission_quote,
        why=precedent.why,
        probability=round(precedent.probability, 4),
    )
