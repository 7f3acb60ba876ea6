"""Checks on conditions: repeated, constant, never changing, tested too early."""

from __future__ import annotations

import re

from ast_grep_py import SgNode

from audit.code import nodes
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
_ALWAYS_NEW = frozenset(
    ["object", "array", "arrow_function", "function_expression", "class", "regex", "new_expression"]
)


def repeated_condition(match: SgNode, taint: Taint) -> SgNode | None:
    """Report a branch of an if-else chain whose condition an earlier branch already tested."""
    parent = match.parent()
    if (
        parent is not None
        and parent.kind() in {"else_clause", "if_statement"}
        and match.kind() == "if_statement"
        and _is_else_of(match, parent)
    ):
        return None
    seen: list[str] = []
    current: SgNode | None = match
    rounds = 0
    while current is not None and rounds < 60:
        rounds += 1
        condition = current.field("condition")
        if condition is not None:
            text = _normal(condition.text())
            if text in seen and _may_repeat(condition):
                return condition
            parts = [_normal(it) for it in re.split(r"\|\||\bor\b", text)]
            if (
                len(parts) == 1
                and _may_repeat(condition)
                and any(text in {_normal(it) for it in re.split(r"\|\||\bor\b", old)} for old in seen)
            ):
                return condition
            seen.append(text)
        for clause in current.named_children():
            if clause.kind() == "elif_clause":
                inner = clause.field("condition")
                text = _normal(inner.text()) if inner is not None else ""
                if inner is not None and text in seen and _may_repeat(inner):
                    return inner
                seen.append(text)
        following = current.field("alternative")
        if following is not None and following.kind() == "else_clause":
            following = next((it for it in following.named_children() if it.kind() == "if_statement"), None)
        current = following if following is not None and following.kind() == "if_statement" else None
    return None


def _may_repeat(condition: SgNode) -> bool:
    """Say whether asking the same again surely gives the same answer."""
    if any(it.kind() in {"update_expression", "assignment_expression"} for it in nodes.walk(condition, 60)):
        return False
    return (
        re.search(
            r"(?i)(random|next|read|pop|shift|poll|recv|take|consume|advance|eat|accept|match)\w*\s*\(",
            condition.text(),
        )
        is None
    )


def _is_else_of(node: SgNode, parent: SgNode) -> bool:
    if parent.kind() == "else_clause":
        return True
    alternative = parent.field("alternative")
    return alternative is not None and nodes.start(alternative) == nodes.start(node)


def _normal(text: str) -> str:
    text = re.sub(r"\s+", "", text)
    while text.startswith("(") and text.endswith(")") and _closes_at_end(text):
        text = text[1:-1]
    return text


def _closes_at_end(text: str) -> bool:
    depth = 0
    for index, char in enumerate(text):
        depth += (char == "(") - (char == ")")
        if depth == 0:
            return index == len(text) - 1
    return False


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


def _is_constant(node: SgNode) -> bool:
    kind = node.kind()
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
        return all(_is_constant(it) for it in inner)
    return False


def _is_truthy(node: SgNode) -> bool:
    return node.text() not in {"false", "0", "''", '""', "``", "null", "undefined", "NaN", "0n"}


def constant_binary(match: SgNode, taint: Taint) -> SgNode | None:
    """Report an operator whose result its operands fix: a new object compared, a constant before || or ??."""
    left, right, operator = match.field("left"), match.field("right"), match.field("operator")
    if left is None or right is None or operator is None:
        return None
    sign = operator.text()
    left, right = _open(left), _open(right)
    if sign in {"===", "!==", "==", "!="}:
        if left.kind() in _ALWAYS_NEW or right.kind() in _ALWAYS_NEW:
            return (
                match
                if sign in {"===", "!=="}
                or (right.kind() in {"object", "array", "new_expression"} and left.kind() not in {"string", "number"})
                else None
            )
        for one, other in ((left, right), (right, left)):
            if other.text() in {"null", "undefined"} and (
                _never_null(one)
                or (
                    one.kind() in {"binary_expression"}
                    and _sign(one) in {"+", "-", "*", "/", "==", "===", "!=", "!==", "<", ">"}
                )
            ):
                return match
            if (
                one.text().startswith("!")
                and one.kind() == "unary_expression"
                and other.kind() in {"string", "number", "null", "undefined", "object", "array"}
                and sign in {"===", "!=="}
            ):
                return match
            if (
                other.text() in {"true", "false"}
                and sign in {"===", "!=="}
                and (
                    one.kind() in {"string", "number", "object", "array"}
                    or (one.kind() == "binary_expression" and _sign(one) in {"+", "-", "*"})
                )
            ):
                return match
        return None
    if sign == "??":
        return (
            match
            if _never_null(left)
            or left.text() in {"null", "undefined"}
            or (left.kind() == "binary_expression" and _sign(left) not in {"||", "&&", "??"})
            else None
        )
    if sign in {"&&", "||"}:
        return (
            match
            if left.kind()
            in {
                "object",
                "array",
                "arrow_function",
                "function_expression",
                "class",
                "regex",
                "new_expression",
                "string",
                "number",
                "true",
                "false",
                "null",
                "undefined",
            }
            or (left.kind() == "unary_expression" and left.text().startswith(("typeof", "void")))
            else None
        )
    return None


def _open(node: SgNode) -> SgNode:
    while node.kind() == "parenthesized_expression" and node.named_children():
        node = node.named_children()[0]
    return node


def _sign(node: SgNode) -> str:
    operator = node.field("operator")
    return operator.text() if operator else ""


def _never_null(node: SgNode) -> bool:
    if node.kind() in {
        "string",
        "number",
        "template_string",
        "object",
        "array",
        "arrow_function",
        "function_expression",
        "class",
        "regex",
        "new_expression",
        "true",
        "false",
        "update_expression",
    }:
        return True
    return node.kind() == "unary_expression" and not node.text().startswith("void")


def condition_never_changes(match: SgNode, taint: Taint) -> SgNode | None:
    """Report a loop whose condition reads local variables that nothing in the loop changes."""
    condition = match.field("condition")
    body = match.field("body")
    if condition is None or body is None:
        return None
    text = condition.text()
    if any(
        it.kind()
        in {
            *nodes.CALLS,
            *nodes.MEMBERS,
            *nodes.SUBSCRIPTS,
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
        scope, bound = taint.bindings(name, condition)
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
            it.kind() in nodes.FUNCTIONS
            and nodes.start(it) > nodes.start(node)
            and re.search(rf"(?<![\w.]){re.escape(name)}\s*([-+*/]?=(?!=)|\+\+|--)", it.text())
        ):
            return True
    return False


def check_then_use(match: SgNode, taint: Taint) -> SgNode | None:
    """Report a test whether a file exists that is followed by an act on the same file."""
    condition = match.field("condition")
    if condition is None:
        return None
    checked = next(
        (nodes.arguments(it) for it in nodes.walk(condition, 60) if it.kind() in nodes.CALLS and nodes.arguments(it)),
        [],
    )
    if not checked:
        return None
    name = checked[0].text()
    if not re.fullmatch(r"[\w.$>-]{1,60}", name):
        return None
    scope = taint.scope_of(match)
    text = scope.node.text()
    here = text[max(0, nodes.start(match) - nodes.start(scope.node)) :][:1500]
    act = rf"\b(open|fopen|remove|unlink|rename|chmod|chown|rmdir|readFile\w*|writeFile\w*|unlink\w*|createReadStream|File\.(Open|ReadAll|Delete|WriteAll)\w*|os\.(remove|unlink|rename|mkdir)|mkdir|delete|rmSync)\s*\(\s*{re.escape(name)}\b"
    return match if re.search(act, here) and not re.search(r"O_EXCL|[\"']x[\"']|wx|flock|lock", here) else None


def null_used(match: SgNode, taint: Taint) -> SgNode | None:
    """Report a branch that uses what its condition just found to be null."""
    condition = match.field("condition")
    branch = match.field("consequence") or match.field("body")
    if condition is None or branch is None:
        return None
    text = _normal(condition.text())
    found = re.fullmatch(
        r"!?(\$?[A-Za-z_][\w]*)(===?|==)(null|undefined|nil|NULL|None)|(null|undefined|NULL)(===?|==)(\$?\w+)|!(\$?[A-Za-z_]\w*)",
        text,
    )
    if found and found.group(7) and not re.match(r"\$?(p|ptr|node|obj|next|head|conn|user|data)\w*$", found.group(7)):
        return None
    name = next((it for it in (found.group(1), found.group(6), found.group(7)) if it), None) if found else None
    if name is None:
        both = re.match(r"(\$?[A-Za-z_]\w*)(===?)(null|undefined|NULL|nil)&&.*(?<![\w.])\1(\.|->)\w", text) or re.match(
            r"(\$?[A-Za-z_]\w*)(!==?)(null|undefined|NULL|nil)\|\|.*(?<![\w.])\1(\.|->)\w", text
        )
        return match if both else None
    body = branch.text()
    use = re.search(rf"(?<![\w.$>]){re.escape(name)}\s*(\.|->|\[)\s*[A-Za-z_\d\"'$]", body)
    reset = re.search(rf"(?<![\w.$>]){re.escape(name)}\s*(=(?!=)|:=)", body)
    if use is None or (reset is not None and reset.start() < use.start()):
        return None
    return branch if "?." not in use.group() else None


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
