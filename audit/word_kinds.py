"""Sort the words of a sentence into kinds, in seven languages, and see which of them stand together. Pure, linear."""

from __future__ import annotations

import re
import tomllib
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path

from audit.names import FUNCTION_WORDS, ordinary, public

_DATA = tomllib.loads((Path(__file__).parent / "data" / "tales.toml").read_text(encoding="utf-8"))


class Word:
    """The kinds of words, as bits: one word may be of several."""

    NONE = 0
    READER = 1 << 0
    HOLDER = 1 << 1
    STORE = 1 << 2
    EARLIER = 1 << 3
    KEPT = 1 << 4
    ALIKE = 1 << 5
    REPEAT = 1 << 6
    TWIN = 1 << 7
    RECALL = 1 << 8
    CASE = 1 << 9
    COMPANY = 1 << 10
    INCIDENT = 1 << 11
    FLAW = 1 << 12
    SITE = 1 << 13
    OUTCOME = 1 << 14
    INVEST = 1 << 15
    PAST = 1 << 16
    MODAL = 1 << 17
    OWNER = 1 << 18
    TIME = 1 << 40
    GENERIC = 1 << 19
    NOTHING = 1 << 20
    PROGRAM = 1 << 21


_LANGUAGES = ("en", "es", "de", "fr", "pt", "hi")
_TOKEN = re.compile(
    r"(?<!\w)[^\W\d_]+(?:[\u0900-\u0963]+[^\W\d_]*)*(?:['’-][^\W\d_]+)*(?!\w)|[;!?()|—–]|(?<!\d)[,:.]|[,:.](?!\d)"
)
_HAN = re.compile(r"[\u3400-\u9fff]")
_DEVANAGARI = re.compile(r"[\u0900-\u097f]")
_ENGLISH_PAST = re.compile(
    r"(?!(?:need|indeed|feed|speed|seed|breed|exceed|proceed|succeed|embed|agreed|hundred|based|unverified|required|"
    r"limited|named|called|registered|related|parameteri[sz]ed|untested|proved|united|concatenated|advanced|red|bed)$)"
    r"[a-z]{2,}ed$"
)
_NO_PARTICIPLE = (
    r"(?!(?:cond|merc|est|gr|l|certific|abog|advog|empl|empreg|result|cuid|juzg)ad[oa]s?$|"
    r"(?:sent|part|conten|ped|apell?|cont)id[oa]s?$)"
)
_ENDINGS = {
    "es": re.compile(rf"(?:{_NO_PARTICIPLE}[a-zñ]{{2,}}(?:ó|aron|ieron|aste|iste|aba|aban|ad[oa]|id[oa]|ados|idos))$"),
    "pt": re.compile(rf"(?:{_NO_PARTICIPLE}[a-zç]{{3,}}(?:ou|eu|iu|aram|eram|iram|ava|avam|ado|ido|ada|ida))$"),
    "fr": re.compile(r"(?:[a-zç]{2,}(?:é|ée|és|ées|aient)|(?!.*rait)[a-zç]{2,}ait)$"),
    "de": re.compile(
        r"(?:(?!heute|seite|kette|karte|monate|beste|erste|letzte)[a-zäöüß]{3,}(?:te|ten|test)|ge[a-zäöüß]{2,}(?:t|en)|"
        r"(?:be|ver|zer|ent|er|auf|ab|an|aus|ein)(?:ge)?[a-zäöüß]{3,}t)$"
    ),
}  # fmt: skip
_SUBJUNCTIVE = re.compile(r"(?:würd|könnt|müsst|hätt|wär|dürft|möcht|bräucht)")
_ARTICLES = frozenset(_DATA.pop("articles")["any"].split())
IT_WORDS = "|".join(_DATA.pop("it")["any"].split())
_OF = tuple([it] for it in ("of", "de", "del", "der", "des", "du", "do", "da", "dos", "das", "von", "vom"))
_POINTING = frozenset({"the", "your", "our", "that", "this", "a", "another", "one"})
_FOREIGN_NOUN = re.compile(
    r"(?:ung|keit|heit|schaft|[ae]nce|ness|ity|ism|[cs]ion|cao|ment|dade?|tion|eurs?|mente|e[nr])$"
)
_PASSIVE = frozenset({"is", "are", "be", "being", "not", "to", "a", "an", "the"})

_IS = frozenset({"is", "are", "be", "being"})
_PORTUGUESE_ARTICLES = frozenset({"os", "nos"})
_SERIES = frozenset(
    {"performance", "trend", "trends", "figures", "prices", "usage", "behaviour", "behavior", "volatility"}
)
_INFERS = frozenset({"suggests", "suggesting", "implies", "implying", "indicates", "indicating"})
_ADVERBS = frozenset({"still", "often", "also", "now", "then", "never", "always", "not", "both", "all"})
_NOT = frozenset({"not", "isn't", "nicht", "pas", "nao"})
_WAS = frozenset({"was", "were", "had", "did", "been", "never"})


def _tables() -> tuple[dict[str, dict[str, int]], dict[str, dict[str, int]], list[tuple[re.Pattern[str], int]]]:
    exact: dict[str, dict[str, int]] = {language: {} for language in _LANGUAGES}
    stems: dict[str, dict[str, int]] = {language: {} for language in _LANGUAGES}
    han: list[tuple[re.Pattern[str], int]] = []
    for kind, languages in _DATA.items():
        word = int(getattr(Word, kind.upper()))
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
def kinds_of(word: str, language: str) -> int:
    """Say of which kinds a folded, lower-case word is, as bits."""
    exact = _EXACT[language]
    found = exact.get(word, Word.NONE)
    if found == Word.NONE and word.endswith(("'s", "’s")):
        found = exact.get(word[:-2], Word.NONE)
    if language == "fr" and word[1:2] in {"'", "’"}:
        return found | kinds_of(word[2:], language)
    for size in range(2, len(word) + 1):
        found |= _STEMS[language].get(word[:size], Word.NONE)
    return found


@lru_cache(maxsize=1 << 15)
def _tense(accented: str, language: str) -> int:
    if language == "en":
        return Word.PAST if _ENGLISH_PAST.match(accented) else Word.NONE
    ending = _ENDINGS.get(language)
    return Word.PAST if ending is not None and ending.match(accented) else Word.NONE


@dataclass(frozen=True, slots=True)
class Told:
    """A sentence by the kinds of its words: ``all`` of them together, and what a few neighbours are."""

    all: int
    apart: bool
    alone: bool
    kept: bool
    holds: bool
    labelled: bool = False
    case_ended: bool = False
    stranger_ended: bool = False
    english: bool = False

    def has(self, kind: int) -> bool:
        return bool(self.all & kind)


def kinds(low: str, text: str, language: str, known: Callable[[str], bool], *, code: bool = False) -> Told:
    """Sort the words of a sentence: ``low`` folded and lower case, ``text`` with its accents.

    ``known`` says which words the submission or a proved record holds, ``code`` that parts of a program have a past.
    """
    if _HAN.search(low):
        return _in_chinese(low)
    spoken = "hi" if _DEVANAGARI.search(low) else language if language in _EXACT else "en"
    plain = _TOKEN.findall(low)
    written = _TOKEN.findall(text)
    accented = [word.lower() for word in written]
    same = len(plain) == len(accented)
    row: list[int] = []
    for at, token in enumerate(plain):
        found = kinds_of(token, spoken)
        if spoken in {"es", "pt"}:
            found |= kinds_of(token, "pt" if spoken == "es" else "es") & ~Word.NOTHING
        if spoken == "pt" and same and accented[at] in _PORTUGUESE_ARTICLES:  # "nos": in the, not "nós": we
            found &= ~Word.READER
        if code and found & Word.PROGRAM:
            found |= Word.OWNER
        if found == Word.NONE and spoken == "en" and not ordinary(token.split("'")[0]):
            for other in ("es", "de", "fr", "pt"):
                found |= kinds_of(token, other) & (Word.OUTCOME | Word.CASE | Word.INCIDENT)
        tense = _tense(accented[at] if same else token, spoken)
        noun = spoken == "de" and same and at > 0 and written[at][:1].isupper()
        asked = spoken == "de" and at == 0 and plain[1:2] == ["sie"]
        if tense and not (asked or noun) and not (spoken == "en" and _led_by(plain, at) in _PASSIVE):
            found |= tense
        if at and (pair := _EXACT[spoken].get(f"{plain[at - 1]} {token}")):
            found |= pair
        if spoken == "en" and _led_by(plain, at) in _IS and token not in _WAS:  # "is made" tells no past
            found &= ~Word.PAST
        if spoken == "de" and same and _SUBJUNCTIVE.match(accented[at]):
            found = (found & ~Word.PAST) | Word.MODAL
        row.append(found)
    together = Word.NONE
    for word in row:
        together |= word
    return Told(
        together,
        *_apart(plain, row, spoken, known),
        _holds(plain, row),
        _labelled(plain, row),
        _case_ended(row),
        _stranger(plain, text, known) and bool(together & Word.PAST and together & Word.OUTCOME),
        spoken == "en",
    )


def _led_by(plain: Sequence[str], at: int) -> str:
    """Give the word before a place, adverbs aside: "is" of "is still widely used"."""
    at -= 1
    while at > 0 and (plain[at] in _ADVERBS or plain[at].endswith("ly")):
        at -= 1
    return plain[at] if at >= 0 else ""


CASES = Word.CASE | Word.COMPANY | Word.INCIDENT | Word.FLAW


def _in_chinese(low: str) -> Told:
    together = Word.NONE
    for pattern, word in _HAN_PARTS:
        if pattern.search(low):
            together |= word
    return Told(
        together,
        bool(together & (Word.EARLIER | Word.ALIKE)) and bool(together & CASES) and not together & Word.OWNER,
        False,
        bool(together & Word.EARLIER) and bool(together & (Word.CASE | Word.INCIDENT)) and not together & Word.OWNER,
        bool(together & Word.READER) and bool(together & (Word.STORE | Word.HOLDER)),
    )


def _apart(
    plain: Sequence[str], row: Sequence[int], language: str, known: Callable[[str], bool]
) -> tuple[bool, bool, bool]:
    """Say whether a case is told apart from the one at hand: "el caso previo", "the previous one", "a stored case"."""
    found = alone = kept = False
    for at, word in enumerate(row):
        following = row[at + 1] if at + 1 < len(row) else Word.NONE
        ended = at and word & Word.OUTCOME and following & (Word.CASE | Word.COMPANY) and plain[at - 1] in _POINTING
        if ended and not _owned(plain, row, at, at + 1):
            found = kept = True
        if not word & (Word.EARLIER | Word.ALIKE | Word.KEPT):
            continue
        if plain[at] == "one" and plain[at - 1 : at] not in (["the"], ["that"]):  # counted, not told apart
            continue
        if not word & (Word.EARLIER | Word.KEPT) and _denied(plain, at):
            continue
        if plain[at].endswith("ed") and _led_by(plain, at) in _IS:  # "a file is stored under" its name
            continue
        if word & Word.EARLIER and _alone(plain, row, at):
            alone = True
        near = [*range(at + 1, min(len(row), at + 4))]
        if language in {"es", "fr", "pt"}:
            near += [*range(max(0, at - 3), at)]
        for other in near:
            low, high = sorted((at, other))
            if any(it & (Word.OWNER | Word.TIME | Word.PAST) for it in row[low + 1 : high]) or _owned(
                plain, row, low, high
            ):
                continue
            unnamed = (
                _INFERS.isdisjoint(plain[:at])
                and plain[other] not in _SERIES
                and word & Word.KEPT
                and high == low + 1
                and _noun(plain[other], row[other])
                and not known(plain[other])
            )
            unnamed = unnamed and plain[high + 1 : high + 2] not in (["by"], ["than"])  # "an earlier warning by a week"
            if row[other] & (CASES | Word.HOLDER | Word.TWIN) or unnamed:
                found = True
                readers = word & Word.EARLIER and low and row[low - 1] & Word.READER and row[other] & Word.CASE
                kept = kept or bool(word & Word.KEPT and row[other] & (Word.CASE | Word.INCIDENT)) or bool(readers)
            elif word & Word.KEPT and row[other] & Word.STORE and high == low + 1:
                found = True
    return found, alone, kept


def _denied(plain: Sequence[str], at: int) -> bool:
    """True for a likeness that is denied: "not the same business", "nicht dasselbe"."""
    before = at - 1 if plain[at - 1 : at] and plain[at - 1] in _ARTICLES else at
    return before > 0 and plain[before - 1] in _NOT and plain[at] != "like"


def _owned(plain: Sequence[str], row: Sequence[int], low: int, high: int) -> bool:
    """True where the case between the places is somebody else's: "her previous company", "la de la fundadora"."""
    before = range(max(0, low - 3), low)
    if any(row[it] & Word.OWNER or plain[it].endswith("'s") for it in before):
        return True
    return plain[high + 1 : high + 2] in _OF and any(it & Word.OWNER for it in row[high + 2 : high + 4])


def _noun(word: str, kinds: int) -> bool:
    """True for a word that may name a thing, and is of no kind that says otherwise."""
    return len(word) > 4 and word[0].isalpha() and kinds & ~Word.OUTCOME == Word.NONE


def _case_ended(row: Sequence[int]) -> bool:
    """True where a case stands with a word for how it ended, in the past."""
    case = any(it & (Word.CASE | Word.TWIN) and not it & Word.OUTCOME for it in row)
    return case and any(it & Word.OUTCOME for it in row) and any(it & Word.PAST for it in row)


def _stranger(plain: Sequence[str], text: str, known: Callable[[str], bool]) -> bool:
    """True where a sentence begins with a word of no language: the name of something unknown."""
    first = plain[0].removesuffix("'s").removesuffix("’s") if plain else ""
    if (
        len(first) < 5
        or not text.lstrip("¿¡\"'“«*-# ")[:1].isupper()
        or public(first)
        or ordinary(first)
        or known(first)
    ):
        return False
    if any(first in words for words in FUNCTION_WORDS.values()):
        return False
    return not any(kinds_of(first, it) for it in _LANGUAGES) and _FOREIGN_NOUN.search(first) is None


def _labelled(plain: Sequence[str], row: Sequence[int]) -> bool:
    """True for a line of a list of cases: "Precedent: …"."""
    return (
        len(plain) > 2 and plain[1] == ":" and bool(row[0] & (Word.CASE | Word.INCIDENT) and not row[0] & Word.REPEAT)
    )


def _alone(plain: Sequence[str], row: Sequence[int], at: int) -> bool:
    """True where a word of time stands for a case: "the previous one", "la anterior,"."""
    following = plain[at + 1] if at + 1 < len(plain) else ""
    if following in {"one", "ones", "वाला", "वाली", "वाले"}:
        return True
    if plain[at] == "one":
        return plain[at - 1 : at] == ["the"] and following in {"that", "which", "who"}
    before = plain[at - 1] if at else ""
    ends = not following or not following[0].isalpha()
    return before in _ARTICLES and ends and not any(it & Word.OWNER for it in row[max(0, at - 3) : at])


def _holds(plain: Sequence[str], row: Sequence[int]) -> bool:
    """True where what holds a past is the reader's: "your books", "unser Archiv", "the fund"."""
    for at, word in enumerate(row):
        if word & Word.HOLDER:
            return True
        if word & Word.STORE and any(it & Word.READER for it in row[max(0, at - 3) : at]):
            return True
    return False
