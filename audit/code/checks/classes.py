"""Checks on methods and classes of Java: equality, tests, threads, locks, formats, recursion."""

from __future__ import annotations

import re

from ast_grep_py import SgNode

from audit.code import nodes
from audit.code.patterns import is_invalid, is_slow
from audit.code.taint import Taint

_PLACEHOLDER = re.compile(r"%(?:(\d+)\$)?[-#+ 0,(]*\d*(?:\.\d+)?([a-zA-Z%])")
_BRANCHES = re.compile(r"\s+")


def _methods(body: SgNode) -> list[SgNode]:
    return [it for it in body.named_children() if it.kind() == "method_declaration"]


def _name(node: SgNode) -> str:
    name = node.field("name")
    return name.text() if name is not None else ""


def _parameters(method: SgNode) -> list[str]:
    """Return the declared types of a method's parameters."""
    holder = method.field("parameters")
    kinds = [it.field("type") for it in (holder.named_children() if holder is not None else [])]
    return [it.text() for it in kinds if it is not None]


def _modifiers(node: SgNode) -> str:
    return next((it.text() for it in node.named_children() if it.kind() == "modifiers"), "")


def equals_without_hash(match: SgNode, taint: Taint) -> SgNode | None:
    """Report a class that overrides equals(Object) and not hashCode()."""
    body = match.field("body")
    if body is None:
        return None
    equals = next((it for it in _methods(body) if _name(it) == "equals" and _parameters(it) == ["Object"] and "static" not in _modifiers(it)), None)
    hashes = any(_name(it) == "hashCode" and not _parameters(it) for it in _methods(body))
    return equals if equals is not None and not hashes and "abstract" not in _modifiers(equals) else None


def equals_overloads(match: SgNode, taint: Taint) -> SgNode | None:
    """Report equals with a parameter that is no Object, where none overrides Object.equals."""
    body = match.field("body")
    if body is None:
        return None
    all_equals = [it for it in _methods(body) if _name(it) == "equals" and "static" not in _modifiers(it)]
    if any(_parameters(it) == ["Object"] for it in all_equals):
        return None
    return next((it for it in all_equals if len(_parameters(it)) == 1 and _parameters(it) != ["Object"] and it.field("type") is not None and it.field("type").text() == "boolean"), None)  # type: ignore[union-attr]


def _equals_around(match: SgNode) -> SgNode | None:
    function = nodes.function_of(match)
    return function if function is not None and _name(function) == "equals" and _parameters(function) == ["Object"] else None


def equals_different_pairs(match: SgNode, taint: Taint) -> SgNode | None:
    """Report equals that compares one field of this with another of that."""
    method = _equals_around(match)
    if method is None:
        return None
    if match.kind() == "binary_expression":
        left, right = match.field("left"), match.field("right")
    else:
        given, owner = nodes.arguments(match), nodes.receiver(match)
        left, right = (given[0], given[1]) if len(given) == 2 else (owner, given[0] if len(given) == 1 else None)
    if left is None or right is None:
        return None
    own = re.fullmatch(r"(?:this\.)?(\w+)(\(\))?", left.text())
    other = re.fullmatch(r"(\w+)\.(\w+)(\(\))?", right.text())
    if own is None or other is None or other.group(1) == "this":
        own, other = re.fullmatch(r"(?:this\.)?(\w+)(\(\))?", right.text()), re.fullmatch(r"(\w+)\.(\w+)(\(\))?", left.text())
    if own is None or other is None or other.group(1) in {"this", "Objects"} or own.group(1) in {"this", "null", "true", "false"} or own.group(1).isdigit():
        return None
    parameters = method.field("parameters")
    if parameters is not None and re.search(rf"\b{re.escape(own.group(1))}\b", parameters.text()):
        return None
    if other.group(2) in {"getClass", "length", "size"}:
        return None
    return match if own.group(1) != other.group(2) else None


def equals_casts_unchecked(match: SgNode, taint: Taint) -> SgNode | None:
    """Report equals(Object) that casts its parameter without asking for its type."""
    if _name(match) != "equals" or _parameters(match) != ["Object"]:
        return None
    text = match.text()
    cast = next((it for it in nodes.walk(match, 2000) if it.kind() == "cast_expression"), None)
    return cast if cast is not None and not re.search(r"instanceof|getClass\s*\(|isInstance|catch\s*\(\s*ClassCast|isAssignableFrom", text) else None


def equals_by_hash(match: SgNode, taint: Taint) -> SgNode | None:
    """Report equals(Object) that returns whether two hash codes are the same."""
    if _name(match) != "equals" or _parameters(match) != ["Object"]:
        return None
    returned = [it for it in nodes.walk(match, 2000) if it.kind() == "return_statement" and re.search(r"hashCode\(\)\s*==\s*[\w.]*hashCode\(\)", it.text())]
    return returned[0] if returned and not re.search(r"\.equals\(|&&.*==|==.*&&", returned[0].text().replace("hashCode() ==", "")) else None


def compares_classes(match: SgNode, taint: Taint) -> SgNode | None:
    """Report equals that compares getClass()."""
    return match if _equals_around(match) is not None else None


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
    if not re.fullmatch(r"[\w.]+(\(\))?( [!=]= [\w.]+)?", text.lstrip("!")) or re.search(r"(?i)(next|read|poll|try|random)\w*\(", text):
        return None
    root = re.split(r"[.(]", plain)[0]
    for outer in match.ancestors():
        if outer.kind() in nodes.FUNCTIONS or outer.kind() in nodes.LOOPS or outer.kind() == "while_statement":
            break
        asked = outer.field("condition") if outer.kind() == "if_statement" else None
        inner = outer.field("consequence")
        if asked is None or inner is None or not nodes.start(inner) <= nodes.start(match) <= nodes.end(inner):
            continue
        parts = [it.strip("() ") for it in asked.text().strip("() ").split("&&")]
        between = inner.text()[: nodes.start(match) - nodes.start(inner)]
        if "||" not in asked.text() and (text in parts or (text.startswith("!") and plain in parts) or f"!{text}" in parts) and not re.search(rf"\b{re.escape(root)}\s*(=(?!=)|\+\+|--)", between) and "(" not in between.replace("if (", ""):
            return condition
    before = next((it for it in match.prev_all() if it.is_named() and "comment" not in it.kind()), None)
    if before is not None and before.kind() == "if_statement" and before.field("alternative") is None:
        asked, inner = before.field("condition"), before.field("consequence")
        if asked is not None and inner is not None and re.search(r"\b(return|throw)\b[^;]*;\s*\}?\s*$", inner.text()):
            old = asked.text().strip("() ")
            if old == text or old == f"!{text}" or text == f"!{old}":
                return condition
    return None


def calls_itself_first(match: SgNode, taint: Taint) -> SgNode | None:
    """Report a method whose only statement is to call itself."""
    body = match.field("body")
    inner = [it for it in body.named_children() if "comment" not in it.kind()] if body is not None else []
    if len(inner) != 1 or inner[0].kind() not in {"return_statement", "expression_statement"} or not inner[0].named_children():
        return None
    call = inner[0].named_children()[0]
    if call.kind() not in nodes.CALLS:
        return None
    called = nodes.callee(call)
    name = _name(match)
    if called not in {name, f"this.{name}", f"self.{name}"}:
        return None
    holder = match.field("parameters")
    parameters = [it for it in (holder.named_children() if holder is not None else []) if it.text() not in {"self", "cls"}]
    overloads = sum(1 for it in nodes.walk(match.get_root().root(), 8000) if it.kind() == match.kind() and _name(it) == name)
    same = len(nodes.arguments(call)) == len(parameters)
    return call if same and overloads == 1 or (same and not parameters) else None


def test_not_run(match: SgNode, taint: Taint) -> SgNode | None:
    """Report a method that is named like a test and that no runner will run."""
    name = _name(match)
    modifiers = _modifiers(match)
    text = match.get_root().root().text()[:60_000]
    kind = match.field("type")
    if "@" in modifiers.replace("@Override", "") or kind is None or kind.text() != "void" or _name(match) == "":
        return None
    if re.search(r"extends\s+(\w*TestCase)\b", text):
        looks = re.match(r"^(test|tset|tets|tesst|tes|est|Test)[A-Z_]?", name)
        runs = name.startswith("test") and "public" in modifiers and "static" not in modifiers and not _parameters(match)
        return match if looks and not runs and ("private" not in modifiers or name.startswith("test")) and not _parameters(match) else None
    if "org.junit" not in text and "@Test" not in text and "RunWith" not in text:
        return None
    if not re.match(r"^(test|should)[A-Z_]", name) or _parameters(match) or "public" not in modifiers or "static" in modifiers:
        return None
    called = re.search(rf"(?<![\w]){re.escape(name)}\s*\(", text.replace(match.text()[:200], "", 1))
    return None if called else match


def bad_main(match: SgNode, taint: Taint) -> SgNode | None:
    """Report a main(String[]) that the launcher does not accept."""
    if _name(match) != "main" or _parameters(match) not in (["String[]"], ["String"]) or "String..." in match.text()[:80] and False:
        return None
    modifiers, kind = _modifiers(match), match.field("type")
    if _parameters(match) != ["String[]"]:
        return None
    return match if "public" not in modifiers or "static" not in modifiers or (kind is not None and kind.text() != "void") else None


def format_mismatch(match: SgNode, taint: Taint) -> SgNode | None:
    """Report a format whose placeholders do not fit its arguments in number or kind."""
    given = nodes.arguments(match)
    called = nodes.callee(match)
    if called.endswith(".formatted"):
        owner = nodes.receiver(match)
        given = [owner, *given] if owner is not None else given
    if given and re.fullmatch(r"Locale\.\w+|locale", given[0].text()):
        given = given[1:]
    text = nodes.string_text(given[0]) if given else None
    if text is None:
        return None
    holes = [it for it in _PLACEHOLDER.finditer(text) if it.group(2) not in {"%", "n"}]
    unknown = [it.group(2) for it in holes if it.group(2) not in "dsfxXcbBhHeEgGotTaAS"]
    if unknown or re.search(r"%(\s|$)(?!\w)", text.replace("%%", "")) and not holes:
        return match
    if any(it.group(1) for it in holes) or any("<" in it.group() for it in holes):
        return None
    values = given[1:]
    if len(values) == 1 and (taint.declared(values[0]).endswith("[]") or values[0].kind() == "array_creation_expression"):
        return None
    if len(holes) > len(values):
        return match
    if len(values) > len(holes) and re.search(r"(^|\.)(format|printf|formatted)$", called):
        return match
    for hole, value in zip(holes, values, strict=False):
        kind = taint.declared(value) if value.kind() == "identifier" else "String" if value.kind() == "string_literal" else ""
        if hole.group(2) in "dx" and kind in {"String", "double", "float", "Double", "boolean"}:
            return match
        if hole.group(2) in "fe" and kind in {"String", "int", "long", "Integer", "boolean"}:
            return match
    return None


def unformatted_placeholder(match: SgNode, taint: Taint) -> SgNode | None:
    """Report a literal with placeholders that is printed, thrown or appended as it stands."""
    text = nodes.string_text(match)
    if text is None or not re.search(r"%(\d+\$)?[sd]", text) or "%%" in text:
        return None
    parent = match.parent()
    call = parent.parent() if parent is not None and parent.kind() == "argument_list" else None
    if call is None:
        return None
    called = nodes.callee(call)
    if re.search(r"^new \w*(Exception|Error)$", called):
        return match
    if re.search(r"(?i)format|printf|log|check|assert|verify|expect|String\.|warn|info|debug|error|message|fail|require|join|contains|replace|equals|startsWith|add|put|set|get|of|matches", called.split("(")[0]):
        return None
    return match if re.search(r"\.(println|print|append)$", called) else None


def pattern_invalid(match: SgNode, taint: Taint) -> SgNode | None:
    """Report a constant pattern that does not compile."""
    given = nodes.arguments(match)
    text = nodes.string_text(given[0]) if given else None
    if text is None:
        return None
    called = nodes.callee(match)
    if called.endswith(".split") and len(text) == 1 and text not in "*+?([\\":
        return None
    return match if is_invalid(text.replace("\\\\", "\\")) else None


def pattern_slow(match: SgNode, taint: Taint) -> SgNode | None:
    """Report a constant pattern that can take exponential time."""
    given = nodes.arguments(match)
    text = nodes.string_text(given[0]) if given else None
    return match if text is not None and is_slow(text.replace("\\\\", "\\")) else None


def lock_before_try(match: SgNode, taint: Taint) -> SgNode | None:
    """Report lock() that no try with an unlock in finally follows."""
    statement = match.parent()
    owner = nodes.receiver(match)
    function = nodes.function_of(match)
    if statement is None or statement.kind() != "expression_statement" or owner is None or function is None:
        return None
    name = re.escape(owner.text())
    if not re.search(rf"{name}\s*\.\s*unlock\s*\(", function.text()) and not re.search(r"(?i)lock", _name(function)) is None:
        return None
    for outer in statement.ancestors():
        if outer.kind() == "try_statement":
            final = next((it for it in outer.named_children() if it.kind() == "finally_clause"), None)
            if final is not None and "unlock" in final.text():
                return match
            break
        if outer.kind() in nodes.FUNCTIONS:
            break
    following = next((it for it in statement.next_all() if it.is_named() and "comment" not in it.kind()), None)
    if following is None:
        return match if "unlock" not in function.text() and not re.search(r"(?i)lock|enter|acquire|begin", _name(function)) else None
    if following.kind() == "try_statement":
        final = next((it for it in following.named_children() if it.kind() == "finally_clause"), None)
        return None if final is not None and "unlock" in final.text() else match
    return match


def optional_read_when_empty(match: SgNode, taint: Taint) -> SgNode | None:
    """Report a branch that reads an Optional which its condition found to be empty."""
    condition, branch = match.field("condition"), match.field("consequence")
    if condition is None or branch is None:
        return None
    found = re.fullmatch(r"\(?\s*(?:!\s*(\w+)\.isPresent\(\)|(\w+)\.isEmpty\(\))\s*\)?", condition.text())
    if found is None:
        return None
    name = found.group(1) or found.group(2)
    use = re.search(rf"(?<!\w){name}\.(get|getAsInt|getAsLong|getAsDouble|orElseThrow|ifPresent)\(", branch.text())
    if found.group(2) and not taint.declared(condition).startswith("Optional") and not re.search(rf"Optional\w*(<[^>]*>)?\s+{name}\b", match.get_root().root().text()[:40_000]):
        return None
    return branch if use is not None and not re.search(rf"(?<!\w){name}\s*=(?!=)", branch.text()) else None


def returns_mixed(match: SgNode, taint: Taint) -> SgNode | None:
    """Report a method that returns an immutable collection on one path and a mutable one on another."""
    kind = match.field("type")
    if kind is None or not re.match(r"(List|Set|Map|Collection)\s*<", kind.text()):
        return None
    returned = [it for it in nodes.walk(match, 3000) if it.kind() == "return_statement"]
    fixed = [it for it in returned if re.search(r"return\s+(Collections\.(empty|unmodifiable|singleton)\w*|Immutable\w+\.(of|copyOf)|(List|Set|Map)\.(of|copyOf))", it.text())]
    loose = [it for it in returned if re.search(r"return\s+new\s+(ArrayList|HashMap|HashSet|LinkedList|TreeMap|LinkedHashMap|LinkedHashSet|TreeSet)", it.text()) or _is_new_local(it, match)]
    return match if fixed and loose else None


def _is_new_local(returned: SgNode, method: SgNode) -> bool:
    name = re.fullmatch(r"return\s+(\w+);", returned.text())
    return name is not None and re.search(rf"\b{name.group(1)}\s*=\s*new\s+(ArrayList|HashMap|HashSet|LinkedList|TreeMap|LinkedHashMap|TreeSet)", method.text()) is not None


def volatile_step(match: SgNode, taint: Taint) -> SgNode | None:
    """Report ++, += or x = x + 1 on a volatile field outside a synchronized block."""
    target = match.field("left") or next((it for it in match.named_children()), None)
    if target is None:
        return None
    name = target.text().removeprefix("this.")
    if not re.fullmatch(r"\w+", name) or not re.search(rf"\bvolatile\s+[\w<>]+\s+{name}\b", match.get_root().root().text()[:60_000]):
        return None
    if match.kind() == "assignment_expression":
        operator, right = match.field("operator"), match.field("right")
        if operator is None or right is None:
            return None
        if operator.text() == "=" and not re.search(rf"(?<![\w.])(this\.)?{name}\s*[-+*/]|[-+*/]\s*(this\.)?{name}\b", right.text()):
            return None
    held = any(it.kind() == "synchronized_statement" for it in match.ancestors())
    function = nodes.function_of(match)
    return None if held or (function is not None and "synchronized" in _modifiers(function)) else match


def static_write(match: SgNode, taint: Taint) -> SgNode | None:
    """Report a constructor that assigns a static field."""
    name = _assigned(match)
    function = nodes.function_of(match)
    if name is None or function is None or function.kind() != "constructor_declaration" or not _is_static_field(match, name):
        return None
    return None if re.search(rf"\b\w+\s+{name}\s*[,)=;]", function.text()) else match


def static_write_under_own_lock(match: SgNode, taint: Taint) -> SgNode | None:
    """Report a static field written under the lock of one instance."""
    name = _assigned(match)
    function = nodes.function_of(match)
    if name is None or function is None or not _is_static_field(match, name):
        return None
    instance = "synchronized" in _modifiers(function) and "static" not in _modifiers(function)
    block = next((it for it in match.ancestors() if it.kind() == "synchronized_statement"), None)
    if block is not None:
        held = re.match(r"synchronized\s*\(\s*(this|\w+)\s*\)", block.text())
        instance = held is not None and (held.group(1) == "this" or not _is_static_field(match, held.group(1)) and re.search(rf"\b{held.group(1)}\s*=\s*new\b", match.get_root().root().text()[:60_000]) is not None)
    return match if instance else None


def _assigned(match: SgNode) -> str | None:
    target = match.field("left") or next(iter(match.named_children()), None)
    text = target.text() if target is not None else ""
    found = re.fullmatch(r"(?:[A-Z]\w*\.|this\.)?(\w+)", text)
    return found.group(1) if found else None


def _is_static_field(match: SgNode, name: str) -> bool:
    return re.search(rf"\bstatic\s+(?!final)(?:volatile\s+|transient\s+)*[\w<>\[\], ]+\s+{re.escape(name)}\s*[=;,]", match.get_root().root().text()[:60_000]) is not None


def swallows_interruption(match: SgNode, taint: Taint) -> SgNode | None:
    """Report a catch that takes an interruption, names a wider type or nothing, and does not restore it."""
    caught = next((it for it in match.named_children() if it.kind() == "catch_formal_parameter"), None)
    body = match.field("body")
    attempt = match.parent()
    if caught is None or body is None or attempt is None:
        return None
    kinds = caught.text()
    if re.search(r"interrupt\(\)|\bthrow\b", body.text()):
        return None
    if re.search(r"\bInterruptedException\b", kinds):
        return match if re.fullmatch(r"\{\s*(//[^\n]*\s*)*\}", body.text()) else None
    tried = attempt.field("body")
    waits = tried is not None and re.search(r"Thread\.sleep\(|\.(await|join|take|acquire|waitFor)\(|\.wait\(|\.get\(\s*\)|throw new InterruptedException", tried.text())
    handled = re.search(r"catch\s*\([^)]*InterruptedException", attempt.text())
    future = waits and re.search(r"\.get\(\s*\)", waits.group()) and not re.search(r"Future", match.get_root().root().text()[:40_000])
    return match if waits and not handled and not future and re.search(r"\b(Exception|Throwable)\b", kinds) else None


def assertion_caught(match: SgNode, taint: Taint) -> SgNode | None:
    """Report an assertion in a try whose catch takes assertion errors and drops them."""
    tried = match.field("body")
    if tried is None or not re.search(r"(?<!\w)(fail|assert\w*)\s*\(", tried.text()):
        return None
    for it in match.named_children():
        if it.kind() == "catch_clause" and re.search(r"catch\s*\(\s*(final\s+)?(AssertionError|Throwable|Error)\b", it.text()):
            body = it.field("body")
            if body is not None and not re.search(r"\bthrow\b|assert|fail|getCause|getMessage|expected", body.text()):
                called = next((one for one in nodes.walk(tried, 2000) if one.kind() == "method_invocation" and re.match(r"(fail|assert\w*)$", _name(one))), None)
                return called or match
    return None


def throws_many(match: SgNode, taint: Taint) -> SgNode | None:
    """Report assertThrows around more than one statement."""
    given = nodes.arguments(match)
    function = next((it for it in given if it.kind() == "lambda_expression"), None)
    body = function.field("body") if function is not None else None
    return match if body is not None and body.kind() == "block" and len([it for it in body.named_children() if "comment" not in it.kind()]) > 1 else None


def result_dropped(match: SgNode, taint: Taint) -> SgNode | None:
    """Report a statement that calls a method without effects and throws its result away."""
    call = match.named_children()[0] if match.named_children() else None
    if call is None or call.kind() != "method_invocation":
        return None
    called = nodes.callee(call)
    owner = nodes.receiver(call)
    kind = taint.declared(owner) if owner is not None and owner.kind() == "identifier" else ""
    last = _name(call)
    if owner is not None and owner.kind() == "string_literal":
        kind = "String"
    pure = {
        "String": r"trim|toUpperCase|toLowerCase|replace|replaceAll|substring|concat|strip|split|isEmpty|equals|length|matches|contains|format|intern|repeat|indexOf",
        "BigDecimal": r"add|subtract|multiply|divide|negate|setScale|compareTo",
        "BigInteger": r"add|subtract|multiply|divide|negate|mod|pow",
        "Optional": r"map|filter|isPresent|get|orElse|of|ofNullable|flatMap|isEmpty",
        "Instant": r"plus\w*|minus\w*|with", "LocalDate": r"plus\w*|minus\w*|with\w*", "Duration": r"plus\w*|minus\w*", "LocalDateTime": r"plus\w*|minus\w*|with\w*",
        "Stream": r"map|filter|sorted|distinct|limit",
        "List": r"stream|contains|isEmpty|size|indexOf|subList", "Map": r"containsKey|containsValue|isEmpty|size|entrySet|keySet|values", "Set": r"contains|isEmpty|size|stream", "Collection": r"contains|isEmpty|size|stream",
    }
    base = re.sub(r"<.*", "", kind)
    if base in pure and re.fullmatch(pure[base], last):
        return call
    if re.search(r"(stream\(\)|Stream\.of\([^)]*\)|Arrays\.stream\([^)]*\)).*\.(map|filter|sorted|distinct|limit|mapToInt)$", re.sub(r"\s+", "", called)):
        return call
    return None


def java_redirect(match: SgNode, taint: Taint) -> SgNode | None:
    """Report a redirect, by call or by view name, whose target comes from outside."""
    from audit.code.checks.injection import redirect_target

    if match.kind() != "return_statement":
        return redirect_target(match, taint)
    inner = match.named_children()
    tail = inner[0].field("right") if inner else None
    value = taint.trace(tail, "url") if tail is not None else None
    outside = value is not None and value.level.name == "OUTSIDE"
    return match if outside and value is not None and not taint.guarded(value, match, "url") else None


def null_for_optional(match: SgNode, taint: Taint) -> SgNode | None:
    """Report null where an Optional belongs; for a call, only where the text declares the parameter as one."""
    if match.kind() != "method_invocation" or nodes.callee(match) == "Optional.of":
        return match
    given = nodes.arguments(match)
    for it in nodes.walk(match.get_root().root(), 8000):
        if it.kind() == "method_declaration" and _name(it) == _name(match) and len(_parameters(it)) == len(given):
            kinds = _parameters(it)
            return match if any(one.kind() == "null_literal" and re.match(r"(java\.util\.)?Optional\b", kind) for one, kind in zip(given, kinds, strict=True)) else None
    return None


def mocks_final(match: SgNode, taint: Taint) -> SgNode | None:
    """Report a mock of a class that the text declares final."""
    found = re.search(r"(?:mock|spy)\(\s*(\w+)\.class", match.text()) or re.search(r"@(?:Mock|Spy)\s+(?:private\s+|public\s+)?(\w+)\s+\w+", match.text())
    declared = found is not None and re.search(rf"\bfinal\s+(static\s+)?class\s+{found.group(1)}\b", match.get_root().root().text()[:60_000])
    return match if declared else None


def not_handed_on(match: SgNode, taint: Taint) -> SgNode | None:
    """Report an opened stream that is neither returned nor named in a try's resources."""
    for it in match.ancestors():
        if it.kind() == "return_statement":
            inner = it.named_children()
            return None if inner and inner[0].text() == match.text() else match
        if it.kind() == "variable_declarator":
            name = it.field("name")
            function = nodes.function_of(match)
            rest = function.text() if function is not None else ""
            used = name is not None and re.search(rf"try\s*\(\s*{re.escape(name.text())}\s*[;)]|return\s+{re.escape(name.text())};|{re.escape(name.text())}\.close\(", rest)
            return None if used else match
        if it.kind() in nodes.FUNCTIONS:
            break
    return match


def declared_never_closed(match: SgNode, taint: Taint) -> SgNode | None:
    """Report a local stream that is neither closed, wrapped, returned nor handed on."""
    declarator = next((it for it in match.named_children() if it.kind() == "variable_declarator"), None)
    function = nodes.function_of(match)
    name = _name(declarator) if declarator is not None else ""
    if not name or function is None:
        return None
    rest = function.text()[nodes.end(match) - nodes.start(function) :]
    return None if re.search(rf"(?<![\w.]){re.escape(name)}\s*\.\s*close\s*\(|return\s+{re.escape(name)}\s*;|[(,]\s*{re.escape(name)}\s*[,)]|=\s*{re.escape(name)}\s*;|closeQuietly", rest) else match


def group_falls_through(match: SgNode, taint: Taint) -> SgNode | None:
    """Report a group of a Java switch whose statements run on into the next label."""
    following = next((it for it in match.next_all() if it.is_named()), None)
    if following is None or "comment" in following.kind() and re.search(r"(?i)falls?", following.text()):
        return None
    body = [it for it in match.named_children() if it.kind() != "switch_label" and "comment" not in it.kind()]
    if not body or re.search(r"(?i)falls?[ -]?through", match.text()):
        return None
    last = body[-1]
    ends = re.search(r"(\b(return|throw|break|continue|yield)\b[^;{}]*;|System\.exit\([^)]*\);)\s*\}*\s*$", last.text())
    return None if ends or last.kind() in {"while_statement", "try_statement", "switch_expression", "if_statement"} and ends else (following if following.kind() == "switch_block_statement_group" else None)


def bitwise_on_booleans(match: SgNode, taint: Taint) -> SgNode | None:
    """Report & or | between comparisons or booleans."""
    sides = (match.field("left"), match.field("right"))
    return match if all(it is not None and _is_boolean(it, taint) for it in sides) else None


def _is_boolean(node: SgNode, taint: Taint) -> bool:
    while node.kind() == "parenthesized_expression" and node.named_children():
        node = node.named_children()[0]
    if node.kind() in {"true", "false", "instanceof_expression"} or node.text().startswith("!"):
        return True
    operator = node.field("operator") if node.kind() == "binary_expression" else None
    if operator is not None:
        if operator.text() in {"&", "|"}:
            return all(it is not None and _is_boolean(it, taint) for it in (node.field("left"), node.field("right")))
        return operator.text() in {"==", "!=", "<", ">", "<=", ">=", "&&", "||"}
    if node.kind() == "method_invocation":
        return re.search(r"\.?(is[A-Z]\w*|has[A-Z]\w*|equals|contains|startsWith|endsWith|isEmpty|test)\([^()]*\)$", node.text()) is not None
    return taint.declared(node) in {"boolean", "Boolean"}


def mixed_operators(match: SgNode, taint: Taint) -> SgNode | None:
    """Report operators of different precedence side by side, unless both are plain bit masks of one kind."""
    operator = match.field("operator")
    sign = operator.text() if operator is not None else ""
    inner = [it for it in (match.field("left"), match.field("right")) if it is not None and it.kind() == "binary_expression"]
    signs = {found.text() for it in inner if (found := it.field("operator")) is not None}
    if signs == {sign}:
        return None
    parent = match.parent()
    if parent is not None and parent.kind() == "binary_expression" and sign == "||" and False:
        return None
    return match


def check_then_put(match: SgNode, taint: Taint) -> SgNode | None:
    """Report containsKey before put on a map shared between threads, or exists before an act on the same file."""
    condition, branch = match.field("condition"), match.field("consequence")
    if condition is None or branch is None:
        return None
    found = re.search(r"!\s*(\w+)\.containsKey\(\s*([\w.]+)\s*\)", condition.text())
    if found is not None:
        shared = re.search(rf"(ConcurrentHashMap|ConcurrentMap|synchronizedMap|static)\b[^;]*\b{found.group(1)}\b", match.get_root().root().text()[:60_000])
        function = nodes.function_of(match)
        held = "synchronized" in (function.text()[:200] if function is not None else "") or any(it.kind() == "synchronized_statement" for it in match.ancestors())
        return match if shared and not held and re.search(rf"\b{found.group(1)}\.put\(", branch.text()) else None
    found = re.search(r"Files\.(?:exists|notExists)\(\s*(\w+)|(\w+)\.exists\(\)", condition.text())
    name = (found.group(1) or found.group(2)) if found is not None else ""
    acts = rf"\b{name}\.(createNewFile|delete|renameTo|mkdirs?)\(|Files\.(delete|createFile|write|writeString|move|copy|newOutputStream)\(\s*{name}\b|new File(Output|Input)Stream\(\s*{name}\b|new File(Writer|Reader)\(\s*{name}\b"
    return match if name and re.search(acts, branch.text()) and "CREATE_NEW" not in branch.text() else None


def moves_by_two_unchecked(match: SgNode, taint: Taint) -> SgNode | None:
    """Report a loop that moves a pointer by two and never asks whether the pointer itself is null."""
    found = re.search(r"(\w+)\s*=\s*(\w+)(?:\.getSuccessor\(\)\.getSuccessor\(\)|\.next\.next|\.getNext\(\)\.getNext\(\)|\.next\(\)\.next\(\))", match.text())
    if found is None:
        return None
    name = found.group(2)
    asked = re.search(rf"(?<![\w.]){name}\s*[!=]=\s*null|null\s*[!=]=\s*{name}(?![\w.])|!\s*{name}\b|\bis\s+(not\s+)?None", match.text())
    return None if asked else match
