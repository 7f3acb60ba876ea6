"""Is a sentence in a language or script that this reader does not know? Pure."""

from __future__ import annotations

import re

from audit.evidence import Evidence
from audit.names import FUNCTION_WORDS, ordinary
from audit.reading import Read

_FOREIGN = re.compile(
    r"[\u0370-\u03ff\u0400-\u052f\u0530-\u058f\u0590-\u08ff\u0980-\u1fff\u3040-\u30ff\u1100-\u11ff\uac00-\ud7af"
    r"\u2c00-\u2dff\ua000-\uabff]"
)


def unread(read: Read, evidence: Evidence) -> bool:
    """True where a sentence cannot be read and the submission does not hold it as it is."""
    return _strange(read, evidence) and not evidence.in_submission(read.text)


def _strange(read: Read, evidence: Evidence) -> bool:
    if read.low.isascii():
        words = read.low.split()
        accented = sum(not word.isascii() for word in read.text.split())
        found = [word for word in read.words if len(word) > 2]
        if len(found) < 5:
            return False
        if read.language != "en":
            own = sum(word in FUNCTION_WORDS[read.language] for word in read.words)
            return len(read.words) > 4 and own * 20 < len(read.words) * 3
        return (
            accented * 3 > len(words)
            or sum(ordinary(word.replace("'", "")) or evidence.has_word(word) for word in found) * 5 < len(found) * 2
        )
    return len(_FOREIGN.findall(read.text)) * 4 > sum(map(str.isalpha, read.text))
