"""Checks on loops: bounds, direction, conditions, closures."""

from __future__ import annotations

import re

from ast_grep_py import SgNode

from audit.code import kinds, nodes
from audit.code.endings import JUMPS, LOOPS, ends
from audit.code.taint import Taint

_CONSTANT_KINDS = frozenset(
    [
        "string",
        "number",
        "true",
        "false",
        "null",
        "undefined",
        "template_string",
        "object",
        "array",
        "arrow_function",
        "function_expression",
        "class",
        "regex",
        "integer",
        "float",
        "none",
        "new_expression",
        "unary_void",
    ]
)


def loop_runs_once(match: SgNode, taint: Taint) -> SgNode | None:
    """Report a loop whose body leaves on every path of its first round."""
    body = match.field("body")
    if body is None or body.kind() not in {"statement_block", "block", "compound_statement", *JUMPS, "if_statement"}:
        return None
    inner = body.named_children() if body.kind() not in {*JUMPS, "if_statement"} else [body]
    if any(_continues(it) for it in inner):
        return None
    return match if any(_leaves(it) for it in inner if it.kind() != "comment") else None


def _leaves(node: SgNode, depth: int = 10) -> bool:
    """Say whether ``node`` surely leaves the loop around it (a continue does not)."""
    if node.kind() == "continue_statement":
        return False
    if node.kind() in {"statement_block", "block", "compound_statement", "else_clause"}:
        return depth > 0 and any(_leaves(it, depth - 1) for it in node.named_children())
    if node.kind() == "if_statement":
        yes, no = node.field("consequence"), node.field("alternative")
        return depth > 0 and yes is not None and no is not None and _leaves(yes, depth - 1) and _leaves(no, depth - 1)
    if node.kind() in {"switch_statement", *LOOPS}:
        return False
    return ends(node, depth)


def _continues(node: SgNode) -> bool:
    stack = [node]
    while stack:
        it = stack.pop()
        if it.kind() == "continue_statement":
            return True
        if it.kind() not in kinds.FUNCTIONS and it.kind() not in LOOPS:
            stack.extend(it.named_children())
    return False


def captures_loop_variable(match: SgNode, taint: Taint) -> SgNode | None:
    """Report a closure created in a loop that reads a variable which all rounds share, and that outlives the round."""
    loop = next(
        (
            it
            for it in match.ancestors()
            if it.kind() in {"for_statement", "for_in_statement", "while_statement", "do_statement"}
            or it.kind() in kinds.FUNCTIONS
        ),
        None,
    )
    if loop is None or loop.kind() in kinds.FUNCTIONS:
        return None
    text = match.text()
    if match.kind() == "lambda":
        left = loop.field("left")
        names = set(re.findall(r"\w+", left.text())) if left is not None else set()
        params = match.field("parameters")
        own = set(re.findall(r"\w+", params.text())) if params is not None else set()
        parent = match.parent()
        holder = parent.parent() if parent is not None else None
        direct = (
            holder is not None
            and holder.kind() == "call"
            and not re.search(
                r"(append|add|connect|after|bind|submit|Thread|setdefault|register)$",
                nodes.callee(holder),
            )
        )
        keyword = parent is not None and parent.kind() == "keyword_argument" and parent.text().startswith("key")
        body = match.field("body")
        used = {it for it in names - own if body is not None and re.search(rf"\b{it}\b", body.text())}
        return match if used and not direct and not keyword else None
    shared = _shared_names(loop)
    parent = match.parent()
    if parent is not None and parent.kind() == "parenthesized_expression":
        return None
    used = {it for it in shared if re.search(rf"(?<![\w.]){re.escape(it)}(?!\w)", text)}
    return match if used else None


def _shared_names(loop: SgNode) -> set[str]:
    """Names of JavaScript that a loop changes and that its rounds share: declared with var, or outside the loop."""
    head = loop.text()[:300]
    names: set[str] = set(re.findall(r"^for\s*\(\s*var\s+([A-Za-z_$][\w$]*)", head))
    body = loop.field("body")
    text = body.text() if body is not None else ""
    for name in set(re.findall(r"(?<![\w.$])([A-Za-z_$][\w$]*)\s*(?:\+\+|--|[-+]=)", text + head)):
        if not re.search(rf"\b(let|const)\s+[^;=]*\b{re.escape(name)}\b", text) and not re.search(
            rf"^for\s*\(\s*let\s+[^;]*\b{re.escape(name)}\b", head
        ):
            names.add(name)
    return names


def constant_condition(match: SgNode, taint: Taint) -> SgNode | None:
    """Report a condition made of literals; ``while (true)`` with a way out is no mistake."""
    condition = match.field("condition")
    if condition is None:
        return None
    if condition.kind() in {"parenthesized_expression", "expression_statement"} and condition.named_children():
        condition = condition.named_children()[0]
    loop = match.kind() in {"while_statement", "do_statement", "for_statement"}
    if loop and condition.text() in {"true", "1", "!0", "!false"}:
        return None
    return match if _is_constant(condition) else None


def _is_constant(node: SgNode, truth: bool = True) -> bool:
    """Say whether the value of ``node``, or only its ``truth``, is fixed."""
    kind = node.kind()
    if (
        not truth
        and kind in {"template_string", "unary_expression"}
        and not re.fullmatch(r"[-+!~]?[\d.]+", node.text())
    ):
        return False
    if kind == "template_string":
        return not any(it.kind() == "template_substitution" for it in node.named_children()) or bool(
            re.match(r"`[^$]+", node.text())
        )
    if kind in _CONSTANT_KINDS:
        return True
    inner = node.named_children()
    if kind == "unary_expression" and node.text().startswith("void"):
        return True
    if kind == "unary_expression" and node.text().startswith("typeof"):
        return True
    if kind in {"unary_expression", "parenthesized_expression"} and inner:
        return _is_constant(inner[-1])
    if kind == "assignment_expression":
        right, operator = node.field("right"), node.field("operator")
        return right is not None and operator is None and _is_constant(right)
    if kind == "sequence_expression" and inner:
        return _is_constant(inner[-1])
    if kind == "binary_expression":
        operator = node.field("operator")
        sign = operator.text() if operator else ""
        if sign in {"||", "??"}:
            return (
                (_is_constant(inner[0]) and _is_truthy(inner[0]))
                or (_is_constant(inner[-1]) and sign == "||" and _is_truthy(inner[-1]))
                or all(_is_constant(it) for it in inner)
            )
        if sign == "&&":
            return any(_is_constant(it) and not _is_truthy(it) for it in inner) or all(_is_constant(it) for it in inner)
        return all(_is_constant(it, truth=False) for it in inner)
    return False


def _is_truthy(node: SgNode) -> bool:
    return node.text() not in {"false", "0", "''", '""', "``", "null", "undefined", "NaN", "0n"}


def condition_never_changes(match: SgNode, taint: Taint) -> SgNode | None:
    """Report a loop whose condition reads local variables that nothing in the loop changes."""
    condition = match.field("condition")
    body = match.field("body")
    if condition is None or body is None:
        return None
    if any(
        it.kind()
        in {
            *kinds.CALLS,
            *kinds.MEMBERS,
            *kinds.SUBSCRIPTS,
            "await_expression",
            "update_expression",
            "assignment_expression",
            "yield_expression",
        }
        for it in nodes.walk(condition, 80)
    ):
        return None
    names = {it.text() for it in nodes.walk(condition, 80) if it.kind() == "identifier"}
    if not names:
        return None
    rest = body.text() + ((match.field("increment") or body).text())
    if any(
        re.search(
            rf"(?<![\w.]){re.escape(it)}\s*([-+*/|&^%]|<<|>>|\*\*|\?\?|\|\||&&)?=(?!=)|(\+\+|--)\s*{re.escape(it)}\b|\b{re.escape(it)}\s*(\+\+|--)|[\[,{{]\s*{re.escape(it)}\s*[,\]}}][^;]*=|&\s*{re.escape(it)}\b|\bof\b.*{re.escape(it)}",
            rest,
        )
        for it in names
    ):
        return None
    for name in names:
        scope, _ = taint.bindings(name, condition)
        if scope is None:
            return None
        inner = nodes.function_of(match)
        if inner is None or scope.node.range().start.index != inner.range().start.index:
            changed_elsewhere = len(scope.bound.get(name, [])) > 1 or _changed_in_functions(scope.node, name)
            if changed_elsewhere:
                return None
        elif _changed_in_functions(inner, name) or (re.search(r"\byield\b|\bawait\b", rest) and scope.outer is None):
            return None
    if re.search(r"\b(break|return|throw|exit)\b", rest) and match.kind() != "while_statement":
        return None
    return match if not re.search(r"\breturn\b|\bthrow\b|\bbreak\b", rest) else None


def _changed_in_functions(node: SgNode, name: str) -> bool:
    for it in nodes.walk(node, 6000):
        if (
            it.kind() in kinds.FUNCTIONS
            and nodes.start(it) > nodes.start(node)
            and re.search(rf"(?<![\w.]){re.escape(name)}\s*([-+*/]?=(?!=)|\+\+|--)", it.text())
        ):
            return True
    return False


def indexes_with_counter(match: SgNode, taint: Taint) -> SgNode | None:
    """Report a loop that ends one past the length and uses its counter, unshifted, as an index."""
    left = match.field("left")
    name = left.text() if left is not None else ""
    if not name:
        head = match.field("condition")
        found = re.match(r"\(?\s*(\$?\w+)\s*<=", head.text()) if head is not None else None
        if found is None:
            clause = next(
                (it for it in match.named_children() if it.kind() in {"for_clause", "binary_expression"}), None
            )
            found = re.search(r"(\$?\w+)\s*<=", clause.text()) if clause is not None else None
        name = found.group(1) if found else ""
    body = match.field("body")
    text = body.text() if body is not None else match.text()
    index = rf"\[\s*{re.escape(name)}\s*\]|\.(get|charAt|elementAt|at|ElementAt|charCodeAt)\(\s*{re.escape(name)}\s*\)"
    if not name or not re.search(index, text):
        return None
    return (
        None
        if re.search(rf"\b{re.escape(name)}\s*(<|===?|>=)\s*\$?[\w.]*(length|len|size|count|Length|Count)", text)
        else match
    )


def counter_direction(match: SgNode, taint: Taint) -> SgNode | None:
    """Report a for loop whose counter moves away from its bound."""
    condition, update = match.field("condition"), match.field("increment") or match.field("update")
    if condition is None or update is None:
        return None
    found = re.match(r"^\(?\s*(\$?\w+)\s*(<=?|>=?)\s*[^&|]*;?$", condition.text().strip())
    if not found:
        return None
    name, sign = found.group(1), found.group(2)
    text = re.sub(r"\s+", "", update.text())
    up = (
        text in {f"{name}++", f"++{name}"}
        or re.fullmatch(rf"{re.escape(name)}\+=\d+(\.\d+)?", text)
        or re.fullmatch(rf"{re.escape(name)}-=-\d+", text)
    )
    down = (
        text in {f"{name}--", f"--{name}"}
        or re.fullmatch(rf"{re.escape(name)}-=\d+(\.\d+)?", text)
        or re.fullmatch(rf"{re.escape(name)}\+=-\d+", text)
    )
    return match if (sign.startswith("<") and down) or (sign.startswith(">") and up) else None


def for_in_unguarded(match: SgNode, taint: Taint) -> SgNode | None:
    """Report for-in over an object whose body does not begin by asking whether the key is the object's own."""
    body = match.field("body")
    if body is None:
        return None
    if body.kind() == "empty_statement":
        return None
    inner = (
        [it for it in body.named_children() if it.kind() != "comment"] if body.kind() == "statement_block" else [body]
    )
    if not inner:
        return None
    if len(inner) == 1 and inner[0].kind() == "if_statement":
        return None
    first = inner[0]
    condition = first.field("condition") if first.kind() == "if_statement" else None
    guard = condition is not None and re.search(r"continue", first.text()) is not None
    return None if guard or re.search(r"hasOwn", body.text()) else match
