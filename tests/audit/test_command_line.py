"""``python -m audit`` as a script would use it."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest

from audit.examples import examples

ROOT = Path(__file__).parents[2]


def run(home: Path, *arguments: str, given: bytes = b"") -> subprocess.CompletedProcess[bytes]:
    environment = {"PATH": os.environ["PATH"], "PRECEDENT_HOME": str(home), "PYTHONPATH": str(ROOT)}
    return subprocess.run(
        [sys.executable, "-m", "audit", *arguments], input=given, capture_output=True, env=environment, timeout=60
    )


def test_an_audit_from_standard_input_is_json_on_standard_output(home: Path) -> None:
    done = run(home, "bug", "-", "--json", given=examples("bug")[0].text.encode())
    assert done.returncode == 0, done.stderr
    told = json.loads(done.stdout)
    wanted = {
        *("mode", "verdict", "score", "score_breakdown", "findings", "similar_bug_found", "historical_loss"),
        *("similar_past_cases", "refused", "recall", "model", "attempts", "saved_as"),
    }
    assert wanted <= told.keys()
    assert told["similar_bug_found"] is True
    assert told["similar_past_cases"][0]["record_id"]
    assert {"state", "kept", "near", "dropped"} <= told["recall"].keys()
    assert told["saved_as"].startswith("aud-")


def test_a_file_audited_without_saving_prints_markdown_and_keeps_nothing(home: Path, tmp_path: Path) -> None:
    deck = tmp_path / "deck.txt"
    deck.write_text(examples("investment")[1].text)
    done = run(home, "investment", str(deck), "--no-save")
    assert done.returncode == 0, done.stderr
    assert "Historical loss: None found" in done.stdout.decode()


@pytest.mark.parametrize(
    ("arguments", "given", "code", "says"),
    [
        (("investment", "no-such-file"), b"", 2, "No such file"),
        (("deck", "-"), b"", 2, "invalid choice"),
        (("bug", "-"), b"\x00\xff\xfe\x80" * 50, 1, "binary"),
        (("bug", "-"), b"   ", 1, "nothing to audit"),
    ],
)
def test_bad_use_and_bad_input_say_why_and_exit_with_their_code(
    home: Path, arguments: tuple[str, ...], given: bytes, code: int, says: str
) -> None:
    done = run(home, *arguments, given=given)
    assert done.returncode == code
    assert says in done.stderr.decode()
    assert b"Traceback" not in done.stderr
    assert done.stdout == b""
