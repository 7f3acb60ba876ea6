"""Check findings: the passage found in the submission, the labels of a known form, the text read as prose. Pure."""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import get_args

from audit.fields import Fields
from audit.names import ordinary
from audit.quotes import Source, substantial
from audit.types import DraftFinding, Finding, Span
from audit.word_kinds import Word, kinds_of
from memory.records import Severity

MOST_FINDINGS = 60
_SEVERITIES: tuple[str, ...] = get_args(Severity)
_LONGEST_LABEL = 60
_CWE = re.compile(r"CWE-\d{1,4}", re.IGNORECASE)
_SLUG = re.compile(r"[a-z]{2,20}(?:[_-][a-z]{1,20}){0,5}")
_OF_A_PAST = Word.READER | Word.HOLDER | Word.STORE | Word.EARLIER | Word.TWIN | Word.REPEAT
_RULE = re.compile(r"[a-z]+:[A-Za-z0-9_.:-]{1,80}")


def read_finding(fields: Fields, at: int, it: DraftFinding) -> dict[str, int]:
    """Read the prose of the finding at place ``at``; the numbers are those of the fields."""
    texts = {"title": it.title, "explanation": it.explanation, "fix": it.fix}
    if not _is_label(it.subject):
        slug = _SLUG.fullmatch(it.subject) is not None
        texts["subject"] = re.sub("[_-]", " ", it.subject) if slug else it.subject[:400]
    return {key: fields.read(f"findings[{at}].{key}", [text]) for key, text in texts.items()}


def finish_finding(
    fields: Fields, at: int, it: DraftFinding, read: Mapping[str, int], source: Source, *, by_rules: bool
) -> Finding | None:
    """Make a finding of what may be shown; None where nothing is left of it.

    A quote that is not found leaves ``span`` None. ``by_rules`` says that our own rules wrote it and may name the rule.
    """
    text = {key: " ".join(fields.text(reading).split()) for key, reading in read.items() if key in {"title", "subject"}}
    explanation, fix = fields.text(read["explanation"]), fields.text(read["fix"])
    subject = text.get("subject", it.subject)[:_LONGEST_LABEL] or "other"
    if not (text["title"] or explanation or fix):
        return None
    severity: Severity = it.severity
    if severity not in _SEVERITIES:
        fields.refuse(f"findings[{at}].severity", severity, "not a severity", "counted as medium")
        severity = "medium"
    quote, span, line = _passage(fields, at, it, source)
    named = by_rules and _RULE.fullmatch(it.source) is not None
    if not named and it.source not in {"", "model"}:
        fields.refuse(f"findings[{at}].source", it.source, "not a rule", "only a rule's finding may name the rule")
    return Finding(
        subject=subject,
        title=text["title"] or subject,
        severity=severity,
        quote=quote,
        span=span,
        line=line,
        explanation=explanation,
        fix=fix,
        source=it.source if named else "model",
    )


def _is_label(subject: str) -> bool:
    """True for a CWE or a slug of common words, which say nothing of a past."""
    if _CWE.fullmatch(subject):
        return True
    words = re.findall("[a-z]+", subject)
    if _SLUG.fullmatch(subject) is None or not all(map(ordinary, words)):
        return False
    return not any(kinds_of(word, "en") & _OF_A_PAST for word in words)


def _passage(fields: Fields, at: int, it: DraftFinding, source: Source) -> tuple[str, Span | None, int | None]:
    """Find a finding's passage: on the line it names, or the only place where the quote stands."""
    name = f"findings[{at}].quote"
    if not it.quote.strip():
        return "", None, None
    places = list(source.occurrences(it.quote))
    if not places:
        fields.refuse(name, it.quote, "quote not found", "these words do not stand in the submission")
        return "", None, None
    vague = len(places) > 1 and it.line is None and not substantial(it.quote)
    if vague or not any(map(str.isalnum, it.quote)):
        fields.refuse(name, it.quote, "quote too short", "the quote is too short to point at one passage")
        return "", None, None
    for place in places:
        first, last = source.line_of(place.span.start), source.line_of(place.span.end - 1)
        if it.line is None or first <= it.line <= last:
            return place.text, place.span, first
    if len(places) > 1:
        reason = f"not on line {it.line}, and on more than one other line"
        fields.refuse(name, it.quote, "line and quote disagree", reason)
        return "", None, None
    return places[0].text, places[0].span, source.line_of(places[0].span.start)
