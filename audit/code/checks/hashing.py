"""Checks on equals and hashCode that disagree, and on objects compared by identity although they have equals."""

from __future__ import annotations

import re

from ast_grep_py import SgNode

from audit.code import nodes
from audit.code.declarations import methods_of, modifiers_of, name_of, parameter_types
from audit.code.expression_types import bare_type, sides_of, type_of
from audit.code.taint import Taint

_CLASSES = frozenset(["class_declaration", "record_declaration", "enum_declaration"])


def hashes_more_than_equals(match: SgNode, taint: Taint) -> SgNode | None:
    """Report hashCode() that reads a field which equals(Object) of the same class never mentions."""
    body = match.field("body")
    if body is None:
        return None
    methods = {name_of(it): it for it in methods_of(body) if parameter_types(it) in (["Object"], [])}
    equals, hashes = methods.get("equals"), methods.get("hashCode")
    if equals is None or hashes is None:
        return None
    compared = equals.text()
    if re.search(r"hashCode\(\)|super\.equals|reflectionEquals|toString\(\)", compared):
        return None
    fields = _instance_fields(body)
    lost = [it for it in fields if _mentions(hashes.text(), it) and not _mentions(compared, it)]
    return hashes if lost and any(_mentions(compared, it) for it in fields) else None


def _instance_fields(body: SgNode) -> list[str]:
    """Name the fields of a class that each object has of its own."""
    declared = [it for it in body.named_children() if it.kind() == "field_declaration"]
    return [
        name.text()
        for it in declared
        if "static" not in modifiers_of(it)
        for one in it.named_children()
        if one.kind() == "variable_declarator" and (name := one.field("name")) is not None
    ]


def _mentions(text: str, field: str) -> bool:
    getter = f"get{field[:1].upper()}{field[1:]}"
    return bool(re.search(rf"\b(?:{re.escape(field)}|{re.escape(getter)})\b", text))


def identity_of_equal_objects(match: SgNode, taint: Taint) -> SgNode | None:
    """Report == between two objects of a class of this text that overrides equals, or between their fields of text."""
    sides = sides_of(match)
    if sides is None or any(it.text() in {"this", "null"} for it in sides) or _within_equals(match):
        return None
    kinds = [bare_type(type_of(it, taint) or _field_type(it, taint)) for it in sides]
    if kinds[0] != kinds[1] or not kinds[0]:
        return None
    if kinds[0] == "String":
        return match
    return match if any(name_of(it) == kinds[0] and _overrides_equals(it) for it in _classes(match)) else None


def _within_equals(match: SgNode) -> bool:
    function = nodes.function_of(match)
    return function is not None and name_of(function) in {"equals", "compareTo", "compare"}


def _classes(match: SgNode) -> list[SgNode]:
    return [it for it in nodes.walk(match.get_root().root()) if it.kind() in _CLASSES - {"enum_declaration"}]


def _overrides_equals(declared: SgNode) -> bool:
    body = declared.field("body")
    return body is not None and any(
        name_of(it) == "equals" and parameter_types(it) == ["Object"] for it in methods_of(body)
    )


def _component_type(call: SgNode) -> str:
    """Return the type of a record's component, where one record of this text declares what ``call`` reads."""
    name = call.field("name")
    text = call.get_root().root().text()[:60_000]
    found = re.findall(rf"\brecord\s+\w+\s*\([^)]*?\b([\w.]+)\s+{name.text()}\s*[,)]", text) if name is not None else []
    return str(found[0]) if len(found) == 1 else ""


def _field_type(node: SgNode, taint: Taint) -> str:
    """Return the declared type of ``other.field`` where the class of ``other`` stands in this text."""
    if node.kind() == "method_invocation" and not nodes.arguments(node):
        return _component_type(node)
    if node.kind() != "field_access":
        return ""
    owner, field = node.field("object"), node.field("field")
    if owner is None or field is None:
        return ""
    holder = bare_type(taint.declared(owner))
    for it in _classes(node):
        body = it.field("body")
        if holder and name_of(it) == holder and body is not None:
            found = re.search(rf"([\w.<>\[\]]+)\s+{re.escape(field.text())}\s*[;=]", body.text())
            return found.group(1) if found else ""
    return ""
