"""Checks on Go: errors, goroutines, deferred calls, maps."""

from __future__ import annotations

import re

from ast_grep_py import SgNode

from audit.code import built, nodes
from audit.code.flows import Level
from audit.code.taint import Taint


def _body(match: SgNode) -> str:
    function = nodes.function_of(match)
    while (
        function is not None
        and function.kind() == "func_literal"
        and (outer := nodes.function_of(function)) is not None
    ):
        function = outer
    return function.text() if function is not None else match.get_root().root().text()[:60_000]


def go_address(match: SgNode, taint: Taint) -> SgNode | None:
    """Report a request whose address comes from outside; the method comes first in some calls."""
    given = nodes.arguments(match)
    index = {"http.NewRequest": 1, "http.NewRequestWithContext": 2, "net.Dial": 1, "net.DialTimeout": 1}.get(
        nodes.callee(match), 0
    )
    if len(given) <= index:
        return None
    value = taint.trace(given[index], "address")
    fixed = built.joined(built.pieces(given[index], taint))
    outside = value.level is Level.OUTSIDE and not taint.guarded(value, match, "url")
    return match if outside and not re.match(r"https?://[\w.-]+(:\d+)?[/?]", fixed) else None


def go_redirect(match: SgNode, taint: Taint) -> SgNode | None:
    """Report a redirect whose target comes from outside."""
    given = nodes.arguments(match)
    index = 2 if nodes.callee(match) == "http.Redirect" else 1
    if len(given) <= index:
        return None
    value = taint.trace(given[index], "url")
    fixed = built.joined(built.pieces(given[index], taint))
    outside = value.level is Level.OUTSIDE and not taint.guarded(value, match, "url")
    return match if outside and not re.match(r"https?://[\w.-]+(:\d+)?/|/[\w?#]", fixed) else None


def _first_name(match: SgNode) -> str:
    found = re.match(r"\s*(\w+)", match.text())
    return found.group(1) if found else ""


def go_never_closed(match: SgNode, taint: Taint) -> SgNode | None:
    """Report an opened file or connection that is neither closed, returned nor stored."""
    name = _first_name(match)
    body = _body(match)
    return (
        None
        if name in {"_", ""}
        or re.search(
            rf"\b{name}\.Close\(|return\s+[^\n]*\b{name}\b|\.\w+\s*=\s*{name}\b|:\s*{name}\b|\w\(\s*{name}\s*[,)]", body
        )
        else match
    )


def go_map_written(match: SgNode, taint: Taint) -> SgNode | None:
    """Report a map that is declared without a value and written before it is made."""
    name = _first_name(match)
    body = _body(match)
    after = body[body.find(match.text()) + len(match.text()) :]
    written = re.search(rf"(?<![\w.]){name}\[[^\]]+\]\s*(=(?!=)|\+\+|\+=)", after)
    made = re.search(rf"(?<![\w.]){name}\s*=\s*|&{name}\b|(?<![\w.]){name}\s*,\s*\w+\s*=", after)
    return match if written and (made is None or made.start() > written.start()) else None


def go_deferred_too_early(match: SgNode, taint: Taint) -> SgNode | None:
    """Report a deferred Close between a call and the check of its error."""
    found = re.match(r"defer\s+(\w+)", match.text())
    before = next((it for it in match.prev_all() if it.is_named() and it.kind() != "comment"), None)
    after = next((it for it in match.next_all() if it.is_named() and it.kind() != "comment"), None)
    if found is None or before is None or after is None:
        return None
    opened = re.match(rf"{found.group(1)}\s*,\s*err\s*:?=", before.text())
    return match if opened and re.match(r"if\s+err\s*!=\s*nil", after.text()) else None


def go_unguarded_write(match: SgNode, taint: Taint) -> SgNode | None:
    """Report a goroutine that changes a variable of the function around it without a lock."""
    literal = next((it for it in nodes.walk(match, 400) if it.kind() == "func_literal"), None)
    if literal is None:
        return None
    text = literal.text()
    if re.search(r"\.(Lock|RLock)\(|atomic\.|<-", text):
        return None
    scope = taint.scope_of(match)
    looped = any(it.kind() == "for_statement" for it in match.ancestors())
    for found in re.finditer(
        r"(?<![\w.:\]])([a-z]\w*)\s*(\+\+|--|[-+*/]=)|(?<![\w.])([a-z]\w*)\s*=\s*append\(|(?<![\w.])([a-z]\w*)\[[^\]]+\]\s*=(?!=)",
        text,
    ):
        name = found.group(1) or found.group(3) or found.group(4)
        own = re.search(rf"\b{name}\s*:=|\bvar\s+{name}\b|func\([^)]*\b{name}\b", text)
        by_index = found.group(4) and re.search(
            r"make\(\[\]", "".join(it.value.text() for it in scope.bound.get(name, []) if it.value)
        )
        if name in scope.bound and not own and looped and not by_index:
            return match
    return None


def go_captures_loop_variable(match: SgNode, taint: Taint) -> SgNode | None:
    """Report a goroutine that reads the variable of the loop around it."""
    loop = next((it for it in match.ancestors() if it.kind() == "for_statement"), None)
    literal = next((it for it in nodes.walk(match, 400) if it.kind() == "func_literal"), None)
    head = re.match(r"for\s+([\w, ]+?)\s*:=", loop.text()) if loop is not None else None
    if head is None or literal is None or loop is None:
        return None
    for name in re.findall(r"[a-z]\w*", head.group(1)):
        copied = re.search(rf"\b{name}\s*:=\s*{name}\b", loop.text())
        parameter = re.match(rf"func\([^)]*\b{name}\b", literal.text())
        if not copied and not parameter and re.search(rf"(?<![\w.]){name}\b", literal.text()):
            return match
    return None


def go_narrows_parsed(match: SgNode, taint: Taint) -> SgNode | None:
    """Report a narrowing conversion of a number that was parsed at full width."""
    given = nodes.arguments(match)
    if len(given) != 1 or given[0].kind() != "identifier":
        return None
    _, bound = taint.bindings(given[0].text(), given[0])
    wide = any(
        it.value is not None and re.match(r"strconv\.(Atoi\(|Parse(Int|Uint)\([^)]*,\s*64\s*\))", it.value.text())
        for it in bound
    )
    body = _body(match)
    checked = re.search(rf"if\s+[^{{]*\b{re.escape(given[0].text())}\s*[<>]|math\.Max", body)
    return match if wide and not checked else None


def go_checked_then_used(match: SgNode, taint: Taint) -> SgNode | None:
    """Report a file that is asked about in a condition which returns, and acted on after it."""
    asked = re.search(r"os\.(?:Stat|Lstat)\((\w+)\)", match.text().split("{")[0])
    function = nodes.function_of(match)
    if asked is None or function is None or "return" not in match.text():
        return None
    rest = function.text()[nodes.end(match) - nodes.start(function) :]
    acts = rf"\b(os\.(Create|WriteFile|Remove|RemoveAll|Rename|Mkdir)|ioutil\.WriteFile)\(\s*{asked.group(1)}\b"
    return match if re.search(acts, rest) and "O_EXCL" not in rest else None
