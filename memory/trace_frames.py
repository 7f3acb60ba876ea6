"""How the runtimes write one call of a stack trace, and which calls are those of a library. Pure.

Python, Java, Kotlin, JavaScript, Go, C#, Ruby, PHP, Rust; C and C++ by gdb, lldb, sanitizers and glibc; Swift and
Objective-C by crash reports and by Swift's own backtraces.
"""

from __future__ import annotations

import re
from dataclasses import dataclass

_PATH = r"[^\s:\"'()<>]+"
_ADDRESS = r"0x[0-9a-fA-F]+"
_SCRIPTED = (
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
    re.compile(rf"^\s*#(?P<number>\d+) (?P<file>{_PATH}\.php)\(\d+\): (?P<function>[\w\\>:-]+)\("),
    re.compile(
        rf"^\s*(?P<number>\d+):\s+(?:{_ADDRESS} - )?(?P<function>(?:<[^\n]+>|[\w<>]+)(?:::[\w<>{{}}#]+)+)(?=\s|$)"
    ),
    re.compile(rf"^(?P<function>[\w$.<>/*]+)@(?P<file>(?:file|https?)://{_PATH}):\d+:\d+"),
)
_CALLED = r"(?P<function>(?:[^(\n]|\(anonymous namespace\)|operator\(\))+?)"
_NATIVE = (
    re.compile(
        rf"^\s*#(?P<number>\d+)\s+{_ADDRESS} in (?P<function>.+?) "
        rf"(?:(?P<file>(?:[A-Za-z]:)?[^\s:()]+):\d+(?::\d+)?|\((?P<module>[^()+]+)\+{_ADDRESS}\))"
    ),
    re.compile(
        rf"^\s*#(?P<number>\d+)\s+(?:{_ADDRESS} in )?{_CALLED} \([^\n]*\)"
        r"(?: at (?P<file>(?:[A-Za-z]:)?[^\s:]+):\d+| from (?P<module>\S+))\s*$"
    ),
    re.compile(rf"^\s*#(?P<number>\d+)\s+{_ADDRESS} in {_CALLED} \([^\n]*\)\s*$"),
    re.compile(
        rf"^[\s*]*frame #(?P<number>\d+): {_ADDRESS} (?P<module>[^`\n]+)`(?P<function>.+?)"
        r"(?: at (?P<file>[^\s:]+):\d+(?::\d+)?| \+ \d+)\s*$"
    ),
    re.compile(rf"^(?P<module>[^\s()]+)\((?P<function>[\w:~.]+)\+{_ADDRESS}\) ?\[{_ADDRESS}\]"),
    re.compile(
        rf"^\s*(?P<number>\d+)\s+(?P<module>\S[^\n]*?)\s+{_ADDRESS} (?P<function>[^\n]+?) \+ \d+"
        r"(?: \((?P<file>[\w.+-]+):\d+\))?\s*$"
    ),
    re.compile(
        rf"^\s*(?P<number>\d+)\s+(?:\[[\w, ]+\]\s+)?{_ADDRESS} (?P<function>[^\n]+?) in (?P<module>\S+)"
        r"(?: at (?P<file>[^\s:]+):\d+(?::\d+)?)?\s*$"
    ),
)
_LONGEST = 1_500
_ARGUMENTS = re.compile(r"(?<!operator) ?\((?!anonymous namespace\)).*$")
_MANGLED = re.compile(r"^_Z(?:NK?|L)?((?:\d+[A-Za-z_])\w*)$")
_LIBRARY = re.compile(
    r"site-packages|dist-packages|/lib/python\d|<frozen|node_modules|^node:|internal/|/gems/|/usr/lib/|/usr/local/go/|"
    r"/vendor/|/rustc/|^java\.|^javax\.|^jdk\.|^sun\.|^kotlin\.|^scala\.|^System\.|^Microsoft\.|^runtime\.|^std::|^core::|"
    r"^<?(?:alloc|core|std)::|\.so(?:\.\d+)*$|\.dylib$|/sysdeps/|libsanitizer|compiler-rt|^(?:UIKitCore|UIKit|SwiftUI|"
    r"CoreFoundation|Foundation|GraphicsServices|AppKit|dyld)$|^_?swift_|^_start$|^(?:abort|raise|gsignal|start_thread|"
    r"clone3?)$|^operator (?:new|delete)|"
    r"^__(?:libc_|GI_|assert|asan|interceptor|pthread|cxa_|tsan|msan|ubsan|restore_rt)"
)


@dataclass(frozen=True, slots=True)
class Call:
    """One call as a runtime wrote it. ``number`` is its place in the trace where that is written, else None."""

    function: str
    file: str
    oldest_first: bool
    number: int | None = None


def read_call(line: str) -> Call | None:
    """Read one line as a call, or give None. No call is longer than 1,500 characters."""
    if len(line) > _LONGEST:
        return None
    for patterns, native in ((_SCRIPTED, False), (_NATIVE, True)):
        for pattern in patterns:
            if match := pattern.match(line):
                found = match.groupdict()
                number, function = found.get("number"), found.get("function") or ""
                return Call(
                    _named(function) if native else function,
                    found.get("file") or found.get("module") or "",
                    line.lstrip().startswith("File "),
                    None if number is None else int(number),
                )
    return None


def is_library(function: str, file: str) -> bool:
    """Say whether a call is one of a library or runtime, by its function or file."""
    return bool(_LIBRARY.search(file) or _LIBRARY.search(function))


def _named(function: str) -> str:
    """Take the arguments away, and write a mangled C++ name of plain parts as it is written in C++."""
    plain = _ARGUMENTS.sub("", function).strip()
    if not (match := _MANGLED.match(plain)):
        return plain
    parts, rest = [], match[1]
    while digits := re.match(r"\d+", rest):
        end = digits.end() + int(digits[0])
        parts.append(rest[digits.end() : end])
        rest = rest[end:]
    return "::".join(parts)
