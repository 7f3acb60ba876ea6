"""Read folders to measure on: ``memory.jsonl`` (records) and ``queries*.jsonl`` (submissions with their precedents)."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from datetime import datetime
from decimal import Decimal
from pathlib import Path
from typing import Any

from memory.money import Money
from memory.records import (
    BugFacts,
    Door,
    InvestmentFacts,
    Kind,
    Origin,
    Outcome,
    Provenance,
    Record,
)

OUTCOMES = (
    ("still operating", Outcome.OPERATING),
    ("shut down", Outcome.SHUT_DOWN),
    ("written", Outcome.WRITTEN_OFF),
    ("acquired", Outcome.ACQUIRED),
    ("public", Outcome.WENT_PUBLIC),
)
ENDINGS = {
    "python": "py",
    "javascript": "js",
    "typescript": "ts",
    "java": "java",
    "go": "go",
    "php": "php",
    "c": "c",
    "c#": "cs",
    "csharp": "cs",
    "ruby": "rb",
}


@dataclass(frozen=True, slots=True)
class Query:
    """A submission and the ids of the records that are its precedents; ``also_ok`` ids are no error where shown."""

    id: str
    text: str
    type: str
    gold: frozenset[str]
    also_ok: frozenset[str]
    language: str = ""
    security: bool = False

    @property
    def file_name(self) -> str:
        """Name the file that such code comes in, where its language is stated; "" for prose."""
        ending = ENDINGS.get(self.language.lower())
        return f"pasted.{ending}" if ending else ""


@dataclass(frozen=True, slots=True)
class DataSet:
    """Records of one kind and the queries asked of them."""

    name: str
    kind: Kind
    records: tuple[Record, ...]
    queries: tuple[Query, ...]


def find_sets(folder: Path, now: datetime) -> list[DataSet]:
    """Read ``folder``, or each folder in it, that holds ``memory.jsonl``; sorted by name."""
    places = [folder, *sorted(path for path in folder.iterdir() if path.is_dir())] if folder.is_dir() else []
    return [_read(place, now) for place in places if (place / "memory.jsonl").is_file()]


def _read(folder: Path, now: datetime) -> DataSet:
    rows = list(_rows(folder / "memory.jsonl"))
    kind = Kind.INVESTMENT if any("company" in row for row in rows) else Kind.BUG
    make = investment if kind is Kind.INVESTMENT else bug
    records = tuple(_record(kind, row, make(row), now) for row in rows)
    kinds = {record.id: record.facts.cwe for record in records if isinstance(record.facts, BugFacts)}
    queries = tuple(_query(row, kinds) for path in sorted(folder.glob("queries*.jsonl")) for row in _rows(path))
    return DataSet(folder.name, kind, records, queries)


def _rows(path: Path) -> Iterator[dict[str, Any]]:
    for line in path.read_text(encoding="utf-8").splitlines():
        if line.strip():
            yield json.loads(line)


def investment(row: Mapping[str, Any]) -> InvestmentFacts:
    """Make the facts of an investment of a row."""
    said = (row.get("outcome") or "").lower()
    amount = row.get("amount_usd")
    return InvestmentFacts(
        company=row["company"],
        sector=row.get("sector") or "",
        summary=row.get("summary") or "",
        year=row.get("year_start") or row.get("year_end") or row.get("year"),
        year_end=row.get("year_end"),
        outcome=next((outcome for words, outcome in OUTCOMES if words in said), Outcome.UNKNOWN),
        invested=None if amount is None else Money(Decimal(str(amount)), "USD"),
        cause=row.get("reason") or row.get("cause") or "",
        lesson=row.get("lesson") or "",
    )


def bug(row: Mapping[str, Any]) -> BugFacts:
    """Make the facts of a bug of a row."""
    return BugFacts(
        title=row["title"],
        language=row.get("language") or "",
        cwe=row.get("cwe") or "",
        symptom=row.get("symptom") or "",
        root_cause=row.get("root_cause") or "",
        faulty_code=row.get("faulty_code") or "",
        fixed_code=row.get("fixed_code") or "",
        fix=row.get("fix") or "",
    )


def _record(kind: Kind, row: Mapping[str, Any], facts: InvestmentFacts | BugFacts, now: datetime) -> Record:
    made = Provenance(Door.IMPORT, Origin.OWN_RECORD, "evals", "evals", now, 0.9)
    return Record(row["id"], "evals", kind, facts, made, 0.9)


def _query(row: Mapping[str, Any], kinds: Mapping[str, str]) -> Query:
    gold = frozenset(row.get("gold_ids") or ())
    return Query(
        id=row["qid"],
        text=row.get("code") or row.get("text") or "",
        type=row.get("type") or "",
        gold=gold,
        also_ok=frozenset(row.get("also_ok_ids") or ()),
        language=row.get("language") or "",
        security=any(kinds.get(record_id, "").startswith("CWE-") for record_id in gold),
    )
