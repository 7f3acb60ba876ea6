"""The rules as reviewed data: read from ``audit/data``, checked, compiled once."""

from __future__ import annotations

import json
import re
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from types import MappingProxyType
from typing import Any, Literal, cast, get_args

import yaml

from audit.code.flows import Level
from audit.code.prefilter import Need, need
from memory.records import SEVERITIES, Severity

_DATA = Path(__file__).parents[1] / "data"
_SHARES: Mapping[str, tuple[str, ...]] = MappingProxyType(
    {"typescript": ("javascript", "typescript"), "tsx": ("javascript", "typescript"), "cpp": ("c", "cpp")}
)
_FIELDS = frozenset(
    [
        "id",
        "cwe",
        "slug",
        "narrower",
        "severity",
        "title",
        "message",
        "fix",
        "rule",
        "constraints",
        "flow",
        "check",
        "near",
        "absent",
        "within",
    ]
)

Dimension = Literal["security", "correctness", "robustness"]


@dataclass(frozen=True, slots=True)
class Weakness:
    """A kind of flaw: a CWE, or a slug where none fits."""

    name: str
    dimension: Dimension
    severity: Severity
    fix: str


@dataclass(frozen=True, slots=True)
class FlowRule:
    """Which value of the matched node must come from where for the match to count.

    ``argument`` is the index of a call's argument, "any", "value" (what is assigned), "node" or "receiver".
    ``built`` asks for a string that is put together, and ``text`` for what its constant part must look like.
    """

    argument: int | str
    family: str
    at_least: Level
    built: bool
    text: re.Pattern[str] | None


@dataclass(frozen=True, slots=True)
class Rule:
    """One rule: what to match (an ast-grep rule), what else must hold, and what to tell the user.

    ``narrower`` names a kind within the subject that past bugs may be known by, or is "".
    """

    id: str
    subject: str
    narrower: str
    severity: Severity
    title: str
    message: str
    fix: str
    config: Mapping[str, Any]
    need: Need
    flow: FlowRule | None
    check: str
    near: re.Pattern[str] | None
    absent: re.Pattern[str] | None
    within: Literal["function", "file", "match"]


@dataclass(frozen=True, slots=True)
class LineRule:
    """A rule for text that does not parse: a pattern on one line, ``unless`` another matches that line."""

    id: str
    subject: str
    severity: Severity
    title: str
    message: str
    fix: str
    line: re.Pattern[str]
    unless: re.Pattern[str] | None
    languages: frozenset[str]


@cache
def weaknesses() -> Mapping[str, Weakness]:
    """Return every kind of flaw that a rule may name, by CWE or slug."""
    data: dict[str, Any] = json.loads((_DATA / "cwe.json").read_text(encoding="utf-8"))
    return MappingProxyType(
        {
            key: Weakness(it["name"], _dimension(it["dimension"]), _severity(it["severity"]), it["fix"])
            for key, it in data["weaknesses"].items()
        }
    )


def languages() -> tuple[str, ...]:
    """Return the languages that have rules of their own."""
    return tuple(sorted(it.stem for it in (_DATA / "rules").glob("*.yml") if it.stem != "lines"))


@cache
def rules_for(language: str) -> tuple[Rule, ...]:
    """Return the rules for code in ``language``; TypeScript shares those of JavaScript, C++ those of C."""
    files = [_DATA / "rules" / f"{it}.yml" for it in _SHARES.get(language, (language,))]
    return tuple(_rule(it) for file in files if file.exists() for it in _load(file))


@cache
def narrower_kinds(language: str) -> Mapping[str, str]:
    """Return, by id, the narrower kinds that rules for ``language`` know within their subjects."""
    return MappingProxyType({it.id: it.narrower for it in rules_for(language) if it.narrower})


@cache
def line_rules() -> tuple[LineRule, ...]:
    """Return the rules for single lines."""
    return tuple(
        LineRule(
            id=it["id"],
            subject=it["cwe"],
            severity=_severity(it.get("severity", weaknesses()[it["cwe"]].severity)),
            title=it.get("title", weaknesses()[it["cwe"]].name),
            message=it["message"],
            fix=it["fix"],
            line=re.compile(it["line"]),
            unless=re.compile(it["unless"]) if "unless" in it else None,
            languages=frozenset(it.get("languages", ())),
        )
        for it in _load(_DATA / "rules" / "lines.yml")
    )


def _load(file: Path) -> list[dict[str, Any]]:
    loader = getattr(yaml, "CSafeLoader", yaml.SafeLoader)
    with file.open(encoding="utf-8") as stream:
        return cast("list[dict[str, Any]]", yaml.load(stream, Loader=loader) or [])  # noqa: S506 - a safe loader


def _rule(data: dict[str, Any]) -> Rule:
    unknown = data.keys() - _FIELDS
    if unknown:
        raise ValueError(f"rule {data.get('id')}: unknown fields {sorted(unknown)}")
    subject = data.get("cwe") or data["slug"]
    weakness = weaknesses()[subject]
    config: dict[str, Any] = {"rule": data["rule"]}
    if "constraints" in data:
        config["constraints"] = data["constraints"]
    return Rule(
        id=data["id"],
        subject=subject,
        narrower=data.get("narrower", ""),
        severity=_severity(data.get("severity", weakness.severity)),
        title=data.get("title", weakness.name),
        message=data["message"],
        fix=data["fix"],
        config=MappingProxyType(config),
        need=need(data["rule"]),
        flow=_flow(data["flow"]) if "flow" in data else None,
        check=data.get("check", ""),
        near=re.compile(data["near"]) if "near" in data else None,
        absent=re.compile(data["absent"]) if "absent" in data else None,
        within=data.get("within", "function"),
    )


def _flow(data: dict[str, Any]) -> FlowRule:
    return FlowRule(
        argument=data.get("argument", "any"),
        family=data["family"],
        at_least=Level[data.get("from", "given").upper()],
        built=bool(data.get("built", False)),
        text=re.compile(data["text"]) if "text" in data else None,
    )


def _severity(word: str) -> Severity:
    if word not in SEVERITIES:
        raise ValueError(f"no severity: {word}")
    return word


def _dimension(word: str) -> Dimension:
    if word not in get_args(Dimension):
        raise ValueError(f"no dimension: {word}")
    return cast("Dimension", word)
