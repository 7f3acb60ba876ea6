"""What a sentence takes for granted: a past that is not told but presumed. Pure, linear.

A past can be smuggled in without being told. "This time" has a time before it, "after the clinic fiasco" holds a
fiasco as known, "the last calendar" has an elder, a ghost has died. Grammar calls what does so a trigger; there are
few kinds of them. ``audit/data/presumed.toml`` lists the triggers; what stands behind one must be in the submission.
"""

from __future__ import annotations

import re
import tomllib
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from functools import cached_property, lru_cache
from pathlib import Path

from audit.definite import unknown_case
from audit.evidence import Evidence
from audit.mentions import Kind, Mention
from audit.names import public
from audit.questions import asks, spoken
from audit.reading import Read
from audit.vocabulary import by_first_letter
from audit.word_kinds import Told, Word

_DATA = tomllib.loads((Path(__file__).parent / "data" / "presumed.toml").read_text(encoding="utf-8"))
_LEADS = re.compile(
    r"(?:(?:had|after|since|ever since|given|despite|without|unlike|like|as with|remember\w*|following|before|"
    r"because of)(?: the| what| that| all)? |[^.]*\b(?:worse|better|another|second|next|new) (?:than )?)$",
    re.IGNORECASE,
)
_MEANS = re.compile(r"[a-z]{4,}")
_OF_MANY = re.compile(
    r"\b(?:many|most|often|usually|typically|generally|rarely|seldom|others|startups|start-ups|companies|founders|"
    r"investors|funds|rivals|competitors|incumbents)\b|"
    r"许多|很多|大多|往往|通常|muchas?|muchos|suelen|mayoria|viele|"
    r"meisten|beaucoup|souvent|plupart|muitas|muitos|costumam|maioria|कई |अक्सर|अधिकतर"
)
_FORMS = tuple(
    frozenset(it.split())
    for it in (
        "loss losses lost lose loses",
        "failure failures failed fails fault",
        "mistake mistakes error wrong",
        "collapse collapsed",
        "shutdown shut stopped closed",
        "exit exited sold",
    )
)
_LEADING = frozenset({"given", "after", "since", "despite", "following", "considering", "without", "because", "with"})
_MANY = re.compile(r"\b(?:many|most|others|[a-z-]+s (?:often|usually|typically|generally|rarely|seldom))\b")
_POINTS = re.compile(r"(?:the|that|those) ")
POINTED = "points at a past that neither the submission nor a proved record holds"


@dataclass(frozen=True)
class _Trigger:
    name: str
    code: bool
    asked: bool
    many: bool
    patterns: tuple[str, ...]
    unless: re.Pattern[str] | None

    @cached_property
    def pattern(self) -> re.Pattern[str]:
        return re.compile(_joined(self.patterns))


def _joined(patterns: Iterable[str]) -> str:
    """Join patterns; those that begin with a word are tried only where one begins."""
    placed: list[str] = []
    words: list[str] = []
    for it in patterns:
        (placed if it.startswith(("^", "(?:^", "(?<")) else words).append(it.removeprefix(r"\b"))
    return "|".join(placed + ([rf"(?<![a-z])(?:{by_first_letter(words)})"] if words else []))


def _compiled() -> tuple[_Trigger, ...]:
    parts: dict[str, str] = _DATA["parts"]

    def whole(text: str) -> str:
        while named := re.search(r"%([A-Z]+)%", text):
            text = text.replace(named[0], parts[named[1]])
        return text

    return tuple(
        _Trigger(
            it["name"],
            it.get("code", False),
            it.get("asked", False),
            it.get("many", False),
            tuple(map(whole, it["patterns"])),
            re.compile(whole(it["unless"])) if "unless" in it else None,
        )
        for it in _DATA["presumed"]
    )


_TRIGGERS = _compiled()
_ANY = re.compile(_joined(pattern for it in _TRIGGERS for pattern in it.patterns))
_ELSEWHERE = {name: re.compile("|".join(entries)) for name, entries in _DATA["elsewhere"].items()}


def presumes(read: Read, told: Told, unknown: Sequence[Mention], evidence: Evidence) -> str:
    """Say which past a sentence takes for granted, "" for none or where the submission holds it."""
    one = told.english and told.apart and _MANY.search(read.low) is None
    general = _OF_MANY.search(read.low) is not None and not (one or told.has(Word.READER | Word.HOLDER))
    language = spoken(read.low)
    if language != "en":
        if general:
            return ""
        found = _ELSEWHERE[language].search(read.low) if language in _ELSEWHERE else None
        likened = found is not None and found.lastindex is not None and evidence.has_word(found[found.lastindex])
        return POINTED if found and not (likened or asks(read.low) or evidence.in_submission(read.text)) else ""
    asking = asks(read.low)
    own = not (unknown or told.has(Word.READER | Word.HOLDER | Word.INVEST | Word.STORE | Word.TWIN | Word.ALIKE))
    named = () if general else (it for it in unknown if it.kind is Kind.NAME and not public(it.key))
    if any(_LEADS.match(read.plain[: it.start]) for it in named):
        return "takes something unknown for granted"
    for it in _TRIGGERS if _triggered(read.low) else ():
        if (evidence.code and not it.code) or (asking and not it.asked) or (general and not it.many):
            continue
        if it.unless is not None and it.unless.search(read.low):
            continue
        for match in it.pattern.finditer(read.low):
            words = match.group()
            retold = own and _POINTS.match(words) is not None and told_already(words, evidence)
            if not retold and not _submitted(words, evidence):
                return it.name
    if not evidence.code and (case := unknown_case(read.low, evidence)):
        return f"speaks of “{case}” as known, which neither the submission nor a proved record holds"
    return ""


@lru_cache(maxsize=1_000)
def _triggered(low: str) -> bool:
    """True where any trigger stands in a folded sentence; the rule analyst's own recur from audit to audit."""
    return _ANY.search(low) is not None


def told_already(words: str, evidence: Evidence) -> bool:
    """True where an event is pointed at of which the submission tells in another form: "that loss" of "we lost"."""
    told = re.findall(r"[a-z]+", words)
    return any(any(map(evidence.has_word, forms)) for forms in _FORMS if not forms.isdisjoint(told))


def _submitted(words: str, evidence: Evidence) -> bool:
    """True where what is taken for granted stands in the submission, or is made of its words alone."""
    found = [it for it in _MEANS.findall(words) if it not in _LEADING]
    return evidence.has_phrase(words) or (len(found) > 1 and all(map(evidence.has_word, found)))
