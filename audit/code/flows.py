"""Where values may come from, what makes them harmless and what checks them: the reviewed data of ``flows.yml``."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from enum import IntEnum
from functools import cache
from pathlib import Path
from typing import Any

import yaml

_FLOWS = Path(__file__).parents[1] / "data" / "flows.yml"


class Level(IntEnum):
    """How far a value is from whoever may be hostile: a constant, not known, given by a caller, given from outside."""

    CONSTANT = 0
    UNKNOWN = 1
    GIVEN = 2
    OUTSIDE = 3


@dataclass(frozen=True, slots=True)
class Value:
    """Where a value came from, and the names that carried it."""

    level: Level
    names: frozenset[str] = frozenset()


@dataclass(frozen=True, slots=True)
class Flows:
    """The reviewed data of ``flows.yml``, compiled."""

    sources: Mapping[str, re.Pattern[str]]
    numeric: re.Pattern[str]
    harmless_text: re.Pattern[str]
    carriers: re.Pattern[str]
    safe_call: re.Pattern[str]
    sanitisers: Mapping[str, re.Pattern[str]]
    guards: Mapping[str, Sequence[str]]


@cache
def flows() -> Flows:
    """Read the sources, sanitisers and guards, once."""
    data: dict[str, Any] = yaml.safe_load(_FLOWS.read_text(encoding="utf-8"))
    sources = {language: re.compile(it) for language, it in data["sources"].items()}
    sources["typescript"] = sources["tsx"] = sources["javascript"]
    return Flows(
        sources=sources,
        numeric=re.compile(data["numeric"]),
        harmless_text=re.compile(data["harmless_text"]),
        carriers=re.compile(data["carriers"]),
        safe_call=re.compile(data["safe_call"]),
        sanitisers={
            family: re.compile(rf"(?:^|[.:>\\])(?:{it})", re.IGNORECASE) for family, it in data["sanitisers"].items()
        },
        guards=data["guards"],
    )
