"""Whether a check stands between a value and what it reaches: an allow-list, a prefix, a pattern, a validating call."""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence

from ast_grep_py import SgNode

from audit.code import kinds, nodes
from audit.code.bindings import Scope
from audit.code.flows import Value, flows

_CHECKING_CALL = re.compile(
    r"(?i)(valid|check(?!_output|_call)|ensure|assert|verify|sanit|require_|guard|relative_to"
    r"|is_?(valid|safe|allowed)|enforce)"
)
_CONDITION_CALL = re.compile(r"(^|\.)(abort|throw)_(if|unless)$")
# A pattern of addresses whose host may hold anything at all lets any host pass: "https://.*\\.example\\.com".
_LOOSE_ADDRESS = re.compile(r"(?<!full)match\w*\s*\(|search\s*\(|\.test\s*\(|\.starts_?with\w*\s*\(", re.IGNORECASE)
_ANY_HOST = re.compile(r"https?\??:(?:\\?/){2}[^/\"'\s]*(?:\.|\\S)[*+]")
# One that ends with the host lets every host pass that begins with it: "https://example.com" and example.com.evil.org.
_OPEN_ENDED = re.compile(r"\^?https?\??:(?:\\?/){2}(?:[\w-]|\\?\.)+(?:[\"'`]|/[gimsuy]*\s*(?:$|[;,.)]))")
_NAMED_PATTERN = re.compile(
    r"\b(\w+)\.(?:test|match|search|exec|matcher|IsMatch|MatchString)\s*\(|\.match\s*\(\s*(\w+)\s*\)"
)
_FEW_VALUES = re.compile(
    r"\b(\w+)\s*:\s*z\.(?:(?:coerce\.)?(?:number|boolean|bigint|date)|enum|nativeEnum|literal|uuid|int|iso\b"
    r"|string\(\)[^,\n]*\.(?:uuid|regex|cuid2?|ulid|datetime))\b"
)
_LONGEST_FILE = 60_000
# A test for an address of another machine says nothing of a path on this one.
_ASKS_FOR_ADDRESS = re.compile(r"\w+\s*\([^()]*,?\s*[\"'](https?|ftp|php)?(:(//?)?)?[\"']\s*\)")
# Whether somebody may come in says nothing of what their name holds.
_ASKS_WHO = re.compile(r"(?i)\b(check|verify|valid\w*)\w*\([^()]*(passw|pwd|credential)|auth\w*\.\w+\(")
_SHORT_CIRCUIT = re.compile(r"&&|\|\||\?")
_SWITCHES = ("switch_statement", "switch_expression", "match_expression", "case", "match_statement")
_LONGEST_NAME = 60


class Guards:
    """The conditions and checking calls of one file, read once per function."""

    def __init__(self, scope_of: Callable[[SgNode], Scope]) -> None:
        self._scope_of = scope_of
        self._checks: dict[tuple[int, int], list[tuple[int, str]]] = {}
        self._schemas: frozenset[str] | None = None

    def stand_before(self, sink: SgNode, value: Value, family: str) -> bool:
        """Say whether a check of the names that carried ``value`` stands before ``sink``."""
        scopes = _around(self._scope_of(sink))
        names = {name for it in scopes for name in _related(value.names, it)}
        if not names:
            return False
        either = "(?:" + "|".join(re.escape(it) for it in sorted(names, key=len, reverse=True)) + ")"
        whole = f"(?<![\\w$.]){either}(?!\\w)"
        position = nodes.end(sink)
        texts = [text for it in scopes for at, text in self._of(it) if at < position and re.search(either, text)]
        texts = [it for it in texts if not _ASKS_WHO.search(it)]
        if family == "url":
            texts = [it for it in texts if not self._lets_any_host_pass(it, scopes)]
        elif family == "path":
            texts = [it for it in texts if not _ASKS_FOR_ADDRESS.search(it)]
        guards = flows().guards
        patterns = (*guards["any"], *guards.get(family, ()))
        return self._few_by_schema(value.names, scopes[-1]) or any(
            re.search(pattern.replace("\\b{x}\\b", "{x}").replace("{x}", whole), text)
            for pattern in patterns
            for text in texts
        )

    def _few_by_schema(self, names: frozenset[str], scope: Scope) -> bool:
        """Say whether a schema (zod, in this text) allows only numbers, identifiers or listed words for a name."""
        while scope.outer is not None:
            scope = scope.outer
        if self._schemas is None:
            text = scope.node.text()[:_LONGEST_FILE]
            self._schemas = frozenset(it[1] for it in _FEW_VALUES.finditer(text)) if "z." in text else frozenset()
        return bool(self._schemas) and any(re.split(r"\.", it)[-1] in self._schemas for it in names)

    @staticmethod
    def _lets_any_host_pass(text: str, scopes: Sequence[Scope]) -> bool:
        """Say whether a check is a pattern of addresses, written out or named, that a host of any name meets."""
        if not _LOOSE_ADDRESS.search(text):
            return False
        named = _NAMED_PATTERN.search(text)
        name = (named.group(1) or named.group(2)) if named is not None else ""
        whole_file = scopes[-1].outer
        every = [*scopes, whole_file] if whole_file is not None else scopes
        bound = [one for it in every for one in it.bound.get(name, ())] if name else []
        patterns = [text, *(it.value.text()[:300] for it in bound if it.value is not None)]
        return any(_ANY_HOST.search(it) or _OPEN_ENDED.search(it) for it in patterns)

    def _of(self, scope: Scope) -> list[tuple[int, str]]:
        """Return where each check of ``scope`` starts, and its text."""
        if scope.span not in self._checks:
            self._checks[scope.span] = [
                (nodes.start(node), text) for node in nodes.walk(scope.node) if node.is_named() for text in _texts(node)
            ]
        return self._checks[scope.span]


def _around(scope: Scope) -> list[Scope]:
    """Return a scope and the functions around it: a callback runs after what its function checked."""
    found = [scope]
    while (outer := found[-1].outer) is not None and outer.outer is not None:
        found.append(outer)
    return found


def _texts(node: SgNode) -> list[str]:
    """Return the text of what a node checks; a switch lists its values, and a checking call checks its arguments."""
    kind = node.kind()
    if kind in kinds.CONDITIONS:
        condition = node.field("condition") or node.field("value") or node.field("subject")
        found = [(condition or node).text()[:400]]
        if condition is not None and kind.endswith(_SWITCHES):
            found.append(f"in_array({condition.text()[:100].strip('()')}")
        return found
    if kind == "comparison_operator":
        return [node.text()[:400]]
    if kind in {"binary_expression", "binary"}:
        text = node.text()[:400]
        return [text] if _SHORT_CIRCUIT.search(text) else []
    if kind in kinds.CALLS and _CONDITION_CALL.search(nodes.callee(node)):
        return [node.text()[:400]]
    if kind in kinds.CALLS and _CHECKING_CALL.match(re.split(r"[.:>]", nodes.callee(node))[-1]):
        text = node.text()[:300]
        return [f"check({text}", f"relative_to({text}"]
    return []


def _related(names: frozenset[str], scope: Scope) -> set[str]:
    """Add the names that were computed from ``names`` in the same function: a check on them is a check on it."""
    found = {it for it in names if len(it) < _LONGEST_NAME}
    for _ in range(2):
        for name, bound in scope.bound.items():
            if name in found or len(name) >= _LONGEST_NAME:
                continue
            texts = [it.value.text()[:300] for it in bound if it.value is not None]
            mentions = (rf"(?<![\w$]){re.escape(one)}(?!\w)" for one in list(found)[:20])
            if any(re.search(mention, text) for mention in mentions for text in texts):
                found.add(name)
    return found
