"""Checks on results that are thrown away: of methods declared to be used, and of copies changed in place."""

from __future__ import annotations

import re

from ast_grep_py import SgNode

from audit.code import nodes
from audit.code.declarations import modifiers_of, name_of
from audit.code.taint import Taint

_TEXT = 60_000
_MUST_BE_USED = re.compile(r"@(CheckReturnValue|CheckResult|MustBeUsed|Contract)\b")


def annotated_result_dropped(match: SgNode, taint: Taint) -> SgNode | None:
    """Report a statement that calls a method of this text whose result is annotated as one that must be used."""
    call = next(iter(match.named_children()), None)
    if call is None or call.kind() != "method_invocation":
        return None
    root = match.get_root().root()
    if not _MUST_BE_USED.search(root.text()[:_TEXT]):
        return None
    called = re.split(r"\.", nodes.callee(call))[-1]
    declared = [it for it in nodes.walk(root) if it.kind() == "method_declaration" and name_of(it) == called]
    return call if declared and all(_must_be_used(it) for it in declared) else None


def _must_be_used(method: SgNode) -> bool:
    kind = method.field("type")
    if kind is None or kind.kind() == "void_type" or "CanIgnoreReturnValue" in modifiers_of(method):
        return False
    around = next(
        (it for it in method.ancestors() if it.kind() in {"class_declaration", "interface_declaration"}), None
    )
    outer = modifiers_of(around) if around is not None else ""
    return bool(_MUST_BE_USED.search(modifiers_of(method)) or _MUST_BE_USED.search(outer))


def copy_changed_in_place(match: SgNode, taint: Taint) -> SgNode | None:
    """Report a fresh collection that is sorted, shuffled or reversed in place where nothing holds it."""
    call = next(iter(match.named_children()), None)
    if call is None or not re.search(
        r"(^|\.)Collections\.(sort|shuffle|reverse|rotate|swap|fill)$", nodes.callee(call)
    ):
        return None
    given = nodes.arguments(call)
    if not given:
        return None
    fresh = given[0].kind() == "object_creation_expression" or re.match(
        r"(Lists\.newArrayList|Arrays\.asList|List\.of|Stream\.of|\w+\.stream\(\))\(", given[0].text()
    )
    return call if fresh and not _of_an_array(given[0], taint) else None


def _of_an_array(node: SgNode, taint: Taint) -> bool:
    """Say whether a list is a view of an array: Arrays.asList(array) writes through."""
    inner = nodes.arguments(node)
    if not node.text().startswith("Arrays.asList(") or len(inner) != 1:
        return False
    return inner[0].kind() == "identifier" or taint.declared(inner[0]).endswith("[]")
