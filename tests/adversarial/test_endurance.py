"""An hour of use of one memory by four processes with a ``kill -9`` every minute: nothing is lost, nothing grows.

``SOAK_MINUTES`` says how long, 60 where it is not set; one of less than three is struck three times.
"""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
import threading
import time
from collections import Counter
from collections.abc import Callable, Iterator
from contextlib import closing, contextmanager
from dataclasses import dataclass, field
from itertools import count, cycle
from pathlib import Path
from statistics import median
from typing import Any

import anyio
import httpx
import httpx2
import psutil
import pytest
from mcp import Client, MCPError
from mcp.client.streamable_http import streamable_http_client

from memory.ledger import Ledger
from memory.records import Status
from memory.verify import verify
from settings import Settings
from tests.adversarial.enduring import CODE, as_it_should, deck, told, where_found
from tests.ports import free_port
from wiring import build_services

ROOT = Path(__file__).parents[2]
MINUTES = float(os.environ.get("SOAK_MINUTES", "60"))
TOKEN = "correct-horse-battery-staple"
EVERY_S = min(60.0, MINUTES * 20)
SAMPLE_S = 2
PAUSE_S = 0.5

# How much a process may grow from the second fifth of its time to the last.
MOST_GROWTH_MB = 64
MOST_MORE_FILES = 8


@dataclass
class Witness:
    """What one user was told: where each record stands, under which word, and what may or may not have been done."""

    standing: dict[str, str] = field(default_factory=dict)
    words: dict[str, str] = field(default_factory=dict)
    unsure: tuple[str, str] = ("", "")
    chores: Counter[str] = field(default_factory=Counter)
    problems: list[str] = field(default_factory=list)
    kills: int = 0

    def will(self, key: str, word: str) -> None:
        """Note that something is about to happen to the record ``key``, or to one of that word that is yet to be."""
        self.unsure = key, word

    def did(self, status: str, record_id: str, word: str) -> None:
        self.standing[record_id], self.words[record_id], self.unsure = status, word, ("", "")

    def check(self, home: Path) -> None:
        """Compare the ledger with what this user was told, and take in what the kill has left open."""
        with closing(Ledger.open(f"sqlite:///{home}/ledger.db")) as ledger:
            found = ledger.get("local", list(self.standing))
            for record_id, status in self.standing.items():
                seen = found[record_id].status.value if record_id in found else "missing"
                if seen != status and record_id != self.unsure[0]:
                    self.problems.append(f"{record_id} was {status} and is {seen}")
                self.standing[record_id] = seen
            key, word = self.unsure
            if word and key not in self.standing:
                half = ledger.find("local", search=word.lower(), statuses=tuple(Status)).records
                if len(half) > 1:
                    self.problems.append(f"{len(half)} records of {word}")
                for record in half:
                    self.did(record.status.value, record.id, word)
            self.unsure = ("", "")


class User:
    """One of the four: it lives, is killed, is compared with what it was told, and lives again."""

    def __init__(self, name: str, home: Path) -> None:
        self.name, self.home = name, home
        self.witness = Witness()
        self.lives = count(1)
        self.process: subprocess.Popen[str] | None = None
        self.stopped = threading.Event()
        self.measured: dict[int, list[tuple[float, int]]] = {}
        self.thread = threading.Thread(target=self._run, name=name)

    def live(self, life: int) -> None:
        """Use the memory until the process is killed."""
        raise NotImplementedError

    def _run(self) -> None:
        while not self.stopped.is_set():
            self.live(next(self.lives))
            self.witness.check(self.home)

    def start(self, *command: str, **options: Any) -> subprocess.Popen[str]:
        environment = os.environ | {
            "PRECEDENT_HOME": str(self.home), "PRECEDENT_MODELS": "", "PRECEDENT_MCP_TOKEN": TOKEN,
            "GROQ_API_KEY": "", "OPENAI_API_KEY": "",
        }  # fmt: skip
        self.process = subprocess.Popen(
            [sys.executable, "-W", "ignore", "-m", *command], cwd=ROOT, env=environment, text=True,
            stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, **options,
        )  # fmt: skip
        return self.process

    def kill(self) -> None:
        if self.process is not None and self.process.poll() is None:
            self.process.send_signal(signal.SIGKILL)
            self.witness.kills += 1

    def measure(self) -> None:
        """Note how much memory (MB) the process takes and how many files it holds open."""
        process = self.process
        if process is None or process.poll() is not None:
            return
        try:
            seen = psutil.Process(process.pid)
            sample = seen.memory_info().rss / 2**20, seen.num_fds()
        except psutil.Error:
            return
        if sample[0]:  # a process that was just killed holds nothing
            self.measured.setdefault(process.pid, []).append(sample)


class AppUser(User):
    """A person who uses the pages of an app of their own."""

    def live(self, life: int) -> None:
        with self.start("tests.adversarial.enduring", self.name, str(life)) as process:
            for line in process.stdout or ():
                self.hear(line.split())
        if process.returncode != -signal.SIGKILL:
            self.witness.problems.append(f"{self.name} ended by itself: {process.returncode}")

    def hear(self, said: list[str]) -> None:
        match said:
            case ["will", _, key, word]:
                self.witness.will(key, word)
            case ["did", status, record_id, word]:
                self.witness.did(status, record_id, word)
            case ["counted", chore]:
                self.witness.chores[chore] += 1
            case ["problem", *what]:
                self.witness.problems.append(" ".join(what))


class CommandUser(User):
    """A person, or a script, with the command line: one short process after the other."""

    def live(self, life: int) -> None:
        for number in count():
            word = f"Cli{life}x{number}"
            facts = json.dumps({"company": word, "summary": told(word), "year": 2021})
            self.witness.will(word, word)
            done = self.call("memory", "add", "investment", "-", "--json", given=facts)
            if done is None:
                return
            added = done["added"][0]
            self.witness.did(added["status"], added["id"], word)
            for command in (("memory", "recall"), ("audit",)):
                said = self.call(*command, "investment", "-", "--json", given=deck(word))
                if said is None:
                    return
                self.witness.chores[command[-1]] += 1

    def call(self, *command: str, given: str) -> Any:
        """Run one command; None where it was killed."""
        with self.start(*command, stdin=subprocess.PIPE) as process:
            said, _ = process.communicate(given, timeout=300)
        if process.returncode == -signal.SIGKILL:
            return None
        if process.returncode:
            self.witness.problems.append(f"{' '.join(command)} ended with {process.returncode}: {said[-300:]}")
            return None
        time.sleep(PAUSE_S)
        return json.loads(said)


class Agent(User):
    """A program that uses the tools over HTTP."""

    def live(self, life: int) -> None:
        port = free_port()
        with self.start("mcp_server", "--http", "--port", str(port)) as process:
            self.use(process, f"http://127.0.0.1:{port}/mcp", life)

    def use(self, process: subprocess.Popen[str], url: str, life: int) -> None:
        while process.poll() is None:
            try:
                httpx.get(url, timeout=5)
                break
            except httpx.TransportError:
                time.sleep(0.2)
        try:
            anyio.run(self.session, url, life)
        except (ExceptionGroup, MCPError, httpx2.HTTPError, OSError) as error:
            try:
                process.wait(5)  # a kill that the system has not finished yet
            except subprocess.TimeoutExpired:
                self.witness.problems.append(f"the agents' server failed: {error!r}")
        finally:
            process.kill()

    async def session(self, url: str, life: int) -> None:
        headers = {"Authorization": f"Bearer {TOKEN}"}
        async with (
            httpx2.AsyncClient(headers=headers, timeout=120) as web,
            Client(streamable_http_client(url, http_client=web)) as client,
        ):
            for number in count():
                word = f"Mcp{life}x{number}"
                record = {"kind": "observation", "title": word, "text": f"{word} closes early in winter"}
                self.witness.will(word, word)
                written = await self.call(client, "memory_write", record=record, source="a call")
                record_id = written["record"]["id"]
                self.witness.did(written["record"]["status"], record_id, word)
                await self.call(client, "memory_search", query=deck(word), kind="investment")
                await self.call(client, "triage_code", code=CODE.format(word=word.lower()))
                if number % 2:
                    self.witness.will(record_id, word)
                    left = await self.call(client, "memory_forget", record_id=record_id, reason="no longer so")
                    self.witness.did(left["status"], record_id, word)

    async def call(self, client: Client, tool: str, **arguments: Any) -> Any:
        with anyio.fail_after(120):
            result = await client.call_tool(tool, arguments)
        if result.is_error:
            self.witness.problems.append(f"{tool}: {getattr(result.content[0], 'text', '')}")
        self.witness.chores[tool] += 1
        await anyio.sleep(PAUSE_S)
        return result.structured_content


@contextmanager
def living(users: list[User]) -> Iterator[None]:
    for user in users:
        user.thread.start()
    try:
        yield
    finally:
        for user in users:
            user.stopped.set()
            user.kill()
        for user in users:
            user.thread.join(300)


def every(seconds: float, until: float, work: Callable[[], None]) -> None:
    while time.monotonic() < until:
        time.sleep(min(seconds, max(0.0, until - time.monotonic())))
        work()


def growth(samples: list[tuple[float, int]]) -> tuple[float, int]:
    """Give by how many MB, and by how many files, the last fifth is over the second; medians."""
    fifth = len(samples) // 5
    early, late = samples[fifth : 2 * fifth], samples[-fifth:]
    return (
        median(mb for mb, _ in late) - median(mb for mb, _ in early),
        round(median(files for _, files in late) - median(files for _, files in early)),
    )


@pytest.mark.soak
@pytest.mark.timeout(MINUTES * 60 + 900)
def test_four_processes_with_a_kill_every_minute_lose_nothing_and_do_not_grow(home: Path) -> None:
    settings = Settings(_env_file=None, home=home, models="")
    build_services(settings).close()
    spared = AppUser("ana", home)
    users = [spared, AppUser("bob", home), Agent("agent", home), CommandUser("script", home)]
    until = time.monotonic() + MINUTES * 60
    victims = cycle(users[1:])
    sampling = threading.Thread(target=every, args=(SAMPLE_S, until, lambda: [it.measure() for it in users]))
    with living(users):
        sampling.start()
        every(EVERY_S, until, lambda: next(victims).kill())
        sampling.join()
    assert [it for user in users for it in user.witness.problems] == []
    for user in users:
        user.witness.check(home)
        print(
            f"\n{user.name}: {len(user.witness.standing)} records, {user.witness.kills} kills, "
            f"{dict(user.witness.chores)}"
        )
    assert [it for user in users for it in user.witness.problems] == []

    done = subprocess.run(
        [sys.executable, "-m", "memory", "verify", "--json"],
        cwd=ROOT, env=os.environ | {"PRECEDENT_HOME": str(home)}, capture_output=True, text=True, check=True,
    )  # fmt: skip
    found = json.loads(done.stdout)
    print(f"verify: {found['changes']} changes, {found['records']} records")
    with closing(build_services(settings)) as services:
        assert verify(services.ledger).clean
        asked = [
            (it, Status(stands), user.witness.words[it])
            for user in users
            if not isinstance(user, Agent)
            for it, stands in user.witness.standing.items()
        ]
        gone = [it for it in asked if it[1] is Status.FORGOTTEN]
        there = [it for it in asked if it[1] is Status.ACTIVE]
        assert gone
        wrong = [
            (it, seen)
            for it in (*gone, *there[-50:])
            if not as_it_should(it[1], seen := where_found(services, it[0], it[2]))
        ]
        assert wrong == []
        assert dict(services.index.counts()) == services.ledger.entry_counts()
    (samples,) = spared.measured.values()
    mb, files = growth(samples)
    print(
        f"{spared.name} alone lived through: {samples[0]} to {samples[-1]} (MB, files), grew {mb:.0f} MB, {files} files"
    )
    for user in users[1:3]:
        longest = max(user.measured.values(), key=len)
        print(f"{user.name}'s longest life, {len(longest) * SAMPLE_S} s: {longest[0]} to {longest[-1]} (MB, files)")
    assert mb <= MOST_GROWTH_MB
    assert files <= MOST_MORE_FILES
