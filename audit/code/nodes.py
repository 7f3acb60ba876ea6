"""Syntax nodes of all our grammars, read under common names."""

from __future__ import annotations

from collections.abc import Iterator

from ast_grep_py import SgNode

from audit.code import kinds


def walk(node: SgNode, limit: int = 40_000) -> Iterator[SgNode]:
    """Yield ``node`` and what is below it in order of text, at most ``limit`` nodes."""
    stack = [node]
    while stack and limit:
        limit -= 1
        current = stack.pop()
        yield current
        stack.extend(reversed(current.children()))


def start(node: SgNode) -> int:
    """Character offset at which ``node`` starts."""
    return node.range().start.index


def end(node: SgNode) -> int:
    """Character offset at which ``node`` ends."""
    return node.range().end.index


def line(node: SgNode) -> int:
    """Line of ``node``, counting from 1."""
    return node.range().start.line + 1


def callee(call: SgNode) -> str:
    """Return the text of what is called: ``db.execute``, ``new File``, ``os.system``."""
    kind = call.kind()
    if kind in {"object_creation_expression", "new_expression"}:
        named = call.field("type") or call.field("constructor") or next(iter(call.named_children()), None)
        return f"new {named.text()}" if named else "new"
    function = call.field("function")
    if function:
        return function.text()
    name = call.field("name") or call.field("method")
    receiver = call.field("object") or call.field("receiver") or call.field("scope")
    if name and receiver:
        return f"{receiver.text()}.{name.text()}"
    return name.text() if name else ""


def receiver(call: SgNode) -> SgNode | None:
    """Return the object a method is called on, or None."""
    direct = call.field("object") or call.field("receiver")
    if direct:
        return direct
    function = call.field("function")
    if function and function.kind() in kinds.MEMBERS:
        return (
            function.field("object")
            or function.field("operand")
            or function.field("expression")
            or function.field("argument")
            or function.child(0)
        )
    return None


def arguments(call: SgNode) -> list[SgNode]:
    """Return a call's arguments in order, comments left out, wrappers of the grammar taken off."""
    holder = call.field("arguments") or next((it for it in call.children() if it.kind() in kinds.ARGUMENT_LISTS), None)
    if holder is None:
        return []
    if holder.kind() == "generator_expression":
        return [holder]
    return [bare(it) for it in holder.named_children() if it.kind() != "comment"]


def bare(node: SgNode) -> SgNode:
    """Take off the ``argument`` node that some grammars put around an argument."""
    if node.kind() == "argument":
        inner = node.named_children()
        return inner[-1] if inner else node
    return node


def keyword(call: SgNode, name: str) -> SgNode | None:
    """Return the value of a keyword argument of a call, or None."""
    for it in arguments(call):
        if it.kind() in {"keyword_argument", "pair"}:
            key, value = it.field("name") or it.field("key"), it.field("value")
            if key and value and key.text().strip("'\":") == name:
                return value
    return None


def function_of(node: SgNode) -> SgNode | None:
    """Return the innermost function around ``node``, or None at the top of a file."""
    return next((it for it in node.ancestors() if it.is_named() and it.kind() in kinds.FUNCTIONS), None)


def string_text(node: SgNode) -> str | None:
    """Return the text of a string without interpolations, quotes taken off; None for anything else."""
    kind = node.kind()
    if kind not in kinds.STRINGS:
        return None
    if kind in {"concatenated_string", "chained_string"}:
        parts = [string_text(it) for it in node.named_children()]
        return None if None in parts else "".join(it or "" for it in parts)
    if any(it.kind() in kinds.INTERPOLATIONS for it in node.named_children()):
        return None
    text = node.text().lstrip("rRbBuUfFlL@$")
    for quote in ('"""', "'''", '"', "'", "`"):
        if text.startswith(quote) and text.endswith(quote) and len(text) >= 2 * len(quote):
            return text[len(quote) : -len(quote)]
    return text
