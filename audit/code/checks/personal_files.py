"""Checks on files of one person that are sent to whoever asks."""

from __future__ import annotations

import re

from ast_grep_py import SgNode

from audit.code import nodes
from audit.code.flows import Level
from audit.code.spelled import spelled
from audit.code.taint import Taint

_OF_A_PERSON = re.compile(
    r"(?i)user|customer|account|patient|client|employee|invoice|statement|payslip|salary|contract|\bowner"
)
_ASKED = re.compile(
    r"(?i)session|auth|login|log_in|signed|token|permission|current_?user|request\.user|req\.user|owner_?id|guard|@require|identity|role"
)


def sent_unasked(match: SgNode, taint: Taint) -> SgNode | None:
    """Report a file named after a person by a request's values and sent, where the text never asks who calls."""
    if _ASKED.search(match.get_root().root().text()[:60_000]):
        return None
    for it in nodes.arguments(match)[:3]:
        if _OF_A_PERSON.search(spelled(it, taint)) and taint.trace(it, "").level is Level.OUTSIDE:
            return match
    return None
