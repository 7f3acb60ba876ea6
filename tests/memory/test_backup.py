"""Backup and restore: checked, whole or not at all, also in use and under kill -9."""

from __future__ import annotations

import json
import os
import random
import signal
import sqlite3
import subprocess
import sys
import time
from collections.abc import Callable
from contextlib import closing
from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest

from memory.__main__ import main
from memory.backup import back_up, restore
from memory.catch_up import catch_up
from memory.chroma_index import ChromaIndex
from memory.errors import LedgerUnavailable
from memory.index import Entry
from memory.ledger import Ledger
from memory.records import Kind, Record, Status
from memory.saved_views import SavedViews
from memory.verify import verify

ROOT = Path(__file__).parents[2]
MakeRecord = Callable[..., Record]
MakeEntry = Callable[..., Entry]


@pytest.fixture
def filled(ledger: Ledger, make_record: MakeRecord, make_entry: MakeEntry, now: datetime) -> Ledger:
    records = [make_record(record_id=f"old-{n}") for n in range(20)]
    ledger.add_many([(record, [make_entry(record.id, n)]) for n, record in enumerate(records)])
    ledger.set_status("local", "old-3", Status.FORGOTTEN, author="ana", reason="", at=now)
    return ledger


def test_what_was_backed_up_comes_back_and_nothing_else(
    filled: Ledger, home: Path, make_record: MakeRecord, make_entry: MakeEntry, now: datetime
) -> None:
    before = filled.get("local", [f"old-{n}" for n in range(20)])
    view = SavedViews(filled).add("local", "Losses", {"sort": "Loss"}, author="ana", now=now)
    made = back_up(filled, home / "backups", now)
    assert (made.changes, made.records) == (21, 20)
    for n in range(5):
        filled.add(make_record(record_id=f"new-{n}"), [make_entry(f"new-{n}", 100 + n)])
    filled.close()
    done = restore(home / "ledger.db", made.path, now)
    assert (done.changes, done.records) == (21, 20)
    again = Ledger.open(f"sqlite:///{home}/ledger.db")
    assert again.get("local", [f"old-{n}" for n in range(20)]) == before
    assert again.get("local", ["new-1"]) == {}
    assert SavedViews(again).list("local") == [view]
    assert verify(again).clean
    again.close()
    assert done.former is not None
    undone = restore(home / "ledger.db", done.former, now + timedelta(minutes=1))
    assert undone.records == 25


def test_a_running_process_and_its_index_follow_a_restore(
    filled: Ledger, index: ChromaIndex, home: Path, make_record: MakeRecord, make_entry: MakeEntry, now: datetime
) -> None:
    made = back_up(filled, home / "backups", now)
    for n in range(3):
        filled.add(make_record(record_id=f"lost-{n}"), [make_entry(f"lost-{n}", 100 + n)])
    catch_up(filled, index)
    restore(home / "ledger.db", made.path, now)
    for n in range(3):
        filled.add(make_record(record_id=f"new-{n}"), [make_entry(f"new-{n}", 200 + n)])
    assert index.position() == filled.head()
    catch_up(filled, index)
    assert dict(index.counts()) == filled.entry_counts()
    (hits,) = index.query("local", Kind.INVESTMENT, make_entry("q", 101).vector[None, :], 40)
    assert not {hit.record_id for hit in hits} & {"lost-0", "lost-1", "lost-2"}
    assert filled.get("local", ["lost-0"]) == {}
    assert verify(filled).clean


def test_a_forgotten_record_stays_forgotten_after_a_restore(
    filled: Ledger, index: ChromaIndex, home: Path, make_entry: MakeEntry, now: datetime
) -> None:
    made = back_up(filled, home / "backups", now)
    restore(home / "ledger.db", made.path, now)
    catch_up(filled, index)
    (hits,) = index.query("local", Kind.INVESTMENT, make_entry("q", 3).vector[None, :], 30)
    assert "old-3" not in {hit.record_id for hit in hits}


def test_a_damaged_backup_is_refused_and_nothing_is_changed(filled: Ledger, home: Path, now: datetime) -> None:
    made = back_up(filled, home / "backups", now)
    head = filled.head()
    whole = made.path.read_bytes()
    for broken in (b"", whole[: len(whole) // 2], b"garbage" * 1_000, whole.replace(b"old-7", b"gold7")):
        made.path.write_bytes(broken)
        with pytest.raises(LedgerUnavailable):
            restore(home / "ledger.db", made.path, now)
    with pytest.raises(LedgerUnavailable, match="no backup"):
        restore(home / "ledger.db", home / "nothing.db", now)
    with closing(sqlite3.connect(home / "other.db")) as other:
        other.execute("CREATE TABLE shopping (item TEXT)")
    (home / "notes.txt").write_text("milk, eggs " * 500)
    for stranger in ("other.db", "notes.txt"):
        with pytest.raises(LedgerUnavailable, match=r"is no backup of a memory.*Nothing was changed") as told:
            restore(home / "ledger.db", home / stranger, now)
        assert "set aside" not in str(told.value)
    assert filled.head() == head
    assert verify(filled).clean
    assert not list(home.glob(".*.part*"))


def test_a_damaged_ledger_is_moved_aside_by_a_restore(filled: Ledger, home: Path, now: datetime) -> None:
    made = back_up(filled, home / "backups", now)
    filled.close()
    (home / "ledger.db").write_bytes(b"not a database any more" * 1_000)
    done = restore(home / "ledger.db", made.path, now)
    assert done.former is not None
    assert "damaged" in done.former.name
    ledger = Ledger.open(f"sqlite:///{home}/ledger.db")
    assert (ledger.find("local").total, verify(ledger).clean) == (19, True)
    ledger.close()


def test_an_altered_ledger_is_not_backed_up_as_if_it_were_clean(filled: Ledger, home: Path, now: datetime) -> None:
    with filled.engine.connect() as connection:
        connection.exec_driver_sql("UPDATE scopes SET records = 99")
        connection.commit()
    with pytest.raises(LedgerUnavailable, match="not clean"):
        back_up(filled, home / "backups", now)
    assert list((home / "backups").iterdir()) == []


def test_a_folder_that_cannot_be_written_is_a_clear_error(filled: Ledger, tmp_path: Path, now: datetime) -> None:
    (tmp_path / "file").write_text("in the way")
    with pytest.raises(LedgerUnavailable):
        back_up(filled, tmp_path / "file" / "backups", now)


JOB = """
import sys
from datetime import UTC, datetime
from pathlib import Path
from memory.backup import back_up, restore
from memory.ledger import Ledger
home, first = Path(sys.argv[1]), Path(sys.argv[2])
print("ready", flush=True)
for turn in range(1000):
    ledger = Ledger.open(f"sqlite:///{home}/ledger.db")
    back_up(ledger, home / "copies", datetime.now(UTC), f"turn{turn}")
    ledger.close()
    restore(home / "ledger.db", first, datetime.now(UTC))
"""


def test_a_kill_amid_backup_and_restore_leaves_a_whole_ledger(filled: Ledger, home: Path, now: datetime) -> None:
    made = back_up(filled, home / "first", now)
    moments = random.Random(4)
    for _ in range(5):
        job = subprocess.Popen(
            [sys.executable, "-c", JOB, str(home), str(made.path)], stdout=subprocess.PIPE, text=True, cwd=ROOT
        )
        assert job.stdout is not None
        assert job.stdout.readline() == "ready\n"
        time.sleep(moments.uniform(0.02, 0.5))
        os.kill(job.pid, signal.SIGKILL)
        job.communicate()
        assert (filled.size(), verify(filled).clean) == (20, True)
    for copy in (home / "copies").glob("*.db"):
        ledger = Ledger.open(f"sqlite:///{copy}")
        assert verify(ledger).clean
        ledger.close()


def test_the_command_line_verifies_backs_up_and_restores(
    filled: Ledger,
    home: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
    make_record: MakeRecord,
) -> None:
    monkeypatch.setenv("PRECEDENT_HOME", str(home))
    assert main(["verify", "--json"]) == 0
    assert json.loads(capsys.readouterr().out)["clean"] is True
    assert main(["backup", "--json"]) == 0
    made = json.loads(capsys.readouterr().out)
    filled.add(make_record(record_id="later"), [])
    assert main(["restore", made["file"], "--yes", "--json"]) == 0
    assert json.loads(capsys.readouterr().out)["records"] == 20
    assert filled.get("local", ["later"]) == {}
    assert main(["restore", str(home / "nothing.db"), "--yes"]) == 1
    with filled.engine.connect() as connection:
        connection.exec_driver_sql("UPDATE scopes SET records = 99")
        connection.commit()
    capsys.readouterr()
    assert main(["verify"]) == 1
    assert "counts" in capsys.readouterr().out


def test_what_killed_backups_have_left_is_swept_and_what_is_under_way_is_not(filled: Ledger, home: Path) -> None:
    today = datetime.now(UTC)
    (home / "backups").mkdir()
    left, under_way = home / "backups" / ".dead.part", home / "backups" / ".live.part"
    for draft, age in ((left, timedelta(days=1)), (under_way, timedelta(minutes=1))):
        draft.write_bytes(b"x")
        os.utime(draft, times=((today - age).timestamp(),) * 2)
    back_up(filled, home / "backups", today)
    assert under_way.exists()
    assert not left.exists()
