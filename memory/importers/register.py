"""Imports applied and undone: one transaction each, nothing twice, and an undo that removes exactly one import."""

from __future__ import annotations

import uuid
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import Future, ThreadPoolExecutor
from dataclasses import dataclass
from datetime import datetime

from sqlalchemy import Connection, func, insert, select, update

from memory import schema
from memory.errors import ImportCancelled, RecordNotFound
from memory.importers.plan import ImportPlan, PlannedRow
from memory.importers.planning import content_hash
from memory.index import Entry
from memory.intake import Intake
from memory.ledger import Ledger
from memory.records import Door, Kind, Record, Status

Progress = Callable[[int, int], None]
BATCH = 64
_LOOKUP = 500
_CANCELLED = "The import was stopped. Nothing was stored."


@dataclass(frozen=True, slots=True)
class ImportResult:
    """What an import did: the ids added, and how many rows were in the memory already. ``import_id`` is "" for none.

    ``waiting`` counts those added that wait for a person.
    """

    import_id: str
    record_ids: tuple[str, ...]
    already: int
    waiting: int


@dataclass(frozen=True, slots=True)
class PastImport:
    """An import as it is listed. ``undone_at`` is None while it stands."""

    id: str
    kind: Kind
    file: str
    author: str
    at: datetime
    rows: int
    undone_at: datetime | None


@dataclass(frozen=True, slots=True)
class Undone:
    """What an undo did: records removed, and protected ones that were left where they are."""

    removed: tuple[str, ...]
    protected: tuple[str, ...]


class Imports:
    """Applies import plans to one workspace. ``new_id`` names each import."""

    def __init__(
        self, ledger: Ledger, intake: Intake, workspace: str, new_id: Callable[[], str] = lambda: uuid.uuid4().hex
    ) -> None:
        self._ledger, self._intake, self._workspace, self._new_id = ledger, intake, workspace, new_id

    @property
    def workspace(self) -> str:
        """Whose records are imported."""
        return self._workspace

    def apply(
        self,
        plan: ImportPlan,
        *,
        author: str,
        now: datetime,
        rows: Sequence[PlannedRow] | None = None,
        on_progress: Progress = lambda done, total: None,
        cancelled: Callable[[], bool] = lambda: False,
    ) -> ImportResult:
        """Store the plan's accepted rows, or the chosen ``rows``, all in one transaction.

        Rows of an import that still stands, and rows exported from records that are still here, are not stored again.
        Everything is checked and embedded before the transaction, so other writers wait only for the writing. Raises
        ImportCancelled where nothing was stored, and StoreError.
        """
        kind = plan.mapping.kind
        chosen = {content_hash(kind, row.facts): row for row in (plan.accepted if rows is None else rows)}
        with self._ledger.transaction() as tx:
            known = self._known(tx, list(chosen))
            here = self._here(tx, [row.record_id for row in chosen.values() if row.record_id])
        fresh = [(digest, row) for digest, row in chosen.items() if digest not in known and row.record_id not in here]
        records: list[Record] = []
        entries: list[list[Entry]] = []
        with ThreadPoolExecutor(1) as beside:  # the model works while the next rows are checked
            embedding: Future[list[list[Entry]]] | None = None
            for start in range(0, len(fresh), BATCH):
                if cancelled():
                    raise ImportCancelled(_CANCELLED)
                checked = [
                    self._intake.check(
                        self._workspace, kind, row.facts, door=Door.IMPORT, source=row.source, author=author, now=now
                    )
                    for _, row in fresh[start : start + BATCH]
                ]
                records += checked
                if embedding is not None:
                    entries += embedding.result()
                embedding = beside.submit(self._intake.embed, checked)
                on_progress(len(records), len(fresh))
            if embedding is not None:
                entries += embedding.result()
        made = [(digest, row.line, record) for (digest, row), record in zip(fresh, records, strict=True)]
        import_id, stored = self._keep(kind, plan.table.source, made, entries, author, now, cancelled)
        waiting = sum(it.status in {Status.HELD, Status.QUARANTINED} for it in stored)
        return ImportResult(import_id, tuple(it.id for it in stored), len(chosen) - len(stored), waiting)

    def known(self, digests: Sequence[str]) -> set[str]:
        """Say which contents an import that still stands has brought."""
        with self._ledger.transaction() as tx:
            return self._known(tx, digests)

    def store(
        self, kind: Kind, source: str, made: Sequence[tuple[str, int, Record]], *, author: str, now: datetime
    ) -> str:
        """Store records that were checked, each with its digest and line, as one import; give its id, "" for none.

        What another import has brought meanwhile is left out. Raises StoreError.
        """
        entries = self._intake.embed([record for *_, record in made])
        return self._keep(kind, source, made, entries, author, now, lambda: False)[0]

    def _keep(
        self,
        kind: Kind,
        file: str,
        made: Sequence[tuple[str, int, Record]],
        entries: Sequence[Sequence[Entry]],
        author: str,
        now: datetime,
        cancelled: Callable[[], bool],
    ) -> tuple[str, list[Record]]:
        """Store what no other import has brought meanwhile; give the import's id, "" for none, and the records."""
        with self._ledger.transaction() as tx:
            overtaken = self._known(tx, [digest for digest, *_ in made])
            kept = [number for number, (digest, *_) in enumerate(made) if digest not in overtaken]
            if cancelled():
                raise ImportCancelled(_CANCELLED)
            if not kept:
                return "", []
            stored = self._intake.store(
                [made[number][2] for number in kept], [entries[number] for number in kept], tx=tx
            )
            return self._enter(tx, kind, file, author, now, [made[number] for number in kept]), stored

    def changed(self, plan: ImportPlan) -> dict[str, str]:
        """Say which accepted rows a standing import of a file of this name has brought with other facts.

        Gives the import's id for each title; storing these rows would put a second record beside the first.
        """
        it, rows, records = schema.imports.c, schema.import_rows.c, schema.records.c
        query = (
            select(records.title, rows.content_hash, it.id)
            .join(schema.import_rows, rows.import_id == it.id)
            .join(schema.records, records.id == rows.record_id)
            .where(
                it.workspace == self._workspace,
                it.undone_at.is_(None),
                it.file == plan.table.source,
                it.kind == plan.mapping.kind.value,
                records.status != Status.FORGOTTEN.value,
            )
        )
        brought: dict[str, dict[str, str]] = {}
        with self._ledger.transaction() as tx:
            for title, digest, import_id in tx.execute(query):
                brought.setdefault(title, {})[digest] = import_id
        again = {
            row.facts.title: content_hash(plan.mapping.kind, row.facts)
            for row in plan.accepted
            if row.facts.title in brought
        }
        return {
            title: next(iter(brought[title].values()))
            for title, digest in again.items()
            if digest not in brought[title]
        }

    def edited(self, import_id: str) -> list[str]:
        """List the titles of the records of one import that were corrected since and that an undo would remove."""
        rows, records = schema.import_rows.c, schema.records.c
        query = (
            select(records.title)
            .join(schema.import_rows, rows.record_id == records.id)
            .where(
                rows.import_id == import_id,
                records.workspace == self._workspace,
                records.revision > 1,
                records.status != Status.FORGOTTEN.value,
                records.protected.is_(False),
            )
            .order_by(records.title)
        )
        with self._ledger.transaction() as tx:
            return list(tx.execute(query).scalars())

    def undo(self, import_id: str, *, author: str, now: datetime) -> Undone:
        """Forget every record of one import, in one transaction; protected ones stay. Raises RecordNotFound."""
        with self._ledger.transaction() as tx:
            mine = schema.imports.c
            where = (mine.id == import_id, mine.workspace == self._workspace)
            found = tx.execute(select(mine.file, mine.undone_at).where(*where)).first()
            if found is None or found.undone_at is not None:
                raise RecordNotFound(f"No import {import_id} that could be undone.")
            rows = schema.import_rows.c
            ids = list(tx.execute(select(rows.record_id).where(rows.import_id == import_id)).scalars())
            removed, protected = [], []
            for record in self._records(tx, ids):
                if record.protected:
                    protected.append(record.id)
                elif record.status is not Status.FORGOTTEN:
                    removed.append(record.id)
            self._ledger.set_statuses(
                self._workspace, removed, Status.FORGOTTEN,
                author=author, reason=f"import of {found.file} undone", at=now, tx=tx,
            )  # fmt: skip
            tx.execute(update(schema.imports).where(*where).values(undone_at=now))
        return Undone(tuple(removed), tuple(protected))

    def past(self) -> list[PastImport]:
        """List this workspace's imports, newest first."""
        it, rows = schema.imports.c, schema.import_rows.c
        query = (
            select(schema.imports, func.count(rows.record_id).label("rows"))
            .join(schema.import_rows, rows.import_id == it.id, isouter=True)
            .where(it.workspace == self._workspace)
            .group_by(it.id)
            .order_by(it.at.desc(), it.id)
        )
        with self._ledger.transaction() as tx:
            return [
                PastImport(row.id, Kind(row.kind), row.file, row.author, row.at, row.rows, row.undone_at)
                for row in tx.execute(query)
            ]

    def _here(self, tx: Connection, record_ids: Sequence[str]) -> set[str]:
        """Find which records this workspace holds and has not forgotten."""
        found = self._ledger.get(self._workspace, record_ids, tx=tx).values()
        return {record.id for record in found if record.status is not Status.FORGOTTEN}

    def _known(self, tx: Connection, digests: Sequence[str]) -> set[str]:
        """Find which rows an import that still stands has brought."""
        known: set[str] = set()
        it, rows = schema.imports.c, schema.import_rows.c
        query = (
            select(rows.content_hash)
            .join(schema.imports, rows.import_id == it.id)
            .where(it.workspace == self._workspace, it.undone_at.is_(None))
        )
        for start in range(0, len(digests), _LOOKUP):
            part = digests[start : start + _LOOKUP]
            known |= set(tx.execute(query.where(rows.content_hash.in_(part))).scalars())
        return known

    def _records(self, tx: Connection, ids: Sequence[str]) -> Iterator[Record]:
        for start in range(0, len(ids), _LOOKUP):
            yield from self._ledger.get(self._workspace, ids[start : start + _LOOKUP], tx=tx).values()

    def _enter(
        self,
        tx: Connection,
        kind: Kind,
        file: str,
        author: str,
        now: datetime,
        stored: Sequence[tuple[str, int, Record]],
    ) -> str:
        values = {
            "id": self._new_id(),
            "workspace": self._workspace,
            "kind": kind.value,
            "file": file,
            "author": author,
            "at": now,
        }
        tx.execute(insert(schema.imports).values(values))
        lines = [
            {"record_id": record.id, "import_id": values["id"], "line": line, "content_hash": digest}
            for digest, line, record in stored
        ]
        tx.execute(insert(schema.import_rows), lines)
        return str(values["id"])
