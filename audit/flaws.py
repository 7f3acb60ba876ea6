"""Rule analyst for code: what its rules find, each with kind, line, quote and fix, and what that makes of the code."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Sequence

from audit import languages
from audit.code import bandit_rules, engine, source
from audit.code.flows import Level
from audit.code.rulebook import LineRule, line_rules, narrower_kinds, rules_for, weaknesses
from audit.types import Analysis, DraftFinding, Excerpt, Rating, Submission
from memory.records import GRAVE, SEVERITIES, Severity
from memory.report import Cue
from memory.stack_trace import StackTrace, a_call_alone, find_traces

_MAX_FINDINGS = 60
_MOST_TRACES = 3
_WEIGHTS: dict[Severity, float] = {"critical": 6.0, "high": 4.0, "medium": 2.0, "low": 0.7, "info": 0.2}
_DIMENSIONS = ("security", "correctness", "robustness")


def analyse(submission: Submission) -> Analysis:
    """Find flaws in code, each with its CWE (or a slug where none fits), its line (from 1) and that line as quote.

    Of the part of a file that a diff shows, only flaws on added lines. Stack traces are left to the recall, which
    knows them again by their frames; they and prose are not judged.
    """
    stated = languages.known(submission.language) or languages.by_file_name(submission.name)
    other = "" if stated else languages.other_by_file_name(submission.name)
    guess = languages.Guess(stated, prose=False) if stated or other else languages.guess(submission.text)
    traces = find_traces(submission.text)
    if traces and (guess.prose or _mostly_trace(submission.text, guess.language)):
        return _trace(traces)
    if guess.prose:
        return _not_code()
    language = guess.language
    code = source.read(submission.text, language)
    notes = [*code.notes, *(_told(it) for it in traces[:1])]
    if other:
        notes.append(f"{other} is not among the languages that are read; its lines were read one by one.")
    elif not stated:
        label = languages.LABELS.get(language, "")
        notes.append(
            f"Read as {label}, by guess." if label else "The language was not recognised; lines were read one by one."
        )
    found = _by_rules(code) + (_by_bandit(code) if language == "python" else [])
    if code.unread:
        found += _by_lines(code)
        if code.mostly_unread and language:
            notes.append(f"Most of this does not parse as {languages.LABELS[language]}; it was read line by line.")
        elif language:
            notes.append("Parts of this do not parse; those were read line by line.")
    excerpt = submission.excerpt
    findings = _sorted(it for it in _once(found) if excerpt is None or it.line is None or excerpt.adds(it.line))
    return Analysis(
        summary=_summary(findings, code, excerpt),
        findings=tuple(findings[:_MAX_FINDINGS]),
        ratings=_ratings(findings, code),
        cues=_cues(findings[:_MAX_FINDINGS], language),
        notes=tuple(notes),
    )


def why_no_code(submission: Submission) -> str:
    """Say why a submission cannot be judged as code, or "" where it can, or is at least a stack trace."""
    text, name = submission.text, submission.name
    if languages.by_file_name(name) or languages.other_by_file_name(name) or find_traces(text):
        return ""
    prose = not languages.known(submission.language) and languages.guess(text).prose
    if a_call_alone(text) and (prose or _mostly_trace(text, submission.language)):
        return CALL_ALONE
    return NOT_CODE if prose else ""


CALL_ALONE = (
    "This is a single call of a stack trace, which many failures share. Paste the trace whole, with two calls or more, "
    "or the code that failed."
)
NOT_CODE = "This looks like prose, not code. There is nothing to judge here; a deck belongs in Investment audit."


def _not_code() -> Analysis:
    return Analysis(summary="This looks like prose, not code; nothing was looked for.", notes=(NOT_CODE,), judged=False)


def _trace(traces: Sequence[StackTrace]) -> Analysis:
    return Analysis(
        summary="This is a stack trace; no code was pasted to look for flaws in.",
        notes=tuple(_told(it) for it in traces[:_MOST_TRACES]),
        judged=False,
    )


def _told(trace: StackTrace) -> str:
    where = trace.frames[-1]
    place = " in ".join(part for part in (where.function, where.file) if part)
    calls = "1 call" if len(trace.frames) == 1 else f"{len(trace.frames)} calls"
    return (
        f"Read as a stack trace of {trace.error or 'an unnamed error'}: {calls} of the program's own, the innermost "
        f"{place}. It is known again by these, whatever its line numbers, folders and message say."
    )


def _mostly_trace(text: str, language: str) -> bool:
    """Say whether a text that holds stack traces is little else: most of its lines stand in no tree."""
    return source.read(text, language).mostly_unread


def _by_rules(code: source.Source) -> list[DraftFinding]:
    return [
        DraftFinding(
            subject=hit.rule.subject,
            title=hit.rule.title,
            severity=_severity(hit.rule.severity, hit.level),
            quote=code.line(hit.line),
            line=hit.line,
            explanation=hit.rule.message,
            fix=hit.rule.fix,
            source=f"rule:{hit.rule.id}",
        )
        for hit in engine.run(code)
    ]


def _severity(severity: Severity, level: Level | None) -> Severity:
    """Lower a severity by one step where it is not known that the value can be hostile."""
    if level is Level.UNKNOWN and severity in GRAVE:
        return SEVERITIES[SEVERITIES.index(severity) + 1]
    return severity


def _by_bandit(code: source.Source) -> list[DraftFinding]:
    found = []
    for hit in bandit_rules.run(code.text) or ():
        weakness = weaknesses()[hit.cwe]
        found.append(
            DraftFinding(
                subject=hit.cwe,
                title=weakness.name,
                severity=weakness.severity,
                quote=code.line(hit.line),
                line=hit.line,
                explanation=hit.text,
                fix=weakness.fix,
                source=f"rule:bandit-{hit.test}",
            )
        )
    return found


def _by_lines(code: source.Source) -> list[DraftFinding]:
    found = []
    for number, line in enumerate(code.text.split("\n"), start=1):
        if number not in code.unread or not line.strip() or re.match(r"\s*(#|//|\*|--)", line):
            continue
        found += [_of_line(rule, number, line.strip()) for rule in line_rules() if applies(rule, line, code.language)]
    return found


def applies(rule: LineRule, line: str, language: str) -> bool:
    """Say whether a rule for single lines matches ``line`` of code in ``language`` ("" where it is not known)."""
    if rule.languages and language not in rule.languages:
        return False
    return bool(rule.line.search(line)) and not (rule.unless and rule.unless.search(line))


def _of_line(rule: LineRule, number: int, quote: str) -> DraftFinding:
    return DraftFinding(
        subject=rule.subject,
        title=rule.title,
        severity=rule.severity,
        quote=quote,
        line=number,
        explanation=rule.message,
        fix=rule.fix,
        source=f"rule:{rule.id}",
    )


def _once(found: Sequence[DraftFinding]) -> list[DraftFinding]:
    """Keep one finding of a kind per line: our own tree rules come first, then bandit, then single lines."""
    kept: dict[tuple[str, int | None], DraftFinding] = {}
    for it in found:
        kept.setdefault((it.subject, it.line), it)
    return list(kept.values())


def _sorted(findings: Iterable[DraftFinding]) -> list[DraftFinding]:
    return sorted(findings, key=lambda it: (SEVERITIES.index(it.severity), it.line or 0, it.subject))


def _cues(findings: Sequence[DraftFinding], language: str) -> tuple[Cue, ...]:
    """Make one cue per kind of flaw, of its worst finding, the gravest kind first and then the one found most often.

    A rule that knows a narrower kind gives that first. Remarks on style count where nothing worse was found.
    """
    cues: dict[str, Cue] = {}
    counted = [it for it in findings if it.severity != "info"] or findings
    narrower = narrower_kinds(language)
    often = Counter(it.subject for it in counted)
    for it in sorted(counted, key=lambda it: (SEVERITIES.index(it.severity), -often[it.subject])):
        name = weaknesses()[it.subject].name
        title = "" if it.title == name else f"{it.title}: "
        for key in filter(None, (narrower.get(it.source.removeprefix("rule:")), it.subject)):
            cues.setdefault(key, Cue(key, f"{name}. {title}{it.explanation}", it.quote, it.line))
    return tuple(cues.values())


def _ratings(findings: Sequence[DraftFinding], code: source.Source) -> tuple[Rating, ...]:
    """Rate each dimension by what was found; code that was mostly not parsed is never rated above 7."""
    ratings = []
    most, nothing = 10.0, "No known flaw of this kind found."
    if code.mostly_unread:
        most, nothing = 7.0, f"{nothing} Most of it could not be parsed, so at most 7 of 10."
    for dimension in _DIMENSIONS:
        mine = [it for it in findings if weaknesses()[it.subject].dimension == dimension]
        worst = Counter[tuple[str, Severity]]((it.subject, it.severity) for it in mine)
        lost = sum(_WEIGHTS[severity] * (1 + 0.25 * min(3, times - 1)) for (_, severity), times in worst.items())
        names = list(dict.fromkeys(it.title for it in mine))[:3]
        reason = f"Found: {', '.join(names)}." if names else nothing
        ratings.append(Rating(dimension, round(max(0.0, min(most, 10.0 - lost)), 1), reason))
    return tuple(ratings)


def _summary(findings: Sequence[DraftFinding], code: source.Source, excerpt: Excerpt | None) -> str:
    label = languages.LABELS.get(code.language, "code of an unknown language")
    if not findings and code.mostly_unread:
        return "No known flaw was found, but most of this could not be parsed; only single lines were read."
    if not findings:
        return f"No known flaw was found in this {label} by {len(rules_for(code.language))} rules."
    worst = findings[0]
    more = f" and {len(findings) - 1} more" if len(findings) > 1 else ""
    line = excerpt.line_in_file(worst.line) if excerpt else worst.line
    return f"{worst.title} in line {line}{more}, in {label}."
