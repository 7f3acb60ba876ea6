"""A git diff as the code it adds: each file's new lines with the file's own line numbers. Pure."""

from __future__ import annotations

import re
from dataclasses import dataclass

from audit.errors import SubmissionRefused
from audit.types import Excerpt

NOTHING_ADDED = "The diff adds no lines, so there is nothing to judge."
_COLOUR = re.compile(r"\x1b\[[0-9;]*[mK]")
_HUNK = re.compile(r"^@@ -\d+(?:,(?P<old>\d+))? \+(?P<start>\d+)(?:,(?P<new>\d+))? @@")
_GIT = re.compile(r"^diff --(?:git|cc|combined) ", re.MULTILINE)
_CHANGE = re.compile(
    r"^(?:similarity index|rename from|copy from|old mode|new mode|new file mode|deleted file mode|Binary files|"
    r"GIT binary patch|index [0-9a-f]+\.\.)",
    re.MULTILINE,
)
_HUNK_LINE = re.compile(r"^@@+ ", re.MULTILINE)
_HEADER = re.compile(r"^--- .+\n\+\+\+ .+\n@@ -\d", re.MULTILINE)
_COMBINED = re.compile(r"^@@@+ ", re.MULTILINE)
_ESCAPE = re.compile(rb"\\(?:([0-7]{3})|(.))")
_LETTERS = {b"n": b"\n", b"t": b"\t", b"r": b"\r", b'"': b'"', b"\\": b"\\"}


@dataclass(frozen=True, slots=True)
class DiffFile:
    """One changed file as far as the diff shows it: ``text`` is its new state, added and kept lines of all hunks."""

    path: str
    text: str
    excerpt: Excerpt


@dataclass(frozen=True, slots=True)
class Diff:
    """A diff as ``text``, the files that gain lines, and remarks on those that could not be judged."""

    text: str
    files: tuple[DiffFile, ...]
    notes: tuple[str, ...] = ()


def is_diff(text: str) -> bool:
    """Say whether a text is a unified diff, one that only renames, deletes or changes modes included."""
    text = _COLOUR.sub("", text)
    head = text[:20_000].replace("\r\n", "\n")
    if _GIT.search(head):
        return bool(_CHANGE.search(head) or _HUNK_LINE.search(text))
    return bool(_HEADER.search(head)) and bool(_HUNK_LINE.search(text))


def parse_diff(text: str) -> Diff:
    """Read a unified diff, as ``git diff`` or ``diff -u`` write it. Raises SubmissionRefused where it is none.

    Deleted, renamed and binary files add no lines and are left out; hunks are followed by their own counts, so no line
    of code is mistaken for a header.
    """
    text = _COLOUR.sub("", text)
    if not is_diff(text):
        raise SubmissionRefused("This is no diff. Paste what `git diff` prints, from `diff --git` on.")
    reader = _Reader(text.split("\n"))
    reader.read()
    if _COMBINED.search(text):
        reader.notes.append("A merge's combined diff was left out; compare with one parent (git diff -m).")
    elif not reader.files:
        reader.notes.append(NOTHING_ADDED)
    return Diff(text, tuple(reader.files), tuple(dict.fromkeys(reader.notes)))


class _Reader:
    def __init__(self, lines: list[str]) -> None:
        self._lines = lines
        self.files: list[DiffFile] = []
        self.notes: list[str] = []
        self._path = ""
        self._texts: list[str] = []
        self._numbers: list[int] = []
        self._added: set[int] = set()

    def read(self) -> None:
        at = 0
        while at < len(self._lines):
            line = self._lines[at].rstrip("\r")
            following = self._lines[at + 1] if at + 1 < len(self._lines) else ""
            if _GIT.match(line):
                self._close()
            elif line.startswith("--- ") and following.startswith("+++ "):
                self._close()
                self._path = _path(following[4:].rstrip("\r"))
                at += 1
            elif line.startswith(("Binary files ", "GIT binary patch")):
                self.notes.append("Binary files were left out.")
            elif hunk := _HUNK.match(line):
                at = self._hunk(at + 1, hunk)
                continue
            at += 1
        self._close()

    def _hunk(self, at: int, hunk: re.Match[str]) -> int:
        """Read one hunk's body by its counts; give the position after it."""
        old, new = (int(hunk[name]) if hunk[name] is not None else 1 for name in ("old", "new"))
        number = int(hunk["start"])
        if self._texts:
            self._texts.append("")
            self._numbers.append(0)
        while at < len(self._lines) and (old > 0 or new > 0):
            mark, body = self._lines[at][:1], self._lines[at][1:].rstrip("\r")
            if mark == "+":
                self._texts.append(body)
                self._numbers.append(number)
                self._added.add(number)
                number, new = number + 1, new - 1
            elif mark == "-":
                old -= 1
            elif mark in {" ", ""}:
                self._texts.append(body)
                self._numbers.append(number)
                number, new, old = number + 1, new - 1, old - 1
            elif mark != "\\":
                break
            at += 1
        if old > 0 or new > 0:
            self.notes.append(f"A hunk of {self._path or 'a file'} ends early; the diff may be cut off.")
        return at

    def _close(self) -> None:
        if self._path and self._added:
            excerpt = Excerpt(tuple(self._numbers), tuple(sorted(self._added)))
            self.files.append(DiffFile(self._path, "\n".join(self._texts), excerpt))
        self._path, self._texts, self._numbers, self._added = "", [], [], set()


def _path(field: str) -> str:
    """Read the path of a ``+++`` line: unquote it, drop git's ``b/`` and a trailing time stamp."""
    if field.startswith('"'):
        quoted = field[1 : field.rfind('"')].encode("utf-8", "surrogateescape")
        plain = _ESCAPE.sub(lambda m: bytes([int(m[1], 8) & 0xFF]) if m[1] else _LETTERS.get(m[2], m[2]), quoted)
        field = plain.decode("utf-8", "replace")
    else:
        field = field.split("\t")[0]
    if field == "/dev/null":
        return ""
    return field[2:] if field[:2] in {"a/", "b/", "i/", "w/", "c/", "o/"} else field
