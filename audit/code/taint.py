"""Where a value came from: a small idea of taint within one file. Nothing is executed; what is not known is UNKNOWN."""

from __future__ import annotations

import re
from bisect import bisect_right

from ast_grep_py import SgNode

from audit.code import nodes
from audit.code.bindings import Binding, Scope, scopes_of
from audit.code.calls import Calls
from audit.code.flows import Value, flows
from audit.code.guards import Guards
from audit.code.source import Source
from audit.code.trace import Trace


class Taint:
    """Follows values through one file. Bounded: it gives up, as UNKNOWN, after some depth and steps."""

    def __init__(self, source: Source, root: SgNode) -> None:
        self.language = source.language
        self.flows = flows()
        self.from_outside = self.flows.sources[source.language]
        self._ordered = sorted(scopes_of(root, source.language).values(), key=lambda it: (it.span[0], -it.span[1]))
        self._starts = [it.span[0] for it in self._ordered]
        self._calls = Calls(root)
        self._guards = Guards(self.scope_of)

    def trace(self, node: SgNode, family: str = "") -> Value:
        """Say where the value of ``node`` came from; calls that make it harmless for ``family`` end the flow."""
        return Trace(self, family).value(node)

    def scope_of(self, node: SgNode) -> Scope:
        """Return the scope that ``node`` stands in; a function stands in the scope around it."""
        position, end = nodes.start(node), nodes.end(node)
        scope = self._ordered[bisect_right(self._starts, position) - 1]
        while scope.outer is not None and (scope.span[1] < end or scope.span == (position, end)):
            scope = scope.outer
        return scope

    def bindings(self, name: str, at: SgNode) -> tuple[Scope | None, list[Binding]]:
        """Return the scope that ``name`` belongs to at ``at``, and what may be bound to it there, in order."""
        scope: Scope | None = self.scope_of(at)
        position = nodes.start(at)
        inner = True
        while scope is not None:
            found = scope.bound.get(name)
            if found or name in scope.parameters:
                return scope, _reaching(found or [], position) if inner else list(found or [])
            scope, inner = scope.outer, False
        return None, []

    def calls_of(self, scope: Scope) -> list[SgNode]:
        """Return the calls, in this text, of the function that ``scope`` is the inside of."""
        name = scope.node.field("name")
        return self._calls.of(name.text()) if name is not None else []

    def returned_by(self, name: str) -> list[SgNode]:
        """Return what the one function of this text named ``name`` may give back."""
        return self._calls.returned_by(name)

    def declared(self, node: SgNode) -> str:
        """Return the declared type of a name (``this.`` is looked through), or "" where it is not known."""
        name = re.sub(r"^this\.", "", node.text())
        scope: Scope | None = self.scope_of(node)
        while scope is not None:
            if name in scope.types:
                return scope.types[name]
            scope = scope.outer
        return ""

    def guarded(self, value: Value, sink: SgNode, family: str = "") -> bool:
        """Say whether a condition, or a call that checks, stands before ``sink`` and tests what flows into it."""
        return self._guards.stand_before(sink, value, family)


def _reaching(bound: list[Binding], position: int) -> list[Binding]:
    """Keep the bindings that may reach ``position``: one that surely runs replaces those before it."""
    found: list[Binding] = []
    before = [it for it in bound if it.at <= position] or [
        it for it in bound if it.kind in {"loop", "definition", "import"}
    ]
    for it in sorted(before, key=lambda one: one.at):
        surely = it.block[0] <= position <= it.block[1]
        if surely and not it.augmented:
            found = [it]
        else:
            found.append(it)
    return found
