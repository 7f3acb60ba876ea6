"""What lets a sentence stand that sounds of a past: the submission or the world tells it, or it tells none. Pure."""

from __future__ import annotations

import re

from audit.addressed import ORDERS, ordered
from audit.evidence import Evidence
from audit.mentions import Kind, Mention
from audit.names import public
from audit.outright import claims
from audit.presumed import told_already
from audit.reading import Read
from audit.word_kinds import Told, Word, kinds_of

_FOUND = re.compile(
    r"found|match|hold|contain|compar|similar|recall|retriev|applies|exists|semblable|parecid|ahnlich|मिलता|समान|"
    r"类似|相似|可比|मामला|निवेश|trouv|encontr|hay |gefunden|fand\b|vergleichbar|entspr|找到|मिला|मिली"
)
_NO_CASE = re.compile(
    r"\b(?:no|any) (?:\w+ ){0,2}(?:cases?|precedents?|investments?|deals?|bugs?|incidents?|records?)\b|"
    r"\b(?:kein\w*|ningun\w*|nenhum\w*|aucune?) (?:\w+ ){0,2}"
    r"(?:fall|falle|investition\w*|caso|inversion|investimento|investissement|cas|precedente?)\b|"
    r"कोई .{0,12}(?:निवेश|मामला)|(?:没有|未|无).{0,16}(?:投资|案例|项目|记录)"
)
_NONE_OF = re.compile(
    r"none of (?:the|your|our|my) (?:\w+ ){0,3}(?:cases?|precedents?|investments?|deals?|bugs?|incidents?|records?) "
    r"(?:resembl|match|compar|is|are|appl|come|fit|look)"
)
_TELLING = (
    Word.EARLIER | Word.TWIN | Word.RECALL | Word.REPEAT | Word.INCIDENT | Word.OUTCOME | Word.INVEST | Word.HOLDER
)
_LIKE_A_CASE = Word.ALIKE | Word.TWIN | Word.REPEAT | Word.RECALL | Word.INVEST | Word.CASE | Word.STORE | Word.EARLIER
_ADVISES = re.compile(
    r"(?:you|we) (?:may|might|could|should|can) (?:want to |wish to |also )?(?:compare|check|look|review|search)\b"
)
_OF_ANOTHER = Word.READER | Word.HOLDER | Word.STORE | Word.ALIKE | Word.TWIN | Word.INVEST | Word.REPEAT | Word.RECALL
_MORE_THAN_ADVICE = (
    Word.PAST | Word.OUTCOME | Word.INVEST | Word.REPEAT | Word.RECALL | Word.EARLIER | Word.TWIN | Word.KEPT
    | Word.INCIDENT | Word.CASE
)  # fmt: skip
_LARGE = re.compile(r"(?<![\d.,])\d(?:[.,]?\d){2,}(?![\d.,]*\d)")
_REMINDED = re.compile(r"^(?:please )?remember that\b")
_EVENT = re.compile(
    r"\b(?:after|since|given|despite|because of) (?:the|that) (?:[a-z-]+ )?(?:loss|failure|collapse|shutdown)\b|"
    r"(?<=the )(?:company|business|start-?up|founders?|team) (?:has |had |also |already )?(lost|failed|closed)\b"
)
_INCIDENTS = frozenset(
    {"outage", "offline", "incident", "fault", "breach", "leaked", "hacked", "failure", "failed", "fire", "accident"}
    | {"theft", "stolen", "recalled", "lost"}
)


def less_own_loss(read: Read, told: Told, evidence: Evidence) -> str:
    """Give the folded sentence without what the submission tells too: "the loss of" its customer, "the failure"."""
    own = [re.escape(it.key) for it in read.names if evidence.names_submission(it.key)]
    low = re.sub(rf"\b(?:the )?(?:loss|departure|theft) of (?={'|'.join(own)})", "", read.low) if own else read.low
    if not told.has(Word.PAST | _OF_ANOTHER & ~Word.RECALL):
        low = _REMINDED.sub("", low)
    if of_another(told):
        return low
    return _EVENT.sub(lambda it: "" if told_already(it[1] or it.group(), evidence) else it.group(), low)


def its_own_incident(told: Told, evidence: Evidence) -> bool:
    """True where a deck tells of an incident, in whatever words, and a sentence of no other."""
    return not evidence.code and not of_another(told) and any(map(evidence.has_word, _INCIDENTS))


def of_another(told: Told) -> bool:
    """True where a sentence speaks of the reader, of what is kept, or of a case beside the one at hand."""
    return bool(told.apart or told.kept or told.holds or told.has(_OF_ANOTHER))


def of_the_world(read: Read, told: Told, unknown: list[Mention]) -> bool:
    """True for what is told of firms everybody knows, and of nobody else: "Wirecard collapsed in 2020"."""
    known_firms = bool(read.names) and all(public(it.key) for it in read.names)
    return (
        known_firms
        and read.language == "en"
        and not any(it.kind in {Kind.AMOUNT, Kind.NUMBER} for it in unknown)
        and not told.has(Word.READER | Word.HOLDER | _LIKE_A_CASE)
    )


def plainly_nothing(low: str, told: Told, unknown: list[Mention], evidence: Evidence) -> bool:
    """True for "nothing was found in your records" where nothing was."""
    if unknown or not evidence.looked or evidence.proved or not told.has(Word.NOTHING):
        return False
    if _NONE_OF.match(low):
        return True
    if _NO_CASE.search(low) and not told.has(Word.READER) and not claims(_NO_CASE.sub("nothing", low)):
        return _FOUND.search(low) is not None or not told.has(Word.PAST | Word.OUTCOME | Word.INVEST | Word.HOLDER)
    return (
        told.has(Word.READER) and told.has(Word.STORE) and _FOUND.search(low) is not None and not told.has(Word.MODAL)
    )


def advises(low: str, told: Told, unknown: list[Mention]) -> bool:
    """True for advice to compare with what the reader has, or to think of it, which tells nothing of it."""
    if _ADVISES.match(low) is not None:
        return not told.has(Word.PAST | Word.OUTCOME | Word.INVEST | Word.REPEAT)
    theirs = not unknown and told.has(Word.READER | Word.HOLDER)
    return theirs and ORDERS.match(low) is not None and not told.has(_MORE_THAN_ADVICE)


def supported(read: Read, evidence: Evidence) -> bool:
    """True where nearly every longer word is the submission's or a proved record's, and each that tells a past is."""
    found = [word for word in read.words if len(word) > 3]
    if not read.low.isascii() or len(found) < 3:
        return evidence.in_submission(read.text)
    if any(kinds_of(word, "en") & _TELLING and not evidence.has_word(word) for word in read.words):
        return False
    return sum(map(evidence.has_word, found)) * 5 >= 4 * len(found)


def anchored(read: Read, told: Told, unknown: list[Mention], evidence: Evidence) -> bool:
    """True for a sentence in another language with a year or number of the submission's, and of nobody else."""
    elsewhere = read.language != "en" or not read.low.isascii()
    others = _OF_ANOTHER & ~Word.RECALL & ~(Word.READER if ordered(read) else Word.NONE)
    if not elsewhere or unknown or told.has(others) or told.apart or told.kept:
        return False
    large = _LARGE.findall(read.low)
    return bool(read.found) or (bool(large) and all(map(evidence.has_text, large)))
