"""One sentence as it is read, and why one may not be shown. Pure."""

from __future__ import annotations

import re
from dataclasses import dataclass
from functools import lru_cache

from audit.disguise import unmarked
from audit.evidence import Evidence
from audit.mentions import Kind, Mention, quantities
from audit.names import FUNCTION_WORDS, language_of, names

LONGEST_SENTENCE = 1200

CLAIM = "a claim about the past"

UNKNOWN = "a past with an unverified name, year or amount"

OTHER_RECORD = "a record that is not a proved precedent"

DIFFERENT = "differs from the record"

OBSCURED = "disguised or encoded text"

NESTED = "nested data or a record id"

UNREAD = "a language this reader cannot check"

TOO_LONG = "too long to check"

# Where small words do not tell the language of a sentence, a letter may.
_ACCENTS = (
    ("de", re.compile("[äöüß]", re.IGNORECASE)),
    ("pt", re.compile("[ãõ]", re.IGNORECASE)),
    ("fr", re.compile("[èêàùœç]", re.IGNORECASE)),
    ("es", re.compile("[áéíóúñ]", re.IGNORECASE)),
    ("pt", re.compile("[áéíóúâêô]", re.IGNORECASE)),
)
WORDS = re.compile(r"[^\W\d_]+(?:['’][^\W\d_]+)*")


@dataclass(frozen=True, slots=True)
class Verdict:
    """Why a sentence may not be shown."""

    rule: str
    reason: str


@dataclass(frozen=True, slots=True)
class Read:
    """A sentence as read: shown text, text without marks, folded text, what it mentions, its words in lower case."""

    text: str
    plain: str
    low: str
    found: tuple[Mention, ...]
    names: tuple[Mention, ...]
    language: str
    mentions: tuple[Mention, ...]
    words: tuple[str, ...]


@lru_cache(maxsize=1_000)
def read_sentence(text: str) -> Read:
    """Read one sentence."""
    plain = unmarked(text)
    low = " ".join(plain.lower().split())
    language = language_of(plain)
    if language == "en":
        small = {it: len(known.intersection(low.split())) for it, known in FUNCTION_WORDS.items()}
        likely = (it for it, letters in _ACCENTS if letters.search(text) and small[it] * 2 >= small["en"])
        language = max(likely, key=small.__getitem__, default=language)
    found, named = tuple(quantities(plain)), tuple(names(plain, language))
    words = tuple(word.lower() for word in WORDS.findall(plain))
    return Read(text, plain, low, found, named, language, (*found, *named), words)


def known(it: Mention, evidence: Evidence) -> bool:
    """True where the submission or a proved record holds the mention."""
    match it.kind:
        case Kind.NAME:
            return evidence.name_known(it.key)
        case Kind.YEAR:
            return evidence.year_known(int(it.value))
        case _:
            return evidence.amount_known(it)
