"""Checks on objects, resources and asynchronous values: never closed, changed while iterated, stale, undefined."""

from __future__ import annotations

import re

from ast_grep_py import SgNode

from audit.code import nodes
from audit.code.taint import Taint


def never_closed(match: SgNode, taint: Taint) -> SgNode | None:
    """Report a resource that is opened and, in the same function, neither closed nor handed on."""
    if match.kind() in nodes.CALLS:
        return match
    target = match.field("left") or match.field("name")
    if target is None or not re.fullmatch(r"\$?\w+", target.text()):
        return None
    name = re.escape(target.text())
    scope = taint.scope_of(match)
    text = scope.node.text()[max(0, nodes.end(match) - nodes.start(scope.node)) :]
    closed = rf"(?<![\w.]){name}\s*\.\s*(close|Close|shutdown|detach|dispose|Dispose)|closing\(\s*{name}|with\s+{name}\b|(close|fclose)\(\s*{name}"
    handed = rf"(return|yield)\b[^\n]*(?<![\w.]){name}\b(?!\.)|self\.\w+\s*=\s*{name}\b|\b(append|add|put|enter_context|push|callback)\(\s*{name}|=\s*{name}\s*$|[(,]\s*{name}\s*[,)]"
    return None if re.search(closed, text) or re.search(handed, text, re.MULTILINE) else match


def modifies_iterated(match: SgNode, taint: Taint) -> SgNode | None:
    """Report a loop that adds to or removes from the collection it iterates, and goes on."""
    right = match.field("right") or match.field("value")
    body = match.field("body")
    if right is None or body is None:
        return None
    name = re.sub(r"\.(keys|items|values|keySet|entrySet|values)\(\)$", "", right.text())
    if not re.fullmatch(r"[\w.]+", name):
        return None
    changing = re.compile(
        rf"(?<![\w.]){re.escape(name)}\.(remove|pop|append|insert|add|clear|discard|put|addAll|removeAll|delete)\s*\(|del\s+{re.escape(name)}\["
    )
    for it in nodes.walk(body, 4000):
        if it.kind() in {"expression_statement", "delete_statement", "if_statement"} and changing.match(it.text()):
            following = [one for one in it.next_all() if one.is_named()]
            if any(one.kind() in {"break_statement", "return_statement"} for one in following):
                return None
            return it
    return None


def coroutine_dropped(match: SgNode, taint: Taint) -> SgNode | None:
    """Report a call of a function declared async in this text whose result nobody awaits or handles."""
    call = match.named_children()[0]
    called = nodes.callee(call)
    last = called.split(".")[-1]
    if not re.fullmatch(r"((self|this)\.)?\w+|asyncio\.sleep", called) or (not re.fullmatch(r"\w+", last)):
        return None
    if nodes.function_of(match) is None and not called.startswith("asyncio"):
        return None
    around = nodes.function_of(match)
    is_async = (around is not None and bool(re.match(r"\s*async\b", around.text()))) or (
        around is not None and "async" in around.text()[:40]
    )
    root = taint.scope_of(match)
    while root.outer is not None:
        root = root.outer
    text = root.node.text()
    if called == "asyncio.sleep":
        return match
    declared = rf"\basync\s+(def|function)\s+{last}\b|\b{last}\s*=\s*async\b|^\s*(static\s+)?async\s+{last}\s*\("
    plain = rf"(?<!async )\b(def|function)\s+{last}\b"
    return match if is_async and re.search(declared, text, re.MULTILINE) and not re.search(plain, text) else None


def stale_write(match: SgNode, taint: Taint) -> SgNode | None:
    """Report a shared variable or property written from its own value as it was before an await."""
    left, right = match.field("left"), match.field("right")
    if left is None or right is None:
        return None
    name = left.text()
    plain = match.kind() == "assignment_expression"
    waiting = re.search(r"\b(await|yield)\b", right.text())
    if waiting is None:
        return None
    if plain and not re.search(rf"(?<![\w.]){re.escape(name)}(?![\w.])", right.text()[: waiting.start()]):
        return None
    if left.kind() == "identifier":
        scope, _ = taint.bindings(name, left)
        own = nodes.function_of(match)
        if scope is None or own is None:
            return match if scope is None and own is not None else None
        if nodes.start(scope.node) == nodes.start(own) and name not in scope.parameters:
            captured = any(
                it.kind() in nodes.FUNCTIONS
                and nodes.start(it) > nodes.start(own)
                and re.search(rf"\b{re.escape(name)}\b", it.text())
                for it in nodes.walk(own, 4000)
            )
            return match if captured else None
        return match
    return match if left.kind() == "member_expression" else None


def for_in_unguarded(match: SgNode, taint: Taint) -> SgNode | None:
    """Report for-in over an object whose body does not begin by asking whether the key is the object's own."""
    body = match.field("body")
    if body is None:
        return None
    if body.kind() == "empty_statement":
        return None
    inner = (
        [it for it in body.named_children() if it.kind() != "comment"] if body.kind() == "statement_block" else [body]
    )
    if not inner:
        return None
    if len(inner) == 1 and inner[0].kind() == "if_statement":
        return None
    first = inner[0]
    condition = first.field("condition") if first.kind() == "if_statement" else None
    guard = condition is not None and re.search(r"continue", first.text()) is not None
    return None if guard or re.search(r"hasOwn", body.text()) else match


def chain_may_be_undefined(match: SgNode, taint: Taint) -> SgNode | None:
    """Report an optional chain in parentheses, or where undefined throws: called, read, spread, iterated, destructured."""
    kind = match.kind()
    if kind in {"call_expression", "member_expression", "subscript_expression", "new_expression"}:
        base = match.field("function") or match.field("object") or match.field("constructor")
        if base is None or base.kind() != "parenthesized_expression":
            return None
        after = match.text()[len(base.text()) :].lstrip()
        return None if after.startswith("?.") or not _ends_in_chain(base) else match
    if kind == "spread_element":
        parent = match.parent()
        inner = match.named_children()[0] if match.named_children() else None
        return (
            match
            if inner is not None
            and parent is not None
            and parent.kind() in {"array", "arguments"}
            and _ends_in_chain(inner)
            else None
        )
    if kind == "binary_expression":
        operator, right = match.field("operator"), match.field("right")
        return (
            match
            if operator is not None
            and right is not None
            and operator.text() in {"in", "instanceof"}
            and _ends_in_chain(right)
            else None
        )
    if kind in {"variable_declarator", "assignment_expression"}:
        left, right = match.field("name") or match.field("left"), match.field("value") or match.field("right")
        patterned = left is not None and left.kind() in {"object_pattern", "array_pattern"}
        return match if patterned and right is not None and _ends_in_chain(right) else None
    if kind == "for_in_statement":
        operator, right = match.field("operator"), match.field("right")
        return (
            match
            if operator is not None and operator.text() == "of" and right is not None and _ends_in_chain(right)
            else None
        )
    if kind in {"class_heritage", "with_statement"}:
        inner = match.named_children()[0] if match.named_children() else None
        return match if inner is not None and _ends_in_chain(inner) else None
    return None


def _ends_in_chain(node: SgNode, depth: int = 8) -> bool:
    """Say whether the value of ``node`` may be the undefined of an optional chain."""
    if depth <= 0:
        return False
    kind = node.kind()
    inner = node.named_children()
    if kind in {"parenthesized_expression", "await_expression", "non_null_expression"} and inner:
        return kind != "non_null_expression" and _ends_in_chain(inner[-1], depth - 1)
    if kind in {"member_expression", "call_expression", "subscript_expression"}:
        if any(it.kind() == "optional_chain" or it.text() == "?." for it in node.children()):
            return True
        base = node.field("object") or node.field("function")
        return base is not None and base.kind() != "parenthesized_expression" and _ends_in_chain(base, depth - 1)
    if kind == "binary_expression":
        operator = node.field("operator")
        sign = operator.text() if operator else ""
        left, right = node.field("left"), node.field("right")
        if sign in {"||", "??"} and right is not None:
            return _ends_in_chain(right, depth - 1)
        if sign == "&&":
            return any(it is not None and _ends_in_chain(it, depth - 1) for it in (left, right))
        return False
    if kind == "ternary_expression":
        return any(
            it is not None and _ends_in_chain(it, depth - 1)
            for it in (node.field("consequence"), node.field("alternative"))
        )
    if kind == "sequence_expression" and inner:
        return _ends_in_chain(inner[-1], depth - 1)
    return False
