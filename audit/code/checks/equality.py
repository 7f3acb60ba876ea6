"""Checks on equals and hashCode of Java."""

from __future__ import annotations

import re

from ast_grep_py import SgNode

from audit.code import nodes
from audit.code.declarations import methods_of, modifiers_of, name_of, parameter_types
from audit.code.expression_types import BOXED, bare_type, boxed_name, sides_of, type_of
from audit.code.taint import Taint

_VALUES = re.compile(
    r"^(BigDecimal|BigInteger|Optional\w*|LocalDate|LocalTime|LocalDateTime|Instant|Duration|Date|UUID|URI|Path|List|Set|Map|ArrayList|HashMap"
    r"|Collection|ZonedDateTime|Period|Locale|Money)\b"
)

_ABOVE = {
    **dict.fromkeys(("Integer", "Long", "Short", "Byte", "Double", "Float"), "Number Comparable"),
    **dict.fromkeys(("ArrayList", "LinkedList"), "List Collection Iterable"),
    **dict.fromkeys(("HashSet", "TreeSet", "LinkedHashSet"), "Set Collection Iterable"),
    **dict.fromkeys(("HashMap", "TreeMap", "LinkedHashMap"), "Map"),
    **dict.fromkeys(("List", "Set", "Queue", "Deque"), "Collection Iterable"),
    "String": "CharSequence Comparable",
    "StringBuilder": "CharSequence",
}


def equals_without_hash(match: SgNode, taint: Taint) -> SgNode | None:
    """Report a class that overrides equals(Object) and not hashCode()."""
    body = match.field("body")
    if body is None:
        return None
    equals = next(
        (
            it
            for it in methods_of(body)
            if name_of(it) == "equals" and parameter_types(it) == ["Object"] and "static" not in modifiers_of(it)
        ),
        None,
    )
    hashes = any(name_of(it) == "hashCode" and not parameter_types(it) for it in methods_of(body))
    return equals if equals is not None and not hashes and "abstract" not in modifiers_of(equals) else None


def equals_overloads(match: SgNode, taint: Taint) -> SgNode | None:
    """Report equals with a parameter that is no Object, where none overrides Object.equals."""
    body = match.field("body")
    if body is None:
        return None
    all_equals = [it for it in methods_of(body) if name_of(it) == "equals" and "static" not in modifiers_of(it)]
    if any(parameter_types(it) == ["Object"] for it in all_equals):
        return None
    for it in all_equals:
        kind = it.field("type")
        if len(parameter_types(it)) == 1 and kind is not None and kind.text() == "boolean":
            return it
    return None


def _equals_around(match: SgNode) -> SgNode | None:
    function = nodes.function_of(match)
    return (
        function
        if function is not None and name_of(function) == "equals" and parameter_types(function) == ["Object"]
        else None
    )


def equals_different_pairs(match: SgNode, taint: Taint) -> SgNode | None:
    """Report equals that compares one field of this with another of that."""
    method = _equals_around(match)
    if method is None:
        return None
    if match.kind() == "binary_expression":
        left, right = match.field("left"), match.field("right")
    else:
        given, owner = nodes.arguments(match), nodes.receiver(match)
        left, right = (given[0], given[1]) if len(given) == 2 else (owner, given[0] if len(given) == 1 else None)
    if left is None or right is None:
        return None
    own = re.fullmatch(r"(?:this\.)?(\w+)(\(\))?", left.text())
    other = re.fullmatch(r"(\w+)\.(\w+)(\(\))?", right.text())
    if own is None or other is None or other.group(1) == "this":
        own, other = (
            re.fullmatch(r"(?:this\.)?(\w+)(\(\))?", right.text()),
            re.fullmatch(r"(\w+)\.(\w+)(\(\))?", left.text()),
        )
    if (
        own is None
        or other is None
        or other.group(1) in {"this", "Objects"}
        or own.group(1) in {"this", "null", "true", "false"}
        or own.group(1).isdigit()
    ):
        return None
    parameters = method.field("parameters")
    if parameters is not None and re.search(rf"\b{re.escape(own.group(1))}\b", parameters.text()):
        return None
    if other.group(2) in {"getClass", "length", "size"}:
        return None
    return match if own.group(1) != other.group(2) else None


def equals_casts_unchecked(match: SgNode, taint: Taint) -> SgNode | None:
    """Report equals(Object) that casts its parameter without asking for its type."""
    if name_of(match) != "equals" or parameter_types(match) != ["Object"]:
        return None
    text = match.text()
    cast = next((it for it in nodes.walk(match, 2000) if it.kind() == "cast_expression"), None)
    return (
        cast
        if cast is not None
        and not re.search(r"instanceof|getClass\s*\(|isInstance|catch\s*\(\s*ClassCast|isAssignableFrom", text)
        else None
    )


def equals_by_hash(match: SgNode, taint: Taint) -> SgNode | None:
    """Report equals(Object) that returns whether two hash codes are the same."""
    if name_of(match) != "equals" or parameter_types(match) != ["Object"]:
        return None
    returned = [
        it
        for it in nodes.walk(match, 2000)
        if it.kind() == "return_statement" and re.search(r"hashCode\(\)\s*==\s*[\w.]*hashCode\(\)", it.text())
    ]
    return (
        returned[0]
        if returned and not re.search(r"\.equals\(|&&.*==|==.*&&", returned[0].text().replace("hashCode() ==", ""))
        else None
    )


def compares_classes(match: SgNode, taint: Taint) -> SgNode | None:
    """Report equals that compares getClass()."""
    return match if _equals_around(match) is not None else None


def string_identity(match: SgNode, taint: Taint) -> SgNode | None:
    """Report == or != between strings, where neither side is null."""
    sides = sides_of(match)
    if sides is None or any(it.kind() == "null_literal" for it in sides):
        return None
    types = [bare_type(type_of(it, taint)) for it in sides]
    if types == ["String", "String"]:
        return match
    literal = any(it.kind() == "string_literal" for it in sides)
    other = next((it for it in sides if it.kind() != "string_literal"), None)
    return (
        match
        if literal
        and other is not None
        and other.kind() in {"identifier", "method_invocation", "field_access", "array_access"}
        else None
    )


def boxed_identity(match: SgNode, taint: Taint) -> SgNode | None:
    """Report == or != between two boxed numbers, or two values of a type that defines equals."""
    sides = sides_of(match)
    if sides is None:
        return None
    left, right = (bare_type(type_of(it, taint)) for it in sides)
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
    return (
        match
        if static and len(given) == 2 and given[0].text() == given[1].text() and "(" not in given[0].text()
        else None
    )


def equals_incompatible(match: SgNode, taint: Taint) -> SgNode | None:
    """Report equals between two types that can never be equal."""
    owner, given = nodes.receiver(match), nodes.arguments(match)
    if owner is None:
        return None
    if owner.text() in {"Objects", "Objects."} and len(given) == 2:
        pair = (given[0], given[1])
    elif len(given) == 1:
        pair = (owner, given[0])
    else:
        return None
    left, right = (boxed_name(bare_type(type_of(it, taint))) for it in pair)
    final = BOXED | {"String", "BigDecimal", "BigInteger", "UUID", "LocalDate"}
    if left in final and right in final and left != right:
        return match
    arrays = [it for it in (left, right) if it.endswith("[]")]
    return match if len(arrays) == 1 and "" not in (left, right) and "Object" not in (left, right) else None


def bigdecimal_equals(match: SgNode, taint: Taint) -> SgNode | None:
    """Report equals on a BigDecimal."""
    owner, given = nodes.receiver(match), nodes.arguments(match)
    candidates = [it for it in (owner, *given) if it is not None]
    return match if any(bare_type(type_of(it, taint)) == "BigDecimal" for it in candidates) else None


def collection_incompatible(match: SgNode, taint: Taint) -> SgNode | None:
    """Report a look-up in a collection by a type it never holds."""
    owner, given = nodes.receiver(match), nodes.arguments(match)
    if owner is None or not given:
        return None
    declared = re.match(
        r"[\w.]*(Map|Set|List|Collection|Deque|Queue)\s*<\s*(\w+)(?:\s*,\s*([\w<>]+))?\s*>$", type_of(owner, taint)
    )
    if declared is None:
        return None
    method = re.split(r"\.", nodes.callee(match))[-1]
    wanted = declared.group(3) if method == "containsValue" else declared.group(2)
    if declared.group(1) == "List" and method in {"remove", "get"}:
        return None
    value = boxed_name(bare_type(type_of(given[0], taint)))
    known = BOXED | {"String", "BigDecimal", "UUID"}
    return match if wanted in known and value in known and wanted != value else None


def instance_of_own_type(match: SgNode, taint: Taint) -> SgNode | None:
    """Report instanceof with the type that the value is declared to have."""
    left = match.field("left") or match.child(0)
    right = match.field("right")
    if left is None or right is None:
        return None
    has, asked = bare_type(type_of(left, taint)), bare_type(right.text())
    if not has or not asked:
        return None
    own = re.search(rf"\b(?:class|interface)\s+{re.escape(has)}\b[^{{]*", match.get_root().root().text()[:60_000])
    above = {has, "Object", *_ABOVE.get(has, "").split(), *re.findall(r"\w+", own.group() if own else "")}
    return match if asked in above else None


def class_of_enum(match: SgNode, taint: Taint) -> SgNode | None:
    """Report getClass() on a value of an enum that the text declares."""
    owner = nodes.receiver(match)
    if owner is None:
        return None
    kind = bare_type(type_of(owner, taint))
    constant = re.match(r"^(\w+)\.[A-Z_0-9]+$", owner.text())
    name = kind or (constant.group(1) if constant else "")
    return (
        match if name and re.search(rf"\benum\s+{re.escape(name)}\b", match.get_root().root().text()[:60_000]) else None
    )
