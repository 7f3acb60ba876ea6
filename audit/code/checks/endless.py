"""Checks on Python loops that do not end: nothing changes their condition, or a continue jumps over what does."""

from __future__ import annotations

import re

from ast_grep_py import SgNode

from audit.code import nodes
from audit.code.taint import Taint

_COMPARED = re.compile(r"[a-z_]\w*|\d+")
_LEAVES = re.compile(r"\b(break|return|raise|yield|await|exit|exec|eval|locals|globals)\b")


def counter_never_moves(match: SgNode, taint: Taint) -> SgNode | None:
    """Report a while loop that compares local numbers which its body only reads, and that nothing else leaves."""
    condition, body = match.field("condition"), match.field("body")
    function = nodes.function_of(match)
    if condition is None or body is None or function is None or _LEAVES.search(body.text()):
        return None
    found = re.fullmatch(r"(\w+)\s*(?:<|>|<=|>=|!=|==)\s*(\w+)", condition.text().strip("() "))
    sides = [found.group(1), found.group(2)] if found else []
    if not sides or not all(_COMPARED.fullmatch(it) for it in sides):
        return None
    names = [it for it in sides if not it.isdigit()]
    if not names or any(_may_change(it, body.text()) or _shared(it, function.text()) for it in names):
        return None
    return match if all(taint.bindings(it, match)[0] is not None for it in names) else None


def _may_change(name: str, body: str) -> bool:
    """Say whether ``body`` binds ``name`` again in any of the ways Python has, or reaches into it."""
    it = rf"\b{re.escape(name)}\b"
    return bool(
        re.search(
            rf"(?m)^[^=\n#]*{it}[^=\n]*(?<![=!<>])=(?!=)|\bfor\b[^:\n]*{it}[^:\n]*\bin\b|\b(as|del|import)\s+{it}|{it}\s*:=|{it}\s*[.\[]",
            body,
        )
    )


def _shared(name: str, function: str) -> bool:
    return bool(re.search(rf"\b(global|nonlocal)\b[^\n]*\b{re.escape(name)}\b", function))


def continue_skips_counter(match: SgNode, taint: Taint) -> SgNode | None:
    """Report a continue in a while loop that stands before the only change of the counter its condition compares."""
    condition, body = match.field("condition"), match.field("body")
    found = (
        re.fullmatch(r"(\w+)\s*(?:<|>|<=|>=|!=)\s*[\w.()\[\]]+", condition.text().strip("() ")) if condition else None
    )
    if found is None or body is None:
        return None
    name = found.group(1)
    moves = [nodes.start(it) for it in nodes.walk(body) if it.kind() == "augmented_assignment" and _is(it, name)]
    others = re.findall(rf"(?m)\b{re.escape(name)}\b\s*(?::?=)(?!=)", body.text())
    if len(moves) != 1 or others:
        return None
    for step in body.named_children():
        if nodes.start(step) >= moves[0]:
            return None
        if step.kind() == "if_statement" and (left := _goes_on(step)) is not None:
            return left
    return None


def _is(change: SgNode, name: str) -> bool:
    left = change.field("left")
    return left is not None and left.text() == name


def _goes_on(step: SgNode) -> SgNode | None:
    """Return the continue that is all a branch does; one that does more may change what its test asks."""
    branch = step.field("consequence")
    done = branch.named_children() if branch is not None else []
    return done[0] if len(done) == 1 and done[0].kind() == "continue_statement" else None
