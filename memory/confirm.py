"""What confirms that a past bug recurs: its own faulty line, its stack trace, or a finding of its kind. Pure."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

from memory.code_match import recurrence
from memory.flaw_kind import closest, kinds_of
from memory.records import BugFacts, Record
from memory.report import Candidate, Cue, Decision, RecallQuery, RecallReport, RecallState
from memory.stack_trace import find_traces, same_failure

TRACE = "trace:"
"""How the key of a cue begins that is a stack trace's fingerprint."""


@dataclass(frozen=True, slots=True)
class Confirmation:
    """The cue that confirms, and the rule in words. ``recurs`` says that the record's own faulty line was found.

    ``closeness`` (0..1] orders what is confirmed: the very kind before its family, the gravest finding before others.
    """

    cue: Cue
    rule: str
    recurs: bool = False
    closeness: float = 1.0


def confirm(record: Record, query: RecallQuery) -> Confirmation | None:
    """Confirm a past bug in ``query``; None where nothing checkable ties them, however alike they are."""
    if not isinstance(record.facts, BugFacts):
        return None
    facts = record.facts
    again = recurrence(facts, query.text)
    if again is not None:
        cue = Cue(facts.cwe, f"the faulty line of this past bug: {facts.title}", again.quote, again.line)
        return Confirmation(
            cue, f"its faulty line stands in the code again, line {again.line}, and its fix does not", True
        )
    told = "\n".join((facts.symptom, facts.impact, facts.root_cause))
    trace = same_failure(find_traces(query.text), find_traces(told))
    if trace is not None:
        what = f"the stack trace of this past bug: {facts.title}"
        cue = Cue(f"{TRACE}{trace.fingerprint}", what, trace.quote, trace.line)
        return Confirmation(cue, f"the same stack trace, of {trace.error or 'the same failure'}, is in this past bug")
    met = closest(kinds_of(facts), [cue.key for cue in query.cues])
    if met is None:
        return None
    cue = query.cues[met[0]]
    where = f" at line {cue.line}" if cue.line else ""
    return Confirmation(cue, f"a flaw of the same kind, {cue.key}, was found{where}", closeness=met[1])


def reconsider(report: RecallReport, query: RecallQuery, cues: Sequence[Cue]) -> RecallReport:
    """Keep the near records that flaws found after the recall confirm, such as those a model quoted.

    Only what was near can be kept; where nothing is confirmed the report comes back as it was.
    """
    asked = replace(query, cues=tuple(cues))
    confirmed: dict[str, Candidate] = {}
    for it in report.near:
        found = confirm(it.record, asked)
        if found is not None:
            quoted = found.cue.quote or it.passage
            confirmed[it.record.id] = replace(
                it, decision=Decision.KEPT, rule=found.rule, confirmed_by=found.cue, passage=quoted
            )
    if not confirmed:
        return report
    rest = [it for it in report.candidates if it.record.id not in confirmed]
    kept = [it for it in rest if it.decision is Decision.KEPT]
    others = [it for it in rest if it.decision is not Decision.KEPT]
    count = len(kept) + len(confirmed)
    return replace(
        report,
        state=RecallState.FOUND,
        message=f"{count} of your {report.searched} records {'recurs' if count == 1 else 'recur'} here.",
        candidates=(*kept, *confirmed.values(), *others),
    )
