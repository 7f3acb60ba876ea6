"""Prove precedents: a recalled fact, quoted from its record and from the submission, or nothing. Pure."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field

from audit.folding import visible
from audit.modes import Mode
from audit.quotes import Found, Source, substantial
from audit.types import DraftPrecedent, Precedent, Refusal
from memory.records import Nature, Status, render
from memory.report import Candidate, Cue, RecallReport, RecallState

LEAST_CONFIDENCE = 0.35
MOST_CLAIMED = 100
_COMMON_ROWS = re.compile(r"^(?:Outcome|Severity|Language|Years?|CWE)$")


@dataclass(slots=True)
class Proof:
    """The precedents proved, their unread ``whys`` in the same order, and what was refused."""

    precedents: list[Precedent] = field(default_factory=list)
    whys: list[str] = field(default_factory=list)
    refused: list[Refusal] = field(default_factory=list)
    refused_texts: list[str] = field(default_factory=list)

    def refuse(self, name: str, claimed: DraftPrecedent, rule: str, reason: str) -> None:
        parts = (claimed.record_id, claimed.record_quote, claimed.submission_quote, claimed.why)
        text = " | ".join(visible(part) for part in parts if part)
        self.refused.append(Refusal(name, text, rule, reason))
        self.refused_texts.append(f"{claimed.record_quote}\n{claimed.why}")


def prove(claimed: Sequence[DraftPrecedent], submission: Source, recall: RecallReport, mode: Mode) -> Proof:
    """Keep each claimed precedent whose record was recalled and whose two quotes are found; refuse the others."""
    proof = Proof()
    kept = {it.record.id: it for it in recall.kept} if recall.state is RecallState.FOUND else {}
    known = {it.record.id for it in recall.candidates}
    done: set[str] = set()
    for at, it in enumerate(claimed[:MOST_CLAIMED]):
        name = f"precedents[{at}]"
        identifier = it.record_id.strip()
        candidate = kept.get(identifier)
        if candidate is None:
            if not recall.state.looked:
                reason = "the records were not checked"
            elif identifier in known:
                reason = "this record was looked at and is not close enough"
            else:
                reason = "no record of this id was recalled"
            proof.refuse(name, it, "not recalled", reason)
        elif identifier in done:
            proof.refuse(name, it, "claimed twice", "this record is already a precedent of this audit")
        elif reason := _no_fact(candidate, mode):
            proof.refuse(name, it, "no fact", reason)
        else:
            precedent = _quoted(name, it, candidate, submission, proof)
            if precedent is not None:
                done.add(identifier)
                proof.precedents.append(precedent)
                proof.whys.append(it.why)
    for at, it in enumerate(claimed[MOST_CLAIMED:], MOST_CLAIMED):
        proof.refuse(f"precedents[{at}]", it, "too many", f"at most {MOST_CLAIMED} are read")
    _in_recalled_order(proof, kept)
    return proof


def _no_fact(candidate: Candidate, mode: Mode) -> str:
    record = candidate.record
    if record.kind.nature is not Nature.FACT:
        return (
            f"this record is an {record.kind.nature.value}"
            if record.kind.nature is not Nature.PREFERENCE
            else "this record is a preference"
        )
    if record.kind is not mode.fact_kind:
        return f"this record is no {mode.wording.record}"
    if record.status is not Status.ACTIVE:
        return f"this record is {record.status.value}"
    if not record.confidence >= LEAST_CONFIDENCE:
        return "this record is too weakly sourced to support a claim of fact"
    return ""


def _quoted(name: str, it: DraftPrecedent, candidate: Candidate, submission: Source, proof: Proof) -> Precedent | None:
    record_text = render(candidate.record)
    in_record = Source(record_text).find(it.record_quote)
    if in_record is None:
        proof.refuse(name, it, "record quote not found", "these words do not stand in the record")
        return None
    if not _says_something(in_record, record_text):
        proof.refuse(name, it, "record quote too short", "the quote says too little of the record to prove anything")
        return None
    if not substantial(it.submission_quote):
        proof.refuse(name, it, "submission quote too short", "the quote says too little to prove anything")
        return None
    places = list(submission.occurrences(it.submission_quote))
    if not places:
        proof.refuse(name, it, "submission quote not found", "these words do not stand in the submission")
        return None
    found = _confirming(places, candidate.confirmed_by, submission)
    if found is None:
        proof.refuse(
            name,
            it,
            "not the confirming passage",
            "the quote leaves out the passage by which this record was confirmed",
        )
        return None
    return Precedent(
        record=candidate.record,
        record_quote=visible(in_record.text),
        submission_quote=visible(found.text),
        span=found.span,
        why="",
        probability=candidate.probability,
        confidence=candidate.record.confidence,
        alike=candidate.alike,
    )


def _says_something(found: Found, record_text: str) -> bool:
    """True where the quoted part of the record, without row labels, says something of this record."""
    values: list[str] = []
    telling = False
    start = 0
    for row in record_text.split("\n"):
        label, separator, _ = row.partition(": ")
        begins = start + (len(label) + len(separator) if separator else 0)
        low, high = max(found.span.start, begins), min(found.span.end, start + len(row))
        if low < high:
            values.append(record_text[low:high])
            telling = telling or not _COMMON_ROWS.match(label)
        start += len(row) + 1
    return telling and substantial(" ".join(values))


def _confirming(places: Sequence[Found], cue: Cue | None, submission: Source) -> Found | None:
    """Pick the place that holds the confirming passage; any place where nothing says which passage that is."""
    if cue is None:
        return places[0]
    wanted = [it.span for it in submission.occurrences(cue.quote)] if cue.quote.strip() else []
    if wanted and cue.line is not None:
        wanted = [it for it in wanted if submission.line_of(it.start) == cue.line] or wanted
    if wanted:
        return next(
            (
                place
                for place in places
                if any(place.span.start < it.end and it.start < place.span.end for it in wanted)
            ),
            None,
        )
    if cue.line is None:
        return places[0]
    lines = ((place, submission.line_of(place.span.start), submission.line_of(place.span.end - 1)) for place in places)
    return next((place for place, first, last in lines if first <= cue.line <= last), None)


def _in_recalled_order(proof: Proof, kept: Iterable[str]) -> None:
    order = {identifier: at for at, identifier in enumerate(kept)}
    pairs = sorted(zip(proof.precedents, proof.whys, strict=True), key=lambda pair: order[pair[0].record.id])
    proof.precedents = [precedent for precedent, _ in pairs]
    proof.whys = [why for _, why in pairs]
