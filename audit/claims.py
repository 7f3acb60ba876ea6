"""Does a sentence claim a past? A judge of one sentence against the evidence, by vocabulary in seven languages. Pure.

A heuristic that leans to refusing: a sentence in which an unknown name, year or amount meets a word of outcome,
likeness or time is refused, and so is what says of the reader that something happened.
"""

from __future__ import annotations

import re
import tomllib
from collections.abc import Iterable
from dataclasses import dataclass
from pathlib import Path

from audit.disguise import nested, obscured, unmarked, variants
from audit.evidence import Evidence, RecordFacts
from audit.folding import skeleton
from audit.mentions import Kind, Mention, quantities
from audit.names import language_of, names, ordinary, public
from audit.tales import tells
from audit.word_kinds import Told, Word, kinds

LONGEST_SENTENCE = 1200

CLAIM = "a claim about the past"
UNKNOWN = "a past with an unverified name, year or amount"
OTHER_RECORD = "a record that is not a proved precedent"
DIFFERENT = "differs from the record"
OBSCURED = "disguised or encoded text"
NESTED = "nested data or a record id"
UNREAD = "a language this reader cannot check"
TOO_LONG = "too long to check"

_DATA = tomllib.loads((Path(__file__).parent / "data" / "past_claims.toml").read_text(encoding="utf-8"))


def _pattern(*tables: str) -> re.Pattern[str]:
    latin: list[str] = []
    other: list[str] = []
    for table in tables:
        for language, entries in _DATA[table].items():
            folded = [skeleton(entry) for entry in entries]
            if language == "hi":
                other.append(rf"(?<![\u0900-\u097f])(?:{'|'.join(folded)})")
            else:
                (other if language == "zh" else latin).extend(folded)
    parts = [rf"(?<![a-z'])(?:{'|'.join(latin)})(?![a-z])"] if latin else []
    return re.compile("|".join(parts + other))


_CLAIMS = _pattern("claims", "claims_elsewhere")
_WEAK_CLAIMS = _pattern("weak_claims")
_OUTCOMES = _pattern("outcomes")
_INVESTMENTS = _pattern("investments")
_LIKENESS = _pattern("likeness")
_TIMES = _pattern("times")
_READERS = _pattern("readers")
_MODAL = _pattern("modal")
_OTHERS = _pattern("others")
_RECALLS = _pattern("recalls")
_SOFT_ENDINGS = _pattern("soft_endings")
_TOLD_OF = _pattern("told_of")
_ENDINGS = _pattern("endings")
_KEEPS_COMPANY = _pattern("company_kept")
_ACTED, _YOU_PAST, _HAPPENED, _PAST_OUTCOME, _DATED, _NOTHING, _NOTHING_PAST, _ASKS, _PRESUMES = (
    re.compile(_DATA["shapes"][name])
    for name in (
        "acted",
        "reader_past",
        "happened",
        "past_outcome",
        "dated",
        "nothing",
        "nothing_past",
        "asks",
        "presumes",
    )
)
_NEUTRAL = frozenset(word for words in _DATA["neutral"].values() for word in words)
_OF_MANY = re.compile(r"(?:many|most|some|several|few|often|typically|usually|nine out of ten|nine in ten)\b")
_CONDITION = re.compile(r"(?:if|unless|whether|suppose|assuming)(?: that)? $")
_COULD = re.compile(r"\b(?:could|would|may|might|can|will|to|should|must|shall|what|does|do|not)(?: \w+ly| have)? $")
_OF_READER = re.compile(r"(?:you|we|i|u|ya|your|our|remember|recall)\b")
_BEFORE_PERFECT = re.compile(r"(?:once|until|after|when|before|as soon as|ensure|make sure|unless)(?: that)? $")
_PERFECT = re.compile(r"(?:you|we)(?:'ve| have) (?:not |yet |actually |already )?\w+")
_HAN = re.compile(r"[\u3400-\u9fff]")
_FOUND = re.compile(
    r"found|match|hold|contain|compar|similar|semblable|parecid|ahnlich|"
    r"类似|मामला|निवेश|trouv|encontr|hay |gefunden|entspr|找到|मिला|मिली"
)
_ADVISES = re.compile(
    r"(?:you|we) (?:may|might|could|should|can) (?:want to |wish to |also )?(?:compare|check|look|review|search)\b"
)
_ID = re.compile(
    r"(?<![\w])(?:(?:inv|bug|rec|record|mem|case|investment|seed|prec|precedent)[-_#:. ]{0,2}\d{2,}|"
    r"(?:rec|mem|inv|bug|case|investment)[-_](?=[a-z]*\d)[a-z0-9]{4,40}|"
    r"[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}|(?=[a-f]*\d)(?=\d*[a-f])[0-9a-f]{16,64}|"
    r"(?=[a-z]*\d)0[0-9a-hjkmnp-tv-z]{25})(?!\w)",
    re.IGNORECASE,
)
_TICKET = re.compile(
    r"(?<![\w-])(?!CWE|CVE|UTF|SHA|ISO|RFC|PEP|AES|RSA|GPT|HTTP|TLS|SSL|CAPEC|ASVS|COVID|MD|IEC|IEEE|EN|BIP|EIP|ERC|UTC|GMT|H|Q|F)"
    r"[A-Z][A-Z0-9]{1,9}-\d{2,}(?![\w-])"
)
_CODE = re.compile(r"[_(){}\[\]=;<>`]")
_COUNTED = re.compile(r"\d|\b(?:two|three|four|five|six|seven|eight|nine|ten|twice|times)\b")
_WORDS = re.compile(r"[^\W\d_]+(?:['’][^\W\d_]+)*")
_FOREIGN = re.compile(
    r"[\u0370-\u03ff\u0400-\u052f\u0530-\u058f\u0590-\u08ff\u0980-\u1fff\u3040-\u30ff\u1100-\u11ff\uac00-\ud7af"
    r"\u2c00-\u2dff\ua000-\uabff]"
)


@dataclass(frozen=True, slots=True)
class Verdict:
    """Why a sentence may not be shown."""

    rule: str
    reason: str


@dataclass(frozen=True, slots=True)
class Read:
    """A sentence as read: shown text, text without marks, folded text, and what it mentions."""

    text: str
    plain: str
    low: str
    found: tuple[Mention, ...]
    names: tuple[Mention, ...]
    language: str

    @property
    def mentions(self) -> tuple[Mention, ...]:
        return (*self.found, *self.names)

    @property
    def words(self) -> list[str]:
        return [word.lower() for word in _WORDS.findall(self.plain)]


def read_sentence(text: str) -> Read:
    """Read one sentence."""
    plain = unmarked(text)
    low = " ".join(plain.lower().split())
    language = language_of(low)
    return Read(text, plain, low, tuple(quantities(plain)), tuple(names(plain, language)), language)


def known(it: Mention, evidence: Evidence) -> bool:
    """True where the submission or a proved record holds the mention."""
    match it.kind:
        case Kind.NAME:
            return evidence.name_known(it.key)
        case Kind.YEAR:
            return evidence.year_known(int(it.value))
        case _:
            return evidence.amount_known(it)


def claims(low: str) -> bool:
    """True where a folded sentence, in any of its readings, claims a past outright."""
    return any(_claims(it) for it in variants(low, known=_CLAIMS))


def judge(read: Read, evidence: Evidence) -> Verdict | None:
    """Say why a sentence may not be shown; None where it may."""
    if len(read.text) > LONGEST_SENTENCE:
        return Verdict(TOO_LONG, f"a sentence of more than {LONGEST_SENTENCE} characters")
    if how := obscured(read.text):
        return Verdict(OBSCURED, how)
    if evidence.ids_in(read.plain) or any(
        it.group().lower() not in evidence.proved_ids for it in _ID.finditer(read.plain)
    ):
        return Verdict(NESTED, "names a record by id that is not a proved precedent")
    if any(not evidence.has_phrase(it.group().lower()) for it in _TICKET.finditer(read.plain)):
        return Verdict(NESTED, "names a ticket that the submission does not hold")
    if nested(read.text):
        return Verdict(NESTED, "holds data in the shape of a reply, not prose")
    if _unread(read, evidence):
        return Verdict(UNREAD, "not checked: written in a language or script that this reader does not know")
    return judge_past(read, evidence)


def judge_past(read: Read, evidence: Evidence) -> Verdict | None:
    """Say which past a sentence claims that no proved record states; None where it claims none."""
    if other := _other_record(read, evidence):
        return other
    told = kinds(read.low, read.text, read.language, evidence.has_word)
    unknown = [it for it in read.mentions if not known(it, evidence)]
    if _plainly_nothing(read.low, told, unknown, evidence) or _advises(read.low, told):
        return None
    claimed = claims(read.low) and not evidence.states_itself(read.text)
    about = [record for record in evidence.proved if record.named_in(read.low)]
    if about:
        return _agrees(read, about, evidence, claimed=claimed)
    if claimed:
        return _bare_claim(read, unknown, evidence)
    if (evidence.proved or not evidence.looked) and _NOTHING.search(read.low) and _NOTHING_PAST.search(read.low):
        return _nothing_found(evidence)
    supported = _supported(read, evidence)
    if (past := tells(told, read.text, code=evidence.code, supported=supported)) and not (
        evidence.states_itself(read.text) or (evidence.proved and not unknown and _only_alike(read, evidence))
    ):
        return Verdict(CLAIM, f"{past}, which no proved record states")
    if _ends(read, evidence):
        return Verdict(CLAIM, "says how something ended that neither the submission nor a proved record names")
    return _suspicious(read, unknown, evidence, told)


def _claims(low: str) -> bool:
    asks = low.endswith(("?", "？")) and _ASKS.match(low) is not None and not _PRESUMES.search(low)
    for match in () if asks else _CLAIMS.finditer(low):
        head = low[max(0, match.start() - 40) : match.start()]
        if (
            not _CONDITION.search(head)
            and not (_COULD.search(head) and not _OF_READER.match(match.group()))
            and not (_BEFORE_PERFECT.search(head) and _PERFECT.match(match.group()))
        ):
            return True
    return False


def _unread(read: Read, evidence: Evidence) -> bool:
    return _strange(read, evidence) and not evidence.in_submission(read.text)


def _strange(read: Read, evidence: Evidence) -> bool:
    if read.low.isascii():
        found = [word for word in read.words if len(word) > 2]
        if len(found) < 4 or read.language != "en":
            return False
        return sum(ordinary(word.replace("'", "")) or evidence.has_word(word) for word in found) * 5 < len(found) * 2
    return len(_FOREIGN.findall(read.text)) * 4 > sum(map(str.isalpha, read.text))


def _other_record(read: Read, evidence: Evidence) -> Verdict | None:
    for record in evidence.unproved:
        if record.named_in(read.low) and not evidence.names_submission(record.title_key):
            return Verdict(OTHER_RECORD, f"names a record ({record.title}) that was not proved to be a precedent")
    if evidence.repeats_unproved(read.low):
        return Verdict(OTHER_RECORD, "repeats a record that was not proved to be a precedent")
    for it in read.found:
        unknown = it.kind is Kind.AMOUNT and not evidence.amount_known(it)
        if unknown and any(record.has_amount(it) for record in evidence.unproved):
            return Verdict(OTHER_RECORD, "states the amount of a record that was not proved to be a precedent")
    return None


def _agrees(read: Read, about: list[RecordFacts], evidence: Evidence, *, claimed: bool) -> Verdict | None:
    """Check a sentence that names proved records against what they say."""
    for it in read.found:
        if it.kind is Kind.YEAR:
            years = frozenset[int]().union(*(record.years for record in about))
            if int(it.value) not in years and (claimed or not evidence.submission_has_year(int(it.value))):
                return Verdict(DIFFERENT, f"the record says {', '.join(map(str, sorted(years))) or 'no year'}")
        elif not any(record.has_amount(it) for record in about) and (claimed or not evidence.submission_has_amount(it)):
            said = ", ".join(str(money) for record in about for money in record.amounts) or "no amount"
            return Verdict(DIFFERENT, f"the record says {said}")
    for outcome in _OUTCOMES.finditer(read.low):
        if not any(record.allows_outcome(outcome.group()) for record in about):
            said = ", ".join(record.outcome_label for record in about)
            return Verdict(DIFFERENT, f"says “{outcome.group()}”; the record says {said}")
    for it in read.names:
        if not evidence.name_known(it.key) and not public(it.key):
            said = read.plain[it.start : it.end]
            return Verdict(UNKNOWN, f"names {said}, which is in neither the record nor the submission")
    return None


def _bare_claim(read: Read, unknown: list[Mention], evidence: Evidence) -> Verdict | None:
    """Judge a claim that names no proved record: that nothing was found, or a plain remark of likeness, may stand."""
    plain = read.low.isascii() and " ".join(read.text.lower().split()) == read.low
    if plain and not unknown and not read.found and not _ACTED.search(read.low):
        if _NOTHING.search(read.low):
            if evidence.looked and not evidence.proved:
                return None
            return _nothing_found(evidence)
        if (
            evidence.proved
            and (_LIKENESS.search(read.low) or _of_record(read, evidence))
            and _only_alike(read, evidence)
        ):
            return None
    return Verdict(CLAIM, "claims a past that no proved record states")


def _nothing_found(evidence: Evidence) -> Verdict:
    return Verdict(DIFFERENT, "the records say otherwise" if evidence.looked else "the records were not checked")


def _only_alike(read: Read, evidence: Evidence) -> bool:
    new = (word for word in read.words if len(word) > 3 and word not in _NEUTRAL and not _held(word, evidence))
    if not read.low.isascii() or any(new) or _COUNTED.search(read.low):
        return False
    ends = [it.group() for it in _OUTCOMES.finditer(read.low)]
    return all(any(record.allows_outcome(word) for record in evidence.proved) for word in ends)


def _plainly_nothing(low: str, told: Told, unknown: list[Mention], evidence: Evidence) -> bool:
    """True for "nothing was found in your records" where nothing was."""
    if unknown or not evidence.looked or evidence.proved or not told.has(Word.NOTHING):
        return False
    return (
        told.has(Word.READER) and told.has(Word.STORE) and _FOUND.search(low) is not None and not told.has(Word.MODAL)
    )


def _advises(low: str, told: Told) -> bool:
    """True for advice to compare with what the reader has, which tells nothing of it."""
    return _ADVISES.match(low) is not None and not told.has(Word.PAST | Word.OUTCOME | Word.INVEST | Word.REPEAT)


def _supported(read: Read, evidence: Evidence) -> bool:
    """True where nearly every longer word of a sentence is the submission's or a proved record's."""
    found = [word for word in read.words if len(word) > 3]
    if not read.low.isascii() or len(found) < 3:
        return evidence.in_submission(read.text)
    return sum(map(evidence.has_word, found)) * 5 >= 4 * len(found)


def _held(word: str, evidence: Evidence) -> bool:
    """True where the submission or a proved record has the word, or one that it is made of ("binding" of "bind")."""
    if evidence.has_word(word):
        return True
    return len(word) > 5 and any(word[:4] in record.words for record in evidence.proved)


def _of_record(read: Read, evidence: Evidence) -> bool:
    """True where a sentence uses a word of a proved record's that says more than that something is alike."""
    return any(
        len(word) > 3 and word not in _NEUTRAL and any(word in record.words for record in evidence.proved)
        for word in read.words
    )


def _ends(read: Read, evidence: Evidence) -> bool:
    found = _ENDINGS.search(read.low)
    if found and _OF_MANY.match(read.low) and not read.mentions and not _READERS.search(read.low):
        return False
    if found is None or _MODAL.search(read.low) or evidence.has_phrase(found.group()):
        return False
    return not any(record.allows_outcome(found.group()) for record in evidence.proved)


def _suspicious(read: Read, unknown: list[Mention], evidence: Evidence, told: Told) -> Verdict | None:
    """Judge a sentence without an outright claim by the company its words keep."""
    low = read.low
    named = [it for it in unknown if it.kind is Kind.NAME and not public(it.key)]
    if read.language != "en":
        named = [it for it in named if " " in it.key or not ordinary(it.key)]
    amounts = [it for it in unknown if it.kind in {Kind.AMOUNT, Kind.NUMBER}]
    money = any(it.kind is Kind.AMOUNT for it in amounts)
    dated = any(it.kind is Kind.YEAR and not evidence.submission_has_year(int(it.value)) for it in read.found)
    modal = _MODAL.search(low) is not None if read.language == "en" and low.isascii() else told.has(Word.MODAL)
    others, readers = _OTHERS.search(low), _READERS.search(low)
    outcome, invest, like, time = (it.search(low) for it in (_OUTCOMES, _INVESTMENTS, _LIKENESS, _TIMES))
    happened = _happened(low, evidence)
    case = told.has(Word.CASE | Word.COMPANY | Word.INCIDENT | Word.EARLIER | Word.ALIKE)
    said = ", ".join(read.plain[it.start : it.end] for it in unknown[:3])
    unverified = Verdict(UNKNOWN, f"names {said}, found in neither the submission nor a proved record")
    unnamed = read.plain.isupper() or _odd(read, evidence)
    if unnamed and like and (readers or outcome):
        return Verdict(UNKNOWN, "likens this to something whose name cannot be told from words")
    if not modal and not low.endswith(("?", "？")):
        if _WEAK_CLAIMS.search(low) and (outcome or time or named or dated or amounts):
            return Verdict(CLAIM, "claims a past that no proved record states")
        if (money or dated) and _YOU_PAST.search(low):
            return unverified
        if (did := _YOU_PAST.search(low)) and not evidence.code and not _grounded(low[did.start() :], evidence):
            return Verdict(CLAIM, "says what the reader did, which neither the submission nor a proved record holds")
        if time and (_YOU_PAST.search(low) or (readers and happened)):
            return Verdict(CLAIM, "claims a past that no proved record states")
        if unnamed and _PAST_OUTCOME.search(low) and not evidence.in_submission(read.text):
            return Verdict(UNKNOWN, "tells of an ending where names cannot be told from words")
        if readers and unnamed and (happened or like):
            return Verdict(
                UNKNOWN, "says of the reader what cannot be read with certainty: names cannot be told from words"
            )
        if not others and (ending := _SOFT_ENDINGS.search(low)) and not evidence.has_phrase(ending.group()):
            return Verdict(CLAIM, "says how something ended that neither the submission nor a proved record names")
        if readers and outcome and (_PAST_OUTCOME.search(low) or read.language != "en" or not low.isascii()):
            return Verdict(CLAIM, "claims an outcome of the reader's that no proved record states")
    if dated and _DATED.search(low):
        return Verdict(UNKNOWN, "dates an event that neither the submission nor a proved record holds")
    if evidence.code:
        plain = any(_plain_name(read.plain[it.start : it.end]) for it in named)
        if plain and (outcome or time or (readers and not modal) or len(read.words) == 1):
            return unverified
        if named and (
            dated or amounts or invest or _RECALLS.search(low) or (time and outcome) or (readers and happened)
        ):
            return unverified
    elif named and (outcome or invest or like or time or dated or amounts or not _KEEPS_COMPANY.search(low)):
        return unverified
    general = told.has(Word.GENERIC) and not readers and not named
    if dated and happened and not general and not _TOLD_OF.search(low):
        ended = outcome and not told.has(Word.OWNER | Word.GENERIC)
        if ended or like or invest or readers or named or case or len(low) < 20:
            return unverified
    nobodys = not _TOLD_OF.search(low) or (told.has(Word.PAST) and told.has(Word.OUTCOME))
    if dated and case and nobodys and not modal and not told.has(Word.OWNER | Word.GENERIC):
        return unverified
    if dated and money and told.has(Word.PAST | Word.OUTCOME) and not modal and not told.has(Word.GENERIC):
        return unverified
    if (
        money
        and not modal
        and not general
        and (happened or outcome or like or dated or (time and (invest or not others)))
    ):
        return unverified
    if dated and not general and ((readers and not modal) or like or invest or (outcome and not others)):
        return unverified
    many = (_OF_MANY.match(low) or general) and not unknown and not readers
    told_once = (
        not many
        and outcome
        and time
        and not modal
        and not others
        and (like or not evidence.has_phrase(outcome.group()))
    )
    if told_once and not (evidence.proved and _of_record(read, evidence) and _only_alike(read, evidence)):
        return Verdict(CLAIM, "states an outcome in the past that neither the submission nor a proved record holds")
    if dated and len(low.split()) <= 3 and not _HAN.search(low) and not _TOLD_OF.search(low):
        return unverified
    if (amounts or dated or (named and not evidence.code)) and _bare(_without(read.plain, unknown)):
        return unverified
    if like and (word := _unknown_after(read, evidence)):
        return Verdict(UNKNOWN, f"likens this to “{word}”, which is in neither the submission nor a proved record")
    return None


def _grounded(did: str, evidence: Evidence) -> bool:
    """True where what the reader is said to have done is in good part the submission's: the founder may read it."""
    found = [word for word in _WORDS.findall(did) if len(word) > 3 and word not in _NEUTRAL]
    return bool(found) and sum(map(evidence.has_word, found)) * 2 >= len(found)


def _happened(low: str, evidence: Evidence) -> bool:
    """True where something is said to have happened, less adjectives of the submission's such as "registered"."""
    return any(len(it.group()) < 6 or not evidence.has_word(it.group()) for it in _HAPPENED.finditer(low))


def _odd(read: Read, evidence: Evidence) -> bool:
    """True for a sentence without capitals that has a word of no language, the submission or a record."""
    if read.plain != read.low or not read.low.isascii() or read.language != "en" or _CODE.search(read.text):
        return False
    return any(
        len(word) > 4 and not ordinary(word.replace("'", "")) and not evidence.has_word(word) for word in read.words
    )


def _unknown_after(read: Read, evidence: Evidence) -> str:
    """Return the word that follows a word of likeness where it is no word of a language, the submission or a record."""
    for match in _LIKENESS.finditer(read.low) if read.language == "en" and read.low.isascii() else ():
        following = _FOLLOWING.match(read.low, match.end(), match.end() + 60)
        word = following.group(1) if following else ""
        if word and not ordinary(word) and not evidence.has_word(word) and not public(word):
            return word
    return ""


_FOLLOWING = re.compile(r"(?: (?:to|of|with|as|the|a|an|what|how|that|at|from))* ([^\W\d_]{4,})")


def _plain_name(name: str) -> bool:
    """True for a name that is written as a company's is, not as a tool, a class or an acronym."""
    return all(word[:1].isupper() and word[1:].islower() for word in name.split())


def _bare(text: str) -> bool:
    """True where next to nothing is said."""
    if text.isascii():
        return not any(len(word) > 3 for word in _WORDS.findall(text))
    return len("".join(text.split())) < 6


def _without(text: str, found: Iterable[Mention]) -> str:
    for it in sorted(found, key=lambda it: -it.start):
        text = f"{text[: it.start]} {text[it.end :]}"
    return text
