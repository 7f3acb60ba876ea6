"""Checks on privileges that a process raises."""

from __future__ import annotations

import re

from ast_grep_py import SgNode

from audit.code import nodes
from audit.code.taint import Taint


def privilege_kept(match: SgNode, taint: Taint) -> SgNode | None:
    """Report a raised privilege that a return, or a failure that nothing catches, leaves before it is lowered."""
    function = nodes.function_of(match)
    if function is None:
        return None
    after = function.text()[nodes.end(match) - nodes.start(function) :]
    lowered = re.search(
        r"\b(?i:p?osix_|Process::Sys\.|process\.|syscall\.|unix\.)?(?i:set(res|re)?e?[ug]id)\s*\((?!\s*0\s*\))", after
    )
    if re.search(r"\b(finally|ensure|defer)\b", function.text()):
        return None
    if lowered is None:
        return match
    if match.get_root().root().kind() != "translation_unit":
        return match
    first = re.match(r"[^;{]*(\{[^}]*\}|[^;]*;)", after)  # what is done where raising it failed
    between = after[first.end() if first is not None else 0 : lowered.start()]
    return match if re.search(r"\breturn\b", between) else None
