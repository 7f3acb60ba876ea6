"""Methods and classes as Java declares them."""

from __future__ import annotations

from ast_grep_py import SgNode


def methods_of(body: SgNode) -> list[SgNode]:
    return [it for it in body.named_children() if it.kind() == "method_declaration"]


def name_of(node: SgNode) -> str:
    name = node.field("name")
    return name.text() if name is not None else ""


def parameter_types(method: SgNode) -> list[str]:
    """Return the declared types of a method's parameters."""
    holder = method.field("parameters")
    kinds = [it.field("type") for it in (holder.named_children() if holder is not None else [])]
    return [it.text() for it in kinds if it is not None]


def modifiers_of(node: SgNode) -> str:
    return next((it.text() for it in node.named_children() if it.kind() == "modifiers"), "")
