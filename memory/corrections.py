"""Several records corrected at once: each correction is checked, all are kept or none, and all can be taken back.

A correction names the revision it was written over. Where the record has changed since, it is refused and nothing is
written over.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import datetime
from types import MappingProxyType

from memory.concerns import Concerns
from memory.errors import IntakeRefused, RecordChanged, RecordInvalid, RecordNotFound, StoreError
from memory.intake import Intake
from memory.ledger import Ledger
from memory.records import Facts, Record
from memory.trust import Trust

UNDONE = "taken back"


@dataclass(frozen=True, slots=True)
class Correction:
    """New facts for one record; ``seen`` is the number of the revision they were written over."""

    record_id: str
    facts: Facts
    seen: int


@dataclass(frozen=True, slots=True)
class Corrected:
    """Records that were corrected together, as they were and as they are, in one order."""

    before: tuple[Record, ...]
    after: tuple[Record, ...]
    at: datetime


class CorrectionsRefused(StoreError):
    """Some corrections cannot be kept, so none was; ``faults`` says why, by the record's id."""

    def __init__(self, faults: Mapping[str, StoreError]) -> None:
        super().__init__("Nothing was kept: " + "; ".join(f"{name}: {fault}" for name, fault in faults.items()))
        self.faults = MappingProxyType(dict(faults))


def faults_of(intake: Intake, workspace: str, corrections: Sequence[Correction]) -> dict[str, StoreError]:
    """Say why corrections could not be kept as things stand, by the record's id; change nothing.

    Raises LedgerUnavailable.
    """
    return _redrafted(intake, workspace, corrections)[1]


def correct(
    ledger: Ledger,
    intake: Intake,
    workspace: str,
    corrections: Sequence[Correction],
    *,
    author: str,
    reason: str,
    now: datetime,
) -> Corrected:
    """Keep all corrections, each as a revision with its author, time and reason, in one transaction.

    Raises CorrectionsRefused, LedgerUnavailable, EmbedderUnavailable; then nothing was kept.
    """
    drafts, faults = _redrafted(intake, workspace, corrections)
    if faults:
        raise CorrectionsRefused(faults)
    entries = intake.embed(drafts)
    ids = [draft.id for draft in drafts]
    with ledger.transaction() as tx:
        stand = ledger.get(workspace, ids, tx=tx)
        before = tuple(stand[draft.id] for draft in drafts)
        changed = [draft.id for draft, it in zip(drafts, before, strict=True) if it.revision != draft.revision]
        if changed:
            raise CorrectionsRefused(dict.fromkeys(changed, RecordChanged()))
        after = intake.keep_revised(drafts, entries, author=author, reason=reason, now=now, tx=tx)
    return Corrected(before, tuple(after), now)


def take_back(
    ledger: Ledger, intake: Intake, workspace: str, done: Corrected, *, author: str, now: datetime
) -> tuple[Record, ...]:
    """Give corrected records back their facts and where they stood, as one more revision of each.

    Raises CorrectionsRefused where one has changed since, LedgerUnavailable, EmbedderUnavailable; nothing is done then.
    """
    drafts = [replace(after, facts=before.facts) for before, after in zip(done.before, done.after, strict=True)]
    entries = intake.embed(drafts)
    ids = [draft.id for draft in drafts]
    concerns, trust = Concerns(ledger), Trust(ledger)
    with ledger.transaction() as tx:
        stand = ledger.get(workspace, ids, tx=tx)
        changed = [it.id for it in drafts if _place(stand.get(it.id)) != _place(it)]
        if changed:
            raise CorrectionsRefused(dict.fromkeys(changed, RecordChanged()))
        intake.keep_revised(drafts, entries, author=author, reason=UNDONE, now=now, tx=tx)
        for it in done.before:
            raised = done.at, now
            concerns.settle(workspace, it.id, settled_as=UNDONE, author=author, at=now, entered=raised, tx=tx)
            ledger.set_status(workspace, it.id, it.status, author=author, reason=UNDONE, at=now, tx=tx)
            trust.refresh(workspace, it.id, author=author, reason=UNDONE, at=now, tx=tx)
        return tuple(ledger.get(workspace, ids, tx=tx).values())


def _redrafted(
    intake: Intake, workspace: str, corrections: Sequence[Correction]
) -> tuple[list[Record], dict[str, StoreError]]:
    drafts: list[Record] = []
    faults: dict[str, StoreError] = {}
    for it in corrections:
        try:
            draft = intake.redraft(workspace, it.record_id, it.facts)
        except (RecordInvalid, IntakeRefused, RecordNotFound) as fault:
            faults[it.record_id] = fault
            continue
        drafts.append(draft)
        if draft.revision != it.seen:
            faults[it.record_id] = RecordChanged()
    return drafts, faults


def _place(record: Record | None) -> tuple[object, ...]:
    return (record.revision, record.status) if record else ()
