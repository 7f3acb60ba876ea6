"""Checks on the length of keys and on salts, where a name stands for them."""

from __future__ import annotations

import re

from ast_grep_py import SgNode

from audit.code import nodes
from audit.code.flows import Level
from audit.code.spelled import spelled
from audit.code.taint import Taint

_SHORT = frozenset(("512", "768", "1024", "1536"))
_WRITTEN_OUT = re.compile(r"[\"'`][^\"'`\n]+[\"'`]|\{\s*(\(byte\)\s*)?(0x)?\d|\[\]byte\{")
_DRAWN = re.compile(r"(?i)random|urandom|gensalt|generate|nextBytes|rand\.Read|SecureRandom|hex\(\d+\)")


def short_key_named(match: SgNode, taint: Taint) -> SgNode | None:
    """Report a key whose length is a name that stands for too few bits."""
    for given in [match] if match.kind() == "pair" else nodes.arguments(match):
        name = given.field("value") if given.kind() in {"keyword_argument", "pair"} else given
        if name is None or not re.fullmatch(r"\$?[\w.]+", name.text()) or name.text().isdigit():
            continue
        bound = [it.value.text() for it in taint.bindings(name.text(), name)[1] if it.value is not None]
        if not bound:
            held = re.compile(rf"\b{re.escape(re.split(r'[.]', name.text())[-1])}\s*=\s*(\d+)\b")
            bound = held.findall(match.get_root().root().text()[:60_000])
        if bound and all(it.strip() in _SHORT for it in bound):
            return match
    return None


def salt_fixed(match: SgNode, taint: Taint) -> SgNode | None:
    """Report a derived key or password hash whose salt, the second argument or the one so named, is written out."""
    given = nodes.arguments(match)
    named = [it.field("value") for it in given if re.match(r"(?i)salt\s*[:=]", it.text())]
    at = 2 if nodes.callee(match) == "hash_pbkdf2" else 1
    salt = next((it for it in named if it is not None), given[at] if len(given) > at else None)
    if salt is None:
        return None
    text = spelled(salt, taint, depth=1)
    if "\n" not in text:  # a field of the class, which no binding knows
        field = re.escape(re.split(r"\.|::", salt.text())[-1])
        held = re.search(rf"\b{field}\b\s*=\s*([^;\n]+)", match.get_root().root().text()[:60_000])
        text = f"{text}\n{held.group(1)}" if held is not None else text
    if not _WRITTEN_OUT.search(text) or _DRAWN.search(text):
        return None
    return match if taint.trace(salt, "").level <= Level.UNKNOWN else None
