"""Checks on Python loops whose condition nothing in them can change."""

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
