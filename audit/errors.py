"""Errors of the audit.

AuditError
├── SubmissionRefused      what was pasted cannot be audited; the message says why and what to do
│   └── CannotJudge        it can be read, but this mode has nothing to say of it
├── AuditNotFound          no saved audit of that id
├── ArchiveCorrupt         a saved audit no longer matches its hash
├── FeedbackRefused        an opinion cannot be noted; the message says why
├── NotComparable          two audits cannot be compared; the message says why
├── DecisionRefused        a decision or an outcome cannot be noted; the message says why
└── Cancelled              the user stopped the audit

``audit.llm.errors`` holds the failures of models; the chain handles them, none reaches a page.
"""


class AuditError(Exception):
    """Any failure of an audit. Its text is safe to show to a user."""


class SubmissionRefused(AuditError):
    """What was pasted cannot be audited; the message says why and what to do."""


class CannotJudge(SubmissionRefused):
    """What was pasted can be read, but is nothing that this mode judges."""


class AuditNotFound(AuditError):
    """No saved audit of that id exists in this workspace."""


class ArchiveCorrupt(AuditError):
    """A saved audit no longer matches its hash."""


class DecisionRefused(AuditError):
    """A decision or an outcome cannot be noted; the message says why."""


class NotComparable(AuditError):
    """Two audits cannot be compared; the message says why."""


class FeedbackRefused(AuditError):
    """An opinion on a record cannot be noted; the message says why."""


class Cancelled(AuditError):
    """The user stopped the audit; nothing was saved."""
