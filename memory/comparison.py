"""Comparison: which records a new one contradicts, among those that stand and those that wait for a person."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import replace

from sqlalchemy import ColumnElement, Connection, func, literal, or_, select

from memory import schema
from memory.company_names import name_keys
from memory.conflicts import account_of, contradiction
from memory.embed import Embedder
from memory.ledger import Ledger
from memory.look_alikes import unmask
from memory.records import Door, Note, Record, Status
from memory.terms import tokens

MOST = 10
MOST_TERMS = 40
_TELLING = 8
_it = schema.records.c


class Comparison:
    """Compares records of one kind in one workspace. Every method raises LedgerUnavailable, EmbedderUnavailable."""

    def __init__(self, ledger: Ledger, embedder: Embedder) -> None:
        self._ledger = ledger
        self._embedder = embedder

    def standing(self, record: Record, tx: Connection | None = None) -> list[tuple[Record, str]]:
        """List the active records that ``record`` contradicts, each with how, in words."""
        hits = self._ledger.keywords(record.workspace, record.kind, _terms(record), MOST, tx=tx)
        return self._contradicted(record, [hit.record_id for hit in hits], tx)

    def anything_waits(self, record: Record, tx: Connection | None = None) -> bool:
        """Say whether any record of the kind waits for a person, so that none need be compared where none does."""
        with self._ledger.reading(tx) as connection:
            return connection.execute(select(_it.key).where(*_waits(record)).limit(1)).first() is not None

    def waiting(self, record: Record, tx: Connection | None = None) -> list[tuple[Record, str]]:
        """List the records that wait for a person and contradict ``record``, each with how, in words."""
        if not self.anything_waits(record, tx):
            return []
        terms = _terms(record)
        shared = [(literal(" ") + _it.words).contains(f" {term}", autoescape=True) for term in terms]
        if not isinstance(record.facts, Note):
            named = re.findall(r"[^\W_]{3,}", f"{record.title} {unmask(record.title)}".lower())
            shared += [func.lower(_it.title).contains(word, autoescape=True) for word in dict.fromkeys(named)]
        with self._ledger.reading(tx) as connection:
            query = select(_it.id, _it.words).where(*_waits(record), or_(*shared))
            rows = connection.execute(query).all() if shared else []
        wanted = set(terms)
        rows = sorted(rows, key=lambda row: (-len(wanted.intersection(row.words.split())), row.id))
        return self._contradicted(record, [row.id for row in rows[:MOST]], tx)

    def _contradicted(self, record: Record, ids: Sequence[str], tx: Connection | None) -> list[tuple[Record, str]]:
        others = self._ledger.get(record.workspace, ids, tx=tx)
        others.pop(record.id, None)
        likeness = dict.fromkeys(others, 1.0)
        if isinstance(record.facts, Note) and others:
            texts = [record.facts.text, *(_text(other) for other in others.values())]
            vectors = self._embedder.embed(texts)
            likeness = dict(zip(others, (vectors[1:] @ vectors[0]).tolist(), strict=True))
        found = [(other, contradiction(record, other, likeness[other.id])) for other in others.values()]
        return [(other, why) for other, why in found if why]


def _waits(record: Record) -> tuple[ColumnElement[bool], ...]:
    return (
        _it.workspace == record.workspace,
        _it.kind == record.kind.value,
        _it.status.in_([status.value for status in (Status.HELD, Status.QUARANTINED)]),
    )


def apart(records: Sequence[Record]) -> list[Record]:
    """Let records that come in together, and contradict one that came before them, wait for a person."""
    seen: dict[str, list[Record]] = {}
    settled: list[Record] = []
    for record in records:
        keys = [] if isinstance(record.facts, Note) or record.provenance.door is Door.SEED else name_keys(record.title)
        before = {it.id: it for key in keys for it in seen.get(f"{record.workspace} {key}", ())}
        if record.status is Status.ACTIVE and any(contradiction(record, it, 1.0) for it in before.values()):
            record = replace(record, status=Status.HELD)
        for key in keys:
            seen.setdefault(f"{record.workspace} {key}", []).append(record)
        settled.append(record)
    return settled


def _text(record: Record) -> str:
    return record.facts.text if isinstance(record.facts, Note) else ""


def _terms(record: Record) -> list[str]:
    """Give the terms by which records of the same thing are found, however the letters of its name are dressed."""
    if isinstance(record.facts, Note):
        return tokens(record.facts.text)[:MOST_TERMS]
    plain = unmask(record.title)
    name = [*tokens(record.title), *tokens(plain), *tokens(re.sub(r"[\W_]+", "", plain))]
    told = sorted(dict.fromkeys(tokens(account_of(record.facts))), key=len, reverse=True)
    return list(dict.fromkeys([*name, *told[:_TELLING]]))[:MOST_TERMS]
