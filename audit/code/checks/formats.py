"""Checks on formats and patterns that constants hold."""

from __future__ import annotations

import re

from ast_grep_py import SgNode

from audit.code import nodes
from audit.code.expression_types import bare_type, type_of
from audit.code.patterns import is_invalid, is_slow
from audit.code.taint import Taint

_PLACEHOLDER = re.compile(r"%(?:(\d+)\$)?[-#+ 0,(]*\d*(?:\.\d+)?([a-zA-Z%])")


def format_mismatch(match: SgNode, taint: Taint) -> SgNode | None:
    """Report a format whose placeholders do not fit its arguments in number or kind."""
    given = nodes.arguments(match)
    called = nodes.callee(match)
    if called.endswith(".formatted"):
        owner = nodes.receiver(match)
        given = [owner, *given] if owner is not None else given
    if given and re.fullmatch(r"Locale\.\w+|locale", given[0].text()):
        given = given[1:]
    text = nodes.string_text(given[0]) if given else None
    if text is None:
        return None
    holes = [it for it in _PLACEHOLDER.finditer(text) if it.group(2) not in {"%", "n"}]
    unknown = [it.group(2) for it in holes if it.group(2) not in "dsfxXcbBhHeEgGotTaAS"]
    if unknown or (re.search(r"%(\s|$)(?!\w)", text.replace("%%", "")) and not holes):
        return match
    if any(it.group(1) for it in holes) or any("<" in it.group() for it in holes):
        return None
    values = given[1:]
    if len(values) == 1 and (
        taint.declared(values[0]).endswith("[]") or values[0].kind() == "array_creation_expression"
    ):
        return None
    if len(holes) > len(values):
        return match
    if len(values) > len(holes) and re.search(r"(^|\.)(format|printf|formatted)$", called):
        return match
    for hole, value in zip(holes, values, strict=False):
        kind = (
            taint.declared(value)
            if value.kind() == "identifier"
            else "String"
            if value.kind() == "string_literal"
            else ""
        )
        if hole.group(2) in "dx" and kind in {"String", "double", "float", "Double", "boolean"}:
            return match
        if hole.group(2) in "fe" and kind in {"String", "int", "long", "Integer", "boolean"}:
            return match
    return None


def unformatted_placeholder(match: SgNode, taint: Taint) -> SgNode | None:
    """Report a literal with placeholders that is printed, thrown or appended as it stands."""
    text = nodes.string_text(match)
    if text is None or not re.search(r"%(\d+\$)?[sd]", text) or "%%" in text:
        return None
    parent = match.parent()
    call = parent.parent() if parent is not None and parent.kind() == "argument_list" else None
    if call is None:
        return None
    called = nodes.callee(call)
    if re.search(r"^new \w*(Exception|Error)$", called):
        return match
    if re.search(
        r"(?i)format|printf|log|check|assert|verify|expect|String\.|warn|info|debug|error|message|fail|require|join|contains|replace|equals|startsWith|add|put|set|get|of|matches",
        called.split("(")[0],
    ):
        return None
    return match if re.search(r"\.(println|print|append)$", called) else None


def pattern_invalid(match: SgNode, taint: Taint) -> SgNode | None:
    """Report a constant pattern that does not compile."""
    given = nodes.arguments(match)
    text = nodes.string_text(given[0]) if given else None
    if text is None:
        return None
    called = nodes.callee(match)
    if called.endswith(".split") and len(text) == 1 and text not in "*+?([\\":
        return None
    return match if is_invalid(text.replace("\\\\", "\\")) else None


def pattern_slow(match: SgNode, taint: Taint) -> SgNode | None:
    """Report a constant pattern that can take exponential time."""
    texts = [nodes.string_text(it) for it in nodes.arguments(match)[:2]]
    return match if any(is_slow(text.replace("\\\\", "\\")) for text in texts if text) else None


def slow_pattern(match: SgNode, taint: Taint) -> SgNode | None:
    """Report a pattern in which a repeated group holds a repetition that can match the same text in many ways."""
    if match.kind() == "regex":
        text = re.sub(r"^/|/[a-z]*$", "", match.text())
    else:
        given = nodes.arguments(match)
        text = (nodes.string_text(given[0]) or "") if given else ""
        if given and not text and given[0].kind() == "identifier":
            _, bound = taint.bindings(given[0].text(), given[0])
            text = next((nodes.string_text(it.value) or "" for it in bound if it.value), "")
    return match if is_slow(text) else None


def invalid_pattern(match: SgNode, taint: Taint) -> SgNode | None:
    """Report a constant pattern with brackets that do not close, or flags that do not exist."""
    given = nodes.arguments(match)
    text = nodes.string_text(given[0]) if given else None
    if text is None:
        return None
    flags = nodes.string_text(given[1]) if len(given) > 1 else ""
    if flags and (re.search(r"[^dgimsuvy]", flags) or len(set(flags)) != len(flags)):
        return match
    return match if is_invalid(text.replace("\\\\", "\\")) else None


def locale_as_text(match: SgNode, taint: Taint) -> SgNode | None:
    """Report toString() on what is declared as a Locale."""
    owner = nodes.receiver(match)
    return match if owner is not None and bare_type(type_of(owner, taint)) == "Locale" else None
