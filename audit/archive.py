"""Saved audits, whole: what was judged, what was asked, what was answered, what was refused, what was recalled."""

from __future__ import annotations

import hashlib
import json
import secrets
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime

from sqlalchemy import Connection, Row, Select, desc, func, insert, select

from audit import guard
from audit.errors import ArchiveCorrupt, AuditNotFound
from audit.llm.turn import ANSWERED
from audit.submission import title_of
from audit.types import GroundedAudit
from memory.intake import AUDIT_PREFIX
from memory.ledger import Ledger
from memory.schema import audits


@dataclass(frozen=True, slots=True)
class AuditSummary:
    """One row of the history. ``score`` is in 0..100."""

    id: str
    created_at: datetime
    mode: str
    title: str
    verdict: str
    score: float
    model: str
    similar_found: bool


@dataclass(frozen=True, slots=True)
class Exchange:
    """What was asked and answered, word for word; both "" where no model was asked."""

    prompt: str
    reply: str


NO_EXCHANGE = Exchange("", "")


class Archive:
    """The saved audits of a ledger's database. Every method raises LedgerUnavailable when it cannot be reached."""

    def __init__(self, ledger: Ledger) -> None:
        self._ledger = ledger

    def save(self, workspace: str, audit: GroundedAudit, exchange: Exchange, *, tx: Connection) -> str:
        """Keep an audit within the transaction ``tx`` and return its id."""
        document = guard.dump(audit)
        audit_id = f"{AUDIT_PREFIX}{audit.created_at:%Y%m%d}-{secrets.token_hex(5)}"
        tx.execute(
            insert(audits).values(
                id=audit_id,
                workspace=workspace,
                mode=audit.mode,
                created_at=audit.created_at,
                submission_sha256=audit.submission.sha256,
                title=title_of(audit.submission),
                verdict=audit.verdict,
                score=audit.score,
                model=audit.model,
                similar_found=audit.history.similar_found,
                document=document,
                document_sha256=hashlib.sha256(document).hexdigest(),
                prompt=exchange.prompt,
                reply=exchange.reply,
            )
        )
        return audit_id

    def open(self, workspace: str, audit_id: str) -> GroundedAudit:
        """Open a saved audit exactly as it was.

        Raises AuditNotFound, and ArchiveCorrupt where what is stored no longer matches its hash.
        """
        row = self._one(select(audits).where(audits.c.workspace == workspace, audits.c.id == audit_id), audit_id)
        if hashlib.sha256(row.document).hexdigest() != row.document_sha256:
            raise ArchiveCorrupt(f"The saved audit {audit_id} was altered outside Precedent and is not shown.")
        return guard.restore(row.document)

    def exchange(self, workspace: str, audit_id: str) -> Exchange:
        """Return the prompt and the raw reply of a saved audit. Raises AuditNotFound."""
        wanted = select(audits.c.prompt, audits.c.reply)
        row = self._one(wanted.where(audits.c.workspace == workspace, audits.c.id == audit_id), audit_id)
        return Exchange(row.prompt, row.reply)

    def list(
        self,
        workspace: str,
        *,
        limit: int = 50,
        offset: int = 0,
        mode: str | None = None,
        sha256: str | None = None,
        before: datetime | None = None,
    ) -> list[AuditSummary]:
        """List saved audits, newest first; ``mode``, ``sha256`` (of the submission's text) and ``before`` narrow it."""
        wanted = (
            select(*(audits.c[name] for name in AuditSummary.__slots__))
            .where(audits.c.workspace == workspace)
            .order_by(desc(audits.c.created_at), desc(audits.c.id))
            .limit(limit)
            .offset(offset)
        )
        if mode is not None:
            wanted = wanted.where(audits.c.mode == mode)
        if sha256 is not None:
            wanted = wanted.where(audits.c.submission_sha256 == sha256)
        if before is not None:
            wanted = wanted.where(audits.c.created_at < before)
        with self._ledger.reading() as connection:
            return [AuditSummary(**row._mapping) for row in connection.execute(wanted)]

    def count(self, workspace: str, mode: str | None = None) -> int:
        """Count the saved audits of a workspace."""
        wanted = select(func.count()).select_from(audits).where(audits.c.workspace == workspace)
        if mode is not None:
            wanted = wanted.where(audits.c.mode == mode)
        with self._ledger.reading() as connection:
            return connection.execute(wanted).scalar_one()

    def answer_times_ms(self, workspace: str, model: str, limit: int) -> tuple[float, ...]:
        """List how long ``model`` took to answer for its last ``limit`` audits, newest first, in milliseconds."""
        wanted = (
            select(audits.c.document)
            .where(audits.c.workspace == workspace, audits.c.model == model)
            .order_by(desc(audits.c.created_at), desc(audits.c.id))
            .limit(limit)
        )
        with self._ledger.reading() as connection:
            documents = connection.execute(wanted).scalars().all()
        return tuple(ms for it in documents if (ms := _answer_ms(it)) is not None)

    def texts(self, workspace: str, ids: Sequence[str]) -> dict[str, str]:
        """Read what was judged in the audits of those ids, without the rest; one whose text was altered is left out."""
        wanted = select(audits.c.id, audits.c.submission_sha256, audits.c.document)
        with self._ledger.reading() as connection:
            rows = connection.execute(wanted.where(audits.c.workspace == workspace, audits.c.id.in_(ids))).all()
        found = {row.id: (_text_of(row.document), row.submission_sha256) for row in rows}
        return {
            name: text for name, (text, digest) in found.items() if hashlib.sha256(text.encode()).hexdigest() == digest
        }

    def _one(self, wanted: Select[tuple[object, ...]], audit_id: str) -> Row[tuple[object, ...]]:
        with self._ledger.reading() as connection:
            row = connection.execute(wanted).first()
        if row is None:
            raise AuditNotFound(f"No saved audit has the id {audit_id[:80]!r}. The History page lists those there are.")
        return row


def _answer_ms(document: bytes) -> float | None:
    """Read how long the answer took from a saved document; None where no model answered or it cannot be read."""
    try:
        taken = [float(it["ms"]) for it in json.loads(document)["attempts"] if it["outcome"] == ANSWERED]
    except (ValueError, KeyError, TypeError):
        return None
    return taken[-1] if taken else None


def _text_of(document: bytes) -> str:
    """Read the submission's text alone from a saved document; "" where it cannot be read."""
    try:
        return str(json.loads(document)["submission"]["text"])
    except (ValueError, KeyError, TypeError):
        return ""
