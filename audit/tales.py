"""Does a sentence tell a past? Judged by the kinds of words that stand together, in seven languages. Pure, linear.

``audit.claims`` knows phrases; this module knows none. It asks who is spoken of (the reader, what holds the reader's
past, a case told apart from the one at hand, an incident), in which tense, and whether an end or an investment is told.
"""

from __future__ import annotations

import re
import tomllib
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from enum import Flag, auto
from functools import lru_cache
from pathlib import Path

from audit.names import ordinary

_DATA = tomllib.loads((Path(__file__).parent / "data" / "tales.toml").read_text(encoding="utf-8"))


class Word(Flag):
    """The kinds of words; one word may be of several."""

    NONE = 0
    READER = auto()
    HOLDER = auto()
    STORE = auto()
    EARLIER = auto()
    KEPT = auto()
    ALIKE = auto()
    REPEAT = auto()
    CASE = auto()
    COMPANY = auto()
    INCIDENT = auto()
    FLAW = auto()
    SITE = auto()
    OUTCOME = auto()
    INVEST = auto()
    PAST = auto()
    MODAL = auto()
    OWNER = auto()
    GENERIC = auto()
    NOTHING = auto()


_LANGUAGES = ("en", "es", "de", "fr", "pt", "hi")
_TOKEN = re.compile(r"[^\W\d_]+(?:[\u0900-\u0963]+[^\W\d_]*)*(?:['’-][^\W\d_]+)*|[,;:.!?()|—–]")
_HAN = re.compile(r"[\u3400-\u9fff]")
_DEVANAGARI = re.compile(r"[\u0900-\u097f]")
_ENGLISH_PAST = re.compile(
    r"(?!(?:need|indeed|feed|speed|seed|breed|exceed|proceed|succeed|embed|agreed|hundred|based|unverified|required|"
    r"limited|named|called|registered|related|parameteri[sz]ed|untested|proved|united|concatenated|advanced|red|bed)$)"
    r"[a-z]{2,}ed$"
)
_ENDINGS = {
    "es": re.compile(r"(?:[a-zñ]{2,}(?:ó|aron|ieron|aste|iste|aba|aban|ado|ido|ada|ida|ados|idos))$"),
    "pt": re.compile(r"(?:[a-zç]{3,}(?:ou|eu|iu|aram|eram|iram|ava|avam|ado|ido|ada|ida))$"),
    "fr": re.compile(r"(?:[a-zç]{2,}(?:é|ée|és|ées|aient)|(?!.*rait)[a-zç]{2,}ait)$"),
    "de": re.compile(
        r"(?:(?!heute|seite|kette|karte|monate|beste|erste|letzte)[a-zäöüß]{3,}(?:te|ten|test)|ge[a-zäöüß]{2,}(?:t|en)|"
        r"(?:be|ver|zer|ent|er|auf|ab|an|aus|ein)(?:ge)?[a-zäöüß]{3,}t)$"
    ),
}  # fmt: skip
_ARTICLES = frozenset(_DATA.pop("articles")["any"].split())
_IT_WORDS = "|".join(_DATA.pop("it")["any"].split())
_OF = tuple([it] for it in ("of", "de", "del", "der", "des", "du", "do", "da", "dos", "das", "von", "vom"))
_POINTING = frozenset({"the", "your", "our", "that", "this", "a", "another", "one"})
_PASSIVE = frozenset({"is", "are", "be", "being", "not", "to", "a", "an", "the"})
_IT = re.compile(rf"(?:(?:and|but|und|et|e|y) )?(?:{_IT_WORDS})\b(?!.*\bto\b)|这|它|वह |यह ", re.IGNORECASE)
_ASKED = re.compile(r"[?？]\s*[\"'”’)]*$")


def _tables() -> tuple[dict[str, dict[str, Word]], dict[str, dict[str, Word]], list[tuple[re.Pattern[str], Word]]]:
    exact: dict[str, dict[str, Word]] = {language: {} for language in _LANGUAGES}
    stems: dict[str, dict[str, Word]] = {language: {} for language in _LANGUAGES}
    han: list[tuple[re.Pattern[str], Word]] = []
    for kind, languages in _DATA.items():
        word = Word[kind.upper()]
        for language, entries in languages.items():
            if language == "zh":
                han.append((re.compile("|".join(entries.split())), word))
                continue
            for entry in entries.replace("_", "\0").split():
                table = stems[language] if entry.endswith("*") else exact[language]
                key = entry.rstrip("*").replace("\0", " ")
                table[key] = table.get(key, Word.NONE) | word
    return exact, stems, han


_EXACT, _STEMS, _HAN_PARTS = _tables()


@lru_cache(maxsize=1 << 15)
def _looked_up(word: str, language: str) -> Word:
    exact = _EXACT[language]
    found = exact.get(word, Word.NONE)
    if found is Word.NONE and word.endswith(("'s", "’s")):
        found = exact.get(word[:-2], Word.NONE)
    if language == "fr" and word[1:2] in {"'", "’"}:
        found |= exact.get(word[2:], Word.NONE)
    for size in range(2, len(word) + 1):
        found |= _STEMS[language].get(word[:size], Word.NONE)
    return found


@lru_cache(maxsize=1 << 15)
def _tense(accented: str, language: str) -> Word:
    if language == "en":
        return Word.PAST if _ENGLISH_PAST.match(accented) else Word.NONE
    ending = _ENDINGS.get(language)
    return Word.PAST if ending is not None and ending.match(accented) else Word.NONE


@dataclass(frozen=True, slots=True)
class Told:
    """A sentence by the kinds of its words: ``all`` of them together, and what a few neighbours are."""

    all: Word
    apart: bool
    alone: bool
    kept: bool
    holds: bool
    labelled: bool = False

    def has(self, kind: Word) -> bool:
        return bool(self.all & kind)


def kinds(low: str, text: str, language: str) -> Told:
    """Sort the words of a sentence: ``low`` folded and lower case, ``text`` with its accents."""
    if _HAN.search(low):
        return _in_chinese(low)
    spoken = "hi" if _DEVANAGARI.search(low) else language if language in _EXACT else "en"
    plain = _TOKEN.findall(low)
    accented = _TOKEN.findall(text.lower())
    same = len(plain) == len(accented)
    row: list[Word] = []
    for at, token in enumerate(plain):
        found = _looked_up(token, spoken)
        if found is Word.NONE and spoken == "en" and not ordinary(token.split("'")[0]):
            for other in ("es", "de", "fr", "pt"):
                found |= _looked_up(token, other) & (Word.OUTCOME | Word.CASE | Word.INCIDENT)
        tense = _tense(accented[at] if same else token, spoken)
        if tense and not (spoken == "en" and at and plain[at - 1] in _PASSIVE):
            found |= tense
        if at and (pair := _EXACT[spoken].get(f"{plain[at - 1]} {token}")):
            found |= pair
        row.append(found)
    together = Word.NONE
    for word in row:
        together |= word
    return Told(together, *_apart(plain, row, spoken), _holds(plain, row), _labelled(plain, row))


_CASES = Word.CASE | Word.COMPANY | Word.INCIDENT | Word.FLAW


def _in_chinese(low: str) -> Told:
    together = Word.NONE
    for pattern, word in _HAN_PARTS:
        if pattern.search(low):
            together |= word
    return Told(
        together,
        bool(together & (Word.EARLIER | Word.ALIKE)) and bool(together & _CASES) and not together & Word.OWNER,
        False,
        bool(together & Word.EARLIER) and bool(together & (Word.CASE | Word.INCIDENT)) and not together & Word.OWNER,
        bool(together & Word.READER) and bool(together & (Word.STORE | Word.HOLDER)),
    )


def _apart(plain: Sequence[str], row: Sequence[Word], language: str) -> tuple[bool, bool, bool]:
    """Say whether a case is told apart from the one at hand: "el caso previo", "the previous one", "a stored case"."""
    found = alone = kept = False
    for at, word in enumerate(row):
        following = row[at + 1] if at + 1 < len(row) else Word.NONE
        ended = at and word & Word.OUTCOME and following & (Word.CASE | Word.COMPANY) and plain[at - 1] in _POINTING
        if ended and not _owned(plain, row, at, at + 1):
            found = kept = True
        if not word & (Word.EARLIER | Word.ALIKE | Word.KEPT):
            continue
        if word & Word.EARLIER and _alone(plain, row, at):
            alone = True
        near = [*range(at + 1, min(len(row), at + 4))]
        if language in {"es", "fr", "pt"}:
            near += [*range(max(0, at - 3), at)]
        for other in near:
            low, high = sorted((at, other))
            if any(it & (Word.OWNER | Word.PAST) for it in row[low + 1 : high]) or _owned(plain, row, low, high):
                continue
            if row[other] & _CASES:
                found = True
                readers = word & Word.EARLIER and low and row[low - 1] & Word.READER and row[other] & Word.CASE
                kept = kept or bool(word & Word.KEPT and row[other] & (Word.CASE | Word.INCIDENT)) or bool(readers)
            elif word & Word.KEPT and row[other] & Word.STORE and high == low + 1:
                found = True
    return found, alone, kept


def _owned(plain: Sequence[str], row: Sequence[Word], low: int, high: int) -> bool:
    """True where the case between the places is somebody else's: "her previous company", "la de la fundadora"."""
    before = range(max(0, low - 3), low)
    if any(row[it] & Word.OWNER or plain[it].endswith("'s") for it in before):
        return True
    return plain[high + 1 : high + 2] in _OF and any(it & Word.OWNER for it in row[high + 2 : high + 4])


def _labelled(plain: Sequence[str], row: Sequence[Word]) -> bool:
    """True for a line of a list of cases: "Precedent: …"."""
    return (
        len(plain) > 2 and plain[1] == ":" and bool(row[0] & (Word.CASE | Word.INCIDENT) and not row[0] & Word.REPEAT)
    )


def _alone(plain: Sequence[str], row: Sequence[Word], at: int) -> bool:
    """True where a word of time stands for a case: "the previous one", "la anterior,"."""
    following = plain[at + 1] if at + 1 < len(plain) else ""
    if following in {"one", "ones", "वाला", "वाली", "वाले"}:
        return True
    if plain[at] == "one":
        return plain[at - 1 : at] == ["the"] and following in {"that", "which"}
    before = plain[at - 1] if at else ""
    ends = not following or not following[0].isalpha()
    return before in _ARTICLES and ends and not any(it & Word.OWNER for it in row[max(0, at - 3) : at])


def _holds(plain: Sequence[str], row: Sequence[Word]) -> bool:
    """True where what holds a past is the reader's: "your books", "unser Archiv", "the fund"."""
    for at, word in enumerate(row):
        if word & Word.HOLDER:
            return True
        if word & Word.STORE and any(it & Word.READER for it in row[max(0, at - 3) : at]):
            return True
    return False


def tells(it: Told, text: str, *, code: bool, supported: bool) -> str:
    """Say which past a sentence tells, "" for none. ``supported`` says that its words are the submission's."""
    return next(_told(it, text, code=code, supported=supported), "")


def _told(it: Told, text: str, *, code: bool, supported: bool) -> Iterator[str]:
    past, outcome = it.has(Word.PAST), it.has(Word.OUTCOME)
    reader, general, others = it.has(Word.READER), it.has(Word.GENERIC), it.has(Word.OWNER)
    apart = it.apart or (it.alone and not code)
    if _ASKED.search(text):
        if outcome and not others and (apart or (reader and it.has(Word.REPEAT))):
            yield "asks about a case that no proved record states"
        return
    if it.has(Word.MODAL) and not (apart and outcome and past):
        return
    if past and outcome and not code and not others and not general and _IT.match(text) and len(text) < 60:
        yield "says how something unnamed ended"
    if reader and it.has(Word.REPEAT) and it.has(Word.CASE):
        yield "says that the reader repeats something"
    if it.labelled and outcome and not code and not supported:
        yield "lists a case"
    if it.holds and (past or outcome) and (outcome or it.has(Word.INVEST) or apart) and not general:
        yield "tells a past of what the reader holds or has on record"
    if it.has(Word.STORE) and past and outcome and not code and not others:
        yield "tells an end of what was only noted"
    if reader and past and it.has(Word.INVEST) and not others:
        yield "says that the reader invested"
    if it.kept and not others and not general and not supported:
        yield "tells of an earlier case"
    if apart and (past or outcome) and not general and not supported:
        yield "tells how an earlier case went"
    if reader and past and outcome and it.has(_CASES | Word.SITE) and not others and not general:
        yield "tells an outcome of the reader's"
    if (
        code
        and not general
        and (
            (it.has(Word.INCIDENT) and (past or it.has(Word.STORE)))
            or (past and outcome and (it.has(Word.SITE) or (it.has(Word.FLAW) and reader)))
        )
    ):
        yield "tells of an incident"
