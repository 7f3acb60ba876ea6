"""What servers were found to take, kept between audits and between runs.

A model's entry expires after a week, so that an upgraded server is asked afresh.
"""

from __future__ import annotations

import json
import logging
import os
import tempfile
import threading
from collections.abc import Callable
from datetime import datetime, timedelta
from pathlib import Path
from typing import Protocol

from pydantic import AwareDatetime, BaseModel, ConfigDict, Field, ValidationError

from audit.llm.port import JsonMode

EXPIRES = timedelta(days=7)
_MOST_ENTRIES = 500
_MOST_BYTES = 1_000_000

log = logging.getLogger(__name__)


class Lesson(BaseModel):
    """What was learnt of one model at one server.

    ``mode`` is the JSON mode that worked; ``without`` the request fields it rejects; ``prompt_tokens`` a budget that
    was not too large (0 where unknown); ``retired_at`` when it was found retired.
    """

    model_config = ConfigDict(extra="forbid", frozen=True)

    mode: JsonMode | None = None
    without: frozenset[str] = frozenset()
    prompt_tokens: int = Field(default=0, ge=0)
    retired_at: AwareDatetime | None = None
    learnt_at: AwareDatetime


class Shelf(Protocol):
    """Where lessons are kept between runs."""

    def read(self) -> str: ...
    def write(self, text: str) -> None: ...


class FileShelf:
    """Lessons in one JSON file, replaced as a whole. A file that cannot be written is a log line, never a failure."""

    def __init__(self, path: Path) -> None:
        self._path = path

    def read(self) -> str:
        try:
            with self._path.open("rb") as file:
                return file.read(_MOST_BYTES).decode(errors="replace")
        except OSError:
            return ""

    def write(self, text: str) -> None:
        try:
            self._path.parent.mkdir(parents=True, exist_ok=True)
            handle, name = tempfile.mkstemp(dir=self._path.parent, prefix=self._path.name)
            with os.fdopen(handle, "w", encoding="utf-8") as file:
                file.write(text)
            Path(name).replace(self._path)
        except OSError as error:
            log.warning("what was learnt about models could not be kept: %s", error.__class__.__name__)


class NoShelf:
    """Forgets at the end of the process."""

    def read(self) -> str:
        return ""

    def write(self, text: str) -> None:
        del text


class _Lessons(BaseModel):
    model_config = ConfigDict(extra="forbid")

    lessons: dict[str, Lesson] = {}


class Learnt:
    """Lessons by server and model. Thread-safe; ``now`` gives aware times in UTC."""

    def __init__(self, shelf: Shelf, now: Callable[[], datetime]) -> None:
        self._shelf = shelf
        self._now = now
        self._lock = threading.Lock()
        self._lessons = self._load()

    def of(self, server: str, model: str) -> Lesson:
        """Return what is known of ``model`` at ``server``; an empty lesson where nothing is."""
        with self._lock:
            lesson = self._lessons.get(_key(server, model))
        now = self._now()
        if lesson is None or abs(now - lesson.learnt_at) > EXPIRES:  # the clock was ahead where it is in the future
            return Lesson(learnt_at=now)
        return lesson

    def worked(self, server: str, model: str, mode: JsonMode, without: frozenset[str], prompt_tokens: int) -> None:
        """Remember how ``model`` answered; nothing is written where nothing is new."""
        known = self.of(server, model)
        if (known.mode, known.without, known.prompt_tokens, known.retired_at) == (mode, without, prompt_tokens, None):
            return
        self._keep(
            server, model, Lesson(mode=mode, without=without, prompt_tokens=prompt_tokens, learnt_at=self._now())
        )

    def age_s(self, at: datetime) -> float:
        """Return how many seconds ago ``at`` was."""
        return (self._now() - at).total_seconds()

    def retired(self, server: str, model: str) -> None:
        """Remember that ``model`` is retired or unknown at ``server``."""
        now = self._now()
        self._keep(server, model, Lesson(retired_at=now, learnt_at=now))

    def forget(self, server: str, model: str) -> None:
        """Ask ``model`` afresh from now on."""
        with self._lock:
            if self._lessons.pop(_key(server, model), None) is not None:
                self._save()

    def _keep(self, server: str, model: str, lesson: Lesson) -> None:
        with self._lock:
            # Another process may have learnt meanwhile.
            self._lessons = {**self._load(), **self._lessons, _key(server, model): lesson}
            self._save()

    def _load(self) -> dict[str, Lesson]:
        text = self._shelf.read()
        if not text:
            return {}
        try:
            return _Lessons.model_validate_json(text).lessons
        except ValidationError:
            log.warning("what was learnt about models could not be read; it is learnt again")
            return {}

    def _save(self) -> None:
        newest = sorted(self._lessons.items(), key=lambda item: item[1].learnt_at)[-_MOST_ENTRIES:]
        self._lessons = dict(newest)
        document = _Lessons(lessons=self._lessons).model_dump(mode="json", exclude_defaults=True)
        self._shelf.write(json.dumps(document, indent=1, sort_keys=True))


def _key(server: str, model: str) -> str:
    return f"{model} at {server}"
