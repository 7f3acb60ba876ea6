"""What a user says of a record that an audit showed: useful, not the same, outdated. It teaches the gate alone."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime
from enum import StrEnum

from sqlalchemy import Delete, delete, insert, select

from audit.archive import Archive
from audit.errors import FeedbackRefused
from memory.ledger import Ledger
from memory.report import Decision
from memory.schema import feedback


class Opinion(StrEnum):
    """What a shown record was worth to the user for one audit."""

    USEFUL = "useful"
    NOT_THE_SAME = "not the same"
    OUTDATED = "outdated"


@dataclass(frozen=True, slots=True)
class Given:
    """One opinion on one record of one audit."""

    audit_id: str
    record_id: str
    opinion: Opinion
    author: str
    at: datetime


class Feedback:
    """The opinions of a ledger's users. Every method raises LedgerUnavailable."""

    def __init__(self, ledger: Ledger, archive: Archive) -> None:
        self._ledger = ledger
        self._archive = archive

    def give(
        self, workspace: str, audit_id: str, record_id: str, opinion: Opinion, *, author: str, now: datetime
    ) -> Given:
        """Note an opinion in place of an earlier one.

        Raises AuditNotFound, and FeedbackRefused for a record that the audit did not show.
        """
        recall = self._archive.open(workspace, audit_id).recall
        if record_id not in {it.record.id for it in recall.candidates if it.decision is not Decision.DROPPED}:
            raise FeedbackRefused("This audit did not show that record, so nothing can be said of it here.")
        given = Given(audit_id, record_id, opinion, author, now)
        with self._ledger.transaction() as tx:
            tx.execute(self._of(workspace, audit_id, record_id))
            tx.execute(
                insert(feedback).values(
                    workspace=workspace,
                    audit_id=audit_id,
                    record_id=record_id,
                    opinion=opinion.value,
                    author=author,
                    at=now,
                )
            )
        return given

    def take_back(self, workspace: str, audit_id: str, record_id: str) -> None:
        """Forget the opinion on a record of an audit, if there is one."""
        with self._ledger.transaction() as tx:
            tx.execute(self._of(workspace, audit_id, record_id))

    def of(self, workspace: str, audit_id: str | None = None) -> list[Given]:
        """List the opinions on one audit, or on all, in the order of audit and record."""
        wanted = (
            select(*(feedback.c[name] for name in Given.__slots__))
            .where(feedback.c.workspace == workspace)
            .order_by(feedback.c.audit_id, feedback.c.record_id)
        )
        if audit_id is not None:
            wanted = wanted.where(feedback.c.audit_id == audit_id)
        with self._ledger.reading() as connection:
            return [
                Given(row.audit_id, row.record_id, Opinion(row.opinion), row.author, row.at)
                for row in connection.execute(wanted)
            ]

    def _of(self, workspace: str, audit_id: str, record_id: str) -> Delete:
        return delete(feedback).where(
            feedback.c.workspace == workspace, feedback.c.audit_id == audit_id, feedback.c.record_id == record_id
        )
