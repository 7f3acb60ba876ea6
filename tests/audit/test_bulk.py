"""``python -m audit MODE FOLDER``: every file once, each with its line, and none stops the others."""

from __future__ import annotations

import json
import os
import signal
import statistics
import subprocess
import sys
import time
from pathlib import Path

import pytest

from audit.bulk import files_in
from audit.examples import examples
from evals.synthetic import deck

ROOT = Path(__file__).parents[2]


def command(home: Path, *arguments: str) -> subprocess.Popen[str]:
    environment = {"PATH": os.environ["PATH"], "PRECEDENT_HOME": str(home), "PYTHONPATH": str(ROOT)}
    return subprocess.Popen(
        [sys.executable, "-m", "audit", *arguments],
        stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, env=environment,
    )  # fmt: skip


def run(home: Path, *arguments: str) -> tuple[int, list[dict[str, object]], str]:
    process = command(home, *arguments, "--json")
    out, err = process.communicate(timeout=110)
    return process.returncode, [json.loads(line) for line in out.splitlines()], err


@pytest.fixture
def decks(tmp_path: Path) -> Path:
    folder = tmp_path / "decks"
    (folder / "round").mkdir(parents=True)
    for number, it in enumerate(examples("investment")[:2]):
        (folder / "round" / f"deck {number}.txt").write_text(it.text)
    (folder / "bad.pdf").write_bytes(b"%PDF-1.4 and no more")
    (folder / ".hidden.txt").write_text("hidden")
    return folder


def test_each_file_of_a_folder_has_its_line_and_a_second_run_audits_none_again(home: Path, decks: Path) -> None:
    code, lines, said = run(home, "investment", str(decks), "--jobs", "2")
    states = {it["file"]: it["state"] for it in lines}
    assert states == {"bad.pdf": "failed", "round/deck 0.txt": "audited", "round/deck 1.txt": "audited"}
    assert code == 1
    assert "3 files in" in said
    assert "2 audited; 1 failed" in said
    told = {it["file"]: it for it in lines}
    assert "damaged" in str(told["bad.pdf"]["reason"])
    audit = told["round/deck 0.txt"]["audit"]
    assert isinstance(audit, dict)
    assert audit["saved_as"].startswith("aud-")
    (decks / "bad.pdf").unlink()
    code, lines, said = run(home, "investment", str(decks))
    assert (code, {it["state"] for it in lines}) == (0, {"skipped"})
    assert "0 audited; 2 skipped, audited before" in said


def test_a_folder_of_code_with_a_past_bug_in_it_ends_with_the_code_for_a_repeat(home: Path, tmp_path: Path) -> None:
    (tmp_path / "code").mkdir()
    (tmp_path / "code" / "login.py").write_text(examples("bug")[0].text)
    code, lines, said = run(home, "bug", str(tmp_path / "code"), "--fail-on-repeat", "--no-save")
    assert (code, [it["state"] for it in lines]) == (3, ["audited"])
    assert f"1 file in {tmp_path / 'code'}: 1 audited." in said


@pytest.mark.parametrize(
    ("arguments", "says"),
    [
        (("--diff",), "single file"),
        (("--jobs", "0"), "from 1 to"),
        (("--jobs", "99"), "from 1 to"),
    ],
)
def test_options_that_make_no_sense_for_a_folder_are_refused(
    home: Path, tmp_path: Path, arguments: tuple[str, ...], says: str
) -> None:
    process = command(home, "bug", str(tmp_path), *arguments)
    _, err = process.communicate(timeout=60)
    assert process.returncode == 2
    assert says in err


def test_links_and_what_is_hidden_are_left_out(tmp_path: Path) -> None:
    tmp_path = tmp_path / "folder"
    tmp_path.mkdir()
    (tmp_path / "b.txt").write_text("b")
    (tmp_path / "a").mkdir()
    (tmp_path / "a" / "c.txt").write_text("c")
    (tmp_path / ".git").mkdir()
    (tmp_path / ".git" / "config").write_text("d")
    (tmp_path / "link.txt").symlink_to(tmp_path / "b.txt")
    assert [path.relative_to(tmp_path).as_posix() for path in files_in(tmp_path)] == ["a/c.txt", "b.txt"]


def many(folder: Path, count: int, words: int) -> Path:
    folder.mkdir()
    for number in range(count):
        (folder / f"{number}.txt").write_text(deck(words, number))
    return folder


@pytest.mark.soak
def test_what_an_interruption_leaves_is_kept_and_the_next_run_does_the_rest(home: Path, tmp_path: Path) -> None:
    folder = many(tmp_path / "decks", 40, 500)
    process = command(home, "investment", str(folder), "--jobs", "2", "--json")
    assert process.stdout is not None
    first = [process.stdout.readline() for _ in range(3)]
    process.send_signal(signal.SIGINT)
    out, err = process.communicate(timeout=110)
    told = [*first, *out.splitlines()]
    assert process.returncode == 1
    assert "run the same command again" in err
    assert 3 <= len(told) < 40
    code, lines, _ = run(home, "investment", str(folder), "--jobs", "2")
    skipped = sum(it["state"] == "skipped" for it in lines)
    assert (code, len(lines)) == (0, 40)
    assert skipped >= len(told)


@pytest.mark.soak
def test_a_folder_by_two_jobs_is_faster_than_by_one_and_than_a_command_for_each_deck(
    home: Path, tmp_path: Path
) -> None:
    folder = many(tmp_path / "decks", 60, 1_000)
    taken: dict[int, float] = {}
    for jobs in (1, 2):
        start = time.perf_counter()
        code, lines, _ = run(home, "investment", str(folder), "--jobs", str(jobs), "--no-save")
        taken[jobs] = time.perf_counter() - start
        assert (code, len(lines)) == (0, 60)
    each: list[float] = []
    for path in sorted(folder.iterdir())[:8]:
        start = time.perf_counter()
        alone = command(home, "investment", str(path), "--no-save")
        alone.communicate(timeout=110)
        assert alone.returncode == 0
        each.append(time.perf_counter() - start)
    singly = 60 * statistics.median(each)
    print(
        f"60 decks of 1,000 words: {taken[1]:.1f} s by one job, {taken[2]:.1f} s by two, "
        f"{taken[1] / taken[2]:.2f} times; a command each, one at a time: {singly:.0f} s, {singly / taken[2]:.1f} times"
    )
    assert taken[2] < taken[1]
    assert singly >= 1.7 * taken[2]
