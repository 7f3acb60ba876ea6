"""Checks on what functions return and where control ends."""

from __future__ import annotations

import re

from ast_grep_py import SgNode

from audit.code import kinds, nodes
from audit.code.declarations import name_of
from audit.code.endings import JUMPS, LOOPS, ends
from audit.code.taint import Taint

_NOT_CODE = frozenset(
    [
        "comment",
        "line_comment",
        "block_comment",
        "function_declaration",
        "class_declaration",
        "empty_statement",
        "labeled_statement",
        "function_definition",
        "method_declaration",
        "elif_clause",
        "else_clause",
        "case_statement",
        "switch_label",
        "default_case",
        "expression_case",
        "switch_section",
        ";",
        "generator_function_declaration",
    ]
)


def calls_itself_first(match: SgNode, taint: Taint) -> SgNode | None:
    """Report a method whose only statement is to call itself."""
    body = match.field("body")
    inner = [it for it in body.named_children() if "comment" not in it.kind()] if body is not None else []
    while len(inner) == 1 and inner[0].kind() == "statement_list":
        inner = inner[0].named_children()
    if (
        len(inner) != 1
        or inner[0].kind() not in {"return_statement", "expression_statement"}
        or not inner[0].named_children()
    ):
        return None
    call = inner[0].named_children()[0]
    if call.kind() == "expression_list" and len(call.named_children()) == 1:
        call = call.named_children()[0]
    if call.kind() not in kinds.CALLS:
        return None
    called = nodes.callee(call)
    name = name_of(match)
    if called not in {name, f"this.{name}", f"self.{name}"}:
        return None
    holder = match.field("parameters")
    parameters = [
        it for it in (holder.named_children() if holder is not None else []) if it.text() not in {"self", "cls"}
    ]
    overloads = sum(
        1 for it in nodes.walk(match.get_root().root(), 8000) if it.kind() == match.kind() and name_of(it) == name
    )
    same = len(nodes.arguments(call)) == len(parameters)
    return call if (same and overloads == 1) or (same and not parameters) else None


def followed_by_code(match: SgNode, taint: Taint) -> SgNode | None:
    """Report the first statement after a jump in the same block."""
    parent = match.parent()
    if parent is None or parent.kind() not in {
        "block",
        "statement_block",
        "compound_statement",
        "statement_list",
        "module",
        "program",
        "switch_case",
        "switch_default",
        "case_statement",
    }:
        return None
    field = parent.field("alternative") if parent.kind() == "if_statement" else None
    if field is not None:
        return None
    following = next(
        (
            it
            for it in match.next_all()
            if it.is_named() and it.kind() not in {"comment", "line_comment", "block_comment"}
        ),
        None,
    )
    if following is None or following.kind() in _NOT_CODE or following.kind() == "ERROR":
        return None
    if following.kind() in {"variable_declaration"} and "=" not in following.text():
        return None
    if following.kind() in JUMPS:
        return None
    if following.kind() == "expression_statement" and re.match(r"^(yield|pass)\b", following.text()):
        return None
    return following


def leaves_finally(match: SgNode, taint: Taint) -> SgNode | None:
    """Report a jump that leaves a finally block; a break or continue of a loop inside it does not."""
    if match.kind() in {"break_statement", "continue_statement"}:
        for it in match.ancestors():
            if it.kind() in LOOPS or (it.kind() == "switch_statement" and match.kind() == "break_statement"):
                label = match.field("label")
                if label is None:
                    return None
            if it.kind() == "finally_clause":
                break
    return match


def returns_nothing(match: SgNode, taint: Taint) -> SgNode | None:
    """Report a getter that can end without returning a value."""
    function = match
    if match.kind() == "pair":
        value = match.field("value")
        if value is None or value.kind() not in kinds.FUNCTIONS:
            return None
        function = value
    body = function.field("body")
    if body is None or body.kind() != "statement_block":
        return None
    return match if _may_end(body) or any(it.text().rstrip("; ") == "return" for it in _returns(body)) else None


def callback_returns_nothing(match: SgNode, taint: Taint) -> SgNode | None:
    """Report an array method whose callback can end without a value."""
    given = nodes.arguments(match)
    index = 1 if nodes.callee(match) == "Array.from" else 0
    if len(given) <= index or given[index].kind() not in {"arrow_function", "function_expression"}:
        return None
    callback = given[index]
    body = callback.field("body")
    if body is None or body.kind() != "statement_block" or re.match(r"^async\b|^function\s*\*", callback.text()):
        return None
    returns = _returns(body)
    bare = any(re.fullmatch(r"return\s*;?", it.text()) for it in returns)
    return callback if _may_end(body) or bare else None


def inconsistent_return(match: SgNode, taint: Taint) -> SgNode | None:
    """Report a function that returns a value on some paths and nothing on others."""
    body = match.field("body")
    if body is None or body.kind() != "statement_block":
        return None
    name = match.field("name")
    if name is not None and re.match(r"^[A-Z]|^constructor$", name.text()):
        return None
    returns = _returns(body)
    valued = [
        it
        for it in returns
        if not re.fullmatch(r"return\s*;?", it.text())
        and not re.fullmatch(r"return\s+(undefined|void 0)\s*;?", it.text())
    ]
    if not valued or all(re.match(r"return\s+(await\s+)?[\w.]+\(", it.text()) for it in valued):
        return None
    bare = next((it for it in returns if re.fullmatch(r"return\s*;?", it.text())), None)
    if bare is not None:
        return bare
    return match if _may_end(body) else None


def executor_returns(match: SgNode, taint: Taint) -> SgNode | None:
    """Report a promise executor that returns a value."""
    given = nodes.arguments(match)
    if not given or given[0].kind() not in {"arrow_function", "function_expression"}:
        return None
    body = given[0].field("body")
    if body is None:
        return None
    if body.kind() != "statement_block":
        return match if given[0].kind() == "arrow_function" and not body.text().startswith("void ") else None
    return next(
        (it for it in _returns(body) if not re.fullmatch(r"return\s*(void\b.*|undefined)?\s*;?", it.text())), None
    )


def _returns(body: SgNode) -> list[SgNode]:
    found: list[SgNode] = []
    stack = [body]
    while stack and len(found) < 200:
        it = stack.pop()
        if it.kind() == "return_statement":
            found.append(it)
        elif it.kind() not in kinds.FUNCTIONS or nodes.start(it) == nodes.start(body):
            stack.extend(it.named_children())
    return sorted(found, key=nodes.start)


def _may_end(body: SgNode) -> bool:
    """Say whether control can reach the end of a block."""
    return not any(ends(it) for it in body.named_children() if it.kind() != "comment")


def this_before_super(match: SgNode, taint: Taint) -> SgNode | None:
    """Report the use of this, or super's members, in a derived constructor before it calls super()."""
    body = match.field("body")
    constructor = next(
        (
            it
            for it in (body.named_children() if body is not None else [])
            if it.kind() == "method_definition" and re.match(r"constructor\b", it.text())
        ),
        None,
    )
    inner = constructor.field("body") if constructor is not None else None
    if constructor is None or inner is None or re.search(r"extends\s+null\b", match.text()[:200]):
        return None
    stack = [inner]
    while stack:
        it = stack.pop()
        if (
            it.kind() == "call_expression"
            and (function := it.field("function")) is not None
            and function.kind() == "super"
        ):
            early = _this_in(it.field("arguments") or it)
            return early[0] if early else None
        if it.kind() == "this" or (
            it.kind() == "super" and (parent := it.parent()) is not None and parent.kind() == "member_expression"
        ):
            return it
        if it.kind() not in kinds.FUNCTIONS:
            stack.extend(reversed(it.children()))
    return (
        constructor
        if not re.search(r"\bsuper\s*\(", inner.text()) and "return" not in inner.text() and inner.named_children()
        else None
    )


def _this_in(node: SgNode) -> list[SgNode]:
    """Return the uses of this that run where ``node`` does, those within functions apart."""
    found: list[SgNode] = []
    stack = [node]
    while stack:
        it = stack.pop()
        if it.kind() == "this":
            found.append(it)
        elif it.kind() not in kinds.FUNCTIONS:
            stack.extend(it.children())
    return found


def continues_line(match: SgNode, taint: Taint) -> SgNode | None:
    """Report a call or an index whose bracket opens on a line below what it is applied to."""
    base = match.field("function") or match.field("object")
    opener = match.field("arguments") or next((it for it in match.children() if it.text() == "["), None)
    if base is None or opener is None or match.child(1) is None:
        return None
    if opener.kind() == "template_string":
        return opener if opener.range().start.line > base.range().end.line else None
    if "?." in match.text()[len(base.text()) : len(base.text()) + 20].split("(")[0]:
        return None
    return opener if opener.range().start.line > base.range().end.line else None


def coroutine_dropped(match: SgNode, taint: Taint) -> SgNode | None:
    """Report a call of a function declared async in this text whose result nobody awaits or handles."""
    call = match.named_children()[0]
    called = nodes.callee(call)
    last = called.split(".")[-1]
    if not re.fullmatch(r"((self|this)\.)?\w+|asyncio\.sleep", called) or (not re.fullmatch(r"\w+", last)):
        return None
    if nodes.function_of(match) is None and not called.startswith("asyncio"):
        return None
    around = nodes.function_of(match)
    is_async = (around is not None and bool(re.match(r"\s*async\b", around.text()))) or (
        around is not None and "async" in around.text()[:40]
    )
    root = taint.scope_of(match)
    while root.outer is not None:
        root = root.outer
    text = root.node.text()
    if called == "asyncio.sleep":
        return match
    declared = rf"\basync\s+(def|function)\s+{last}\b|\b{last}\s*=\s*async\b|^\s*(static\s+)?async\s+{last}\s*\("
    plain = rf"(?<!async )\b(def|function)\s+{last}\b"
    return match if is_async and re.search(declared, text, re.MULTILINE) and not re.search(plain, text) else None
