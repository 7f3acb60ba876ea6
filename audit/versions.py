"""Which saved audit judged an earlier version of the same submission."""

from __future__ import annotations

from audit.archive import Archive, AuditSummary
from audit.revisions import overlap
from audit.submission import title_of
from audit.types import GroundedAudit

LOOKED_AT = 40
SAME_NAME = 0.1
SAME_TEXT = 0.5


def earlier_version(archive: Archive, workspace: str, audit: GroundedAudit) -> AuditSummary | None:
    """Find the newest of the forty audits before ``audit`` that judged a version of the same submission, or None.

    A version has the same name and shares a tenth of its wording, or shares half of it (``audit.revisions.overlap``).
    Raises LedgerUnavailable.
    """
    before = archive.list(workspace, limit=LOOKED_AT, mode=audit.mode, before=audit.created_at)
    texts = archive.texts(workspace, [it.id for it in before])
    title, text = title_of(audit.submission), audit.submission.text
    return next(
        (
            it
            for it in before
            if it.id in texts and overlap(texts[it.id], text) >= (SAME_NAME if it.title == title else SAME_TEXT)
        ),
        None,
    )
