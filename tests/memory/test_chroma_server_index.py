"""The index on a Chroma server: shared by processes, never half there, honest where it cannot be reached."""

from __future__ import annotations

import json
import shutil
import signal
import socket
import subprocess
import sys
import textwrap
import threading
import time
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from datetime import datetime
from http.server import BaseHTTPRequestHandler, HTTPServer
from itertools import count
from pathlib import Path

import httpx
import numpy as np
import pytest

from memory.catch_up import catch_up
from memory.chroma_server import _session
from memory.chroma_server_index import ChromaServerIndex
from memory.embed import MiniLmEmbedder
from memory.errors import IndexUnavailable
from memory.index import Entry
from memory.intake import Intake
from memory.ledger import Ledger
from memory.recall import Recaller
from memory.records import Door, InvestmentFacts, Kind, Outcome, Record, Status
from memory.report import RecallQuery, RecallState
from tests.chroma_server.server import Server

ROOT = Path(__file__).parents[2]
MakeRecord = Callable[..., Record]
MakeEntry = Callable[..., Entry]
COLLECTIONS = "/api/v2/tenants/default_tenant/databases/default_database/collections"
_names = count(1)


@pytest.fixture(scope="module")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Server]:
    server = Server(tmp_path_factory.mktemp("chroma"))
    server.start()
    yield server
    server.stop()


@pytest.fixture
def url(server: Server) -> str:
    """The address of an empty index of its own."""
    return f"{server.url}/t{next(_names)}"


@pytest.fixture
def open_index(url: str) -> Iterator[Callable[..., ChromaServerIndex]]:
    opened: list[ChromaServerIndex] = []

    def make(**changes: float) -> ChromaServerIndex:
        opened.append(ChromaServerIndex(url, **changes))
        return opened[-1]

    yield make
    for index in opened:
        index.close()


@pytest.fixture
def ledger(home: Path) -> Iterator[Ledger]:
    ledger = Ledger.open(f"sqlite:///{home}/ledger.db")
    yield ledger
    ledger.close()


@pytest.fixture
def filled(ledger: Ledger, make_record: MakeRecord, make_entry: MakeEntry) -> Ledger:
    records = [make_record(kind=Kind.BUG if n % 3 == 0 else Kind.INVESTMENT) for n in range(30)]
    ledger.add_many([(record, [make_entry(record.id, n)]) for n, record in enumerate(records)])
    return ledger


def finds_everything(ledger: Ledger, index: ChromaServerIndex) -> bool:
    """Ask for every vector of the ledger: each must be found at similarity 1, and nothing else may be there."""
    assert dict(index.counts()) == ledger.entry_counts()
    for kind in (Kind.INVESTMENT, Kind.BUG):
        ids = [record.id for record in ledger.find("local", kinds=[kind], limit=5_000).records]
        entries = ledger.entries(ids)
        asked = np.stack([it.vector for it in entries])
        for entry, hits in zip(entries, index.query("local", kind, asked, 3), strict=True):
            if hits[0].record_id != entry.record_id or hits[0].similarity < 0.999:
                return False
    return True


def names(server: Server, url: str) -> list[str]:
    found = httpx.get(f"{server.url}{COLLECTIONS}").json()
    return sorted(it["name"] for it in found if it["name"].startswith(url.rpartition("/")[2] + "."))


def delete(server: Server, name: str) -> None:
    httpx.delete(f"{server.url}{COLLECTIONS}/{name}").raise_for_status()


def test_what_one_process_wrote_another_finds_without_writing_it_again(
    filled: Ledger, open_index: Callable[..., ChromaServerIndex], now: datetime
) -> None:
    one, two = open_index(), open_index()
    assert catch_up(filled, one) == filled.head()
    assert two.position() == filled.head()
    catch_up(filled, two)
    assert finds_everything(filled, one)
    assert finds_everything(filled, two)
    gone = filled.find("local", kinds=[Kind.BUG], limit=1).records[0]
    filled.set_status("local", gone.id, Status.FORGOTTEN, author="ana", reason="", at=now)
    catch_up(filled, two)
    assert one.position() == filled.head()
    assert one.holds("local", Kind.BUG, [gone.id]) == set()
    assert one.query("nobody", Kind.BUG, np.ones((1, 384), np.float32), 5) == [[]]


def test_an_index_that_is_thrown_away_is_rebuilt_and_leaves_nothing_behind(
    filled: Ledger, open_index: Callable[..., ChromaServerIndex], server: Server, url: str
) -> None:
    one, two = open_index(), open_index()
    catch_up(filled, one)
    catch_up(filled, two)
    stranger = ChromaServerIndex(url, identity="another ledger")
    assert stranger.position() == 0
    stranger.close()
    one.reset()
    assert two.position() == 0
    assert not two.trusted()
    with pytest.raises(IndexUnavailable, match="thrown away"):
        two.query("local", Kind.BUG, np.ones((1, 384), np.float32), 5)
    catch_up(filled, two)
    catch_up(filled, one)
    assert finds_everything(filled, one)
    assert finds_everything(filled, two)
    assert {name.split(".")[3] for name in names(server, url)} == {"g000002"}


def test_another_course_of_the_ledger_begins_anew(filled: Ledger, open_index: Callable[..., ChromaServerIndex]) -> None:
    index = open_index()
    catch_up(filled, index)
    filled.set_setting("timeline", "restored")
    catch_up(filled, index)
    assert index.timeline() == "restored"
    assert finds_everything(filled, index)


def test_collections_that_a_hand_deleted_are_noticed(
    filled: Ledger, open_index: Callable[..., ChromaServerIndex], server: Server, url: str
) -> None:
    index = open_index()
    catch_up(filled, index)
    delete(server, next(name for name in names(server, url) if name.endswith(".bug")))
    with pytest.raises(IndexUnavailable):
        index.query("local", Kind.BUG, np.ones((1, 384), np.float32), 5)
    catch_up(filled, index)
    assert finds_everything(filled, index)
    for name in names(server, url):
        delete(server, name)
    catch_up(filled, index)
    assert finds_everything(filled, index)


WRITER = """
    import sys
    from datetime import UTC, datetime
    import numpy as np
    from memory.catch_up import catch_up
    from memory.chroma_server_index import ChromaServerIndex
    from memory.index import Entry
    from memory.ledger import Ledger
    from memory.records import Door, InvestmentFacts, Kind, Origin, Provenance, Record, Status
    database, url, who = sys.argv[1:]
    ledger, index = Ledger.open(database), ChromaServerIndex(url)
    now = datetime(2026, 1, 1, tzinfo=UTC)
    for n in range(8):
        name = f"{who}-{n}"
        made = Provenance(Door.FORM, Origin.OWN_RECORD, "form", who, now, 0.9)
        vector = np.random.default_rng(abs(hash(name)) % 2**32).normal(size=384).astype(np.float32)
        record = Record(name, "local", Kind.INVESTMENT, InvestmentFacts(name), made, 0.9, updated_at=now)
        ledger.add(record, [Entry(name, "what", 0, vector / np.linalg.norm(vector))])
        catch_up(ledger, index)
        if n % 4 == 3:
            ledger.set_status("local", f"{who}-{n - 2}", Status.ARCHIVED, author=who, reason="", at=now)
            catch_up(ledger, index)
    index.close()
    ledger.close()
"""


def test_processes_that_write_at_once_lose_nothing(
    filled: Ledger, open_index: Callable[..., ChromaServerIndex], url: str, home: Path
) -> None:
    writers = [
        subprocess.Popen(
            [sys.executable, "-c", textwrap.dedent(WRITER), f"sqlite:///{home}/ledger.db", url, who], cwd=ROOT
        )
        for who in ("ana", "bo", "cy")
    ]
    assert [writer.wait(120) for writer in writers] == [0, 0, 0]
    index = open_index()
    assert index.position() == filled.head()
    catch_up(filled, index)
    assert filled.entry_counts()["local", Kind.INVESTMENT] == 20 + 3 * 6
    assert finds_everything(filled, index)


def test_threads_share_one_index(filled: Ledger, open_index: Callable[..., ChromaServerIndex]) -> None:
    index = open_index()
    asked = np.ones((2, 384), np.float32)

    def recall(_: int) -> int:
        catch_up(filled, index)
        return len(index.query("local", Kind.BUG, asked, 5)[0])

    with ThreadPoolExecutor(8) as pool:
        assert set(pool.map(recall, range(24))) == {5}


STALLED = """
    import sys, time
    import numpy as np
    from memory.chroma_server_index import ChromaServerIndex
    from memory.errors import IndexUnavailable
    from memory.index import Entry
    from memory.records import Kind
    index = ChromaServerIndex(sys.argv[1])
    with index.catching_up():
        print("holding", flush=True)
        sys.stdin.readline()
        try:
            index.apply("local", Kind.BUG, [Entry("stale", "what", 0, np.ones(384, np.float32))], ["r1"])
            index.advance(1)
        except IndexUnavailable as error:
            print(error, flush=True)
"""


def test_a_writer_that_stopped_is_left_behind_and_its_late_writes_reach_nobody(
    filled: Ledger, open_index: Callable[..., ChromaServerIndex], url: str
) -> None:
    catch_up(filled, open_index())
    with subprocess.Popen(
        [sys.executable, "-c", textwrap.dedent(STALLED), url],
        cwd=ROOT, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True,
    ) as stalled:  # fmt: skip
        assert stalled.stdout is not None
        assert stalled.stdin is not None
        assert stalled.stdout.readline() == "holding\n"
        stalled.send_signal(signal.SIGSTOP)
        waiting = open_index(expiry_s=60, patience_s=0.3)
        with pytest.raises(IndexUnavailable, match="Another process has been writing"):
            catch_up(filled, waiting)
        index = open_index(expiry_s=0.5)
        catch_up(filled, index)
        assert finds_everything(filled, index)
        stalled.send_signal(signal.SIGCONT)
        stalled.stdin.write("\n")
        stalled.stdin.flush()
        assert "thrown away meanwhile" in stalled.stdout.readline()
        stalled.wait(20)
    assert index.position() == filled.head()
    assert finds_everything(filled, index)


def test_a_killed_server_makes_a_recall_unavailable_and_comes_back_whole(
    ledger: Ledger, embedder: MiniLmEmbedder, tmp_path: Path, now: datetime
) -> None:
    intake = Intake(ledger, embedder)
    for number, name in enumerate(("Albatros", "Biber", "Chamois")):
        facts = InvestmentFacts(name, "payments", f"peer to peer payments app, round {number}", outcome=Outcome.PASSED)
        intake.remember("local", Kind.INVESTMENT, facts, door=Door.FORM, source="form", author="ana", now=now)
    query = RecallQuery("local", (Kind.INVESTMENT,), "A peer to peer payments app that grows fast without revenue.")
    own = Server(tmp_path)
    index = ChromaServerIndex(own.url)
    recaller = Recaller(ledger, index, embedder)
    before = recaller.recall(query, now)
    assert before.state is RecallState.UNAVAILABLE
    assert f"The Chroma server at {own.url} does not answer" in before.message
    assert "chroma run" in before.message
    own.start()
    try:
        assert recaller.recall(query, now).state.looked
        assert index.position() == ledger.head()
        own.stop()
        assert recaller.recall(query, now).state is RecallState.UNAVAILABLE
        own.start()
        assert recaller.recall(query, now).state.looked
        assert dict(index.counts()) == ledger.entry_counts()
        own.stop()
        shutil.rmtree(tmp_path / "data")
        own.start()
        assert recaller.recall(query, now).state.looked, "an empty server is filled again"
        assert dict(index.counts()) == ledger.entry_counts()
    finally:
        index.close()
        own.stop()


class _Other(BaseHTTPRequestHandler):
    reply: tuple[int, str] = (200, "")

    def do_GET(self) -> None:
        self.send_response(self.reply[0])
        self.end_headers()
        self.wfile.write(self.reply[1].encode())

    def log_message(self, *_: object) -> None:
        pass


@pytest.mark.parametrize(
    ("status", "body", "told"),
    [
        (200, json.dumps("0.5.23"), "version 0.5.23"),
        (404, "Not Found", "status 404"),
        (200, "<html>Welcome</html>", "no Chroma server of version 1"),
        (502, "Bad Gateway", "status 502"),
    ],
)
def test_another_version_or_another_server_is_named(status: int, body: str, told: str) -> None:
    handler = type("Handler", (_Other,), {"reply": (status, body)})
    with HTTPServer(("127.0.0.1", 0), handler) as other:
        threading.Thread(target=other.serve_forever, daemon=True).start()
        index = ChromaServerIndex(f"http://127.0.0.1:{other.server_port}")
        with pytest.raises(IndexUnavailable, match="chroma run") as caught:
            index.position()
        assert told in str(caught.value)
        other.shutdown()


def test_a_server_that_never_answers_is_not_waited_for_without_end(
    monkeypatch: pytest.MonkeyPatch, server: Server
) -> None:
    monkeypatch.setattr("memory.chroma_server.PATIENCE", httpx.Timeout(0.3))
    with socket.create_server(("127.0.0.1", 0)) as silent:
        index = ChromaServerIndex(f"http://127.0.0.1:{silent.getsockname()[1]}")
        start = time.monotonic()
        with pytest.raises(IndexUnavailable, match="ReadTimeout"):
            index.position()
        assert time.monotonic() - start < 5
    connected = ChromaServerIndex(server.url)
    assert _session(connected._server.client()).timeout == httpx.Timeout(0.3), "also once it is connected"
    connected.close()


@pytest.mark.parametrize(
    "url", ["ftp://127.0.0.1", "http://", "http://127.0.0.1:99999", "http://h/a b", "http://u:p@h"]
)
def test_an_address_that_cannot_be_meant_is_refused_without_repeating_its_secrets(url: str) -> None:
    with pytest.raises(IndexUnavailable) as caught:
        ChromaServerIndex(url)
    assert "u:p" not in str(caught.value)
