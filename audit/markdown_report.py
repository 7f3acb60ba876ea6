"""A grounded audit as Markdown for a ticket. Pure; words that are not our own stand escaped or in code."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass

from audit import retold
from audit.decided import NOTHING_DECIDED, Decided, in_words
from audit.markdown import unlinked, upright
from audit.modes import MODES, NOT_JUDGED
from audit.speech import formats
from audit.speech.language import SPEAKS_ENGLISH, Speech
from audit.submission import title_of
from audit.types import Finding, GroundedAudit, Precedent, Refusal, ScoreLine
from audit.withheld import covered, secrets_in
from memory.records import Note, Record


def as_markdown(
    audit: GroundedAudit, speech: Speech = SPEAKS_ENGLISH, decided: Mapping[str, Decided] = NOTHING_DECIDED
) -> str:
    """Write an audit as Markdown; ``decided`` says by record id what had been decided on what became a precedent.

    Secrets are covered.
    """
    return covered("\n".join(_Ticket(audit, speech, decided).lines()), secrets_in([audit]), escape)


@dataclass(frozen=True, slots=True)
class _Ticket:
    audit: GroundedAudit
    speech: Speech
    decided: Mapping[str, Decided]

    def lines(self) -> Iterable[str]:
        audit, say, wording = self.audit, self.speech.say, MODES[self.audit.mode].wording
        loss = retold.losses(audit.history, self.speech)
        moment = formats.moment(self.speech.locale, audit.created_at)
        written = say("Written by {writer} on {moment} UTC", writer=self._writer(), moment=moment)
        return [
            f"# {self._said(wording.title)} · {escape(title_of(audit.submission))}",
            "",
            f"**{self._verdict()}**  ",
            written,
            "",
            self._said(audit.rests_on),
            *_section(
                say("Summary"),
                [self._said(" ".join(it.text for it in audit.summary))] if audit.summary else [],
                bullet="",
            ),
            *_section(say("Score"), map(self._score_row, audit.score_breakdown)),
            *_section(say("Findings"), map(self._finding, audit.findings)),
            *_section(say("Findings with no passage given"), map(self._finding, audit.unproved_findings)),
            "",
            f"## {self._said(wording.precedents_title)}",
            "",
            say("Historical loss: {loss}", loss=escape(loss)),
            *(["", *map(self._precedent, audit.precedents)] if audit.precedents else []),
            *_section(say("What to do next"), [self._said(it.text) for it in audit.advice]),
            *_section(say("Questions to ask"), [self._said(it.text) for it in audit.questions]),
            *_section(say("Notes"), map(self._said, audit.notes)),
            *_section(say("Refused"), map(self._refusal, audit.refusals)),
            "",
        ]

    def _said(self, text: str) -> str:
        return escape(self.speech.said(text))

    def _writer(self) -> str:
        told = retold.writer(self.audit, self.speech)
        return _code(told) if told == self.audit.model else told

    def _verdict(self) -> str:
        if self.audit.verdict == NOT_JUDGED:
            return self._said(self.audit.verdict)
        score = self.speech.say("{score} of 100", score=formats.number(self.speech.locale, self.audit.score))
        return f"{self._said(self.audit.verdict)} · {score}"

    def _score_row(self, it: ScoreLine) -> str:
        return f"{self._said(it.label)} · {retold.points(it, self.speech)} · {self._said(it.reason)}".rstrip(" ·")

    def _finding(self, it: Finding) -> str:
        told = [self.speech.said(it.subject.replace("_", " ")), self.speech.said(it.severity)]
        told += [self.speech.say("line {line}", line=it.line)] if it.line else []
        about = escape(" · ".join(told))
        quote = f" {_code(it.quote)}" if it.quote else ""
        fix = f" **{retold.remedy_label(it, self.speech).strip()}** {self._said(it.fix)}" if it.fix else ""
        return f"**{self._said(it.title)}** ({about}) {self._said(it.explanation)}{quote}{fix}"

    def _precedent(self, it: Precedent) -> str:
        record, say = it.record, self.speech.say
        decided = self.decided.get(record.id)
        lesson = f"{retold.lesson_label(record, self.speech)} · {escape(record.lesson)}" if record.lesson else ""
        theirs, ours = say("Your record says"), self._said(MODES[self.audit.mode].wording.it_says)
        rows = [
            *([f"**{escape(in_words(decided, self.speech))}**"] if decided else []),
            *([lesson] if lesson else []),
            f"{theirs} {_code(it.record_quote)}",
            f"{ours} {_code(it.submission_quote)}",
        ]
        head = f"- **{escape(record.title)}** ({_code(record.id)}) {escape(self._facts(record))}"
        return "\n".join([head, *(f"  - {row}" for row in rows)])

    def _facts(self, record: Record) -> str:
        if isinstance(record.facts, Note):
            return self.speech.said(record.facts.label)
        told = [str(record.year or ""), self.speech.said(record.facts.outcome.label)]
        told += [f"{label} {value}" for label, value in retold.facts(record, self.speech)]
        return " · ".join(it for it in told if it)

    def _refusal(self, it: Refusal) -> str:
        return f"{_code(it.text)} ({escape(self.speech.said(it.field))}) {self._said(it.reason)}"


def _section(title: str, rows: Iterable[str], bullet: str = "- ") -> list[str]:
    told = [f"{bullet}{row}" for row in rows]
    return ["", f"## {title}", "", *told] if told else []


def escape(text: str) -> str:
    """Escape ``text`` so that Markdown shows it on one line: no markup, no bare link, nobody mentioned."""
    return re.sub(r"([\\`*_{}\[\]<>()#+!|~&])", r"\\\1", unlinked(text))


def _code(text: str) -> str:
    folded = " ".join(upright(text).split())
    fence = "`" * (max((len(run) for run in re.findall("`+", folded)), default=0) + 1)
    return f"{fence} {folded} {fence}" if "`" in folded else f"`{folded}`"
