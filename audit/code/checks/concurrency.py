"""Checks on locks, threads and state that threads share."""

from __future__ import annotations

import re

from ast_grep_py import SgNode

from audit.code import kinds, nodes
from audit.code.declarations import modifiers_of, name_of
from audit.code.taint import Taint


def lock_before_try(match: SgNode, taint: Taint) -> SgNode | None:
    """Report lock() that no try with an unlock in finally follows."""
    statement = match.parent()
    owner = nodes.receiver(match)
    function = nodes.function_of(match)
    if statement is None or statement.kind() != "expression_statement" or owner is None or function is None:
        return None
    name = re.escape(owner.text())
    if (
        not re.search(rf"{name}\s*\.\s*unlock\s*\(", function.text())
        and re.search(r"(?i)lock", name_of(function)) is not None
    ):
        return None
    for outer in statement.ancestors():
        if outer.kind() == "try_statement":
            final = next((it for it in outer.named_children() if it.kind() == "finally_clause"), None)
            if final is not None and "unlock" in final.text():
                return match
            break
        if outer.kind() in kinds.FUNCTIONS:
            break
    following = next((it for it in statement.next_all() if it.is_named() and "comment" not in it.kind()), None)
    if following is None:
        return (
            match
            if "unlock" not in function.text() and not re.search(r"(?i)lock|enter|acquire|begin", name_of(function))
            else None
        )
    if following.kind() == "try_statement":
        final = next((it for it in following.named_children() if it.kind() == "finally_clause"), None)
        return None if final is not None and "unlock" in final.text() else match
    return match


def acquire_before_try(match: SgNode, taint: Taint) -> SgNode | None:
    """Report ``lock.acquire()`` in Python whose release is not in a finally, or stands nowhere in the file."""
    function = nodes.function_of(match)
    owner = re.escape(match.text().rsplit(".", 1)[0])
    if function is None:
        return None
    if not re.search(rf"{owner}\.release\b", function.text()):
        never = not re.search(r"\.release\b|\b__exit__\b", match.get_root().root().text()[:60_000])
        return match if never else None
    following = next((it for it in match.next_all() if it.is_named() and it.kind() != "comment"), None)
    safe = following is not None and following.kind() == "try_statement" and "finally" in following.text()
    return None if safe else match


def volatile_step(match: SgNode, taint: Taint) -> SgNode | None:
    """Report ++, += or x = x + 1 on a volatile field outside a synchronized block."""
    target = match.field("left") or next((it for it in match.named_children()), None)
    if target is None:
        return None
    name = target.text().removeprefix("this.")
    if not re.fullmatch(r"\w+", name) or not re.search(
        rf"\bvolatile\s+[\w<>]+\s+{name}\b", match.get_root().root().text()[:60_000]
    ):
        return None
    if match.kind() == "assignment_expression":
        operator, right = match.field("operator"), match.field("right")
        if operator is None or right is None:
            return None
        if operator.text() == "=" and not re.search(
            rf"(?<![\w.])(this\.)?{name}\s*[-+*/]|[-+*/]\s*(this\.)?{name}\b", right.text()
        ):
            return None
    held = any(it.kind() == "synchronized_statement" for it in match.ancestors())
    function = nodes.function_of(match)
    return None if held or (function is not None and "synchronized" in modifiers_of(function)) else match


def static_write(match: SgNode, taint: Taint) -> SgNode | None:
    """Report a constructor that assigns a static field."""
    name = _assigned(match)
    function = nodes.function_of(match)
    if (
        name is None
        or function is None
        or function.kind() != "constructor_declaration"
        or not _is_static_field(match, name)
    ):
        return None
    return None if re.search(rf"\b\w+\s+{name}\s*[,)=;]", function.text()) else match


def static_write_under_own_lock(match: SgNode, taint: Taint) -> SgNode | None:
    """Report a static field written under the lock of one instance."""
    name = _assigned(match)
    function = nodes.function_of(match)
    if name is None or function is None or not _is_static_field(match, name):
        return None
    instance = "synchronized" in modifiers_of(function) and "static" not in modifiers_of(function)
    block = next((it for it in match.ancestors() if it.kind() == "synchronized_statement"), None)
    if block is not None:
        held = re.match(r"synchronized\s*\(\s*(this|\w+)\s*\)", block.text())
        instance = held is not None and (
            held.group(1) == "this"
            or (
                not re.search(
                    rf"\bstatic\b[^;{{}}()]*\b{held.group(1)}\s*[=;]", match.get_root().root().text()[:60_000]
                )
                and re.search(rf"\b{held.group(1)}\s*=\s*new\b", match.get_root().root().text()[:60_000]) is not None
            )
        )
    return match if instance else None


def _assigned(match: SgNode) -> str | None:
    target = match.field("left") or next(iter(match.named_children()), None)
    text = target.text() if target is not None else ""
    found = re.fullmatch(r"(?:[A-Z]\w*\.|this\.)?(\w+)", text)
    return found.group(1) if found else None


def _is_static_field(match: SgNode, name: str) -> bool:
    return (
        re.search(
            rf"\bstatic\s+(?!final)(?:volatile\s+|transient\s+)*[\w<>\[\], ]+\s+{re.escape(name)}\s*[=;,]",
            match.get_root().root().text()[:60_000],
        )
        is not None
    )


def swallows_interruption(match: SgNode, taint: Taint) -> SgNode | None:
    """Report a catch that takes an interruption, names a wider type or nothing, and does not restore it."""
    caught = next((it for it in match.named_children() if it.kind() == "catch_formal_parameter"), None)
    body = match.field("body")
    attempt = match.parent()
    if caught is None or body is None or attempt is None:
        return None
    kinds = caught.text()
    caught_as = caught.field("name")
    again = rf"\bthrow\s+{re.escape(caught_as.text())}\s*;" if caught_as is not None else r"\bthrow\b"
    if re.search(rf"interrupt\(\)|{again}|InterruptedException|throw\s+new\s+Interrupted", body.text()):
        return None
    if re.search(r"\bInterruptedException\b", kinds):
        return match if re.fullmatch(r"\{\s*(//[^\n]*\s*)*\}", body.text()) else None
    tried = attempt.field("body")
    waits = tried is not None and re.search(
        r"Thread\.sleep\(|\.(await|join|take|acquire|waitFor)\(|\.wait\(|\.get\(\s*\)|throw new InterruptedException",
        tried.text(),
    )
    handled = re.search(r"catch\s*\([^)]*InterruptedException", attempt.text())
    future = (
        waits
        and re.search(r"\.get\(\s*\)", waits.group())
        and not re.search(r"Future", match.get_root().root().text()[:40_000])
    )
    return match if waits and not handled and not future and re.search(r"\b(Exception|Throwable)\b", kinds) else None


def check_then_put(match: SgNode, taint: Taint) -> SgNode | None:
    """Report containsKey before put on a map shared between threads, or exists before an act on the same file."""
    condition, branch = match.field("condition"), match.field("consequence")
    if condition is None or branch is None:
        return None
    found = re.search(r"!\s*(\w+)\.containsKey\(\s*([\w.]+)\s*\)", condition.text())
    if found is not None:
        shared = re.search(
            rf"(ConcurrentHashMap|ConcurrentMap|synchronizedMap|static)\b[^;]*\b{found.group(1)}\b",
            match.get_root().root().text()[:60_000],
        )
        function = nodes.function_of(match)
        held = "synchronized" in (function.text()[:200] if function is not None else "") or any(
            it.kind() == "synchronized_statement" for it in match.ancestors()
        )
        return match if shared and not held and re.search(rf"\b{found.group(1)}\.put\(", branch.text()) else None
    found = re.search(r"Files\.(?:exists|notExists)\(\s*(\w+)|(\w+)\.exists\(\)", condition.text())
    name = (found.group(1) or found.group(2)) if found is not None else ""
    acts = (
        rf"\b{name}\.(createNewFile|delete|renameTo|mkdirs?)\(|Files\.(delete|createFile|write|writeString"
        rf"|move|copy|newOutputStream)\(\s*{name}\b|new File(Output|Input)Stream\(\s*{name}\b"
        rf"|new File(Writer|Reader)\(\s*{name}\b"
    )
    return match if name and re.search(acts, branch.text()) and "CREATE_NEW" not in branch.text() else None


def check_then_use(match: SgNode, taint: Taint) -> SgNode | None:
    """Report a test whether a file exists that is followed by an act on the same file."""
    condition = match.field("condition")
    if condition is None:
        return None
    checked = next(
        (nodes.arguments(it) for it in nodes.walk(condition, 60) if it.kind() in kinds.CALLS and nodes.arguments(it)),
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
    act = (
        rf"\b(open|fopen|remove|unlink|rename|chmod|chown|rmdir|readFile\w*|writeFile\w*|unlink\w*"
        rf"|createReadStream|File\.(Open|ReadAll|Delete|WriteAll)\w*|os\.(remove|unlink|rename|mkdir)"
        rf"|mkdir|delete|rmSync)\s*\(\s*{re.escape(name)}\b"
    )
    return match if re.search(act, here) and not re.search(r"O_EXCL|[\"']x[\"']|wx|flock|lock", here) else None


def stale_write(match: SgNode, taint: Taint) -> SgNode | None:
    """Report a shared variable or property written from its own value as it was before an await."""
    left, right = match.field("left"), match.field("right")
    if left is None or right is None:
        return None
    name = left.text()
    plain = match.kind() == "assignment_expression"
    waiting = re.search(r"\b(await|yield)\b", right.text())
    if waiting is None:
        return None
    if plain and not re.search(rf"(?<![\w.]){re.escape(name)}(?![\w.])", right.text()[: waiting.start()]):
        return None
    if left.kind() == "identifier":
        scope, _ = taint.bindings(name, left)
        own = nodes.function_of(match)
        if scope is None or own is None:
            return match if scope is None and own is not None else None
        if nodes.start(scope.node) == nodes.start(own) and name not in scope.parameters:
            captured = any(
                it.kind() in kinds.FUNCTIONS
                and nodes.start(it) > nodes.start(own)
                and re.search(rf"\b{re.escape(name)}\b", it.text())
                for it in nodes.walk(own, 4000)
            )
            return match if captured else None
        return match
    return match if left.kind() == "member_expression" else None


def update_may_be_lost(match: SgNode, taint: Taint) -> SgNode | None:
    """Report a stored amount that is asked, lessened in memory and saved, with no lock and no transaction around."""
    function, left = nodes.function_of(match), match.field("left")
    owner = re.fullmatch(r"(\w+)\.(\w+)", left.text()) if left is not None else None
    if function is None or owner is None or owner.group(1) in {"self", "cls"}:
        return None
    text = function.text()[:6_000]
    held, field = owner.groups()
    lessened = re.search(rf"-=|=\s*{held}\.{field}\s*-", match.text())
    asked = re.search(rf"\bif\b[^\n]*\b{held}\.{field}\s*(<|>|>=|<=|==)", text)
    saved = re.search(rf"\b{held}\.save\(|\.commit\(", text)
    alone = re.search(r"select_for_update|with_for_update|atomic|F\(|[lL]ock|serializable|version", text)
    return match if lessened and asked and saved and not alone else None
