"""Types of expressions, as far as the text says them: declared, literal, created, cast."""

from __future__ import annotations

import re

from ast_grep_py import SgNode

from audit.code import kinds, nodes
from audit.code.taint import Taint

BOXED = frozenset(["Integer", "Long", "Short", "Byte", "Character", "Double", "Float", "Boolean"])
_INTEGRAL = frozenset(["int", "short", "byte", "char", "Integer", "Short", "Byte", "Character"])


def type_of(node: SgNode, taint: Taint, depth: int = 12) -> str:
    """Return the type of an expression as far as it can be read: declared, literal, created, cast; else ""."""
    kind = node.kind()
    if depth <= 0:
        return ""
    if kind in {"identifier", "field_access", "variable_name"}:
        return taint.declared(node)
    if kind in kinds.STRINGS and kind not in {"character_literal", "char_literal"}:
        return "String"
    if kind in {"decimal_integer_literal", "hex_integer_literal"}:
        return "long" if node.text().lower().endswith("l") else "int"
    if kind == "decimal_floating_point_literal":
        return "float" if node.text().lower().endswith("f") else "double"
    if kind in {"true", "false"}:
        return "boolean"
    if kind == "character_literal":
        return "char"
    if kind == "parenthesized_expression" and node.named_children():
        return type_of(node.named_children()[0], taint, depth - 1)
    if kind == "assignment_expression" and (left := node.field("left")) is not None:
        return type_of(left, taint, depth - 1)
    if kind in {"object_creation_expression", "cast_expression", "array_creation_expression"}:
        made = node.field("type")
        return (made.text() if made else "") + ("[]" if kind.startswith("array") else "")
    if kind == "binary_expression":
        operator = node.field("operator")
        left, right = node.field("left"), node.field("right")
        if (
            operator is not None
            and operator.text() in {"+", "-", "*", "/", "%", "<<", ">>"}
            and left is not None
            and right is not None
        ):
            return _wider(type_of(left, taint, depth - 1), type_of(right, taint, depth - 1))
    if kind == "method_invocation":
        called = nodes.callee(node)
        if re.search(r"\.(length|size|indexOf|hashCode|nextInt|ordinal|compareTo)$", called):
            return "int"
        if re.search(
            r"\.(toString|trim|substring|toLowerCase|toUpperCase|getName|concat|replace)$|^String\.(valueOf|format|join)$",
            called,
        ):
            return "String"
        if re.fullmatch(r"(this\.)?\w+", called) and (returned := _returned(called.split(".")[-1], node)):
            return returned
        if called.endswith("getStackTrace"):
            return "StackTraceElement[]"
        if re.search(r"^(Integer|Long|Double|Boolean|BigDecimal)\.valueOf$", called):
            return called.split(".")[0]
    return ""


def _returned(name: str, node: SgNode) -> str:
    """Return the declared return type of a method of the same text, or ""."""
    pattern = rf"([\w.]+(?:<[^<>()]*>)?(?:\[\])*)\s+{re.escape(name)}\s*\([^()]*\)\s*(?:throws [\w., ]+)?\{{"
    found = re.search(pattern, node.get_root().root().text()[:60_000])
    return found.group(1) if found and found.group(1) not in {"new", "return", "else"} else ""


def _wider(left: str, right: str) -> str:
    if "String" in (left, right):
        return "String"
    for one in ("double", "float", "long"):
        if one in (left, right) or one.capitalize() in (left, right):
            return one
    return "int" if left in _INTEGRAL and right in _INTEGRAL else ""


def bare_type(kind: str) -> str:
    return re.sub(r"<.*>", "", kind).split(".")[-1].strip()


def sides_of(match: SgNode) -> tuple[SgNode, SgNode] | None:
    left, right = match.field("left"), match.field("right")
    return (left, right) if left is not None and right is not None else None


def boxed_name(kind: str) -> str:
    return {
        "int": "Integer",
        "long": "Long",
        "char": "Character",
        "boolean": "Boolean",
        "double": "Double",
        "float": "Float",
        "short": "Short",
        "byte": "Byte",
    }.get(kind, kind)


def stored_as(match: SgNode, taint: Taint) -> tuple[SgNode | None, str]:
    """Return the value and the type it is stored in or returned as."""
    if match.kind() == "variable_declarator":
        parent = match.parent()
        declared = parent.field("type") if parent is not None else None
        return match.field("value"), declared.text() if declared is not None else ""
    if match.kind() == "assignment_expression":
        left = match.field("left")
        return match.field("right"), type_of(left, taint) if left is not None else ""
    if match.kind() == "return_statement":
        function = nodes.function_of(match)
        declared = function.field("type") if function is not None else None
        inner = match.named_children()
        return (inner[0] if inner else None), declared.text() if declared is not None else ""
    return None, ""


def unwrapped(node: SgNode) -> SgNode:
    while node.kind() == "parenthesized_expression" and node.named_children():
        node = node.named_children()[0]
    return node
