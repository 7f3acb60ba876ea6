"""A slot: a folder that one process owns while it lives, with a small file saying how far what is in it has come.

The lock is the system's and goes with the process, so the next one takes the slot over with what is in it.
"""

from __future__ import annotations

import json
import shutil
import uuid
from collections.abc import Mapping
from dataclasses import asdict, dataclass, field
from pathlib import Path

from filelock import FileLock, Timeout

from memory.errors import IndexUnavailable
from memory.reasons import reason

SLOTS = 64
FORMAT = 3
CLEAN, WRITING, OPENING = "clean", "writing", "opening"


@dataclass(frozen=True, slots=True)
class State:
    """How far the data in a slot has come.

    ``folder`` names the data's folder in the slot; ``position`` is a change number and ``timeline`` the course of the
    ledger it is on; ``phase`` says whether the data is at rest, being written or being opened; ``files`` holds the size
    and time of each data file when it was last at rest; ``place`` is the slot it was written in, as ``Slot.place``.
    """

    folder: str
    position: int = 0
    timeline: str = ""
    phase: str = CLEAN
    files: Mapping[str, list[int]] = field(default_factory=dict)
    place: str = ""


class Slot:
    """A locked slot below ``folder``. Raises IndexUnavailable where none can be taken."""

    def __init__(self, folder: Path) -> None:
        self._lock, self.path = _take(folder)

    def release(self) -> None:
        """Let the next process have the slot."""
        self._lock.release()

    def load(self) -> State | None:
        """Read the state; None where there is none, or none that can be read."""
        try:
            values = json.loads(self._file.read_text())
            if values.pop("format") != FORMAT:
                return None
            state = State(**values)
            texts = isinstance(state.timeline, str) and isinstance(state.place, str)
            whole = isinstance(state.position, int) and texts and isinstance(state.files, dict)
            named = Path(state.folder).name == state.folder and state.phase in {CLEAN, WRITING, OPENING}
            return state if whole and named else None
        except (OSError, ValueError, TypeError, KeyError, AttributeError):
            return None

    def save(self, state: State) -> None:
        """Write the state, whole or not at all. Raises OSError."""
        draft = self._file.with_suffix(".new")
        draft.write_text(json.dumps({"format": FORMAT, **asdict(state)}))
        draft.replace(self._file)

    def clear(self) -> State:
        """Remove what is in the slot and give the state of a new, empty folder in it. Raises OSError."""
        self._file.unlink(missing_ok=True)
        for old in self.path.iterdir():
            shutil.rmtree(old, ignore_errors=True)
        return State(uuid.uuid4().hex)

    def files(self, state: State) -> Mapping[str, list[int]]:
        """Give size and time of each file in the data's subfolders."""
        folder = self.path / state.folder
        stats = {path.relative_to(folder).as_posix(): path.stat() for path in sorted(folder.glob("*/*"))}
        return {name: [stat.st_size, stat.st_mtime_ns] for name, stat in stats.items()}

    def place(self) -> str:
        """Name the slot's folder on its disk: a copy of it has another name, the folder moved on that disk the same."""
        stat = self.path.stat()
        return f"{stat.st_dev}:{stat.st_ino}"

    @property
    def _file(self) -> Path:
        return self.path / "state.json"


def _take(folder: Path) -> tuple[FileLock, Path]:
    try:
        folder.mkdir(parents=True, exist_ok=True)
        # The index's native library writes unused memory of the process into its files: they are the owner's alone.
        folder.chmod(0o700)
        for number in range(1, SLOTS + 1):
            lock = FileLock(folder / f"slot-{number}.lock", thread_local=False)
            try:
                lock.acquire(timeout=0)
            except Timeout:
                continue
            path = folder / f"slot-{number}"
            path.mkdir(exist_ok=True)
            return lock, path
    except OSError as error:
        raise IndexUnavailable(f"The search index could not be opened. {reason(error)}") from error
    raise IndexUnavailable(f"All {SLOTS} slots of the vector index are in use.")
