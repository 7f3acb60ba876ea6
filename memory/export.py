"""The memory as a file that leaves it: JSON Lines, or CSV that no spreadsheet runs. Pure.

What is written is what stands in the records, in the order given; the importer reads the facts back exactly. Where a
record came from and how far it is trusted goes with it for the reader's sake: an import sets both anew, by its door.
"""

from __future__ import annotations

import csv
import io
import json
from collections.abc import Iterable, Sequence
from dataclasses import fields
from typing import Literal

from memory.cells import safe_cell
from memory.facts import TYPES, Json
from memory.records import Record
from memory.view import record_json

Format = Literal["jsonl", "csv"]
FORMATS: tuple[Format, ...] = ("jsonl", "csv")
MEDIA_TYPES: dict[Format, str] = {"jsonl": "application/jsonl", "csv": "text/csv"}

KIND, ID, STATUS, CONFIDENCE = "kind of record", "id of record", "status of record", "confidence of record"
_CREDENTIAL = ("door", "origin", "source", "author", "created_at", "derived_from")
_STANDING = ("protected", "revision", "use_count", "last_used_at", "updated_at")


def export(records: Iterable[Record], form: Format) -> bytes:
    """Write records as ``form``, UTF-8. The same records give the same bytes."""
    return export_jsonl(records) if form == "jsonl" else export_csv(records)


def export_jsonl(records: Iterable[Record]) -> bytes:
    """Write one record a line, whole, as JSON."""
    return "".join(json.dumps(record_json(it), ensure_ascii=False) + "\n" for it in records).encode()


def export_csv(records: Iterable[Record]) -> bytes:
    """Write one record a row under one header, with a byte order mark so that spreadsheets read it as UTF-8.

    The columns are the kind, the facts of all kinds that occur, and the credential. Money is ``INR 50000``. Cells that
    a spreadsheet would run begin with an apostrophe.
    """
    rows = list(records)
    shapes = dict.fromkeys(TYPES[it.kind] for it in rows)
    facts = list(dict.fromkeys([field.name for shape in shapes for field in fields(shape)] + ["loss"]))
    text = io.StringIO(newline="")
    writer = csv.writer(text, lineterminator="\r\n")
    writer.writerow([KIND, *facts, ID, STATUS, CONFIDENCE, *_CREDENTIAL, *_STANDING])
    for record in rows:
        writer.writerow(safe_cell(cell) for cell in _cells(record_json(record), record, facts))
    return text.getvalue().encode("utf-8-sig")


def _cells(data: Json, record: Record, facts: Sequence[str]) -> list[str]:
    said = data["facts"] | ({"loss": f"{it.currency} {it.amount:f}"} if (it := record.loss) else {})
    credential = data["provenance"]
    return [
        data["kind"],
        *(_cell(said.get(name)) for name in facts),
        *(_cell(data[name]) for name in ("id", "status", "confidence")),
        *(_cell(credential[name]) for name in _CREDENTIAL),
        *(_cell(data[name]) for name in _STANDING),
    ]


def _cell(value: object) -> str:
    match value:
        case None:
            return ""
        case bool():
            return "yes" if value else "no"
        case list():
            return " ".join(map(str, value))
        case {"amount": amount, "currency": currency}:
            return f"{currency} {amount}"
        case _:
            return str(value)
