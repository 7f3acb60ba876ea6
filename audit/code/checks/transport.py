"""Checks on secrets that travel in the clear."""

from __future__ import annotations

import re

from ast_grep_py import SgNode

from audit.code import kinds, nodes
from audit.code.taint import Taint

_SECRET = re.compile(r"(?i)passw|passwd|pwd|secret|token|credential|api_?key|\bauth\b\s*[=:]|authorization")
_OWN_MACHINE = re.compile(r"://(localhost|127\.|0\.0\.0\.0|\[::1)")


def sent_in_clear(match: SgNode, taint: Taint) -> SgNode | None:
    """Report a request with a secret to an address, held in a name, that begins with http://."""
    given = nodes.arguments(match)
    around = match.text()[:2_000]
    if "NewRequest" in nodes.callee(match):  # what is sent was made before
        given = given[1:]
        given = given[1:] if "Context" in nodes.callee(match) else given
        around = (nodes.function_of(match) or match).text()[:2_000]
    if not given or given[0].kind() not in kinds.NAMES or not _SECRET.search(around):
        return None
    name = given[0].text()
    _, bound = taint.bindings(name, given[0])
    texts = [it.value.text() for it in bound if it.value is not None]
    if not texts:  # a field of the class, which no binding knows
        held = re.compile(rf"\b{re.escape(name)}\s*=\s*([^;\n]+)")
        texts = held.findall(match.get_root().root().text()[:60_000])
    plain = [it for it in texts if re.match(r"(new\s*\w*\(\s*)?\$?f?[\"'`]http://", it) and not _OWN_MACHINE.search(it)]
    return match if plain and len(plain) == len(texts) else None
