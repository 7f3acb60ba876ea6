"""What an expression says when the names in it are replaced by what they stand for."""

from __future__ import annotations

from ast_grep_py import SgNode

from audit.code import kinds, nodes
from audit.code.taint import Taint

_LONGEST = 1_200
_NODES = 80
_BINDINGS = 4


def spelled(node: SgNode, taint: Taint, depth: int = 2) -> str:
    """Return the text of ``node`` and, a line each, of what its names are bound to, ``depth`` names deep."""
    found = [node.text()[:_LONGEST]]
    if depth > 0:
        seen: set[str] = set()
        for it in nodes.walk(node, _NODES):
            if it.kind() in kinds.NAMES and it.text() not in seen:
                seen.add(it.text())
                bound = taint.bindings(it.text(), it)[1][-_BINDINGS:]
                found += [spelled(one.value, taint, depth - 1) for one in bound if one.value is not None]
    return "\n".join(found)
