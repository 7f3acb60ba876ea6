"""Contradiction: two records close in meaning that cannot both be right. Pure; a person settles it, never a model."""

from __future__ import annotations

import re
from dataclasses import fields

from memory.company_names import names_alike, names_near
from memory.money import Money
from memory.records import GAINED, LOST, BugFacts, Door, InvestmentFacts, Note, Outcome, Record

# How close two notes must be before their words are compared (cosine).
CLOSE = 0.8
# How many of their words two accounts share before names that are merely near each other name the same thing.
RETOLD, LEAST_WORDS = 0.8, 5

_DENIAL = re.compile(
    r"\b(?:not|no|never|none|neither|nor|without|cannot|nobody|nothing|fail(?:s|ed)? to|refus(?:es|ed)|lacks?|"
    r"kein|keine|nicht|nie|sans|jamais|nunca|sin)\b|n't\b|n’t\b|[不没无未非否]"
)
_OPPOSITES = (
    ("profitable", "unprofitable"), ("profit", "loss"), ("rose", "fell"), ("grew", "shrank"), ("up", "down"),
    ("increase", "decrease"), ("increased", "decreased"), ("before", "after"), ("always", "never"),
    ("likes", "dislikes"),
    ("likes", "hates"), ("prefers", "avoids"), ("safe", "unsafe"), ("true", "false"), ("open", "closed"),
    ("succeeded", "failed"), ("success", "failure"), ("spring", "autumn"), ("more", "less"), ("early", "late"),
    ("enabled", "disabled"), ("allowed", "forbidden"), ("盈利", "亏损"), ("成功", "失败"), ("增长", "下降"),
)  # fmt: skip
_NUMBER = re.compile(r"\d+(?:[.,]\d+)*")


def contradiction(new: Record, old: Record, similarity: float) -> str:
    """Say in words how ``new`` contradicts ``old``, or "" where it does not.

    ``similarity`` is the cosine of what they are about; facts are compared where they name the same thing. What a
    person types may tell of an event again; of a file that does, a person is asked.
    """
    from_file = new.provenance.door is Door.IMPORT
    match new.facts, old.facts:
        case InvestmentFacts() as mine, InvestmentFacts() as theirs if _same(mine, theirs):
            return _investments(mine, theirs) or (_told_otherwise(mine, theirs) if from_file else "")
        case BugFacts() as mine, BugFacts() as theirs if _same(mine, theirs):
            return _bugs(mine, theirs) or (_told_otherwise(mine, theirs) if from_file else "")
        case Note() as mine, Note() as theirs if similarity >= CLOSE and mine.label == theirs.label:
            return _notes(mine.text, theirs.text)
        case _:
            return ""


def _same(mine: InvestmentFacts | BugFacts, theirs: InvestmentFacts | BugFacts) -> bool:
    """Whether two facts are of one thing: one name, or names near each other over accounts in the same words."""
    if names_alike(mine.title, theirs.title):
        return True
    return names_near(mine.title, theirs.title) and _retold(account_of(mine), account_of(theirs))


def account_of(facts: InvestmentFacts | BugFacts) -> str:
    """Give the text that tells what a fact is about, whatever it is called."""
    return facts.summary if isinstance(facts, InvestmentFacts) else f"{facts.symptom} {facts.faulty_code}"


def _retold(mine: str, theirs: str) -> bool:
    one, other = (set(re.findall(r"[^\W_]+", text.casefold())) for text in (mine, theirs))
    shared = len(one & other)
    return shared >= LEAST_WORDS and shared >= RETOLD * min(len(one), len(other))


def _investments(mine: InvestmentFacts, theirs: InvestmentFacts) -> str:
    if (mine.outcome in LOST and theirs.outcome in GAINED) or (mine.outcome in GAINED and theirs.outcome in LOST):
        return f"outcome {mine.outcome.label} against {theirs.outcome.label}"
    if mine.year is None or theirs.year is None or mine.year == theirs.year:
        for name, one, other in (
            ("invested", mine.invested, theirs.invested),
            ("returned", mine.returned, theirs.returned),
        ):
            if _differ(one, other):
                return f"{name} {one} against {other}"
    elif mine.outcome is theirs.outcome and mine.outcome in LOST and not _differ(mine.invested, theirs.invested):
        return f"year {mine.year} against {theirs.year}"
    return ""


def _bugs(mine: BugFacts, theirs: BugFacts) -> str:
    if {mine.outcome, theirs.outcome} == {Outcome.FIXED, Outcome.FIX_FAILED}:
        return f"outcome {mine.outcome.label} against {theirs.outcome.label}"
    if mine.cwe and theirs.cwe and mine.cwe != theirs.cwe:
        return f"{mine.cwe} against {theirs.cwe}"
    return f"loss {mine.loss} against {theirs.loss}" if _differ(mine.loss, theirs.loss) else ""


def _told_otherwise(mine: InvestmentFacts | BugFacts, theirs: InvestmentFacts | BugFacts) -> str:
    """Say that one event is told again and not the same: else a copy could put itself in the place of what it copies.

    Two accounts are of one event where they share their words, or tell of one company in one year or without a year.
    """
    undated = None in {mine.year, theirs.year} or mine.year == theirs.year
    company = isinstance(mine, InvestmentFacts) and undated and names_alike(mine.title, theirs.title)
    if _plain(mine) == _plain(theirs) or not (company or _retold(account_of(mine), account_of(theirs))):
        return ""
    return "another account of the same event"


def _plain(facts: InvestmentFacts | BugFacts) -> list[object]:
    """Give all that facts say but their title, without regard to case, signs and blanks."""
    values = [getattr(facts, it.name) for it in fields(facts) if it.name not in {"company", "title"}]
    return [" ".join(re.findall(r"\w+", it.casefold())) if type(it) is str else it for it in values]


def _differ(one: Money | None, other: Money | None) -> bool:
    return one is not None and other is not None and (one.currency, one.amount) != (other.currency, other.amount)


def _notes(mine: str, theirs: str) -> str:
    one, other = mine.casefold(), theirs.casefold()
    if len(_DENIAL.findall(one)) % 2 != len(_DENIAL.findall(other)) % 2:
        return "one says what the other denies"
    words = set(re.findall(r"[^\W\d_]+", one)), set(re.findall(r"[^\W\d_]+", other))
    for left, right in _OPPOSITES:
        for here, there in ((left, right), (right, left)):
            if _holds(here, one, words[0]) and _holds(there, other, words[1]) and not _holds(there, one, words[0]):
                return f"“{here}” against “{there}”"
    numbers = set(_NUMBER.findall(one)), set(_NUMBER.findall(other))
    if numbers[0] and numbers[1] and not numbers[0] & numbers[1]:
        return f"{', '.join(sorted(numbers[0]))} against {', '.join(sorted(numbers[1]))}"
    return ""


def _holds(word: str, text: str, words: set[str]) -> bool:
    return word in words if word.isascii() else word in text
