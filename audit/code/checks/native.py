"""Checks on memory and pointers in C: copies without a bound, use after free, leaks, null, sizes."""

from __future__ import annotations

import re

from ast_grep_py import SgNode

from audit.code import built, kinds, nodes
from audit.code.flows import Level
from audit.code.taint import Taint


def _body(match: SgNode) -> str:
    function = nodes.function_of(match)
    return function.text() if function is not None else match.get_root().root().text()[:60_000]


def _after(match: SgNode) -> str:
    """Return what follows a node in its function."""
    function = nodes.function_of(match) or match.get_root().root()
    return function.text()[nodes.end(match) - nodes.start(function) :]


def _before(match: SgNode) -> str:
    function = nodes.function_of(match) or match.get_root().root()
    return function.text()[: nodes.start(match) - nodes.start(function)]


def _array_size(name: str, body: str) -> int | None:
    found = re.search(rf"\bchar\s+{re.escape(name)}\s*\[\s*(\d+)\s*\]", body)
    return int(found.group(1)) if found else None


def c_unbounded_copy(match: SgNode, taint: Taint) -> SgNode | None:
    """Report a string copy whose source may be longer than its target."""
    given = nodes.arguments(match)
    if len(given) != 2:
        return None
    target, origin = given
    literal = nodes.string_text(origin)
    if literal is not None:
        size = _array_size(target.text(), _body(match))
        return match if size is not None and "cpy" in nodes.callee(match) and len(literal) + 1 > size else None
    value = taint.trace(origin)
    name = re.escape(origin.text())
    measured = re.search(rf"(strlen|strnlen)\s*\(\s*{name}\s*\)", _before(match)) or re.search(
        rf"\b{re.escape(target.text())}\s*=\s*[^;]*(malloc|realloc|calloc)\(", _before(match)
    )
    return match if value.level >= Level.GIVEN and not measured else None


def c_unbounded_print(match: SgNode, taint: Taint) -> SgNode | None:
    """Report sprintf of a text of any length."""
    given = nodes.arguments(match)
    values = [taint.trace(it) for it in given[2:]]
    measured = any(re.search(rf"strlen\s*\(\s*{re.escape(it.text())}\s*\)", _before(match)) for it in given[2:])
    return match if any(it.level >= Level.GIVEN for it in values) and not measured else None


def c_length_unchecked(match: SgNode, taint: Taint) -> SgNode | None:
    """Report a copy whose length was read from outside, or is the source's and not the target's."""
    given = nodes.arguments(match)
    if len(given) < 3:
        return None
    length = given[2]
    called = nodes.callee(match)
    if called in {"read", "recv"}:
        size = _array_size(given[1].text(), _body(match))
        asked = int(length.text()) if length.text().isdigit() else None
        return match if size is not None and asked is not None and asked > size else None
    if called in {"strncpy", "strncat", "memcpy", "memmove"} and re.fullmatch(
        rf"strlen\(\s*{re.escape(given[1].text())}\s*\)(\s*\+\s*1)?", length.text()
    ):
        fixed = _array_size(given[0].text(), _body(match)) is not None
        checked = re.search(r"if\s*\([^)]*(strlen|sizeof)", _before(match))
        return match if fixed and not checked else None
    value = taint.trace(length)
    if length.kind() != "identifier" or called not in {"memcpy", "memmove", "bcopy"}:
        return None
    fixed = _array_size(given[0].text(), _body(match)) is not None
    checked = re.search(rf"if\s*\([^;{{]*\b{re.escape(length.text())}\b", _before(match)) or re.search(
        r"\bmin\s*\(", _before(match)
    )
    function = nodes.function_of(match)
    is_parameter = function is not None and length.text() in taint.scope_of(match).parameters
    return match if fixed and not checked and (value.level is Level.OUTSIDE or is_parameter) else None


def c_past_the_end(match: SgNode, taint: Taint) -> SgNode | None:
    """Report a loop up to and including the declared size of the array that it indexes."""
    condition = match.field("condition")
    found = re.fullmatch(r"(\w+)\s*<=\s*(\w+)", condition.text()) if condition is not None else None
    if found is None:
        return None
    for array in re.finditer(rf"(\w+)\s*\[\s*{found.group(1)}\s*\]", match.text()):
        if re.search(rf"\b[\w ]+\s\*?{array.group(1)}\s*\[\s*{found.group(2)}\s*\]\s*[;={{]", _before(match)):
            return match
    return None


def c_format_not_constant(match: SgNode, taint: Taint) -> SgNode | None:
    """Report a printf whose format is a variable that may hold a value from elsewhere."""
    given = nodes.arguments(match)
    index = {
        "printf": 0,
        "vprintf": 0,
        "warn": 0,
        "fprintf": 1,
        "sprintf": 1,
        "syslog": 1,
        "err": 1,
        "dprintf": 1,
        "snprintf": 2,
    }[nodes.callee(match)]
    if len(given) <= index:
        return None
    form = given[index]
    if form.kind() in kinds.STRINGS or (
        form.kind() in kinds.CALLS and re.match(r"(_|gettext|ngettext|dgettext)$", nodes.callee(form))
    ):
        return None
    if _constant_format(form, taint):
        return None
    value = taint.trace(form)
    last = len(given) == index + 1
    return (
        match
        if value.level is Level.OUTSIDE
        or (value.level >= Level.GIVEN and last and form.kind() != "concatenated_string")
        else None
    )


def _constant_format(node: SgNode, taint: Taint) -> bool:
    if node.kind() == "conditional_expression":
        return all(it.kind() in kinds.STRINGS for it in node.named_children()[1:])
    parts = built.pieces(node, taint)
    return bool(parts) and all(isinstance(it, str) for it in parts)


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
    after = _after(match)
    checked = re.search(
        rf"if\s*\(\s*!?\s*\(?\s*{name}\b|(?<!\w){name}\s*[!=]=\s*(NULL|0|nullptr)|(NULL|nullptr)\s*[!=]=\s*{name}\b|assert\w*\s*\(\s*{name}|&&\s*{name}\b|{name}\s*\?|while\s*\(\s*{name}\b",
        after,
    )
    used = re.search(
        rf"(?<!\w){name}\s*(->|\[)|\*\s*{name}\b\s*=|\b(strcpy|strcat|memcpy|memset|sprintf|snprintf|strncpy|fgets|fread|fprintf|fputs|fscanf|getc|fgetc|fwrite)\s*\([^;]*\b{name}\b",
        after,
    )
    before = _before(match)[-12:]
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
    after = _after(match)
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
    after = _after(match)
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


def c_sizeof_pointer(match: SgNode, taint: Taint) -> SgNode | None:
    """Report sizeof of a pointer as the size of a copy or an allocation."""
    found = re.fullmatch(r"sizeof\s*\(?\s*(\w+)\s*\)?", match.text())
    call = next((it for it in match.ancestors() if it.kind() == "call_expression"), None)
    if (
        found is None
        or call is None
        or not re.match(
            r"(memset|memcpy|memmove|strncpy|snprintf|fgets|malloc|calloc|read|recv|fread|memcmp)$", nodes.callee(call)
        )
    ):
        return None
    name = found.group(1)
    body = _body(match)
    pointer = re.search(
        rf"\b(char|int|void|long|float|double|struct \w+|\w+_t|unsigned char|[A-Z]\w*)\s*\*+\s*{name}\b", body
    )
    array = re.search(rf"\b\w+\s+{name}\s*\[", body[body.find("{") :] if "{" in body else body)
    if pointer is None:
        parameter = re.search(rf"[(,]\s*(?:const\s+)?\w+\s+{name}\s*\[\s*\d*\s*\]\s*[,)]", body)
        return match if parameter and array is None else None
    return match if array is None else None


def c_size_given(match: SgNode, taint: Taint) -> SgNode | None:
    """Report an allocation whose size is a product with a number from a caller that nothing bounds."""
    names = [it for it in re.findall(r"[A-Za-z_]\w*", match.text()) if it not in {"malloc", "sizeof"}]
    scope = taint.scope_of(match)
    for name in names:
        kind = scope.types.get(name, "")
        parameter = scope.parameters.get(name)
        if parameter is None or "*" in parameter.text() or kind.startswith(("struct", "char")):
            continue
        if not re.search(rf"if\s*\([^{{;]*\b{name}\b|assert\w*\([^;]*\b{name}\b", _before(match)):
            return match
    return None


def c_string_identity(match: SgNode, taint: Taint) -> SgNode | None:
    """Report == between a char pointer and a literal; C++ strings compare by value."""
    other = next((it for it in match.named_children() if it.kind() != "string_literal"), None)
    if (
        other is None
        or other.kind() not in {"identifier", "field_expression", "subscript_expression"}
        or other.text() == "NULL"
    ):
        return None
    kind = taint.declared(other)
    body = match.get_root().root().text()[:60_000]
    return (
        None
        if "string" in kind or re.search(rf"\bstring\s*&?\s*{re.escape(other.text())}\b|std::|auto ", body)
        else match
    )


def c_returns_local(match: SgNode, taint: Taint) -> SgNode | None:
    """Report a return of a local array, or of the address of a local variable."""
    inner = match.named_children()
    if not inner:
        return None
    before = _before(match)
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
    after = _after(match)
    first = re.search(rf"(?<![\w.>]){name}\b", after)
    if first is None:
        return None
    rest = after[first.start() :]
    reads = re.match(rf"{name}\s*([-+*/|&^]=|\+\+|--)", rest) or re.search(r"\breturn\s*$", after[: first.start()])
    return match if reads else None
