"""Background work: one job per key, done by daemon threads that know nothing of Streamlit.

A double click, a rerun, a refresh or a second tab that asks for the same key finds the job that runs or has finished.
"""

from __future__ import annotations

import copy
import logging
import threading
import time
from collections import OrderedDict
from collections.abc import Callable
from dataclasses import dataclass, field
from enum import StrEnum
from queue import SimpleQueue
from typing import Generic, Protocol, TypeVar

from audit.errors import AuditError, Cancelled
from audit.pace import Pace
from memory.errors import ImportCancelled, StoreError
from ui.messages import Message

T = TypeVar("T")
IsCancelled = Callable[[], bool]


class Report(Protocol):
    """Tells of a step of a job; ``pace`` says how long such a step usually takes, where that is known."""

    def __call__(self, text: str | Message, pace: Pace | None = None) -> None: ...


log = logging.getLogger(__name__)

FAULT = "Something went wrong inside Precedent, and this work was stopped. Nothing was saved; the log says more."


class JobState(StrEnum):
    WAITING = "waiting"
    RUNNING = "running"
    DONE = "done"
    FAILED = "failed"
    CANCELLED = "cancelled"

    @property
    def ended(self) -> bool:
        return self in {JobState.DONE, JobState.FAILED, JobState.CANCELLED}


@dataclass(frozen=True, slots=True)
class Progress:
    """One step a job has reported; ``at_s`` counts seconds from the start of the job.

    ``pace`` says how long such a step usually takes, where that is known.
    """

    text: str | Message
    at_s: float
    pace: Pace | None = None


@dataclass(slots=True)
class Job(Generic[T]):
    """One piece of work. Read it from any thread; only its worker and ``cancel`` change it.

    ``result`` is set in state DONE, ``error`` (a sentence for a user) in FAILED; ``stamp`` says of what state of the
    world the work was asked, for instance a change number; ``subject`` is the text it works on.
    """

    key: str
    work: Callable[[Report, IsCancelled], T]
    created: float
    stamp: int = 0
    subject: str = ""
    state: JobState = JobState.WAITING
    steps: tuple[Progress, ...] = ()
    result: T | None = None
    error: str = ""
    started: float | None = None
    ended: float | None = None
    _cancelled: threading.Event = field(default_factory=threading.Event)
    _finished: threading.Event = field(default_factory=threading.Event)

    def cancel(self) -> None:
        """Ask the work to stop; it stops at its next step and saves nothing."""
        self._cancelled.set()

    @property
    def cancelling(self) -> bool:
        return self._cancelled.is_set() and not self.state.ended

    def wait(self, timeout_s: float) -> bool:
        """Wait up to ``timeout_s`` seconds; say whether the job has ended."""
        return self._finished.wait(timeout_s)


class JobBoard(Generic[T]):
    """Runs jobs on ``workers`` threads and keeps the last ``keep`` of them; what waits or runs is always kept.

    A finished audit takes 40 to 150 kB with all it recalled, and is in the archive anyway.
    """

    def __init__(
        self,
        workers: int,
        *,
        keep: int = 50,
        clock: Callable[[], float] = time.monotonic,
    ) -> None:
        self._jobs: OrderedDict[tuple[str, str], Job[T]] = OrderedDict()
        self._owner = ""
        self._queue: SimpleQueue[Job[T]] = SimpleQueue()
        self._lock = threading.Lock()
        self._keep = keep
        self._clock = clock
        for number in range(workers):
            threading.Thread(target=self._serve, name=f"precedent-job-{number}", daemon=True).start()

    def of(self, owner: str) -> JobBoard[T]:
        """Give the board as ``owner`` sees it: the same workers, and no job of anybody else, whatever its key."""
        theirs = copy.copy(self)
        theirs._owner = owner
        return theirs

    def submit(
        self,
        key: str,
        work: Callable[[Report, IsCancelled], T],
        *,
        stamp: int = 0,
        subject: str = "",
        still_valid: Callable[[int], bool] = lambda _: True,
    ) -> Job[T]:
        """Start ``work``, or return the job of the same key that waits, runs, or is done and ``still_valid``.

        ``still_valid`` gets the stamp the finished job was submitted with.
        """
        known = self.get(key)
        stale = known is None or (
            known.state.ended and (known.state is not JobState.DONE or not still_valid(known.stamp))
        )
        with self._lock:
            current = self._jobs.get((self._owner, key))
            if current is not None and (current is not known or not stale):
                return current
            job = Job(key, work, self._clock(), stamp, subject)
            self._jobs[self._owner, key] = job
            self._jobs.move_to_end((self._owner, key))
            ended = [name for name, it in self._jobs.items() if it.state.ended]
            for old in ended[: max(0, len(self._jobs) - self._keep)]:
                del self._jobs[old]
        self._queue.put(job)
        return job

    def get(self, key: str) -> Job[T] | None:
        """Find a job by its key; None where it never was or is no longer kept."""
        with self._lock:
            return self._jobs.get((self._owner, key))

    def under_way(self) -> Job[T] | None:
        """Find the owner's first job that waits or runs; None where all have ended."""
        with self._lock:
            mine = (it for (owner, _), it in self._jobs.items() if owner == self._owner and not it.state.ended)
            return next(mine, None)

    def live(self) -> int:
        """Count the jobs of all owners that wait or run."""
        with self._lock:
            return sum(not it.state.ended for it in self._jobs.values())

    def ahead_of(self, job: Job[T]) -> int:
        """Count the jobs that wait and were submitted before ``job``."""
        with self._lock:
            return sum(it.state is JobState.WAITING and it.created < job.created for it in self._jobs.values())

    def elapsed_s(self, job: Job[T]) -> float:
        """Say for how many seconds ``job`` has run, or ran; 0 while it waits."""
        if job.started is None:
            return 0.0
        return (self._clock() if job.ended is None else job.ended) - job.started

    def _serve(self) -> None:
        while True:
            self._run(self._queue.get())

    def _run(self, job: Job[T]) -> None:
        job.started = self._clock()
        job.state = JobState.RUNNING

        def report(text: str | Message, pace: Pace | None = None) -> None:
            job.steps = (*job.steps, Progress(text, self.elapsed_s(job), pace))

        state = JobState.FAILED
        try:
            if job.cancelling:
                raise Cancelled("stopped before it began")
            job.result = job.work(report, job._cancelled.is_set)
            state = JobState.DONE
        except (Cancelled, ImportCancelled):
            state = JobState.CANCELLED
        except (AuditError, StoreError) as error:
            job.error = str(error)
        except Exception:
            log.exception("a background job failed")
            job.error = FAULT
        job.ended = self._clock()
        job.state = state
        job._finished.set()
