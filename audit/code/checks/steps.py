"""Checks on commands that must come in an order."""

from __future__ import annotations

import re

from ast_grep_py import SgNode

from audit.code import nodes
from audit.code.taint import Taint

_COMMAND = re.compile(r"(?:==|===|case|when)\s*[\"'](\w+)[\"']")
_FIRST = re.compile(r"(?i)^(log_?in|auth\w*|sign_?in|user|pass)$")
_LATER = re.compile(
    r"(?i)^(retr\w*|get|dele\w*|del|ship|transfer|withdraw|download|upload|send|pay|checkout|list|cancel|update|edit|admin|read|write|put|stor\w*)$"
)
_STATE_ASKED = re.compile(
    r"(?im)(\b(if|elif|and|while|unless|when)\b|&&|\|\|)[^\n]*\b(log\w*_?in|is_?logged\w*|is_?auth\w*|auth\w*|state|step|session|user|paid|token|ready)\b(?!\w*[\"'])"
)


def steps_unordered(match: SgNode, taint: Taint) -> SgNode | None:
    """Report commands of which one signs in, where no other asks whether that happened."""
    function = nodes.function_of(match)
    if function is None:
        return None
    text = function.text()[:8_000]
    commands = _COMMAND.findall(text)
    first = [it for it in commands if _FIRST.match(it)]
    later = [it for it in commands if _LATER.match(it)]
    asked = _STATE_ASKED.search(re.sub(r"[\"'][^\"'\n]*[\"']", '""', text))
    return match if first and len(later) >= 2 and asked is None else None
