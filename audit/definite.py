"""A definite name for a case of which nothing tells: "the flood-barrier deal". Pure, linear.

"The" says that the reader knows which one is meant. Where neither the submission nor a proved record holds what tells
the case apart from others, the only one who could know it is a past that nobody has recorded.
"""

from __future__ import annotations

import re
import tomllib
from pathlib import Path

from audit.evidence import Evidence

_DATA = tomllib.loads((Path(__file__).parent / "data" / "definite.toml").read_text(encoding="utf-8"))
_PLAIN = frozenset(_DATA["plain"].split())
_CASES = frozenset(_DATA["cases"].split())
_NOUNS = "|".join([*_CASES, *_DATA["firms"].split()])
_NAMED = re.compile(
    rf"\b(?:the|that|those) (?P<apart>(?:[a-z][a-z'-]+ ){{1,3}}?)(?P<case>{_NOUNS})\b(?! (?:of|for|with|between) )"
)
_CLAUSE = re.compile(
    r"\b(?:is|are|was|were|and|or|by|in|at|to|that|which|who|will|may|could|would|can|makes?|values?)\b"
)


def unknown_case(low: str, evidence: Evidence) -> str:
    """Give the words by which a folded sentence names a case that nothing tells of, "" for none.

    Any unknown word tells a deal or a fiasco apart; a firm, a loss or an app only one that is put together
    ("lift-monitoring company"), since an analyst calls the company at hand by many adjectives.
    """
    for it in _NAMED.finditer(low):
        words = it["apart"].split()
        if _CLAUSE.search(it["apart"]) or words[0] in _PLAIN:
            continue
        new = [word for word in words if word not in _PLAIN and not _held(word, evidence)]
        if any("-" in word for word in new) or (new and it["case"] in _CASES):
            return it.group()
    return ""


def _held(word: str, evidence: Evidence) -> bool:
    """True where the submission or a proved record has the word, or what it is put together of."""
    return all(evidence.has_word(part) for part in word.split("-") if len(part) > 3)
