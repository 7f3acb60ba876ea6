"""``python -m memory import`` as a script would use it."""

from __future__ import annotations

import io
import json
import os
import re
import signal
import subprocess
import sys
from collections.abc import Callable
from dataclasses import replace
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import pytest

from memory.__main__ import main
from memory.records import InvestmentFacts
from wiring import Services

ROOT = Path(__file__).parents[3]
DEALS = "Vehicle,When,Cheque,Status\nAlbatros,03/04/2019,25k,zombie\nBiber,25/12/2020,$6k,live\nTOTAL,,31k,\n"


Run = Callable[..., tuple[int, str, str]]


@pytest.fixture
def run(services: Services, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> Run:
    """Run the command in this process on the open services' data folder; give code, output and errors."""
    monkeypatch.setenv("PRECEDENT_HOME", str(services.settings.home))
    monkeypatch.setenv("PRECEDENT_MODELS", "")

    def run(*arguments: str) -> tuple[int, str, str]:
        code = main(["import", *arguments])
        captured = capsys.readouterr()
        return code, captured.out, captured.err

    return run


def told(run: Run, *arguments: str) -> dict[str, Any]:
    code, out, error = run(*arguments, "--json")
    assert code == 0, error
    return dict(json.loads(out))


def test_plan_correct_store_list_and_undo(run: Run, tmp_path: Path) -> None:
    file = tmp_path / "deals.csv"
    file.write_text(DEALS)
    plan = told(run, str(file), "--kind", "investment", "--dry-run")
    assert plan["stored"] == 0
    assert [row["line"] for row in plan["accepted"]] == [2, 3]
    assert [(it["line"], it["choosable"]) for it in plan["set_aside"]] == [(4, False)]
    assert [it["key"] for it in plan["questions"]] == ["currency", "status:zombie"]
    assert plan["accepted"][0]["dates"] == {"When": "2019-04-03"}, "25/12 proves the order"
    answers = ["--answer", "currency=EUR", "--answer", "status:zombie=shut_down"]
    done = told(run, str(file), "--kind", "investment", *answers)
    assert done["stored"] == 2
    assert done["accepted"][0]["facts"]["invested"] == {"amount": "25000", "currency": "EUR"}
    again = told(run, str(file), "--kind", "investment")
    assert (again["stored"], again["already"]) == (0, 2), "the answers were remembered, so the rows are the same"
    (past,) = told(run, "--list")["imports"]
    assert past["id"] == done["import"]
    assert len(told(run, "--undo", done["import"])["removed"]) == 2


def test_an_undo_that_would_take_corrections_away_asks_first(
    run: Run, services: Services, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    file = tmp_path / "deals.csv"
    file.write_text(DEALS)
    done = told(run, str(file), "--kind", "investment")["import"]
    (biber,) = services.ledger.find(services.workspace, search="Biber").records
    assert isinstance(biber.facts, InvestmentFacts)
    better = replace(biber.facts, lesson="Ask for the ledger first.")
    now = datetime.now(UTC)
    services.intake.revise(services.workspace, biber.id, better, author="kim", reason="told", now=now)

    code, out, error = run("--undo", done)
    assert (code, out) == (1, "")
    assert "corrected since: Biber. Nothing was removed; say --yes" in error
    code, out, _ = run("--undo", done, "--json")
    assert (code, json.loads(out)) == (1, {"failed": True, "removed": [], "protected": [], "edited": ["Biber"]})

    class Terminal(io.StringIO):
        def isatty(self) -> bool:
            return True

    monkeypatch.setattr("sys.stdin", Terminal("n\n"))
    code, _, error = run("--undo", done)
    assert code == 1
    assert "corrected since: Biber. Remove them with their corrections? [y/N]" in error
    assert "Nothing was removed." in error
    assert services.ledger.find(services.workspace, search="Biber").total == 1
    monkeypatch.setattr("sys.stdin", Terminal("y\n"))
    code, out, _ = run("--undo", done)
    assert (code, out) == (0, "2 records removed, 0 protected and left. Corrections went with 1 of them.\n")

    again = told(run, str(file), "--kind", "investment")["import"]
    (biber,) = services.ledger.find(services.workspace, search="Biber").records
    services.intake.revise(services.workspace, biber.id, better, author="kim", reason="told", now=now)
    undone = told(run, "--undo", again, "--yes")
    assert (len(undone["removed"]), undone["edited"]) == (2, ["Biber"])


@pytest.mark.parametrize(
    ("arguments", "says"),
    [
        (["missing.csv"], "cannot be read"),
        ([], "Name a file"),
        (["--undo", "nope"], "No import nope"),
        (["--undo", "nope", "--dry-run"], "--undo cannot be tried"),
        (["{file}", "--map", "nope=When"], "'nope' is no field"),
        (["{file}", "--map", "company"], "NAME=VALUE"),
        (["{file}", "--only", "two"], "not a list of line numbers"),
    ],
)
def test_what_cannot_be_done_says_why(run: Run, tmp_path: Path, arguments: list[str], says: str) -> None:
    file = tmp_path / "deals.csv"
    file.write_text(DEALS)
    code, _, error = run(*[it.replace("{file}", str(file)) for it in arguments])
    assert code == 1
    assert says in error


def test_every_option_is_documented() -> None:
    page = (ROOT / "docs" / "import.md").read_text("utf-8")
    done = subprocess.run(
        [sys.executable, "-m", "memory", "import", "--help"], capture_output=True, text=True, cwd=ROOT, check=True
    )
    for option in set(re.findall(r"--[a-z-]+", done.stdout)) - {"--help"}:
        assert option in page, option


def test_control_c_stops_a_long_import_and_nothing_is_stored(home: Path, tmp_path: Path) -> None:
    file = tmp_path / "long.csv"
    rows = (f"Harbour {number},Sold fish number {number} to towns,2019" for number in range(1_500))
    file.write_text("\n".join(["Company,Summary,Year", *rows]))
    environment = {"PATH": os.environ["PATH"], "PRECEDENT_HOME": str(home), "PYTHONPATH": str(ROOT)}
    command = [sys.executable, "-m", "memory", "import", str(file), "--kind", "investment"]
    with subprocess.Popen(
        command, env=environment, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True
    ) as running:
        assert running.stderr is not None
        assert "of 1,500 rows" in running.stderr.readline()
        running.send_signal(signal.SIGINT)
        out, err = running.communicate(timeout=60)
    assert running.returncode == 1
    assert err.splitlines()[-1] == "The import was stopped. Nothing was stored."
    assert out == ""


def test_what_waits_for_a_person_after_an_import_is_counted(run: Run, tmp_path: Path) -> None:
    file = tmp_path / "twice.csv"
    file.write_text("Company,Year,Cheque,Status\nQuill Ferry Ltd,2018,$25k,acquired\nQuill Ferry,2018,$40k,dead\n")
    done = told(run, str(file), "--kind", "investment")
    assert (done["stored"], done["waiting"]) == (2, 1)
    told(run, "--undo", done["import"])
