"""Does a sentence tell a past? Judged by the kinds of words that stand together, in seven languages. Pure, linear.

``audit.claims`` knows phrases; this module knows none. It asks who is spoken of (the reader, what holds the reader's
past, a case told apart from the one at hand, an incident), in which tense, and whether an end or an investment is told.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

from audit.folding import skeleton
from audit.questions import asks
from audit.word_kinds import CASES, IT_WORDS, Told, Word

_IT = re.compile(rf"(?:(?:and|but|und|et|e|y) )?(?:{IT_WORDS})\b(?!.*\bto\b)|这|它|वह |यह ", re.IGNORECASE)
_ORDER = re.compile(
    r"(?:please |also |then )?"
    r"(?:keep|check|compare|add|write|read|look|note|use|update|record|log|share|show|ask|search)\b",
    re.IGNORECASE,
)

_OF_CODE = re.compile(
    r"\b(?:earlier|previous|prior|former|past) (?:checks?|attempts?|cases?|calls?|tests?|conditions?|lines?|states?|"
    r"entr(?:y|ies)|values?|results?|requests?|responses?|writes?|reads?|items?|rows?|sessions?|permissions?|elements?|tokens?|"
    r"keys?|copies|contents?|handlers?|behaviou?rs?|outputs?|inputs?|updates?|messages?|connections?|transactions?)\b",
    re.IGNORECASE,
)
_LIKENED = re.compile(r"\b(?:comme|wie bei|wie beim|como)\b", re.IGNORECASE)
_ANY = re.compile(
    r"\b(?:an?|any|no|every|each) (?:\w+ )?(?:incident|outage|breach|downtime|hack|exploit)", re.IGNORECASE
)


def tells(it: Told, text: str, *, code: bool, supported: bool) -> str:
    """Say which past a sentence tells, "" for none. ``supported`` says that its words are the submission's."""
    return next(_told(it, text, code=code, supported=supported), "")


def _told(it: Told, text: str, *, code: bool, supported: bool) -> Iterator[str]:
    past, outcome = it.has(Word.PAST), it.has(Word.OUTCOME)
    reader, others = it.has(Word.READER), it.has(Word.OWNER)
    general = it.has(Word.GENERIC) and not (it.has(Word.HOLDER) and it.has(Word.KEPT))
    of_code = code and _OF_CODE.search(text) is not None
    apart = (it.apart or (it.alone and not code)) and not of_code
    if asks(" ".join(skeleton(text).lower().split())):
        if outcome and not others and (apart or (reader and it.has(Word.REPEAT))):
            yield "asks about a case that no proved record states"
        return
    if it.has(Word.MODAL) and not (apart and outcome and past):
        return
    if it.labelled and outcome and not code and not supported:
        yield "lists a case"
    if past and outcome and not code and not others and not general and _IT.match(text) and len(text) < 60:
        yield "says how something unnamed ended"
    if it.stranger_ended and not supported:
        yield "says how something unknown ended"
    if reader and (it.has(Word.REPEAT) and it.has(Word.CASE)):
        yield "says that the reader repeats something"
    if it.holds and not general and (past or outcome) and (outcome or it.has(Word.INVEST) or apart):
        yield "tells a past of what the reader holds or has on record"
    if it.holds and reader and it.has(Word.STORE) and not code and not it.has(Word.NOTHING) and not _ORDER.match(text):
        yield "tells what the reader has on record"
    funds = it.holds and it.has(Word.HOLDER) and past and not general
    if funds and (reader or (it.english and not (code or others or supported))):
        yield "tells what the reader's fund did"
    foreign = not it.english and not others and not general and not supported
    if foreign and past and ((outcome and not code) or (reader and not code and not it.has(Word.NOTHING))):
        yield "tells a past that the submission does not hold"
    if foreign and past and it.has(Word.HOLDER) and it.has(Word.ALIKE | Word.KEPT | Word.TWIN):
        yield "tells what the reader's fund did"
    if it.has(Word.STORE) and past and outcome and not code and not others:
        yield "tells an end of what was only noted"
    if reader and past and it.has(Word.INVEST) and not others and not it.english:
        yield "says that the reader invested"
    if it.has(Word.TWIN) and (past or outcome or reader or it.has(Word.STORE)) and not general and not supported:
        yield "tells of a double"
    elsewhere = others and not (outcome or reader or _LIKENED.search(text))
    elsewhere = elsewhere and (code or not it.has(Word.ALIKE))
    elsewhere = elsewhere and not it.has(Word.INVEST | Word.HOLDER | Word.INCIDENT | Word.TWIN | Word.STORE)
    if (
        it.kept
        and not (elsewhere or of_code)
        and not general
        and not supported
        and not (it.has(Word.NOTHING) and it.has(Word.STORE))
    ):
        yield "tells of an earlier case"
    if apart and not elsewhere and (past or outcome) and not general and not supported:
        yield "tells how an earlier case went"
    alike = (
        past and not it.has(Word.NOTHING) and it.has(Word.OUTCOME | Word.INVEST) and it.has(Word.ALIKE) and it.english
    )
    if alike and not code and not general and not others and not supported:
        yield "tells how something alike ended"
    if it.case_ended and not code and not general and not others and not supported:
        yield "tells how a case ended"
    if reader and past and outcome and it.has(CASES | Word.SITE) and not others and not general:
        yield "tells an outcome of the reader's"
    if it.has(Word.RECALL) and (past or outcome) and not general and not others and not it.english:
        yield "calls a past to mind"
    if (
        not general
        and not supported
        and it.has(Word.INCIDENT)
        and (past or (it.has(Word.STORE) and code and not _ANY.search(text)))
    ):
        yield "tells of an incident"
    if (
        code
        and past
        and outcome
        and not general
        and not others
        and (it.has(Word.SITE) or (it.has(Word.FLAW) and reader))
    ):
        yield "tells of an incident"
