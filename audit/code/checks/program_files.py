"""Checks on files of program text that a program writes."""

from __future__ import annotations

import re

from ast_grep_py import SgNode

from audit.code import built, nodes
from audit.code.flows import Level
from audit.code.spelled import spelled
from audit.code.taint import Taint

_PROGRAM = re.compile(r"\.(m?js|cjs|ts|php\d?|phtml|py|rb|jsp|aspx?|cshtml|erb|ejs|lua|sh)[\"'`]")


def program_written(match: SgNode, taint: Taint) -> SgNode | None:
    """Report a file of program text that is written with a value from outside in it."""
    given = nodes.arguments(match)
    owner = nodes.receiver(match)
    if len(given) == 1 and owner is not None:
        given = [owner, *given]
    if len(given) < 2 or not _PROGRAM.search(spelled(given[0], taint)):
        return None
    for it in built.pieces(given[1], taint):
        if not isinstance(it, str):
            value = taint.trace(it, "code")
            if value.level is Level.OUTSIDE and not taint.guarded(value, match, "code"):
                return match
    return None
