"""Checks on what is tested before a lock is taken, and on locks of one object around what all objects share."""

from __future__ import annotations

import re

from ast_grep_py import SgNode

from audit.code import kinds, nodes
from audit.code.taint import Taint

_LOCK = re.compile(
    r"\.(Lock|lock|acquire|Enter|Wait|writeLock\(\)\.lock)\(|\block\s*\(|\bsynchronized\b|\bwith\s+(self\.)?_?\w*(lock|mutex)\w*\s*:"
    r"|\.synchronize\b"
)
_FIELD = re.compile(r"(?<![\w.])(?:self|this|[a-z]\w?)\.\w+|(?<![\w.])@?_\w+|(?<![\w.(])@\w+")
_CHANGED = (
    r"\s*(\+\+|--|[-+*/|&]?=(?!=)|\.(add|put|append|remove|push|pop|Add|Remove|Enqueue|Dequeue|offer|poll|insert)\()"
)


def checked_outside_lock(match: SgNode, taint: Taint) -> SgNode | None:
    """Report a field that is tested before a lock is taken, changed under it, and not tested again."""
    function = nodes.function_of(match)
    if function is None:
        return None
    text, offset = function.text(), nodes.start(function)
    at = nodes.start(match) - offset
    if _LOCK.search(text[:at]):
        return None
    held = text[at:]
    before = [
        it
        for it in nodes.walk(function, 4_000)
        if it.kind() in {"if_statement", "if", "unless"} and nodes.start(it) < nodes.start(match)
    ]
    for it in before:
        condition = it.field("condition")
        for name in {found.rstrip("(") for found in _FIELD.findall(condition.text()[:300])} if condition else ():
            known = rf"(?<![\w.]){re.escape(name)}(?![\w(])"
            again = rf"\b(if|while|unless|assert)\b[^\n]*{known}|[?&|]{{1,2}}[^\n]*{known}\s*[<>=]=?"
            changed = re.search(rf"{known}{_CHANGED}|(\+\+|--){known}|append\({known}|delete\({known}", held)
            if changed is not None and not re.search(again, held[: changed.start() + 1]):
                return it
    return None


def static_under_instance_lock(match: SgNode, taint: Taint) -> SgNode | None:
    """Report a static field of C# that is changed under ``this`` or under a lock that each object has of its own."""
    body = match.named_children()[-1]
    held = re.match(r"lock\s*\(\s*(?:this\.)?(\w+)\s*\)", match.text())
    if held is None:
        return None
    text = match.get_root().root().text()[:60_000]
    own = held.group(1) == "this" or (
        re.search(rf"^(?![^\n]*\bstatic\b)[^\n]*\b{held.group(1)}\s*(=|;)", text, re.MULTILINE)
        and not re.search(rf"\bstatic\b[^\n]*\b{held.group(1)}\s*(=|;)", text)
    )
    if not own:
        return None
    shared = re.findall(r"\bstatic\s+(?:readonly\s+|volatile\s+)*[\w<>\[\], ?]+\s+(\w+)\s*(?:=(?!>)|;)", text)
    for it in nodes.walk(body, 2_000):
        if it.kind() in kinds.ASSIGNMENTS or it.kind() in {"postfix_unary_expression", "prefix_unary_expression"}:
            changed = re.search(r"\w+", it.text())
            if changed is not None and changed.group() in shared:
                return it
    return None
