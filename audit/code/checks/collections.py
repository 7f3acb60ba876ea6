"""Checks on arrays, collections and optionals."""

from __future__ import annotations

import re

from ast_grep_py import SgNode

from audit.code import nodes
from audit.code.declarations import name_of, parameter_types
from audit.code.expression_types import BOXED, bare_type, boxed_name, sides_of, type_of
from audit.code.taint import Taint

_PRIMITIVE_ARRAY = re.compile(r"^(int|long|short|byte|char|double|float|boolean)\[\]$")
_STREAM = re.compile(
    r"(\.|^)(stream|parallelStream|map|filter|sorted|distinct|limit|skip|flatMap|mapToObj|boxed|peek|Stream\.of|Arrays\.stream)$"
)
_OPTIONAL = re.compile(r"\bOptional\.\w+\(|[oO]pt\w*$|\bfind(First|Any|ById)\([^()]*\)$")


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
    if (
        found.group(2)
        and not taint.declared(condition).startswith("Optional")
        and not re.search(rf"Optional\w*(<[^>]*>)?\s+{name}\b", match.get_root().root().text()[:40_000])
    ):
        return None
    return branch if use is not None and not re.search(rf"(?<!\w){name}\s*=(?!=)", branch.text()) else None


def optional_mapped_to_optional(match: SgNode, taint: Taint) -> SgNode | None:
    """Report map on an Optional by a function that returns an Optional, as far as this text declares both."""
    owner, given = nodes.receiver(match), nodes.arguments(match)
    if owner is None or len(given) != 1:
        return None
    kind = bare_type(type_of(owner, taint))
    if not kind.startswith("Optional") and (kind or not _OPTIONAL.search(owner.text())):
        return None
    function = re.fullmatch(r"(?:this|\w+)::(\w+)|\(?\w+\)?\s*->\s*(?:this\.)?(\w+)\([^;]*\)", given[0].text())
    name = (function.group(1) or function.group(2)) if function else ""
    made = re.search(r"(::|->\s*)Optional(\.|::)?\s*(\.?<\w+>)?(of|ofNullable|empty)?\b", given[0].text())
    text = match.get_root().root().text()[:60_000]
    returns = bool(name) and re.search(rf"\bOptional<[^;{{}}()]*>\s+{re.escape(name)}\s*\(", text)
    return match if made or returns else None


def returns_mixed(match: SgNode, taint: Taint) -> SgNode | None:
    """Report a method that returns an immutable collection on one path and a mutable one on another."""
    kind = match.field("type")
    if kind is None or not re.match(r"(List|Set|Map|Collection)\s*<", kind.text()):
        return None
    returned = [it for it in nodes.walk(match, 3000) if it.kind() == "return_statement"]
    fixed = [
        it
        for it in returned
        if re.search(
            r"return\s+(Collections\.(empty|unmodifiable|singleton)\w*|Immutable\w+\.(of|copyOf)|(List|Set|Map)\.(of|copyOf))",
            it.text(),
        )
    ]
    loose = [
        it
        for it in returned
        if re.search(
            r"return\s+new\s+(ArrayList|HashMap|HashSet|LinkedList|TreeMap|LinkedHashMap|LinkedHashSet|TreeSet)",
            it.text(),
        )
        or _is_new_local(it, match)
    ]
    return match if fixed and loose else None


def _is_new_local(returned: SgNode, method: SgNode) -> bool:
    name = re.fullmatch(r"return\s+(\w+);", returned.text())
    return (
        name is not None
        and re.search(
            rf"\b{name.group(1)}\s*=\s*new\s+(ArrayList|HashMap|HashSet|LinkedList|TreeMap|LinkedHashMap|TreeSet)",
            method.text(),
        )
        is not None
    )


def result_dropped(match: SgNode, taint: Taint) -> SgNode | None:
    """Report a statement that calls a method without effects and throws its result away."""
    call = match.named_children()[0] if match.named_children() else None
    if call is None or call.kind() != "method_invocation":
        return None
    called = nodes.callee(call)
    owner = nodes.receiver(call)
    kind = taint.declared(owner) if owner is not None and owner.kind() == "identifier" else ""
    last = name_of(call)
    if owner is not None and owner.kind() == "string_literal":
        kind = "String"
    pure = {
        "String": r"trim|toUpperCase|toLowerCase|replace|replaceAll|substring|concat|strip|split|isEmpty|equals|length"
        r"|matches|contains|format|intern|repeat|indexOf",
        "BigDecimal": r"add|subtract|multiply|divide|negate|setScale|compareTo",
        "BigInteger": r"add|subtract|multiply|divide|negate|mod|pow",
        "Optional": r"map|filter|isPresent|get|orElse|of|ofNullable|flatMap|isEmpty",
        "Instant": r"plus\w*|minus\w*|with",
        "LocalDate": r"plus\w*|minus\w*|with\w*",
        "Duration": r"plus\w*|minus\w*",
        "LocalDateTime": r"plus\w*|minus\w*|with\w*",
        "Stream": r"map|filter|sorted|distinct|limit",
        "List": r"stream|contains|isEmpty|size|indexOf|subList",
        "Map": r"containsKey|containsValue|isEmpty|size|entrySet|keySet|values",
        "Set": r"contains|isEmpty|size|stream",
        "Collection": r"contains|isEmpty|size|stream",
    }
    base = re.sub(r"<.*", "", kind)
    if base in pure and re.fullmatch(pure[base], last):
        return call
    if re.search(
        r"(stream\(\)|Stream\.of\([^)]*\)|Arrays\.stream\([^)]*\)).*\.(map|filter|sorted|distinct|limit|mapToInt)$",
        re.sub(r"\s+", "", called),
    ):
        return call
    return None


def null_for_optional(match: SgNode, taint: Taint) -> SgNode | None:
    """Report null where an Optional belongs; for a call, only where the text declares the parameter as one."""
    if match.kind() != "method_invocation" or nodes.callee(match) == "Optional.of":
        return match
    given = nodes.arguments(match)
    for it in nodes.walk(match.get_root().root(), 8000):
        if (
            it.kind() == "method_declaration"
            and name_of(it) == name_of(match)
            and len(parameter_types(it)) == len(given)
        ):
            kinds = parameter_types(it)
            return (
                match
                if any(
                    one.kind() == "null_literal" and re.match(r"(java\.util\.)?Optional\b", kind)
                    for one, kind in zip(given, kinds, strict=True)
                )
                else None
            )
    return None


def array_as_text(match: SgNode, taint: Taint) -> SgNode | None:
    """Report an array that is turned into text."""
    return match if any(_is_array(it, taint) for it in _turned_into_text(match, taint)) else None


def stream_as_text(match: SgNode, taint: Taint) -> SgNode | None:
    """Report a stream that is turned into text."""
    return match if any(_is_stream(it, taint) for it in _turned_into_text(match, taint)) else None


def _turned_into_text(match: SgNode, taint: Taint) -> list[SgNode]:
    """Return the values that a concatenation, toString() or a call that prints turns into text."""
    if match.kind() == "binary_expression":
        sides = sides_of(match)
        if sides is None:
            return []
        return [sides[1 - at] for at in (0, 1) if type_of(sides[at], taint) == "String"]
    called, given, owner = nodes.callee(match), nodes.arguments(match), nodes.receiver(match)
    if called.endswith(".toString") and not given and owner is not None:
        return [owner]
    if not re.search(r"(^|\.)(println|print|append|format|printf)$|^String\.valueOf$", called):
        return []
    start = 1 if called.endswith(("format", "printf")) else 0
    shown = given[start:]
    spread = {"char[]"} if start == 0 else {"char[]", "Object[]", "String[]"} if len(shown) == 1 else set()
    return [it for it in shown if type_of(it, taint) not in spread]


def _is_array(node: SgNode, taint: Taint) -> bool:
    return type_of(node, taint).endswith("[]") and node.kind() != "array_access"


def _is_stream(node: SgNode, taint: Taint) -> bool:
    if node.kind() in {"identifier", "field_access"}:
        return bool(re.match(r"(Int|Long|Double)?Stream\b", bare_type(type_of(node, taint))))
    return (
        node.kind() == "method_invocation"
        and bool(_STREAM.search(nodes.callee(node)))
        and bool(re.search(r"stream\(|Stream\.of\(", node.text()))
    )


def mixed_varargs(match: SgNode, taint: Taint) -> SgNode | None:
    """Report a last argument that is an array on one branch and a single value on the other, given to varargs."""
    given, called = nodes.arguments(match), re.split(r"\.", nodes.callee(match))[-1]
    if not given or given[-1].kind() != "ternary_expression":
        return None
    branches = [given[-1].field("consequence"), given[-1].field("alternative")]
    arrays = [it is not None and _is_array(it, taint) for it in branches]
    known = re.search(r"^(Arrays\.asList|List\.of|Set\.of|Stream\.of|String\.format|EnumSet\.of)$", nodes.callee(match))
    own = re.search(rf"\b{re.escape(called)}\s*\([^()]*\.\.\.\s*\w+\s*\)", match.get_root().root().text()[:60_000])
    return match if arrays[0] != arrays[1] and (known or own) else None


def primitive_as_list(match: SgNode, taint: Taint) -> SgNode | None:
    """Report Arrays.asList on an array of primitives."""
    given = nodes.arguments(match)
    return match if len(given) == 1 and _PRIMITIVE_ARRAY.match(type_of(given[0], taint)) else None


def fill_incompatible(match: SgNode, taint: Taint) -> SgNode | None:
    """Report Arrays.fill with a value that the array cannot hold."""
    given = nodes.arguments(match)
    if len(given) not in {2, 4}:
        return None
    held = type_of(given[0], taint).removesuffix("[]")
    value = boxed_name(bare_type(type_of(given[-1], taint)))
    known = BOXED | {"String"}
    return match if held in known and value in known and held != value else None


def ambiguous_remove(match: SgNode, taint: Taint) -> SgNode | None:
    """Report List<Integer>.remove(int), which removes by position."""
    owner, given = nodes.receiver(match), nodes.arguments(match)
    if owner is None or len(given) != 1:
        return None
    kind = type_of(owner, taint)
    return (
        match
        if re.search(r"List\s*<\s*(Integer|Long|Short|Byte|Character)\s*>", kind)
        and type_of(given[0], taint) in {"int", "short", "byte", "char"}
        else None
    )


def unused_collection(match: SgNode, taint: Taint) -> SgNode | None:
    """Report a local collection that is only ever added to."""
    name = match.field("name")
    function = nodes.function_of(match)
    if name is None or function is None:
        return None
    rest = function.text()[nodes.end(match) - nodes.start(function) :]
    uses = [it.group() for it in re.finditer(rf"(?<![\w.]){re.escape(name.text())}(?!\w)\s*(\.\s*\w+)?", rest)]
    if not uses or not all(
        re.search(r"\.\s*(add|put|addAll|putAll|set|remove|clear|push|offer|append|sort|addLast|addFirst)$", it)
        for it in uses
    ):
        return None
    statements = all(
        re.search(rf"(^|[;{{}}])\s*{re.escape(name.text())}\s*\.", rest[max(0, it.start() - 2) : it.end()])
        or re.search(r"[;{}]\s*$", rest[: it.start()])
        for it in re.finditer(rf"(?<![\w.]){re.escape(name.text())}\s*\.", rest)
    )
    return match if statements else None


def modifies_iterated(match: SgNode, taint: Taint) -> SgNode | None:
    """Report a loop that adds to or removes from the collection it iterates, and goes on."""
    right = match.field("right") or match.field("value")
    body = match.field("body")
    if right is None or body is None:
        return None
    name = re.sub(r"\.(keys|items|values|keySet|entrySet|values)\(\)$", "", right.text())
    if not re.fullmatch(r"[\w.]+", name):
        return None
    changing = re.compile(
        rf"(?<![\w.]){re.escape(name)}\.(remove|pop|append|insert|add|clear|discard|put|addAll|removeAll|delete)\s*\(|del\s+{re.escape(name)}\["
    )
    for it in nodes.walk(body, 4000):
        if it.kind() in {"expression_statement", "delete_statement", "if_statement"} and changing.match(it.text()):
            following = [one for one in it.next_all() if one.is_named()]
            if any(one.kind() in {"break_statement", "return_statement"} for one in following):
                return None
            return it
    return None


def has_hole(match: SgNode, taint: Taint) -> SgNode | None:
    """Report an array literal with an element left out."""
    comma = True
    for it in match.children()[1:-1]:
        if it.kind() == "comment":
            continue
        if it.kind() == ",":
            if comma:
                return match
            comma = True
        else:
            comma = False
    return None
