"""Who is bound to what, where: parameters, assignments, loops, imports and definitions of a file."""

from __future__ import annotations

import re
from collections import defaultdict
from dataclasses import dataclass, field

from ast_grep_py import SgNode

from audit.code import kinds, nodes
from audit.code.parameters import parameters_of
from audit.code.targets import IDENTIFIERS, names_of

_BLOCKS = frozenset(
    [
        "block",
        "statement_block",
        "compound_statement",
        "body_statement",
        "module",
        "program",
        "source_file",
        "translation_unit",
        "compilation_unit",
        "class_body",
        "declaration_list",
        "statement_list",
        "then",
        "else",
        "do",
        "switch_block_statement_group",
        "switch_section",
        "case_statement",
    ]
)
_APPENDS = re.compile(r"\.(append|Append|AppendFormat|AppendLine|WriteString|concat|push|insert)$")
_FILLED_FROM_REQUEST = re.compile(
    r"\.(ShouldBind\w*|Bind(JSON|Query|Uri|XML|Body)?|BodyParser|QueryParser)$|NewDecoder\(\w+(\.Request)?\.Body\)\.Decode$"
)
_C_WRITERS = {"sprintf": 1, "snprintf": 2, "strcat": 1, "strncat": 1, "strcpy": 1, "strncpy": 1, "vsprintf": 1}
_C_READERS = frozenset(["scanf", "fscanf", "sscanf", "fgets", "gets", "recv", "read", "fread", "getline", "recvfrom"])


_DECLARING = frozenset(["javascript", "typescript", "tsx", "java", "go", "c", "cpp", "csharp"])
_DECLARATORS = frozenset(
    ["variable_declarator", "init_declarator", "short_var_declaration", "var_spec", "const_spec", "resource"]
)


@dataclass(frozen=True, slots=True)
class Binding:
    """``value`` bound to a name at character ``at``; ``augmented`` when it adds to what was there."""

    value: SgNode | None
    at: int
    block: tuple[int, int]
    augmented: bool = False
    kind: str = "assignment"
    declares: bool = False


@dataclass(slots=True)
class Scope:
    """A function or the file itself. ``remote`` are parameters that a caller over the network fills."""

    node: SgNode
    outer: Scope | None
    span: tuple[int, int]
    parameters: dict[str, SgNode] = field(default_factory=dict)
    remote: set[str] = field(default_factory=set)
    bound: dict[str, list[Binding]] = field(default_factory=lambda: defaultdict(list))
    types: dict[str, str] = field(default_factory=dict)


def scopes_of(root: SgNode, language: str) -> dict[tuple[int, int], Scope]:
    """Map the span of each function, and of the file, to its scope."""
    top = Scope(root, None, (0, nodes.end(root)))
    scopes = {top.span: top}
    stack: list[tuple[SgNode, Scope, tuple[int, int]]] = [(root, top, top.span)]
    while stack:
        node, scope, block = stack.pop()
        kind = node.kind()
        if node.is_named():
            if kind in kinds.FUNCTIONS:
                name = node.field("name")
                if name:
                    scope.bound[name.text()].append(Binding(None, nodes.start(node), block, kind="definition"))
                scope = Scope(node, scope, (nodes.start(node), nodes.end(node)))
                scopes[scope.span] = scope
                scope.parameters, scope.remote = parameters_of(node)
            elif kind in _BLOCKS:
                block = (nodes.start(node), nodes.end(node))
            _bind(node, kind, scope, block)
            _declare(node, kind, scope)
        stack.extend((it, scope, block) for it in reversed(node.children()))
    if language in _DECLARING:
        for scope in scopes.values():
            _hoist(scope)
    return scopes


def _hoist(scope: Scope) -> None:
    """Move assignments to a name that an outer scope declares to that scope."""
    for name, bound in list(scope.bound.items()):
        if name in scope.parameters or any(it.kind != "assignment" or it.declares for it in bound):
            continue
        outer = scope.outer
        while outer is not None:
            if name in outer.parameters or any(it.declares for it in outer.bound.get(name, ())):
                outer.bound[name] += bound
                del scope.bound[name]
                break
            outer = outer.outer


def _bind(node: SgNode, kind: str, scope: Scope, block: tuple[int, int]) -> None:
    at = nodes.end(node)
    if kind in kinds.ASSIGNMENTS:
        target = node.field("left") or node.field("name") or node.field("declarator")
        value = node.field("right") or node.field("value")
        children = node.named_children()
        if target is None and children:
            target = children[0]
        if value is None and len(children) > 1 and kind in {"variable_declarator", "const_element"}:
            value = children[-1]
        if target is None or (value is None and kind != "variable_declarator"):
            return
        operator = node.field("operator")
        augmented = kind.startswith(("augmented", "operator")) or bool(operator and operator.text() not in {"=", ":="})
        lefts = (
            target.named_children()
            if target.kind() in {"expression_list", "pattern_list", "left_assignment_list"}
            else [target]
        )
        rights = (
            value.named_children() if value and value.kind() in {"expression_list", "right_assignment_list"} else []
        )
        for index, left in enumerate(lefts):
            bound = rights[index] if len(rights) == len(lefts) else (rights[0] if rights else value)
            for name in names_of(left):
                scope.bound[name].append(Binding(bound, at, block, augmented, declares=kind in _DECLARATORS))
    elif kind in kinds.LOOPS:
        _bind_loop(node, scope, block)
    elif kind in {"as_pattern"}:
        children = node.named_children()
        if len(children) == 2:
            for name in names_of(children[1]):
                scope.bound[name].append(Binding(children[0], at, block))
    elif kind in {"import_statement", "import_from_statement", "import_declaration", "import_spec", "import_clause"}:
        for name in re.findall(r"\w+", node.text()[:2000]):
            scope.bound[name].append(Binding(None, at, block, kind="import"))
    elif kind in kinds.CALLS:
        _bind_call(node, scope, block)
    elif kind == "binary" and (sign := node.field("operator")) is not None and sign.text() == "<<":
        receiver, value = node.field("left"), node.field("right")
        if receiver is not None and value is not None and receiver.kind() == "identifier":
            scope.bound[receiver.text()].append(Binding(value, at, block, augmented=True))
    elif kind == "catch_formal_parameter":
        for it in node.named_children():
            if it.kind() == "identifier":
                scope.bound[it.text()].append(Binding(None, at, block, kind="caught"))


_DECLARATIONS = frozenset(
    [
        "local_variable_declaration",
        "field_declaration",
        "formal_parameter",
        "enhanced_for_statement",
        "resource",
        "declaration",
        "parameter_declaration",
        "variable_declaration",
        "parameter",
        "foreach_statement",
    ]
)


def _declare(node: SgNode, kind: str, scope: Scope) -> None:
    """Note the declared type of each name, for languages that declare types."""
    if kind not in _DECLARATIONS:
        return
    declared = node.field("type")
    if declared is None:
        return
    text = declared.text()
    for it in node.named_children():
        name = it.field("name") if it.kind() == "variable_declarator" else None
        if it.kind() in {"variable_declarator", "init_declarator", "array_declarator", "pointer_declarator"}:
            array = "[]" if it.field("dimensions") is not None or it.kind() == "array_declarator" else ""
            for found in [name.text()] if name else names_of(it):
                scope.types[found] = text + array
        elif it.kind() == "identifier":
            scope.types[it.text()] = text


def _bind_loop(node: SgNode, scope: Scope, block: tuple[int, int]) -> None:
    left = node.field("left") or node.field("name") or node.field("pattern")
    right = node.field("right") or node.field("value")
    if node.kind() == "foreach_statement" and (left is None or right is None):
        inner = [it for it in node.named_children() if it.kind() not in {"compound_statement", "block"}]
        if len(inner) >= 2:
            right, left = (inner[0], inner[1]) if inner[0].kind() != "implicit_type" else (inner[-1], inner[-2])
    if left and right:
        for name in names_of(left):
            scope.bound[name].append(Binding(right, nodes.start(right), block, kind="loop"))


def _bind_call(node: SgNode, scope: Scope, block: tuple[int, int]) -> None:
    called = nodes.callee(node)
    at = nodes.end(node)
    if _APPENDS.search(called):
        owner: SgNode | None = nodes.receiver(node)
        while owner is not None and owner.kind() in kinds.CALLS and _APPENDS.search(nodes.callee(owner)):
            owner = nodes.receiver(owner)
        if owner is not None and owner.kind() in IDENTIFIERS:
            for argument in nodes.arguments(node)[:3]:
                scope.bound[owner.text()].append(Binding(argument, at, block, augmented=True))
    elif _FILLED_FROM_REQUEST.search(called):
        for filled in nodes.arguments(node):
            if re.fullmatch(r"&\w+", filled.text()):
                scope.bound[filled.text()[1:]].append(Binding(None, at, block, kind="read"))
    elif called in _C_WRITERS:
        given = nodes.arguments(node)
        if len(given) > _C_WRITERS[called] and given[0].kind() == "identifier":
            scope.bound[given[0].text()].append(
                Binding(node, at, block, augmented=called in {"strcat", "strncat"}, kind="written")
            )
    elif called in _C_READERS:
        for given_one in nodes.arguments(node):
            text = given_one.text().lstrip("&")
            if text.isidentifier() and text not in {"stdin", "NULL"}:
                scope.bound[text].append(Binding(None, at, block, kind="read"))
