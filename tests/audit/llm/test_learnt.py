"""What was learnt of a server is kept, expires, and never stops an audit."""

from __future__ import annotations

import json
from datetime import datetime, timedelta
from pathlib import Path

import pytest

from audit.llm.learnt import EXPIRES, FileShelf, Learnt, NoShelf
from audit.llm.port import JsonMode

NONE = frozenset[str]()


def test_what_worked_is_known_to_the_next_process(home: Path, now: datetime) -> None:
    path = home / "deep" / "models.json"
    Learnt(FileShelf(path), lambda: now).worked("http://s", "local:m", JsonMode.TEXT, frozenset({"stream"}), 3000)
    lesson = Learnt(FileShelf(path), lambda: now).of("http://s", "local:m")
    assert (lesson.mode, lesson.without, lesson.prompt_tokens) == (JsonMode.TEXT, {"stream"}, 3000)
    assert [it.name for it in path.parent.iterdir()] == ["models.json"]


def test_a_lesson_is_of_one_model_at_one_server(now: datetime) -> None:
    learnt = Learnt(NoShelf(), lambda: now)
    learnt.retired("http://s", "local:m")
    assert learnt.of("http://s", "local:m").retired_at == now
    assert learnt.of("http://other", "local:m").retired_at is None
    assert learnt.of("http://s", "local:other").retired_at is None


def test_a_lesson_expires(now: datetime) -> None:
    today = [now]
    learnt = Learnt(NoShelf(), lambda: today[0])
    learnt.worked("s", "m", JsonMode.TEXT, NONE, 0)
    today[0] = now + EXPIRES
    assert learnt.of("s", "m").mode is JsonMode.TEXT
    for late in (EXPIRES + timedelta(seconds=1), -EXPIRES - timedelta(seconds=1)):
        today[0] = now + late
        assert learnt.of("s", "m").mode is None


def test_a_model_that_answers_is_no_longer_retired(now: datetime) -> None:
    learnt = Learnt(NoShelf(), lambda: now)
    learnt.retired("s", "m")
    learnt.worked("s", "m", JsonMode.STRICT, NONE, 0)
    assert learnt.of("s", "m").retired_at is None
    learnt.forget("s", "m")
    assert learnt.of("s", "m").mode is None


def test_two_processes_keep_each_others_lessons(home: Path, now: datetime) -> None:
    path = home / "models.json"
    one, two = (Learnt(FileShelf(path), lambda: now) for _ in range(2))
    one.worked("s", "a", JsonMode.TEXT, NONE, 0)
    two.worked("s", "b", JsonMode.OBJECT, NONE, 0)
    third = Learnt(FileShelf(path), lambda: now)
    assert (third.of("s", "a").mode, third.of("s", "b").mode) == (JsonMode.TEXT, JsonMode.OBJECT)


@pytest.mark.parametrize(
    "text", ["", "{", "[]", '{"lessons": 7}', '{"lessons": {"m at s": {"mode": "shouting"}}}', "\x00"]
)
def test_a_damaged_file_is_learnt_anew(home: Path, now: datetime, text: str) -> None:
    home.mkdir()
    path = home / "models.json"
    path.write_text(text)
    learnt = Learnt(FileShelf(path), lambda: now)
    assert learnt.of("s", "m").mode is None
    learnt.worked("s", "m", JsonMode.TEXT, NONE, 0)
    assert "m at s" in json.loads(path.read_text())["lessons"]


def test_a_file_that_cannot_be_written_is_a_log_line(
    home: Path, now: datetime, caplog: pytest.LogCaptureFixture
) -> None:
    home.mkdir()
    (home / "blocked").write_text("a file where a folder should be")
    learnt = Learnt(FileShelf(home / "blocked" / "models.json"), lambda: now)
    learnt.worked("s", "m", JsonMode.TEXT, NONE, 0)
    assert learnt.of("s", "m").mode is JsonMode.TEXT
    assert "could not be kept" in caplog.text


def test_an_answer_that_teaches_nothing_new_writes_nothing(home: Path, now: datetime) -> None:
    path = home / "models.json"
    learnt = Learnt(FileShelf(path), lambda: now)
    learnt.worked("s", "m", JsonMode.TEXT, NONE, 0)
    path.unlink()
    learnt.worked("s", "m", JsonMode.TEXT, NONE, 0)
    assert not path.exists()
