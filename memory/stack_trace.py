"""Stack traces: found in any text and known again by their frames, whatever line numbers and messages say. Pure.

A frame is kept as function and file name, without line numbers, addresses and folders; frames of libraries and
runtimes are left out where any of the program's own remain. Python, Java, Kotlin, JavaScript, Go, C#, Ruby, PHP, Rust.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from functools import lru_cache
from hashlib import sha256

_INNERMOST = 5
_LEAST_FRAMES = 2
_ALIKE = 0.6

_PATH = r"[^\s:\"'()<>]+"
_FRAMES = (
    re.compile(r"^\s*File \"(?P<file>[^\"]+)\", line \d+(?:, in (?P<function>[^\n]+))?"),
    re.compile(r"^\s*at (?P<function>[\w$.<>/]+)\((?P<file>[\w$]+\.(?:java|kt|scala|groovy))(?::\d+)?\)"),
    re.compile(r"^\s*at (?P<function>[\w$.<>/]+)\((?P<file>Native Method|Unknown Source)\)"),
    re.compile(
        r"^\s*at (?:async )?(?:new )?(?P<function>[\w$.<>\[\] ]+?) "
        rf"\((?P<file>(?:file:|node:|https?:)?{_PATH}):\d+:\d+\)"
    ),
    re.compile(rf"^\s*at (?P<file>(?:file:|node:|https?:)?{_PATH}):\d+:\d+"),
    re.compile(r"^\s*at (?P<function>[\w.<>`,$|\[\]+]+)\([^)]*\)(?: in (?P<file>[^\n]+?):line \d+)?"),
    re.compile(rf"^\s*(?:from )?(?P<file>{_PATH}\.rb):\d+:in [`'](?P<function>[^'`]+)'"),
    re.compile(rf"^\s*#\d+ (?P<file>{_PATH}\.php)\(\d+\): (?P<function>[\w\\>:-]+)\("),
    re.compile(r"^\s*\d+: (?P<function>[\w:<>]+(?:::[\w<>{}#]+)+)"),
    re.compile(rf"^(?P<function>[\w$.<>/*]+)@(?P<file>(?:file|https?)://{_PATH}):\d+:\d+"),
)
_RUST_FILE = re.compile(rf"^\s+at (?P<file>{_PATH}\.rs):\d+(?::\d+)?")
_RUST_HEAD = re.compile(r"^\s*(?:\d+: \w+|stack backtrace:)$")
_RUBY_ERROR = re.compile(r"\.rb:\d+:in .*\((?P<error>[A-Z]\w*(?:::\w+)*)\)$")
_MARGIN = re.compile(r"^[ |+]*\|[ ]?")
_MODULE = re.compile(r"^[\w.$@-]*/{1,2}(?=[\w.$]+\.)")
_GO_FUNCTION = re.compile(r"^(?P<function>[\w./*()-]+\.[\w.*()]+)\((?:0x|\.\.\.|\{|\))")
_GO_FILE = re.compile(rf"^\s+(?P<file>{_PATH}\.go):\d+")
_ERROR = re.compile(
    r"^(?:Exception in thread \"[^\"]*\" |Caused by: |Unhandled exception\. |Uncaught |PHP Fatal error:\s+Uncaught )?"
    r"(?P<error>[A-Za-z_][\w.$\\]*(?:Error|Exception|Warning|Interrupt|Exit|Failure|Group|Panic|Throwable|Iteration)"
    r"|panic|thread '[^']*' panicked|[A-Z]\w*::\w*Error)\b"
)
_LIBRARY = re.compile(
    r"site-packages|dist-packages|/lib/python\d|<frozen|node_modules|^node:|internal/|/gems/|/usr/lib/|/usr/local/go/|"
    r"/vendor/|/rustc/|^java\.|^javax\.|^jdk\.|^sun\.|^kotlin\.|^scala\.|^System\.|^Microsoft\.|^runtime\.|^std::|^core::",
)
_VOLATILE = re.compile(r"0x[0-9a-fA-F]+|\$\d+|\$\$?Lambda[^.]*|<lambda[^>]*>|\b[0-9a-f]{8,}\b|#\d+")


@dataclass(frozen=True, slots=True)
class Frame:
    """One call, innermost last: what is left of it when all that changes from run to run is taken away."""

    function: str
    file: str


@dataclass(frozen=True, slots=True)
class StackTrace:
    """A trace: its error's name without packages ("" where none is named), frames innermost last, and its text's place.

    ``line`` counts from 1 and ``quote`` is the line of the innermost frame.
    """

    error: str
    frames: tuple[Frame, ...]
    line: int
    quote: str

    @property
    def fingerprint(self) -> str:
        """The sha256 of the error and the innermost five frames, as 16 hex digits."""
        parts = [self.error, *(f"{it.function}@{it.file}" for it in self.frames[-_INNERMOST:])]
        return sha256("\n".join(parts).encode()).hexdigest()[:16]


@lru_cache(maxsize=256)
def find_traces(text: str) -> tuple[StackTrace, ...]:
    """Find every stack trace of at least two frames in ``text``, in order."""
    traces: list[StackTrace] = []
    found: list[_Found] = []
    error, error_after, quiet, go_function = "", "", 0, ""
    for number, written in enumerate(text.split("\n"), start=1):
        line = _MARGIN.sub("", written)
        if (place := _RUST_FILE.match(line)) and not (found and found[-1].file):
            if found:
                found[-1] = replace(found[-1], file=place["file"])
            continue
        frame = _frame(line)
        if go := _GO_FUNCTION.match(line):
            go_function = go["function"]
        elif go_function and (place := _GO_FILE.match(line)):
            frame, go_function = (go_function, place["file"], "newest first"), ""
        named = _ERROR.match(line.strip())
        if frame:
            if not found and (told := _RUBY_ERROR.search(line)):
                error = told["error"]
            found.append(_Found(*frame, number, written.strip()))
            quiet = 0
            continue
        if named and found and _oldest_first(found):
            error_after = named["error"]
        if found and (error_after or named or quiet >= 3):
            traces += _made(found, error_after or error)
            found, error, error_after = [], "", ""
        if named:
            error = named["error"]
        quiet += bool(line.strip()) and not go and not _RUST_HEAD.match(line)
        if quiet > 3 and not found:
            error = error if named else ""
    return tuple(traces + _made(found, error))


def same_failure(one: Sequence[StackTrace], other: Sequence[StackTrace]) -> StackTrace | None:
    """Give the first trace of ``one`` that is of the same failure as any of ``other``, or None.

    The same: equal fingerprints; or errors that do not differ, equal innermost frames, and six tenths of the shorter
    trace's frames met in the same order.
    """
    for trace in one:
        if any(_same(trace, it) for it in other):
            return trace
    return None


@dataclass(frozen=True, slots=True)
class _Found:
    function: str
    file: str
    order: str
    line: int
    text: str


def _frame(line: str) -> tuple[str, str, str] | None:
    for pattern in _FRAMES:
        if match := pattern.match(line):
            groups = match.groupdict()
            order = "oldest first" if line.lstrip().startswith("File ") else "newest first"
            return groups.get("function") or "", groups.get("file") or "", order
    return None


def _oldest_first(found: Sequence[_Found]) -> bool:
    return found[0].order == "oldest first"


def _made(found: Sequence[_Found], error: str) -> list[StackTrace]:
    if len(found) < _LEAST_FRAMES:
        return []
    ordered = list(found) if _oldest_first(found) else list(reversed(found))
    own = [it for it in ordered if not _LIBRARY.search(it.file) and not _LIBRARY.search(it.function)]
    kept = own if own else ordered
    frames = tuple(_folded(kept))
    innermost = kept[-1]
    return [StackTrace(_bare(error), frames, innermost.line, innermost.text)]


def _folded(found: Iterable[_Found]) -> Iterable[Frame]:
    """Take away what changes from run to run, and fold a recursion into one frame."""
    last: Frame | None = None
    for it in found:
        function = _VOLATILE.sub("", _MODULE.sub("", it.function)).strip()
        frame = Frame(function, re.split(r"[/\\]", it.file.split("?")[0])[-1])
        if frame != last:
            yield frame
        last = frame


def _bare(error: str) -> str:
    if error.startswith("thread "):
        return "panic"
    return re.split(r"[.\\$]|::", error)[-1]


def _same(one: StackTrace, other: StackTrace) -> bool:
    if one.fingerprint == other.fingerprint:
        return True
    if one.error and other.error and one.error != other.error:
        return False
    shorter = min(len(one.frames), len(other.frames))
    if shorter < _LEAST_FRAMES or one.frames[-1] != other.frames[-1]:
        return False
    return _in_common(one.frames, other.frames) >= max(_LEAST_FRAMES, _ALIKE * shorter)


def _in_common(one: Sequence[Frame], other: Sequence[Frame]) -> int:
    """Count the longest common subsequence of frames."""
    row = [0] * (len(other) + 1)
    for mine in one:
        diagonal = 0
        for at, theirs in enumerate(other, start=1):
            above = row[at]
            row[at] = diagonal + 1 if mine == theirs else max(row[at], row[at - 1])
            diagonal = above
    return row[-1]
