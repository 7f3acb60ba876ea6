"""Run one audit: read, recall, judge, ground, keep. The only orchestration."""

from __future__ import annotations

import secrets
from collections.abc import Callable
from dataclasses import dataclass, replace
from datetime import datetime
from enum import StrEnum
from typing import Protocol

from audit.archive import NO_EXCHANGE, Archive, Exchange
from audit.errors import Cancelled
from audit.guard import ground
from audit.llm import rules
from audit.llm.chain import Chain
from audit.llm.errors import Exhausted
from audit.llm.port import Prompt
from audit.modes import Mode, verdict_in_words
from audit.parse import parse
from audit.prompt import build
from audit.quotes import Source
from audit.sentences import closed
from audit.submission import title_of
from audit.turns import STOPPED, turn
from audit.types import Analysis, Attempt, DraftAudit, DraftFinding, GroundedAudit, Submission
from memory.confirm import reconsider
from memory.errors import StoreError
from memory.intake import Intake
from memory.ledger import Ledger
from memory.recall import Recaller
from memory.records import Door, Note
from memory.report import Cue, RecallQuery, RecallReport, RecallState


class Step(StrEnum):
    """Where a running audit is, in words for a page."""

    READING = "Reading what was pasted"
    RECALLING = "Searching your records"
    JUDGING = "Asking the models"
    GROUNDING = "Checking every claim against the records"
    KEEPING = "Keeping the audit"


class Services(Protocol):
    """The parts an audit needs."""

    @property
    def workspace(self) -> str: ...
    @property
    def ledger(self) -> Ledger: ...
    @property
    def recaller(self) -> Recaller: ...
    @property
    def intake(self) -> Intake: ...
    @property
    def archive(self) -> Archive: ...
    @property
    def chain(self) -> Chain: ...
    @property
    def deadline_s(self) -> float:
        """The most that all model calls of one audit may take, in seconds."""
        ...


@dataclass(frozen=True, slots=True)
class SavedAudit:
    """An audit and its id in the archive; ``saved_as`` is None where it is not saved.

    ``problem`` says why an audit that was to be saved is not, or "".
    """

    audit: GroundedAudit
    saved_as: str | None
    problem: str = ""


@dataclass(slots=True)
class _Written:
    """Who wrote the draft, and the exchange that led to it."""

    draft: DraftAudit
    model: str
    attempts: tuple[Attempt, ...] = ()
    notes: tuple[str, ...] = ()
    exchange: Exchange = NO_EXCHANGE


def run_audit(
    services: Services,
    mode: Mode,
    submission: Submission,
    *,
    now: datetime,
    save: bool = True,
    on_step: Callable[[Step, str], None] = lambda step, detail: None,
    cancelled: Callable[[], bool] = lambda: False,
) -> SavedAudit:
    """Audit a submission: the rule analyst reads it, recall searches, a model or the analyst writes, the guard checks.

    ``on_step`` is told each step with a detail, such as the model that is asked. A memory that cannot be searched is
    said in the audit, and a finished audit that cannot be saved is returned with the problem. Raises Cancelled.
    """

    def enter(step: Step, detail: str = "") -> None:
        if cancelled():
            raise Cancelled(STOPPED)
        on_step(step, detail)

    enter(Step.READING)
    with turn(cancelled):
        query = RecallQuery(
            workspace=services.workspace,
            kinds=(mode.fact_kind,),
            text=submission.text,
            language=submission.language,
            needs_cue=mode.needs_cue,
        )
        services.recaller.begin(query)
        analysis = mode.analyse(submission)
        enter(Step.RECALLING)
        query = replace(query, cues=analysis.cues)
        report = services.recaller.recall(query, now)
    enter(Step.JUDGING)
    written = _write(
        services, mode, submission, analysis, report, on_model=lambda it: enter(Step.JUDGING, it), cancelled=cancelled
    )
    enter(Step.GROUNDING)
    with turn(cancelled):
        draft, report = _confirmed_by(_of_added_lines(written.draft, submission), submission, query, report)
        audit = ground(
            draft,
            submission,
            report,
            mode=mode,
            model=written.model,
            attempts=written.attempts,
            now=now,
            notes=(*submission.notes, *analysis.notes, *written.notes, *_evaluated_before(services, submission)),
            judged=analysis.judged,
        )
        if not save:
            return SavedAudit(audit, None)
        enter(Step.KEEPING)
        try:
            return SavedAudit(audit, _keep(services, mode, audit, written.exchange, now))
        except StoreError as error:
            return SavedAudit(audit, None, f"This audit could not be saved; export it if you need it. {error}")


def _write(
    services: Services,
    mode: Mode,
    submission: Submission,
    analysis: Analysis,
    report: RecallReport,
    *,
    on_model: Callable[[str], None],
    cancelled: Callable[[], bool],
) -> _Written:
    """Have the draft written by the first model that answers, or by the rule analyst."""
    nonce = secrets.token_hex(8)
    asked: list[Prompt] = []
    replies: list[str] = []

    def prompt(budget: int) -> Prompt:
        asked.append(build(mode, submission, analysis, report, nonce=nonce, budget=budget))
        return asked[-1]

    def read(reply: str) -> DraftAudit:
        replies.append(reply)
        return parse(reply, mode)

    try:
        answer = services.chain.ask(
            prompt,
            read,
            deadline_s=services.deadline_s,
            on_model=lambda model, at, of: on_model(f"{model} ({at} of {of})"),
            cancelled=cancelled,
        )
    except Exhausted as exhausted:
        return _Written(rules.write_draft(mode, submission, analysis, report), rules.NAME, exhausted.attempts)
    exchange = Exchange(f"{asked[-1].system}\n\n{asked[-1].user}", replies[-1])
    return _Written(answer.draft, answer.model, answer.attempts, answer.notes, exchange)


def _evaluated_before(services: Services, submission: Submission) -> tuple[str, ...]:
    """Say when the same text was last audited, from the archive: an evaluation, and no past of any other kind."""
    try:
        earlier = services.archive.list(services.workspace, sha256=submission.sha256, mode=submission.mode, limit=1)
    except StoreError:
        return ("Whether you evaluated this before was not checked: the archive could not be read.",)
    return tuple(
        f"You evaluated this before, on {it.created_at:%d %B %Y}: {verdict_in_words(it.verdict, it.score)}."
        for it in earlier
    )


def _of_added_lines(draft: DraftAudit, submission: Submission) -> DraftAudit:
    """Leave out what a writer found in the lines that a diff shows but does not add."""
    excerpt = submission.excerpt
    if excerpt is None:
        return draft
    pasted = Source(submission.text)

    def added(it: DraftFinding) -> bool:
        found = pasted.find(it.quote) if it.quote else None
        if found is None:
            return it.line is None or excerpt.adds(it.line)
        return excerpt.adds(pasted.line_of(found.span.start), pasted.line_of(found.span.end))

    return replace(draft, findings=tuple(it for it in draft.findings if added(it)))


def _confirmed_by(
    draft: DraftAudit, submission: Submission, query: RecallQuery, report: RecallReport
) -> tuple[DraftAudit, RecallReport]:
    """Let the flaws that a model found, with the line they stand in, confirm past bugs that were only near."""
    if not query.needs_cue:
        return draft, report
    pasted = Source(submission.text)
    cues = [
        Cue(it.subject, it.title, found.text, pasted.line_of(found.span.start))
        for it in draft.findings
        if it.quote and (found := pasted.find(it.quote))
    ]
    again = reconsider(report, query, cues)
    new = [it for it in again.kept if it not in report.kept]
    return replace(draft, precedents=(*draft.precedents, *rules.precedents_of(submission, new))), again


def _keep(services: Services, mode: Mode, audit: GroundedAudit, exchange: Exchange, now: datetime) -> str:
    """Save the audit and its evaluation in one transaction, and count the use of its precedents.

    The evaluation is derived from what recall had kept before any model was asked, so it is worth at most the least of
    it, whatever the reply rests on.
    """
    with services.ledger.transaction() as tx:
        saved_as = services.archive.save(services.workspace, audit, exchange, tx=tx)
        if audit.recall.state is RecallState.EMBEDDER_CHANGED:
            return saved_as  # the memory takes no new record until it is indexed again
        title = title_of(audit.submission)
        services.intake.remember(
            services.workspace,
            mode.evaluation_kind,
            Note(
                title=title,
                label=mode.wording.evaluation_label,
                text=f"{mode.wording.evaluation_label}: {closed(title)} Verdict: "
                f"{verdict_in_words(audit.verdict, audit.score)}.",
                year=now.year,
            ),
            door=Door.AUDIT,
            source=saved_as,
            author=audit.model,
            now=now,
            derived_from=[it.record.id for it in audit.recall.kept],
            tx=tx,
        )
        services.ledger.note_use(services.workspace, [it.record.id for it in audit.precedents], now, tx=tx)
    return saved_as
