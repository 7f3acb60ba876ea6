"""The names that a parameter or the target of an assignment binds."""

from __future__ import annotations

from ast_grep_py import SgNode

from audit.code import kinds

IDENTIFIERS = frozenset(
    ["identifier", "variable_name", "shorthand_property_identifier_pattern", "instance_variable", "global_variable"]
)


def names_of(node: SgNode) -> list[str]:
    """Names that a parameter or an assignment target binds; types and defaults are not among them."""
    kind = node.kind()
    if kind in IDENTIFIERS:
        return [node.text()]
    name = node.field("name")
    if name and kind not in kinds.MEMBERS:
        return names_of(name)
    if kind in {
        "typed_parameter",
        "default_parameter",
        "assignment_pattern",
        "optional_parameter",
        "pointer_declarator",
        "array_declarator",
        "init_declarator",
        "reference_declarator",
    }:
        first = node.field("left") or node.field("declarator") or next(iter(node.named_children()), None)
        return names_of(first) if first else []
    if kind in {"parameter_declaration", "required_parameter"}:
        inner = node.field("declarator") or node.field("pattern")
        found = names_of(inner) if inner else []
        return found or [it.text() for it in node.named_children() if it.kind() == "identifier"]
    if kind in kinds.MEMBERS or kind in kinds.SUBSCRIPTS:
        return [node.text()] if len(node.text()) < 60 else []
    if kind in {"pair_pattern"}:
        value = node.field("value")
        return names_of(value) if value else []
    if kind in {"parameter", "formal_parameter"}:
        return [it.text() for it in node.named_children() if it.kind() == "identifier"][-1:]
    return [name for it in node.named_children()[:20] for name in names_of(it)]
