"""Records, entries and changes as rows of the ledger, and back."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import datetime
from typing import Any

import numpy as np
from sqlalchemy import Connection, Row, Table, insert

from memory import schema
from memory.facts import from_json, to_json
from memory.flaw_kind import kinds_of
from memory.index import Entry
from memory.records import BugFacts, Door, Facts, Kind, Origin, Provenance, Record, Status, facets
from memory.terms import language_tag, tokens

Values = dict[str, Any]


def words_of(record: Record) -> str:
    """The terms a record can be found by, each once, with a space between."""
    texts = [value for value in to_json(record.facts).values() if isinstance(value, str)]
    return " ".join(dict.fromkeys([*(term for text in texts for term in tokens(text)), *_marks(record)]))


def _marks(record: Record) -> list[str]:
    """The terms that say what a record is though it does not: the kinds of its flaw, the language of its prose."""
    if isinstance(record.facts, BugFacts):
        return sorted(kind.lower() for kind in kinds_of(record.facts))
    tag = language_tag(" ".join(facet.text for facet in facets(record)))
    return [tag] if tag else []


def facts_values(record: Record) -> Values:
    """The columns that follow from a record's facts."""
    loss = record.loss
    return {
        "title": record.title,
        "year": record.year,
        "outcome": record.outcome.value if record.outcome else None,
        "loss": float(loss.amount) if loss else None,
        "currency": loss.currency if loss else None,
        "facts": to_json(record.facts),
        "words": words_of(record),
    }


def record_values(record: Record) -> Values:
    """All columns of a record but its key and those about its vectors."""
    it = record.provenance
    return facts_values(record) | {
        "id": record.id,
        "workspace": record.workspace,
        "kind": record.kind.value,
        "status": record.status.value,
        "door": it.door.value,
        "origin": it.origin.value,
        "source": it.source,
        "author": it.author,
        "created_at": it.created_at,
        "first_confidence": it.first_confidence,
        "context_hash": it.context_hash,
        "confidence": record.confidence,
        "protected": record.protected,
        "use_count": record.use_count,
        "last_used_at": record.last_used_at,
        "updated_at": record.updated_at or it.created_at,
        "revision": record.revision,
    }


_REPEATED = {"title", "year", "outcome", "loss", "currency", "words", "vectors_hash", "vectors_count", "purged_at"}
RECORD = tuple(column for column in schema.records.c if column.name not in _REPEATED)
"""The columns that ``record_from`` reads."""


def record_from(row: Row[*tuple[Any, ...]], derived_from: Sequence[str]) -> Record:
    """Read a record from its row and the ids of its sources."""
    kind = Kind(row.kind)
    facts: Facts = from_json(kind, row.facts)
    provenance = Provenance(
        door=Door(row.door),
        origin=Origin(row.origin),
        source=row.source,
        author=row.author,
        created_at=row.created_at,
        first_confidence=row.first_confidence,
        context_hash=row.context_hash,
        derived_from=tuple(derived_from),
    )
    return Record(
        id=row.id,
        workspace=row.workspace,
        kind=kind,
        facts=facts,
        provenance=provenance,
        confidence=row.confidence,
        status=Status(row.status),
        protected=row.protected,
        use_count=row.use_count,
        last_used_at=row.last_used_at,
        updated_at=row.updated_at,
        revision=row.revision,
    )


def entry_values(key: int, entries: Sequence[Entry]) -> list[Values]:
    """The rows of a record's vectors, little-endian float32, with its close reading."""
    return [
        {
            "key": key,
            "facet": entry.facet,
            "passage": entry.passage,
            "vector": entry.vector.astype("<f4", copy=False).tobytes(),
            "reading": entry.reading or None,
        }
        for entry in entries
    ]


def revision_values(record: Record, author: str, reason: str, at: datetime) -> Values:
    """The row of the present state of a record's facts."""
    return {
        "record_id": record.id,
        "revision": record.revision,
        "facts": to_json(record.facts),
        "author": author,
        "reason": reason,
        "at": at,
    }


def insert_rows(tx: Connection, table: Table, rows: Sequence[Values]) -> None:
    """Insert rows, also none."""
    if rows:
        tx.execute(insert(table), list(rows))


def entry_from(row: Row[*tuple[Any, ...]]) -> Entry:
    """Read one vector with the id of its record."""
    return Entry(row.id, row.facet, row.passage, np.frombuffer(row.vector, dtype="<f4"))
