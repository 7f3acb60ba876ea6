"""Every command that can be run is in docs/commands.md, and nothing else is."""

from __future__ import annotations

import argparse
import re
import subprocess
from pathlib import Path

from audit.modes import MODES
from evals import __main__ as evals
from memory import __main__ as memory

ROOT = Path(__file__).parents[1]
PAGE = (ROOT / "docs" / "commands.md").read_text("utf-8")


def subcommands(parser: argparse.ArgumentParser) -> set[str]:
    return {name for it in parser._actions if isinstance(it, argparse._SubParsersAction) for name in it.choices}


def test_every_command_is_documented_and_every_documented_one_exists() -> None:
    runnable = {it.parent.name for it in ROOT.glob("*/__main__.py")}
    assert runnable == {"audit", "evals", "mcp_server", "memory"}
    there = {"mcp_server"}
    there |= {f"memory {it}" for it in subcommands(memory._parser())}
    there |= {f"audit {it}" for it in MODES}
    there |= {f"evals {it}" for it in evals.COMMANDS}
    assert set(re.findall(r"^\| `python -m ([^`]+)` \|", PAGE, re.MULTILINE)) == there


def test_every_target_of_the_makefile_that_runs_something_is_named() -> None:
    (targets,) = re.findall(r"^\.PHONY: (.+)$", (ROOT / "Makefile").read_text("utf-8"), re.MULTILINE)
    named = set(re.findall(r"`(?:make )?([a-z-]+)`", PAGE))
    assert set(targets.split()) - {"setup", "clean"} <= named


def test_the_bench_is_run_at_every_size_it_is_to_show() -> None:
    shown = subprocess.run(["make", "-n", "bench"], cwd=ROOT, capture_output=True, text=True, check=True).stdout
    assert "scale --sizes 14,1000,10000,100000 " in shown
    assert "growth --records 100,1000,10000,100000 " in shown


def test_a_page_of_commands_says_first_where_python_has_what_they_need() -> None:
    for page in (PAGE, (ROOT / "README.md").read_text("utf-8")):
        assert "source .venv/bin/activate" in page.partition("\npython -m ")[0].partition("| `python -m ")[0]
