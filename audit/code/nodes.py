"""Syntax nodes of all our grammars under common names. The grammars rarely reuse a kind for two things."""

from __future__ import annotations

from collections.abc import Iterator

from ast_grep_py import SgNode

CALLS = frozenset(
    [
        "call",
        "call_expression",
        "method_invocation",
        "function_call_expression",
        "member_call_expression",
        "scoped_call_expression",
        "nullsafe_member_call_expression",
        "invocation_expression",
        "object_creation_expression",
        "new_expression",
    ]
)
FUNCTIONS = frozenset(
    [
        "function_definition",
        "lambda",
        "function_declaration",
        "function_expression",
        "function",
        "arrow_function",
        "method_definition",
        "generator_function_declaration",
        "generator_function",
        "method_declaration",
        "constructor_declaration",
        "lambda_expression",
        "func_literal",
        "anonymous_function",
        "anonymous_function_creation_expression",
        "local_function_statement",
        "method",
        "singleton_method",
        "method_declaration",
    ]
)
CLASSES = frozenset(
    ["class_definition", "class_declaration", "class", "class_body", "interface_declaration", "record_declaration"]
)
STRINGS = frozenset(
    [
        "string",
        "string_literal",
        "interpreted_string_literal",
        "raw_string_literal",
        "encapsed_string",
        "heredoc",
        "nowdoc",
        "verbatim_string_literal",
        "raw_string_literal",
        "character_literal",
        "char_literal",
        "template_string",
        "interpolated_string_expression",
        "concatenated_string",
        "subshell",
        "shell_command_expression",
        "heredoc_body",
        "rune_literal",
        "interpreted_string",
        "regex",
        "chained_string",
    ]
)
LITERALS = frozenset(
    [
        "integer",
        "float",
        "number",
        "number_literal",
        "int_literal",
        "float_literal",
        "decimal_integer_literal",
        "hex_integer_literal",
        "decimal_floating_point_literal",
        "integer_literal",
        "real_literal",
        "true",
        "false",
        "none",
        "null",
        "nil",
        "null_literal",
        "boolean_literal",
        "boolean",
        "undefined",
        "simple_symbol",
        "symbol",
        "character",
        "class_literal",
        "regex_literal",
    ]
)
INTERPOLATIONS = frozenset({"interpolation", "template_substitution", "variable_name", "dynamic_variable_name"})
BINARIES = frozenset({"binary_operator", "binary_expression", "binary", "boolean_operator", "comparison_operator"})
NAMES = frozenset(
    [
        "identifier",
        "variable_name",
        "shorthand_property_identifier",
        "instance_variable",
        "global_variable",
        "constant",
        "type_identifier",
    ]
)
MEMBERS = frozenset(
    [
        "attribute",
        "member_expression",
        "field_access",
        "selector_expression",
        "member_access_expression",
        "field_expression",
        "scoped_property_access_expression",
        "class_constant_access_expression",
        "nullsafe_member_access_expression",
        "scope_resolution",
    ]
)
SUBSCRIPTS = frozenset(
    [
        "subscript",
        "subscript_expression",
        "array_access",
        "index_expression",
        "element_access_expression",
        "element_reference",
    ]
)
WRAPPERS = frozenset(
    [
        "parenthesized_expression",
        "await",
        "await_expression",
        "unary_operator",
        "unary_expression",
        "spread_element",
        "argument",
        "list_splat",
        "as_expression",
        "non_null_expression",
        "satisfies_expression",
        "expression_list",
        "not_operator",
        "pointer_expression",
        "checked_expression",
        "ref_expression",
        "reference_expression",
        "parenthesized_statements",
        "throw_expression",
        "error_suppression_expression",
        "by_ref",
        "template_substitution",
        "interpolation",
        "dictionary_splat",
        "clone_expression",
    ]
)
TERNARIES = frozenset({"conditional_expression", "ternary_expression", "conditional"})
ASSIGNMENTS = frozenset(
    [
        "assignment",
        "augmented_assignment",
        "assignment_expression",
        "augmented_assignment_expression",
        "variable_declarator",
        "init_declarator",
        "short_var_declaration",
        "assignment_statement",
        "var_spec",
        "const_spec",
        "named_expression",
        "operator_assignment",
        "resource",
        "const_element",
    ]
)
LOOPS = frozenset(
    [
        "for_statement",
        "for_in_statement",
        "enhanced_for_statement",
        "foreach_statement",
        "for_in_clause",
        "for",
        "range_clause",
        "for_range_loop",
    ]
)
CONDITIONS = frozenset(
    [
        "if_statement",
        "elif_clause",
        "while_statement",
        "conditional_expression",
        "ternary_expression",
        "if",
        "unless",
        "if_modifier",
        "unless_modifier",
        "assert_statement",
        "else_if_clause",
        "elsif",
        "switch_statement",
        "match_statement",
        "case",
        "conditional",
        "switch_expression",
        "expression_switch_statement",
        "match_expression",
        "while",
    ]
)
ARGUMENT_LISTS = frozenset({"argument_list", "arguments"})


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
    if function and function.kind() in MEMBERS:
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
    holder = call.field("arguments") or next((it for it in call.children() if it.kind() in ARGUMENT_LISTS), None)
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
    return next((it for it in node.ancestors() if it.is_named() and it.kind() in FUNCTIONS), None)


def string_text(node: SgNode) -> str | None:
    """Return the text of a string without interpolations, quotes taken off; None for anything else."""
    kind = node.kind()
    if kind not in STRINGS:
        return None
    if kind in {"concatenated_string", "chained_string"}:
        parts = [string_text(it) for it in node.named_children()]
        return None if None in parts else "".join(it or "" for it in parts)
    if any(it.kind() in INTERPOLATIONS for it in node.named_children()):
        return None
    text = node.text().lstrip("rRbBuUfFlL@$")
    for quote in ('"""', "'''", '"', "'", "`"):
        if text.startswith(quote) and text.endswith(quote) and len(text) >= 2 * len(quote):
            return text[len(quote) : -len(quote)]
    return text
