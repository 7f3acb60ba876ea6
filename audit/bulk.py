"""Audit the files of a folder in several processes; a run that is stopped goes on where it was.

Each process opens the data folder for itself and holds a slot of the vector index. What is archived already, told by
the hash of its text, is not audited again, so the archive is all that a second run needs.
"""

from __future__ import annotations

import os
import signal
from collections.abc import Callable, Generator, Sequence
from concurrent.futures import ProcessPoolExecutor, as_completed
from concurrent.futures.process import BrokenProcessPool
from dataclasses import dataclass
from datetime import UTC, datetime
from enum import StrEnum
from multiprocessing import get_context
from multiprocessing.util import Finalize
from pathlib import Path
from typing import Any, Protocol

from audit.decided import decided_behind
from audit.decisions import Decisions
from audit.diff_triage import DiffTriage
from audit.errors import AuditError
from audit.judge import judge, read
from audit.modes import MODES
from audit.reports import precedents_in, report
from audit.service import Services
from audit.types import Submission
from memory.errors import StoreError
from memory.file_names import name_in_words

MOST_JOBS = 32


class BulkSettings(Protocol):
    """The limits for files that are read."""

    @property
    def document_max_mb(self) -> int: ...
    @property
    def document_max_pages(self) -> int: ...


class OpenServices(Services, Protocol):
    """The parts an audit needs, with the limits for files, and a way to close them."""

    @property
    def settings(self) -> BulkSettings: ...
    @property
    def decisions(self) -> Decisions: ...
    def close(self) -> None: ...


class State(StrEnum):
    """What became of a file."""

    AUDITED = "audited"
    SKIPPED = "skipped"
    FAILED = "failed"


@dataclass(frozen=True, slots=True)
class Done:
    """A finished file: its path below the folder, and the audit's data, or the reason why there is none.

    ``headline`` says it in one line; ``repeats`` counts the past bugs confirmed in it.
    """

    file: str
    state: State
    headline: str
    data: dict[str, Any] | None = None
    repeats: int = 0

    def as_dict(self) -> dict[str, Any]:
        """Give one JSON object: ``file``, ``state``, and ``audit`` or ``reason``."""
        told: dict[str, Any] = {"audit": self.data} if self.data is not None else {"reason": self.headline}
        return {"file": self.file, "state": self.state.value} | told


def files_in(folder: Path) -> list[Path]:
    """List the files below ``folder``, by name; hidden ones, links and what is in hidden folders are left out."""
    found: list[Path] = []
    for place, folders, names in os.walk(folder):
        folders[:] = [name for name in folders if not name.startswith(".")]
        paths = [Path(place, name) for name in names if not name.startswith(".")]
        found += [path for path in paths if path.is_file() and not path.is_symlink()]
    return sorted(found)


def audit_all(
    folder: Path,
    files: Sequence[Path],
    mode: str,
    open_services: Callable[[], OpenServices],
    *,
    jobs: int,
    save: bool = True,
) -> Generator[Done]:
    """Audit ``files`` in ``jobs`` processes and yield each as it is finished; a file that fails does not stop the rest.

    ``open_services`` is called once in each process. When the iterator is closed, or the program interrupted, no
    further file is begun; those under way are finished and kept.
    """
    pool = ProcessPoolExecutor(jobs, get_context("spawn"), _begin, (open_services,))
    try:
        tasks = {pool.submit(_audit, folder, path, mode, save): path for path in files}
        for task in as_completed(tasks):
            error = task.exception()
            yield task.result() if error is None else _failed(folder, tasks[task], _reason(error))
    finally:
        pool.shutdown(cancel_futures=True)


_opened: list[OpenServices] = []


def _begin(open_services: Callable[[], OpenServices]) -> None:
    """Open the data folder in a new process, which leaves it to the first one to answer an interruption."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    services = open_services()
    _opened.append(services)
    Finalize(None, services.close, exitpriority=10)


def _audit(folder: Path, path: Path, mode_name: str, save: bool) -> Done:
    services, mode, name = _opened[0], MODES[mode_name], _name(folder, path)
    limits = services.settings
    try:
        handed = read(
            mode,
            path.read_bytes(),
            path.name,
            max_bytes=limits.document_max_mb * 2**20,
            max_pages=limits.document_max_pages,
        )
        if save and isinstance(handed, Submission) and (before := _audited_before(services, handed)):
            return Done(name, State.SKIPPED, before)
        judged = judge(services, mode, handed, now=datetime.now(UTC), save=save)
        decided = decided_behind(services.decisions, precedents_in(judged))
    except OSError as error:
        return _failed(folder, path, f"It cannot be read: {error.strerror}.")
    except (AuditError, StoreError) as error:
        return _failed(folder, path, str(error))
    told = report(judged, name, decided=decided)
    if isinstance(judged, DiffTriage):
        headline = f"{len(judged.files)} files of a diff judged"
    elif judged.problem:
        return _failed(folder, path, judged.problem)
    else:
        headline = f"{judged.audit.verdict}, {judged.audit.score:.0f} of 100"
    return Done(name, State.AUDITED, headline, told.data, len(told.repeats))


def _audited_before(services: OpenServices, submission: Submission) -> str:
    earlier = services.archive.list(services.workspace, sha256=submission.sha256, mode=submission.mode, limit=1)
    return "".join(f"audited before, on {it.created_at:%Y-%m-%d}, as {it.id}" for it in earlier)


def _failed(folder: Path, path: Path, reason: str) -> Done:
    return Done(_name(folder, path), State.FAILED, reason)


def _reason(error: BaseException) -> str:
    if isinstance(error, BrokenProcessPool):
        return "A process that audits could not start, or was ended. Run the same command again to go on."
    return f"It could not be audited ({type(error).__name__})."


def _name(folder: Path, path: Path) -> str:
    return name_in_words(path.relative_to(folder).as_posix())
