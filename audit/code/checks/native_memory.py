"""Checks on the life of memory and files in C: allocated, used, freed, closed, returned."""

from __future__ import annotations

import re

from ast_grep_py import SgNode

from audit.code import around, nodes
from audit.code.taint import Taint


def _target(match: SgNode) -> str:
    """Return the name that an initialiser or assignment gives a value to."""
    target = match.field("declarator") or match.field("left")
    text = target.text().lstrip("* ") if target is not None else ""
    return text if re.fullmatch(r"\w+", text) else ""


def c_used_unchecked(match: SgNode, taint: Taint) -> SgNode | None:
    """Report an allocation or an opened file that is used before anything asks whether it is NULL."""
    name = _target(match)
    if not name:
        return None
    after = around.after(match)
    checked = re.search(
        rf"if\s*\(\s*!?\s*\(?\s*{name}\b|(?<!\w){name}\s*[!=]=\s*(NULL|0|nullptr)|(NULL|nullptr)\s*[!=]=\s*{name}\b|assert\w*\s*\(\s*{name}|&&\s*{name}\b|{name}\s*\?|while\s*\(\s*{name}\b",
        after,
    )
    used = re.search(
        rf"(?<!\w){name}\s*(->|\[)|\*\s*{name}\b\s*=|\b(strcpy|strcat|memcpy|memset|sprintf|snprintf|strncpy|fgets|fread|fprintf|fputs|fscanf|getc|fgetc|fwrite)\s*\([^;]*\b{name}\b",
        after,
    )
    before = around.before(match)[-12:]
    if re.search(r"(if|while)[\s(]+$", before) or used is None:
        return None
    return match if checked is None or checked.start() > used.start() else None


def c_used_after_free(match: SgNode, taint: Taint) -> SgNode | None:
    """Report the first use of a pointer after the block that freed it goes on."""
    return _after_free(
        match,
        r"{name}\s*(->|\[)|\*\s*{name}\b\s*[;=)]|\b(?!free\b|sizeof\b|if\b|while\b)\w+\s*\([^;()]*(?<![\w.>&]){name}\b[^;()]*\)|return\s+{name}\s*;",
    )


def c_freed_twice(match: SgNode, taint: Taint) -> SgNode | None:
    """Report a second free of the same pointer."""
    return _after_free(match, r"\bfree\s*\(\s*{name}\s*\)")


def _after_free(match: SgNode, use: str) -> SgNode | None:
    given = nodes.arguments(match)
    if len(given) != 1 or not re.fullmatch(r"\w+", given[0].text()):
        return None
    name = given[0].text()
    statement = match.parent()
    following = statement.next_all() if statement is not None else []
    following += _after_the_branch(following, statement)
    for it in following:
        if not it.is_named():
            continue
        text = it.text()
        if re.match(rf"{name}\s*=(?!=)(?!\s*{name}\s*->)", text) or (
            it.kind() in {"return_statement", "break_statement", "goto_statement", "continue_statement"}
            and name not in text
        ):
            return None
        found = re.search(use.replace("{name}", name), text)
        if found is not None and re.match(rf"{name}\s*=\s*{name}\s*->", text):
            return it
        reset = re.search(rf"(?<!\w){name}\s*=(?!=)", text)
        if found is not None and (reset is None or found.start() < reset.start()):
            return it
        if reset is not None:
            return None
    return None


def _after_the_branch(following: list[SgNode], statement: SgNode | None) -> list[SgNode]:
    """Return the statement that follows a branch which runs on to it: what the branch freed is freed there."""
    branch = statement.parent() if statement is not None else None
    condition = branch.parent() if branch is not None and branch.kind() == "compound_statement" else None
    if condition is None or condition.kind() != "if_statement" or condition.field("alternative") is not None:
        return []
    if any(re.match(r"(return|goto|break|continue|exit|abort)\b", it.text()) for it in following):
        return []
    after = [it for it in condition.next_all() if it.is_named()][:1]
    return [it for it in after if it.kind() == "return_statement"]


def c_leaks(match: SgNode, taint: Taint) -> SgNode | None:
    """Report an allocation that a return leaves behind, or that nothing frees, returns or stores."""
    name = _target(match)
    if not name or nodes.function_of(match) is None:
        return None
    after = around.after(match)
    handed = (
        rf"return\s+[^;]*\b{name}\b|(->|\.)\w+\s*=\s*{name}\b|\]\s*=\s*{name}\b|\*\w+\s*=\s*{name}\b"
        rf"|(?<!\w)\w+\s*=\s*{name}\s*;|\b(?!free\b|printf\b|memset\b|memcpy\b|str\w+\b|s?n?printf\b"
        rf"|fgets\b|fread\b|read\b|if\b|while\b|puts\b)\w+\s*\([^;]*(?<![\w*]){name}\b"
    )
    if re.search(handed, after):
        return None
    freed = re.search(rf"\bfree\s*\(\s*{name}\s*\)", after)
    if freed is None:
        return match
    null_branch = re.compile(rf"if\s*\(\s*(!\s*{name}|{name}\s*==\s*(NULL|0))\s*\)\s*(\{{[^}}]*|[^;}}]*)$")
    early = [it.start() for it in re.finditer(r"\breturn\b", after[: freed.start()])]
    return match if any(not null_branch.search(after[:at]) for at in early) else None


def c_never_closed(match: SgNode, taint: Taint) -> SgNode | None:
    """Report an opened file or socket that nothing closes, returns or stores."""
    name = _target(match)
    if not name or nodes.function_of(match) is None:
        return None
    after = around.after(match)
    return (
        None
        if re.search(
            rf"\b(fclose|pclose|close|closedir|shutdown)\s*\(\s*{name}\b|return\s+{name}\b|(->|\.)\w+\s*=\s*{name}\b|\bfdopen\(\s*{name}|(?<!\w)\w+\s*=\s*{name}\s*;",
            after,
        )
        else match
    )


def c_realloc_itself(match: SgNode, taint: Taint) -> SgNode | None:
    """Report ``p = realloc(p, n)``."""
    found = re.match(r"^(\w+)\s*=\s*(?:\([^)]*\)\s*)?realloc\(\s*(\w+)\s*,", match.text())
    return match if found and found.group(1) == found.group(2) else None


def c_returns_local(match: SgNode, taint: Taint) -> SgNode | None:
    """Report a return of a local array, or of the address of a local variable."""
    inner = match.named_children()
    if not inner:
        return None
    before = around.before(match)
    found = re.fullmatch(r"&\s*(\w+)", inner[0].text())
    if found:
        scope = taint.scope_of(match)
        declared = re.search(
            rf"(?<!static )\b(?<!extern )(int|char|long|float|double|struct \w+|\w+_t)\s+{found.group(1)}\s*[;=]",
            before,
        )
        static = re.search(rf"\bstatic\s+[\w ]+\b{found.group(1)}\b", before)
        return match if declared and not static and found.group(1) not in scope.parameters else None
    name = inner[0].text()
    if not re.fullmatch(r"\w+", name):
        return None
    local = re.search(
        rf"(\bstatic\s+)?(\bconst\s+)?\b(char|int|long|float|double|unsigned char|\w+_t)\s+{name}\s*\[",
        before[before.find("{") :] if "{" in before else before,
    )
    return match if local is not None and not local.group(1) else None


def c_read_before_set(match: SgNode, taint: Taint) -> SgNode | None:
    """Report a counter or sum that is declared without a value and first used by adding to it."""
    found = re.search(r"(\w+)\s*;$", match.text())
    if found is None:
        return None
    name = found.group(1)
    after = around.after(match)
    first = re.search(rf"(?<![\w.>]){name}\b", after)
    if first is None:
        return None
    rest = after[first.start() :]
    reads = re.match(rf"{name}\s*([-+*/|&^]=|\+\+|--)", rest) or re.search(r"\breturn\s*$", after[: first.start()])
    return match if reads else None
