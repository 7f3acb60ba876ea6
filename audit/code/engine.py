"""Runs the rules over parsed code: match the tree, then ask whether the value that matters is one to fear."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import cast

from ast_grep_py import Config, SgNode

from audit.code import built, kinds, nodes
from audit.code.checks import CHECKS
from audit.code.flows import Level, Value
from audit.code.rulebook import FlowRule, Rule, rules_for
from audit.code.source import Source
from audit.code.taint import Taint

_MATCHES = 200
_NODES = 200_000
_TEXT = 20_000


@dataclass(frozen=True, slots=True)
class Hit:
    """A rule that matched: its ``line`` (from 1) and ``level``, the distance of the value that matters."""

    rule: Rule
    line: int
    level: Level | None


def run(source: Source) -> tuple[Hit, ...]:
    """Return every hit of the rules for the language of ``source``, in order of lines."""
    if source.root is None:
        return ()
    taint = Taint(source, source.root)
    kinds = frozenset(it.kind() for it in nodes.walk(source.root, _NODES))
    text = source.root.text()
    hits: dict[tuple[str, int], Hit] = {}
    for rule in rules_for(source.language):
        if not rule.need.met(kinds, text):
            continue
        for hit in _hits(rule, source.root, taint):
            hits.setdefault((rule.id, hit.line), hit)
    return tuple(sorted(hits.values(), key=lambda it: (it.line, it.rule.id)))


def _hits(rule: Rule, root: SgNode, taint: Taint) -> Iterator[Hit]:
    for match in root.find_all(cast(Config, dict(rule.config)))[:_MATCHES]:
        if not _in_context(rule, match, root):
            continue
        node: SgNode | None = match
        if rule.check:
            node = CHECKS[rule.check](match, taint)
            if node is None:
                continue
        level: Level | None = None
        if rule.flow:
            level = _flows(rule.flow, match, taint)
            if level is None:
                continue
        yield Hit(rule, nodes.line(node or match), level)


def _in_context(rule: Rule, match: SgNode, root: SgNode) -> bool:
    if rule.near is None and rule.absent is None:
        return True
    if rule.within == "match":
        around = match
    elif rule.within == "file":
        around = root
    else:
        around = nodes.function_of(match) or root
    text = around.text()[:_TEXT]
    return (rule.near is None or bool(rule.near.search(text))) and (rule.absent is None or not rule.absent.search(text))


def _flows(flow: FlowRule, match: SgNode, taint: Taint) -> Level | None:
    """Return how far the feared value is, or None where it is no danger."""
    worst: Value | None = None
    for node in _subjects(flow, match):
        if flow.built or flow.text:
            parts = built.pieces(node, taint)
            if flow.built and not built.is_built(parts):
                continue
            if flow.text and not flow.text.search(built.joined(parts)):
                continue
        value = taint.trace(node, flow.family)
        if (
            value.level >= flow.at_least
            and not taint.guarded(value, match, flow.family)
            and (worst is None or value.level > worst.level)
        ):
            worst = value
    return worst.level if worst else None


def _subjects(flow: FlowRule, match: SgNode) -> list[SgNode]:
    if flow.argument == "node":
        parent = match.parent()
        inner = parent is not None and parent.kind() == match.kind() and match.kind() in kinds.BINARIES
        return [] if inner else [match]
    if flow.argument == "value":
        value = match.field("right") or match.field("value")
        return [value] if value else []
    if flow.argument == "receiver":
        owner = nodes.receiver(match)
        return [owner] if owner else []
    if isinstance(flow.argument, str) and flow.argument.isupper():
        named = match.get_match(flow.argument)
        return [named] if named else []
    given = nodes.arguments(match)
    if flow.argument == "any":
        return given
    index = int(flow.argument)
    return given[index : index + 1]
