"""Checks on C that look at two statements at once: a size and its allocation, a walk and what it frees."""

from __future__ import annotations

import re

from ast_grep_py import SgNode

from audit.code import nodes
from audit.code.taint import Taint

_WIDE = re.compile(
    r"\(\s*(size_t|uint64_t|u?int64_t|unsigned long long)\s*\)|size_mul|mul_overflow|SIZE_MAX|UINT\w*_MAX"
)


def product_allocated(match: SgNode, taint: Taint) -> SgNode | None:
    """Report a product with a caller's number, held in a name and then allocated, where nothing bounds the number."""
    function = nodes.function_of(match)
    name, value = match.field("declarator") or match.field("left"), match.field("right") or match.field("value")
    if function is None or name is None or value is None or not re.fullmatch(r"\w+", name.text()):
        return None
    text, at = function.text(), nodes.start(match) - nodes.start(function)
    if _WIDE.search(text) or not re.search(rf"\b(malloc|realloc|alloca)\s*\([^;]*\b{name.text()}\b", text[at:]):
        return None
    scope = taint.scope_of(match)
    narrow = re.match(r"(u?int(8|16)_t|(unsigned )?(short|char))\b", scope.types.get(name.text(), ""))
    if "*" not in value.text() and not narrow:
        return None
    numbers = [it for it in re.findall(r"[A-Za-z_]\w*", value.text()) if it in scope.parameters]
    numbers = [it for it in numbers if "*" not in scope.parameters[it].text()]
    unbounded = [it for it in numbers if not re.search(rf"\b(if|assert\w*)\s*\([^;{{]*\b{it}\b", text[:at])]
    return match if unbounded else None


def freed_then_followed(match: SgNode, taint: Taint) -> SgNode | None:
    """Report a loop that steps on through the node that its body has just freed."""
    update, body = match.field("update"), match.field("body")
    step = re.fullmatch(r"(\w+)\s*=\s*\1\s*->\s*\w+", update.text()) if update is not None else None
    if step is None or body is None:
        return None
    freed = re.search(rf"\b(free|kfree|g_free)\s*\(\s*{step.group(1)}\s*\)", body.text())
    return match if freed and not re.search(rf"(?<!\w){step.group(1)}\s*=(?!=)", body.text()[freed.end() :]) else None
