"""The figures of a deck: which number is called what, for which period and at which date. Pure."""

from __future__ import annotations

import re
import tomllib
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from functools import cache
from importlib.resources import files
from typing import Literal

from pydantic import BaseModel, ConfigDict

from audit.deck.numbers import Number, Unit
from audit.deck.phrases import Phrases, phrases
from audit.deck.reading import Passage
from audit.deck.standing import is_forecast
from audit.deck.vocabulary import Vocabulary


class _Row(BaseModel):
    model_config = ConfigDict(extra="forbid", frozen=True)

    key: str
    unit: Literal["money", "percent", "count", "ratio"]
    period: Literal["", "month", "year"] = ""
    names: tuple[str, ...]


class _File(BaseModel):
    model_config = ConfigDict(extra="forbid", frozen=True)

    figure: tuple[_Row, ...]


@dataclass(frozen=True, slots=True)
class _Name:
    """How one figure is named, and the units a number of it may have."""

    key: str
    units: frozenset[Unit]
    period: str
    names: Phrases


@dataclass(frozen=True, slots=True)
class Figure:
    """A number by its name. ``period`` is "month", "year" or ""; ``when`` holds the dates its clause names."""

    key: str
    number: Number
    passage: Passage
    period: str = ""
    when: frozenset[str] = field(default_factory=frozenset)

    @property
    def text(self) -> str:
        """The number as it is written."""
        return self.passage.text[self.number.start : self.number.end]

    @property
    def range(self) -> tuple[float, float]:
        return self.number.low, self.number.high

    def times(self, factor: float) -> tuple[float, float]:
        return self.number.low * factor, self.number.high * factor


_UNITS = {
    "money": frozenset({Unit.MONEY}),
    "percent": frozenset({Unit.PERCENT}),
    "count": frozenset({Unit.COUNT, Unit.ZERO}),
    "ratio": frozenset({Unit.COUNT, Unit.MULTIPLE}),
}
_LINK = (
    r"(?:[\s:：=|(~≈>–—-]|(?<![a-z])(?:is|are|was|were|of|at|stands|now|currently|today|about|around"
    r"|roughly|over|nearly|"
    r"almost|just|only|approximately|approx\.?|reached|reaches|hit|exceeds|exceeded|has|have|grown"
    r"|passed|to|up|a|an|the|us|"
    r"more|than|under|less|below|worth|valuation|gives|cash|pays?|month|months|per|year|average|on"
    r"|total|current|es|son|de|"
    r"del|unos|alcanza|actual|más|beträgt|liegt|bei|von|rund|etwa|über|derzeit|aktuell|für|noch"
    r"|im monat|al mes)(?![a-z])|"
    r"为|是|达到?|约|已|目前|超过|近|了|共|额|人民币|还有|还剩|剩余|有|，?仅)*"
)
_MARK = f"[{''.join(unit.value for unit in Unit)}]"
_FORWARD = re.compile(rf"{_LINK}(?P<mark>{_MARK})")
_FROM_TO = re.compile(
    rf"(?:[^.;,。；，{''.join(Unit)}]{{0,24}}?)(?:from|von|从|由|de)\s*(?P<old>{_MARK})[^.;。；{''.join(Unit)}]{{0,24}}?"
    rf"(?:to|auf|到|至|增长到|增至|a)\s*(?P<mark>{_MARK})"
)
_BACKWARD = re.compile(rf"(?P<mark>{_MARK})\s*(?:(?:in|of|worth of|as|de|von|an|的|名|家|位|个|万|months|month)\s*)?$")
_PERIODS = (
    ("month", re.compile(
        r"\s*(?:(?:a|per|/|each|every|al|por|pro|im)?\s*(?:months?|mo|mes|monat)(?![a-z])|monthly"
        r"|monatlich|"
                         r"mensual|/月|每月|一个月)")),
    ("year", re.compile(r"\s*(?:(?:a|per|/|each|every|al|por|pro|im)?\s*(?:years?|yr|año|jahr)(?![a-z])|annual|yearly|"
                        r"jährlich|anual|/年|每年|一年|p\.a\.)")),
    ("day", re.compile(
        r"\s*(?:(?:a|per|/|each|every|al|por|pro|am)?\s*(?:days?|weeks?|quarters?|hours?)(?![a-z])|daily"
        r"|weekly|"
                       r"quarterly|/天|/周|/季|每天|每周|每季)")),
)  # fmt: skip
_PERIOD_BEFORE = (
    ("month", re.compile(r"(?:monthly|per month|a month|month|月|每月|mensual\w*|monatlich\w*)\s*$")),
    ("year", re.compile(r"(?:annual|yearly|annualised|annualized|per year|a year|年|每年|anual\w*|jährlich\w*)\s*$")),
)
_DATES = re.compile(
    r"‡|(?<![a-z])(?:january|february|march|april|june|july|august|september|october|november"
    r"|december|jan|feb|mar|apr|jun|"
    r"jul|aug|sept?|oct|nov|dec|enero|febrero|marzo|abril|mayo|junio|julio|agosto|septiembre|octubre"
    r"|noviembre|diciembre|"
    r"januar|februar|märz|mai|juni|juli|oktober|dezember|last (?:year|month|quarter|week)|ago"
    r"|at launch|year (?:one|two|№)|"
    r"month (?:one|№)|peak)(?![a-z])|(?:q№|q[1-4]|h[12])(?![a-z])|去年|上月|上季度|年前|月前|年底|№月|‡年|当时|峰值"
    r"|hace|vor № |letztes jahr"
)
_EACH_KEY = 40
# What is asked for, or is said of a market, holds whenever it is said.
_TIMELESS = frozenset({"round", "pre", "post", "valuation", "stake", "tam", "sam", "som"})
_OTHERS = re.compile(
    r"competitor|rivals?(?![a-z])|incumbent|industry|market leader|(?<![a-z])(?:benchmark|typical"
    r"|similar companies|peers)|竞争对手|"
    r"竞品|行业|同行|competidor|wettbewerber|branche"
)


@cache
def _names() -> tuple[_Name, ...]:
    text = (files("audit") / "data" / "figures.toml").read_text(encoding="utf-8")
    rows = _File.model_validate(tomllib.loads(text)).figure
    return tuple(_Name(it.key, _UNITS[it.unit], it.period, phrases(it.names)) for it in rows)


def figure_names() -> tuple[Phrases, ...]:
    """Return the names of all figures, for a lexicon."""
    return tuple(it.names for it in _names())


def figures(passages: Sequence[Passage], words: Vocabulary) -> dict[str, list[Figure]]:
    """Find the figures that a deck states as facts, by name; forecasts are left out. At most 40 of each name."""
    found: dict[str, list[Figure]] = {it.key: [] for it in _names()}
    for passage in passages:
        if not passage.numbers:
            continue
        others = _OTHERS.search(passage.skeleton) is not None
        for name in _names():
            if name.names not in passage.hits or (others and name.key not in _TIMELESS):
                continue
            known = found[name.key]
            for figure in _named(passage, name, words):
                if len(known) < _EACH_KEY and all(figure.number is not it.number for it in known):
                    known.append(figure)
    return found


def _named(passage: Passage, name: _Name, words: Vocabulary) -> Iterator[Figure]:
    for hit in passage.hits[name.names]:
        for label in hit.phrase.pattern.finditer(passage.skeleton):
            at = _number_beside(passage.skeleton, label, name.units)
            if at is None:
                continue
            if name.key not in _TIMELESS and is_forecast(passage, min(at, label.start()), max(at, label.end()), words):
                continue
            period = name.period or _period(passage.skeleton, at, label)
            if name.period == "month" and _PERIODS[1][1].match(passage.skeleton, at + 1):
                continue
            clause = passage.clause(min(at, label.start()), max(at, label.end()))
            dates = frozenset(_DATES.findall(clause)) | _years(passage, clause)
            yield Figure(name.key, passage.number_at(at), passage, period, dates)


def _years(passage: Passage, clause: str) -> frozenset[str]:
    if Unit.YEAR not in clause:
        return frozenset()
    return frozenset(f"{number.value:.0f}" for number in passage.numbers if number.unit is Unit.YEAR)


def _number_beside(skeleton: str, label: re.Match[str], units: frozenset[Unit]) -> int | None:
    """Find where the number of a label stands: right after it or, where the text puts numbers first, right before."""
    from_to = _FROM_TO.match(skeleton, label.end())
    if from_to is not None and from_to["mark"] in units and from_to["old"] == from_to["mark"]:
        return from_to.start("mark")
    after = _FORWARD.match(skeleton, label.end())
    before = _BACKWARD.search(skeleton, max(0, label.start() - 12), label.start())
    forward = after.start("mark") if after and after["mark"] in units else None
    backward = before.start("mark") if before and before["mark"] in units else None
    if forward is None or backward is None:
        return backward if forward is None else forward
    first = next((at for at, char in enumerate(skeleton) if char in _UNIT_MARKS), forward)
    plain = skeleton[label.end() : forward].strip()
    return forward if first >= label.start() or plain in {":", "：", "=", "is", "of", "为", "达到"} else backward


_UNIT_MARKS = frozenset(unit.value for unit in Unit)


def _period(skeleton: str, at: int, label: re.Match[str]) -> str:
    for period, pattern in _PERIODS:
        if pattern.match(skeleton, at + 1):
            return period
    for period, pattern in _PERIOD_BEFORE:
        if pattern.search(skeleton, max(0, label.start() - 14), label.start()) or pattern.search(label.group()):
            return period
    return ""
