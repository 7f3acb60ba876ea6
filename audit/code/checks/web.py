"""Checks on PHP, Ruby and C#: dynamic calls, uploads, headers, query fragments, shells, disposal."""

from __future__ import annotations

import re

from ast_grep_py import SgNode

from audit.code import built, kinds, nodes
from audit.code.flows import Level
from audit.code.spelled import spelled
from audit.code.taint import Taint


def _outside(node: SgNode | None, match: SgNode, taint: Taint, family: str = "") -> bool:
    if node is None:
        return False
    value = taint.trace(node, family)
    return value.level is Level.OUTSIDE and not taint.guarded(value, match, family)


def function_from_outside(match: SgNode, taint: Taint) -> SgNode | None:
    """Report a call of a function whose name comes from a request."""
    function = match.field("function")
    if function is not None and function.kind() == "variable_name":
        return match if _outside(function, match, taint) else None
    given = nodes.arguments(match)
    return match if given and _outside(given[0], match, taint) else None


def upload_unchecked(match: SgNode, taint: Taint) -> SgNode | None:
    """Report an upload that is stored under its own name, with no list of allowed kinds."""
    function = nodes.function_of(match)
    text = function.text() if function is not None else match.get_root().root().text()[:60_000]
    given = nodes.arguments(match)
    if len(given) < 2 or taint.trace(given[1]).level is not Level.OUTSIDE:
        return None
    denied = re.search(
        r"if\s*\(\s*(?:in_array|preg_match)\s*\([^;{]*\)\s*\{?\s*(die|exit|return|throw|http_response_code|header)\b",
        text,
    )
    listed = not denied and re.search(
        r"in_array\s*\(|pathinfo[^;]*===|finfo|getimagesize|preg_match\([^;]*\$/|mime_content_type|exif_imagetype|ALLOWED|allowed",
        text,
    )
    renamed = re.search(r"uniqid|random_bytes|bin2hex|md5\(|sha1\(|hash\(", given[1].text())
    return None if listed or (renamed and not re.search(r"\[.name.\]", given[1].text())) else match


def header_location(match: SgNode, taint: Taint) -> SgNode | None:
    """Report a Location header whose target comes from a request."""
    given = nodes.arguments(match)
    if not given or not _outside(given[0], match, taint, "url"):
        return None
    fixed = built.joined(built.pieces(given[0], taint))
    return None if re.match(r"(?i)location:\s*(https?://[\w.-]+(:\d+)?/|/[\w?#]|[\w-]+\.php)", fixed) else match


_ASKED_FOR = re.compile(
    r"\bparams\b|\brequest\.(args|GET|POST|form|query|json|query_params|body|params)|\b(req|request|ctx)\.(query|body|params)|\bc\.req\."
)


def times_from_outside(match: SgNode, taint: Taint) -> SgNode | None:
    """Report something done as often as a number of a request says, where nothing in the function caps it."""
    owner, given = nodes.receiver(match), nodes.arguments(match)
    counted = [it for it in (owner, *given) if it is not None and it.kind() not in kinds.FUNCTIONS]
    function = nodes.function_of(match)
    around = (function or match.get_root().root()).text()[:6_000]
    if re.search(r"\bmin\b|clamp|\.min\(|[<>]=?\s*[A-Z\d]|le=|lte?\(|\bmax\w*|limit", around):
        return None
    asked = any(_ASKED_FOR.search(spelled(it, taint)) for it in counted)
    return match if asked else None


def loop_bound_outside(match: SgNode, taint: Taint) -> SgNode | None:
    """Report a loop whose bound is a number from a request."""
    condition = match.field("condition")
    asked = condition.named_children() if condition is not None and condition.kind().startswith("paren") else []
    for it in (*match.named_children(), *asked):
        if it.kind() == "binary_expression" and (right := it.field("right")) is not None:
            value = taint.trace(right)
            text = " ".join(value.names) + right.text()
            loose = value.level is Level.OUTSIDE or re.search(
                r"intval\(\s*\$_(GET|POST|REQUEST)|\(int\)\s*\$_(GET|POST|REQUEST)", text + _bound_text(right, taint)
            )
            checked = (
                re.search(r"\bmin\(", _bound_text(right, taint) + right.text())
                or taint.guarded(value, match)
                or re.search(rf"if\s*\([^)]*{re.escape(right.text())}\s*[<>]", _before(match))
            )
            return match if loose and not checked else None
    return None


def _before(match: SgNode) -> str:
    function = nodes.function_of(match) or match.get_root().root()
    return function.text()[: max(0, nodes.start(match) - nodes.start(function))]


def _bound_text(node: SgNode, taint: Taint) -> str:
    _, bound = taint.bindings(node.text(), node)
    return " ".join(it.value.text() for it in bound if it.value is not None)


def ruby_fragment(match: SgNode, taint: Taint) -> SgNode | None:
    """Report a query fragment that is a string with values in it, or a bare value of a request."""
    given = nodes.arguments(match)
    method = match.field("method")
    if not given or method is None or match.field("receiver") is None:
        return None
    first = given[0]
    parts = built.pieces(first, taint)
    if built.is_built(parts):
        values = [it for it in parts if not isinstance(it, str)]
        return (
            match
            if any(
                taint.trace(it, "sql").level >= Level.GIVEN and not taint.guarded(taint.trace(it, "sql"), match, "sql")
                for it in values
            )
            else None
        )
    risky = method.text() in {
        "order",
        "where",
        "group",
        "having",
        "joins",
        "select",
        "pluck",
        "reorder",
        "find_by_sql",
        "execute",
        "exec_query",
        "delete_all",
        "update_all",
    }
    hashed = re.search(r"permit|\.to_h|\[:\w+\]\.to_sym", first.text()) is not None
    return (
        match
        if risky and not hashed and first.kind() not in {"pair", "hash"} and _outside(first, match, taint, "sql")
        else None
    )


def ruby_shell(match: SgNode, taint: Taint) -> SgNode | None:
    """Report a command that one string makes up, and so a shell reads."""
    given = [it for it in nodes.arguments(match) if it.kind() not in {"pair", "hash"}]
    owner = match.field("receiver")
    if owner is not None and owner.text() not in {"Kernel", "IO", "Open3", "Process", "PTY"}:
        return None
    if len(given) != 1 and not (given and re.match(r"[\"'](ba|z)?sh[\"']", given[0].text())):
        return None
    value = taint.trace(given[-1], "command")
    return (
        match
        if value.level >= Level.GIVEN and given[-1].kind() != "array" and not taint.guarded(value, match, "command")
        else None
    )


def ruby_dynamic(match: SgNode, taint: Taint) -> SgNode | None:
    """Report a method or class that a request names."""
    method = match.field("method")
    if method is not None and "constantize" in method.text():
        return match if _outside(match.field("receiver"), match, taint) else None
    given = nodes.arguments(match)
    return match if given and _outside(given[0], match, taint) else None


def ruby_raw(match: SgNode, taint: Taint) -> SgNode | None:
    """Report raw or html_safe on a value that nothing encoded."""
    method = match.field("method")
    given = nodes.arguments(match)
    subject = (
        match.field("receiver")
        if method is not None and method.text() == "html_safe"
        else (given[0] if given else None)
    )
    if subject is None:
        return None
    value = taint.trace(subject, "xss")
    return match if value.level >= Level.GIVEN and not taint.guarded(value, match, "xss") else None


def ruby_duplicate_keys(match: SgNode, taint: Taint) -> SgNode | None:
    """Report the second pair of a hash with the same constant key."""
    seen: set[str] = set()
    for pair in match.named_children():
        key = pair.field("key") if pair.kind() == "pair" else None
        if key is None or key.kind() not in {"hash_key_symbol", "simple_symbol", "string", "integer"}:
            continue
        text = key.text().strip(":")
        if text in seen:
            return pair
        seen.add(text)
    return None


def ruby_check_then_use(match: SgNode, taint: Taint) -> SgNode | None:
    """Report a test whether a file exists before an act on it."""
    condition = match.field("condition")
    found = re.search(r"File\.\w+\?\(?\s*([\w@.]+)", condition.text()) if condition is not None else None
    if found is None:
        return None
    acts = rf"(File|FileUtils|IO)\.(delete|open|write|rename|unlink|rm|mv|read)\(?\s*{re.escape(found.group(1))}\b"
    return match if re.search(acts, match.text()) else None


def cs_never_disposed(match: SgNode, taint: Taint) -> SgNode | None:
    """Report a disposable that is neither disposed, closed, returned nor handed on."""
    found = re.search(r"(\w+)\s*=\s*new\b", match.text())
    function = nodes.function_of(match)
    if found is None or function is None:
        return None
    name = found.group(1)
    rest = function.text()[nodes.end(match) - nodes.start(function) :]
    return (
        None
        if re.search(
            rf"(?<![\w.]){name}\.(Dispose|Close|DisposeAsync)\s*\(|return\s+{name}\s*;|using\s*\(\s*{name}\b|[(,]\s*{name}\s*[,)]|=\s*{name}\s*;",
            rest,
        )
        else match
    )


def cs_modifies_iterated(match: SgNode, taint: Taint) -> SgNode | None:
    """Report foreach over a collection that its body adds to or removes from."""
    found = re.match(r"foreach\s*\(\s*[\w<>\[\]?]+\s+\w+\s+in\s+(\w+)(\.Keys|\.Values)?\s*\)", match.text())
    body = match.field("body")
    if found is None or body is None:
        return None
    change = re.search(rf"(?<![\w.]){found.group(1)}\.(Add|Remove|RemoveAt|Insert|Clear)\(", body.text())
    return match if change and not re.match(r"[^;]*;\s*(break|return)\b", body.text()[change.start() :]) else None
