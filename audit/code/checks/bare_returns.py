"""Checks on functions of Python of which one path returns a value, another nothing, and whose value is used."""

from __future__ import annotations

import re

from ast_grep_py import SgNode

from audit.code import kinds, nodes
from audit.code.taint import Taint


def others_return_values(match: SgNode, taint: Taint) -> SgNode | None:
    """Report a bare return where every other return gives a value with which a caller of this text computes."""
    function = nodes.function_of(match)
    if function is None:
        return None
    head = function.text()[:400].split(":\n")[0]
    if not any(_computed_with(it) for it in taint.calls_of(taint.scope_of(match))):
        return None
    if re.search(r"->[^:]*\b(None|Optional|NoReturn|Generator|Iterator)\b", head):
        return None
    found, stack = [], list(function.named_children())
    while stack:
        it = stack.pop()
        if it.kind() in kinds.FUNCTIONS or it.kind() == "class_definition":
            continue
        if it.kind() == "yield":
            return None
        if it.kind() == "return_statement":
            found.append(it)
        stack.extend(it.named_children())
    values = [it.named_children()[0].text() for it in found if it.named_children()]
    return match if len(values) >= 2 and all(it != "None" for it in values) else None


def _computed_with(call: SgNode) -> bool:
    """Say whether a call stands where None would raise: in arithmetic, or read into."""
    around = call.parent()
    return around is not None and around.kind() in {"binary_operator", "attribute", "subscript", "augmented_assignment"}
