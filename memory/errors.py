"""Errors of the memory.

StoreError
├── LedgerUnavailable      the database cannot be opened, read or written
├── IndexUnavailable       the vector index cannot be opened, built or queried
├── EmbedderUnavailable    the embedding model is missing, altered or failing
├── RecordNotFound         no record of that id in this workspace
├── RecordChanged          a record was changed after what is to replace it was written; the message says so
├── RecordInvalid          a record breaks a rule; the message names the field and what is allowed
├── IntakeRefused          intake looked at the text and will not store it; the message says why
├── BankUnavailable        a bank of another memory cannot be reached or read
├── ImportRefused          a file cannot be read as records; the message says why and what to do
└── ImportCancelled        the user stopped an import; nothing was stored

Adapters translate every vendor error into one of these with ``raise ... from``.
"""


class StoreError(Exception):
    """Any failure of the memory. Its text is safe to show to a user."""


class LedgerUnavailable(StoreError):
    """The ledger's database cannot be opened, read or written."""


class IndexUnavailable(StoreError):
    """The vector index cannot be opened, built or queried."""


class EmbedderUnavailable(StoreError):
    """The embedding model is missing, altered or failing."""


class RecordNotFound(StoreError):
    """No record of that id exists in this workspace."""


class RecordChanged(StoreError):
    """A record was changed after what is to replace it was written."""

    def __init__(self) -> None:
        super().__init__("This record was changed elsewhere meanwhile.")


class RecordInvalid(StoreError):
    """A record breaks a rule; the message names the field and what is allowed."""


class IntakeRefused(StoreError):
    """Intake looked at the text and will not store it; the message says why."""


class BankUnavailable(StoreError):
    """A bank of another memory cannot be reached or read; the message says what to do."""


class ImportRefused(StoreError):
    """A file cannot be read as records; the message says why and what to do."""


class ImportCancelled(StoreError):
    """The user stopped an import; nothing was stored."""
