"""The ledger: the truth about all records. One SQLite file or Postgres database; acknowledged writes survive a crash.

Every write is a change with a number and a hash chained to all changes before it. Writers take turns: a transaction
holds the write lock from its first statement, so numbers have no gaps and the chain no forks.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import asdict, dataclass, fields, replace
from datetime import datetime
from typing import Any

from sqlalchemy import Connection, delete, insert, make_url, select, update
from sqlalchemy.exc import ArgumentError, IntegrityError

from memory import schema
from memory.chain import ChangeRow, change_hash, change_of, vectors_digest
from memory.dialects import dialect_of, open_engine
from memory.embed import EmbedderId
from memory.errors import LedgerUnavailable, RecordInvalid, RecordNotFound
from memory.facts import TYPES, erased
from memory.index import Entry
from memory.ledger_reader import LedgerReader, translated, within
from memory.migrations import migrate
from memory.records import Facts, Record, Status
from memory.rows import entry_values, facts_values, insert_rows, record_values, revision_values
from memory.scopes import hide, show
from memory.seals import last_touched, seal

_CHANGE = tuple(field.name for field in fields(ChangeRow))

# Few enough for the variables of one statement.
_AT_A_TIME = 500


@dataclass(frozen=True, slots=True)
class _Edit:
    """What one change does to one record: the record before and after, and its vectors where they are replaced."""

    action: str
    before: Record
    after: Record
    entries: Sequence[Entry] | None = None


class Ledger(LedgerReader):
    """The ledger. Open it with ``Ledger.open``; safe to share between threads and between processes."""

    @classmethod
    def open(cls, url: str) -> Ledger:
        """Open the ledger at ``sqlite:///path`` or ``postgresql://user@host/database``, creating and migrating it.

        Raises LedgerUnavailable.
        """
        try:
            address = make_url(url)
        except (ArgumentError, ValueError) as error:
            raise LedgerUnavailable(
                "The address of the ledger is not a database URL such as sqlite:///data/x.db"
            ) from error
        with translated("opened"):
            engine = open_engine(address)
            try:
                migrate(engine)
            except BaseException:
                engine.dispose()
                raise
        return cls(engine)

    def close(self) -> None:
        """Close all connections."""
        self.engine.dispose()

    @contextmanager
    def transaction(self, tx: Connection | None = None) -> Iterator[Connection]:
        """Hold the write lock for a block; all of it is kept, or nothing. Given ``tx``, join that one."""
        if tx is not None:
            yield tx
            return
        with translated("written"), self.engine.connect() as connection:
            writer = connection.execution_options(**dialect_of(self.engine).WRITING)
            with writer.begin():
                mark = last_touched(writer)
                yield writer
                seal(writer, mark)

    # Writing records

    def add(self, record: Record, entries: Sequence[Entry], *, tx: Connection | None = None) -> int:
        """Add one record with its vectors and give the change number. Raises RecordInvalid for an id that is taken."""
        return self.add_many([(record, entries)], tx=tx)

    def add_many(self, items: Sequence[tuple[Record, Sequence[Entry]]], *, tx: Connection | None = None) -> int:
        """Add records in one transaction and give the last change number. Raises RecordInvalid for a taken id."""
        with self.transaction(tx) as connection:
            head = self._head(connection)
            rows: list[dict[str, Any]] = []
            changes: list[ChangeRow] = []
            vectors: list[dict[str, Any]] = []
            for number, (record, entries) in enumerate(items, start=head[0] + 1):
                digest = vectors_digest(entries)
                values = record_values(record)
                rows.append(values | {"key": number, "vectors_hash": digest, "vectors_count": len(entries)})
                vectors += entry_values(number, entries)
                it = record.provenance
                changes.append(change_of(number, "add", record, it.author, "added", it.created_at, digest))
            try:
                insert_rows(connection, schema.records, rows)
            except IntegrityError as error:
                raise RecordInvalid("A record of that id exists already.") from error
            insert_rows(connection, schema.entries, vectors)
            edges = [
                {"child": record.id, "place": place, "parent": parent}
                for record, _ in items
                for place, parent in enumerate(record.provenance.derived_from)
            ]
            try:
                insert_rows(connection, schema.edges, edges)
            except IntegrityError as error:
                raise RecordInvalid("A record it is derived from does not exist.") from error
            show(connection, rows)
            return self._append(connection, head, changes)

    def revise(
        self,
        workspace: str,
        record_id: str,
        facts: Facts,
        entries: Sequence[Entry],
        *,
        author: str,
        reason: str,
        at: datetime,
        tx: Connection | None = None,
    ) -> Record:
        """Replace a record's facts and vectors and keep the old facts as a revision.

        Raises RecordNotFound, and RecordInvalid where the facts are of another kind.
        """
        with self.transaction(tx) as connection:
            before = self._one(connection, workspace, record_id)
            if type(facts) is not TYPES[before.kind]:
                raise RecordInvalid(f"A record of kind {before.kind.value} stays one.")
            after = replace(before, facts=facts, revision=before.revision + 1)
            if before.revision == 1:
                made = before.provenance
                insert_rows(
                    connection, schema.revisions, [revision_values(before, made.author, "added", made.created_at)]
                )
            insert_rows(connection, schema.revisions, [revision_values(after, author, reason, at)])
            return self._edit(connection, [_Edit("revise", before, after, entries)], author, reason, at)[0]

    def set_status(
        self,
        workspace: str,
        record_id: str,
        status: Status,
        *,
        author: str,
        reason: str,
        at: datetime,
        tx: Connection | None = None,
    ) -> Record:
        """Change where a record stands; only ACTIVE records are indexed. Raises RecordNotFound."""
        return self._change_each(
            workspace, [record_id], status.value, lambda it: replace(it, status=status), author, reason, at, tx
        )[0]

    def set_statuses(
        self,
        workspace: str,
        record_ids: Sequence[str],
        status: Status,
        *,
        author: str,
        reason: str,
        at: datetime,
        tx: Connection | None = None,
    ) -> int:
        """Change where many records stand, many at a time, and say how many did change. Raises RecordNotFound."""
        wanted = list(dict.fromkeys(record_ids))
        moved = 0
        with self.transaction(tx) as connection:
            for start in range(0, len(wanted), _AT_A_TIME):
                part = wanted[start : start + _AT_A_TIME]
                records = self.get(workspace, part, tx=connection)
                if missing := [record_id for record_id in part if record_id not in records]:
                    raise RecordNotFound(f"No record {missing[0]} in this workspace.")
                real = [record for record in records.values() if record.status is not status]
                moved += len(real)
                self._move(connection, real, status, author, reason, at)
        return moved

    def protect(
        self,
        workspace: str,
        record_id: str,
        protected: bool,
        *,
        author: str,
        reason: str,
        at: datetime,
        tx: Connection | None = None,
    ) -> Record:
        """Protect a record from forgetting, or stop protecting it. Raises RecordNotFound."""
        action = "protect" if protected else "unprotect"
        return self._change_each(
            workspace, [record_id], action, lambda it: replace(it, protected=protected), author, reason, at, tx
        )[0]

    def set_confidences(
        self,
        workspace: str,
        confidences: Mapping[str, float],
        *,
        author: str,
        reason: str,
        at: datetime,
        tx: Connection | None = None,
    ) -> list[Record]:
        """Give records a new confidence (0..1). Raises RecordNotFound."""
        return self._change_each(
            workspace, list(confidences), "confidence",
            lambda it: replace(it, confidence=confidences[it.id]), author, reason, at, tx,
        )  # fmt: skip

    def replace_entries(
        self,
        workspace: str,
        entries: Mapping[str, Sequence[Entry]],
        *,
        author: str,
        reason: str,
        at: datetime,
        tx: Connection | None = None,
    ) -> None:
        """Replace the vectors of records, their facts unchanged. Raises RecordNotFound."""
        with self.transaction(tx) as connection:
            records = [self._one(connection, workspace, record_id) for record_id in entries]
            edits = [_Edit("vectors", record, record, entries[record.id]) for record in records]
            self._edit(connection, edits, author, reason, at)

    def erase(
        self,
        workspace: str,
        ids: Sequence[str],
        *,
        author: str,
        reason: str,
        at: datetime,
        tx: Connection | None = None,
    ) -> None:
        """Erase what forgotten records said: facts, revisions and vectors. What stays is that they were there.

        Raises RecordNotFound, and RecordInvalid for a record that is not forgotten, or is protected.
        """
        with self.transaction(tx) as connection:
            records = [self._one(connection, workspace, record_id) for record_id in ids]
            for record in records:
                if record.status is not Status.FORGOTTEN or record.protected:
                    raise RecordInvalid(f"Only what was forgotten and is not protected can be erased: {record.id}.")
            edits = [_Edit("erase", it, replace(it, facts=erased(it.kind)), ()) for it in records]
            self._edit(connection, edits, author, reason, at)
            gone = [record.id for record in records]
            connection.execute(delete(schema.revisions).where(schema.revisions.c.record_id.in_(gone)))
            connection.execute(update(schema.records).where(schema.records.c.id.in_(gone)).values(purged_at=at))

    def note_use(self, workspace: str, ids: Sequence[str], at: datetime, *, tx: Connection | None = None) -> None:
        """Count one use of each record and remember when; use is no change of the record."""
        if not ids:
            return
        it = schema.records.c
        used = update(schema.records).where(it.id.in_(list(ids)), within(workspace))
        with self.transaction(tx) as connection:
            connection.execute(used.values(use_count=it.use_count + 1, last_used_at=at))

    def scrub(self) -> None:
        """Overwrite what erased records have left in the database; it waits until no other write is under way."""
        with translated("cleaned"):
            dialect_of(self.engine).scrub(self.engine)

    # Settings kept beside the records

    def set_setting(self, name: str, value: object, *, tx: Connection | None = None) -> None:
        """Keep a JSON value beside the records; None takes it away."""
        with self.transaction(tx) as connection:
            connection.execute(delete(schema.settings).where(schema.settings.c.name == name))
            if value is not None:
                connection.execute(insert(schema.settings).values(name=name, value=value))

    def set_embedder(self, embedder: EmbedderId, *, tx: Connection | None = None) -> None:
        """Record which embedder the vectors come from."""
        self.set_setting("embedder", asdict(embedder), tx=tx)

    # Inside

    def _change_each(
        self,
        workspace: str,
        ids: Iterable[str],
        action: str,
        change: Callable[[Record], Record],
        author: str,
        reason: str,
        at: datetime,
        tx: Connection | None,
    ) -> list[Record]:
        with self.transaction(tx) as connection:
            records = [self._one(connection, workspace, record_id) for record_id in ids]
            edits = [_Edit(action, record, change(record)) for record in records]
            return self._edit(connection, edits, author, reason, at)

    def _edit(
        self, connection: Connection, edits: Sequence[_Edit], author: str, reason: str, at: datetime
    ) -> list[Record]:
        """Write edits to records with their changes; an edit that changes nothing is left out."""
        real = [edit for edit in edits if edit.before != edit.after or edit.entries is not None]
        head = self._head(connection)
        changes: list[ChangeRow] = []
        it = schema.records.c
        for number, edit in enumerate(real, start=head[0] + 1):
            old = connection.execute(select(schema.records).where(it.id == edit.before.id)).one()._asdict()
            after = replace(edit.after, updated_at=at)
            new = old | {
                "status": after.status.value,
                "protected": after.protected,
                "confidence": after.confidence,
                "revision": after.revision,
                "updated_at": at,
            }
            if edit.before.facts != after.facts:
                new |= facts_values(after)
            if edit.entries is not None:
                new |= {"vectors_hash": vectors_digest(edit.entries), "vectors_count": len(edit.entries)}
                connection.execute(delete(schema.entries).where(schema.entries.c.key == old["key"]))
                insert_rows(connection, schema.entries, entry_values(old["key"], edit.entries))
            hide(connection, [old])
            show(connection, [new])
            changed = {name: value for name, value in new.items() if value != old[name]}
            if changed:
                connection.execute(update(schema.records).where(it.key == old["key"]).values(changed))
            changes.append(change_of(number, edit.action, after, author, reason, at, new["vectors_hash"]))
        self._append(connection, head, changes)
        touched = {edit.after.id for edit in real}
        return [replace(edit.after, updated_at=at) if edit.after.id in touched else edit.after for edit in edits]

    def _move(
        self,
        connection: Connection,
        records: Sequence[Record],
        status: Status,
        author: str,
        reason: str,
        at: datetime,
    ) -> None:
        """Give records another status in one statement, each with its own change."""
        if not records:
            return
        it = schema.records.c
        ids = [record.id for record in records]
        rows = {row.id: row._asdict() for row in connection.execute(select(schema.records).where(it.id.in_(ids)))}
        hide(connection, list(rows.values()))
        show(connection, [row | {"status": status.value} for row in rows.values()])
        connection.execute(update(schema.records).where(it.id.in_(ids)).values(status=status.value, updated_at=at))
        head = self._head(connection)
        changes = [
            change_of(
                number, status.value, replace(record, status=status, updated_at=at), author, reason, at,
                rows[record.id]["vectors_hash"],
            )
            for number, record in enumerate(records, start=head[0] + 1)
        ]  # fmt: skip
        self._append(connection, head, changes)

    def _one(self, connection: Connection, workspace: str, record_id: str) -> Record:
        record = self.get(workspace, [record_id], tx=connection).get(record_id)
        if record is None:
            raise RecordNotFound(f"No record {record_id} in this workspace.")
        return record

    def _head(self, connection: Connection) -> tuple[int, str]:
        row = connection.execute(select(schema.head.c.number, schema.head.c.hash)).one()
        return row.number, row.hash

    def _append(self, connection: Connection, head: tuple[int, str], changes: Sequence[ChangeRow]) -> int:
        number, previous = head
        rows: list[dict[str, Any]] = []
        for change in changes:
            number, previous = change.number, change_hash(previous, change)
            rows.append({name: getattr(change, name) for name in _CHANGE} | {"hash": previous})
        insert_rows(connection, schema.changes, rows)
        connection.execute(update(schema.head).values(number=number, hash=previous))
        return number
