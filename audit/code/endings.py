"""Where control surely leaves."""

from __future__ import annotations

import re

from ast_grep_py import SgNode

from audit.code import kinds

JUMPS = frozenset(
    [
        "return_statement",
        "throw_statement",
        "raise_statement",
        "break_statement",
        "continue_statement",
        "yield_statement",
        "exit_statement",
        "goto_statement",
    ]
)
LOOPS = frozenset(
    [
        "while_statement",
        "do_statement",
        "for_statement",
        "for_in_statement",
        "foreach_statement",
        "enhanced_for_statement",
    ]
)


def ends(node: SgNode, depth: int = 12) -> bool:
    """Say whether control surely leaves at ``node``."""
    kind = node.kind()
    if kind in JUMPS:
        return True
    if depth <= 0:
        return False
    if kind == "expression_statement":
        return bool(
            re.match(
                r"^(process\.exit|exit|die|System\.exit|abort|os\.Exit|panic|sys\.exit|throw\b|__builtin_unreachable)\b",
                node.text(),
            )
        )
    if kind in {"statement_block", "block", "compound_statement", "else_clause", "statement_list", "finally_clause"}:
        return any(ends(it, depth - 1) for it in node.named_children() if it.kind() != "comment")
    if kind == "if_statement":
        yes, no = node.field("consequence"), node.field("alternative")
        return yes is not None and no is not None and ends(yes, depth - 1) and ends(no, depth - 1)
    if kind == "try_statement":
        final = next((it for it in node.named_children() if it.kind() == "finally_clause"), None)
        if final is not None and ends(final, depth - 1):
            return True
        body, handler = node.field("body"), node.field("handler")
        caught = handler.field("body") if handler is not None else None
        return (
            body is not None
            and ends(body, depth - 1)
            and (handler is None or (caught is not None and ends(caught, depth - 1)))
        )
    if kind == "switch_statement":
        body = node.field("body")
        cases = (
            [it for it in body.named_children() if it.kind() in {"switch_case", "switch_default"}]
            if body is not None
            else []
        )
        if not any(it.kind() == "switch_default" for it in cases) or any(_breaks(it) for it in cases):
            return False
        return bool(cases) and _ends_in(cases[-1], depth)
    if kind in {"while_statement", "do_statement", "for_statement"}:
        condition = node.field("condition")
        endless = (condition is None and kind == "for_statement") or (
            condition is not None and condition.text().strip("(); ") in {"true", "1", ""}
        )
        return endless and not _breaks(node)
    return False


def _ends_in(case: SgNode, depth: int) -> bool:
    body = [it for it in case.named_children() if it.kind() != "comment"]
    return bool(body) and ends(body[-1], depth - 1)


def _breaks(node: SgNode) -> bool:
    """Say whether a break within ``node`` leaves it, those of inner loops and functions apart."""
    stack = list(node.named_children())
    while stack:
        it = stack.pop()
        if it.kind() == "break_statement":
            return True
        if it.kind() not in kinds.FUNCTIONS and it.kind() not in LOOPS and it.kind() != "switch_statement":
            stack.extend(it.named_children())
    return False
