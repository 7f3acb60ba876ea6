"""Undo the disguises of text: look-alike letters, spelling apart, leet, encodings, data instead of prose. Pure."""

from __future__ import annotations

import base64
import html
import re

from audit.folding import scripts_mixed, skeleton
from audit.names import ordinary

_TAGS = re.compile(r"<!--|-->|</?[a-zA-Z][^<>]{0,300}>|&nbsp;")
_WORDS_INSIDE = re.compile(r"(?<=[\"'=])[^\"'<>=]*[^\W\d_]{2,}[^\"'<>=]*(?=[\"'>])|(?<=<)[^\"'<>=]{3,}(?=>)")
_MARKDOWN = re.compile(r"[*_~`#|>\\]+")
_INSIDE = re.compile(r"(?<=[^\W\d_])[*_~`'’.\-|/\\^\"+=·•:,()\[\]{}<>]{1,3}(?=[^\W\d_])")
_SPACED = re.compile(r"(?<![^\W_])(?:[^\W\d_](?:[ .\-_*|/,·•~+=]{1,3})){4,12}[^\W\d_](?![^\W_])")
_SPACED_DIGITS = re.compile(
    r"(?<!\d)[12](?:[ .\-_*|/·•~]{1,2})[09](?:[ .\-_*|/·•~]{1,2})\d(?:[ .\-_*|/·•~]{1,2})\d(?!\d)"
)
_RUN_TOGETHER = re.compile(r"\b[A-Z][a-z]+(?:[._·][A-Z][a-z]+){3,}")
_CUT_YEAR = re.compile(
    r"\b(?:in|since|during|year|back in) (?:19|20)[-.–—](?:[0-4]\d|9\d)(?![\d%]| (?:users|customers|people|days))"
)
_LEET_WORD = re.compile(r"(?<![a-z0-9@$!|€])[a-z0-9@$!|€]*(?:[a-z][0-9@$!|€]|[0-9@$!|€][a-z])[a-z0-9@$!|€]*")
_SPLIT_WORD = re.compile(r"[A-Za-z][\"“”«»][A-Za-z0-9]")
_LEET = str.maketrans("0134578@$!|€", "oieastbasile")
_LEET_OTHER = str.maketrans("0134578@$!|€", "oleastbaslle")
_BROKEN_WORD = re.compile(r"(?<![A-Za-z])([A-Za-z]+)[-*_~|/\\^+=·•]{1,3}([a-z]+)(?![A-Za-z])")
_REPEATED = re.compile(r"([a-z])\1{2,}")
_SQUEEZED = re.compile(
    r"you(?:have|had|ve|once|already|previously|also|all){0,2}"
    r"(?:invested|backedthis|backeda|funded|losteverything|lostmoney|lostit|wroteoff|wroteitoff|sawthis|remember|recall)"
    r"|yourpast|yourprevious(?:investment|loss|bet)|lasttimeyou|yourrecordsshow|historyshows"
)
_NO_LETTER = re.compile(r"[\W\d_]+")
_OVERRIDES = re.compile("[\u202a-\u202e\u2066-\u2069]")
_BASE64 = re.compile(r"(?<![\w+/])[A-Za-z0-9+/]{16,}={0,2}(?![\w+/])")
_HEX = re.compile(
    r"(?<!\w)(?:0x)?(?:[0-9a-f]{2}[ :]?){8,}(?!\w)|(?:\\x[0-9a-f]{2}){3,}|(?:\\u[0-9a-f]{4}){2,}|(?:%[0-9a-f]{2}){4,}",
    re.IGNORECASE,
)
_FIELD_NAMES = (
    r"(?:record|similar|historical|past)[ _\-]?(?:id|ids|idea|bug|loss|losses|cases?)(?:[ _\-]?found)?[\"'“”]?\s*[:=]"
    r"|similar[ _\-](?:idea|bug)[ _\-]found|similar[ _\-]past[ _\-]cases|historical[ _\-]loss\b"
    r"|record[ _\-]?(?:quote|id)\b|submission[ _\-]quote\b"
)
_KEYS = (
    r"(?:company|outcome|loss(?:es)?|amount|invested|returned|year|lesson|records?|cases?|precedents?|history|similar|score|"
    r"verdict|summary|title|name|fact|memory|why|quote|result|past|text|note|data|value|answer|content|message|id)"
)
_NESTED = re.compile(
    rf"[\"'“”]\w*{_KEYS}\w*[\"'“”]\s*:|\{{\s*{_KEYS}\s*:|^\s*[\[{{]+\s*[\"'“”]\w[\w \-]*[\"'“”]\s*:|{_FIELD_NAMES}",
    re.IGNORECASE,
)
_WORDS = re.compile(r"[^\W\d_]+")
_TRADE_MARKS = frozenset("™℠℃℉№®©ªº")


def unescaped(text: str) -> str:
    """Resolve HTML entities, also of entities."""
    for _ in range(4):
        plain = html.unescape(text) if "&" in text else text
        if plain == text:
            break
        text = plain
    return text


def unmarked(text: str) -> str:
    """Read text as an eye would: without HTML tags and Markdown marks, broken words mended; case stays."""
    read = skeleton(unescaped(text))
    inside = " ".join(_WORDS_INSIDE.findall(" ".join(it for it in _TAGS.findall(read) if " " in it)))
    plain = _MARKDOWN.sub("", _TAGS.sub(" ", read) + (f" {inside}" if " " in inside.strip() else ""))
    return _BROKEN_WORD.sub(lambda it: it[1] + it[2] if _joins(it[1] + it[2]) else it[0], plain)


def obscured(text: str) -> str:
    """Say how ``text`` is disguised, in words for a user, or "" where it is plain."""
    if _OVERRIDES.search(text):
        return "holds marks that change the direction of the text"
    raw = unescaped(text)
    if not raw.isascii():
        if any(scripts_mixed(word) for word in _WORDS.findall(raw)):
            return "mixes look-alike letters of different alphabets in one word"
        if any(_drawn(char) for char in set(raw)):
            return "spells words with symbols"
    plain = skeleton(raw)
    if _SPACED.search(plain) or _SPACED_DIGITS.search(plain) or _CUT_YEAR.search(plain.lower()):
        return "spells words letter by letter"
    if _RUN_TOGETHER.search(plain):
        return "runs words together"
    if sum(map(_broken, _BROKEN_WORD.findall(plain.lower()))) > 1:
        return "breaks words apart"
    if sum(map(_leet, _LEET_WORD.findall(plain.lower()))) > 1:
        return "spells words with digits"
    if _HEX.search(plain) or any(_decodes(it.group()) for it in _BASE64.finditer(plain)):
        return "holds encoded text"
    return ""


def split_by_quotes(text: str) -> bool:
    """True where a quotation mark stands within a word; in prose on code a string may begin so."""
    return _SPLIT_WORD.search(text) is not None


def nested(text: str) -> bool:
    """True where text holds data in the shape of a reply: keys and values, or names of a reply's fields."""
    return _NESTED.search(skeleton(unescaped(text))) is not None


def variants(low: str, *, known: re.Pattern[str]) -> list[str]:
    """Return the readings of a folded sentence that a disguise could hide: as is, without leet, without inner marks.

    ``known`` is what is looked for: where it stands in the open no squeezed reading is tried.
    """
    found = [low]
    leet = _LEET_WORD.sub(lambda it: it.group().translate(_LEET), low)
    if leet != low:
        found += [leet, _LEET_WORD.sub(lambda it: it.group().translate(_LEET_OTHER), low)]
    if _INSIDE.search(low):
        found += [_INSIDE.sub("", low), _INSIDE.sub(" ", low)]
    if _REPEATED.search(low):
        found.append(_REPEATED.sub(r"\1", low))
    if _SQUEEZED.search(_NO_LETTER.sub("", low)) and not known.search(low):
        found.append("you invested")
    return found


def _drawn(char: str) -> bool:
    """True for a symbol that stands for letters, such as a circled or a flag letter."""
    return not char.isalnum() and char not in _TRADE_MARKS and any(map(str.isalnum, skeleton(char)))


def _joins(word: str) -> bool:
    return len(word) > 4 and ordinary(word.lower())


def _broken(parts: tuple[str, str]) -> bool:
    joined = "".join(parts).lower()
    return len(joined) > 4 and ordinary(joined) and not all(len(part) > 2 and ordinary(part.lower()) for part in parts)


def _leet(word: str) -> bool:
    if len(word) < 3 or not any(map(str.isalpha, word)):
        return False
    return any(read.isalpha() and ordinary(read) for read in (word.translate(_LEET), word.translate(_LEET_OTHER)))


def _decodes(token: str) -> bool:
    if token.isalpha() and (token.islower() or token.isupper() or token.istitle()):
        return False
    try:
        raw = base64.b64decode(token.rstrip("=") + "=" * (-len(token.rstrip("=")) % 4), validate=True).decode()
    except ValueError:
        return False
    return len(raw) >= 8 and all(map(str.isprintable, raw.split()))
