"""Cut text into the terms that keywords are made of, the same way for records and for queries. Pure.

Words are lower-cased and lightly stemmed; identifiers give their parts and themselves; error codes, CWE and CVE
numbers and versions stay whole; Chinese, Japanese and Korean runs give overlapping pairs of characters.
"""

from __future__ import annotations

import re
import unicodedata
from functools import lru_cache

_TOKEN = re.compile(
    r"(?P<code>(?<![\w-])(?:[A-Za-z]{1,10}-\d[\w-]*|[A-Z][A-Z0-9]*_[A-Z0-9_]+|0x[0-9A-Fa-f]+|[A-Z]{1,6}\d{2,}))(?!\w)"
    r"|(?P<cjk>[\u3040-\u30ff\u3400-\u4dbf\u4e00-\u9fff\uac00-\ud7af\uf900-\ufaff]+)"
    r"|(?P<word>[^\W_]+(?:[_'’][^\W_]+)*)"
)
_PARTS = re.compile(r"[A-Z]+(?=[A-Z][a-z])|[A-Z]?[a-z]+|[A-Z]+|\d+|[^\W\d_A-Za-z]+")
LONGEST = 64


def _words(listed: str) -> frozenset[str]:
    return frozenset(listed.split())


# The most frequent words of the languages that decks and bugs are written in: they say nothing of a text by
# themselves, and tell its language.
_FREQUENT = {
    "en": _words("""
        a about above after again all also am an and any are as at be because been before being below between both but
        by can could did do does doing down during each few for from further had has have having he her here hers him
        his how i if in into is it its itself just me more most my no nor not now of off on once only or other our ours
        out over own same she should so some such than that the their theirs them then there these they this those
        through to too under until up us very was we were what when where which while who whom why will with would you
        your yours"""),
    "de": _words(
        "auf auch bei das dem den der des die ein eine für im ist mit nicht sich und unsere von werden wir zu"
    ),
    "es": _words("al como con del el en es la las lo los más nuestra nuestro para pero por que se sin su sus un una y"),
    "fr": _words(
        "au aux avec ce dans des du est et la le les nos notre nous par pas plus pour que qui sont sur un une"
    ),
    "pt": _words("as com como da das do dos e em mais na no nossa nosso não o os para por que se seu sua um uma é"),
    "it": _words("al che come con da dei del della di e gli il in la le lo non nostra nostro per più si sono un una è"),
}
COMMON = _FREQUENT["en"] | _FREQUENT["de"] | _FREQUENT["es"] | _FREQUENT["fr"]


_SEPARATORS = frozenset({"Zs", "Zl", "Zp", "Cc", "Cf", "Cs", "Cn"})


def is_one(term: str) -> bool:
    """True where a full-text index takes ``term`` as one."""
    return bool(term) and not any(unicodedata.category(char) in _SEPARATORS for char in term)


def tokens(text: str) -> list[str]:
    """Give the terms of ``text`` in order, repeats included; the common words are left in."""
    found: list[str] = []
    for match in _TOKEN.finditer(unicodedata.normalize("NFKC", text)):
        piece = match[0]
        if match["cjk"]:
            found.extend(piece[i : i + 2] for i in range(max(len(piece) - 1, 1)))
        elif match["code"]:
            found.append(piece.lower()[:LONGEST])
        else:
            found.extend(_word(piece))
    return found


@lru_cache(maxsize=1 << 16)
def _word(piece: str) -> list[str]:
    whole = stem(re.sub(r"['’](?:s|re|ve|ll|d|m|t)?\b", "", piece).lower())[:LONGEST]
    parts = _PARTS.findall(piece) if re.search(r"_|[a-z][A-Z]|[A-Z]{2,}[a-z]", piece) else []
    if len(parts) < 2:
        return [whole] if whole else []
    return [whole, *(stem(part.lower())[:LONGEST] for part in parts if len(part) > 1)]


def stem(word: str) -> str:
    """Fold plain English endings of a lower-case word, so that ``payments`` meets ``payment``."""
    if len(word) < 4 or not word.isascii() or not word.isalpha():
        return word
    for ending, instead in (
        ("ies", "y"),
        ("sses", "ss"),
        ("ings", ""),
        ("ing", ""),
        ("ed", ""),
        ("es", "e"),
        ("s", ""),
    ):
        if word.endswith(ending) and not word.endswith("ss") and len(word) - len(ending) >= 3:
            base = word[: -len(ending)] + instead
            if ending in {"ing", "ings", "ed"}:
                if not re.search(r"[aeiouy]", base):
                    return word
                if base[-1] == base[-2] and base[-1] not in "lsz":
                    base = base[:-1]
            return base.rstrip("e") if len(base) > 3 else base
    return word.rstrip("e") if len(word) > 4 else word


def script(text: str) -> str:
    """Name the script most letters of ``text`` are in: ``latin``, ``cjk`` or ``other``; "" where it has no letters."""
    letters = "".join(filter(str.isalpha, text[:20_000]))
    beyond = [] if letters.isascii() else [code for char in letters if (code := ord(char)) >= 0x250]
    cjk = sum(0x3040 <= it <= 0x30FF or 0x3400 <= it <= 0x9FFF or 0xAC00 <= it <= 0xD7AF for it in beyond)
    counts = {"latin": len(letters) - len(beyond), "cjk": 3 * cjk, "other": len(beyond) - cjk}
    return max(counts, key=lambda name: counts[name]) if any(counts.values()) else ""


def language(text: str) -> str:
    """Guess the language of prose as ISO 639-1: ``zh`` for all Chinese, Japanese or Korean script; "other", or ""."""
    written = script(text)
    if written == "cjk":
        return "zh"
    if written == "other":
        return "other"
    words = re.findall(r"[^\W\d_]+", text[:8_000].lower())
    if len(words) < 4:
        return "en" if text.isascii() else ""
    share = {name: sum(map(common.__contains__, words)) / len(words) for name, common in _FREQUENT.items()}
    best = max(share, key=lambda name: share[name])
    return best if share[best] >= 0.12 and share[best] > 1.3 * share["en"] else "en"


def language_tag(text: str) -> str:
    """Give the keyword that marks prose in another language than English: ``lang-de``; "" for English."""
    code = language(text)
    return f"lang-{code}" if code not in {"en", ""} else ""
