"""Checks on declared types, for languages that declare them: identity, equality, numbers, arrays, optionals."""

from __future__ import annotations

import re

from ast_grep_py import SgNode

from audit.code import nodes
from audit.code.taint import Taint

BOXED = frozenset("Integer Long Short Byte Character Double Float Boolean".split())
_VALUES = re.compile(
    r"^(BigDecimal|BigInteger|Optional\w*|LocalDate|LocalTime|LocalDateTime|Instant|Duration|Date|UUID|URI|Path|List|Set|Map|ArrayList|HashMap"
    r"|Collection|ZonedDateTime|Period|Locale|Money)\b"
)
_INTEGRAL = frozenset("int short byte char Integer Short Byte Character".split())
_PRIMITIVE_ARRAY = re.compile(r"^(int|long|short|byte|char|double|float|boolean)\[\]$")
_STREAM = re.compile(r"(\.|^)(stream|parallelStream|map|filter|sorted|distinct|limit|skip|flatMap|mapToObj|boxed|peek|Stream\.of|Arrays\.stream)$")


def _type(node: SgNode, taint: Taint, depth: int = 12) -> str:
    """Return the type of an expression as far as it can be read: declared, literal, created, cast; else ""."""
    kind = node.kind()
    if depth <= 0:
        return ""
    if kind in {"identifier", "field_access", "variable_name"}:
        return taint.declared(node)
    if kind in nodes.STRINGS and kind not in {"character_literal", "char_literal"}:
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
        return _type(node.named_children()[0], taint, depth - 1)
    if kind == "assignment_expression" and (left := node.field("left")) is not None:
        return _type(left, taint, depth - 1)
    if kind in {"object_creation_expression", "cast_expression", "array_creation_expression"}:
        made = node.field("type")
        return (made.text() if made else "") + ("[]" if kind.startswith("array") else "")
    if kind == "binary_expression":
        operator = node.field("operator")
        left, right = node.field("left"), node.field("right")
        if operator is not None and operator.text() in {"+", "-", "*", "/", "%", "<<", ">>"} and left is not None and right is not None:
            return _wider(_type(left, taint, depth - 1), _type(right, taint, depth - 1))
    if kind == "method_invocation":
        called = nodes.callee(node)
        if re.search(r"\.(length|size|indexOf|hashCode|nextInt|ordinal|compareTo)$", called):
            return "int"
        if re.search(r"\.(toString|trim|substring|toLowerCase|toUpperCase|getName|concat|replace)$|^String\.(valueOf|format|join)$", called):
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


def _base(kind: str) -> str:
    return re.sub(r"<.*>", "", kind).split(".")[-1].strip()


def _sides(match: SgNode) -> tuple[SgNode, SgNode] | None:
    left, right = match.field("left"), match.field("right")
    return (left, right) if left is not None and right is not None else None


def string_identity(match: SgNode, taint: Taint) -> SgNode | None:
    """Report == or != between strings, where neither side is null."""
    sides = _sides(match)
    if sides is None or any(it.kind() == "null_literal" for it in sides):
        return None
    types = [_base(_type(it, taint)) for it in sides]
    if types == ["String", "String"]:
        return match
    literal = any(it.kind() == "string_literal" for it in sides)
    other = next((it for it in sides if it.kind() != "string_literal"), None)
    return match if literal and other is not None and other.kind() in {"identifier", "method_invocation", "field_access", "array_access"} else None


def boxed_identity(match: SgNode, taint: Taint) -> SgNode | None:
    """Report == or != between two boxed numbers, or two values of a type that defines equals."""
    sides = _sides(match)
    if sides is None:
        return None
    left, right = (_base(_type(it, taint)) for it in sides)
    if left in BOXED and right in BOXED:
        return match
    if _VALUES.match(left) and _VALUES.match(right) and "this" not in (sides[0].text(), sides[1].text()):
        return match
    return None


def equals_itself(match: SgNode, taint: Taint) -> SgNode | None:
    """Report ``a.equals(a)``, ``a.compareTo(a)``, ``Objects.equals(a, a)``."""
    owner, given = nodes.receiver(match), nodes.arguments(match)
    if owner is not None and len(given) == 1 and owner.text() == given[0].text() and not re.search(r"\(", owner.text()):
        return match
    static = owner is not None and re.fullmatch(r"Objects?|Ints|Longs|Integer|Long|Boolean|Double|Arrays", owner.text())
    return match if static and len(given) == 2 and given[0].text() == given[1].text() and "(" not in given[0].text() else None


def equals_incompatible(match: SgNode, taint: Taint) -> SgNode | None:
    """Report equals between two types that can never be equal."""
    owner, given = nodes.receiver(match), nodes.arguments(match)
    if owner is None:
        return None
    if owner.text() in {"Objects", "Objects.", "Objects"} and len(given) == 2:
        pair = (given[0], given[1])
    elif len(given) == 1:
        pair = (owner, given[0])
    else:
        return None
    left, right = (_boxed(_base(_type(it, taint))) for it in pair)
    final = BOXED | {"String", "BigDecimal", "BigInteger", "UUID", "LocalDate"}
    if left in final and right in final and left != right:
        return match
    arrays = [it for it in (left, right) if it.endswith("[]")]
    return match if len(arrays) == 1 and "" not in (left, right) and "Object" not in (left, right) else None


def _boxed(kind: str) -> str:
    return {"int": "Integer", "long": "Long", "char": "Character", "boolean": "Boolean", "double": "Double", "float": "Float", "short": "Short", "byte": "Byte"}.get(kind, kind)


def bigdecimal_equals(match: SgNode, taint: Taint) -> SgNode | None:
    """Report equals on a BigDecimal."""
    owner, given = nodes.receiver(match), nodes.arguments(match)
    candidates = [it for it in (owner, *given) if it is not None]
    return match if any(_base(_type(it, taint)) == "BigDecimal" for it in candidates) else None


def bigdecimal_double(match: SgNode, taint: Taint) -> SgNode | None:
    """Report a BigDecimal made from a double that is not exact."""
    given = nodes.arguments(match)
    if not given:
        return None
    text = given[0].text().rstrip("dDfF")
    if re.fullmatch(r"-?\d*\.\d+(e-?\d+)?", text, re.I):
        value = float(text)
        return match if (value * 2**20) % 1 else None
    return match if _type(given[0], taint) in {"double", "float"} and given[0].kind() == "identifier" else None


def array_as_text(match: SgNode, taint: Taint) -> SgNode | None:
    """Report an array or a stream that is turned into text."""
    if match.kind() == "binary_expression":
        sides = _sides(match)
        operator = match.field("operator")
        if sides is None or operator is None or operator.text() != "+":
            return None
        texts = [_type(it, taint) for it in sides]
        for one, other in ((0, 1), (1, 0)):
            if texts[one] == "String" and (_is_array(sides[other], taint) or _is_stream(sides[other])):
                return match
        return None
    called, given, owner = nodes.callee(match), nodes.arguments(match), nodes.receiver(match)
    if called.endswith(".toString") and not given and owner is not None:
        return match if _is_array(owner, taint) or _is_stream(owner) or _type(owner, taint).startswith("Stream<") else None
    if re.search(r"(^|\.)(println|print|append|valueOf|format|printf)$", called):
        start = 1 if called.endswith(("format", "printf")) else 0
        if called.endswith("valueOf") and not called.startswith("String"):
            return None
        arrays = [it for it in given[start:] if (_is_array(it, taint) and _type(it, taint) not in {"char[]", "Object[]", "String[]"}) or (_is_array(it, taint) and start == 0 and _type(it, taint) != "char[]") or _is_stream(it)]
        return match if arrays else None
    return None


def _is_array(node: SgNode, taint: Taint) -> bool:
    return _type(node, taint).endswith("[]") and node.kind() != "array_access"


def _is_stream(node: SgNode) -> bool:
    return node.kind() == "method_invocation" and bool(_STREAM.search(nodes.callee(node))) and bool(re.search(r"stream\(|Stream\.of\(", node.text()))


def primitive_as_list(match: SgNode, taint: Taint) -> SgNode | None:
    """Report Arrays.asList on an array of primitives."""
    given = nodes.arguments(match)
    return match if len(given) == 1 and _PRIMITIVE_ARRAY.match(_type(given[0], taint)) else None


def fill_incompatible(match: SgNode, taint: Taint) -> SgNode | None:
    """Report Arrays.fill with a value that the array cannot hold."""
    given = nodes.arguments(match)
    if len(given) not in {2, 4}:
        return None
    held = _type(given[0], taint).removesuffix("[]")
    value = _boxed(_base(_type(given[-1], taint)))
    known = BOXED | {"String"}
    return match if held in known and value in known and held != value else None


def widened_too_late(match: SgNode, taint: Taint) -> SgNode | None:
    """Report int arithmetic that is widened to long only after it may have overflowed."""
    value, target = _target(match, taint)
    if value is None or target not in {"long", "Long"}:
        return None
    value = _unwrap(value)
    operator = value.field("operator") if value.kind() == "binary_expression" else None
    if operator is None or operator.text() not in {"*", "+", "-", "<<"} or _type(value, taint) != "int":
        return None
    constant = all(it.kind() not in {"identifier", "method_invocation", "field_access", "array_access"} for it in nodes.walk(value, 40))
    return None if constant else match


def divided_too_early(match: SgNode, taint: Taint) -> SgNode | None:
    """Report an integer division whose result becomes a float, or an int that a float cannot hold."""
    value, target = _target(match, taint)
    if value is None or target not in {"double", "float", "Double", "Float"}:
        return None
    value = _unwrap(value)
    for it in [value, *(value.named_children() if value.kind() == "binary_expression" else [])]:
        inner = _unwrap(it)
        operator = inner.field("operator") if inner.kind() == "binary_expression" else None
        if operator is not None and operator.text() == "/" and _type(inner, taint) in {"int", "long"}:
            right = inner.field("right")
            left = inner.field("left")
            exact = left is not None and right is not None and re.fullmatch(r"\d+", left.text()) and re.fullmatch(r"\d+", right.text()) and int(right.text()) and int(left.text()) % int(right.text()) == 0
            return None if exact else match
    return None


def float_holds_too_little(match: SgNode, taint: Taint) -> SgNode | None:
    """Report an int or long stored in a float without a cast."""
    value, target = _target(match, taint)
    if value is None or target not in {"float", "Float"} or value.kind() not in {"identifier", "binary_expression", "field_access"}:
        return None
    return match if _type(value, taint) in {"int", "long"} else None


def _target(match: SgNode, taint: Taint) -> tuple[SgNode | None, str]:
    """Return the value and the type it is stored in or returned as."""
    if match.kind() == "variable_declarator":
        parent = match.parent()
        declared = parent.field("type") if parent is not None else None
        return match.field("value"), declared.text() if declared is not None else ""
    if match.kind() == "assignment_expression":
        left = match.field("left")
        return match.field("right"), _type(left, taint) if left is not None else ""
    if match.kind() == "return_statement":
        function = nodes.function_of(match)
        declared = function.field("type") if function is not None else None
        inner = match.named_children()
        return (inner[0] if inner else None), declared.text() if declared is not None else ""
    return None, ""


def _unwrap(node: SgNode) -> SgNode:
    while node.kind() == "parenthesized_expression" and node.named_children():
        node = node.named_children()[0]
    return node


def narrows(match: SgNode, taint: Taint) -> SgNode | None:
    """Report a compound assignment that silently casts to a narrower type."""
    left, right, operator = match.field("left"), match.field("right"), match.field("operator")
    if left is None or right is None or operator is None or operator.text() not in {"+=", "-=", "*=", "/=", "%=", "<<="}:
        return None
    held, value = _type(left, taint), _type(right, taint)
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
    node = _unwrap(node)
    if node.kind() == "decimal_integer_literal":
        text = node.text().replace("_", "")
        return int(text) if text.isdigit() and len(text) < 20 else None
    if node.kind() != "binary_expression" or depth <= 0:
        return None
    sides, operator = _sides(node), node.field("operator")
    if sides is None or operator is None:
        return None
    left, right = _integer(sides[0], depth - 1), _integer(sides[1], depth - 1)
    if left is None or right is None or max(abs(left), abs(right)) > 2**62:
        return None
    return {"*": left * right, "+": left + right, "-": left - right}.get(operator.text())


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
        return match if _target(parent, taint)[1] in primitive else None
    if parent.kind() in {"if_statement", "while_statement", "unary_expression", "ternary_expression"}:
        condition = parent.field("condition")
        used = parent.kind() == "unary_expression" or (condition is not None and nodes.start(condition) <= nodes.start(match) <= nodes.end(condition))
        return match if used else None
    if parent.kind() == "binary_expression":
        operator = parent.field("operator")
        sides = _sides(parent)
        other = next((it for it in sides if it.text() != match.text()), None) if sides else None
        arithmetic = operator is not None and operator.text() in {"+", "-", "*", "/", "%", "<", ">", "<=", ">="}
        texty = other is not None and _type(other, taint) == "String"
        compared = operator is not None and operator.text() in {"==", "!="} and other is not None and _type(_unwrap(other), taint) in primitive
        return match if (arithmetic and not texty) or compared else None
    if parent.kind() == "argument_list":
        call = parent.parent()
        name = call.field("name") if call is not None and call.kind() == "method_invocation" else None
        if name is None:
            return None
        index = [nodes.start(it) for it in parent.named_children()].index(nodes.start(match)) if nodes.start(match) in [nodes.start(it) for it in parent.named_children()] else -1
        for it in nodes.walk(match.get_root().root(), 8000):
            if it.kind() == "method_declaration" and (declared := it.field("name")) is not None and declared.text() == name.text():
                holder = it.field("parameters")
                parameters = holder.named_children() if holder is not None else []
                kind = parameters[index].field("type") if 0 <= index < len(parameters) else None
                return match if kind is not None and kind.text() in primitive else None
    return None


def collection_incompatible(match: SgNode, taint: Taint) -> SgNode | None:
    """Report a look-up in a collection by a type it never holds."""
    owner, given = nodes.receiver(match), nodes.arguments(match)
    if owner is None or not given:
        return None
    declared = re.match(r"[\w.]*(Map|Set|List|Collection|Deque|Queue)\s*<\s*(\w+)(?:\s*,\s*([\w<>]+))?\s*>$", _type(owner, taint))
    if declared is None:
        return None
    method = re.split(r"\.", nodes.callee(match))[-1]
    wanted = declared.group(3) if method == "containsValue" else declared.group(2)
    if declared.group(1) == "List" and method in {"remove", "get"}:
        return None
    value = _boxed(_base(_type(given[0], taint)))
    known = BOXED | {"String", "BigDecimal", "UUID"}
    return match if wanted in known and value in known and wanted != value else None


def ambiguous_remove(match: SgNode, taint: Taint) -> SgNode | None:
    """Report List<Integer>.remove(int), which removes by position."""
    owner, given = nodes.receiver(match), nodes.arguments(match)
    if owner is None or len(given) != 1:
        return None
    kind = _type(owner, taint)
    return match if re.search(r"List\s*<\s*(Integer|Long|Short|Byte|Character)\s*>", kind) and _type(given[0], taint) in {"int", "short", "byte", "char"} else None


def instance_of_own_type(match: SgNode, taint: Taint) -> SgNode | None:
    """Report instanceof with the type that the value is declared to have."""
    left = match.field("left") or match.child(0)
    right = match.field("right")
    if left is None or right is None:
        return None
    return match if _base(_type(left, taint)) == _base(right.text()) and _base(right.text()) else None


def class_of_enum(match: SgNode, taint: Taint) -> SgNode | None:
    """Report getClass() on a value of an enum that the text declares."""
    owner = nodes.receiver(match)
    if owner is None:
        return None
    kind = _base(_type(owner, taint))
    constant = re.match(r"^(\w+)\.[A-Z_0-9]+$", owner.text())
    name = kind or (constant.group(1) if constant else "")
    return match if name and re.search(rf"\benum\s+{re.escape(name)}\b", match.get_root().root().text()[:60_000]) else None


def is_enum_switch(match: SgNode, taint: Taint) -> SgNode | None:
    """Report a switch without default that leaves out values of an enum declared in the text."""
    body = match.field("body")
    if body is None or re.search(r"\bdefault\b", body.text()):
        return None
    cases = set(re.findall(r"\bcase\s+([\w, ]+)\s*(?::|->)", body.text()))
    named = {one.strip() for it in cases for one in it.split(",")}
    for found in re.finditer(r"\benum\s+(\w+)[^{]*\{([^;}]*)", match.get_root().root().text()[:60_000]):
        values = set(re.findall(r"(?:^|,)\s*(?:@\w+\s*)?([A-Z]\w*)", found.group(2)))
        if named and named < values:
            return match
    return None


def unused_collection(match: SgNode, taint: Taint) -> SgNode | None:
    """Report a local collection that is only ever added to."""
    name = match.field("name")
    function = nodes.function_of(match)
    if name is None or function is None:
        return None
    rest = function.text()[nodes.end(match) - nodes.start(function) :]
    uses = [it.group() for it in re.finditer(rf"(?<![\w.]){re.escape(name.text())}(?!\w)\s*(\.\s*\w+)?", rest)]
    if not uses or not all(re.search(r"\.\s*(add|put|addAll|putAll|set|remove|clear|push|offer|append|sort|addLast|addFirst)$", it) for it in uses):
        return None
    statements = all(re.search(rf"(^|[;{{}}])\s*{re.escape(name.text())}\s*\.", rest[max(0, it.start() - 2) : it.end()]) or re.search(r"[;{}]\s*$", rest[: it.start()]) for it in re.finditer(rf"(?<![\w.]){re.escape(name.text())}\s*\.", rest))
    return match if statements else None
