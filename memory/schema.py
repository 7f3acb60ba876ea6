"""The ledger's tables. Everything here is portable; what is not, is in ``memory.dialects``."""

from __future__ import annotations

from datetime import UTC, datetime

from sqlalchemy import (
    JSON,
    BigInteger,
    Boolean,
    Column,
    Date,
    DateTime,
    Dialect,
    Float,
    ForeignKey,
    Index,
    Integer,
    LargeBinary,
    MetaData,
    String,
    Table,
    Text,
    TypeDecorator,
    text,
)


class UtcDateTime(TypeDecorator[datetime]):
    """An aware time, stored in UTC."""

    impl = DateTime(timezone=True)
    cache_ok = True

    def process_bind_param(self, value: datetime | None, dialect: Dialect) -> datetime | None:
        if value is None:
            return None
        if value.tzinfo is None:
            raise ValueError("times in the ledger must be aware")
        value = value.astimezone(UTC)
        return value.replace(tzinfo=None) if dialect.name == "sqlite" else value

    def process_result_value(self, value: datetime | None, dialect: Dialect) -> datetime | None:
        if value is None:
            return None
        return value.replace(tzinfo=UTC) if value.tzinfo is None else value.astimezone(UTC)


_Key = BigInteger().with_variant(Integer, "sqlite")

_UNSOURCED = text("source = ''")

tables = MetaData()

migrations = Table(
    "migrations",
    tables,
    Column("number", Integer, primary_key=True, autoincrement=False),
    Column("name", String(100), nullable=False),
    Column("applied_at", UtcDateTime, nullable=False),
)

# One row: the last change number and its hash. Locking it orders all writers.
head = Table(
    "head",
    tables,
    Column("id", Integer, primary_key=True, autoincrement=False),
    Column("number", _Key, nullable=False),
    Column("hash", String(64), nullable=False),
)

settings = Table(
    "settings", tables, Column("name", String(100), primary_key=True), Column("value", JSON, nullable=False)
)

# A term that more records of a workspace and kind hold than this finds none of them.
COMMON = 300

# How many active records and vectors each workspace and kind has; kept exact by every write.
scopes = Table(
    "scopes",
    tables,
    Column("id", Integer, primary_key=True),
    Column("workspace", String(64), nullable=False),
    Column("kind", String(32), nullable=False),
    Column("records", _Key, nullable=False, default=0),
    Column("entries", _Key, nullable=False, default=0),
    Index("scopes_by_name", "workspace", "kind", unique=True),
)

records = Table(
    "records",
    tables,
    Column("key", _Key, primary_key=True, autoincrement=False),
    Column("id", String(64), nullable=False, unique=True),
    Column("workspace", String(64), nullable=False),
    Column("kind", String(32), nullable=False),
    Column("status", String(16), nullable=False),
    Column("title", Text, nullable=False),
    Column("year", Integer),
    Column("outcome", String(32)),
    Column("loss", Float),
    Column("currency", String(3)),
    Column("facts", JSON, nullable=False),
    Column("words", Text, nullable=False),
    Column("vectors_hash", String(64), nullable=False),
    Column("vectors_count", Integer, nullable=False),
    Column("door", String(16), nullable=False),
    Column("origin", String(32), nullable=False),
    Column("source", Text, nullable=False),
    Column("author", Text, nullable=False),
    Column("created_at", UtcDateTime, nullable=False),
    Column("first_confidence", Float, nullable=False),
    Column("context_hash", String(64), nullable=False),
    Column("confidence", Float, nullable=False),
    Column("protected", Boolean, nullable=False),
    Column("use_count", Integer, nullable=False),
    Column("last_used_at", UtcDateTime),
    Column("updated_at", UtcDateTime, nullable=False),
    Column("revision", Integer, nullable=False),
    Column("purged_at", UtcDateTime),
    Index("records_by_time", "workspace", "status", "updated_at"),
    Index("records_by_kind", "workspace", "kind", "status", "year"),
    Index("records_by_worth", "workspace", "status", "confidence"),
    # All that the table of records filters and sorts by, so that a page of many is found without reading rows.
    Index(
        "records_browsed",
        "workspace",
        "status",
        "kind",
        "outcome",
        "year",
        "updated_at",
        "loss",
        "confidence",
        "title",
        "key",
    ),
    Index(
        "records_unsourced",
        "workspace",
        "status",
        sqlite_where=text("source = ''"),
        postgresql_where=text("source = ''"),
    ),
)

edges = Table(
    "edges",
    tables,
    Column("child", String(64), ForeignKey("records.id"), primary_key=True),
    Column("place", Integer, primary_key=True, autoincrement=False),
    Column("parent", String(64), ForeignKey("records.id"), nullable=False),
    Index("edges_by_parent", "parent"),
)

entries = Table(
    "entries",
    tables,
    Column("key", _Key, ForeignKey("records.key"), primary_key=True, autoincrement=False),
    Column("facet", String(16), primary_key=True),
    Column("passage", Integer, primary_key=True, autoincrement=False),
    Column("vector", LargeBinary, nullable=False),
    Column("reading", LargeBinary),
)

revisions = Table(
    "revisions",
    tables,
    Column("record_id", String(64), ForeignKey("records.id"), primary_key=True),
    Column("revision", Integer, primary_key=True, autoincrement=False),
    Column("facts", JSON, nullable=False),
    Column("author", Text, nullable=False),
    Column("reason", Text, nullable=False),
    Column("at", UtcDateTime, nullable=False),
)

# Append-only. ``state`` is the digest of the record after the change; ``hash`` chains it to all changes before.
changes = Table(
    "changes",
    tables,
    Column("number", _Key, primary_key=True, autoincrement=False),
    Column("workspace", String(64), nullable=False),
    Column("kind", String(32), nullable=False),
    Column("record_id", String(64), nullable=False),
    Column("action", String(32), nullable=False),
    Column("active", Boolean, nullable=False),
    Column("author", Text, nullable=False),
    Column("reason", Text, nullable=False),
    Column("at", UtcDateTime, nullable=False),
    Column("state", String(64), nullable=False),
    Column("hash", String(64), nullable=False),
    Index("changes_by_record", "record_id", "number"),
)

# Saved audits share the database, so that one transaction keeps an audit and its evaluation; ``audit.archive`` reads
# them.
audits = Table(
    "audits",
    tables,
    Column("id", String(64), primary_key=True),
    Column("workspace", String(64), nullable=False),
    Column("mode", String(32), nullable=False),
    Column("created_at", UtcDateTime, nullable=False),
    Column("submission_sha256", String(64), nullable=False),
    Column("title", Text, nullable=False),
    Column("verdict", Text, nullable=False),
    Column("score", Float, nullable=False),
    Column("model", Text, nullable=False),
    Column("similar_found", Boolean, nullable=False),
    Column("document", LargeBinary, nullable=False),
    Column("document_sha256", String(64), nullable=False),
    Column("prompt", Text, nullable=False),
    Column("reply", Text, nullable=False),
    Index("audits_by_time", "workspace", "created_at"),
    Index("audits_by_submission", "workspace", "submission_sha256"),
)

# What was imported from which file, so that doing it again adds nothing and undoing it removes exactly that.
imports = Table(
    "imports",
    tables,
    Column("id", String(64), primary_key=True),
    Column("workspace", String(64), nullable=False),
    Column("kind", String(32), nullable=False),
    Column("file", Text, nullable=False),
    Column("author", Text, nullable=False),
    Column("at", UtcDateTime, nullable=False),
    Column("undone_at", UtcDateTime),
    Index("imports_by_time", "workspace", "at"),
)

import_rows = Table(
    "import_rows",
    tables,
    Column("record_id", String(64), ForeignKey("records.id"), primary_key=True),
    Column("import_id", String(64), ForeignKey("imports.id"), nullable=False),
    Column("line", Integer, nullable=False),
    Column("content_hash", String(64), nullable=False),
    Index("import_rows_by_import", "import_id"),
    Index("import_rows_by_content", "content_hash"),
)

# What the user decided on an audited submission, newest last, and how it ended; ``audit.decisions`` reads them.
decisions = Table(
    "decisions",
    tables,
    Column("audit_id", String(64), ForeignKey("audits.id"), primary_key=True),
    Column("number", Integer, primary_key=True, autoincrement=False),
    Column("workspace", String(64), nullable=False),
    Column("choice", String(16), nullable=False),
    Column("reason", Text, nullable=False),
    Column("disproof", Text, nullable=False),
    Column("review_on", Date),
    Column("author", Text, nullable=False),
    Column("at", UtcDateTime, nullable=False),
    Index("decisions_by_review", "workspace", "review_on"),
)

outcomes = Table(
    "outcomes",
    tables,
    Column("audit_id", String(64), ForeignKey("audits.id"), primary_key=True),
    Column("workspace", String(64), nullable=False),
    Column("went_well", Boolean, nullable=False),
    Column("record_id", String(64), ForeignKey("records.id"), nullable=False),
    Column("author", Text, nullable=False),
    Column("at", UtcDateTime, nullable=False),
)

# Why records wait for a person, and how that was settled; ``memory.concerns`` reads them.
concerns = Table(
    "concerns",
    tables,
    Column("number", Integer, primary_key=True),
    Column("workspace", String(64), nullable=False),
    Column("record_id", String(64), ForeignKey("records.id"), nullable=False),
    Column("worry", String(16), nullable=False),
    Column("detail", Text, nullable=False),
    Column("other_id", String(64), nullable=False),
    Column("at", UtcDateTime, nullable=False),
    Column("settled_at", UtcDateTime),
    Column("settled_by", Text),
    Column("settled_as", String(32)),
    Index("concerns_waiting", "workspace", "settled_at", "worry"),
    Index("concerns_by_record", "record_id"),
    Index("concerns_by_other", "other_id"),
)

# What a person has said of a record's worth, where it differs from its origin's; ``memory.trust`` reads them.
ratings = Table(
    "ratings",
    tables,
    Column("record_id", String(64), ForeignKey("records.id"), primary_key=True),
    Column("own", Float),
    Column("blocked", Boolean, nullable=False),
)

# What a user said of a record that an audit showed; ``audit.feedback`` reads it.
feedback = Table(
    "feedback",
    tables,
    Column("workspace", String(64), primary_key=True),
    Column("audit_id", String(64), ForeignKey("audits.id"), primary_key=True),
    Column("record_id", String(64), ForeignKey("records.id"), primary_key=True),
    Column("opinion", String(16), nullable=False),
    Column("author", Text, nullable=False),
    Column("at", UtcDateTime, nullable=False),
)

# Filters of the records under a name, kept by a person; ``memory.saved_views`` reads them.
views = Table(
    "views",
    tables,
    Column("workspace", String(64), primary_key=True),
    Column("name", String(100), primary_key=True),
    Column("filters", JSON, nullable=False),
    Column("author", Text, nullable=False),
    Column("at", UtcDateTime, nullable=False),
)

# Append-only. The chain of ``memory.seals`` over the rows of other tables; ``digest`` is "" where a row was removed.
seals = Table(
    "seals",
    tables,
    Column("number", _Key, primary_key=True, autoincrement=False),
    Column("table_name", String(32), nullable=False),
    Column("key", Text, nullable=False),
    Column("digest", String(64), nullable=False),
    Column("hash", String(64), nullable=False),
)

# The rows that a transaction has touched and not sealed yet, as the triggers note them.
unsealed = Table(
    "unsealed",
    tables,
    Column("number", _Key, primary_key=True),
    Column("table_name", String(32), nullable=False),
    Column("key", Text, nullable=False),
)

# Texts are compared and ordered by their bytes in every database, whatever language its server is set to.
for _column in (column for table in tables.sorted_tables for column in table.columns):
    if isinstance(_column.type, String):
        _plain = _column.type
        _column.type = _plain.with_variant(type(_plain)(_plain.length, collation="C"), "postgresql")
