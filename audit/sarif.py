"""SARIF 2.1.0 (OASIS), so that findings and repeats of past bugs show in a pull request. Pure."""

from __future__ import annotations

import re
from collections.abc import Sequence
from hashlib import sha256
from typing import Any
from urllib.parse import quote as in_uri

from audit.placed import PlacedFinding, PlacedRepeat
from audit.withheld import all_covered, covered
from memory.records import Severity

SCHEMA = "https://docs.oasis-open.org/sarif/sarif/v2.1.0/errata01/os/schemas/sarif-schema-2.1.0.json"
REPEAT = "past-bug"
_LEVELS: dict[Severity, str] = {
    "critical": "error",
    "high": "error",
    "medium": "warning",
    "low": "note",
    "info": "note",
}
# GitHub reads a number from 0 to 10 and calls it critical above 9, high from 7, medium from 4.
_SCORES: dict[Severity, str] = {"critical": "9.5", "high": "8.0", "medium": "5.5", "low": "3.0", "info": "1.0"}


def as_sarif(
    findings: Sequence[PlacedFinding],
    repeats: Sequence[PlacedRepeat],
    *,
    version: str,
    notes: Sequence[str] = (),
    secrets: tuple[str, ...] = (),
) -> dict[str, Any]:
    """Write findings and repeats as one run, with ``secrets`` covered.

    Repeats are errors; findings have the level of their severity.
    """
    rules: dict[str, dict[str, Any]] = {}
    results = [_repeat(it, rules) for it in repeats] + [_finding(it, rules, secrets) for it in findings]
    places = {rule: place for place, rule in enumerate(rules)}
    for result in results:
        result["ruleIndex"] = places[result["ruleId"]]
    run: dict[str, Any] = {
        "tool": {"driver": {"name": "Precedent", "version": version, "rules": list(rules.values())}},
        "columnKind": "unicodeCodePoints",
        "results": results,
    }
    if notes:
        told = [{"level": "note", "message": {"text": note}} for note in notes]
        run["invocations"] = [{"executionSuccessful": True, "toolExecutionNotifications": told}]
    return {"$schema": SCHEMA, "version": "2.1.0", "runs": [all_covered(run, secrets)]}


def _finding(placed: PlacedFinding, rules: dict[str, dict[str, Any]], secrets: tuple[str, ...]) -> dict[str, Any]:
    it = placed.finding
    quote = covered(it.quote, secrets)  # so that a fingerprint is no hash to guess a password by
    rules.setdefault(it.subject, _rule(it.subject, it.title, it.severity))
    text = " ".join(part for part in (f"{it.title}.", it.explanation, it.fix and f"Do: {it.fix}") if part)
    return {
        "ruleId": it.subject,
        "level": _LEVELS[it.severity],
        "message": {"text": text},
        "locations": [_location(placed.path, placed.line, placed.line, quote)],
        "partialFingerprints": {"precedent/v1": _fingerprint(it.subject, placed.path, quote)},
        "properties": {"source": it.source, "severity": it.severity},
    }


def _repeat(placed: PlacedRepeat, rules: dict[str, dict[str, Any]]) -> dict[str, Any]:
    record = placed.precedent.record
    rules.setdefault(REPEAT, _rule(REPEAT, "A past bug of yours recurs", "high"))
    year = f" ({record.year})" if record.year else ""
    lesson = f" Its fix was: {record.lesson}" if record.lesson else ""
    loss = f" It cost {record.loss}." if record.loss else ""
    return {
        "ruleId": REPEAT,
        "level": "error",
        "message": {"text": f"A past bug of yours recurs here: {record.title}{year}.{lesson}{loss}"},
        "locations": [_location(placed.path, placed.line, placed.last, placed.precedent.submission_quote)],
        "partialFingerprints": {"precedent/v1": _fingerprint(REPEAT, placed.path, record.id)},
        "properties": {"record": record.id, "probability": round(placed.precedent.probability, 4)},
    }


def _rule(rule: str, title: str, severity: Severity) -> dict[str, Any]:
    number = re.fullmatch(r"CWE-(\d+)", rule)
    entry: dict[str, Any] = {
        "id": rule,
        "name": "".join(word.capitalize() for word in re.findall(r"\w+", title)) or rule,
        "shortDescription": {"text": title or rule},
        "defaultConfiguration": {"level": _LEVELS[severity]},
        "properties": {"tags": ["security"] if number else ["correctness"]},
    }
    if number:
        entry["helpUri"] = f"https://cwe.mitre.org/data/definitions/{number[1]}.html"
        entry["properties"]["tags"].append(f"external/cwe/cwe-{int(number[1]):03d}")
        entry["properties"]["security-severity"] = _SCORES[severity]
    return entry


def _location(path: str, first: int | None, last: int | None, snippet: str) -> dict[str, Any]:
    parts = [part for part in path.replace("\\", "/").split("/") if part not in {"", ".", ".."}]
    place: dict[str, Any] = {"artifactLocation": {"uri": in_uri("/".join(parts)) or "submission"}}
    if first is not None:
        place["region"] = {"startLine": first, "endLine": max(last or first, first)}
        if snippet:
            place["region"]["snippet"] = {"text": snippet}
    return {"physicalLocation": place}


def _fingerprint(rule: str, path: str, what: str) -> str:
    """Keep a result the same one when lines above it move."""
    return sha256("\n".join((rule, path, " ".join(what.split()))).encode()).hexdigest()[:32]
