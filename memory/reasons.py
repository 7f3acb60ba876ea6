"""Why a file of ours could not be read or written, what was kept, and what to do: one sentence each."""

from __future__ import annotations

import errno
import sqlite3
from dataclasses import dataclass

SAVED = "Everything that was saved is kept."
UNWRITTEN = "What was being written was not kept; everything saved before it is."


@dataclass(frozen=True, slots=True)
class _Reason:
    """What happened and what to do about it; ``spares`` says that it cannot have harmed what was saved."""

    what: str
    remedy: str
    spares: bool = True


_FULL = _Reason("The disk is full.", "Make room on it and try again.")
_BUSY = _Reason("Another process has been writing for too long.", "Try again when it is done.")
_UNWRITABLE = _Reason(
    "The data folder cannot be written to.",
    "Allow writing there, or choose another folder in PRECEDENT_HOME, and try again.",
)
_FAILING = _Reason(
    "The disk does not read or write as it should.",
    "See that it is well, then look with python -m memory verify whether all is there.",
    spares=False,
)
_DAMAGED = _Reason(
    "The file is damaged.",
    "Bring a backup back with python -m memory restore FILE; what is there now is set aside first.",
    spares=False,
)

_BY_SQLITE_CODE = {
    sqlite3.SQLITE_FULL: _FULL,
    sqlite3.SQLITE_IOERR_SHMSIZE: _FULL,
    sqlite3.SQLITE_BUSY: _BUSY,
    sqlite3.SQLITE_LOCKED: _BUSY,
    sqlite3.SQLITE_READONLY: _UNWRITABLE,
    sqlite3.SQLITE_CANTOPEN: _UNWRITABLE,
    sqlite3.SQLITE_PERM: _UNWRITABLE,
    sqlite3.SQLITE_IOERR: _FAILING,
    sqlite3.SQLITE_CORRUPT: _DAMAGED,
    sqlite3.SQLITE_NOTADB: _DAMAGED,
}
DAMAGES = frozenset({sqlite3.SQLITE_CORRUPT, sqlite3.SQLITE_NOTADB})
_BY_ERRNO = {
    errno.ENOSPC: _FULL,
    errno.EDQUOT: _FULL,
    errno.EFBIG: _FULL,
    errno.EROFS: _UNWRITABLE,
    errno.EACCES: _UNWRITABLE,
    errno.EPERM: _UNWRITABLE,
    errno.EIO: _FAILING,
}


def reason(error: sqlite3.Error | OSError, kept: str = SAVED) -> str:
    """Say why SQLite or the system failed, what was ``kept`` where that is sure, and what to do, by the error's code.

    An error of a code that is not known here is told in its own words.
    """
    if isinstance(error, OSError):
        found = _BY_ERRNO.get(error.errno or 0)
        return _told(found, kept) if found else f"{error.strerror or error}. {kept}"
    return of_sqlite_code(getattr(error, "sqlite_errorcode", 0), kept) or f"{error}. {kept}"


def of_sqlite_code(code: int, kept: str = SAVED) -> str:
    """Say what a result code of SQLite means, an extended one as its primary one; "" where it is not known here."""
    found = _BY_SQLITE_CODE.get(code) or _BY_SQLITE_CODE.get(code & 0xFF)
    return _told(found, kept) if found else ""


def _told(found: _Reason, kept: str) -> str:
    return f"{found.what} {kept} {found.remedy}" if found.spares else f"{found.what} {found.remedy}"
