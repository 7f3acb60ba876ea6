"""Back up the ledger to one file and restore it; both are checked against the chain before anything is said done."""

from __future__ import annotations

import hashlib
import os
import sqlite3
import uuid
from collections.abc import Iterator
from contextlib import closing, contextmanager
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from pathlib import Path

from sqlalchemy import make_url

from memory.errors import LedgerUnavailable
from memory.ledger import Ledger
from memory.ledger_reader import TIMELINE
from memory.reasons import DAMAGES, reason
from memory.verify import Verification, verify

# After this long, a draft is what a process that was killed has left.
ABANDONED = timedelta(hours=6)


@dataclass(frozen=True, slots=True)
class Backup:
    """A finished backup: its file, the sha256 of it, and what it holds."""

    path: Path
    sha256: str
    changes: int
    records: int


@dataclass(frozen=True, slots=True)
class Restored:
    """A finished restore: how many changes and records there are now, and where the former state was put."""

    changes: int
    records: int
    former: Path | None


def sqlite_file(url: str) -> Path:
    """Give the file of a ledger's address. Raises LedgerUnavailable where it lives in a server, and says what to do."""
    address = make_url(url)
    if address.get_backend_name() != "sqlite":
        raise LedgerUnavailable(
            "This ledger lives in a database server: back it up and restore it with pg_dump and pg_restore, or copy it "
            "into a file with `python -m memory migrate --to sqlite:///copy.db`."
        )
    return Path(address.database or "")


def back_up(ledger: Ledger, folder: Path, now: datetime, name: str = "backup") -> Backup:
    """Copy the ledger, as it is at one moment, into a new file in ``folder``, verified; others may go on writing.

    Raises LedgerUnavailable where it cannot be written or the ledger is not clean; then no file is left.
    """
    sqlite_file(ledger.engine.url.render_as_string())
    with _translated("backed up"):
        folder.mkdir(parents=True, exist_ok=True)
        _sweep(folder, now)
        draft = folder / f".{uuid.uuid4().hex}.part"
        try:
            with closing(ledger.engine.raw_connection()) as connection:
                connection.cursor().execute("VACUUM INTO ?", (str(draft),))
            found = _checked(draft)
            path = folder / f"{name}-{now.astimezone(UTC):%Y%m%dT%H%M%S}-{found.changes}.db"
            with draft.open("rb+") as file:
                os.fsync(file.fileno())
            draft.replace(path)
        finally:
            _remove(draft)
        return Backup(path, _sha256(path), found.changes, found.records)


def restore(database: Path, backup: Path, now: datetime) -> Restored:
    """Make the ledger in the file ``database`` what ``backup`` holds; the former state is backed up beside it first.

    The change is made whole or not at all, also when the process is killed, and running processes see it at their next
    read. A database that cannot be opened is moved aside. Raises LedgerUnavailable where the backup is missing, damaged
    or not clean; then nothing was changed.
    """
    with _translated("restored"):
        if not backup.is_file():
            raise LedgerUnavailable(f"There is no backup {backup}.")
        database.parent.mkdir(parents=True, exist_ok=True)
        _sweep(database.parent, now)
        draft = database.parent / f".{uuid.uuid4().hex}.part"
        try:
            _read_backup(backup, draft)
            found = _checked(draft, timeline=uuid.uuid4().hex)
            former = _set_aside(database, now)
            with (
                closing(sqlite3.connect(draft)) as source,
                closing(sqlite3.connect(database, timeout=60)) as target,
            ):
                target.execute("PRAGMA journal_mode = WAL")
                target.execute("PRAGMA synchronous = FULL")
                source.backup(target)
            _checked(database)
        finally:
            _remove(draft)
        return Restored(found.changes, found.records, former)


def _read_backup(backup: Path, draft: Path) -> None:
    """Copy a backup to ``draft``. Raises LedgerUnavailable where it is none, and SQLite's errors."""
    try:
        with closing(sqlite3.connect(f"{backup.resolve().as_uri()}?mode=ro", uri=True)) as source:
            source.execute("SELECT number FROM head").fetchone()
            source.execute("VACUUM INTO ?", (str(draft),))
    except sqlite3.DatabaseError as error:
        if error.sqlite_errorcode & 0xFF not in {*DAMAGES, sqlite3.SQLITE_ERROR}:
            raise
        raise LedgerUnavailable(
            f"{backup} is no backup of a memory, or it is damaged. Nothing was changed; name another."
        ) from error


def _set_aside(database: Path, now: datetime) -> Path | None:
    """Keep the former state: as a backup where it can be read, else by moving the files."""
    if not database.exists():
        return None
    try:
        ledger = Ledger.open(f"sqlite:///{database}")
    except LedgerUnavailable:
        return _move_aside(database, now)
    try:
        return back_up(ledger, database.parent / "backups", now, "before-restore").path
    except LedgerUnavailable:
        return _move_aside(database, now)
    finally:
        ledger.close()


def _move_aside(database: Path, now: datetime) -> Path:
    aside = database.with_name(f"{database.name}.damaged-{now.astimezone(UTC):%Y%m%dT%H%M%S}")
    for ending in ("", "-wal", "-shm"):
        part = database.with_name(database.name + ending)
        if part.exists():
            part.replace(aside.with_name(aside.name + ending))
    return aside


def _checked(path: Path, *, timeline: str = "") -> Verification:
    """Verify a ledger's file. Raises LedgerUnavailable where it is not clean."""
    ledger = Ledger.open(f"sqlite:///{path}")
    try:
        found = verify(ledger)
        if not found.clean:
            raise LedgerUnavailable(f"The copy is not clean, so it is not used: {found.problem}")
        if timeline:
            ledger.set_setting(TIMELINE, timeline)
        return found
    finally:
        ledger.close()


def _sweep(folder: Path, now: datetime) -> None:
    """Remove the drafts that killed processes have left in ``folder``."""
    for draft in folder.glob(".*.part*"):
        if now - datetime.fromtimestamp(draft.stat().st_mtime, UTC) > ABANDONED:
            draft.unlink(missing_ok=True)


def _remove(draft: Path) -> None:
    for ending in ("", "-wal", "-shm", "-journal"):
        draft.with_name(draft.name + ending).unlink(missing_ok=True)


def _sha256(path: Path) -> str:
    with path.open("rb") as file:
        return hashlib.file_digest(file, "sha256").hexdigest()


@contextmanager
def _translated(doing: str) -> Iterator[None]:
    try:
        yield
    except (sqlite3.Error, OSError) as error:
        raise LedgerUnavailable(f"The memory could not be {doing}. {reason(error)}") from error
