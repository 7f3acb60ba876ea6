"""Checks on results that may be absent, and on neighbours that an index may not have."""

from __future__ import annotations

import re

from ast_grep_py import SgNode

from audit.code import nodes
from audit.code.taint import Taint


def absent_read(match: SgNode, taint: Taint) -> SgNode | None:
    """Report the result of a search that is read into, and that nothing in the function asks about."""
    function = nodes.function_of(match)
    left = match.field("left") or match.field("name")
    if function is None or left is None or not re.fullmatch(r"\w+", left.text()):
        return None
    name = left.text()
    rest = function.text()[nodes.end(match) - nodes.start(function) :]
    asked = (
        rf"\b(if|while|unless|not|assert|elif)\b[^\n;{{]*(?<![\w.]){name}\b|(?<![\w.]){name}\s*(\?|&&|\|\||[!=]==?|\band\b|\bor\b|\bis\b|\bif\b)"
        rf"|!\s*{name}\b|\b(expect|assert\w*|invariant|required?\w*|check\w*)\([^)]*\b{name}\b"
    )
    if re.search(asked, rest):
        return None
    return match if re.search(rf"(?<![\w.]){name}(\.\w|\[)", rest) else None


def neighbour_beyond_end(match: SgNode, taint: Taint) -> SgNode | None:
    """Report a loop over every index of a list that also reads the element after the counter's, unchecked."""
    head = re.match(
        r"for\s*\(?\s*(?:(?:int|var|let|size_t)\s+)?(\w+)\s*(?::?=)\s*\d+\s*;\s*\1\s*<\s*(?:len\((\w+)\)|(\w+)\.(?:length|Length|Count|size)(?:\(\))?)\s*;"
        r"|for\s+(\w+)\s+in\s+range\(\s*len\((\w+)\)\s*\)\s*:",
        match.text()[:300],
    )
    body = match.field("body")
    if head is None or body is None:
        return None
    counter = head.group(1) or head.group(4)
    items = head.group(2) or head.group(3) or head.group(5)
    text = body.text()
    read = rf"(?<![\w.]){items}(\[\s*{counter}\s*\+\s*1\s*\]|\.get\(\s*{counter}\s*\+\s*1\s*\))"
    bounded = (
        rf"{counter}\s*\+\s*1\s*(<|>=|==|!=|in\b)|{counter}\s*(<|>=|==|!=|is\b)\s*[^;\n]*-\s*1|-\s*1\s*(>|==|!=)\s*{counter}\b"
        rf"|%\s*(len\(|\w+\.)|\b(try|break)\b"
    )
    return match if re.search(read, text) and not re.search(bounded, text) else None
