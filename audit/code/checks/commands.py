"""Checks on the program that is started: the first of a list, or a shell and what it is given to run."""

from __future__ import annotations

import re

from ast_grep_py import SgNode

from audit.code import kinds, nodes
from audit.code.flows import Level
from audit.code.taint import Taint

_LISTS = frozenset(["list", "tuple", "array", "array_initializer", "array_creation_expression"])
_SHELL = re.compile(r"[\"'](/(usr/)?bin/)?(ba|z|da)?sh[\"']|[\"'](cmd|powershell)(\.exe)?[\"']", re.IGNORECASE)
_PROMISED = re.compile(r"((util\.)?promisify\(\s*)?([\w.]+\.)?exec(Sync)?\s*\)?")


def program_from_outside(match: SgNode, taint: Taint) -> SgNode | None:
    """Report a process whose program comes from outside, or a shell whose command holds a caller's value."""
    words = _words(nodes.arguments(match), taint)
    if not words:
        return None
    shell = len(words) > 2 and _SHELL.fullmatch(words[0].text()) is not None
    if shell and words[0].text() in match.text():  # written out: other rules know it
        return None
    feared, least = (words[1:], Level.GIVEN) if shell else (words[:1], Level.OUTSIDE)
    for it in feared:
        value = taint.trace(it, "command")
        if value.level >= least and not taint.guarded(value, match, "command"):
            return match
    return None


def _words(given: list[SgNode], taint: Taint) -> list[SgNode]:
    """Return the words of a command: the arguments, or the elements of the list that stands for them."""
    given = [it for it in given if it.kind() != "keyword_argument"]
    if not given:
        return []
    first = given[0]
    if first.kind() in kinds.NAMES:
        _, bound = taint.bindings(first.text(), first)
        first = next((it.value for it in reversed(bound) if it.value is not None), first)
    if first.kind() == "array_creation_expression":
        first = first.field("value") or first
    if first.kind() in _LISTS:
        return [it for it in first.named_children() if it.kind() != "comment"]
    if first.kind() in kinds.CALLS and re.search(r"(^|\.)(asList|of|split)$", nodes.callee(first)):
        return nodes.arguments(first)
    return given


def shell_by_another_name(match: SgNode, taint: Taint) -> SgNode | None:
    """Report a command line run by a name that stands for exec, promised or imported under that name."""
    called, given = nodes.callee(match), nodes.arguments(match)
    if not given or called in {"exec", "execSync"}:
        return None
    bound = [it.value.text()[:200] for it in taint.bindings(called, match)[1] if it.value is not None]
    imported = rf"\bexec(Sync)?\s*(:|\bas\b)\s*{re.escape(called)}\b[^}}]*\}}[^\n]*child_process"
    stands = any(_PROMISED.fullmatch(it) for it in bound) or re.search(
        imported, match.get_root().root().text()[:20_000]
    )
    if not stands:
        return None
    value = taint.trace(given[0], "command")
    return match if value.level >= Level.GIVEN and not taint.guarded(value, match, "command") else None
