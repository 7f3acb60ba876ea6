"""The commands of docs/ci.md do what the page says, in a real repository."""

from __future__ import annotations

import json
import os
import re
import subprocess
import sys
from pathlib import Path

from tests.audit.test_sarif import faults

ROOT = Path(__file__).parents[2]
TEXT = (ROOT / "docs" / "ci.md").read_text("utf-8")
FLAWED = (
    'def login(name):\n    query = "SELECT * FROM users WHERE name = \'" + name + "\'"\n'
    "    return cursor.execute(query)\n"
)
SOUND = 'def login(name):\n    return cursor.execute("SELECT * FROM users WHERE name = ?", (name,))\n'


def shell(command: str, folder: Path, home: Path) -> subprocess.CompletedProcess[str]:
    python = folder / "bin"
    python.mkdir(exist_ok=True)
    if not (python / "python").exists():
        (python / "python").symlink_to(sys.executable)
    env = {
        "PATH": f"{python}:{os.environ['PATH']}", "PYTHONPATH": f"{ROOT}:{':'.join(sys.path)}", "HOME": str(folder),
        "PRECEDENT_HOME": str(home), "PRECEDENT_MODELS": "",
    }  # fmt: skip
    return subprocess.run(
        ["sh", "-c", command], cwd=folder, env=env, capture_output=True, text=True, timeout=110, check=False
    )


def test_the_pull_request_step_and_the_hook_fail_on_repeats_alone(tmp_path: Path, home: Path) -> None:
    runs = re.findall(r"- run: (.+)", TEXT)
    bring, judge = runs
    (hook,) = re.findall(r"#!/bin/sh\n(.+)\n", TEXT)
    assert hook in TEXT.split("entry: sh -c '")[1]
    git = "git -c user.name=k -c user.email=k@x.test "
    setup = "git init -q -b main && git commit -q --allow-empty -m one && git update-ref refs/remotes/origin/main HEAD"
    assert shell(setup.replace("git commit", f"{git}commit"), tmp_path, home).returncode == 0
    bug = {"title": "Injected search", "cwe": "CWE-89", "language": "python", "outcome": "fixed", "year": 2020,
           "symptom": "the search form leaked users", "fix": "bind the value"}  # fmt: skip
    (tmp_path / "bugs.jsonl").write_text(json.dumps(bug) + "\n")
    brought = shell(bring, tmp_path, home)
    assert brought.returncode == 0, brought.stderr
    assert "1 record stored" in brought.stdout

    (tmp_path / "login.py").write_text(FLAWED)
    shell("git add login.py", tmp_path, home)
    refused = shell(hook, tmp_path, home)
    assert refused.returncode == 3, refused.stderr
    assert "login.py:2: a past bug recurs" in refused.stdout

    shell(f"{git}commit -q -m two", tmp_path, home)
    step = shell(judge.replace("${{ github.base_ref }}", "main"), tmp_path, home)
    assert step.returncode == 3, step.stderr
    sarif = json.loads((tmp_path / "precedent.sarif").read_text())
    assert faults(sarif) == []
    assert "past-bug" in {result["ruleId"] for result in sarif["runs"][0]["results"]}

    (tmp_path / "login.py").write_text(SOUND)
    shell(f"git add login.py && {git}commit -q -m three", tmp_path, home)
    step = shell(judge.replace("${{ github.base_ref }}", "main"), tmp_path, home)
    assert step.returncode == 0, step.stdout + step.stderr
