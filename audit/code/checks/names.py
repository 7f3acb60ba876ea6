"""Checks on names: assigned where they must not be, defined twice."""

from __future__ import annotations

import re

from ast_grep_py import SgNode

from audit.code import kinds, nodes
from audit.code.taint import Taint

_PURE = frozenset({*kinds.NAMES, *kinds.MEMBERS, *kinds.SUBSCRIPTS, "this", "self"})


def assigned_to_itself(match: SgNode, taint: Taint) -> SgNode | None:
    """Report ``a = a``, also within destructuring of equal length."""
    left, right = match.field("left"), match.field("right")
    operator = match.field("operator")
    if left is None or right is None or (operator and operator.text() != "="):
        return None
    if left.text() == right.text() and left.kind() in _PURE:
        return match if all(it.kind() not in kinds.CALLS for it in nodes.walk(left, 40)) else None
    if left.kind() in {"array_pattern", "object_pattern"} and right.kind() in {"array", "object"}:
        lefts = [it.text() for it in left.named_children()]
        rights = [it.text() for it in right.named_children()]
        same = [a for a, b in zip(lefts, rights, strict=False) if a == b and re.fullmatch(r"[\w.]+", a)]
        if left.kind() == "object_pattern":
            same = [it for it in lefts if it in rights]
        return match if same else None
    return None


def duplicate_keys(match: SgNode, taint: Taint) -> SgNode | None:
    """Report the second entry of a literal with the same constant key."""
    seen: set[str] = set()
    for pair in match.named_children():
        key = (
            pair.field("key")
            if pair.kind() == "pair"
            else pair.field("name")
            if pair.kind() == "method_definition"
            else None
        )
        if key is None or pair.text().startswith(("get ", "set ", "static ")):
            continue
        text = nodes.string_text(key)
        if text is None:
            if key.kind() not in {"property_identifier", "integer", "number", "float", "true", "false"}:
                continue
            text = key.text()
        if text == "__proto__":
            continue
        if text in seen:
            return pair
        seen.add(text)
    return None


def repeated_parameter(match: SgNode, taint: Taint) -> SgNode | None:
    """Report a parameter list that names one parameter twice."""
    names = [it.text() for it in match.named_children() if it.kind() == "identifier"]
    return match if len(names) != len(set(names)) else None


def repeated_member(match: SgNode, taint: Taint) -> SgNode | None:
    """Report the second method of a class body with the same name, accessors and statics apart."""
    seen: set[str] = set()
    for it in match.named_children():
        name = it.field("name") or it.field("property")
        if it.kind() not in {"method_definition", "field_definition", "public_field_definition"} or name is None:
            continue
        if name.kind() == "computed_property_name" and not re.search(r"\[\s*[\"']", name.text()):
            continue
        head = it.text()[: max(0, nodes.start(name) - nodes.start(it))]
        accessor = next((word for word in ("get ", "set ") if re.search(rf"\b{word.strip()}\s", head)), "")
        key = f"{'static ' if 'static' in head else ''}{accessor}{name.text().strip('[]').strip(chr(34) + chr(39))}"
        clash = {key} if accessor else {key, key.replace("static ", "static get "), f"get {key}", f"set {key}"}
        if accessor and key.replace(accessor, "") in seen:
            return it
        if clash & seen:
            return it
        seen.add(key)
    return None


def rejects_non_error(match: SgNode, taint: Taint) -> SgNode | None:
    """Report a rejection with a literal, or with nothing."""
    called = nodes.callee(match)
    if called == "reject":
        scope, _ = taint.bindings("reject", match)
        if scope is None or "reject" not in scope.parameters:
            return None
    given = nodes.arguments(match)
    if not given:
        return match
    kind = given[0].kind()
    return (
        match
        if kind
        in {
            "string",
            "number",
            "template_string",
            "object",
            "array",
            "null",
            "undefined",
            "true",
            "false",
            "unary_expression",
        }
        or (kind == "binary_expression" and re.search(r"[\"'`]", given[0].text()))
        else None
    )


def assigns_constant(match: SgNode, taint: Taint) -> SgNode | None:
    """Report an assignment to a name that ``const`` declared in the same scope."""
    if match.kind() == "for_in_statement":
        return None
    target = match.field("left") or match.field("argument")
    if target is None or target.kind() != "identifier":
        return None
    scope, _ = taint.bindings(target.text(), target)
    if scope is None or target.text() in scope.parameters:
        return None
    at = nodes.start(match)
    for it in nodes.walk(scope.node, 8000):
        if it.kind() == "lexical_declaration" and it.text().startswith("const"):
            for one in it.named_children():
                name = one.field("name")
                block = it.parent()
                if (
                    name
                    and re.search(rf"(?<![\w$.:]){re.escape(target.text())}(?!\w)", name.text().split("=")[0])
                    and block
                    and nodes.start(block) <= at <= nodes.end(block)
                ):
                    inner = nodes.function_of(match)
                    shadow = (
                        inner is not None
                        and nodes.start(inner) > nodes.start(it)
                        and re.search(rf"\b(let|var)\s+{re.escape(target.text())}\b", inner.text()[:4000])
                    )
                    return None if shadow else match
    return None


def assigns_function(match: SgNode, taint: Taint) -> SgNode | None:
    """Report an assignment to the name of a declared function."""
    target = match.field("left")
    if target is None or target.kind() != "identifier":
        return None
    scope, _ = taint.bindings(target.text(), target)
    if scope is None or target.text() in scope.parameters:
        named = nodes.function_of(match)
        name = named.field("name") if named is not None and named.kind() == "function_expression" else None
        return match if name is not None and name.text() == target.text() else None
    kinds = {it.kind for it in scope.bound.get(target.text(), [])}
    if "definition" not in kinds:
        return None
    declared = re.search(rf"\b(var|let|const)\s+{re.escape(target.text())}\b", scope.node.text()[:20_000])
    return None if declared else match


def assigns_caught(match: SgNode, taint: Taint) -> SgNode | None:
    """Report an assignment to the parameter of the catch around it."""
    target = match.field("left")
    clause = next((it for it in match.ancestors() if it.kind() == "catch_clause" or it.kind() in kinds.FUNCTIONS), None)
    if target is None or clause is None or clause.kind() != "catch_clause":
        return None
    caught = clause.field("parameter")
    return (
        match
        if caught is not None
        and re.search(rf"\b{re.escape(caught.text())}\b", target.text())
        and target.kind() in {"identifier", "object_pattern", "array_pattern"}
        else None
    )
