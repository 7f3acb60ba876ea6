"""Tell proper names from words that are only capitalised. Pure, linear; a heuristic, with its vocabulary as data."""

from __future__ import annotations

import json
import re
import tomllib
from functools import cache, lru_cache
from pathlib import Path

from babel import Locale

import memory
from audit.folding import skeleton
from audit.mentions import Kind, Mention

_DATA = tomllib.loads((Path(__file__).parent / "data" / "names.toml").read_text(encoding="utf-8"))
_PUBLIC = frozenset(_DATA["public"].split())
_CAPITALS = frozenset(_DATA["capitals"].split())
_INSTITUTIONS = frozenset(_DATA["institutions"].strip().splitlines())
_INSTITUTION = re.compile(rf"\b(?:{'|'.join(sorted(map(re.escape, _INSTITUTIONS), key=len, reverse=True))})\b")
_FIRST_WORDS = frozenset(name.split()[0] for name in _INSTITUTIONS)
_IMPERATIVES = frozenset(_DATA["imperatives"].split())
_ORDINARY = frozenset(_DATA["ordinary"].split())
FUNCTION_WORDS = {
    language: frozenset(words.split())
    for language, words in tomllib.loads(
        (Path(__file__).parent / "data" / "past_claims.toml").read_text(encoding="utf-8")
    )["function_words"].items()
}
_WORD = re.compile(r"[A-Za-z0-9]\w*(?:[&'’.+#/-]\w+)*[+#]*", re.ASCII)
_ENDINGS = re.compile(
    r"(?:ings?|[st]ions?|ations?|ments?|ness|ity|ities|ed|ly|ship|[ae]nces?|[ai]ble|ous|less|ful|est|i[sz]e[rsd]?|ical|"
    r"ally|ively|ive|ism|ists?|wise|proof|ware|ages?|[eo]rs|ees|hood)$"
)
_AGENTS = re.compile(r"(?:holder|maker|owner|keeper|grower|worker|seller|builder|trader|dweller|goer|taker|giver)s?$")
_LONG_ENDINGS = re.compile(r"(?:i[sz]ations?|abilit(?:y|ies)|ibilit(?:y|ies)|iveness|fulness|lessness)$")
_BEGINNINGS = re.compile(
    r"^(?:un|in|im|re|non|over|under|multi|pre|sub|cross|self|mis|dis|de|anti|micro|co|inter|up|out)-?"
)
_CAMEL = re.compile(r"[a-z][A-Z]|[A-Z]{2,}[a-z]{2,}|^[A-Z][a-z]+\d")
_AFTER_DIGITS = re.compile(r"\d+(?=[A-Z])(?=\w*[a-z]{4})")
_PLURAL = re.compile(r" (?:are|were|have|do|need|cost|take|make|often|rarely|usually|and)\b")
_MANY = re.compile(
    r" (?:start-?ups|companies|firms|businesses|makers|ventures|providers|operators|vendors|investors) [a-z]"
)
_GERUND = re.compile(r"[A-Z][a-z]{2,}ing (?:the|an?|it|its|this|that|these|those|all|each|every|any|both|them|such)\b")
_VERB = re.compile(r"(?:[A-Z][a-z]{2,}ing|Did|Does|Do|Has|Have|Had|Is|Are|Was|Were|Will|Would|Could|Should|Can|May)$")
_OPENERS = "\"“‘'«([:*#>—–-•|,¿¡"
_LONGEST_NAME = 64
_ELIDED = re.compile(r"\b(?:l|d|n|s|c|j|qu)['’](?=[a-z]{2})")


@cache
def _vocabulary() -> frozenset[str]:
    """Whole words of the embedder's vocabulary: the best offline list of words that are no invented name."""
    path = Path(next(iter(memory.__path__))) / "data" / "tokenizer.json"
    words = json.loads(path.read_text(encoding="utf-8"))["model"]["vocab"]
    return frozenset(word for word in words if word.isalpha() and len(word) > 1) | _ORDINARY


@cache
def _places() -> frozenset[str]:
    """Words of the names of countries in the languages that are read."""
    named = (name for language in ("en", "es", "de", "fr", "pt") for name in Locale(language).territories.values())
    return frozenset(word for name in named for word in re.findall(r"[a-z]{4,}", skeleton(name).lower()))


@lru_cache(maxsize=1 << 15)
def ordinary(word: str) -> bool:
    """True where ``word`` (lower case, folded) is a common word, or built as one."""
    known = _vocabulary()
    if word in known or word in _CAPITALS or not word.isalpha():
        pieces = re.findall(r"[^\W\d_]+", word) if not word.isalpha() else ()
        return all(piece == word or ordinary(piece) for piece in pieces)
    for stem in (word[:-1], word[:-2]) if word.endswith("s") else ():
        if stem in known and len(stem) > 2:
            return True
    if len(word) > 5 and (_LONG_ENDINGS.search(word) or _derived(word, known)):
        return True
    bare = _BEGINNINGS.sub("", word)
    return bare != word and len(bare) > 2 and bare in known


def _derived(word: str, known: frozenset[str]) -> bool:
    """True where a word is a known one with an ending."""
    agent = _AGENTS.search(word)
    if agent is not None and word[: agent.start()] in known:
        return True
    ending = _ENDINGS.search(word)
    if ending is None or ending.start() < 3:
        return False
    stem = word[: ending.start()]
    doubled = stem[:-1] if stem[-1] == stem[-2] else stem
    return any(it in known or it in _CAPITALS for it in (stem, f"{stem}e", f"{stem}y", f"{stem[:-1]}y", doubled))


def public(key: str) -> bool:
    """True where a name is that of a firm or product everybody knows, or holds no name at all."""
    if key in _INSTITUTIONS:
        return True
    first, *others = re.split(r"[\s/]+", key)
    known = first in _PUBLIC or first in _CAPITALS
    return known and all(word in _PUBLIC or word in _CAPITALS or ordinary(word) for word in others)


@lru_cache(maxsize=1_000)
def language_of(text: str) -> str:
    """Guess the language of a folded sentence among those of the vocabularies: ``en`` unless others win.

    An acronym is no small word of a language ("OS"), unless all is written in capitals.
    """
    words = re.findall(r"[^\W\d_]+", text)[:200]
    told = words if text.isupper() else [word for word in words if len(word) == 1 or not word.isupper()]
    words, low = [word.lower() for word in told], text.lower()
    counts = {language: sum(word in known for word in words) for language, known in FUNCTION_WORDS.items()}
    english = counts.pop("en")
    counts["fr"] += len(_ELIDED.findall(low))
    language, count = max(counts.items(), key=lambda it: it[1])
    return language if count > english else "en"


_ENGLISH = FUNCTION_WORDS["en"]

_SMALL = frozenset(
    {"with", "from", "into", "over", "without", "that", "this", "when", "than", "about", "between", "under"}
)


def names(text: str, language: str = "en") -> list[Mention]:
    """Find proper names in one sentence that ``audit.folding.skeleton`` has read, in order.

    In German, where every noun is capitalised, only names with inner capitals or digits, or unknown ones, are found.
    """
    low = text.lower()
    named = _INSTITUTION.finditer(low) if not _FIRST_WORDS.isdisjoint(low.split()) else ()
    bodies = [Mention(Kind.NAME, *it.span(), key=it.group()) for it in named if text[it.start()].isupper()]
    tokens = [it for it in _WORD.finditer(text) if not any(body.start <= it.start() < body.end for body in bodies)]
    titled = _titled(tokens, closed=text.rstrip().endswith("."))
    flags = [_is_name(text, token, titled=titled, language=language) for token in tokens]
    found: list[Mention] = []
    at = 0
    while at < len(tokens):
        if not flags[at]:
            at += 1
            continue
        first = last = at
        while first > 0 and text[tokens[first - 1].end() : tokens[first].start()] == " " and _joins(tokens[first - 1]):
            if _VERB.match(tokens[first - 1].group()) and _opens(text, tokens[first - 1].start()):
                break
            first -= 1
        while (
            last + 1 < len(tokens)
            and text[tokens[last].end() : tokens[last + 1].start()] in {" ", " & "}
            and (flags[last + 1] or _joins(tokens[last + 1]))
        ):
            last += 1
        start, end = tokens[first].start(), tokens[last].end()
        key = re.sub(r"'s$", "", text[start:end].lower().replace("’", "'"))[:_LONGEST_NAME]
        if not found or found[-1].end <= start:
            found.append(Mention(Kind.NAME, start, end, key=key))
        at = last + 1
    return sorted([*found, *bodies], key=lambda it: it.start)


def _titled(tokens: list[re.Match[str]], *, closed: bool) -> bool:
    """True for a heading, where every longer word is capitalised, so that a capital says nothing."""
    if tokens and tokens[0].group().lower() in _IMPERATIVES and closed:
        return False
    long = [word for word in (token.group() for token in tokens) if len(word) >= 4 and word.lower() not in _SMALL]
    capitals = all(not word[0].islower() for word in long)
    return capitals and (len(long) >= 2 or (len(tokens) > 1 and all(not it.group()[0].islower() for it in tokens)))


def _joins(token: re.Match[str]) -> bool:
    word = token.group()
    low = word.lower()
    return (
        word[0].isupper()
        and low not in _CAPITALS
        and low not in _places()
        and low not in _ENGLISH
        and low not in _IMPERATIVES
    )


def _is_name(text: str, token: re.Match[str], *, titled: bool, language: str) -> bool:
    word = re.sub(r"['’](?:s|d|ll|re|ve|m)?$", "", token.group())
    low = word.lower()
    if len(word) < 2 or not any(char.isupper() for char in word) or low in _CAPITALS or low in _ENGLISH or "_" in word:
        return False
    if low in _places() and word[1:].islower():
        return False
    if low in _PUBLIC:
        return True
    if text[token.end() : token.end() + 1] == "(" or ("." in word and not word.endswith(".")):
        return low.rsplit(".", 1)[-1] in {"com", "io", "ai", "app", "co", "in"}
    if text[token.start() - 1 : token.start()] == "`":
        return False
    if "/" in word or "-" in word:
        parts = [part for part in re.split(r"['/-]", word) if part]
        if language != "en" and _opens(text, token.start()) and all(map(str.islower, parts[1:])):
            return False
        return not all(part.lower() in _CAPITALS or part.islower() or ordinary(part.lower()) for part in parts)
    if word.isupper() and len(word) > 1:
        return not ordinary(low) and len(word) > 3
    if _CAMEL.search(word):
        return True
    if not word[0].isupper():
        return _AFTER_DIGITS.match(word) is not None and not ordinary(low.lstrip("0123456789"))
    if language == "de":
        return False
    if low.endswith("s") and _opens(text, token.start()) and _PLURAL.match(text, token.end()):
        return False
    if _opens(text, token.start()) and _MANY.match(text, token.end()):
        return False
    if _opens(text, token.start()) and _GERUND.match(text, token.start()):
        return False
    if titled or _opens(text, token.start()):
        begins = not text[: token.start()].strip(" \"'“‘«(*#>-–—•|¡¿")
        return not ordinary(low) and (language == "en" or not begins)
    return True


def _opens(text: str, start: int) -> bool:
    before = text[:start].rstrip()
    return not before or before[-1] in _OPENERS or before[-1] in ".!?;"
