"""Checks on branches: the same condition or the same body twice, cases left out or falling through."""

from __future__ import annotations

import re

from ast_grep_py import SgNode

from audit.code import kinds, nodes
from audit.code.condition_text import normal
from audit.code.endings import ends
from audit.code.taint import Taint

_BRANCHES = re.compile(r"\s+")


def identical_branches(match: SgNode, taint: Taint) -> SgNode | None:
    """Report a condition whose two branches are the same."""
    yes, no = match.field("consequence"), match.field("alternative")
    if yes is None or no is None:
        return None
    if no.kind() == "else_clause" and no.named_children():
        no = no.named_children()[-1]
    first, second = (_BRANCHES.sub(" ", it.text()).strip("{} ;") for it in (yes, no))
    return match if first and first == second else None


def tested_again(match: SgNode, taint: Taint) -> SgNode | None:
    """Report a condition that the if around it, or the one that left just before it, has already decided."""
    condition = match.field("condition")
    if condition is None:
        return None
    text = condition.text().strip("() ")
    plain = text.lstrip("!").strip("() ")
    if not re.fullmatch(r"[\w.]+(\(\))?( [!=]= [\w.]+)?", text.lstrip("!")) or re.search(
        r"(?i)(next|read|poll|try|random)\w*\(", text
    ):
        return None
    root = re.split(r"[.(]", plain)[0]
    for outer in match.ancestors():
        if outer.kind() in kinds.FUNCTIONS or outer.kind() in kinds.LOOPS or outer.kind() == "while_statement":
            break
        asked = outer.field("condition") if outer.kind() == "if_statement" else None
        inner = outer.field("consequence")
        if asked is None or inner is None or not nodes.start(inner) <= nodes.start(match) <= nodes.end(inner):
            continue
        parts = [it.strip("() ") for it in asked.text().strip("() ").split("&&")]
        between = inner.text()[: nodes.start(match) - nodes.start(inner)]
        if (
            "||" not in asked.text()
            and (text in parts or (text.startswith("!") and plain in parts) or f"!{text}" in parts)
            and not re.search(rf"\b{re.escape(root)}\s*(=(?!=)|\+\+|--)", between)
            and (_own_to_function(plain, match, taint) or "(" not in between.replace("if (", ""))
        ):
            return condition
    before = next((it for it in match.prev_all() if it.is_named() and "comment" not in it.kind()), None)
    if before is not None and before.kind() == "if_statement" and before.field("alternative") is None:
        asked, inner = before.field("condition"), before.field("consequence")
        if asked is not None and inner is not None and re.search(r"\b(return|throw)\b[^;]*;\s*\}?\s*$", inner.text()):
            old = asked.text().strip("() ")
            if old == text or old == f"!{text}" or text == f"!{old}":
                return condition
    return None


def part_tested_again(match: SgNode, taint: Taint) -> SgNode | None:
    """Report a part of an "else if" that a condition before it in the chain has already ruled out."""
    condition = match.field("condition")
    parts = [it.strip("() ") for it in condition.text().strip("() ").split("&&")] if condition is not None else []
    if condition is None or len(parts) < 2 or "||" in condition.text():
        return None
    later, outer = match, match.parent()
    while outer is not None and outer.kind() == "if_statement" and outer.field("alternative") == later:
        asked = outer.field("condition")
        old = asked.text().strip("() ") if asked is not None else ""
        if re.fullmatch(r"!?\w+", old) and old in parts and _own_to_function(old.lstrip("!"), match, taint):
            return condition
        later, outer = outer, outer.parent()
    return None


def _own_to_function(name: str, at: SgNode, taint: Taint) -> bool:
    """Say whether ``name`` is a parameter or a local name, which no call can change."""
    scope, _ = taint.bindings(name, at)
    return bool(re.fullmatch(r"\w+", name)) and scope is not None and scope.outer is not None


def group_falls_through(match: SgNode, taint: Taint) -> SgNode | None:
    """Report a group of a Java switch whose statements run on into the next label."""
    following = next((it for it in match.next_all() if it.is_named()), None)
    if following is None or ("comment" in following.kind() and re.search(r"(?i)falls?", following.text())):
        return None
    body = [it for it in match.named_children() if it.kind() != "switch_label" and "comment" not in it.kind()]
    if not body or re.search(r"(?i)falls?[ -]?through", match.text()):
        return None
    last = body[-1]
    ends = re.search(r"(\b(return|throw|break|continue|yield)\b[^;{}]*;|System\.exit\([^)]*\);)\s*\}*\s*$", last.text())
    return (
        None
        if ends or (last.kind() in {"while_statement", "try_statement", "switch_expression", "if_statement"} and ends)
        else (following if following.kind() == "switch_block_statement_group" else None)
    )


def is_enum_switch(match: SgNode, taint: Taint) -> SgNode | None:
    """Report a switch without default that leaves out values of an enum declared in the text."""
    body = match.field("body")
    if body is None or re.search(r"\bdefault\b", body.text()):
        return None
    cases = set(re.findall(r"\bcase\s+([\w, ]+)\s*(?::|->)", body.text()))
    named = {one.strip() for it in cases for one in it.split(",")}
    for found in re.finditer(r"\benum\s+(\w+)[^{]*\{([^;}]*)", match.get_root().root().text()[:60_000]):
        values = set(re.findall(r"(?:^|,)\s*(?:@\w+\s*)?([A-Z]\w*)", found.group(2)))
        if named and named < values:
            return match
    return None


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
    if not body or ends(body[-1]):
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
            text = normal(condition.text())
            if text in seen and _may_repeat(condition):
                return condition
            parts = [normal(it) for it in re.split(r"\|\||\bor\b", text)]
            if (
                len(parts) == 1
                and _may_repeat(condition)
                and any(text in {normal(it) for it in re.split(r"\|\||\bor\b", old)} for old in seen)
            ):
                return condition
            seen.append(text)
        for clause in current.named_children():
            if clause.kind() == "elif_clause":
                inner = clause.field("condition")
                text = normal(inner.text()) if inner is not None else ""
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


def repeated_case(match: SgNode, taint: Taint) -> SgNode | None:
    """Report the second case of a switch with the same value."""
    seen: set[str] = set()
    for it in match.named_children():
        value = it.field("value")
        if it.kind() not in {"switch_case", "case_statement", "expression_case"} or value is None:
            continue
        text = re.sub(r"\s+", "", value.text())
        if text in seen:
            return it
        seen.add(text)
    return None
