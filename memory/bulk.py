"""One act on many records a person has chosen: what it would change is counted first, and it can be taken back."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from enum import StrEnum
from types import MappingProxyType

from memory.ledger import Ledger
from memory.lifecycle import Lifecycle, may_move
from memory.records import Record, Status


class Action(StrEnum):
    """What can be done to many records at once."""

    PROTECT = "protect"
    UNPROTECT = "unprotect"
    ARCHIVE = "archive"
    RESTORE = "restore"

    @property
    def opposite(self) -> Action:
        """The action that takes this one back."""
        return _OPPOSITES[self]


_OPPOSITES = {
    Action.PROTECT: Action.UNPROTECT,
    Action.UNPROTECT: Action.PROTECT,
    Action.ARCHIVE: Action.RESTORE,
    Action.RESTORE: Action.ARCHIVE,
}
_STATUS: Mapping[Action, Status] = MappingProxyType({Action.ARCHIVE: Status.ARCHIVED, Action.RESTORE: Status.ACTIVE})


@dataclass(frozen=True, slots=True)
class Effect:
    """What an action changes, or would: the ids, and how many of the ``total`` chosen stay for being protected."""

    action: Action
    changed: tuple[str, ...]
    protected: int
    total: int


def foresee(records: Collection[Record], action: Action) -> Effect:
    """Say what an action would do to records, and do nothing."""
    changed = tuple(record.id for record in records if _changes(record, action))
    kept = [it for it in records if action is Action.ARCHIVE and it.protected and it.status is not Status.ARCHIVED]
    return Effect(action, changed, len(kept), len(records))


def carry_out(
    ledger: Ledger,
    lifecycle: Lifecycle,
    workspace: str,
    ids: Sequence[str],
    action: Action,
    *,
    author: str,
    reason: str,
    now: datetime,
) -> Effect:
    """Do it to all records it applies to, as they stand now, in one transaction; ids that are unknown are left out.

    Raises LedgerUnavailable; then nothing was done.
    """
    with ledger.transaction() as tx:
        effect = foresee(ledger.get(workspace, ids, tx=tx).values(), action)
        if status := _STATUS.get(action):
            lifecycle.move(workspace, effect.changed, status, author=author, reason=reason, now=now, tx=tx)
        else:
            for record_id in effect.changed:
                ledger.protect(
                    workspace, record_id, action is Action.PROTECT, author=author, reason=reason, at=now, tx=tx
                )
    return effect


def _changes(record: Record, action: Action) -> bool:
    if status := _STATUS.get(action):
        return may_move(record, status)
    return record.protected is not (action is Action.PROTECT)
