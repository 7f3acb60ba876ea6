"""What pages and reports tell alike of an audit, in the reader's language. Pure."""

from __future__ import annotations

from audit.llm.errors import FailureKind
from audit.llm.rules import NAME as RULES
from audit.speech import formats
from audit.speech.language import Speech
from audit.types import Finding, GroundedAudit, History, ScoreLine
from memory.money import Money
from memory.records import BugFacts, Door, InvestmentFacts, Outcome, Record


def writer(audit: GroundedAudit, speech: Speech) -> str:
    """Name who wrote the audit; where the rule analyst did, say why no model did."""
    if audit.model != RULES:
        return audit.model
    if any(it.outcome != FailureKind.NOT_CONFIGURED.value for it in audit.attempts):
        return speech.say("the rule analyst, as no model answered")
    return speech.say("the rule analyst, as no model is set up")


def facts(record: Record, speech: Speech) -> tuple[tuple[str, str], ...]:
    """Pick the facts that a record is told by, each with its label, but for what it does not know; examples say so."""
    say, it = speech.say, record.facts
    told: list[tuple[str, object]] = []
    match it:
        case InvestmentFacts():
            told = [(say("Sector"), it.sector), (say("Invested"), it.invested), (say("Returned"), it.returned)]
        case BugFacts():
            told = [(say("Weakness"), it.cwe), (say("Severity"), speech.said(it.severity))]
            told += [(say("Language"), it.language)]
    told += [(say("Loss"), record.loss)]
    if record.provenance.door is Door.SEED:
        told += [(say("Source"), say("an example that came with Precedent"))]
    return tuple(
        (label, formats.money(speech.locale, value) if isinstance(value, Money) else str(value))
        for label, value in told
        if isinstance(value, Money) or value
    )


def lesson_label(record: Record, speech: Speech) -> str:
    """Name what a record taught: a lesson, or the fix that worked or did not."""
    if record.outcome is Outcome.FIX_FAILED:
        return speech.say("The fix that failed")
    return speech.say("The fix that worked") if record.outcome is Outcome.FIXED else speech.say("Lesson")


def losses(history: History, speech: Speech) -> str:
    """Say the historical loss: one amount per currency, or that there is none, or that nobody could look."""
    amounts = [formats.money(speech.locale, it) for it in history.losses]
    return speech.say(" and ").join(amounts) or speech.said(history.text)


def points(line: ScoreLine, speech: Speech) -> str:
    """Write what a term of the score gives, out of the most it can give, or takes."""
    given = formats.number(speech.locale, line.points, 1, signed=not line.out_of)
    most = formats.number(speech.locale, line.out_of)
    return speech.say("{points} of {most}", points=given, most=most) if line.out_of else given.replace("-", "−")


def remedy_label(finding: Finding, speech: Speech) -> str:
    """Name what a finding asks for: an answer, or a repair."""
    return speech.say("Ask: ") if finding.fix.endswith(("?", "？")) else speech.say("Fix: ")
