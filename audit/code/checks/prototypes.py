"""Checks on what a request may write into: prototypes of all objects, and every field of a record."""

from __future__ import annotations

import re

from ast_grep_py import SgNode

from audit.code import nodes
from audit.code.flows import Level
from audit.code.taint import Taint

_REFUSED = re.compile(
    r"[\"'`](__proto__|prototype|constructor)[\"'`]|create\(null\)|new Map\b|freeze\(Object\.prototype"
)
_WHOLE = re.compile(
    r"(\.body|\.query|\.json(\(\))?|\.get_json\(\)|\.form|\.POST|\.args|\.formData\(\)|@Body\(\)[\s\S]*)$|->all\(\)$|^\$_(POST|REQUEST|GET)$"
)
_LISTED = re.compile(
    r"(?i)valid|schema|\bpick\(|\bomit\(|safeParse|\.parse\(|dto\b|allowed|permitted|whitelist|->only\("
)


def merges_any_key(match: SgNode, taint: Taint) -> SgNode | None:
    """Report a merge that calls itself for every key of its source and refuses none."""
    function = nodes.function_of(match)
    if function is None or _REFUSED.search(function.text()[:4_000]):
        return None
    key = re.search(r"for\s*\(\s*(?:const|let|var)\s+\[?(\w+)", match.text()) or re.search(
        r"forEach\(\s*\(?(\w+)", match.text()
    )
    named = function.field("name") or next(
        (it.field("name") for it in function.ancestors() if it.kind() == "variable_declarator"), None
    )
    if key is None or named is None:
        return None
    body, it, name = match.text(), re.escape(key.group(1)), re.escape(named.text())
    calls_itself = re.search(rf"(?<![\w.])(?:this\.)?{name}\(\s*\w+\[{it}\]", body)
    writes = re.search(rf"\w+\[{it}\]\s*=(?!=)", body)
    return match if calls_itself and writes else None


def path_sets_any_key(match: SgNode, taint: Taint) -> SgNode | None:
    """Report a walk into an object by the parts of a path, with a write at its end, that refuses no part."""
    function = nodes.function_of(match)
    if function is None:
        return None
    text = function.text()[:4_000]
    walked = re.search(r"(\w+)\s*=\s*\1\[(\w+(?:\[[^\]]+\])?)\]", match.text())
    if walked is None or _REFUSED.search(text) or not re.search(r"\.split\(\s*[\"'/]", text):
        return None
    written = re.search(rf"(?<![\w.]){walked.group(1)}\[[^=\n]+\]\s*=(?!=)\s*(?!\{{\s*\}})\w", text)
    return match if written and walked.group(1) in text else None


def whole_request_assigned(match: SgNode, taint: Taint) -> SgNode | None:
    """Report a record that takes every field a request names, where the function lists none."""
    function = nodes.function_of(match)
    around = (function or match).text()[:4_000]
    given = nodes.arguments(match)
    if nodes.callee(match) == "Object.assign":
        if len(given) < 2 or given[0].kind() == "object":
            return None
        given = given[1:]
    for it in given:
        inner = it.named_children()[0] if it.kind() in {"dictionary_splat", "spread_element"} else it
        _, bound = taint.bindings(inner.text()[:60], inner)
        texts = [inner.text(), *(one.value.text() for one in bound if one.value is not None)]
        whole = any(_WHOLE.search(one.removesuffix(" ?? {}")) for one in texts)
        if taint.trace(inner).level is Level.OUTSIDE and whole and not _LISTED.search(around):
            return match
    return None
