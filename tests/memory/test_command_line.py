"""The command line of the memory: JSON on standard output, logs on standard error, exit codes."""

from __future__ import annotations

import argparse
import io
import json
import os
import re
import subprocess
import sys
from contextlib import redirect_stderr, redirect_stdout
from pathlib import Path
from typing import Any

import pytest

from memory.__main__ import _parser, main

ROOT = Path(__file__).parents[2]
DECK = "A peer-to-peer payments app for friends. Users double every two months, no revenue yet, one founder."


@pytest.fixture(scope="module")
def data(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return tmp_path_factory.mktemp("data") / "home"


def run(home: Path, *arguments: str, text: str | bytes = b"") -> tuple[int, str, str]:
    given = text.encode() if isinstance(text, str) else text
    out, err = io.StringIO(), io.StringIO()
    with pytest.MonkeyPatch.context() as patch, redirect_stdout(out), redirect_stderr(err):
        patch.setenv("PRECEDENT_HOME", str(home))
        patch.setattr(sys, "stdin", io.TextIOWrapper(io.BytesIO(given)))
        try:
            code = main(arguments)
        except SystemExit as stop:
            code = int(stop.code or 0)
    return code, out.getvalue(), err.getvalue()


def commands() -> dict[str, argparse.ArgumentParser]:
    (choices,) = (it.choices for it in _parser()._actions if isinstance(it, argparse._SubParsersAction))
    return dict(choices)


@pytest.mark.parametrize("name", commands())
def test_every_command_has_json_an_example_and_its_line_in_the_docs(name: str) -> None:
    told = commands()[name].format_help()
    assert "--json" in told
    assert re.search(rf"examples?:[\s\S]*python -m memory {name}\b", told)
    assert f"| `python -m memory {name}` |" in (ROOT / "docs" / "commands.md").read_text("utf-8")


def test_a_restore_into_a_used_home_asks_and_the_index_can_be_made_anew(tmp_path: Path) -> None:
    home = tmp_path / "home"
    assert answer(home, "list")["total"] == 14
    kept = answer(home, "backup", str(tmp_path / "kept"))
    code, _, said = run(home, "restore", kept["file"])
    assert (code, "--yes" in said) == (1, True)
    assert answer(home, "restore", kept["file"], "--yes")["records"] == kept["records"]
    made = answer(home, "reindex")
    assert (made["records"], made["embedded_anew"]) == (kept["records"], False)
    assert answer(home, "recall", "investment", "-", text=DECK)["candidates"]


def test_it_runs_as_a_program(data: Path) -> None:
    done = subprocess.run(
        [sys.executable, "-m", "memory", "list", "--json"],
        capture_output=True, cwd=ROOT, env=os.environ | {"PRECEDENT_HOME": str(data)}, check=True, timeout=60,
    )  # fmt: skip
    assert json.loads(done.stdout)["total"] >= 14


def test_a_reader_that_ends_first_ends_a_command_without_a_word() -> None:
    command = (
        "import sys; from memory.standard_output import to_a_reader; sys.exit(to_a_reader(lambda: print('x' * 10**6)))"
    )
    with subprocess.Popen(
        [sys.executable, "-c", command], cwd=ROOT, stdout=subprocess.PIPE, stderr=subprocess.PIPE
    ) as running:
        assert running.stdout and running.stderr
        running.stdout.close()
        assert running.stderr.read() == b""
    assert running.returncode == 141


def test_a_terminal_without_the_letters_gets_them_escaped(data: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PRECEDENT_HOME", str(data))
    told = {}
    for form in ("--json", ""):
        ascii_only = io.TextIOWrapper(io.BytesIO(), encoding="ascii")
        with redirect_stdout(ascii_only):
            assert main(["list", "--kind", "investment", *filter(None, [form])]) == 0
        ascii_only.flush()
        told[form] = ascii_only.buffer.getvalue().decode("ascii")  # type: ignore[attr-defined]
    assert "\\u20b950,000" in told[""]
    assert "₹50,000" in {it["loss"] for it in json.loads(told["--json"])["records"]}


def answer(home: Path, *arguments: str, text: str | bytes = b"") -> Any:
    code, out, err = run(home, *arguments, "--json", text=text)
    assert code == 0, err
    return json.loads(out)


def test_a_new_memory_lists_the_seeds(data: Path) -> None:
    listed = answer(data, "list")
    assert (listed["total"], len(listed["records"])) == (14, 14)
    assert answer(data, "list", "--kind", "bug", "--search", "sql injection")["records"][0]["facts"]["cwe"] == "CWE-89"
    assert answer(data, "list", "--year", "2022", "--kind", "investment")["total"] == 1
    code, out, _ = run(data, "list", "--limit", "2")
    assert (code, len(out.splitlines())) == (0, 3)


def test_what_is_added_is_recalled_with_its_facts(data: Path) -> None:
    facts = {
        "company": "Coral Kites", "sector": "Sports goods", "year": 2020, "outcome": "written off",
        "invested": "₹2 lakh", "summary": "Rents kites and surf boards to tourists on the beach by the hour",
        "cause": "No wind in summer, no income in winter", "lesson": "A season is not a business",
    }  # fmt: skip
    added = answer(data, "add", "investment", "-", text=json.dumps(facts))["added"]
    assert (added[0]["loss"], added[0]["provenance"]["door"]) == ("₹200,000", "import")
    deck = "We rent kites and surf boards to beach tourists by the hour, in three bays."
    found = answer(data, "recall", "investment", "-", text=deck)
    assert found["candidates"][0]["record"]["id"] == added[0]["id"]


def test_recall_brings_the_payments_start_up_and_nothing_for_what_has_no_likeness(data: Path, tmp_path: Path) -> None:
    (tmp_path / "deck.txt").write_text(DECK)
    found = answer(data, "recall", "investment", str(tmp_path / "deck.txt"))
    best = found["candidates"][0]
    assert (found["state"], best["decision"], best["record"]["year"]) == ("found", "kept", 2022)
    assert best["record"]["loss"] == "₹50,000"


def test_what_waits_for_a_person_is_added_with_the_reason_and_the_place_to_settle_it(tmp_path: Path) -> None:
    told = '{"company": "Tide Loom", "summary": "Rents fishing boats to tailors.", "year": 2021, "outcome": "%s"}'
    assert run(tmp_path / "home", "add", "investment", "-", text=told % "shut_down")[1].startswith("added ")
    code, said, _ = run(tmp_path / "home", "add", "investment", "-", text=told % "acquired")
    assert (code, said[:12]) == (0, "added, held:")
    assert "in Tide Loom. It is no precedent before you settle it on the Memory page" in said
    again = json.loads(run(tmp_path / "home", "add", "investment", "-", "--json", text=told % "exited")[1])
    assert again["added"][0]["status"] == "held"


def test_lines_of_json_are_added_all_or_none(data: Path) -> None:
    before = answer(data, "list")["total"]
    good, bad = '{"title": "Leap day crash", "cwe": "CWE-193"}', '{"title": "Bad", "year": 1200}'
    code, out, err = run(data, "add", "bug", "-", text=f"{good}\n{bad}")
    assert (code, out) == (1, "")
    assert "year" in err
    assert answer(data, "list")["total"] == before
    assert len(answer(data, "add", "bug", "-", text=f"{good}\n{good.replace('Leap', 'New')}\n")["added"]) == 2


BAD = [
    b"", b"   ", b"[]", b"[1]", b"nonsense", b"\xff\xfe\x00", b'{"company": 5}', b'{"nothing": "x"}', b"{}",
    b"[" * 100_000, b'{"company": "x", "invested": {"amount": "x", "currency": "USD"}}',
    b'{"company": "x", "year": "' + b"9" * 5_000 + b'"}', b"x\n" + b"[" * 100_000,
    b'{"company": ' + b"9" * 5_000 + b"}",
    b'{"company": "x", "invested": {"amount": "1e-9999999", "currency": "USD"}}',
    b'{"company": "x", "invested": 50000}', b'{"company": "x", "outcome": "eaten"}', b'{"company": NaN}',
]  # fmt: skip


@pytest.mark.parametrize("text", BAD, ids=range(len(BAD)))
def test_bad_input_is_one_line_and_exit_code_1(data: Path, text: bytes) -> None:
    code, out, err = run(data, "add", "investment", "-", text=text)
    assert (code, out) == (1, "")
    assert "Traceback" not in err
    assert len(err.strip().splitlines()) == 1


@pytest.mark.parametrize("arguments", [("--year", "9" * 25), ("--search", "caf\udce9")])
def test_what_no_database_takes_is_refused_in_a_sentence(data: Path, arguments: tuple[str, str]) -> None:
    code, out, err = run(data, "list", *arguments)
    assert (code, out) == (1, "")
    assert err == "A number or a text is beyond what the memory can hold; nothing was changed.\n"


BAD_USAGE = [
    (), ("fly",), ("list", "--kind", "x"), ("add", "investment"), ("add", "note", "-"), ("recall", "bug", "/no/such"),
]  # fmt: skip


@pytest.mark.parametrize("arguments", BAD_USAGE, ids=range(len(BAD_USAGE)))
def test_bad_usage_is_exit_code_2(data: Path, arguments: tuple[str, ...]) -> None:
    code, out, err = run(data, *arguments)
    assert (code, out) == (2, "")
    assert "Traceback" not in err


def test_a_home_that_cannot_be_used_is_exit_code_1(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("in the way")
    code, _, err = run(tmp_path / "file", "list")
    assert code == 1
    assert "Traceback" not in err
