"""A grounded audit as one self-contained HTML page, laid out for two printed pages. Pure; every value is escaped."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from html import escape
from importlib.resources import files

from audit import retold
from audit.decided import NOTHING_DECIDED, Decided, in_words
from audit.markdown import upright
from audit.modes import MODES, NOT_JUDGED, Mode
from audit.speech import formats
from audit.speech.language import SPEAKS_ENGLISH, Speech
from audit.submission import title_of
from audit.types import Finding, GroundedAudit, Precedent, Refusal, ScoreLine, Sentence
from audit.withheld import covered, secrets_in
from memory.records import SEVERITIES

_STYLE = files("audit").joinpath("data", "report.css").read_text(encoding="utf-8")


def as_html(
    audit: GroundedAudit, speech: Speech = SPEAKS_ENGLISH, decided: Mapping[str, Decided] = NOTHING_DECIDED
) -> str:
    """Write an audit as HTML: verdict, history, what was found by severity, what to do, and the score's parts.

    ``decided`` says by record id what the user had decided on what became a precedent. Secrets are covered.
    """
    return covered(_Page(audit, MODES[audit.mode], speech, decided).write(), secrets_in([audit]), e)


@dataclass(frozen=True, slots=True)
class _Page:
    audit: GroundedAudit
    mode: Mode
    speech: Speech
    decided: Mapping[str, Decided]

    def write(self) -> str:
        audit, say = self.audit, self.speech.say
        title = e(title_of(audit.submission))
        findings = sorted((*audit.findings, *audit.unproved_findings), key=lambda it: SEVERITIES.index(it.severity))
        grave = [it for it in findings if it.severity != "info"]
        stated = [it for it in findings if it.severity == "info"]
        moment = formats.moment(self.speech.locale, audit.created_at)
        written = say("Written by {writer} on {moment} UTC", writer=retold.writer(audit, self.speech), moment=moment)
        lost = f"<b>{e(retold.losses(audit.history, self.speech))}</b>"
        loss = say("Historical loss: {loss}", loss=lost)
        foot = (say("Only what stands in your records is called a precedent."), audit.submission.sha256[:16])
        return "".join(
            (
                f"<!doctype html><html lang={self.speech.locale.language}><meta charset=utf-8><title>{title}</title>",
                f"<style>{_STYLE}</style><body class={self.mode.name}>",
                f"<header><div><p class=kind>{self._said(self.mode.wording.title)}</p><h1>{title}</h1>",
                f"<p class=by>{e(written)}</p></div>",
                f"<div class=verdict>{self._score()}<p class=word>{self._said(audit.verdict)}</p></div></header>",
                f"<p class=lead>{self._said(' '.join(it.text for it in audit.summary))}</p>",
                f"<p>{self._said(audit.rests_on)}</p>",
                f"<h2>{self._said(self.mode.wording.precedents_title)}</h2><p>{loss}</p>",
                *map(self._precedent, audit.precedents),
                _list(say("What was found"), "cards", map(self._finding, grave)),
                self._breakdown(),
                "<div class=pair>",
                _list(say("What to do next"), "", self._texts(audit.advice)),
                _list(say("Questions to ask"), "", self._texts(audit.questions)),
                "</div>",
                _list(say("Also stated"), "small", map(self._stated, stated)),
                _list(say("Notes"), "small", map(self._said, audit.notes)),
                _list(say("Refused: said by the writer, and not shown as true"), "small", self._refusals()),
                f"<footer>{e(foot[0])} <code>{foot[1]}</code></footer></html>",
            )
        )

    def _said(self, text: str) -> str:
        """Tell what the core or a writer said; what stays English in another language is marked as English."""
        told = e(self.speech.said(text))
        return f"<span lang=en>{told}</span>" if text and self.speech.left_in_english(text) else told

    def _score(self) -> str:
        if self.audit.verdict == NOT_JUDGED:
            return ""
        score = f"<b>{formats.number(self.speech.locale, self.audit.score)}</b>"
        told = self.speech.say("{score} of 100", score=score)
        return f"<p class=score>{told}</p>"

    def _precedent(self, it: Precedent) -> str:
        record = it.record
        year = f" · {record.year}" if record.year else ""
        said_here, said_there = self._said(self.mode.wording.it_says), e(self.speech.say("Your record says"))
        decided = self.decided.get(record.id)
        behind = f"<p><b>{e(in_words(decided, self.speech))}</b></p>" if decided else ""
        lesson = f"<p><b>{e(retold.lesson_label(record, self.speech))}</b> <q class=told>{e(record.lesson)}</q></p>"
        return (
            f"<section class=card><h3>{e(record.title)}{year}</h3><dl>{''.join(self._facts(it))}</dl>{behind}"
            f"{lesson if record.lesson else ''}<div class=pair>"
            f"<div><p class=small>{said_there}</p><blockquote>{e(it.record_quote)}</blockquote></div>"
            f"<div><p class=small>{said_here}</p>"
            f"<blockquote>{e(it.submission_quote)}</blockquote></div></div></section>"
        )

    def _facts(self, it: Precedent) -> Iterable[str]:
        say, locale = self.speech.say, self.speech.locale
        outcome = it.record.outcome
        told = [(say("Outcome"), self.speech.said(outcome.label))] if outcome else []
        told += retold.facts(it.record, self.speech)
        told += [(say("Likeness"), formats.likeness(locale, it.probability))]
        told += [(say("Trust in the record"), formats.percent(locale, it.confidence))]
        return (f"<div><dt>{e(label)}<dd>{e(value)}</div>" for label, value in told)

    def _finding(self, it: Finding) -> str:
        line = self.speech.say("line {line}", line=it.line)
        where = f" <span class=small>{e(line)}</span>" if it.line else ""
        quote = f"<blockquote>{e(it.quote)}</blockquote>" if it.quote else ""
        fix = f"<p><b>{e(retold.remedy_label(it, self.speech))}</b>{self._said(it.fix)}</p>" if it.fix else ""
        return (
            f"<span class='tag {it.severity}'>{self._said(it.severity)}</span> <b>{self._said(it.title)}</b>{where}"
            f"<p>{self._said(it.explanation)}</p>{quote}{fix}"
        )

    def _stated(self, it: Finding) -> str:
        return f"<b>{self._said(it.title)}</b>" + (f" <q>{e(it.quote)}</q>" if it.quote else "")

    def _breakdown(self) -> str:
        rows = "".join(
            f"<tr><td>{self._said(it.label)}<td class=num>{e(retold.points(it, self.speech))}<td>{_bar(it)}"
            f"<td>{self._said(it.reason)}"
            for it in self.audit.score_breakdown
        )
        head = e(self.speech.say("What the score is made of"))
        return f"<h2>{head}</h2><table>{rows}</table>" if rows else ""

    def _refusals(self) -> Iterable[str]:
        return map(self._refusal, self.audit.refusals)

    def _refusal(self, it: Refusal) -> str:
        return f"<q>{e(it.text)}</q> (<code>{e(it.field)}</code>) {self._said(it.reason)}"

    def _texts(self, sentences: Iterable[Sentence]) -> Iterable[str]:
        return (self._said(it.text) for it in sentences)


def e(text: str) -> str:
    """Escape words that are not our own."""
    return escape(upright(text))


def _bar(it: ScoreLine) -> str:
    share = max(0.0, min(1.0, it.points / it.out_of)) if it.out_of else 0.0
    return f"<meter value={share:.2f}></meter>" if it.out_of else ""


def _list(title: str, look: str, rows: Iterable[str]) -> str:
    """Write a heading with a list of what is HTML already; nothing where the list is empty."""
    told = "".join(f"<li>{it}</li>" for it in rows)
    return f"<div><h2>{e(title)}</h2><ul class='{look}'>{told}</ul></div>" if told else ""
