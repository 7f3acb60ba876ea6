"""One question of where a value came from: followed through names, members and calls, bounded in depth and steps."""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import TYPE_CHECKING

from ast_grep_py import SgNode

from audit.code import kinds, nodes
from audit.code.bindings import Binding, Scope
from audit.code.flows import Level, Value

if TYPE_CHECKING:
    from audit.code.taint import Taint

_DEPTH = 24
_STEPS = 400
_UPPER = re.compile(r"^[A-Z][A-Z0-9_]*$")
_UPPER_MEMBER = re.compile(r"(\.|::)[A-Z][A-Z0-9_]+$")
_USER_NAME = re.compile(
    r"^\$?(user_?(input|supplied\w*|data|controlled\w*|provided\w*)|untrusted\w*|tainted\w*|attacker\w*)$", re.I
)
_OWN = re.compile(r"^(self|this|cls|\$this|@)\b")
_TO_BOOLEAN = frozenset(("==", "!=", "===", "!==", "<", ">", "<=", ">=", "<=>", "not", "instanceof", "in", "is"))
_MODULES = re.compile(
    r"os|os\.path|path|json|JSON|String|string|fmt|strings|File|Path|Paths|urllib(\.parse)?|base64|html|filepath|Object"
    r"|Array|Buffer|re|shlex|Files|URI|URL|Integer|Convert|io|bytes|yaml|codecs|posixpath|querystring|Arrays|List|Optional"
)
_CONSTANT = Value(Level.CONSTANT)
_UNKNOWN = Value(Level.UNKNOWN)


class Trace:
    """One question: follows a value and remembers the names on its way."""

    def __init__(self, taint: Taint, family: str) -> None:
        self._taint = taint
        self._flows = taint.flows
        self._outside = taint.from_outside
        self._family = family
        self._sanitiser = taint.flows.sanitisers.get(family)
        self._steps = _STEPS
        self._attributes_are_calls = taint.language == "ruby"
        self._joins_paths = family == "path"
        self._open: set[tuple[str, int]] = set()

    def value(self, node: SgNode, depth: int = _DEPTH) -> Value:
        """Say where the value of ``node`` came from, following at most ``depth`` steps inwards."""
        self._steps -= 1
        if depth <= 0 or self._steps <= 0:
            return _UNKNOWN
        kind = node.kind()
        if kind in kinds.LITERALS:
            return _CONSTANT
        if kind in kinds.STRINGS:
            parts = [
                it
                for it in node.named_children()
                if it.kind() in kinds.INTERPOLATIONS
                or it.kind() in kinds.STRINGS
                or it.kind() in kinds.MEMBERS
                or it.kind() in kinds.SUBSCRIPTS
            ]
            return self._highest(parts, depth)
        if kind in kinds.NAMES:
            return self._name(node, depth)
        text = node.text()[:300]
        if self._flows.harmless_text.search(text):
            return _CONSTANT
        if kind in kinds.CALLS:
            return self._call(node, depth)
        if kind in kinds.MEMBERS or kind in kinds.SUBSCRIPTS:
            return self._member(node, text, kind, depth)
        if kind in kinds.BINARIES:
            operator = node.field("operator")
            sign = operator.text() if operator else ""
            if kind == "comparison_operator" or sign in _TO_BOOLEAN or sign in {"-", "**", ">>"}:
                return _CONSTANT
            if sign == "/" and not self._joins_paths:  # between paths it joins
                return _CONSTANT
            if sign in {"*"}:
                return self._highest(node.named_children()[:1], depth)
            return self._highest([it for it in node.named_children() if it.kind() != "comment"], depth)
        if kind in kinds.TERNARIES:
            consequence = [
                it for it in (node.field("consequence"), node.field("alternative"), node.field("body")) if it
            ]
            if kind == "conditional_expression" and not consequence:
                children = node.named_children()
                consequence = [children[0], children[-1]] if len(children) == 3 else children
            return self._highest(consequence, depth)
        if kind in {"cast_expression", "type_cast_expression", "cast"}:
            return self._cast(node, depth)
        if kind in {"list_comprehension", "generator_expression", "set_comprehension"}:
            return self._highest(node.named_children()[:1], depth)
        if kind in kinds.FUNCTIONS:
            body = node.field("body")
            return self.value(body, depth - 1) if body and kind in {"arrow_function", "lambda"} else _UNKNOWN
        if kind in {"keyword_argument", "pair", "array_element_initializer", "keyed_element"}:
            value = node.field("value") or node.named_children()[-1]
            return self.value(value, depth - 1)
        return self._highest([it for it in node.named_children()[:30] if it.kind() != "comment"], depth)

    def _highest(self, parts: Sequence[SgNode], depth: int) -> Value:
        values = [self.value(it, depth - 1) for it in parts]
        level = max((it.level for it in values), default=Level.CONSTANT)
        return Value(level, frozenset().union(*(it.names for it in values)) if values else frozenset())

    def _cast(self, node: SgNode, depth: int) -> Value:
        kind = node.field("type")
        if kind and re.fullmatch(
            r"(unsigned |signed )?(int|integer|long|short|float|double|bool|boolean|byte|size_t|Integer|Long)",
            kind.text(),
        ):
            return _CONSTANT
        value = node.field("value")
        return self.value(value, depth - 1) if value else self._highest(node.named_children()[1:], depth)

    def _name(self, node: SgNode, depth: int) -> Value:
        name = node.text()
        named = frozenset({name})
        if self._outside.match(name) and not (
            name in {"params", "cookies", "gets"} and self._taint.bindings(name, node)[0]
        ):
            return Value(Level.OUTSIDE, named)
        scope, bound = self._taint.bindings(name, node)
        level, names = Level.CONSTANT, named
        if scope is None:
            if _UPPER.match(name) or node.kind() in {"type_identifier", "constant"}:
                return Value(Level.CONSTANT, named)
            return Value(Level.OUTSIDE if _USER_NAME.match(name) else Level.GIVEN, named)
        replaced = (
            any((not it.augmented and it.block[0] <= nodes.start(scope.node) + 1) or _covers(it, scope) for it in bound)
            if bound
            else False
        )
        if name in scope.parameters and not replaced:
            typed = scope.parameters[name].text()[:160]
            if re.search(
                r"\b(int|integer|float|long|bool|boolean|double|Integer|Long|Guid|UUID|int64|uint\d*|size_t|number|short|decimal|DateTime|LocalDate|Date|Enum)\b(?!\s*\()",
                typed.replace(name, ""),
            ):
                level = max(level, Level.CONSTANT)
            elif name in scope.remote or _USER_NAME.match(name) or self._given_from_outside(scope, name, depth):
                level = Level.OUTSIDE
            else:
                level = Level.GIVEN
        for it in bound:
            key = (name, it.at)
            if key in self._open:
                continue
            self._open.add(key)
            if it.value is None:
                found = Value(Level.OUTSIDE) if it.kind == "read" else _UNKNOWN
            elif it.kind == "written":
                found = self._highest(nodes.arguments(it.value)[1:], depth)
            else:
                found = self.value(it.value, depth - 1)
            self._open.discard(key)
            level, names = max(level, found.level), names | found.names
        return Value(level, names)

    def _gives_back_outside(self, called: str, node: SgNode, depth: int) -> bool:
        """Say whether a function of this text is called that gives back, unchecked, a value from outside."""
        named = re.fullmatch(r"(?:(?:await )?(?:self|this|\$this|cls|r|s|h)\.)?(\w+)", called)
        for it in self._taint.returned_by(named.group(1)) if named else ():
            key = ("return", nodes.start(it))
            if key in self._open:
                continue
            self._open.add(key)
            found = self.value(it, depth - 4)
            self._open.discard(key)
            if found.level is Level.OUTSIDE and not self._taint.guarded(found, it, self._family):
                return True
        return False

    def _filled_remotely(self, owner: SgNode) -> bool:
        """Say whether ``owner`` is a parameter whose fields a caller over the network fills."""
        scope, _ = self._taint.bindings(owner.text()[:60], owner)
        return scope is not None and owner.text() in scope.remote

    def _given_from_outside(self, scope: Scope, name: str, depth: int) -> bool:
        """Say whether a call in this text passes a value from outside for the parameter ``name``."""
        position = list(scope.parameters).index(name) - (1 if {"self", "cls"} & scope.parameters.keys() else 0)
        for call in self._taint.calls_of(scope)[:8]:
            given = nodes.arguments(call)
            key = (f"call:{name}", nodes.start(call))
            if 0 <= position < len(given) and key not in self._open:
                self._open.add(key)
                found = self.value(given[position], depth - 1)
                self._open.discard(key)
                if found.level is Level.OUTSIDE:
                    return True
        return False

    def _member(self, node: SgNode, text: str, kind: str, depth: int) -> Value:
        if self._outside.match(text):
            return Value(Level.OUTSIDE, frozenset({node.text()[:60]}))
        if _UPPER_MEMBER.search(text):
            return _CONSTANT
        scope, bound = self._taint.bindings(node.text()[:60], node)
        if scope is not None and bound:
            values = [it.value for it in bound if it.value is not None][-4:]
            key = (text, nodes.start(node))
            if key not in self._open:
                self._open.add(key)
                found = self._highest(values, depth)
                self._open.discard(key)
                return Value(found.level, found.names | {node.text()[:60]})
        base = next(iter(node.named_children()), None)
        if base is None or _OWN.match(text) or base.kind() in {"self", "this", "super"}:
            return Value(Level.UNKNOWN, frozenset({node.text()[:60]}))
        found = self.value(base, depth - 1)
        level = found.level
        if kind in kinds.MEMBERS and level is Level.GIVEN:
            level = Level.UNKNOWN if base.kind() != "identifier" else level
        return Value(level, found.names | {node.text()[:60]})

    def _call(self, node: SgNode, depth: int) -> Value:
        called = nodes.callee(node)[-120:]
        if self._flows.numeric.search(called):
            return _CONSTANT
        last = re.split(r"\.|->|::", called)[-1]
        if (self._sanitiser and self._sanitiser.search(called)) or self._flows.safe_call.search(last):
            return _CONSTANT
        if self._outside.match(node.text()[:200]):
            return Value(Level.OUTSIDE, frozenset({node.text()[:60]}))
        given = nodes.arguments(node)
        owner = nodes.receiver(node)
        if self._gives_back_outside(called, node, depth):
            return Value(Level.OUTSIDE, frozenset({node.text()[:60]}))
        if self._attributes_are_calls and not given and owner is not None and owner.kind() == "identifier":
            held = self.value(owner, depth - 1)
            return Value(held.level, held.names | {node.text()[:60]})
        if not given and owner is not None and self._filled_remotely(owner):
            return Value(Level.OUTSIDE, frozenset({owner.text(), node.text()[:60]}))
        if not self._flows.carriers.search(called):
            return Value(Level.UNKNOWN, self._highest([*given[:4], *([owner] if owner else [])], depth).names)
        parts = list(given)
        if (
            owner
            and re.search(r"(^|\.)(get|pop|fetch|dig|getOrDefault|Get|find|at)$", called)
            and not self._outside.match(owner.text()[:200])
        ):
            parts = given[1:]
        if owner and re.search(r"(^|\.)(map|filter)$", called) and given:
            return self._highest([given[0]] if given[0].kind() in kinds.FUNCTIONS else [owner], depth)
        if owner is not None and not _MODULES.fullmatch(owner.text()[:60]):
            parts.append(owner)
        if re.search(r"(replace|Replace|replaceAll|gsub|sub|str_replace|preg_replace)$", called):
            strict = re.search(r"\[\^|\\W|\\D", " ".join(it.text() for it in given[:1]))
            if strict:
                return _CONSTANT
        return self._highest(parts, depth)


def _covers(binding: Binding, scope: Scope) -> bool:
    """Say whether a binding stands at the top level of its function, and so replaces a parameter for what follows."""
    if binding.augmented or binding.value is None:
        return False
    body = scope.node.field("body")
    if body is None:
        return False
    low, high = nodes.start(body), nodes.end(body)
    return binding.block[0] <= low + 4 and binding.block[1] >= high - 4
