"""The index: whatever happens to its folder, the next catch-up makes it whole again."""

from __future__ import annotations

import json
import os
import shutil
import subprocess
import sys
import threading
from collections.abc import Callable, Iterator
from datetime import datetime
from pathlib import Path

import numpy as np
import pytest

from memory import chroma_index
from memory.catch_up import BATCH, catch_up
from memory.chroma_index import ChromaIndex
from memory.errors import IndexUnavailable
from memory.index import FACETS, Entry
from memory.ledger import Ledger
from memory.ledger_reader import PAGE
from memory.records import InvestmentFacts, Kind, Record, Status

ROOT = Path(__file__).parents[2]
MakeRecord = Callable[..., Record]
MakeEntry = Callable[..., Entry]
RECORDS = 1_200


@pytest.fixture
def filled(ledger: Ledger, make_record: MakeRecord, make_entry: MakeEntry) -> Ledger:
    records = [make_record(kind=Kind.BUG if n % 3 == 0 else Kind.INVESTMENT) for n in range(60)]
    ledger.add_many([(record, [make_entry(record.id, n)]) for n, record in enumerate(records)])
    return ledger


def finds_everything(ledger: Ledger, index: ChromaIndex) -> bool:
    """Ask for every vector of the ledger: each must be found at similarity 1, and nothing else may be there."""
    assert dict(index.counts()) == ledger.entry_counts()
    for kind in (Kind.INVESTMENT, Kind.BUG):
        ids = [record.id for record in ledger.find("local", kinds=[kind], limit=5_000).records]
        entries = ledger.entries(ids)
        if not entries:
            continue
        for entry, hits in zip(
            entries, index.query("local", kind, np.stack([it.vector for it in entries]), 3), strict=True
        ):
            if (hits[0].record_id, hits[0].facet) != (entry.record_id, entry.facet) or hits[0].similarity < 0.999:
                return False
    return True


def test_an_index_finds_what_the_ledger_holds(filled: Ledger, index: ChromaIndex) -> None:
    assert catch_up(filled, index) == filled.head() == index.position()
    assert index.trusted()
    assert finds_everything(filled, index)


def test_a_record_that_changed_twice_far_apart_is_indexed_once(
    ledger: Ledger, index: ChromaIndex, make_record: MakeRecord, make_entry: MakeEntry, now: datetime
) -> None:
    records = [make_record() for _ in range(PAGE + 1)]
    ledger.add_many([(record, [make_entry(record.id, n)]) for n, record in enumerate(records)])
    for status in (Status.ARCHIVED, Status.ACTIVE):
        ledger.set_status("local", records[0].id, status, author="ana", reason="", at=now)
    assert len(ledger.changes(0, BATCH)) == PAGE + 3, "one batch of the catch-up holds all of it"
    catch_up(ledger, index)
    assert index.trusted()
    assert dict(index.counts()) == ledger.entry_counts() == {("local", Kind.INVESTMENT): PAGE + 1}


def test_hits_come_nearest_first_with_their_cosine(
    ledger: Ledger, index: ChromaIndex, make_record: MakeRecord, make_entry: MakeEntry
) -> None:
    records = [make_record() for _ in range(20)]
    ledger.add_many([(it, [make_entry(it.id, n, facet) for facet in FACETS]) for n, it in enumerate(records)])
    catch_up(ledger, index)
    asked = make_entry("q", 77).vector
    (hits,) = index.query("local", Kind.INVESTMENT, asked[None, :], 60)
    held = {(it.record_id, it.facet): float(asked @ it.vector) for it in ledger.entries([it.id for it in records])}
    assert len(hits) == 60
    assert [it.similarity for it in hits] == sorted((it.similarity for it in hits), reverse=True)
    assert all(abs(held[it.record_id, it.facet] - it.similarity) < 1e-5 for it in hits)


def test_a_collection_that_does_not_exist_gives_nothing(index: ChromaIndex, make_entry: MakeEntry) -> None:
    assert index.query("nobody", Kind.BUG, make_entry("q").vector[None, :], 5) == [[]]


def test_what_left_the_ledger_leaves_the_index_and_can_come_back(
    filled: Ledger, index: ChromaIndex, now: datetime
) -> None:
    catch_up(filled, index)
    gone = filled.find("local", kinds=[Kind.BUG], limit=5).records
    for record in gone:
        filled.set_status("local", record.id, Status.FORGOTTEN, author="ana", reason="", at=now)
    catch_up(filled, index)
    assert finds_everything(filled, index)
    vectors = np.stack([it.vector for it in filled.entries([record.id for record in gone])])
    found = {hit.record_id for hits in index.query("local", Kind.BUG, vectors, 60) for hit in hits}
    assert not found & {record.id for record in gone}
    filled.set_status("local", gone[0].id, Status.ACTIVE, author="ana", reason="", at=now)
    catch_up(filled, index)
    assert finds_everything(filled, index)


def test_a_shorter_revision_leaves_no_passage_behind(
    ledger: Ledger, index: ChromaIndex, make_record: MakeRecord, make_entry: MakeEntry, now: datetime
) -> None:
    record = make_record()
    ledger.add(record, [make_entry(record.id, n, "what", n) for n in range(5)])
    catch_up(ledger, index)
    ledger.revise("local", record.id, InvestmentFacts("x"), [make_entry(record.id, 9)], author="ana", reason="", at=now)
    catch_up(ledger, index)
    assert index.counts() == {("local", Kind.INVESTMENT): 1}
    assert finds_everything(ledger, index)


def test_workspaces_never_meet(
    ledger: Ledger, index: ChromaIndex, make_record: MakeRecord, make_entry: MakeEntry
) -> None:
    mine, other = make_record(), make_record(workspace="other")
    ledger.add_many([(mine, [make_entry(mine.id, 1)]), (other, [make_entry(other.id, 2)])])
    catch_up(ledger, index)
    (hits,) = index.query("local", Kind.INVESTMENT, make_entry("q", 2).vector[None, :], 10)
    assert [hit.record_id for hit in hits] == [mine.id]


def test_a_second_index_takes_the_next_slot_and_a_freed_slot_is_taken_over(filled: Ledger, home: Path) -> None:
    one, two = ChromaIndex(home / "index"), ChromaIndex(home / "index")
    catch_up(filled, one)
    catch_up(filled, two)
    assert finds_everything(filled, one)
    assert finds_everything(filled, two)
    one.close()
    again = ChromaIndex(home / "index")
    assert again.position() == filled.head()
    assert {path.name for path in (home / "index").iterdir() if path.is_dir()} == {"slot-1", "slot-2"}
    two.close()
    again.close()


def test_applying_the_same_changes_twice_changes_nothing(filled: Ledger, index: ChromaIndex) -> None:
    catch_up(filled, index)
    index.advance(0)
    catch_up(filled, index)
    assert finds_everything(filled, index)


def test_a_change_without_vectors_writes_nothing_into_the_slot_and_is_known_after_a_close_and_a_crash(
    filled: Ledger, index: ChromaIndex, home: Path, make_record: MakeRecord
) -> None:
    catch_up(filled, index)
    state = home / "index" / "slot-1" / "state.json"
    before = state.read_bytes()
    filled.add_many([(make_record(kind=Kind.INVESTMENT), [])])
    assert catch_up(filled, index) == filled.head() == index.position()
    assert state.read_bytes() == before
    index.close()
    closed = ChromaIndex(home / "index")
    assert closed.position() == filled.head()
    closed.close()
    state.write_bytes(before)
    crashed = ChromaIndex(home / "index")
    assert crashed.position() < filled.head() == catch_up(filled, crashed)
    assert finds_everything(filled, crashed)
    crashed.close()


def test_how_far_it_has_come_is_written_down_before_too_much_would_be_read_again(
    filled: Ledger, index: ChromaIndex, home: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    catch_up(filled, index)
    monkeypatch.setattr(chroma_index, "MOST_UNWRITTEN", 2)
    written = []
    for further in (1, 2, 3):
        index.advance(filled.head() + further)
        written.append(json.loads((home / "index" / "slot-1" / "state.json").read_text())["position"] - filled.head())
    assert written == [0, 2, 2]


def test_an_index_ahead_of_the_ledger_is_rebuilt(filled: Ledger, index: ChromaIndex) -> None:
    catch_up(filled, index)
    index.advance(filled.head() + 50)
    assert catch_up(filled, index) == filled.head()
    assert finds_everything(filled, index)


def _folder(home: Path) -> Path:
    slot = home / "index" / "slot-1"
    return slot / str(json.loads((slot / "state.json").read_text())["folder"])


def _delete_all(home: Path) -> None:
    shutil.rmtree(home / "index")


def _delete_slot(home: Path) -> None:
    shutil.rmtree(home / "index" / "slot-1")


def _delete_data(home: Path) -> None:
    shutil.rmtree(_folder(home))


def _delete_state(home: Path) -> None:
    (home / "index" / "slot-1" / "state.json").unlink()


def _garbage_state(home: Path) -> None:
    (home / "index" / "slot-1" / "state.json").write_bytes(b"\xff\x00{")


def _foreign_state(home: Path) -> None:
    path = home / "index" / "slot-1" / "state.json"
    path.write_text(json.dumps(json.loads(path.read_text()) | {"folder": "../../.."}))


def _truncate_database(home: Path) -> None:
    os.truncate(_folder(home) / "chroma.sqlite3", 20_000)


def _empty_database(home: Path) -> None:
    (_folder(home) / "chroma.sqlite3").write_bytes(b"")


def _garbage_database(home: Path) -> None:
    (_folder(home) / "chroma.sqlite3").write_bytes(os.urandom(200_000))


def _delete_vectors(home: Path) -> None:
    for path in _folder(home).glob("*/*.bin"):
        path.unlink()


def _truncate_vectors(home: Path) -> None:
    for path in _folder(home).glob("*/data_level0.bin"):
        os.truncate(path, 1_000)


def _garbage_vectors(home: Path) -> None:
    for path in _folder(home).glob("*/*"):
        path.write_bytes(os.urandom(path.stat().st_size))


def _lose_rows(home: Path) -> None:
    import chromadb

    client = chromadb.PersistentClient(str(_folder(home)))
    collection = client.list_collections()[0]
    collection.delete(ids=collection.get(limit=3, include=[])["ids"])
    client.close()


def _lose_a_collection(home: Path) -> None:
    import chromadb

    client = chromadb.PersistentClient(str(_folder(home)))
    client.delete_collection(client.list_collections()[0].name)
    client.close()


def _claim_to_be_ahead(home: Path) -> None:
    path = home / "index" / "slot-1" / "state.json"
    path.write_text(json.dumps(json.loads(path.read_text()) | {"position": 10**9}))


def _die_while_opening(home: Path) -> None:
    path = home / "index" / "slot-1" / "state.json"
    path.write_text(json.dumps(json.loads(path.read_text()) | {"phase": "opening"}))
    _garbage_vectors(home)


DAMAGES = [
    _delete_all, _delete_slot, _delete_data, _delete_state, _garbage_state, _foreign_state, _truncate_database,
    _empty_database, _garbage_database, _delete_vectors, _truncate_vectors, _garbage_vectors, _lose_rows,
    _lose_a_collection, _claim_to_be_ahead, _die_while_opening,
]  # fmt: skip


@pytest.fixture(scope="module")
def large_home(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A home whose index has written its vectors to files, as Chroma does after a thousand."""
    from datetime import UTC

    from memory.records import Door, Origin, Provenance

    home = tmp_path_factory.mktemp("large")
    ledger = Ledger.open(f"sqlite:///{home}/ledger.db")
    at = datetime(2026, 11, 1, tzinfo=UTC)
    vectors = np.random.default_rng(5).normal(size=(RECORDS, 384)).astype(np.float32)
    vectors /= np.linalg.norm(vectors, axis=1, keepdims=True)
    made = Provenance(Door.FORM, Origin.OWN_RECORD, "form", "ana", at, 0.9)
    ledger.add_many(
        [
            (
                Record(f"r{n}", "local", Kind.INVESTMENT, InvestmentFacts(f"co {n}"), made, 0.9),
                [Entry(f"r{n}", "what", 0, vectors[n])],
            )
            for n in range(RECORDS)
        ]
    )
    index = ChromaIndex(home / "index")
    catch_up(ledger, index)
    index.close()
    ledger.close()
    assert list((home / "index").glob("slot-1/*/*/*.bin")), "the vectors are in files"
    return home


@pytest.fixture
def large(large_home: Path, home: Path) -> Iterator[Ledger]:
    shutil.copytree(large_home, home, copy_function=shutil.copy2)
    ledger = Ledger.open(f"sqlite:///{home}/ledger.db")
    yield ledger
    ledger.close()


def test_an_undamaged_index_is_taken_over_as_it_is(large: Ledger, home: Path) -> None:
    index = ChromaIndex(home / "index")
    assert index.position() == RECORDS
    folder = _folder(home)
    catch_up(large, index)
    assert _folder(home) == folder
    index.close()


READER = """
import os, sys
from pathlib import Path
import numpy as np
from memory.chroma_index import ChromaIndex
from memory.records import Kind

index = ChromaIndex(Path(sys.argv[1]) / "index")
print(index.position(), len(index.query("local", Kind.INVESTMENT, np.eye(1, 384, dtype=np.float32), 1)[0]), flush=True)
if sys.argv[2] == "dies":
    os._exit(0)
index.close()
"""


@pytest.mark.parametrize("ending", ["closes", "dies"])
def test_an_index_is_never_rebuilt_for_having_been_read(filled: Ledger, home: Path, ending: str) -> None:
    index = ChromaIndex(home / "index")
    head = catch_up(filled, index)
    index.close()
    folder = _folder(home)
    for _ in range(3):
        reader = subprocess.run(
            [sys.executable, "-c", READER, str(home), ending],
            capture_output=True, text=True, timeout=60, cwd=ROOT, check=True,
        )  # fmt: skip
        assert (reader.stdout, reader.stderr) == (f"{head} 1\n", "")
        assert _folder(home) == folder


@pytest.mark.parametrize("damage", DAMAGES, ids=lambda it: it.__name__.strip("_"))
def test_a_damaged_index_is_rebuilt_by_itself(large: Ledger, home: Path, damage: Callable[[Path], None]) -> None:
    damage(home)
    index = ChromaIndex(home / "index")
    assert catch_up(large, index) == large.head()
    assert finds_everything(large, index)
    index.close()


def test_an_index_copied_while_open_is_told_calmly_and_one_altered_in_its_place_is_damaged(
    large: Ledger, home: Path, tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    index = ChromaIndex(home / "index")
    shutil.copytree(home / "index", tmp_path / "copy", copy_function=shutil.copyfile)
    copied = ChromaIndex(tmp_path / "copy")
    assert "is not of this copy of the folder and is rebuilt" in caplog.text
    assert "damaged" not in caplog.text
    assert catch_up(large, copied) == RECORDS
    assert dict(copied.counts()) == large.entry_counts()
    copied.close()
    index.close()
    _die_while_opening(home)
    ChromaIndex(home / "index").close()
    assert "is damaged (the last opening never ended)" in caplog.text


@pytest.mark.parametrize("damage", [_delete_all, _delete_data, _delete_vectors], ids=lambda it: it.__name__.strip("_"))
def test_damage_under_a_running_process_is_no_silence(
    large: Ledger, home: Path, damage: Callable[[Path], None], make_record: MakeRecord, make_entry: MakeEntry
) -> None:
    index = ChromaIndex(home / "index")
    catch_up(large, index)
    damage(home)
    record = make_record(record_id="late")
    large.add(record, [make_entry("late", 99)])
    catch_up(large, index)
    (hits,) = index.query("local", Kind.INVESTMENT, make_entry("q", 99).vector[None, :], 1)
    assert hits[0].record_id == "late"
    index.close()
    again = ChromaIndex(home / "index")
    catch_up(large, again)
    assert finds_everything(large, again)
    again.close()


def test_an_index_folder_that_is_a_file_is_a_clear_error(tmp_path: Path) -> None:
    (tmp_path / "index").write_text("in the way")
    with pytest.raises(IndexUnavailable):
        ChromaIndex(tmp_path / "index")


def test_threads_share_one_index(
    filled: Ledger, index: ChromaIndex, make_record: MakeRecord, make_entry: MakeEntry
) -> None:
    failures: list[BaseException] = []

    def work(seed: int) -> None:
        try:
            for n in range(8):
                record = make_record(record_id=f"t{seed}-{n}")
                entry = make_entry(record.id, 1_000 + seed * 100 + n)
                filled.add(record, [entry])
                catch_up(filled, index)
                (hits,) = index.query("local", Kind.INVESTMENT, entry.vector[None, :], 1)
                assert hits[0].record_id == record.id
        except BaseException as error:
            failures.append(error)
            raise

    threads = [threading.Thread(target=work, args=(seed,)) for seed in range(5)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert not failures
    assert finds_everything(filled, index)


WRITER = """
import sys
from datetime import UTC, datetime
from pathlib import Path
import numpy as np
from memory.catch_up import catch_up
from memory.chroma_index import ChromaIndex
from memory.index import Entry
from memory.ledger import Ledger
from memory.records import Door, InvestmentFacts, Kind, Origin, Provenance, Record

home, name, count = Path(sys.argv[1]), sys.argv[2], int(sys.argv[3])
ledger, index = Ledger.open(f"sqlite:///{home}/ledger.db"), ChromaIndex(home / "index")
numbers = np.random.default_rng(sum(name.encode()))
made = Provenance(Door.FORM, Origin.OWN_RECORD, "form", name, datetime(2026, 11, 1, tzinfo=UTC), 0.9)
for number in range(count):
    vector = numbers.normal(size=384).astype(np.float32)
    vector /= np.linalg.norm(vector)
    record = Record(f"{name}-{number}", "local", Kind.INVESTMENT, InvestmentFacts(f"{name} {number}"), made, 0.9)
    ledger.add(record, [Entry(record.id, "what", 0, vector)])
    print(record.id, flush=True)
    catch_up(ledger, index)
    hits = index.query("local", Kind.INVESTMENT, vector[None, :], 1)[0]
    assert hits[0].record_id == record.id, hits
"""


def _start_writer(home: Path, name: str, count: int) -> subprocess.Popen[str]:
    return subprocess.Popen(
        [sys.executable, "-c", WRITER, str(home), name, str(count)], stdout=subprocess.PIPE, text=True, cwd=ROOT
    )


def test_processes_at_once_lose_nothing_and_see_each_other(ledger: Ledger, home: Path, index: ChromaIndex) -> None:
    writers = [_start_writer(home, name, 25) for name in ("app", "other", "line")]
    written = [line for writer in writers for line in writer.communicate(timeout=90)[0].split()]
    assert [writer.returncode for writer in writers] == [0, 0, 0]
    assert len(written) == 75
    catch_up(ledger, index)
    assert index.counts() == {("local", Kind.INVESTMENT): 75}
    assert finds_everything(ledger, index)
