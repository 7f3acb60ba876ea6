"""A submission read as code: bounded, parsed, its lines at hand."""

from __future__ import annotations

import re
from dataclasses import dataclass

from ast_grep_py import SgNode, SgRoot

MAX_CHARS = 120_000
MAX_LINE = 2_000
MAX_DEPTH = 120
MAX_CHAIN = 400
_MAX_ERRORS = 500
_OPERATORS = frozenset("+.?!~*&|<-")
_TAG = re.compile(r"<\?(?:php|=)?", re.IGNORECASE)
# A closing tag counts in a comment of one line, and not in a string or a longer comment.
_PHP_PART = re.compile(
    r"'(?:[^'\\]|\\.)*'|\"(?:[^\"\\]|\\.)*\"|/\*.*?\*/|(?:\#|//)[^\n]*?(?=\?>|\n|$)|(?P<closing>\?>)", re.DOTALL
)


@dataclass(frozen=True, slots=True)
class Source:
    """Code to be read.

    ``text`` has as many lines as was pasted, or fewer when cut; ``root`` is None when unparsed; ``unread`` are the
    numbers of lines (from 1) that no tree holds.
    """

    text: str
    language: str
    root: SgNode | None
    unread: frozenset[int]
    notes: tuple[str, ...] = ()

    @property
    def mostly_unread(self) -> bool:
        """Say whether half of the lines that are not blank, or more, stand in no tree."""
        written = [number for number, line in enumerate(self.text.split("\n"), start=1) if line.strip()]
        return sum(number in self.unread for number in written) >= len(written) / 2

    def line(self, number: int) -> str:
        """Return line ``number`` (from 1) stripped, or ""."""
        lines = self.text.split("\n")
        return lines[number - 1].strip() if 0 < number <= len(lines) else ""


def read(text: str, language: str) -> Source:
    """Cut ``text`` to what can be read in bounded time and parse it; what was cut is said in ``notes``."""
    notes: list[str] = []
    text = text.encode("utf-8", "replace").decode("utf-8").replace("\x00", " ")
    if len(text) > MAX_CHARS:
        text = text[:MAX_CHARS]
        notes.append(f"Only the first {MAX_CHARS:,} characters were read by the rules.")
    lines = text.split("\n")
    if any(len(line) > MAX_LINE for line in lines):
        text = "\n".join(line[:MAX_LINE] for line in lines)
        notes.append(f"Lines were read up to {MAX_LINE:,} characters; minified code hides its faults from rules.")
    if not language:
        return Source(text, "", None, _all_lines(text), tuple(notes))
    if _too_deep(text):
        notes.append("This is nested too deeply to be parsed; only single lines were looked at.")
        return Source(text, language, None, _all_lines(text), tuple(notes))
    parsed = _php_only(text) if language == "php" else text
    root = SgRoot(parsed, language).root()
    spans = _errors(root)
    if spans and language == "typescript":
        marked_up = SgRoot(parsed, "tsx").root()
        if len(_errors(marked_up)) < len(spans):
            language, root, spans = "tsx", marked_up, _errors(marked_up)
    unread = frozenset(line + 1 for first, last in spans for line in range(first, last + 1))
    return Source(text, language, root, unread, tuple(notes))


def _errors(root: SgNode) -> list[tuple[int, int]]:
    """Return the first and last line, from 0, of each stretch that did not parse."""
    return [(it.range().start.line, it.range().end.line) for it in root.find_all(kind="ERROR")[:_MAX_ERRORS]]


def _all_lines(text: str) -> frozenset[int]:
    return frozenset(range(1, text.count("\n") + 2))


def _too_deep(text: str) -> bool:
    """Say whether brackets, indentation or one expression nest deeper than a parser should follow."""
    depth = chain = 0
    last = ""
    for line in text.split("\n"):
        goes_on = depth > 0 or last in _OPERATORS or line.lstrip()[:1] in _OPERATORS
        chain = chain if goes_on else 0
        for char in line:
            if char in "([{":
                depth += 1
            elif char in ")]}":
                depth = max(0, depth - 1)
            if char in ";{}":
                chain = 0
            elif char in _OPERATORS:
                chain += 1
            if depth > MAX_DEPTH or chain > MAX_CHAIN:
                return True
        last = line.rstrip()[-1:] or last
    return max((len(line) - len(line.lstrip()) for line in text.split("\n")), default=0) > 600


def _php_only(text: str) -> str:
    """Blank the HTML around PHP, keeping every line where it is: the grammar reads PHP alone."""
    if "<?" not in text:
        return text
    out: list[str] = []
    position = 0
    while (opening := text.find("<?", position)) >= 0:
        out.append(_blank(text[position:opening]))
        tag = _TAG.match(text, opening)
        after = tag.end() if tag else opening + 2
        out.append("echo " if tag and tag.group().endswith("=") else "")
        closing = next((it.start() for it in _PHP_PART.finditer(text, after) if it["closing"]), -1)
        body = text[after : closing if closing >= 0 else len(text)]
        out.append(body + (" ; " if closing >= 0 else ""))
        position = closing + 2 if closing >= 0 else len(text)
    out.append(_blank(text[position:]))
    return "".join(out)


def _blank(text: str) -> str:
    return re.sub(r"[^\n]", " ", text)
