"""Checks on the flow of control: jumps, loops that run once, cases that fall through, values not returned."""

from __future__ import annotations

import re

from ast_grep_py import SgNode

from audit.code import nodes
from audit.code.taint import Taint

_JUMPS = frozenset(
    [
        "return_statement",
        "throw_statement",
        "raise_statement",
        "break_statement",
        "continue_statement",
        "yield_statement",
        "exit_statement",
        "goto_statement",
    ]
)
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
_LOOPS = frozenset(
    [
        "while_statement",
        "do_statement",
        "for_statement",
        "for_in_statement",
        "foreach_statement",
        "enhanced_for_statement",
    ]
)


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
    if following.kind() == "break_statement" and parent.kind() in {
        "switch_case",
        "switch_default",
        "case_statement",
        "statement_block",
        "block",
    }:
        return None
    if following.kind() == "expression_statement" and re.match(r"^(yield|pass)\b", following.text()):
        return None
    return following


def falls_through(match: SgNode, taint: Taint) -> SgNode | None:
    """Report a case with statements that runs on into the next case."""
    following = next((it for it in match.next_all() if it.is_named() and it.kind() != "comment"), None)
    if following is None or following.kind() not in {
        "switch_case",
        "switch_default",
        "case_statement",
        "default_statement",
    }:
        return None
    value = match.field("value")
    body = [
        it
        for it in match.named_children()
        if it.kind() != "comment" and (value is None or nodes.start(it) != nodes.start(value))
    ]
    if not body or _ends(body[-1]):
        return None
    between = (
        match.text()[-300:]
        + "".join(it.text() for it in match.next_all()[:2] if it.kind() == "comment")
        + following.text()[:0]
    )
    if re.search(r"(?i)falls?[ -]?through|fall-through|no break|FALLTHRU", between):
        return None
    tail = next((it for it in reversed(list(match.children())) if it.kind() == "comment"), None)
    return None if tail is not None and re.search(r"(?i)falls?", tail.text()) else following


def _ends(node: SgNode, depth: int = 12) -> bool:
    """Say whether control surely leaves at ``node``."""
    kind = node.kind()
    if kind in _JUMPS:
        return True
    if depth <= 0:
        return False
    if kind == "expression_statement":
        return bool(
            re.match(
                r"^(process\.exit|exit|die|System\.exit|abort|os\.Exit|panic|sys\.exit|throw\b|__builtin_unreachable)\b",
                node.text(),
            )
        )
    if kind in {"statement_block", "block", "compound_statement", "else_clause", "statement_list", "finally_clause"}:
        return any(_ends(it, depth - 1) for it in node.named_children() if it.kind() != "comment")
    if kind == "if_statement":
        yes, no = node.field("consequence"), node.field("alternative")
        return yes is not None and no is not None and _ends(yes, depth - 1) and _ends(no, depth - 1)
    if kind == "try_statement":
        final = next((it for it in node.named_children() if it.kind() == "finally_clause"), None)
        if final is not None and _ends(final, depth - 1):
            return True
        body, handler = node.field("body"), node.field("handler")
        caught = handler.field("body") if handler is not None else None
        return (
            body is not None
            and _ends(body, depth - 1)
            and (handler is None or (caught is not None and _ends(caught, depth - 1)))
        )
    if kind == "switch_statement":
        body = node.field("body")
        cases = (
            [it for it in body.named_children() if it.kind() in {"switch_case", "switch_default"}]
            if body is not None
            else []
        )
        if not any(it.kind() == "switch_default" for it in cases) or any(_breaks(it) for it in cases):
            return False
        return bool(cases) and _ends_in(cases[-1], depth)
    if kind in {"while_statement", "do_statement", "for_statement"}:
        condition = node.field("condition")
        endless = (condition is None and kind == "for_statement") or (
            condition is not None and condition.text().strip("(); ") in {"true", "1", ""}
        )
        return endless and not _breaks(node)
    return False


def _ends_in(case: SgNode, depth: int) -> bool:
    body = [it for it in case.named_children() if it.kind() != "comment"]
    return bool(body) and _ends(body[-1], depth - 1)


def _breaks(node: SgNode) -> bool:
    """Say whether a break within ``node`` leaves it, those of inner loops and functions apart."""
    stack = list(node.named_children())
    while stack:
        it = stack.pop()
        if it.kind() == "break_statement":
            return True
        if it.kind() not in nodes.FUNCTIONS and it.kind() not in _LOOPS and it.kind() != "switch_statement":
            stack.extend(it.named_children())
    return False


def loop_runs_once(match: SgNode, taint: Taint) -> SgNode | None:
    """Report a loop whose body leaves on every path of its first round."""
    body = match.field("body")
    if body is None or body.kind() not in {"statement_block", "block", "compound_statement", *_JUMPS, "if_statement"}:
        return None
    inner = body.named_children() if body.kind() not in {*_JUMPS, "if_statement"} else [body]
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
    if node.kind() in {"switch_statement", *_LOOPS}:
        return False
    return _ends(node, depth)


def _continues(node: SgNode) -> bool:
    stack = [node]
    while stack:
        it = stack.pop()
        if it.kind() == "continue_statement":
            return True
        if it.kind() not in nodes.FUNCTIONS and it.kind() not in _LOOPS:
            stack.extend(it.named_children())
    return False


def leaves_finally(match: SgNode, taint: Taint) -> SgNode | None:
    """Report a jump that leaves a finally block; a break or continue of a loop inside it does not."""
    if match.kind() in {"break_statement", "continue_statement"}:
        for it in match.ancestors():
            if it.kind() in _LOOPS or (it.kind() == "switch_statement" and match.kind() == "break_statement"):
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
        if value is None or value.kind() not in nodes.FUNCTIONS:
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
    if body is None or body.kind() != "statement_block" or re.match(r"^(async\s+)?function\s*\*", callback.text()):
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
        elif it.kind() not in nodes.FUNCTIONS or nodes.start(it) == nodes.start(body):
            stack.extend(it.named_children())
    return sorted(found, key=nodes.start)


def _may_end(body: SgNode) -> bool:
    """Say whether control can reach the end of a block."""
    return not any(_ends(it) for it in body.named_children() if it.kind() != "comment")


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
            early = [one for one in nodes.walk(it.field("arguments") or it, 200) if one.kind() == "this"]
            return early[0] if early else None
        if it.kind() == "this" or (
            it.kind() == "super" and (parent := it.parent()) is not None and parent.kind() == "member_expression"
        ):
            return it
        if it.kind() not in nodes.FUNCTIONS:
            stack.extend(reversed(it.children()))
    return (
        constructor
        if not re.search(r"\bsuper\s*\(", inner.text()) and "return" not in inner.text() and inner.named_children()
        else None
    )


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


def captures_loop_variable(match: SgNode, taint: Taint) -> SgNode | None:
    """Report a closure created in a loop that reads a variable which all rounds share, and that outlives the round."""
    loop = next(
        (
            it
            for it in match.ancestors()
            if it.kind() in {"for_statement", "for_in_statement", "while_statement", "do_statement"}
            or it.kind() in nodes.FUNCTIONS
        ),
        None,
    )
    if loop is None or loop.kind() in nodes.FUNCTIONS:
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
