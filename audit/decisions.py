"""What the user decided after an audit, when to look again, and how it ended. Only an outcome becomes a fact."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import date, datetime

from sqlalchemy import and_, desc, func, insert, select

from audit.archive import Archive
from audit.errors import DecisionRefused
from audit.modes import MODES
from memory.intake import Intake
from memory.ledger import Ledger
from memory.records import Door, Facts, Record
from memory.schema import audits, decisions, outcomes


@dataclass(frozen=True, slots=True)
class Decision:
    """One decision on one audit. ``disproof`` says what would show it wrong; ``review_on`` when to look again."""

    audit_id: str
    choice: str
    reason: str
    disproof: str
    review_on: date | None
    author: str
    at: datetime


@dataclass(frozen=True, slots=True)
class Settled:
    """An audit and how its submission ended. ``score`` is in 0..100; ``record_id`` is the fact that was recorded."""

    audit_id: str
    mode: str
    title: str
    model: str
    score: float
    verdict: str
    audited_at: datetime
    went_well: bool
    record_id: str
    settled_at: datetime


class Decisions:
    """The decisions and outcomes of a ledger's saved audits. Every method raises LedgerUnavailable."""

    def __init__(self, ledger: Ledger, intake: Intake, archive: Archive) -> None:
        self._ledger = ledger
        self._intake = intake
        self._archive = archive

    def decide(
        self,
        workspace: str,
        audit_id: str,
        choice: str,
        *,
        reason: str,
        disproof: str = "",
        review_on: date | None = None,
        author: str,
        now: datetime,
    ) -> Decision:
        """Note a decision; an earlier one stays, and the newest counts.

        Raises AuditNotFound, and DecisionRefused for a choice the audit's mode does not know, a missing reason or a
        review date in the past.
        """
        mode = MODES[self._archive.open(workspace, audit_id).mode]
        if choice not in mode.choices:
            raise DecisionRefused(f"The choice must be one of: {', '.join(mode.choices)}.")
        if not reason.strip():
            raise DecisionRefused("Say in a few words why you decided so; it is what you will want to read later.")
        if review_on is not None and review_on < now.date():
            raise DecisionRefused("The review date lies in the past.")
        made = Decision(audit_id, choice, reason.strip(), disproof.strip(), review_on, author, now)
        with self._ledger.transaction() as tx:
            count = select(func.count()).select_from(decisions).where(decisions.c.audit_id == audit_id)
            tx.execute(
                insert(decisions).values(
                    audit_id=audit_id,
                    number=tx.execute(count).scalar_one() + 1,
                    workspace=workspace,
                    choice=made.choice,
                    reason=made.reason,
                    disproof=made.disproof,
                    review_on=review_on,
                    author=author,
                    at=now,
                )
            )
        return made

    def of(self, workspace: str, audit_id: str) -> list[Decision]:
        """List the decisions on an audit, newest first."""
        wanted = (
            select(*(decisions.c[name] for name in Decision.__slots__))
            .where(decisions.c.workspace == workspace, decisions.c.audit_id == audit_id)
            .order_by(desc(decisions.c.number))
        )
        with self._ledger.reading() as connection:
            return [Decision(**row._mapping) for row in connection.execute(wanted)]

    def newest(self, workspace: str, audit_ids: Sequence[str]) -> dict[str, Decision]:
        """Give the newest decision on each of some audits, a page of them at most, by the audit's id."""
        wanted = (
            select(*(decisions.c[name] for name in Decision.__slots__))
            .where(decisions.c.workspace == workspace, decisions.c.audit_id.in_(audit_ids))
            .order_by(decisions.c.number)
        )
        with self._ledger.reading() as connection:
            return {row.audit_id: Decision(**row._mapping) for row in connection.execute(wanted)}

    def ended_well(self, workspace: str, audit_ids: Sequence[str]) -> dict[str, bool]:
        """Say of those audits that have an outcome, a page of them at most, whether it went well, by the audit's id."""
        wanted = select(outcomes.c.audit_id, outcomes.c.went_well).where(
            outcomes.c.workspace == workspace, outcomes.c.audit_id.in_(audit_ids)
        )
        with self._ledger.reading() as connection:
            return {row.audit_id: row.went_well for row in connection.execute(wanted)}

    def due(self, workspace: str, today: date) -> list[Decision]:
        """List the newest decision of each audit without an outcome whose review date has come, the oldest first."""
        newest = (
            select(decisions.c.audit_id, func.max(decisions.c.number).label("number"))
            .where(decisions.c.workspace == workspace)
            .group_by(decisions.c.audit_id)
            .subquery()
        )
        wanted = (
            select(*(decisions.c[name] for name in Decision.__slots__))
            .join(newest, and_(newest.c.audit_id == decisions.c.audit_id, newest.c.number == decisions.c.number))
            .outerjoin(outcomes, outcomes.c.audit_id == decisions.c.audit_id)
            .where(decisions.c.review_on <= today, outcomes.c.audit_id.is_(None))
            .order_by(decisions.c.review_on, decisions.c.audit_id)
        )
        with self._ledger.reading() as connection:
            return [Decision(**row._mapping) for row in connection.execute(wanted)]

    def settle(
        self, workspace: str, audit_id: str, facts: Facts, *, went_well: bool, author: str, now: datetime
    ) -> Record:
        """Record how an audited submission ended; this makes the fact that later audits may find.

        The fact names the audit as its source. Raises AuditNotFound, RecordInvalid, and DecisionRefused where the
        audit has an outcome already: correct its record instead.
        """
        mode = MODES[self._archive.open(workspace, audit_id).mode]
        with self._ledger.transaction() as tx:
            if tx.execute(select(outcomes.c.audit_id).where(outcomes.c.audit_id == audit_id)).first():
                raise DecisionRefused("The outcome of this audit is recorded already; correct its record in Memory.")
            record = self._intake.remember(
                workspace,
                mode.fact_kind,
                facts,
                door=Door.OUTCOME,
                source=audit_id,
                author=author,
                now=now,
                tx=tx,
            )
            tx.execute(
                insert(outcomes).values(
                    audit_id=audit_id,
                    workspace=workspace,
                    went_well=went_well,
                    record_id=record.id,
                    author=author,
                    at=now,
                )
            )
        return record

    def settled(self, workspace: str) -> list[Settled]:
        """List every audit that has an outcome, the newest outcome first."""
        wanted = (
            select(
                *(audits.c[name] for name in ("mode", "title", "model", "score", "verdict")),
                audits.c.created_at.label("audited_at"),
                *(outcomes.c[name] for name in ("audit_id", "went_well", "record_id")),
                outcomes.c.at.label("settled_at"),
            )
            .join(audits, audits.c.id == outcomes.c.audit_id)
            .where(outcomes.c.workspace == workspace)
            .order_by(desc(outcomes.c.at), outcomes.c.audit_id)
        )
        with self._ledger.reading() as connection:
            return [Settled(**row._mapping) for row in connection.execute(wanted)]
