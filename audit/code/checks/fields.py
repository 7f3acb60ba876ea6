"""Checks on equality of objects: each field is compared with its own counterpart."""

from __future__ import annotations

import re

from ast_grep_py import SgNode

from audit.code import nodes
from audit.code.declarations import name_of
from audit.code.taint import Taint

_EQUALITIES = frozenset(("__eq__", "Equals", "equals", "Equal", "isEqual", "is_equal", "eql", "sameAs"))
_PAIR = re.compile(r"(?:(\w+)\.)?_?(\w+)(?:\s*[!=]==?\s*|\.[eE]quals\(\s*)(\w+)\._?(\w+)(?:,\s*[\w.]+)?\)?")


def compares_other_field(match: SgNode, taint: Taint) -> SgNode | None:
    """Report an equality that compares one field of an object with another field of the other object."""
    function = nodes.function_of(match)
    if function is None or name_of(function) not in _EQUALITIES:
        return None
    found = _PAIR.fullmatch(match.text())
    if found is None:
        return None
    owner, field, other, its = found.groups()
    if owner == other or field.lower() == its.lower() or its in {"length", "Length", "size", "Count"}:
        return None
    if owner is None and (field in {"this", "self", "null", "None", "nil", "true", "false"} or field.isdigit()):
        return None
    pairs = [(it.group(2), it.group(4)) for it in _PAIR.finditer(function.text())]
    return match if any(one.lower() == two.lower() for one, two in pairs) else None
