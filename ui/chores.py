"""Upkeep as background work: each chore is a function that reports its progress. No Streamlit here."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from datetime import datetime
from pathlib import Path
from typing import TYPE_CHECKING

from audit.errors import Cancelled
from memory.backup import Backup, Restored, back_up, restore
from memory.catch_up import catch_up
from memory.errors import LedgerUnavailable
from memory.lifecycle import Receipt, keeping
from memory.records import Kind, Record, Status
from memory.reembed import reembed
from memory.verify import Verification, verify
from ui.jobs import IsCancelled, Report
from ui.messages import N_, Message

if TYPE_CHECKING:
    from wiring import Services

Now = Callable[[], datetime]


@dataclass(frozen=True, slots=True)
class Surplus:
    """What an eviction would archive, least worth keeping first, each record with its score (0..1)."""

    kind: Kind
    keep: int
    rows: tuple[tuple[Record, float], ...]


@dataclass(frozen=True, slots=True)
class Moved:
    """Records that were archived, or else restored, and how many really were."""

    ids: tuple[str, ...]
    moved: int
    archived: bool


@dataclass(frozen=True, slots=True)
class Twins:
    """Pairs of records that say nearly the same: the one to keep, the other, and how alike they are (0..1)."""

    kind: Kind
    pairs: tuple[tuple[Record, Record, float], ...]


@dataclass(frozen=True, slots=True)
class Erased:
    """An erasure: its receipt, and the backup that was made before it."""

    receipt: Receipt
    backup: Backup | None


@dataclass(frozen=True, slots=True)
class Indexed:
    """The index was brought to a change number, or the memory was embedded anew."""

    position: int
    embedder: str = ""


Outcome = Surplus | Moved | Twins | Erased | Indexed | Backup | Restored | Verification
Chore = Callable[[Report, IsCancelled], Outcome]


def database(services: Services) -> Path:
    """Name the file of the ledger."""
    return Path(services.ledger.engine.url.database or "")


def backups(services: Services) -> list[Path]:
    """List the backups beside the ledger, newest first; a ledger in a server has its own."""
    if services.ledger.engine.dialect.name != "sqlite":
        return []
    folder = database(services).parent / "backups"
    return sorted(folder.glob("*.db"), key=lambda it: it.stat().st_mtime, reverse=True)


def list_surplus(services: Services, kind: Kind, keep: int, now: Now) -> Chore:
    """List what would be archived so that ``keep`` records of a kind stay."""

    def work(report: Report, cancelled: IsCancelled) -> Surplus:
        report(Message(N_("Weighing the records")))
        at = now()
        found = services.lifecycle.to_evict(services.workspace, kind, keep, at)
        return Surplus(kind, keep, tuple((record, keeping(record, at)) for record in found))

    return work


def move(services: Services, ids: tuple[str, ...], status: Status, author: str, reason: str, now: Now) -> Chore:
    """Archive or restore records, a thousand at a time; what is done when it is stopped stays done."""

    def work(report: Report, cancelled: IsCancelled) -> Moved:
        moved = services.lifecycle.move(
            services.workspace, ids, status, author=author, reason=reason, now=now(),
            on_progress=_told(report, cancelled),
        )  # fmt: skip
        return Moved(ids, moved, status is Status.ARCHIVED)

    return work


def list_twins(services: Services, kind: Kind) -> Chore:
    """List near duplicates of a kind."""

    def work(report: Report, cancelled: IsCancelled) -> Twins:
        report(Message(N_("Comparing the records")))
        pairs = services.lifecycle.near_duplicates(services.workspace, kind)
        found = services.ledger.get(services.workspace, [name for it in pairs for name in (it.keep, it.other)])
        return Twins(kind, tuple((found[it.keep], found[it.other], it.similarity) for it in pairs))

    return work


def purge(services: Services, author: str, backup_first: bool, now: Now) -> Chore:
    """Erase what was forgotten seven days ago, after a backup where one is wanted."""

    def work(report: Report, cancelled: IsCancelled) -> Erased:
        made = None
        if backup_first:
            report(Message(N_("Backing up")))
            made = back_up(services.ledger, database(services).parent / "backups", now(), "before-purge")
        if cancelled():
            raise Cancelled("stopped before anything was erased")
        report(Message(N_("Erasing")))
        receipt = services.lifecycle.purge(
            services.workspace,
            author=author,
            now=now(),
            on_progress=lambda done, total: report(Message(N_("{done} erased"), {"done": done})),
        )
        return Erased(receipt, made)

    return work


def make_backup(services: Services, now: Now) -> Chore:
    """Copy the ledger into a checked file."""

    def work(report: Report, cancelled: IsCancelled) -> Backup:
        report(Message(N_("Copying and checking")))
        return back_up(services.ledger, database(services).parent / "backups", now())

    return work


def restore_backup(services: Services, name: str, now: Now) -> Chore:
    """Make the memory what the backup called ``name`` holds, and bring the index to it."""

    def work(report: Report, cancelled: IsCancelled) -> Restored:
        path = next((it for it in backups(services) if it.name == name), None)
        if path is None:
            raise LedgerUnavailable("This backup is no longer there.")
        report(Message(N_("Backing up what is here, checking the backup, replacing")))
        done = restore(database(services), path, now())
        report(Message(N_("Bringing the search index to it")))
        catch_up(services.ledger, services.index)
        return done

    return work


def check(services: Services) -> Chore:
    """Walk the chain of all changes."""

    def work(report: Report, cancelled: IsCancelled) -> Verification:
        report(Message(N_("Walking the chain and comparing every record")))
        return verify(services.ledger)

    return work


def index_anew(services: Services, from_nothing: bool) -> Chore:
    """Bring the search index up to date, thrown away before where ``from_nothing``."""

    def work(report: Report, cancelled: IsCancelled) -> Indexed:
        report(Message(N_("Indexing")))
        if from_nothing:
            services.index.reset()
        return Indexed(catch_up(services.ledger, services.index))

    return work


def embed_anew(services: Services, author: str, now: Now) -> Chore:
    """Give all records the vectors of the present embedder; a stopped run goes on where it was."""

    def work(report: Report, cancelled: IsCancelled) -> Indexed:
        told = _told(report, cancelled)
        if not reembed(
            services.ledger, services.embedder, author=author, now=now(), on_progress=told, cancelled=cancelled
        ):
            raise Cancelled("stopped; the next run goes on from here")
        return Indexed(catch_up(services.ledger, services.index), services.embedder.id.name)

    return work


def _told(report: Report, cancelled: IsCancelled) -> Callable[[int, int], None]:
    def told(done: int, total: int) -> None:
        report(Message(N_("{done} of {total}"), {"done": done, "total": total}))
        if cancelled() and done < total:
            raise Cancelled("stopped between two batches")

    return told
