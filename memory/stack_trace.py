"""Stack traces: found in any text and known again by their frames, whatever line numbers and messages say. Pure.

A frame is kept as function and file name, without line numbers, addresses and folders; frames of libraries and
runtimes are left out where any of the program's own remain. What a log puts before its lines is no part of them.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from functools import lru_cache
from hashlib import sha256

from memory.log_lines import logged_lines
from memory.trace_frames import Call, is_library, read_call

_INNERMOST = 5
_LEAST_FRAMES = 2
_ALIKE = 0.6

_PATH = r"[^\s:\"'()<>]+"
_RUST_FILE = re.compile(rf"^\s+at (?P<file>{_PATH}\.rs):\d+(?::\d+)?")
_IDLE = re.compile(r"^\s*(?:\d+: \w+|stack backtrace:|\S+\(\+0x[0-9a-f]+\) ?\[0x[0-9a-f]+\])$")
_RUBY_ERROR = re.compile(r"\.rb:\d+:in .*\((?P<error>[A-Z]\w*(?:::\w+)*)\)$")
_MARGIN = re.compile(r"^[ |+]*\|[ ]?")
_MODULE = re.compile(r"^[\w.$@-]*/{1,2}(?=[\w.$]+\.)")
_GO_FUNCTION = re.compile(r"^(?P<function>[\w./*()-]+\.[\w.*()]+)\((?:0x|\.\.\.|\{|\))")
_GO_FILE = re.compile(rf"^\s+(?P<file>{_PATH}\.go):\d+")
_ERROR = re.compile(
    r"^(?:Exception in thread \"[^\"]*\" |Caused by: |Unhandled exception\. |Uncaught |PHP Fatal error:\s+Uncaught )?"
    r"(?P<error>[A-Za-z_][\w.$\\]*(?:Error|Exception|Warning|Interrupt|Exit|Failure|Group|Panic|Throwable|Iteration)"
    r"|panic|fatal error|Fatal error|thread '[^']*'(?: \(\d+\))? panicked|[A-Z]\w*::\w*Error)\b"
)
_NATIVE_ERROR = re.compile(
    r"(?:ERROR|WARNING): (?:Address|Thread|Memory|Leak|HWAddress)Sanitizer: (?P<sanitizer>[a-z][\w-]+(?: race)?)"
    r"|^(?:Program|Thread \d+ \S+) received signal (?P<signal>SIG[A-Z]+)"
    r"|^terminate called after throwing an instance of '(?P<thrown>[^']+)'"
    r"|(?:^Exception Type:\s+|stop reason = )(?P<type>EXC_[A-Z_]+)|^(?P<fault>Segmentation fault)"
    r"|^(?:http: |Observed a )(?P<served>panic)\b"
)
# Stacks that stand beside the one of the failure: other goroutines and threads, where memory was freed or given out.
_BESIDE = re.compile(
    r"^goroutine \d+ \[|^(?:previously |)(?:freed|allocated) by thread|^Previous (?:read|write) of size|"
    r"^Location is heap|^Thread T?\d+(?: \([^)]*\))? created|^Thread \d+(?: name)?::?(?:\s|$)"
)
_CRASHED = re.compile(r"^Thread \d+(?: .*)? [Cc]rashed:")
_OTHER_THREAD = re.compile(r"^Thread \d+ \(")
_VOLATILE = re.compile(r"0x[0-9a-fA-F]+|\$\d+|\$\$?Lambda[^.]*|<lambda[^>]*>|\b[0-9a-f]{8,}\b|::h[0-9a-f]{16}\b|#\d+")


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
    """Find every stack trace of at least two frames in ``text``, in order; of one failure, the stack that failed."""
    traces: list[StackTrace] = []
    found: list[_Found] = []
    error, error_after, quiet, go_function = "", "", 0, ""
    since, beside = 0, False  # how many traces there were when the error was named; whether the stack is another's
    for number, line, quote in logged_lines(text):
        line = _MARGIN.sub("", line)
        if (place := _RUST_FILE.match(line)) and not (found and found[-1].file):
            if found:
                found[-1] = replace(found[-1], file=place["file"])
            continue
        call = read_call(line)
        if go := _GO_FUNCTION.match(line):
            go_function = go["function"]
        elif go_function and (place := _GO_FILE.match(line)):
            call, go_function = Call(go_function, place["file"], oldest_first=False), ""
        if call and call.number == 0 and found:
            traces += _made(found, error)
            found = []
        if call:
            if not found and (told := _RUBY_ERROR.search(line)):
                error = told["error"]
            if not beside:
                found.append(_Found(call.function, call.file, call.oldest_first, number, quote))
            quiet = 0
            continue
        named = _error_in(line)
        if crashed := _CRASHED.match(line):
            del traces[since:]
            found, beside = [], False
        elif _BESIDE.match(line) or _OTHER_THREAD.match(line):
            traces += _made(found, error)
            beside = len(traces) > since and not _OTHER_THREAD.match(line)
            found = []
        if named and found and found[0].oldest_first:
            error_after = named
        if found and (error_after or named or quiet >= 3):
            traces += _made(found, error_after or error)
            found, error, error_after = [], "", ""
        if named:
            error, quiet, since, beside = named, 0, len(traces), False
        quiet += bool(line.strip()) and not (named or go or crashed or _IDLE.match(line))
        if quiet > 3 and not found:
            error = ""
    return tuple(traces + _made(found, error))


def a_call_alone(text: str) -> bool:
    """True where ``text`` names an error and a call of a stack, and holds no whole trace."""
    lines = [line for _, line, _ in logged_lines(text)]
    return any(map(_error_in, lines)) and any(map(read_call, lines)) and not find_traces(text)


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
    oldest_first: bool
    line: int
    text: str


def _error_in(line: str) -> str:
    """Give the name of the error that a line tells, or ""."""
    if match := _NATIVE_ERROR.search(line):
        return next(it for it in match.groups() if it)
    match = _ERROR.match(line.strip())
    return match["error"] if match else ""


def _made(found: Sequence[_Found], error: str) -> list[StackTrace]:
    if len(found) < _LEAST_FRAMES:
        return []
    ordered = list(found) if found[0].oldest_first else list(reversed(found))
    own = [it for it in ordered if not is_library(it.function, it.file)]
    if not own and not error:
        return []  # threads that wait look alike in every program
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
    if error.startswith("thread ") or error.lower() == "fatal error":
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
