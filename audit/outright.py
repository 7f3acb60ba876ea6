"""Does a sentence claim a past outright? By phrases in seven languages (``audit/data/past_claims.toml``). Pure."""

from __future__ import annotations

import re
from functools import lru_cache

from audit.disguise import variants
from audit.questions import asks
from audit.vocabulary import pattern

_PERFECT = re.compile(r"(?:you|we)(?:'ve| have) (?:not |yet |actually |already )?\w+")
_BEFORE_PERFECT = re.compile(r"(?:once|until|after|when|before|as soon as|ensure|make sure|unless)(?: that)? $")
_OF_READER = re.compile(r"(?:you|we|i|u|ya|your|our|remember|recall)\b")
_COULD = re.compile(r"\b(?:could|would|may|might|can|will|to|should|must|shall|what|does|do|not)(?: \w+ly| have)? $")
_CONDITION = re.compile(r"(?:if|unless|whether|suppose|assuming)(?: that)? $")
_SUPPOSED = re.compile(r"(?:if|when|unless|whether)\b[^,;.]*$")
_READER = re.compile(r"\b(?:you|your|we|our|us|last)\b")
_RIVALS = re.compile(
    r"\b(?:competitors|rivals|incumbents|others|start-?ups|banks|vendors|providers) "
    r"(?:who |that )?(?:have |had )?(?:\w+ly )?$"
)
_CLAIMS = pattern("claims", "claims_elsewhere")


@lru_cache(maxsize=1_000)
def claims(low: str) -> bool:
    """True where a folded sentence, in any of its readings, claims a past outright."""
    return any(_claims(it) for it in variants(low, known=_CLAIMS))


def _claims(low: str) -> bool:
    for match in () if asks(low) else _CLAIMS.finditer(low):
        head = low[max(0, match.start() - 40) : match.start()]
        if (
            not _CONDITION.search(head)
            and not (_SUPPOSED.match(low[: match.start()]) and not _READER.search(low[: match.end()]))
            and not (_COULD.search(head) and not _OF_READER.match(match.group()))
            and not (_RIVALS.search(head) and not _READER.search(match.group()))
            and not (_BEFORE_PERFECT.search(head) and _PERFECT.match(match.group()))
        ):
            return True
    return False
