"""The subjects a deck is read for and the words that tell where it stands, from ``audit/data/subjects.toml``."""

from __future__ import annotations

import re
import tomllib
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from functools import cache
from importlib.resources import files
from typing import Literal

from pydantic import BaseModel, ConfigDict

from audit.deck.phrases import Phrases, phrases
from memory.records import Severity


class _Row(BaseModel):
    model_config = ConfigDict(extra="forbid", frozen=True)

    key: str
    label: str
    dimension: str
    missing: Severity
    asks: str
    adds: str
    causes: str
    under_heading: Literal["any", "content", "number", "none"]
    denied: str = ""
    denied_severity: Severity = "medium"
    negatable: bool = False
    own: bool = False
    promisable: bool = False
    denial_first: bool = False
    headings: tuple[str, ...]
    states: tuple[str, ...] = ()
    with_number: tuple[str, ...] = ()
    vague: tuple[str, ...] = ()
    denies: tuple[str, ...] = ()
    denies_unless: tuple[str, ...] = ()
    unless: tuple[str, ...] = ()


class _RiskRow(BaseModel):
    model_config = ConfigDict(extra="forbid", frozen=True)

    key: str
    title: str
    severity: Severity
    subject: str
    causes: str
    asks: str
    phrases: tuple[str, ...] = ()
    unless: tuple[str, ...] = ()
    about_people: bool = False


class _File(BaseModel):
    model_config = ConfigDict(extra="forbid", frozen=True)

    forecast: tuple[str, ...]
    own: tuple[str, ...]
    negation: tuple[str, ...]
    people: tuple[str, ...]
    sections: dict[str, tuple[str, ...]]
    other_headings: tuple[str, ...]
    regulated: tuple[str, ...]
    subject: tuple[_Row, ...]
    risk: tuple[_RiskRow, ...]


@dataclass(frozen=True, slots=True)
class Subject:
    """One subject: how its absence weighs, what to ask, and the phrases that state, blur or deny it.

    ``under_heading`` says what a passage below the subject's heading needs to count: anything, three words of
    content, a number, or that it can never count; ``negatable`` says that a "no" just before a stating phrase denies
    it; ``own`` that only passages about the company itself count.
    """

    key: str
    label: str
    dimension: str
    missing: Severity
    asks: str
    adds: str
    causes: str
    under_heading: str
    denied: str
    denied_severity: Severity
    negatable: bool
    own: bool
    promisable: bool
    denial_first: bool
    states: Phrases
    with_number: Phrases
    vague: Phrases
    denies: Phrases
    denies_unless: Phrases
    unless: Phrases


@dataclass(frozen=True, slots=True)
class Risk:
    """A weakness a deck can admit to. ``about_people``: only where people of the company are meant."""

    key: str
    title: str
    severity: Severity
    subject: str
    causes: str
    asks: str
    phrases: Phrases
    unless: Phrases
    about_people: bool


@dataclass(frozen=True, slots=True)
class Vocabulary:
    """Everything a deck is read with. ``headings`` maps a heading to its subject, "" where it is none of ours."""

    subjects: tuple[Subject, ...]
    risks: tuple[Risk, ...]
    forecast: Phrases
    own: Phrases
    negation: re.Pattern[str]
    people: Phrases
    regulated: Phrases
    headings: Mapping[str, str]
    sections: frozenset[str]

    def sets(self) -> Iterator[Phrases]:
        """Yield every set of phrases, for a lexicon."""
        for subject in self.subjects:
            yield from (
                subject.states,
                subject.with_number,
                subject.vague,
                subject.denies,
                subject.denies_unless,
                subject.unless,
            )
        for risk in self.risks:
            yield from (risk.phrases, risk.unless)
        yield from (self.forecast, self.own, self.people, self.regulated)

    def risk(self, key: str) -> Risk:
        return next(it for it in self.risks if it.key == key)


@cache
def vocabulary() -> Vocabulary:
    """Read and compile the vocabulary, once a process."""
    text = (files("audit") / "data" / "subjects.toml").read_text(encoding="utf-8")
    read = _File.model_validate(tomllib.loads(text))
    headings = dict.fromkeys(read.other_headings, "")
    for section, names in read.sections.items():
        headings.update(dict.fromkeys(names, section))
    for row in read.subject:
        headings.update(dict.fromkeys(row.headings, row.key))
    return Vocabulary(
        subjects=tuple(_subject(row) for row in read.subject),
        risks=tuple(_risk(row) for row in read.risk),
        forecast=phrases(read.forecast),
        own=phrases(read.own),
        negation=_negation(read.negation),
        people=phrases(read.people),
        regulated=phrases(read.regulated),
        headings=headings,
        sections=frozenset(read.sections),
    )


def _subject(row: _Row) -> Subject:
    return Subject(
        key=row.key,
        label=row.label,
        dimension=row.dimension,
        missing=row.missing,
        asks=row.asks,
        adds=row.adds,
        causes=row.causes,
        under_heading=row.under_heading,
        denied=row.denied,
        denied_severity=row.denied_severity,
        negatable=row.negatable,
        own=row.own,
        promisable=row.promisable,
        denial_first=row.denial_first,
        states=phrases(row.states),
        with_number=phrases(row.with_number),
        vague=phrases(row.vague),
        denies=phrases(row.denies),
        denies_unless=phrases(row.denies_unless),
        unless=phrases(row.unless),
    )


def _risk(row: _RiskRow) -> Risk:
    return Risk(
        key=row.key,
        title=row.title,
        severity=row.severity,
        subject=row.subject,
        causes=row.causes,
        asks=row.asks,
        phrases=phrases(row.phrases),
        unless=phrases(row.unless),
        about_people=row.about_people,
    )


def _negation(words: tuple[str, ...]) -> re.Pattern[str]:
    """Match a negation with at most two words, or six characters without spaces, between it and the end."""
    latin = "|".join(re.escape(word) for word in words if word.isascii() or word[0].isascii())
    other = "|".join(re.escape(word) for word in words if not word[0].isascii())
    return re.compile(rf"(?:(?<![a-z])(?:{latin})(?:\s+[^\s,;:]+){{0,2}}\s+|(?:{other})[^\s，。；、]{{0,6}})$")
