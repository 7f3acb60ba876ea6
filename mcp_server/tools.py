"""The tools: each checks, calls the services and says what its answer is. Failures become messages that teach."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import replace
from datetime import UTC, datetime
from typing import Annotated, Literal

from mcp.server.mcpserver.exceptions import ToolError
from pydantic import AfterValidator, Field

from audit import languages
from audit.diff_triage import triage_diff
from audit.errors import AuditError
from audit.judge import read
from audit.modes import BUG, INVESTMENT, MODES, Mode
from audit.service import run_audit
from audit.types import Submission
from mcp_server.inputs import (
    LEAST_SAID,
    LONGEST_QUERY,
    LONGEST_SUBMISSION,
    OutcomeFilter,
    RecordInput,
    Year,
    facts_json,
    said,
)
from mcp_server.views import (
    AuditView,
    DiffView,
    ExplainedView,
    ForgottenView,
    RecordView,
    SearchView,
    WrittenView,
    audit_view,
    diff_view,
    match_view,
    record_view,
)
from memory.errors import StoreError
from memory.facts import from_json
from memory.records import Door, Kind, Record, Status, render
from memory.report import Candidate, RecallQuery, RecallReport
from wiring import Services

Query = Annotated[str, Field(min_length=3, max_length=LONGEST_QUERY, description="a deck, an idea, code or a question")]
Submitted = Annotated[str, Field(min_length=1, max_length=LONGEST_SUBMISSION)]
RecordId = Annotated[
    str, Field(min_length=1, max_length=64, description="the id of a record, as memory_search gives it")
]
FactKind = Annotated[Literal["investment", "bug"], Field(description="which history to search")]
Said = Annotated[str, Field(min_length=LEAST_SAID, max_length=300), AfterValidator(said)]
Name = Annotated[str, Field(max_length=300, description="a file name; it tells the language of code")]

_WORD = re.compile(r"[^\W\d_]{4,}")
_HELD_LOOKED_AT = 500
_MOST_UNVERIFIED = 5
_AUTHOR = "agent"


class Tools:
    """The tools over one product's services. Every method is a tool; none takes a workspace."""

    def __init__(self, services: Services, *, read_only: bool = False) -> None:
        self._services = services
        self._read_only = read_only

    def memory_search(
        self,
        query: Query,
        kind: FactKind,
        top_k: Annotated[int, Field(ge=1, le=12)] = 5,
        outcome: OutcomeFilter = None,
        year_from: Year | None = None,
        year_to: Year | None = None,
    ) -> SearchView:
        """Search the user's own past investments or resolved bugs. An empty list of records means: not in the history.

        Only ``records`` happened and may be cited. ``near`` are not precedents. ``unverified`` were brought by agents
        and no person has confirmed them: never state them as facts.
        """
        if year_from is not None and year_to is not None and year_from > year_to:
            raise ToolError("year_from must not lie after year_to.")
        with _teaching():
            report = self._recall(query, MODES[kind])

            def wanted(record: Record) -> bool:
                year = record.year
                return (
                    (outcome is None or record.outcome == outcome)
                    and (year_from is None or (year is not None and year >= year_from))
                    and (year_to is None or (year is not None and year <= year_to))
                )

            def views(candidates: Sequence[Candidate]) -> list[Candidate]:
                return [it for it in candidates if wanted(it.record)][:top_k]

            return SearchView(
                state=report.state.value,
                message=report.message,
                searched=report.searched,
                records=[match_view(it) for it in views(report.kept)],
                near=[match_view(it) for it in views(report.near)],
                unverified=[record_view(it) for it in self._unverified(query, Kind(kind)) if wanted(it)][:top_k],
            )

    def memory_explain(self, query: Query, record_id: RecordId) -> ExplainedView:
        """Say why one record was or was not recalled for a query: its scores, the rule, or where it stands."""
        with _teaching():
            record = self._record(record_id)
            mode = next((it for it in MODES.values() if it.fact_kind is record.kind), None)
            if mode is None:
                reason = f"it is of kind {record.kind.value}, which is never recalled as history"
                return self._explained(record, False, reason)
            if record.status is not Status.ACTIVE:
                return self._explained(record, False, _STANDING[record.status])
            report = self._recall(query, mode)
            found = next((it for it in report.candidates if it.record.id == record.id), None)
            if found is None and (twin := _stood_in_for(record, report.candidates)):
                reason = f"record {twin.record.id} says nearly the same and stands in for it; of that one: {twin.rule}"
                return ExplainedView(
                    record=record_view(record),
                    recalled=False,
                    reason=reason,
                    match=match_view(twin),
                    state=report.state.value,
                )
            if found is None:
                reason = report.message if not report.state.looked else "it was not near enough to be looked at"
                return self._explained(record, False, reason, state=report.state.value)
            kept = any(it.record.id == record.id for it in report.kept)
            view = match_view(found)
            return ExplainedView(
                record=view.record, recalled=kept, reason=found.rule, match=view, state=report.state.value
            )

    def memory_write(
        self,
        record: RecordInput,
        source: Annotated[Said, Field(description="where this comes from: a URL, a file, who said it")],
    ) -> WrittenView:
        """Put something into the memory. It is held as unverified and not recalled until a person confirms it."""
        with _teaching():
            kind, data = facts_json(record)
            stored = self._services.intake.remember(
                self._services.workspace,
                kind,
                from_json(kind, data),
                door=Door.AGENT,
                source=source,
                author=_AUTHOR,
                now=_now(),
            )
            return WrittenView(record=record_view(stored), message=_WRITTEN[stored.status])

    def memory_forget(self, record_id: RecordId, reason: Said) -> ForgottenView:
        """Withdraw a record that an agent brought and no person has confirmed. It is archived; nothing is deleted."""
        with _teaching():
            record = self._record(record_id)
            if record.provenance.door is not Door.AGENT or record.status is Status.ACTIVE:
                raise ToolError(_NOT_AN_AGENTS.format(title=record.title, whose=_whose(record)))
            if record.protected:
                raise ToolError(f"Record {record_id} is protected. Only a person can archive it, on the memory page.")
            message = _WITHDRAWN
            if record.status is Status.HELD:
                record = self._services.ledger.set_status(
                    self._services.workspace, record.id, Status.ARCHIVED, author=_AUTHOR, reason=reason, at=_now()
                )
            else:
                message = f"Nothing was changed, it is out of recall already: {_STANDING[record.status]}."
            return ForgottenView(id=record.id, title=record.title, status=record.status.value, message=message)

    def audit_investment(
        self, deck: Annotated[Submitted, Field(description="the text of a deck, memo or e-mail")], name: Name = ""
    ) -> AuditView:
        """Audit a pitch against the user's own past investments: an evaluation, whose precedents alone are facts."""
        return self._audit(INVESTMENT, deck, name)

    def triage_code(
        self, code: Annotated[Submitted, Field(description="a function, a file or a stack trace")], name: Name = ""
    ) -> AuditView:
        """Review code against the user's own resolved bugs: an evaluation, whose precedents alone are facts."""
        return self._audit(BUG, code, name)

    def triage_diff(
        self, diff: Annotated[Submitted, Field(description="what `git diff` prints, from `diff --git` on")]
    ) -> DiffView:
        """Review the lines a git diff adds against the user's own resolved bugs; kept lines are context only."""
        with _teaching():
            return diff_view(triage_diff(self._services, diff, now=_now(), save=not self._read_only))

    def _audit(self, mode: Mode, text: str, name: str) -> AuditView:
        with _teaching():
            handed = read(mode, text, name)
            if not isinstance(handed, Submission):
                raise ToolError("This is a git diff. Send it to triage_diff, which judges its added lines alone.")
            return audit_view(run_audit(self._services, mode, handed, now=_now(), save=not self._read_only))

    def _recall(self, query: str, mode: Mode) -> RecallReport:
        bare = Submission(mode.name, query, "")
        submission = replace(bare, language=mode.language_of(query, ""))
        in_words = mode.needs_cue and languages.guess(query).prose
        return self._services.recaller.recall(
            RecallQuery(
                workspace=self._services.workspace,
                kinds=(mode.fact_kind,),
                text=query,
                cues=mode.analyse(submission).cues,
                language=submission.language,
                needs_cue=mode.needs_cue and not in_words,
            ),
            _now(),
        )

    def _unverified(self, query: str, kind: Kind) -> list[Record]:
        """Find held records that share at least two words with the query, the most alike first."""
        asked = {word.lower() for word in _WORD.findall(query)}
        page = self._services.ledger.find(
            self._services.workspace, kinds=[kind], statuses=(Status.HELD,), limit=_HELD_LOOKED_AT
        )
        shared = [(len(asked & {word.lower() for word in _WORD.findall(render(it))}), it) for it in page.records]
        enough = [(count, it) for count, it in shared if count >= min(2, len(asked)) and count]
        return [it for _, it in sorted(enough, key=lambda pair: (-pair[0], pair[1].id))][:_MOST_UNVERIFIED]

    def _record(self, record_id: str) -> Record:
        record = self._services.ledger.get(self._services.workspace, [record_id]).get(record_id)
        if record is None:
            raise ToolError(
                f"There is no record {record_id!r} in this workspace. memory_search gives the ids that exist."
            )
        return record

    def _explained(self, record: Record, recalled: bool, reason: str, state: str = "") -> ExplainedView:
        view: RecordView = record_view(record)
        return ExplainedView(record=view, recalled=recalled, reason=reason, match=None, state=state)


_WRITTEN = {
    Status.HELD: "Held as unverified. It is not history until a person confirms it on the memory page.",
    Status.QUARANTINED: "Set apart, because its text speaks to a model. A person looks at it on the memory page.",
    Status.ACTIVE: "You brought this before, and a person has confirmed it. Nothing was written again.",
    Status.ARCHIVED: "You brought this before, and it is archived. Nothing was written again; a person can restore it.",
    Status.FORGOTTEN: "You brought this before, and a person turned it down. Nothing was written again.",
}
_NOT_AN_AGENTS = (
    "“{title}” is {whose}, and an agent may withdraw only what agents brought and nobody has confirmed. Nothing was "
    "changed. A person can archive it on the memory page; tell them why."
)
_WITHDRAWN = "Archived, not deleted: it no longer waits for a person. A person can restore it on the memory page."
_STANDING = {
    Status.HELD: "it is held: unverified, waiting for a person",
    Status.QUARANTINED: "it is quarantined, waiting for a person",
    Status.ARCHIVED: "it is archived; a person can restore it",
    Status.FORGOTTEN: "it was forgotten",
}


def _stood_in_for(record: Record, candidates: Sequence[Candidate]) -> Candidate | None:
    """Find the candidate that near duplicates of this name were folded into."""
    return next((it for it in candidates if it.alike and it.record.title.casefold() == record.title.casefold()), None)


def _whose(record: Record) -> str:
    if record.provenance.door is Door.AGENT:
        return "confirmed by a person"
    return "an evaluation of a saved audit" if record.provenance.door is Door.AUDIT else "the user's own record"


def _now() -> datetime:
    return datetime.now(UTC)


@contextmanager
def _teaching() -> Iterator[None]:
    """Turn our failures into messages for the caller; a message of ours is safe to show."""
    try:
        yield
    except (StoreError, AuditError) as error:
        raise ToolError(str(error)) from error
