"""May a sentence be shown? A judge of one sentence against the evidence, in seven languages. Pure.

A heuristic that leans to refusing: a sentence in which an unknown name, year or amount meets a word of outcome,
likeness or time is refused, and so is what says of the reader that something happened.
"""

from __future__ import annotations

import re
from dataclasses import replace

from audit.addressed import laid_to_reader
from audit.agreement import agrees, bare_claim, near_amount, nothing_found, other_record
from audit.disguise import nested, obscured, split_by_quotes
from audit.evidence import Evidence
from audit.identifiers import unheld_id
from audit.mentions import Kind, Mention
from audit.outright import claims
from audit.presumed import presumes
from audit.questions import asks
from audit.reading import CLAIM, LONGEST_SENTENCE, NESTED, OBSCURED, TOO_LONG, UNREAD, Read, Verdict, known
from audit.support import advises, anchored, its_own_incident, less_own_loss, of_the_world, plainly_nothing, supported
from audit.suspicion import only_alike, suspicious
from audit.tales import tells
from audit.unread import unread
from audit.vocabulary import MODAL, NOTHING, NOTHING_PAST, OF_MANY, READERS, pattern
from audit.word_kinds import Word, kinds, kinds_of

_ENDINGS = pattern("endings")
_ENDED = re.compile(r"wrote|written|went|wound|liquidated")
_LEFT_OUT = re.compile(
    r"(?:(?:is|are|was|were) (?:not|nowhere|never) (?:yet )?(?:stated|given|described|shown|mentioned|disclosed|clear|"
    r"explained|named|reported|documented)|(?:is|are) (?:missing|unclear|unknown|unstated|absent|undisclosed))\W*$"
)
_PICKED_UP = re.compile(r"(?:just )?(?:as|like|given|after|since|once (?:more|again)|again|in|once)\b[^,]*,")
_OF_SOMEBODY = Word.READER | Word.HOLDER | Word.INVEST | Word.OUTCOME


def judge(read: Read, evidence: Evidence) -> Verdict | None:
    """Say why a sentence may not be shown; None where it may."""
    if len(read.text) > LONGEST_SENTENCE:
        return Verdict(TOO_LONG, f"a sentence of more than {LONGEST_SENTENCE} characters")
    if how := obscured(read.text):
        return Verdict(OBSCURED, how)
    if not evidence.code and split_by_quotes(read.plain) and not evidence.in_submission(read.text):
        return Verdict(OBSCURED, "breaks words apart")
    if strange := unheld_id(read, evidence):
        return strange
    if nested(read.text):
        return Verdict(NESTED, "holds data in the shape of a reply, not prose")
    if unread(read, evidence):
        return Verdict(UNREAD, "not checked: written in a language or script that this reader does not know")
    return judge_past(read, evidence)


def judge_past(read: Read, evidence: Evidence) -> Verdict | None:
    """Say which past a sentence claims that no proved record states; None where it claims none."""
    if other := other_record(read, evidence):
        return other
    told = kinds(read.low, read.text, read.language, evidence.has_word, code=evidence.code)
    incidents = [it for it in read.words if kinds_of(it, "en") & Word.INCIDENT]
    # the code's own word ("HACK: see below"), or an incident of which the deck tells in others
    if incidents and (all(map(evidence.has_word, incidents)) or its_own_incident(told, evidence)):
        told = replace(told, all=told.all & ~Word.INCIDENT)
    unknown = [it for it in read.mentions if not known(it, evidence) and not _compound(it, read, evidence)]
    if plainly_nothing(read.low, told, unknown, evidence) or advises(read.low, told, unknown):
        return None
    left_out = _LEFT_OUT.search(read.low) is not None and _PICKED_UP.match(read.low) is None
    if not unknown and left_out and not told.has(_OF_SOMEBODY):
        return None
    claimed = claims(less_own_loss(read, told, evidence)) and not evidence.states_itself(read.text)
    about = [record for record in evidence.proved if record.named_in(read.low)]
    if about:
        return agrees(read, about, evidence, claimed=claimed)
    if not claimed and of_the_world(read, told, unknown):
        return None
    if near := near_amount(unknown, evidence):
        return near
    if claimed:
        return bare_claim(read, unknown, evidence)
    if (evidence.proved or not evidence.looked) and NOTHING.search(read.low) and NOTHING_PAST.search(read.low):
        return nothing_found(evidence)
    stands = supported(read, evidence) or anchored(read, told, unknown, evidence)
    if (past := tells(told, read.text, code=evidence.code, supported=stands)) and not (
        evidence.states_itself(read.text) or (evidence.proved and not unknown and only_alike(read, evidence))
    ):
        return Verdict(CLAIM, f"{past}, which no proved record states")
    if not stands and not evidence.states_itself(read.text):
        reason = laid_to_reader(read, told, evidence) or presumes(read, told, unknown, evidence)
        if reason:
            return Verdict(CLAIM, reason)
    if _ends(read, evidence) and not (stands and told.has(Word.OWNER)):
        return Verdict(CLAIM, "says how something ended that neither the submission nor a proved record names")
    return suspicious(read, unknown, evidence, told)


def _compound(it: Mention, read: Read, evidence: Evidence) -> bool:
    """True for a German noun made with a name of the submission's: "MOVES-Förderung"."""
    head, joined, _ = it.key.partition("-")
    return read.language == "de" and it.kind is Kind.NAME and bool(joined) and evidence.name_known(head)


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
