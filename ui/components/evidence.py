"""The pasted text with its evidence marked, beside the findings: a click goes from one to the other.

Everything reaches the browser as data and is put there as text nodes; no pasted word is ever parsed as markup.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import streamlit as st

from audit.types import Finding, GroundedAudit, Precedent
from memory.records import SEVERITIES
from ui.components.segments import Mark, Segment, segments
from ui.components.syntax import tokens
from ui.formats import money, number
from ui.language import _
from ui.looks import LOOKS
from ui.plain import UNSEEN, code_of, revealed
from ui.said import in_english, said

MAX_SHOWN = 200_000
FEW, FEW_LINES = 2, 12
_HERE = Path(__file__).parent
_evidence = st.components.v2.component(
    "precedent.evidence",
    html='<div class="evidence"></div>',
    css=(_HERE / "evidence.css").read_text(encoding="utf-8"),
    js=(_HERE / "evidence.js").read_text(encoding="utf-8"),
)


def show_evidence(audit: GroundedAudit, key: str) -> None:
    """Show the submission with every finding's and every precedent's passage marked."""
    data = evidence_data(audit)
    short = len(data["items"]) < FEW and audit.submission.text.count("\n") < FEW_LINES
    # the box keeps room while the part loads, so that nothing below it jumps
    with st.container(key="evidence-box-short" if short else "evidence-box"):
        _evidence(data=data, key=key)


def evidence_data(audit: GroundedAudit) -> dict[str, Any]:
    """Lay out what the browser shows: pieces of text with their marks, and the list of findings."""
    text = audit.submission.text[:MAX_SHOWN]
    findings = sorted(
        enumerate((*audit.findings, *audit.unproved_findings)), key=lambda it: SEVERITIES.index(it[1].severity)
    )
    items = [_precedent(number, it) for number, it in enumerate(audit.precedents)]
    items += [_finding(number, it, audit.submission.line_in_file(it.line)) for number, it in findings]
    marks = [Mark(f"f{number}", it.span.start, it.span.end, it.severity) for number, it in findings if it.span]
    marks += [Mark(f"p{number}", it.span.start, it.span.end, "precedent") for number, it in enumerate(audit.precedents)]
    is_code = LOOKS[audit.mode].shows_code
    pieces = segments(text, marks, tokens(text, audit.submission.language) if is_code else ())
    return {
        "version": f"{audit.submission.sha256}:{audit.created_at.isoformat()}",
        "code": is_code,
        "label": _("What was pasted, with evidence marked"),
        "words": _words(Counter(it["tone"] for it in items), any(it["passage"] for it in items)),
        "lines": audit.submission.excerpt.lines if audit.submission.excerpt else (),
        "pieces": [shown for it in pieces for shown in _shown(it)],
        "unseen": bool(UNSEEN.search(text)),
        "items": items,
        "cut": len(audit.submission.text) > MAX_SHOWN,
    }


def _words(tones: Counter[str], marked: bool) -> dict[str, str]:
    """Give the words that the browser's part puts around the text; its head counts every item of the list."""
    past = [f"{tones['precedent']} precedent{'s' if tones['precedent'] > 1 else ''}"] if tones["precedent"] else []
    counts = [*past, *(f"{tones[it]} {it}" for it in SEVERITIES if tones[it])]
    return {
        "pasted": _("What was pasted"),
        "pasted_hint": _("click a mark, or a finding: each leads to the other") if marked else "",
        "findings": _("Findings ({count})", count=number(tones.total())),
        "findings_name": _("Findings"),
        "findings_hint": " · ".join(map(said, counts)),
        "none": _("No findings."),
        "missing": _("About what is missing: no passage to show."),
        "unseen": _(
            "Marks that nobody sees, and that may turn or hide text, are shown by their codes, such as U+202E."
        ),
        "cut": _("Only the first {count} characters are shown here; all were read.", count=number(MAX_SHOWN)),
    }


def _shown(piece: Segment) -> Iterator[list[Any]]:
    """Give a piece as the browser shows it, cut at marks that nobody would see: each stands there by its code."""
    tone = min((it.tone for it in piece.marks), key=_weight, default="")
    ids = [it.id for it in piece.marks]
    for part in filter(None, UNSEEN.split(piece.text)):
        yield [code_of(part), "unseen", tone, ids] if UNSEEN.match(part) else [part, piece.style, tone, ids]


def _weight(tone: str) -> int:
    order = ("critical", "high", "medium", "precedent", "low", "info")
    return order.index(tone)


def _finding(number: int, finding: Finding, line: int | None) -> dict[str, Any]:
    return {
        "id": f"f{number}",
        "tone": finding.severity,
        "tag": said(finding.severity),
        "subject": said(finding.subject.replace("_", " ")),
        "title": said(finding.title),
        "where": _("line {line}", line=line) if line else "",
        "quote": revealed(finding.quote) if finding.span else "",
        "passage": finding.span is not None,
        "body": said(finding.explanation),
        "fix": said(finding.fix),
        "remedy": _("Ask: ") if finding.fix.endswith(("?", "？")) else _("Fix: "),
        "english": [name for name in ("title", "explanation", "fix") if in_english(getattr(finding, name))],
        "source": finding.source,
    }


def _precedent(number: int, precedent: Precedent) -> dict[str, Any]:
    record = precedent.record
    told = [said(record.outcome.label) if record.outcome else "", money(record.loss) if record.loss else ""]
    return {
        "id": f"p{number}",
        "tone": "precedent",
        "tag": _("your record"),
        "subject": "",
        "title": f"{record.title}{f' ({record.year})' if record.year else ''}",
        "where": "",
        "quote": revealed(precedent.submission_quote),
        "passage": True,
        "body": _(", ").join(part for part in told if part),
        "fix": "",
        "remedy": "",
        "english": [],
        "source": "",
    }
