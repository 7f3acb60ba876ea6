"""Checks on memory and pointers in C: copies without a bound, use after free, leaks, null, sizes."""

from __future__ import annotations

import re

from ast_grep_py import SgNode

from audit.code import around, built, kinds, nodes
from audit.code.flows import Level
from audit.code.taint import Taint


def _array_size(name: str, body: str) -> int | None:
    found = re.search(rf"\bchar\s+{re.escape(name)}\s*\[\s*(\d+)\s*\]", body)
    return int(found.group(1)) if found else None


def c_unbounded_copy(match: SgNode, taint: Taint) -> SgNode | None:
    """Report a string copy whose source may be longer than its target."""
    given = nodes.arguments(match)
    if len(given) != 2:
        return None
    target, origin = given
    literal = nodes.string_text(origin)
    if literal is not None:
        size = _array_size(target.text(), around.body(match))
        return match if size is not None and "cpy" in nodes.callee(match) and len(literal) + 1 > size else None
    value = taint.trace(origin)
    name = re.escape(origin.text())
    measured = re.search(rf"(strlen|strnlen)\s*\(\s*{name}\s*\)", around.before(match)) or re.search(
        rf"\b{re.escape(target.text())}\s*=\s*[^;]*(malloc|realloc|calloc)\(", around.before(match)
    )
    return match if value.level >= Level.GIVEN and not measured else None


def c_unbounded_print(match: SgNode, taint: Taint) -> SgNode | None:
    """Report sprintf of a text of any length."""
    given = nodes.arguments(match)
    values = [taint.trace(it) for it in given[2:]]
    measured = any(re.search(rf"strlen\s*\(\s*{re.escape(it.text())}\s*\)", around.before(match)) for it in given[2:])
    return match if any(it.level >= Level.GIVEN for it in values) and not measured else None


def c_length_unchecked(match: SgNode, taint: Taint) -> SgNode | None:
    """Report a copy whose length was read from outside, or is the source's and not the target's."""
    given = nodes.arguments(match)
    if len(given) < 3:
        return None
    length = given[2]
    called = nodes.callee(match)
    if called in {"read", "recv"}:
        size = _array_size(given[1].text(), around.body(match))
        asked = int(length.text()) if length.text().isdigit() else None
        return match if size is not None and asked is not None and asked > size else None
    if called in {"strncpy", "strncat", "memcpy", "memmove"} and re.fullmatch(
        rf"strlen\(\s*{re.escape(given[1].text())}\s*\)(\s*\+\s*1)?", length.text()
    ):
        fixed = _array_size(given[0].text(), around.body(match)) is not None
        checked = re.search(r"if\s*\([^)]*(strlen|sizeof)", around.before(match))
        return match if fixed and not checked else None
    value = taint.trace(length)
    if length.kind() != "identifier" or called not in {"memcpy", "memmove", "bcopy"}:
        return None
    fixed = _array_size(given[0].text(), around.body(match)) is not None
    checked = re.search(rf"if\s*\([^;{{]*\b{re.escape(length.text())}\b", around.before(match)) or re.search(
        r"\bmin\s*\(", around.before(match)
    )
    function = nodes.function_of(match)
    is_parameter = function is not None and length.text() in taint.scope_of(match).parameters
    return match if fixed and not checked and (value.level is Level.OUTSIDE or is_parameter) else None


def c_past_the_end(match: SgNode, taint: Taint) -> SgNode | None:
    """Report a loop up to and including the declared size of the array that it indexes."""
    condition = match.field("condition")
    found = re.fullmatch(r"(\w+)\s*<=\s*(\w+)", condition.text()) if condition is not None else None
    if found is None:
        return None
    for array in re.finditer(rf"(\w+)\s*\[\s*{found.group(1)}\s*\]", match.text()):
        if re.search(rf"\b[\w ]+\s\*?{array.group(1)}\s*\[\s*{found.group(2)}\s*\]\s*[;={{]", around.before(match)):
            return match
    return None


def c_format_not_constant(match: SgNode, taint: Taint) -> SgNode | None:
    """Report a printf whose format is a variable that may hold a value from elsewhere."""
    given = nodes.arguments(match)
    index = {
        "printf": 0,
        "vprintf": 0,
        "warn": 0,
        "fprintf": 1,
        "sprintf": 1,
        "syslog": 1,
        "err": 1,
        "dprintf": 1,
        "snprintf": 2,
    }[nodes.callee(match)]
    if len(given) <= index:
        return None
    form = given[index]
    if form.kind() in kinds.STRINGS or (
        form.kind() in kinds.CALLS and re.match(r"(_|gettext|ngettext|dgettext)$", nodes.callee(form))
    ):
        return None
    if _constant_format(form, taint):
        return None
    value = taint.trace(form)
    last = len(given) == index + 1
    return (
        match
        if value.level is Level.OUTSIDE
        or (value.level >= Level.GIVEN and last and form.kind() != "concatenated_string")
        else None
    )


def _constant_format(node: SgNode, taint: Taint) -> bool:
    if node.kind() == "conditional_expression":
        return all(it.kind() in kinds.STRINGS for it in node.named_children()[1:])
    parts = built.pieces(node, taint)
    return bool(parts) and all(isinstance(it, str) for it in parts)


def c_sizeof_pointer(match: SgNode, taint: Taint) -> SgNode | None:
    """Report sizeof of a pointer as the size of a copy or an allocation."""
    found = re.fullmatch(r"sizeof\s*\(?\s*(\w+)\s*\)?", match.text())
    call = next((it for it in match.ancestors() if it.kind() == "call_expression"), None)
    if (
        found is None
        or call is None
        or not re.match(
            r"(memset|memcpy|memmove|strncpy|snprintf|fgets|malloc|calloc|read|recv|fread|memcmp)$", nodes.callee(call)
        )
    ):
        return None
    name = found.group(1)
    body = around.body(match)
    pointer = re.search(
        rf"\b(char|int|void|long|float|double|struct \w+|\w+_t|unsigned char|[A-Z]\w*)\s*\*+\s*{name}\b", body
    )
    array = re.search(rf"\b\w+\s+{name}\s*\[", body[body.find("{") :] if "{" in body else body)
    if pointer is None:
        parameter = re.search(rf"[(,]\s*(?:const\s+)?\w+\s+{name}\s*\[\s*\d*\s*\]\s*[,)]", body)
        return match if parameter and array is None else None
    return match if array is None else None


def c_size_given(match: SgNode, taint: Taint) -> SgNode | None:
    """Report an allocation whose size is a product with a number from a caller that nothing bounds."""
    names = [it for it in re.findall(r"[A-Za-z_]\w*", match.text()) if it not in {"malloc", "sizeof"}]
    scope = taint.scope_of(match)
    for name in names:
        kind = scope.types.get(name, "")
        parameter = scope.parameters.get(name)
        if parameter is None or "*" in parameter.text() or kind.startswith(("struct", "char")):
            continue
        if not re.search(rf"if\s*\([^{{;]*\b{name}\b|assert\w*\([^;]*\b{name}\b", around.before(match)):
            return match
    return None


def c_string_identity(match: SgNode, taint: Taint) -> SgNode | None:
    """Report == between a char pointer and a literal; C++ strings compare by value."""
    other = next((it for it in match.named_children() if it.kind() != "string_literal"), None)
    if (
        other is None
        or other.kind() not in {"identifier", "field_expression", "subscript_expression"}
        or other.text() == "NULL"
    ):
        return None
    kind = taint.declared(other)
    body = match.get_root().root().text()[:60_000]
    return (
        None
        if "string" in kind or re.search(rf"\bstring\s*&?\s*{re.escape(other.text())}\b|std::|auto ", body)
        else match
    )
