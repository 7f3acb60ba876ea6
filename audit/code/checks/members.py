"""Checks on members of classes in Python: defined twice, or hashed and not compared."""

from __future__ import annotations

import re

from ast_grep_py import SgNode

from audit.code.declarations import name_of
from audit.code.taint import Taint


def defined_twice(match: SgNode, taint: Taint) -> SgNode | None:
    """Report a method that a later one of the same class and name replaces."""
    body = match.field("body")
    seen: dict[str, SgNode] = {}
    for it in body.named_children() if body is not None else []:
        if it.kind() not in {"function_definition", "method"}:
            continue
        if name_of(it) in seen:
            return it
        seen[name_of(it)] = it
    return None


def hashes_uncompared(match: SgNode, taint: Taint) -> SgNode | None:
    """Report ``__hash__`` that reads a field of self which ``__eq__`` of the same class never mentions."""
    body = match.field("body")
    methods = {name_of(it): it for it in body.named_children() if it.kind() == "function_definition"} if body else {}
    equals, hashes = methods.get("__eq__"), methods.get("__hash__")
    if equals is None or hashes is None or re.search(r"__dict__|astuple|_key\(|super\(\)", equals.text()):
        return None
    read, compared = (set(re.findall(r"\bself\.(\w+)\b(?!\()", it.text())) for it in (hashes, equals))
    return hashes if read - compared and read & compared else None


def property_of_itself(match: SgNode, taint: Taint) -> SgNode | None:
    """Report a property of C# whose getter reads the property, not its field."""
    name = re.escape(name_of(match))
    return (
        match
        if re.search(rf"\bget\s*(\{{\s*return\s+(this\.)?{name}\s*;|=>\s*(this\.)?{name}\s*;)", match.text())
        else None
    )
