"""Kinds of syntax nodes under common names, over all our grammars. They rarely reuse a kind for two things."""

from __future__ import annotations

# fmt: off
CALLS = frozenset(
    (
        "call", "call_expression", "method_invocation", "function_call_expression", "member_call_expression",
        "scoped_call_expression", "nullsafe_member_call_expression", "invocation_expression",
        "object_creation_expression", "new_expression"
    )
)
FUNCTIONS = frozenset(
    (
        "function_definition", "lambda", "function_declaration", "function_expression", "function",
        "arrow_function", "method_definition", "generator_function_declaration", "generator_function",
        "method_declaration", "constructor_declaration", "lambda_expression", "func_literal",
        "anonymous_function", "anonymous_function_creation_expression", "local_function_statement", "method",
        "singleton_method", "method_declaration"
    )
)
CLASSES = frozenset(
    (
        "class_definition", "class_declaration", "class", "class_body", "interface_declaration",
        "record_declaration"
    )
)
STRINGS = frozenset(
    (
        "string", "string_literal", "interpreted_string_literal", "raw_string_literal", "encapsed_string",
        "heredoc", "nowdoc", "verbatim_string_literal", "raw_string_literal", "character_literal",
        "char_literal", "template_string", "interpolated_string_expression", "concatenated_string", "subshell",
        "shell_command_expression", "heredoc_body", "rune_literal", "interpreted_string", "regex",
        "chained_string"
    )
)
LITERALS = frozenset(
    (
        "integer", "float", "number", "number_literal", "int_literal", "float_literal",
        "decimal_integer_literal", "hex_integer_literal", "decimal_floating_point_literal", "integer_literal",
        "real_literal", "true", "false", "none", "null", "nil", "null_literal", "boolean_literal", "boolean",
        "undefined", "simple_symbol", "symbol", "character", "class_literal", "regex_literal"
    )
)
INTERPOLATIONS = frozenset(
    (
        "interpolation", "template_substitution", "variable_name", "dynamic_variable_name"
    )
)
BINARIES = frozenset(
    (
        "binary_operator", "binary_expression", "binary", "boolean_operator", "comparison_operator"
    )
)
NAMES = frozenset(
    (
        "identifier", "variable_name", "shorthand_property_identifier", "instance_variable", "global_variable",
        "constant", "type_identifier"
    )
)
MEMBERS = frozenset(
    (
        "attribute", "member_expression", "field_access", "selector_expression", "member_access_expression",
        "field_expression", "scoped_property_access_expression", "class_constant_access_expression",
        "nullsafe_member_access_expression", "scope_resolution"
    )
)
SUBSCRIPTS = frozenset(
    (
        "subscript", "subscript_expression", "array_access", "index_expression", "element_access_expression",
        "element_reference"
    )
)
WRAPPERS = frozenset(
    (
        "parenthesized_expression", "await", "await_expression", "unary_operator", "unary_expression",
        "spread_element", "argument", "list_splat", "as_expression", "non_null_expression",
        "satisfies_expression", "expression_list", "not_operator", "pointer_expression", "checked_expression",
        "ref_expression", "reference_expression", "parenthesized_statements", "throw_expression",
        "error_suppression_expression", "by_ref", "template_substitution", "interpolation", "dictionary_splat",
        "clone_expression"
    )
)
TERNARIES = frozenset(
    (
        "conditional_expression", "ternary_expression", "conditional"
    )
)
ASSIGNMENTS = frozenset(
    (
        "assignment", "augmented_assignment", "assignment_expression", "augmented_assignment_expression",
        "variable_declarator", "init_declarator", "short_var_declaration", "assignment_statement", "var_spec",
        "const_spec", "named_expression", "operator_assignment", "resource", "const_element"
    )
)
LOOPS = frozenset(
    (
        "for_statement", "for_in_statement", "enhanced_for_statement", "foreach_statement", "for_in_clause",
        "for", "range_clause", "for_range_loop"
    )
)
CONDITIONS = frozenset(
    (
        "if_statement", "elif_clause", "while_statement", "conditional_expression", "ternary_expression", "if",
        "unless", "if_modifier", "unless_modifier", "assert_statement", "else_if_clause", "elsif",
        "switch_statement", "match_statement", "case", "conditional", "switch_expression",
        "expression_switch_statement", "match_expression", "while"
    )
)
ARGUMENT_LISTS = frozenset(
    (
        "argument_list", "arguments"
    )
)
# fmt: on
