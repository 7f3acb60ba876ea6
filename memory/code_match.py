"""Does a past bug recur: does its faulty line stand in the pasted code, and its repair not? Pure."""

from __future__ import annotations

import re
from dataclasses import dataclass
from functools import lru_cache

from memory.records import BugFacts

LEAST_CHARS = 14
LEAST_WORDS = 3
LEAST_ADDED_TO = 28
_COMMENT = re.compile(r"(?:(?<=\s)|^)(?:#|//).*$")
_QUOTED = re.compile(r"(?:faulty|wrong|bad) (?:line|code)s?:\s*(?P<code>.+)", re.IGNORECASE | re.DOTALL)
_CHANGED = re.compile(
    r"(?:changed to|replaced by|fixed (?:line|code)s?|now):\s*(?P<code>.+)", re.IGNORECASE | re.DOTALL
)


@dataclass(frozen=True, slots=True)
class Recurrence:
    """A faulty line found again: the line as pasted, and its number, from 1."""

    quote: str
    line: int


def recurrence(facts: BugFacts, code: str) -> Recurrence | None:
    """Find the bug's faulty lines in ``code``; None where one is missing or where the repaired lines stand there.

    Only telling lines count: those the repair took away, of at least 14 characters and three words. Where it only added
    lines, the old ones must stand together as they did, longer and with none of the new ones.
    """
    was = facts.faulty_code or _after(_QUOTED, facts.root_cause)
    faulty, repaired = _lines(was), _lines(facts.fixed_code or _after(_CHANGED, facts.fix))
    gone = [line for line in faulty if line not in repaired]
    enough = {_folded(raw) for raw in was.splitlines() if _telling(raw)}
    telling = [line for line in gone if line in enough]
    pasted, whole = _pasted(code)
    if not gone:
        return _without_what_was_added(faulty, repaired, code)
    if not telling:
        return None
    if not all(line in pasted or _stands_in(line, whole) for line in telling):
        return None
    brought = [line for line in repaired if line not in faulty and len(line) >= LEAST_CHARS]
    if brought and all(_stands_in(line, whole) for line in brought):
        return None
    number, quote = next((pasted[line] for line in telling if line in pasted), (0, ""))
    if not quote:
        number, quote = _locate(telling[0], code)
    return Recurrence(quote, number)


def _without_what_was_added(faulty: list[str], repaired: list[str], code: str) -> Recurrence | None:
    """Find lines that a repair kept and only added to, where they stand together and nothing was added."""
    together, (pasted, whole) = "".join(faulty), _pasted(code)
    added = [line for line in repaired if line not in faulty and len(line) >= LEAST_CHARS]
    if not added or len(together) < LEAST_ADDED_TO or together not in whole:
        return None
    if any(_stands_in(line, whole) for line in added):
        return None
    number, quote = pasted.get(faulty[0]) or _locate(faulty[0], code)
    return Recurrence(quote, number)


@lru_cache(maxsize=4)
def _pasted(code: str) -> tuple[dict[str, tuple[int, str]], str]:
    """Fold pasted code once for all records: its lines with number and text, and the whole."""
    lines: dict[str, tuple[int, str]] = {}
    for number, raw in enumerate(code.splitlines(), start=1):
        lines.setdefault(_folded(raw), (number, raw.strip()))
    return lines, _folded(code)


def _after(pattern: re.Pattern[str], text: str) -> str:
    """Give the code that prose quotes after words such as "Faulty line:"; a slash between blanks parts its lines."""
    match = pattern.search(text)
    return match["code"].replace(" / ", "\n") if match else ""


def _lines(code: str) -> list[str]:
    return [line for line in (_folded(raw) for raw in code.splitlines()) if line]


def _folded(text: str) -> str:
    """Fold white space, comments at line ends and quote marks, which do not change what a line does."""
    without = "\n".join(_COMMENT.sub("", line) for line in text.splitlines())
    return re.sub(r"\s+", "", without.replace('"', "'"))


def _telling(raw: str) -> bool:
    """Say whether a line as it was written tells enough to be known again."""
    return len(_folded(raw)) >= LEAST_CHARS and len(re.findall(r"[A-Za-z_]\w*", raw)) >= LEAST_WORDS


def _stands_in(line: str, whole: str) -> bool:
    return line in whole


def _locate(line: str, code: str) -> tuple[int, str]:
    """Find the first pasted line that a folded line begins on."""
    for number, raw in enumerate(code.splitlines(), start=1):
        part = _folded(raw)
        if len(part) >= LEAST_WORDS and line.startswith(part):
            return number, raw.strip()
    return 1, line
