"""Checks on null and undefined."""

from __future__ import annotations

import re

from ast_grep_py import SgNode

from audit.code import nodes
from audit.code.condition_text import normal
from audit.code.expression_types import sides_of, stored_as, type_of, unwrapped
from audit.code.taint import Taint


def moves_by_two_unchecked(match: SgNode, taint: Taint) -> SgNode | None:
    """Report a loop that moves a pointer by two and never asks whether the pointer itself is null."""
    found = re.search(
        r"(\w+)\s*=\s*(\w+)(?:\.getSuccessor\(\)\.getSuccessor\(\)|\.next\.next|\.getNext\(\)\.getNext\(\)|\.next\(\)\.next\(\))",
        match.text(),
    )
    if found is None:
        return None
    name = found.group(2)
    asked = re.search(
        rf"(?<![\w.]){name}\s*[!=]=\s*null|null\s*[!=]=\s*{name}(?![\w.])|!\s*{name}\b|\bis\s+(not\s+)?None",
        match.text(),
    )
    return None if asked else match


def null_unboxed(match: SgNode, taint: Taint) -> SgNode | None:
    """Report a ternary with a null branch whose value becomes a primitive."""
    branches = [match.field("consequence"), match.field("alternative")]
    if not any(it is not None and it.kind() == "null_literal" for it in branches):
        return None
    parent = match.parent()
    while parent is not None and parent.kind() == "parenthesized_expression":
        parent = parent.parent()
    if parent is None:
        return None
    primitive = {"int", "long", "short", "byte", "char", "double", "float", "boolean"}
    if parent.kind() in {"variable_declarator", "return_statement", "assignment_expression"}:
        return match if stored_as(parent, taint)[1] in primitive else None
    if parent.kind() in {"if_statement", "while_statement", "unary_expression", "ternary_expression"}:
        condition = parent.field("condition")
        used = parent.kind() == "unary_expression" or (
            condition is not None and nodes.start(condition) <= nodes.start(match) <= nodes.end(condition)
        )
        return match if used else None
    if parent.kind() == "binary_expression":
        operator = parent.field("operator")
        sides = sides_of(parent)
        other = next((it for it in sides if it.text() != match.text()), None) if sides else None
        arithmetic = operator is not None and operator.text() in {"+", "-", "*", "/", "%", "<", ">", "<=", ">="}
        texty = other is not None and type_of(other, taint) == "String"
        compared = (
            operator is not None
            and operator.text() in {"==", "!="}
            and other is not None
            and type_of(unwrapped(other), taint) in primitive
        )
        return match if (arithmetic and not texty) or compared else None
    if parent.kind() == "argument_list":
        call = parent.parent()
        name = call.field("name") if call is not None and call.kind() == "method_invocation" else None
        if name is None:
            return None
        index = (
            [nodes.start(it) for it in parent.named_children()].index(nodes.start(match))
            if nodes.start(match) in [nodes.start(it) for it in parent.named_children()]
            else -1
        )
        for it in nodes.walk(match.get_root().root(), 8000):
            if (
                it.kind() == "method_declaration"
                and (declared := it.field("name")) is not None
                and declared.text() == name.text()
            ):
                holder = it.field("parameters")
                parameters = holder.named_children() if holder is not None else []
                kind = parameters[index].field("type") if 0 <= index < len(parameters) else None
                return match if kind is not None and kind.text() in primitive else None
    return None


def null_used(match: SgNode, taint: Taint) -> SgNode | None:
    """Report a branch that uses what its condition just found to be null."""
    condition = match.field("condition")
    branch = match.field("consequence") or match.field("body")
    if condition is None or branch is None:
        return None
    text = normal(condition.text())
    found = re.fullmatch(
        r"!?(\$?[A-Za-z_][\w]*)(===?|==)(null|undefined|nil|NULL|None)|(null|undefined|NULL)(===?|==)(\$?\w+)|!(\$?[A-Za-z_]\w*)",
        text,
    )
    if found and found.group(7) and not re.match(r"\$?(p|ptr|node|obj|next|head|conn|user|data)\w*$", found.group(7)):
        return None
    name = next((it for it in (found.group(1), found.group(6), found.group(7)) if it), None) if found else None
    if name is None:
        both = re.match(r"(\$?[A-Za-z_]\w*)(===?)(null|undefined|NULL|nil)&&.*(?<![\w.])\1(\.|->)\w", text) or re.match(
            r"(\$?[A-Za-z_]\w*)(!==?)(null|undefined|NULL|nil)\|\|.*(?<![\w.])\1(\.|->)\w", text
        )
        return match if both else None
    body = branch.text()
    use = re.search(rf"(?<![\w.$>]){re.escape(name)}\s*(\.|->|\[)\s*[A-Za-z_\d\"'$]", body)
    reset = re.search(rf"(?<![\w.$>]){re.escape(name)}\s*(=(?!=)|:=)", body)
    if use is None or (reset is not None and reset.start() < use.start()):
        return None
    return branch if "?." not in use.group() else None


def nil_used(match: SgNode, taint: Taint) -> SgNode | None:
    """Report a branch of Python or Ruby that reads into what its condition just found to be None or nil."""
    condition, branch = match.field("condition"), match.field("consequence")
    name = re.match(r"\w+", condition.text()) if condition is not None else None
    if name is None or branch is None:
        return None
    it, body = re.escape(name.group()), branch.text()
    use = re.search(rf"(?<![\w.]){it}\s*\.\s*(?!nil\?|to_s|inspect|class)[a-z_]\w*", body)
    reset = re.search(rf"(?<![\w.]){it}\s*(\|\|)?=(?!=)", body)
    return branch if use is not None and (reset is None or use.start() < reset.start()) else None


def chain_may_be_undefined(match: SgNode, taint: Taint) -> SgNode | None:
    """Report an optional chain whose undefined would throw: called, read, spread, iterated or destructured."""
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
