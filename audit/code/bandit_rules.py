"""Bandit, run in process on text alone: no file, no subprocess, no configuration of the user's."""

from __future__ import annotations

import ast
import io
import json
import logging
import re
import textwrap
import warnings
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from types import MappingProxyType
from typing import Any

_DATA = Path(__file__).parents[1] / "data" / "bandit.json"
_LIMIT = 60_000

for _name in ("bandit", "stevedore"):  # they warn of text without a file name, and of report formats not installed
    logging.getLogger(_name).setLevel(logging.CRITICAL)


@dataclass(frozen=True, slots=True)
class Test:
    """How a test of bandit's is read: under which CWE, and in which surroundings alone it counts."""

    cwe: str
    near: re.Pattern[str] | None
    absent: re.Pattern[str] | None


@dataclass(frozen=True, slots=True)
class BanditHit:
    """One result: the test's id, our CWE for it, the line (from 1) and bandit's own words."""

    test: str
    cwe: str
    line: int
    text: str


@cache
def _tests() -> Mapping[str, Test]:
    data: dict[str, Any] = json.loads(_DATA.read_text(encoding="utf-8"))
    return MappingProxyType(
        {
            key: Test(
                it["cwe"],
                re.compile(it["near"], re.IGNORECASE) if "near" in it else None,
                re.compile(it["absent"], re.IGNORECASE) if "absent" in it else None,
            )
            for key, it in data["tests"].items()
        }
    )


def run(text: str) -> tuple[BanditHit, ...] | None:
    """Return bandit's results on Python code, or None where it does not parse."""
    from bandit.core import config, manager, node_visitor

    code = textwrap.dedent(text)[:_LIMIT]
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        try:
            tree = ast.parse(code)
        except (SyntaxError, ValueError, RecursionError, MemoryError):
            return None
        checks = manager.BanditManager(config.BanditConfig(), "file", profile={"include": list(_tests())})
        visitor = node_visitor.BanditNodeVisitor(
            "<stdin>", io.BytesIO(code.encode("utf-8")), checks.b_ma, checks.b_ts, False, {}, checks.metrics
        )
        checks.metrics.begin("<stdin>")
        try:
            visitor.process(code)
        except RecursionError:
            return ()
    lines = code.split("\n")
    functions = [
        (it.lineno, it.end_lineno or it.lineno)
        for it in ast.walk(tree)
        if isinstance(it, ast.FunctionDef | ast.AsyncFunctionDef)
    ]
    hits = []
    for issue in visitor.tester.results:
        test = _tests().get(issue.test_id)
        if test is None or issue.lineno < 1:
            continue
        around = _around(issue.lineno, functions, lines)
        if (test.near and not test.near.search(around)) or (test.absent and test.absent.search(around)):
            continue
        hits.append(BanditHit(issue.test_id, test.cwe, issue.lineno, str(issue.text)))
    return tuple(hits)


def _around(line: int, functions: list[tuple[int, int]], lines: list[str]) -> str:
    """Return the text of the innermost function around ``line``, or the whole."""
    inside = [(first, last) for first, last in functions if first <= line <= last]
    if not inside:
        return "\n".join(lines)
    first, last = min(inside, key=lambda it: it[1] - it[0])
    return "\n".join(lines[first - 1 : last])
