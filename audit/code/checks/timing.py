"""Checks on secrets that are compared in a time that tells how much of a guess was right."""

from __future__ import annotations

import re

from ast_grep_py import SgNode

from audit.code import nodes
from audit.code.flows import Level
from audit.code.taint import Taint

_COMPUTED = re.compile(r"(?i)hmac|hexdigest|\.digest\(|\.Sum\(|doFinal\(|ComputeHash\(")
_SECRET = re.compile(r"(?i)(signature|hmac|\bmac|digest|token|secret|api_?key)(\(\))?$")
_FIXED = re.compile(r"^(null|nil|None|undefined|\"\"|''|true|false|\d+)$")


def compared_by_text(match: SgNode, taint: Taint) -> SgNode | None:
    """Report a value from a request that is compared with a computed code, or with a secret held elsewhere, by ==."""
    if match.kind() == "method_invocation" or match.kind().startswith("call"):
        owner, given = nodes.receiver(match), nodes.arguments(match)
        sides = [owner, *given] if owner is not None and len(given) == 1 else []
    else:
        sides = [it for it in match.named_children() if it.kind() != "comment"]
    if len(sides) != 2 or any(_FIXED.match(it.text()) or nodes.string_text(it) is not None for it in sides):
        return None
    for one, other in (sides, sides[::-1]):
        if taint.trace(one).level is not Level.OUTSIDE:
            continue
        _, bound = taint.bindings(other.text()[:60], other)
        made = " ".join([other.text(), *(it.value.text()[:300] for it in bound if it.value is not None)])
        if _COMPUTED.search(made) or (
            _SECRET.search(other.text()[-40:]) and taint.trace(other).level is not Level.OUTSIDE
        ):
            return match
    return None
