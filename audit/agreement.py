"""Does a sentence agree with the records it speaks of? A refusal names what the record says. Pure."""

from __future__ import annotations

from audit.evidence import Evidence, RecordFacts
from audit.mentions import Kind, Mention
from audit.names import public
from audit.reading import CLAIM, DIFFERENT, OTHER_RECORD, UNKNOWN, Read, Verdict
from audit.suspicion import of_record, only_alike
from audit.vocabulary import ACTED, LIKENESS, NOTHING, OUTCOMES


def other_record(read: Read, evidence: Evidence) -> Verdict | None:
    """Refuse a sentence that names, repeats or states the amount of a record that was not proved."""
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


def agrees(read: Read, about: list[RecordFacts], evidence: Evidence, *, claimed: bool) -> Verdict | None:
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


def near_amount(unknown: list[Mention], evidence: Evidence) -> Verdict | None:
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


def bare_claim(read: Read, unknown: list[Mention], evidence: Evidence) -> Verdict | None:
    """Judge a claim that names no proved record: that nothing was found, or a plain remark of likeness, may stand."""
    plain = read.low.isascii() and " ".join(read.text.lower().split()) == read.low
    if plain and not unknown and not read.found and not ACTED.search(read.low):
        if NOTHING.search(read.low):
            if evidence.looked and not evidence.proved:
                return None
            return nothing_found(evidence)
        if evidence.proved and (LIKENESS.search(read.low) or of_record(read, evidence)) and only_alike(read, evidence):
            return None
    return Verdict(CLAIM, "claims a past that no proved record states")


def nothing_found(evidence: Evidence) -> Verdict:
    """Refuse that nothing was found, where something was or nobody looked."""
    return Verdict(DIFFERENT, "the records say otherwise" if evidence.looked else "the records were not checked")
