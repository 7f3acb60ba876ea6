"""A grounded audit as one self-contained HTML page, laid out for two printed pages. Pure; every value is escaped."""

from __future__ import annotations

from collections.abc import Iterable
from html import escape as e
from importlib.resources import files

from audit.modes import MODES, NOT_JUDGED, Mode
from audit.submission import title_of
from audit.types import Finding, GroundedAudit, Precedent, ScoreLine, Sentence
from memory.records import SEVERITIES, BugFacts, InvestmentFacts, Outcome, Record

_STYLE = files("audit").joinpath("data", "report.css").read_text(encoding="utf-8")


def as_html(audit: GroundedAudit) -> str:
    """Write an audit as HTML: verdict, history, what was found by severity, what to do, and the score's parts."""
    mode = MODES[audit.mode]
    title = e(title_of(audit.submission))
    findings = sorted((*audit.findings, *audit.unproved_findings), key=lambda it: SEVERITIES.index(it.severity))
    grave = [it for it in findings if it.severity != "info"]
    stated = [it for it in findings if it.severity == "info"]
    score = "" if audit.verdict == NOT_JUDGED else f"<p class=score><b>{audit.score:.0f}</b> of 100</p>"
    return (
        f"<!doctype html><html lang=en><meta charset=utf-8><title>{title}</title><style>{_STYLE}</style>"
        f"<body class={mode.name}><header><div><p class=kind>{e(mode.wording.title)}</p><h1>{title}</h1>"
        f"<p class=by>Written by {e(_writer(audit.model))} on {audit.created_at:%Y-%m-%d %H:%M} UTC</p></div>"
        f"<div class=verdict>{score}<p class=word>{e(audit.verdict)}</p></div></header>"
        f"<p class=lead>{e(' '.join(it.text for it in audit.summary))}</p><p>{e(audit.rests_on)}</p>"
        f"<h2>{e(mode.wording.precedents_title)}</h2><p>Historical loss: <b>{e(audit.history.text)}</b></p>"
        f"{''.join(_precedent(it, mode) for it in audit.precedents)}"
        f"{_list('What was found', 'cards', map(_finding, grave))}"
        f"{_score(audit.score_breakdown)}"
        f"<div class=pair>{_list('Advice', '', _texts(audit.advice))}"
        f"{_list('Questions', '', _texts(audit.questions))}</div>"
        f"{_list('Also stated', 'small', map(_stated, stated))}"
        f"{_list('Notes', 'small', map(e, audit.notes))}"
        f"{_list('Refused: said by the writer, and not shown as true', 'small', _refused(audit))}"
        f"<footer>Only what stands in the user's records is called a precedent. Text {audit.submission.sha256[:16]}."
        "</footer></html>"
    )


def _writer(model: str) -> str:
    return "the rule analyst" if model == "rules" else model


def _precedent(it: Precedent, mode: Mode) -> str:
    record = it.record
    year = f" · {record.year}" if record.year else ""
    facts = "".join(f"<div><dt>{e(label)}<dd>{e(value)}</div>" for label, value in _facts(it))
    return (
        f"<section class=card><h3>{e(record.title)}{year}</h3><dl>{facts}</dl>"
        f"<p><b>{_lesson_label(record)}:</b> {e(record.lesson)}</p><div class=pair>"
        f"<div><p class=small>The record says</p><blockquote>{e(it.record_quote)}</blockquote></div>"
        f"<div><p class=small>This {e(mode.wording.submission)} says</p>"
        f"<blockquote>{e(it.submission_quote)}</blockquote></div></div></section>"
    )


def _facts(it: Precedent) -> list[tuple[str, str]]:
    """List a precedent's short facts, those that its record knows."""
    record, facts = it.record, it.record.facts
    outcome = record.outcome.label if record.outcome else ""
    match facts:
        case InvestmentFacts():
            told = [("Sector", facts.sector), ("Invested", facts.invested), ("Returned", facts.returned)]
        case BugFacts():
            told = [("Weakness", facts.cwe), ("Severity", facts.severity), ("Language", facts.language)]
        case _:
            told = []
    told = [("Outcome", outcome), *told, ("Loss", record.loss)]
    told += [("Likeness", f"{min(0.99, it.probability):.0%}"), ("Trust in the record", f"{it.confidence:.0%}")]
    return [(label, str(value)) for label, value in told if value]


def _lesson_label(record: Record) -> str:
    if record.outcome is Outcome.FIX_FAILED:
        return "The fix that failed"
    return "The fix that worked" if record.outcome is Outcome.FIXED else "Lesson"


def _finding(it: Finding) -> str:
    where = f" <span class=small>line {it.line}</span>" if it.line else ""
    quote = f"<blockquote>{e(it.quote)}</blockquote>" if it.quote else ""
    remedy = "Ask" if it.fix.endswith(("?", "？")) else "Do"
    fix = f"<p><b>{remedy}:</b> {e(it.fix)}</p>" if it.fix else ""
    return (
        f"<span class='tag {it.severity}'>{e(it.severity)}</span> <b>{e(it.title)}</b>{where}"
        f"<p>{e(it.explanation)}</p>{quote}{fix}"
    )


def _stated(it: Finding) -> str:
    return f"<b>{e(it.title)}</b>" + (f": “{e(it.quote)}”" if it.quote else "")


def _score(lines: Iterable[ScoreLine]) -> str:
    rows = "".join(f"<tr><td>{e(it.label)}<td class=num>{_points(it)}<td>{_bar(it)}<td>{e(it.reason)}" for it in lines)
    return f"<h2>What the score is made of</h2><table>{rows}</table>" if rows else ""


def _points(it: ScoreLine) -> str:
    return f"{it.points:.1f} of {it.out_of:.0f}" if it.out_of else f"{it.points:+.1f}".replace("-", "−")


def _bar(it: ScoreLine) -> str:
    share = max(0.0, min(1.0, it.points / it.out_of)) if it.out_of else 0.0
    return f"<meter value={share:.2f}>{share:.0%}</meter>" if it.out_of else ""


def _refused(audit: GroundedAudit) -> Iterable[str]:
    return (f"<q>{e(it.text)}</q> ({e(it.field)}): {e(it.reason)}" for it in audit.refusals)


def _texts(sentences: Iterable[Sentence]) -> Iterable[str]:
    return (e(it.text) for it in sentences)


def _list(title: str, look: str, rows: Iterable[str]) -> str:
    """Write a heading with a list of what is HTML already; nothing where the list is empty."""
    told = "".join(f"<li>{it}</li>" for it in rows)
    return f"<div><h2>{title}</h2><ul class='{look}'>{told}</ul></div>" if told else ""
