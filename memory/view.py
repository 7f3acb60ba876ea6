"""A record as JSON data for everything outside: command line, exports, tools. Pure."""

from __future__ import annotations

from memory.facts import Json, to_json
from memory.records import Record


def record_json(record: Record) -> Json:
    """Lay a record out whole: what it says, where it came from and how far it is trusted."""
    it = record.provenance
    return {
        "id": record.id,
        "workspace": record.workspace,
        "kind": record.kind.value,
        "title": record.title,
        "year": record.year,
        "outcome": record.outcome.value if record.outcome else None,
        "loss": str(record.loss) if record.loss else None,
        "lesson": record.lesson,
        "facts": to_json(record.facts),
        "status": record.status.value,
        "confidence": record.confidence,
        "protected": record.protected,
        "revision": record.revision,
        "use_count": record.use_count,
        "last_used_at": record.last_used_at.isoformat() if record.last_used_at else None,
        "updated_at": (record.updated_at or it.created_at).isoformat(),
        "provenance": {
            "door": it.door.value,
            "origin": it.origin.value,
            "source": it.source,
            "author": it.author,
            "created_at": it.created_at.isoformat(),
            "first_confidence": it.first_confidence,
            "context_hash": it.context_hash,
            "derived_from": list(it.derived_from),
        },
    }
