"""Checks on values that reach an interpreter, a page, an address or a log."""

from __future__ import annotations

import re

from ast_grep_py import SgNode

from audit.code import built, kinds, nodes
from audit.code.flows import Level
from audit.code.taint import Taint

_STATEMENT = re.compile(
    r"(?is)^\s*\(?\s*(with\s.{0,400}\bas\s*\(.*)?(select\b.{1,600}?\bfrom\b|select\s+\x01|insert\s+(ignore\s+|or\s+\w+\s+)?into\s|update\s+\S+\s+set\s|delete\s+from\s|replace\s+into\s"
    r"|drop\s+(table|database|user|view)\s|alter\s+(table|user)\s|create\s+(table|user|database)\s|exec(ute)?\s+\w+\s|call\s+\w+\s*\(|union\s+(all\s+)?select\s|truncate\s+table\s|grant\s+\w+)"
)
_CLAUSE = re.compile(
    r"(?is)\b(where|and|or|having)\s+[\w.`\"\[\]]+\s*(=|<>|!=|<|>|like|in)\s*\(?\s*['\"%]*\x01|\border\s+by\s+\x01|\bvalues\s*\([^)]*\x01"
)
_RAW_FRAGMENT = re.compile(r"(?i)(where|order_?by|having|select|group_?by|from|join)_?raw$")
_VALUE_POSITION = re.compile(r"(?is)(['\"%]|[=<>(,]|\blike|\bin|\bbetween|\band|\bvalues|\bid|\+|-)\s*[%'\"(]*$")
_BOUND_VALUES = frozenset(
    ["array", "list", "tuple", "dictionary", "object", "hash", "array_creation_expression", "composite_literal"]
)


def sql_built(match: SgNode, taint: Taint) -> SgNode | None:
    """Report a string that reads as SQL and holds an expression that a caller may fill."""
    parent = match.parent()
    if parent and parent.kind() == match.kind() and parent.kind() in kinds.BINARIES:
        return None
    parts = built.pieces(match, taint)
    if not built.is_built(parts):
        return None
    text = built.joined(parts)
    if not _STATEMENT.search(text) and not _CLAUSE.search(text[:2000]):
        return None
    return match if _holds_input(parts, match, taint) else None


def sql_argument(match: SgNode, taint: Taint) -> SgNode | None:
    """Report a call that runs SQL whose text was put together from values, or comes from outside as a whole."""
    fragment = bool(_RAW_FRAGMENT.search(nodes.callee(match)[-40:]))
    for given in nodes.arguments(match)[:2]:
        if given.kind() in _BOUND_VALUES:
            break
        parts = built.pieces(given, taint)
        text = built.joined(parts)
        if built.is_built(parts):
            if (fragment or _STATEMENT.search(text) or _CLAUSE.search(text)) and _holds_input(parts, match, taint):
                return match
        elif not all(isinstance(it, str) for it in parts):
            value = taint.trace(given, "sql")
            if value.level is Level.OUTSIDE and not taint.guarded(value, match, "sql"):
                return match
        if _STATEMENT.search(text):  # what follows a statement is bound to it
            break
    return None


def fragment_argument(match: SgNode, taint: Taint) -> SgNode | None:
    """Report a query fragment (a where clause, an order) that was put together from values."""
    given = nodes.arguments(match)
    if not given:
        return None
    parts = built.pieces(given[0], taint)
    return match if built.is_built(parts) and _holds_input(parts, match, taint) else None


def _holds_input(parts: list[built.Piece], sink: SgNode, taint: Taint) -> bool:
    before = ""
    for it in parts:
        if isinstance(it, str):
            before += it
            continue
        value = taint.trace(it, "sql")
        at_value = bool(_VALUE_POSITION.search(before[-40:]))
        quoted = bool(re.search(r"['\"%]\s*$", before[-3:]))
        wanted = Level.UNKNOWN if quoted else Level.GIVEN if at_value else Level.OUTSIDE
        if value.level >= wanted and not taint.guarded(value, sink, "sql"):
            return True
        before += "\x01"
    return False


def html_answer(match: SgNode, taint: Taint) -> SgNode | None:
    """Report an answer whose text holds a value from a request and is sent as HTML."""
    around = nodes.function_of(match)
    text = around.text()[:4000] if around else match.text()
    if re.search(r"application/json|text/plain|Content-Type.{0,5}(json|plain)|\.type\(", text):
        return None
    called = nodes.callee(match) if match.kind() in kinds.CALLS else ""
    if called.endswith(".write") and not re.search(
        r"^((self|response|resp|res|out|writer|w)|(self\.)?response)\.write$|^(res|response|reply)\b", called
    ):
        return None
    owner = nodes.receiver(match) if match.kind() in kinds.CALLS else None
    if owner is not None and any(
        "open(" in it.value.text() for it in taint.bindings(owner.text(), owner)[1] if it.value
    ):
        return None
    given = nodes.arguments(match)[:1] if match.kind() in kinds.CALLS else match.named_children()[:1]
    if given and given[0].kind() == "keyword_argument":
        named = (nodes.keyword(match, it) for it in ("text", "body", "content", "response", "data"))
        given = [it for it in named if it is not None and "html" in f"{called} {match.text()}".lower()]
    for it in given:
        parts = built.pieces(it, taint)
        markup = "<" in built.joined(parts)
        for one in parts:
            if isinstance(one, str) or one.kind() in {"dictionary", "object", "list", "array"}:
                continue
            if one.kind() in kinds.CALLS and re.search(r"render|redirect|json|send_file|dumps", nodes.callee(one)):
                continue
            whole_body = re.search(r"\b(body|json|get_json|all)\b(\(\))?$", one.text())
            value = taint.trace(one, "xss")
            if value.level is Level.OUTSIDE and (markup or not whole_body) and not taint.guarded(value, match, "xss"):
                return match
    return None


def whole_request_object(match: SgNode, taint: Taint) -> SgNode | None:
    """Report a query that takes an object, or an unchecked field, as the request sent it."""
    given = nodes.arguments(match)
    if not given:
        return None
    first = given[0]
    if first.kind() != "object":
        value = taint.trace(first, "nosql")
        whole = re.search(r"(body|query|params)$", first.text()) or (
            first.kind() == "identifier" and not _taken_out(first, taint)
        )
        return match if value.level is Level.OUTSIDE and whole and not taint.guarded(value, match) else None
    for pair in first.named_children():
        inner = pair.field("value") if pair.kind() == "pair" else pair
        if inner is None or inner.kind() not in {*kinds.MEMBERS, "identifier", "shorthand_property_identifier"}:
            continue
        value = taint.trace(inner, "nosql")
        from_body = any(re.search(r"\b(body|query)\b", it) for it in value.names)
        if value.level is Level.OUTSIDE and from_body and not taint.guarded(value, match):
            return match
    return None


def _taken_out(name: SgNode, taint: Taint) -> bool:
    """Say whether a name stands for one field that a pattern took out of an object."""
    bound = [it.value.parent() for it in taint.bindings(name.text(), name)[1] if it.value is not None]
    targets = [it.field("name") for it in bound if it is not None]
    return bool(targets) and all(it is not None and it.kind() == "object_pattern" for it in targets)


def request_address(match: SgNode, taint: Taint) -> SgNode | None:
    """Report a request whose address, or host, comes from outside."""
    called = nodes.callee(match)
    given = nodes.arguments(match)
    if re.search(r"\.(request|stream)$", called) and len(given) > 1 and nodes.string_text(given[0]) is not None:
        given = given[1:]
    url = next((it for it in (nodes.keyword(match, "url"), *given[:1]) if it is not None), None)
    if url is not None and url.kind() == "object":
        keys = ((it.field("key"), it.field("value")) for it in url.named_children())
        url = next((v for k, v in keys if k and k.text() in {"url", "uri", "host", "hostname", "baseURL"}), None)
    if url is None:
        return None
    value = taint.trace(url, "address")
    if value.level is not Level.OUTSIDE or taint.guarded(value, match, "url"):
        return None
    fixed = built.joined(built.pieces(url, taint))
    return None if re.match(r"https?://[\w.-]+(:\d+)?[/?]", fixed) else match


def redirect_target(match: SgNode, taint: Taint) -> SgNode | None:
    """Report a redirect whose target, beyond a fixed path or host, comes from outside."""
    if match.kind() in kinds.CALLS:
        named = ("url", "location", "redirect")
        given = [it for it in nodes.arguments(match) if it.kind() != "keyword_argument" or it.text().startswith(named)]
        if given and re.fullmatch(r"\d{3}", given[0].text()):
            given = given[1:]
        target = given[0] if given else None
    else:
        target = match.field("right")
    if target is not None and target.kind() == "keyword_argument":
        target = target.field("value")
    if target is None:
        return None
    value = taint.trace(target, "url")
    if value.level is not Level.OUTSIDE or taint.guarded(value, match, "url"):
        return None
    fixed = built.joined(built.pieces(target, taint))
    return None if re.match(r"https?://[\w.-]+(:\d+)?/|/[\w?#]|[?#]|[\w-]+/", fixed) else match


def code_run(match: SgNode, taint: Taint) -> SgNode | None:
    """Report text that is run as code, unless every piece of it is constant."""
    given = nodes.arguments(match)
    if not given:
        return None
    body = given[-1] if "Function" in nodes.callee(match) else given[0]
    value = taint.trace(body, "code")
    return match if value.level >= Level.UNKNOWN and not taint.guarded(value, match, "code") else None


def text_of_its_own(match: SgNode, taint: Taint) -> SgNode | None:
    """Report an eval that is no injection as far as is known: its text is the program's own."""
    return None if code_run(match, taint) is not None else match


def text_argument(match: SgNode, taint: Taint) -> SgNode | None:
    """Report a timer that is given text to run."""
    given = nodes.arguments(match)
    if not given:
        return None
    first = given[0]
    if first.kind() in kinds.STRINGS:
        return match
    if first.kind() == "binary_expression":
        return match if re.search(r"[\"'`]", first.text()) else None
    texty = first.kind() == "identifier" and any(isinstance(it, str) for it in built.pieces(first, taint))
    return match if texty else None


def raw_markup(match: SgNode, taint: Taint) -> SgNode | None:
    """Report a JSX attribute that sets HTML from a value that nothing cleaned."""
    for it in nodes.walk(match, 200):
        key, value = it.field("key"), it.field("value")
        if it.kind() == "pair" and key is not None and value is not None and key.text() == "__html":
            traced = taint.trace(value, "xss")
            return match if traced.level >= Level.GIVEN and not taint.guarded(traced, match, "xss") else None
    return None


def log_line(match: SgNode, taint: Taint) -> SgNode | None:
    """Report a log line that holds a value from a request as text."""
    given = nodes.arguments(match)
    for it in given:
        parts = built.pieces(it, taint)
        if it.kind() in {"object", "dictionary"} or (len(given) < 2 and not built.is_built(parts)):
            continue
        for one in parts:
            if not isinstance(one, str):
                value = taint.trace(one, "log")
                if value.level is Level.OUTSIDE and not taint.guarded(value, match):
                    return match
    return None


def key_from_outside(match: SgNode, taint: Taint) -> SgNode | None:
    """Report ``a[b][c] = d`` where both keys come from outside and nothing refuses the names of prototypes."""
    left = match.field("left")
    around = nodes.function_of(match) or match
    if left is None or re.search(r"__proto__|prototype|create\(null\)|new Map|hasOwn", around.text()[:4000]):
        return None
    keys = [it.field("index") for it in (left, left.field("object")) if it is not None]
    outside = [it is not None and taint.trace(it).level is Level.OUTSIDE for it in keys]
    return match if len(outside) == 2 and all(outside) else None


def java_redirect(match: SgNode, taint: Taint) -> SgNode | None:
    """Report a redirect, by call or by view name, whose target comes from outside."""
    if match.kind() != "return_statement":
        return redirect_target(match, taint)
    inner = match.named_children()
    tail = inner[0].field("right") if inner else None
    value = taint.trace(tail, "url") if tail is not None else None
    outside = value is not None and value.level is Level.OUTSIDE
    return match if outside and value is not None and not taint.guarded(value, match, "url") else None
