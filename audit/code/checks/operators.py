"""Checks on operators: precedence, bits for booleans, both sides alike."""

from __future__ import annotations

import re

from ast_grep_py import SgNode

from audit.code import kinds, nodes
from audit.code.taint import Taint

_ALWAYS_NEW = frozenset(
    ["object", "array", "arrow_function", "function_expression", "class", "regex", "new_expression"]
)
_ASKS = re.compile(r"(^|\.|->)(is|has|get|Is|Has|Get)_?[A-Z]\w*$|(^|\.)\w+\?$|\.(length|size|Len|Count|name)$")
_NAMES_OF_TYPES = frozenset(["undefined", "object", "boolean", "number", "string", "function", "symbol", "bigint"])


def bitwise_on_booleans(match: SgNode, taint: Taint) -> SgNode | None:
    """Report & or | between comparisons or booleans."""
    sides = (match.field("left"), match.field("right"))
    return match if all(it is not None and _is_boolean(it, taint) for it in sides) else None


def _is_boolean(node: SgNode, taint: Taint) -> bool:
    while node.kind() == "parenthesized_expression" and node.named_children():
        node = node.named_children()[0]
    if node.kind() in {"true", "false", "instanceof_expression"} or node.text().startswith("!"):
        return True
    operator = node.field("operator") if node.kind() == "binary_expression" else None
    if operator is not None:
        if operator.text() in {"&", "|"}:
            return all(it is not None and _is_boolean(it, taint) for it in (node.field("left"), node.field("right")))
        return operator.text() in {"==", "!=", "<", ">", "<=", ">=", "&&", "||"}
    if node.kind() == "method_invocation":
        return (
            re.search(
                r"\.?(is[A-Z]\w*|has[A-Z]\w*|equals|contains|startsWith|endsWith|isEmpty|test)\([^()]*\)$", node.text()
            )
            is not None
        )
    return taint.declared(node) in {"boolean", "Boolean"}


def mixed_operators(match: SgNode, taint: Taint) -> SgNode | None:
    """Report operators of different precedence side by side, unless both are plain bit masks of one kind."""
    operator = match.field("operator")
    sign = operator.text() if operator is not None else ""
    inner = [
        it for it in (match.field("left"), match.field("right")) if it is not None and it.kind() == "binary_expression"
    ]
    signs = {found.text() for it in inner if (found := it.field("operator")) is not None}
    if signs == {sign}:
        return None
    return match


def constant_binary(match: SgNode, taint: Taint) -> SgNode | None:
    """Report an operator whose result its operands fix: a new object compared, a constant before || or ??."""
    left, right, operator = match.field("left"), match.field("right"), match.field("operator")
    if left is None or right is None or operator is None:
        return None
    sign = operator.text()
    left, right = _open(left), _open(right)
    if sign in {"===", "!==", "==", "!="}:
        if left.kind() in _ALWAYS_NEW or right.kind() in _ALWAYS_NEW:
            return (
                match
                if sign in {"===", "!=="}
                or (right.kind() in {"object", "array", "new_expression"} and left.kind() not in {"string", "number"})
                else None
            )
        for one, other in ((left, right), (right, left)):
            if other.text() in {"null", "undefined"} and (
                _never_null(one)
                or (
                    one.kind() in {"binary_expression"}
                    and _sign(one) in {"+", "-", "*", "/", "==", "===", "!=", "!==", "<", ">"}
                )
            ):
                return match
            if (
                one.text().startswith("!")
                and one.kind() == "unary_expression"
                and other.kind() in {"string", "number", "null", "undefined", "object", "array"}
                and sign in {"===", "!=="}
            ):
                return match
            if (
                other.text() in {"true", "false"}
                and sign in {"===", "!=="}
                and (
                    one.kind() in {"string", "number", "object", "array"}
                    or (one.kind() == "binary_expression" and _sign(one) in {"+", "-", "*"})
                )
            ):
                return match
        return None
    if sign == "??":
        return (
            match
            if _never_null(left)
            or left.text() in {"null", "undefined"}
            or (left.kind() == "binary_expression" and _sign(left) not in {"||", "&&", "??"})
            else None
        )
    if sign in {"&&", "||"}:
        return (
            match
            if left.kind()
            in {
                "object",
                "array",
                "arrow_function",
                "function_expression",
                "class",
                "regex",
                "new_expression",
                "string",
                "number",
                "true",
                "false",
                "null",
                "undefined",
            }
            or (left.kind() == "unary_expression" and left.text().startswith(("typeof", "void")))
            else None
        )
    return None


def _open(node: SgNode) -> SgNode:
    while node.kind() == "parenthesized_expression" and node.named_children():
        node = node.named_children()[0]
    return node


def _sign(node: SgNode) -> str:
    operator = node.field("operator")
    return operator.text() if operator else ""


def _never_null(node: SgNode) -> bool:
    if node.kind() in {
        "string",
        "number",
        "template_string",
        "object",
        "array",
        "arrow_function",
        "function_expression",
        "class",
        "regex",
        "new_expression",
        "true",
        "false",
        "update_expression",
    }:
        return True
    return node.kind() == "unary_expression" and not node.text().startswith("void")


def same_operands(match: SgNode, taint: Taint) -> SgNode | None:
    """Report a comparison or operation whose two sides are the same expression without effects."""
    sides = [it for it in match.named_children() if it.kind() != "comment"]
    if len(sides) != 2 or sides[0].text() != sides[1].text():
        return None
    return match if _has_no_effect(sides[0]) and len(sides[0].text()) < 200 else None


def _has_no_effect(node: SgNode) -> bool:
    return node.kind() not in kinds.LITERALS and all(
        "update" not in it.kind() and (it.kind() not in kinds.CALLS or _only_asks(it)) for it in nodes.walk(node, 60)
    )


def _only_asks(call: SgNode) -> bool:
    """Say whether a call reads a property: ``isEmpty()``, ``getName()``, ``IsZero()``."""
    return not nodes.arguments(call) and bool(_ASKS.search(nodes.callee(call)))


def no_type_name(match: SgNode, taint: Taint) -> SgNode | None:
    """Report a comparison of typeof with a literal that typeof never returns."""
    for side in match.named_children():
        text = nodes.string_text(side)
        if text is not None and text not in _NAMES_OF_TYPES:
            return match
        if side.kind() in {"undefined", "null"}:
            return match
    return None


def clears_own_bit(match: SgNode, taint: Taint) -> SgNode | None:
    """Report ``n = n ^ (n - 1)`` and ``n ^= n - 1`` within a loop."""
    names = re.findall(r"[A-Za-z_]\w*", match.text())
    looped = any(it.kind().startswith(("while", "for", "do")) for it in match.ancestors())
    return match if len(set(names)) == 1 and looped else None
