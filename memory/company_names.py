"""What a company or a bug is called: when two titles name the same thing to an eye. Pure.

The legal form of a company does not tell it from another, and neither do case, marks, spaces, letters of other scripts
or digits that look like letters. Any other word does: Acme and Acme Robotics are two companies.
"""

from __future__ import annotations

import re
from difflib import SequenceMatcher

from memory.look_alikes import unmask

NEAR = 0.8

# Legal forms of companies, and the words that only say that a company is one or holds others.
_FORMS = frozenset([
    "ab", "ag", "as", "asa", "aps", "bhd", "bv", "bvba", "co", "company", "corp", "corporation", "cv", "ehf", "eurl",
    "fze", "fzco", "gbr", "gmbh", "group", "hf", "holding", "holdings", "inc", "incorporated", "kft", "kg", "kgaa",
    "kk", "limited", "llc", "llp", "lp", "ltd", "ltda", "mbh", "nv", "oao", "ooo", "oy", "oyj", "pjsc", "plc",
    "private", "proprietary", "pt", "pte", "pty", "pvt", "sa", "sae", "sarl", "sas", "sasu", "sdn", "se", "sl",
    "slu", "spzoo", "sro", "srl", "tbk", "ug", "zrt",
])  # fmt: skip
_JOINING = frozenset(["and", "und", "et", "y", "e"])
_CJK_FORMS = re.compile(r"^(?:株式会社|有限会社|合同会社)|(?:株式会社|(?:股份)?有限(?:责任)?公司|公司|集团|주식회사)$")
# S.A., L.L.C., A/S, S.p.A.; without the dots a spa is something else.
_ABBREVIATED = re.compile(r"\b[^\W\d_](?:[./][^\W\d_])+\b\.?|\bsp\. ?z ?o\.? ?o\b\.?")
_ONLY_ABBREVIATED = frozenset(["spa"])
# Letters, digits and signs that are drawn alike.
_DRAWN_ALIKE = str.maketrans("0134578i", "oleastbl")
_SIGNS = re.compile(r"(?<=\w)[@$](?=\w)")


def names_alike(one: str, other: str) -> bool:
    """Whether two titles name the same thing to an eye: the same words or letters, but for the form of the company."""
    return not set(name_keys(one)).isdisjoint(name_keys(other))


def name_keys(title: str) -> list[str]:
    """Give the keys of a title; titles that name the same thing to an eye share at least one."""
    words = _drawn(title)
    return list(dict.fromkeys(["".join(words), " ".join(sorted(set(words)))])) if words else []


def names_near(one: str, other: str) -> bool:
    """Whether one title adds words to the other, or is spelt nearly as it: no proof that they name the same thing."""
    mine, theirs = _drawn(one), _drawn(other)
    if not mine or not theirs:
        return False
    shorter, longer = sorted((frozenset(mine), frozenset(theirs)), key=len)
    return shorter <= longer or SequenceMatcher(None, "".join(mine), "".join(theirs), autojunk=False).ratio() >= NEAR


def bare_name(title: str) -> list[str]:
    """Give the words of a name in lower case, unmasked, without the form of the company."""
    plain = _SIGNS.sub(lambda sign: "a" if sign[0] == "@" else "s", unmask(title).casefold())
    words = re.findall(r"[^\W_]+", _ABBREVIATED.sub(_joined, plain))
    words = [_CJK_FORMS.sub("", word) or word for word in words]
    while len(words) > 1 and words[-1] in _FORMS | _JOINING:
        words.pop()
    return words[1:] if len(words) > 1 and words[0] == "the" else words


def _joined(abbreviation: re.Match[str]) -> str:
    letters = re.sub(r"\W", "", abbreviation[0])
    return "ltd" if letters in _ONLY_ABBREVIATED else f"{letters} "


def _drawn(title: str) -> list[str]:
    """Give the words of a name with letters and digits that are drawn alike made one; numbers stay numbers."""
    return [word if word.isdigit() else word.translate(_DRAWN_ALIKE).replace("rn", "m") for word in bare_name(title)]
