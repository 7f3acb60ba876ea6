"""From a model's reply to a ``DraftAudit``: tolerant of types and shapes, and losing no claim about the past. Pure.

A model may write what it likes; only the fields of the form become parts of the draft. Every other field that says
something becomes a ``HistoryClaim``, so that the guard can refuse it in the open.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterator, Mapping, Sequence
from typing import TypeVar

from audit.cut_json import DUPLICATE, objects
from audit.json_values import LONGEST_TEXT, Json, line_of, rating_value, text_of
from audit.llm.errors import BadReply
from audit.modes import Mode
from audit.types import DraftAudit, DraftFinding, DraftPrecedent, HistoryClaim, Rating
from memory.records import Severity

MOST_FINDINGS = 120
MOST_PRECEDENTS = 150
MOST_LINES = 120
MOST_CLAIMS = 100
LONGEST_SUMMARY = 6_000
_DEEPEST = 12

_FINDING = ("subject", "title", "severity", "quote", "line", "explanation", "fix")
_FINDING_NAMES = {
    "subject": ("subject", "cwe", "cwe_id", "category", "dimension", "type", "topic"),
    "title": ("title", "name", "issue", "finding", "problem", "summary", "headline"),
    "severity": ("severity", "level", "priority", "risk"),
    "quote": ("quote", "evidence", "passage", "code", "snippet", "excerpt", "submission_quote"),
    "line": ("line", "line_number", "lineno", "line_no"),
    "explanation": ("explanation", "description", "detail", "details", "reason", "why", "rationale", "impact"),
    "fix": ("fix", "suggestion", "recommendation", "remedy", "remediation", "solution"),
}
_RATING_NAMES = {
    "dimension": ("dimension", "name", "criterion", "subject", "category"),
    "value": ("value", "score", "rating", "points"),
    "reason": ("reason", "explanation", "why", "comment", "justification", "rationale"),
}
_PRECEDENT = ("record_id", "record_quote", "submission_quote", "why")
_TOP_NAMES = {
    "summary": ("summary",),
    "findings": ("findings", "issues", "flaws", "vulnerabilities"),
    "ratings": ("ratings", "scores", "rubric"),
    "precedents": ("precedents",),
    "advice": ("advice", "recommendations", "suggestions"),
    "questions": ("questions", "open_questions"),
}
_LINE_NAMES = ("text", "advice", "question", "recommendation", "sentence", "content")
_SEVERITIES: dict[str, Severity] = {
    "critical": "critical", "blocker": "critical", "severe": "critical", "very high": "critical",
    "high": "high", "major": "high", "error": "high",
    "medium": "medium", "moderate": "medium", "warning": "medium",
    "low": "low", "minor": "low",
    "info": "info", "informational": "info", "information": "info", "none": "info", "note": "info",
}  # fmt: skip
_SAYS_NOTHING = re.compile(
    r"\W*(?:none(?: found)?|not (?:found|applicable|available)|n/?a|nil|null|false|no|unknown)?\W*", re.IGNORECASE
)

_MOST = {
    "findings": MOST_FINDINGS,
    "ratings": MOST_LINES,
    "precedents": MOST_PRECEDENTS,
    "advice": MOST_LINES,
    "questions": MOST_LINES,
    "summary": MOST_LINES,
}
_MORE = HistoryClaim("", f"More than {MOST_CLAIMS} entries outside the form of the reply.", cut=True)

T = TypeVar("T")


def parse(text: str, mode: Mode) -> DraftAudit:
    """Read a model's reply as a draft for ``mode``.

    Raises BadReply where it is too long, holds no JSON object, or holds nothing an audit could use.
    """
    best: DraftAudit | None = None
    for value in objects(text):
        draft = _draft(value, mode)
        if draft is not None and (best is None or _weight(draft) > _weight(best)):
            best = draft
    if best is None:
        raise BadReply("no JSON object with a summary, findings, ratings, precedents, advice or questions")
    return best


def _draft(value: Mapping[str, Json], mode: Mode) -> DraftAudit | None:
    reader = _Reader(mode)
    draft = reader.read(value)
    if _weight(draft) == 0 and len(value) == 1:
        # Some models wrap the whole answer: {"audit": {...}}.
        (inner,) = value.values()
        if isinstance(inner, dict):
            reader = _Reader(mode)
            draft = reader.read(inner)
    return draft if _weight(draft) else None


def _weight(draft: DraftAudit) -> int:
    lines = len(draft.advice) + len(draft.questions) + bool(draft.summary)
    return lines + 2 * (len(draft.findings) + len(draft.ratings) + len(draft.precedents))


class _Reader:
    """Reads one object and collects what it said outside the form."""

    def __init__(self, mode: Mode) -> None:
        self._dimensions = {
            name: dimension.name
            for dimension in mode.rubric
            for name in (dimension.name.casefold(), dimension.label.casefold())
        }
        self._claims: list[HistoryClaim] = []

    def read(self, value: Mapping[str, Json]) -> DraftAudit:
        fields, rest = _sort(value, _TOP_NAMES)
        for name, most in _MOST.items():
            self._left(fields.get(name), name, most)
        findings = [self._finding(it, at) for it, at in _each(fields.get("findings"), "findings", MOST_FINDINGS)]
        ratings = [self._rating(it, at) for it, at in _ratings(fields.get("ratings"))]
        precedents = [
            self._precedent(it, at) for it, at in _each(fields.get("precedents"), "precedents", MOST_PRECEDENTS)
        ]
        advice, questions, summary = (
            self._lines(fields.get(name), name) for name in ("advice", "questions", "summary")
        )
        self._claim(rest, "")
        return DraftAudit(
            summary=self._cut("\n".join(summary), "summary", LONGEST_SUMMARY),
            findings=_present(findings),
            ratings=_present(ratings),
            precedents=_present(precedents),
            advice=advice,
            questions=questions,
            history_claims=tuple(self._claims),
        )

    def _finding(self, value: Json, at: str) -> DraftFinding | None:
        if not isinstance(value, dict):
            title = text_of(value)
            return DraftFinding("", title[:200], "medium", explanation=title) if title else None
        fields, rest = _sort(value, _FINDING_NAMES)
        self._claim(rest, at)
        texts = {name: self._flat(fields.get(name), f"{at}.{name}") for name in _FINDING}
        if not (texts["title"] or texts["explanation"] or texts["quote"] or texts["fix"]):
            self._claim(texts["subject"], f"{at}.subject")
            return None
        return DraftFinding(
            subject=self._cut(texts["subject"], f"{at}.subject", 120),
            title=self._cut(texts["title"], f"{at}.title", 300)
            or (texts["explanation"] or texts["subject"] or texts["quote"])[:300],
            severity=_SEVERITIES.get(texts["severity"].strip().casefold(), "medium"),
            quote=text_of(fields.get("quote"), folded=False),
            line=line_of(fields.get("line")),
            explanation=texts["explanation"],
            fix=text_of(fields.get("fix"), folded=False),
        )

    def _rating(self, value: Json, at: str) -> Rating | None:
        if not isinstance(value, dict):
            self._claim(value, at)
            return None
        fields, rest = _sort(value, _RATING_NAMES)
        self._claim(rest, at)
        dimension = self._dimensions.get(text_of(fields.get("dimension")).casefold())
        number = rating_value(fields.get("value"))
        if dimension is None or number is None:
            self._claim(fields, at)
            return None
        return Rating(dimension, number, self._flat(fields.get("reason"), f"{at}.reason"))

    def _precedent(self, value: Json, at: str) -> DraftPrecedent | None:
        if not isinstance(value, dict):
            self._claim(value, at)
            return None
        fields, rest = _sort(value, {name: (name,) for name in _PRECEDENT})
        self._claim(rest, at)
        texts = {name: text_of(fields.get(name), folded=False) for name in _PRECEDENT}
        if not any(texts.values()):
            return None
        return DraftPrecedent(
            texts["record_id"].strip()[:200], texts["record_quote"], texts["submission_quote"], texts["why"]
        )

    def _lines(self, value: Json, name: str) -> tuple[str, ...]:
        lines = []
        for it, at in _each(value, name, MOST_LINES):
            if isinstance(it, dict):
                fields, rest = _sort(it, {"text": _LINE_NAMES})
                self._claim(rest, at)
                it = fields.get("text")
            if text := self._flat(it, at):
                lines.append(text)
        return tuple(lines)

    def _flat(self, value: Json, at: str) -> str:
        """Read a field of text; a structure in its place is no text but may be a claim."""
        if isinstance(value, dict | list):
            if isinstance(value, list) and all(isinstance(it, str | int | float) for it in value):
                return text_of("; ".join(text_of(it) for it in value))
            self._claim(value, at)
            return ""
        if isinstance(value, str) and len(value) > LONGEST_TEXT:
            self._cut(value, at, LONGEST_TEXT)
        return text_of(value)

    def _cut(self, text: str, at: str, most: int) -> str:
        """Cut a text to ``most`` characters; what is cut off is shown as refused."""
        if rest := text[most:].strip():
            self._claims.append(HistoryClaim(at, text_of(rest), cut=True))
        return text[:most]

    def _left(self, value: Json, at: str, most: int) -> None:
        """Say that a list has more entries than are read."""
        if isinstance(value, list) and len(value) > most:
            text = f"{len(value) - most} more entries, the first of them: {text_of(json.dumps(value[most]))}"
            self._claims.append(HistoryClaim(f"{at}[{most}]", text, cut=True))

    def _claim(self, value: Json, at: str, depth: int = 0) -> None:
        """Keep whatever ``value`` says, leaf by leaf, as claims under the path ``at``."""
        if len(self._claims) >= MOST_CLAIMS:
            if _MORE not in self._claims:
                self._claims.append(_MORE)
            return
        if isinstance(value, dict) and depth < _DEEPEST:
            for key, it in value.items():
                name = text_of(key.partition(DUPLICATE)[0])[:80]
                self._claim(it, f"{at}.{name}" if at else name, depth + 1)
        elif isinstance(value, list) and depth < _DEEPEST:
            for index, it in enumerate(value[:MOST_CLAIMS]):
                self._claim(it, f"{at}[{index}]", depth + 1)
        else:
            text = text_of(value)
            if not _SAYS_NOTHING.fullmatch(text[:120]):
                self._claims.append(HistoryClaim(at, text))


def _sort(value: Mapping[str, Json], names: Mapping[str, Sequence[str]]) -> tuple[dict[str, Json], dict[str, Json]]:
    """Split an object into the fields that ``names`` know, the best-named one each, and all the rest."""
    folded = {key: re.sub(r"[\s\-]+", "_", key.strip().casefold()) for key in value}
    fields: dict[str, Json] = {}
    taken: set[str] = set()
    for field, known in names.items():
        for name in known:
            key = next((key for key, it in folded.items() if it == name and key not in taken), None)
            if key is not None and value[key] not in (None, "", [], {}):
                fields[field] = value[key]
                taken.add(key)
                break
    return fields, {key: it for key, it in value.items() if key not in taken}


def _each(value: Json, at: str, most: int) -> Iterator[tuple[Json, str]]:
    """Walk a list, or the one value or the mapping that stands in its place, with the path of each item."""
    if isinstance(value, list):
        yield from ((it, f"{at}[{index}]") for index, it in enumerate(value[:most]))
    elif isinstance(value, dict) and value and all(isinstance(it, dict) for it in value.values()):
        for key, it in list(value.items())[:most]:
            yield {"subject": key.partition(DUPLICATE)[0], **it}, f"{at}.{key[:80]}"
    elif value is not None:
        yield value, at


def _ratings(value: Json) -> Iterator[tuple[Json, str]]:
    """Walk ratings written as a list or as a mapping from dimension to number, text or object."""
    if not isinstance(value, dict):
        yield from _each(value, "ratings", MOST_LINES)
        return
    for key, it in list(value.items())[:MOST_LINES]:
        name = key.partition(DUPLICATE)[0]
        yield (
            ({"dimension": name, **it} if isinstance(it, dict) else {"dimension": name, "value": it}),
            f"ratings.{name[:80]}",
        )


def _present(items: Sequence[T | None]) -> tuple[T, ...]:
    return tuple(it for it in items if it is not None)
