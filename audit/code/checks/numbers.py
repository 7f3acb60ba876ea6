"""Checks on numbers: overflow, lost fractions, narrowing, radix."""

from __future__ import annotations

import re

from ast_grep_py import SgNode

from audit.code import nodes
from audit.code.expression_types import sides_of, stored_as, type_of, unwrapped
from audit.code.taint import Taint


def bigdecimal_double(match: SgNode, taint: Taint) -> SgNode | None:
    """Report a BigDecimal made from a double that is not exact."""
    given = nodes.arguments(match)
    if not given:
        return None
    text = given[0].text().rstrip("dDfF")
    if re.fullmatch(r"-?\d*\.\d+(e-?\d+)?", text, re.I):
        value = float(text)
        return match if (value * 2**20) % 1 else None
    return match if type_of(given[0], taint) in {"double", "float"} and given[0].kind() == "identifier" else None


def widened_too_late(match: SgNode, taint: Taint) -> SgNode | None:
    """Report int arithmetic that is widened to long only after it may have overflowed."""
    value, target = stored_as(match, taint)
    if value is None or target not in {"long", "Long"}:
        return None
    value = unwrapped(value)
    operator = value.field("operator") if value.kind() == "binary_expression" else None
    if operator is None or operator.text() not in {"*", "+", "-", "<<"} or type_of(value, taint) != "int":
        return None
    constant = all(
        it.kind() not in {"identifier", "method_invocation", "field_access", "array_access"}
        for it in nodes.walk(value, 40)
    )
    return None if constant else match


def divided_too_early(match: SgNode, taint: Taint) -> SgNode | None:
    """Report an integer division whose result becomes a float, or an int that a float cannot hold."""
    value, target = stored_as(match, taint)
    if value is None or target not in {"double", "float", "Double", "Float"}:
        return None
    value = unwrapped(value)
    for it in [value, *(value.named_children() if value.kind() == "binary_expression" else [])]:
        inner = unwrapped(it)
        operator = inner.field("operator") if inner.kind() == "binary_expression" else None
        if operator is not None and operator.text() == "/" and type_of(inner, taint) in {"int", "long"}:
            right = inner.field("right")
            left = inner.field("left")
            exact = (
                left is not None
                and right is not None
                and re.fullmatch(r"\d+", left.text())
                and re.fullmatch(r"\d+", right.text())
                and int(right.text())
                and int(left.text()) % int(right.text()) == 0
            )
            return None if exact else match
    return None


def float_holds_too_little(match: SgNode, taint: Taint) -> SgNode | None:
    """Report an int or long stored in a float without a cast."""
    value, target = stored_as(match, taint)
    if (
        value is None
        or target not in {"float", "Float"}
        or value.kind() not in {"identifier", "binary_expression", "field_access"}
    ):
        return None
    operator = value.field("operator")
    if operator is not None and operator.text() in {"/", "%"}:
        return None
    return match if type_of(value, taint) in {"int", "long"} else None


def narrows(match: SgNode, taint: Taint) -> SgNode | None:
    """Report a compound assignment that silently casts to a narrower type."""
    left, right, operator = match.field("left"), match.field("right"), match.field("operator")
    if (
        left is None
        or right is None
        or operator is None
        or operator.text() not in {"+=", "-=", "*=", "/=", "%=", "<<="}
    ):
        return None
    held, value = type_of(left, taint), type_of(right, taint)
    if operator.text() == "<<=":
        return match if held in {"byte", "short", "char"} else None
    if held in {"byte", "short", "char", "int", "long"} and value in {"double", "float"}:
        return match
    if held == "float" and value == "double":
        return match
    if held in {"byte", "short", "char", "int"} and value == "long":
        return match
    return match if held in {"byte", "short", "char"} and value == "int" and right.kind() == "identifier" else None


def constant_overflows(match: SgNode, taint: Taint) -> SgNode | None:
    """Report constant int arithmetic whose result no int can hold."""
    parent = match.parent()
    if parent is not None and parent.kind() == "binary_expression":
        return None
    value = _integer(match, 20)
    return match if value is not None and not -(2**31) <= value < 2**31 else None


def _integer(node: SgNode, depth: int) -> int | None:
    node = unwrapped(node)
    if node.kind() == "decimal_integer_literal":
        text = node.text().replace("_", "")
        return int(text) if text.isdigit() and len(text) < 20 else None
    if node.kind() != "binary_expression" or depth <= 0:
        return None
    sides, operator = sides_of(node), node.field("operator")
    if sides is None or operator is None:
        return None
    left, right = _integer(sides[0], depth - 1), _integer(sides[1], depth - 1)
    if left is None or right is None or max(abs(left), abs(right)) > 2**62:
        return None
    return {"*": left * right, "+": left + right, "-": left - right}.get(operator.text())


def number_too_long(match: SgNode, taint: Taint) -> SgNode | None:
    """Report an integer or decimal literal that a double cannot hold."""
    text = match.text().replace("_", "").lower()
    if text.endswith("n") or "x" in text or "b" in text or "o" in text:
        if re.fullmatch(r"0x[0-9a-f]+", text):
            value = int(text, 16)
            return match if int(float(value)) != value else None
        return None
    if re.fullmatch(r"\d{16,}", text):
        return match if int(float(text)) != int(text) and len(text) < 400 else None
    digits = re.sub(r"e.*$", "", text).replace(".", "").strip("0")
    return match if len(digits) > 17 else None


def radix(match: SgNode, taint: Taint) -> SgNode | None:
    """Report parseInt without a second argument, or with one that is no radix."""
    given = nodes.arguments(match)
    if len(given) == 1:
        return match
    if len(given) > 1:
        text = given[1].text()
        if text in {"undefined", "null"} or nodes.string_text(given[1]) is not None:
            return match
        if re.fullmatch(r"\d+", text) and not 2 <= int(text) <= 36:
            return match
    return None


_TYPED = re.compile(r"(raw_)?input\(|(System\.)?Console\.ReadLine\(|\w+\.(nextLine|readLine)\(\)|(STDIN\.)?gets\b")


def converts_typed_text(match: SgNode, taint: Taint) -> SgNode | None:
    """Report a conversion of what ``input`` returned, with nothing around it that handles text that is no number."""
    given = nodes.arguments(match)
    if len(given) != 1:
        return None
    typed = given[0].text()
    if not _TYPED.match(typed):
        _, bound = taint.bindings(typed, given[0]) if re.fullmatch(r"\w+", typed) else (None, [])
        if not any(it.value is not None and _TYPED.match(it.value.text()) for it in bound):
            return None
        function = nodes.function_of(match) or match.get_root().root()
        if re.search(
            rf"{re.escape(typed)}\.(is\w+|strip\(\)\.is\w+)\(|(match|fullmatch)\([^)]*{re.escape(typed)}",
            function.text(),
        ):
            return None
    return match


def fraction_cast_away(match: SgNode, taint: Taint) -> SgNode | None:
    """Report ``(int)share * n``, where the value that is cast is a fraction by its literal or declared type."""
    left = match.field("left")
    value = left.field("value") if left is not None else None
    if value is None:
        return None
    fraction = re.fullmatch(r"\d*\.\d+[fFdDmM]?", value.text()) or taint.declared(value) in {
        "double",
        "float",
        "decimal",
    }
    return match if fraction else None
