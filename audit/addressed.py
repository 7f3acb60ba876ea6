"""What may be said to the reader. Pure, linear.

A model has nothing to tell a user of the user's own past. So a sentence that speaks to the reader may advise, ask,
suppose, or say what an investment or a piece of code brings with it, in words listed for that; whatever else it says
of them is taken for a past. What the submission says itself is the founder's or the programmer's, and may be repeated.
"""

from __future__ import annotations

import re

from audit.evidence import Evidence
from audit.names import FUNCTION_WORDS
from audit.questions import MOODS, asked, asks, moods, spoken
from audit.reading import Read
from audit.vocabulary import READERS
from audit.word_kinds import Told, Word, kinds_of

_SPOKEN_TO, _PLAIN, _ORDERED, _OTHERWISE = (moods(it) for it in ("spoken_to", "plain", "orders", "otherwise"))
_FOUNDER = re.compile(r"fundador|grunder|fondat(?:eur|rice)|创始人|संस्थापक")
_CHINESE_READER = re.compile("我们|咱|投资人|投资者|该用户|本基金")
_SAID: dict[str, str] = {name: entry.replace("\n", "") for name, entry in MOODS["forward"].items()}
_READER = re.compile(
    r"\b(?:I|(?:[Yy]ou|[Ww]e|[Uu])\b(?!'re welcome)|(?:[Yy]our|[Oo]ur|[Mm]y|[Uu]r)\b|[Uu]s\b|[Mm]e\b)\b"
)
_ADVERBS = r"(?:(?:\w+ly|also|still|then|only|just|now|both|all|not|therefore|thus) )*"
_ANY_SUBJECT = re.compile(
    rf"(?: |(?='))(?:{_ADVERBS}(?:{_SAID['modals']}|{_SAID['deck']}|{_SAID['have']})\b|{_SAID['are']})"
)
_AUDITOR = re.compile(
    rf" {_ADVERBS}(?:{_SAID['auditor']}|"
    rf"have {_ADVERBS}(?:scored|weighed|weighted|marked|treated|assumed|based|counted))\b"
)
_BEFORE = re.compile(_SAID["before"])
_ALSO = re.compile(r"\b(?:and|or|as|because|since|while)$")
_NOUN = re.compile(rf" ((?:[\w'&-]+ ){{0,3}}?)(?:{_SAID['nouns']})\b")
_KEPT_OUT = re.compile(rf"\b(?:{_SAID['kept_out']}|(?:19|20)\d\d)\b")
ORDERS = re.compile(_SAID["orders"])
_MODAL = re.compile(r"\b(?:could|would|may|might|can|should|must|will|need|needs)\b")
_OBJECT = re.compile(
    r"\b(?:for|to|with|from|of|by|on|against|about|gives?|leaves?|tells?|puts?|protects?|exposes?|helps?|lets?|makes?|"
    r"asks?|shows?|offers?|allows?|costs?|brings?|gets?|takes?|keeps?|hands?|sells?|charges?|promises?|invites?|forces?|"
    r"[a-z]{2,}ing)$"
)
_KNOWS = re.compile(
    r" (?:\w+ly |already |still |all |both |too )*"
    r"(?:know|remember|recall|recogni[sz]e|own|ha(?:ve|d) (?:been|had|seen|lived|met|known))\b"
    r"(?! (?:no|nothing|none|neither|any|not)\b)"
)
_KNOWS_IT = re.compile(r"(?: [\w-]+){1,3} (?:knows?|remembers?|recalls?|recogni[sz]es?)\b")
_INVESTOR, _INVESTOR_MAY = (re.compile(MOODS["investor"][it]) for it in ("who", "may"))
_HAD = re.compile(
    r"\b(?:you|we|your|our|fund|firm|partnership|investor|house|portfolio)(?:'d)?(?: [\w'-]+){0,4} (?:had|having)\b"
)
_A_CASE = Word.CASE | Word.INCIDENT | Word.OUTCOME | Word.EARLIER
_SMALL = FUNCTION_WORDS["en"]
_NO_PAST = Word.STORE | Word.KEPT | Word.TWIN | Word.REPEAT | Word.RECALL | Word.INCIDENT
_TOLD_PAST = _NO_PAST | Word.PAST | Word.OUTCOME | Word.EARLIER | Word.INVEST | Word.CASE | Word.HOLDER


def speaks_to(read: Read) -> bool:
    """True where a sentence speaks to its reader, or of a fund; in most languages "your" may be "their"."""
    language = spoken(read.low)
    pattern = _SPOKEN_TO.get(language)
    if pattern is not None and language == "zh":
        return pattern.search(read.plain) is not None or _CHINESE_READER.search(read.plain) is not None
    if pattern is not None and _FOUNDER.search(read.low):
        return pattern.search(read.plain) is not None
    return READERS.search(read.low) is not None


def ordered(read: Read) -> bool:
    """True where a sentence in another language begins as advice: "Fragen Sie, weshalb …"."""
    orders = _ORDERED.get(spoken(read.low))
    found = orders.search(read.low) if orders is not None else None
    return found is not None and found.start() == 0


def of_submission(read: Read, told: Told, evidence: Evidence) -> bool:
    """True where "su" or "seu" is that of somebody named whom the submission names, and nobody else is spoken of."""
    language = spoken(read.low)
    if language not in {"es", "pt"} or _SPOKEN_TO[language].search(read.low):
        return False
    named = bool(read.names) and all(evidence.names_submission(it.key) for it in read.names)
    return named and not told.has(Word.HOLDER | Word.STORE | Word.KEPT | Word.INVEST | Word.ALIKE | Word.TWIN)


def laid_to_reader(read: Read, told: Told, evidence: Evidence) -> str:
    """Say which past a sentence lays to its reader, "" for none; the submission does not say it itself."""
    if asks(read.low) or (len(read.low.split()) < 3 and read.low.isascii()):
        return ""
    language = spoken(read.low)
    if language != "en":
        return _foreign(read, told, language, evidence)
    reader = told.has(Word.READER | Word.HOLDER)
    if reader and asked(read.low) and told.has(Word.CASE | Word.INVEST) and told.has(Word.OUTCOME):
        return "asks as if the reader had lived through it"
    if reader and not evidence.code and (found := _OTHERWISE["en"].search(read.low)):
        near = read.low[max(0, found.start() - 40) : found.end()]
        if found.group().startswith(("had ", "were ", "having")) or _HAD.search(near) or not told.has(Word.OWNER):
            return "supposes that something of the reader's had gone otherwise"
    if not evidence.code and (reason := _of_investor(read.low, evidence)):
        return reason
    lead = ORDERS.match(read.low) or _MODAL.search(read.low)
    for it in _READER.finditer(read.plain):
        if reason := _told_of(it, read, told, evidence, forward=lead is not None):
            return reason
    return ""


def _told_of(it: re.Match[str], read: Read, told: Told, evidence: Evidence, *, forward: bool) -> str:
    word, plain = it.group().lower(), read.plain.lower()
    head, tail = plain[: it.start()].rstrip(" ,;:(\"'*-"), plain[it.end() :]
    if word in {"your", "our", "my", "ur"}:
        return _of_theirs(head, tail, told, evidence, forward=forward)
    if word in {"us", "me"} or (_OBJECT.search(head) and not _ANY_SUBJECT.match(tail)):
        past = told.has(Word.PAST) and not told.has(Word.OWNER) and not forward and not evidence.code
        return "tells what befell the reader" if past and it.group() != "US" else ""
    if evidence.code:
        return "says what the reader knows" if _KNOWS.match(tail) and not told.has(Word.MODAL) else ""
    if _KNOWS.match(tail) and _ALSO.search(head):
        return "says what the reader knows"
    if _BEFORE.search(head) or _ANY_SUBJECT.match(tail) or (word in {"we", "i"} and _AUDITOR.match(tail)):
        return ""
    if tail.startswith((" have", "'ve have", " hold", " had")) and _mostly(tail, evidence):
        return ""
    return "says something of the reader that is neither advice nor in the submission"


def _of_investor(low: str, evidence: Evidence) -> str:
    """Judge what is said of an investor who may be the reader, and is not the submission's."""
    for it in _INVESTOR.finditer(low):
        led = _BEFORE.search(low[: it.start()].rstrip())
        asked_about = (led and led.group() not in {"and", "or"}) or ORDERS.match(low) or evidence.has_text(it.group())
        if not asked_about and not _INVESTOR_MAY.match(low[it.end() :].lstrip()):
            return "says something of an investor that is neither advice nor in the submission"
    return ""


def _of_theirs(head: str, tail: str, told: Told, evidence: Evidence, *, forward: bool) -> str:
    noun = _NOUN.match(tail)
    between = noun.group(1).split() if noun else []
    listed = noun is not None and not any(it in _SMALL or _KEPT_OUT.match(it) for it in between)
    near = re.findall(r"[a-z]{4,}", tail)[:2]
    if listed or (near and all(map(evidence.has_word, near))):
        past = told.has(Word.PAST) and told.has(Word.OUTCOME | Word.INVEST | _NO_PAST)
        return "tells a past of the reader's" if past and not (forward or told.has(Word.OWNER)) else ""
    if evidence.code:
        if _KNOWS_IT.match(tail):
            return "says what the reader knows"
        past = told.has(Word.PAST) and told.has(Word.OUTCOME) and not told.has(Word.OWNER | Word.MODAL)
        return "tells a past of the reader's code" if past else ""
    theirs = any(kinds_of(it, "en") & _A_CASE for it in tail.split()[:4])
    if forward and not theirs and not told.has(Word.KEPT | Word.TWIN | Word.REPEAT | Word.INCIDENT):
        return ""
    return "speaks of something of the reader's that is neither advice nor in the submission"


def _foreign(read: Read, told: Told, language: str, evidence: Evidence) -> str:
    text = read.plain if language == "de" else read.low
    pattern = _SPOKEN_TO.get(language)
    if pattern is None or pattern.search(text) is None or (told.has(Word.NOTHING) and told.has(Word.STORE)):
        return ""
    if _OTHERWISE[language].search(read.low) and not told.has(Word.OWNER):
        return "supposes that something of the reader's had gone otherwise"
    if language == "de" and not told.has(_TOLD_PAST) and all(it.start() == 0 for it in pattern.finditer(text)):
        return ""  # "Ihr Vertrag …": hers, or theirs
    if told.has(Word.MODAL) or evidence.code:
        return ""
    if language in _ORDERED and _ORDERED[language].search(read.low) and not told.has(_NO_PAST):
        return ""
    if _PLAIN[language].search(read.low) and not told.has(_TOLD_PAST & ~Word.INVEST & ~Word.CASE & ~Word.STORE):
        return ""
    return "says something of the reader that is neither advice nor in the submission"


def _mostly(tail: str, evidence: Evidence) -> bool:
    words = re.findall(r"[a-z]{4,}", tail)
    return bool(words) and sum(map(evidence.has_word, words)) * 2 >= len(words)
