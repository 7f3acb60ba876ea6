"""Does a sentence claim a past? A judge of one sentence against the evidence, by vocabulary in seven languages. Pure.

A heuristic that leans to refusing: a sentence in which an unknown name, year or amount meets a word of outcome,
likeness or time is refused, and so is what says of the reader that something happened.
"""

from __future__ import annotations

import re
from dataclasses import replace

from audit.addressed import ORDERS, laid_to_reader, ordered
from audit.disguise import nested, obscured, variants
from audit.evidence import Evidence, RecordFacts
from audit.folding import skeleton
from audit.mentions import Kind, Mention
from audit.names import FUNCTION_WORDS, ordinary, public
from audit.presumed import presumes, told_already
from audit.questions import asks
from audit.reading import (
    CLAIM,
    DIFFERENT,
    LONGEST_SENTENCE,
    NESTED,
    OBSCURED,
    OTHER_RECORD,
    TOO_LONG,
    UNKNOWN,
    UNREAD,
    Read,
    Verdict,
    known,
)
from audit.suspicion import of_record, only_alike, suspicious
from audit.tales import tells
from audit.vocabulary import (
    ACTED,
    LIKENESS,
    MODAL,
    NOTHING,
    NOTHING_PAST,
    OF_MANY,
    OUTCOMES,
    READERS,
    pattern,
)
from audit.word_kinds import Told, Word, kinds, kinds_of

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
_ENDINGS = pattern("endings")
_ENDED = re.compile(r"wrote|written|went|wound|liquidated")
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

_LEFT_OUT = re.compile(
    r"(?:(?:is|are|was|were) (?:not|nowhere|never) (?:yet )?(?:stated|given|described|shown|mentioned|disclosed|clear|"
    r"explained|named|reported|documented)|(?:is|are) (?:missing|unclear|unknown|unstated|absent|undisclosed))\W*$"
)
_PICKED_UP = re.compile(r"(?:just )?(?:as|like|given|after|since|once (?:more|again)|again|in|once)\b[^,]*,")
_INCIDENTS = frozenset(
    {"outage", "offline", "incident", "fault", "breach", "leaked", "hacked", "failure", "failed", "fire", "accident"}
    | {"theft", "stolen", "recalled", "lost"}
)
_OF_ANOTHER = Word.READER | Word.HOLDER | Word.STORE | Word.ALIKE | Word.TWIN | Word.INVEST | Word.REPEAT | Word.RECALL
_OF_SOMEBODY = Word.READER | Word.HOLDER | Word.INVEST | Word.OUTCOME
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

_ID = re.compile(
    r"(?<![\w-])(?:inv|rec|mem|prec)[-_#:](?!\d+\b)[a-z0-9][\w-]{2,40}|"
    r"(?<![\w])(?:(?:inv|bug|rec|record|mem|case|investment|seed|prec|precedent)[-_#:. ]{0,2}\d{2,}|"
    r"(?:rec|mem|inv|bug|case|investment)[-_](?=[a-z]*\d)[a-z0-9]{4,40}|"
    r"[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}|(?=[a-f]*\d)(?=\d*[a-f])[0-9a-f]{16,64}|"
    r"(?=[a-z]*\d)0[0-9a-hjkmnp-tv-z]{25})(?!\w)",
    re.IGNORECASE,
)


_NUMBERED = re.compile(
    r"\b(?:incidents?|tickets?|outages?|post-?mortems?|pull requests?|pr|issues?|bugs?)(?: no\.?| number)? ?#?\d{2,}\b|"
    r"\bcommit [0-9a-f]{7,40}\b|\binc-?\d{4,}\b|(?<![&\w])#\d{3,}\b",
    re.IGNORECASE,
)
_TICKET = re.compile(
    r"(?<![\w-])(?!CWE|CVE|UTF|SHA|ISO|RFC|PEP|AES|RSA|GPT|HTTP|TLS|SSL|CAPEC|ASVS|COVID|MD|IEC|IEEE|EN|BIP|EIP|ERC|UTC|GMT|H|Q|F)"
    r"[A-Z][A-Z0-9]{1,9}-\d{2,}(?![\w-])"
)


_FOREIGN = re.compile(
    r"[\u0370-\u03ff\u0400-\u052f\u0530-\u058f\u0590-\u08ff\u0980-\u1fff\u3040-\u30ff\u1100-\u11ff\uac00-\ud7af"
    r"\u2c00-\u2dff\ua000-\uabff]"
)


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


def judge(read: Read, evidence: Evidence) -> Verdict | None:
    """Say why a sentence may not be shown; None where it may."""
    if len(read.text) > LONGEST_SENTENCE:
        return Verdict(TOO_LONG, f"a sentence of more than {LONGEST_SENTENCE} characters")
    if how := obscured(read.text):
        return Verdict(OBSCURED, how)
    if evidence.ids_in(read.plain) or any(
        it.group().lower() not in evidence.proved_ids for it in _ID.finditer(read.plain)
    ):
        return Verdict(NESTED, "names a record by id that is not a proved precedent")
    tickets = (*_TICKET.finditer(read.plain), *_NUMBERED.finditer(skeleton(read.text)))
    if any(not evidence.has_phrase(it.group().lower()) for it in tickets):
        return Verdict(NESTED, "names a ticket that the submission does not hold")
    if nested(read.text):
        return Verdict(NESTED, "holds data in the shape of a reply, not prose")
    if _unread(read, evidence):
        return Verdict(UNREAD, "not checked: written in a language or script that this reader does not know")
    return judge_past(read, evidence)


def judge_past(read: Read, evidence: Evidence) -> Verdict | None:
    """Say which past a sentence claims that no proved record states; None where it claims none."""
    if other := _other_record(read, evidence):
        return other
    told = kinds(read.low, read.text, read.language, evidence.has_word)
    incidents = [it for it in read.words if kinds_of(it, "en") & Word.INCIDENT]
    # the code's own word ("HACK: see below"), or an incident of which the deck tells in others
    if incidents and (all(map(evidence.has_word, incidents)) or _its_own_incident(told, evidence)):
        told = replace(told, all=told.all & ~Word.INCIDENT)
    unknown = [it for it in read.mentions if not known(it, evidence) and not _compound(it, read, evidence)]
    if _plainly_nothing(read.low, told, unknown, evidence) or _advises(read.low, told, unknown):
        return None
    left_out = _LEFT_OUT.search(read.low) is not None and _PICKED_UP.match(read.low) is None
    if not unknown and left_out and not told.has(_OF_SOMEBODY):
        return None
    claimed = claims(_less_own_loss(read, told, evidence)) and not evidence.states_itself(read.text)
    about = [record for record in evidence.proved if record.named_in(read.low)]
    if about:
        return _agrees(read, about, evidence, claimed=claimed)
    if not claimed and _of_the_world(read, told, unknown):
        return None
    if near := _near_amount(unknown, evidence):
        return near
    if claimed:
        return _bare_claim(read, unknown, evidence)
    if (evidence.proved or not evidence.looked) and NOTHING.search(read.low) and NOTHING_PAST.search(read.low):
        return _nothing_found(evidence)
    supported = _supported(read, evidence) or _anchored(read, told, unknown, evidence)
    if (past := tells(told, read.text, code=evidence.code, supported=supported)) and not (
        evidence.states_itself(read.text) or (evidence.proved and not unknown and only_alike(read, evidence))
    ):
        return Verdict(CLAIM, f"{past}, which no proved record states")
    if not supported and not evidence.states_itself(read.text):
        reason = laid_to_reader(read, told, evidence) or presumes(read, told, unknown, evidence)
        if reason:
            return Verdict(CLAIM, reason)
    if _ends(read, evidence) and not (supported and told.has(Word.OWNER)):
        return Verdict(CLAIM, "says how something ended that neither the submission nor a proved record names")
    return suspicious(read, unknown, evidence, told)


def _less_own_loss(read: Read, told: Told, evidence: Evidence) -> str:
    """Give the folded sentence without what the submission tells too: "the loss of" its customer, "the failure"."""
    own = [re.escape(it.key) for it in read.names if evidence.names_submission(it.key)]
    low = re.sub(rf"\b(?:the )?(?:loss|departure|theft) of (?={'|'.join(own)})", "", read.low) if own else read.low
    if not told.has(Word.PAST | _OF_ANOTHER & ~Word.RECALL):
        low = _REMINDED.sub("", low)
    if _of_another(told):
        return low
    return _EVENT.sub(lambda it: "" if told_already(it[1] or it.group(), evidence) else it.group(), low)


def _its_own_incident(told: Told, evidence: Evidence) -> bool:
    """True where a deck tells of an incident, in whatever words, and a sentence of no other."""
    return not evidence.code and not _of_another(told) and any(map(evidence.has_word, _INCIDENTS))


def _of_another(told: Told) -> bool:
    """True where a sentence speaks of the reader, of what is kept, or of a case beside the one at hand."""
    return bool(told.apart or told.kept or told.holds or told.has(_OF_ANOTHER))


def _compound(it: Mention, read: Read, evidence: Evidence) -> bool:
    """True for a German noun made with a name of the submission's: "MOVES-Förderung"."""
    head, joined, _ = it.key.partition("-")
    return read.language == "de" and it.kind is Kind.NAME and bool(joined) and evidence.name_known(head)


def _near_amount(unknown: list[Mention], evidence: Evidence) -> Verdict | None:
    """Refuse an amount that is nearly a proved record's, in its currency, and name the right one."""
    for it in unknown:
        for money in (money for record in evidence.proved for money in record.amounts):
            if (
                it.kind is Kind.AMOUNT
                and it.currency == money.currency
                and abs(it.value - money.amount) * 5 <= money.amount
            ):
                return Verdict(DIFFERENT, f"the record says {money}")
    return None


def _of_the_world(read: Read, told: Told, unknown: list[Mention]) -> bool:
    """True for what is told of firms everybody knows, and of nobody else: "Wirecard collapsed in 2020"."""
    known_firms = bool(read.names) and all(public(it.key) for it in read.names)
    return (
        known_firms
        and read.language == "en"
        and not any(it.kind in {Kind.AMOUNT, Kind.NUMBER} for it in unknown)
        and not told.has(Word.READER | Word.HOLDER | _LIKE_A_CASE)
    )


def _unread(read: Read, evidence: Evidence) -> bool:
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


def _other_record(read: Read, evidence: Evidence) -> Verdict | None:
    for record in evidence.unproved:
        if record.named_in(read.low) and not evidence.names_submission(record.title_key):
            return Verdict(OTHER_RECORD, f"names a record ({record.title}) that was not proved to be a precedent")
    if evidence.repeats_unproved(read.low):
        return Verdict(OTHER_RECORD, "repeats a record that was not proved to be a precedent")
    for it in read.found:
        unknown = it.kind is Kind.AMOUNT and not evidence.amount_known(it)
        if unknown and any(record.has_amount(it) for record in evidence.unproved):
            return Verdict(OTHER_RECORD, "states the amount of a record that was not proved to be a precedent")
    return None


def _agrees(read: Read, about: list[RecordFacts], evidence: Evidence, *, claimed: bool) -> Verdict | None:
    """Check a sentence that names proved records against what they say."""
    for it in read.found:
        if it.kind is Kind.YEAR:
            years = frozenset[int]().union(*(record.years for record in about))
            if int(it.value) not in years and (claimed or not evidence.submission_has_year(int(it.value))):
                return Verdict(DIFFERENT, f"the record says {', '.join(map(str, sorted(years))) or 'no year'}")
        elif not any(record.has_amount(it) for record in about) and (claimed or not evidence.submission_has_amount(it)):
            said = ", ".join(str(money) for record in about for money in record.amounts) or "no amount"
            return Verdict(DIFFERENT, f"the record says {said}")
    for outcome in OUTCOMES.finditer(read.low):
        if not any(record.allows_outcome(outcome.group()) for record in about):
            said = ", ".join(record.outcome_label for record in about)
            return Verdict(DIFFERENT, f"says “{outcome.group()}”; the record says {said}")
    for it in read.names:
        if not evidence.name_known(it.key) and not public(it.key):
            said = read.plain[it.start : it.end]
            return Verdict(UNKNOWN, f"names {said}, which is in neither the record nor the submission")
    return None


def _bare_claim(read: Read, unknown: list[Mention], evidence: Evidence) -> Verdict | None:
    """Judge a claim that names no proved record: that nothing was found, or a plain remark of likeness, may stand."""
    plain = read.low.isascii() and " ".join(read.text.lower().split()) == read.low
    if plain and not unknown and not read.found and not ACTED.search(read.low):
        if NOTHING.search(read.low):
            if evidence.looked and not evidence.proved:
                return None
            return _nothing_found(evidence)
        if evidence.proved and (LIKENESS.search(read.low) or of_record(read, evidence)) and only_alike(read, evidence):
            return None
    return Verdict(CLAIM, "claims a past that no proved record states")


def _nothing_found(evidence: Evidence) -> Verdict:
    return Verdict(DIFFERENT, "the records say otherwise" if evidence.looked else "the records were not checked")


def _plainly_nothing(low: str, told: Told, unknown: list[Mention], evidence: Evidence) -> bool:
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


def _advises(low: str, told: Told, unknown: list[Mention]) -> bool:
    """True for advice to compare with what the reader has, or to think of it, which tells nothing of it."""
    if _ADVISES.match(low) is not None:
        return not told.has(Word.PAST | Word.OUTCOME | Word.INVEST | Word.REPEAT)
    theirs = not unknown and told.has(Word.READER | Word.HOLDER)
    return theirs and ORDERS.match(low) is not None and not told.has(_MORE_THAN_ADVICE)


def _supported(read: Read, evidence: Evidence) -> bool:
    """True where nearly every longer word is the submission's or a proved record's, and each that tells a past is."""
    found = [word for word in read.words if len(word) > 3]
    if not read.low.isascii() or len(found) < 3:
        return evidence.in_submission(read.text)
    if any(kinds_of(word, "en") & _TELLING and not evidence.has_word(word) for word in read.words):
        return False
    return sum(map(evidence.has_word, found)) * 5 >= 4 * len(found)


def _anchored(read: Read, told: Told, unknown: list[Mention], evidence: Evidence) -> bool:
    """True for a sentence in another language with a year or number of the submission's, and of nobody else."""
    elsewhere = read.language != "en" or not read.low.isascii()
    others = _OF_ANOTHER & ~Word.RECALL & ~(Word.READER if ordered(read) else Word.NONE)
    if not elsewhere or unknown or told.has(others) or told.apart or told.kept:
        return False
    large = _LARGE.findall(read.low)
    return bool(read.found) or (bool(large) and all(map(evidence.has_text, large)))


def _ends(read: Read, evidence: Evidence) -> bool:
    found = _ENDINGS.search(read.low)
    if asks(read.low) and not read.mentions:
        return False
    if found and OF_MANY.search(read.low) and not read.mentions and not READERS.search(read.low):
        return False
    if found is None or evidence.has_phrase(found.group()):
        return False
    clause = read.low[: found.end()] if _ENDED.match(found.group()) else read.low
    if MODAL.search(clause):
        return False
    return not any(record.allows_outcome(found.group()) for record in evidence.proved)
