"""Checks on cookies that hold a session."""

from __future__ import annotations

import re

from ast_grep_py import SgNode

from audit.code import nodes
from audit.code.taint import Taint

_SESSION = re.compile(r"(?i)sess|(?<![a-z])sid(?![a-z])|auth|token|jwt|remember|login")
_OTHER = re.compile(r"(?i)csrf|xsrf")
_KEPT_FROM_SCRIPTS = re.compile(r"(?i)http_?only\W{0,4}\s*(:|=>?|=|\()?\s*(true|1)\b")
_DELETED = re.compile(
    r"(?i)max_?age\W{1,5}0\b|setMaxAge\(\s*(0|-1)\s*\)|expires\W{1,5}(new Date\()?0\b|MaxAge:\s*-1|,\s*(''|\"\")\s*[,)]"
)
_OPTIONS_ELSEWHERE = re.compile(
    r"(?i)\.\.\.\w|\*\*\w|[,:(]\s*\$?(this\.)?\w*(opts|options|config|settings|params|flags)\w*(\(\))?\s*[,)}]"
)


def session_cookie_open(match: SgNode, taint: Taint) -> SgNode | None:
    """Report a session cookie that is set without being kept from scripts; options that stand elsewhere are trusted."""
    text = match.text()[:2_000]
    name = re.search(r"[\"']([\w.-]+)[\"']|:(\w+)", text)
    if name is None or not _SESSION.search(name.group()) or _OTHER.search(name.group()):
        return None
    if match.kind() in {"object_creation_expression", "composite_literal"}:
        text = (nodes.function_of(match) or match).text()[:4_000]
    if _KEPT_FROM_SCRIPTS.search(text) or _DELETED.search(text) or _OPTIONS_ELSEWHERE.search(text):
        return None
    positional = len(nodes.arguments(match)) == 7 and nodes.arguments(match)[6].text().lower() == "true"
    return None if positional else match
