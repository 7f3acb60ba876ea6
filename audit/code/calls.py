"""The calls of one file and what its named functions return, each listed once, when first asked for."""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Callable, Collection, Iterator, Mapping
from functools import cached_property

from ast_grep_py import SgNode

from audit.code import kinds, nodes

_MOST_RETURNS = 6


class Calls:
    """What calls what within the tree under ``root``."""

    def __init__(self, root: SgNode) -> None:
        self._root = root

    def of(self, name: str) -> list[SgNode]:
        """Return the calls of the functions named ``name``."""
        return self._calls.get(name, [])

    def returned_by(self, name: str) -> list[SgNode]:
        """Return what the function named ``name`` may give back; nothing where no function or several have the name."""
        found = self._functions.get(name, [])
        return list(_returns(found[0]))[:_MOST_RETURNS] if name and len(found) == 1 else []

    @cached_property
    def _calls(self) -> Mapping[str, list[SgNode]]:
        return self._listed(kinds.CALLS, lambda it: re.split(r"\.|->|::", nodes.callee(it)[-80:])[-1])

    @cached_property
    def _functions(self) -> Mapping[str, list[SgNode]]:
        return self._listed(kinds.FUNCTIONS, _name_of)

    def _listed(self, wanted: Collection[str], name_of: Callable[[SgNode], str]) -> Mapping[str, list[SgNode]]:
        found: defaultdict[str, list[SgNode]] = defaultdict(list)
        for it in nodes.walk(self._root):
            if it.is_named() and it.kind() in wanted:
                found[name_of(it)].append(it)
        return found


def _name_of(function: SgNode) -> str:
    name, parent = function.field("name"), function.parent()
    if name is None and parent is not None and parent.kind() == "variable_declarator":
        name = parent.field("name")
    return name.text() if name is not None else ""


def _returns(function: SgNode) -> Iterator[SgNode]:
    body = function.field("body")
    if body is None:
        return
    if function.kind() in {"arrow_function", "lambda"} and not body.kind().endswith("block"):
        yield body
        return
    stack = [body]
    while stack:
        node = stack.pop()
        if node.is_named() and node.kind() in kinds.FUNCTIONS:
            continue
        inner = [it for it in node.named_children() if it.kind() != "comment"] if node.is_named() else []
        if node.kind() in {"return_statement", "return"} and inner:
            yield inner[0]
        else:
            stack.extend(reversed(inner))
