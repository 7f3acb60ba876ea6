"""Checks on the algorithm that a name stands for."""

from __future__ import annotations

import re

from ast_grep_py import SgNode

from audit.code import kinds, nodes
from audit.code.taint import Taint

_BROKEN = re.compile(
    r"(?i)(md[245]|sha-?1|ripemd160|des([-/].*)?|desede.*|3des.*|tripledes.*|rc[24].*|arcfour|blowfish.*|bf-.*|[\w-]*[-/]ecb\b.*)"
)


def broken_algorithm_named(match: SgNode, taint: Taint) -> SgNode | None:
    """Report a hash or cipher that is chosen by a name, or a constant of a class, which holds one that is broken."""
    for given in nodes.arguments(match)[:2]:
        if given.kind() in kinds.STRINGS or given.kind() in kinds.CALLS:
            continue
        name = re.split(r"\.|->|::", given.text()[:120])[-1]
        held = re.compile(rf"(?<![\w$]){re.escape(name)}\b\s*(?::\s*\w+\s*)?=\s*[\"']([^\"'\n]+)[\"']")
        values = held.findall(match.get_root().root().text()[:60_000]) if re.fullmatch(r"\$?\w+", name) else []
        if values and all(_BROKEN.fullmatch(it) for it in values):
            return match
    return None
