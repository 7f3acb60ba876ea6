"""What is not worth remembering: too short, an acknowledgement, nothing but signs. Pure."""

from __future__ import annotations

import re
import unicodedata

SHORTEST = 12
SHORTEST_CJK = 5

_CJK = re.compile(r"[\u3040-\u30ff\u3400-\u9fff\uac00-\ud7af]")
_ACKNOWLEDGEMENT = re.compile(
    r"(?:(?:ok(?:ay)?|kk?|yes|yeah|yep|no|nope|sure|fine|great|good|nice|cool|perfect|awesome|thanks?|thank you|thx|"
    r"ty|got it|noted|understood|will do|sounds good|makes sense|agreed|done|hi|hello|hey|bye|"
    r"good (?:morning|evening|night)|so much|very much|a lot|lol|haha+|hmm+|testing|test|please|merci|danke|gracias|"
    r"好的?|谢谢|收到|明白|可以|知道了|没问题|嗯+|是的|行)[\s.,!?…。，！？~]*)+",
    re.IGNORECASE,
)


def noise(text: str) -> str:
    """Say why ``text`` is not worth storing, or "" where it is."""
    letters = [char for char in text if unicodedata.category(char)[0] in "LN"]
    if not letters:
        return "it holds no words"
    if _ACKNOWLEDGEMENT.fullmatch(text.strip()):
        return "it is only an acknowledgement"
    shortest = SHORTEST_CJK if _CJK.search(text) else SHORTEST
    if len(letters) < shortest or len({char.lower() for char in letters}) < 4:
        return "it is too short to be of use later"
    return ""
