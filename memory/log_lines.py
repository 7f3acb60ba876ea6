"""The lines of a log without what loggers and collectors put before them, and those that a JSON log holds. Pure.

Taken away are times, levels, hosts, processes, containers and pods, as syslog, journald, Docker, Kubernetes, Heroku,
Android, GitHub Actions and common loggers write them, and the marks of a quotation. What stays begins as it was logged.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from typing import Any

_CLOCK = r"\d{2}:\d{2}:\d{2}(?:[.,]\d{1,9})?"
_LEVEL = r"(?:TRACE|DEBUG|INFO|NOTICE|WARN(?:ING)?|ERROR|FATAL|CRITICAL|SEVERE|EMERG|ALERT|PANIC)"
_PREFIX = re.compile(
    "|".join(
        (
            r"> ?(?=[> ]|\S)",
            r"\[pod/[^\]\s]+\] ",
            r"[\w.-]+ *\| ",
            r"(?:[^\t]+\t){2}(?=\d{4}-\d{2}-\d{2}T)",
            r"<\d{1,3}>\d? ?",
            rf"\[?\d{{4}}[-/]\d{{2}}[-/]\d{{2}}[T ]{_CLOCK}(?: ?(?:Z|[+-]\d{{2}}:?\d{{2}}|UTC))?\]?(?: |: |$)",
            r"std(?:out|err) [FP] ",
            rf"\d{{2}}-\d{{2}} {_CLOCK} +\d+ +\d+ [VDIWEFA] [^:\n]{{1,40}}: ",
            rf"[A-Z][a-z]{{2}} [ \d]\d {_CLOCK} [\w.-]+ [\w./@-]+(?:\[\d+\])?: ",
            r"[\w.-]+ [\w./-]+ (?:\d+|-) (?:[\w.-]+|-) - ",
            r"[\w-]+\[[\w.-]+\]: ",
            rf"[IWEF]\d{{4}} {_CLOCK} +\d+ [\w.]+:\d+\] ",
            rf"\[?{_LEVEL}\]?:?(?: +\[[^\]\n]{{1,60}}\])*(?: +[\w.$-]+ +-+)?(?: |$)",
            r"\[[\w.:@/ -]{1,60}\] +[\w.$-]+ +-+(?: |$)",
        )
    )
)
_FIELD = re.compile(r'\s*"[\w.@ -]+": ?(?P<value>"(?:[^"\\]|\\.)*\\n(?:[^"\\]|\\.)*"),?\s*$')
_MOST_PREFIXES = 6
_LONGEST_JSON = 200_000
_DEEPEST = 8


def logged_lines(text: str) -> Iterator[tuple[int, str, str]]:
    """Give each line as it was logged, with its place in ``text``, from 1, and the words that quote it from there."""
    for number, written in enumerate(text.split("\n"), start=1):
        line = _bare(written)
        if told := _told(line):
            for it in told:
                quote = json.dumps(it.strip(), ensure_ascii=False)[1:-1]
                yield number, _bare(it), quote if quote in written else written.strip()
        else:
            yield number, line, line.strip() or written.strip()


def _bare(line: str) -> str:
    for _ in range(_MOST_PREFIXES):
        match = _PREFIX.match(line)
        if not match or not match.end():
            break
        line = line[match.end() :]
    return line


def _told(line: str) -> list[str]:
    """Give the lines that a JSON log line, or one field of printed JSON, holds; none for any other line."""
    if len(line) > _LONGEST_JSON:
        return []
    if line.startswith("{") and line.rstrip().endswith("}"):
        source = line
    elif field := _FIELD.match(line):
        source = field["value"]
    else:
        return []
    try:
        texts = list(_texts(json.loads(source)))
    except (ValueError, RecursionError):
        return []
    return [it for text in texts for it in text.rstrip("\n").split("\n")]


def _texts(value: Any, depth: int = 0) -> Iterator[str]:
    """Give every text of more than a word within, those of one line first: a message stands before its stack."""
    if isinstance(value, str):
        yield from [value] if any(map(str.isspace, value)) else []
    elif isinstance(value, dict | list) and depth < _DEEPEST:
        inner = value.values() if isinstance(value, dict) else value
        if isinstance(value, list):
            yield from (it for each in inner for it in _texts(each, depth + 1))
        else:
            found = [it for each in inner for it in _texts(each, depth + 1)]
            yield from sorted(found, key=lambda it: "\n" in it.rstrip("\n"))
