"""Checks on what is opened and never closed."""

from __future__ import annotations

import re

from ast_grep_py import SgNode

from audit.code import built, kinds, nodes
from audit.code.declarations import name_of
from audit.code.taint import Taint


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
            used = name is not None and re.search(
                rf"try\s*\(\s*{re.escape(name.text())}\s*[;)]|return\s+{re.escape(name.text())};|{re.escape(name.text())}\.close\(",
                rest,
            )
            return None if used else match
        if it.kind() in kinds.FUNCTIONS:
            break
    return match


def declared_never_closed(match: SgNode, taint: Taint) -> SgNode | None:
    """Report a local stream that is neither closed, wrapped, returned nor handed on."""
    declarator = next((it for it in match.named_children() if it.kind() == "variable_declarator"), None)
    function = nodes.function_of(match)
    name = name_of(declarator) if declarator is not None else ""
    if not name or function is None:
        return None
    rest = function.text()[nodes.end(match) - nodes.start(function) :]
    return (
        None
        if re.search(
            rf"(?<![\w.]){re.escape(name)}\s*\.\s*close\s*\(|return\s+{re.escape(name)}\s*;|[(,]\s*{re.escape(name)}\s*[,)]|=\s*{re.escape(name)}\s*;|closeQuietly",
            rest,
        )
        else match
    )


def never_closed(match: SgNode, taint: Taint) -> SgNode | None:
    """Report a resource that is opened and, in the same function, neither closed nor handed on."""
    if match.kind() in kinds.CALLS:
        return match
    target = match.field("left") or match.field("name")
    if target is None or not re.fullmatch(r"\$?\w+", target.text()):
        return None
    name = re.escape(target.text())
    scope = taint.scope_of(match)
    text = scope.node.text()[max(0, nodes.end(match) - nodes.start(scope.node)) :]
    text = re.sub(rf"\b(csv\.\w+|(json|pickle|yaml)\.\w+|list|enumerate|sum|print)\((\w+,\s*)*{name}\s*[,)]", "(", text)
    closed = (
        rf"(?<![\w.]){name}\s*\.\s*(close|Close|shutdown|detach|dispose|Dispose)|closing\(\s*{name}"
        rf"|with\s+{name}\b|(close|fclose)\(\s*{name}"
    )
    handed = (
        rf"(return|yield)\b[^\n]*(?<![\w.]){name}\b(?!\.)|self\.\w+\s*=\s*{name}\b|\b(append|add|put"
        rf"|enter_context|push|callback)\(\s*{name}|=\s*{name}\s*$|[(,]\s*{name}\s*[,)]"
    )
    return None if re.search(closed, text) or re.search(handed, text, re.MULTILINE) else match


_JOINED_TO_SHARED = re.compile(
    r"(filepath\.Join|(os\.)?path\.join|join|Paths\.get|Path\.of|Path|new File|Path\.Combine|File\.join)\(\s*"
    r"(f?[\"'](/tmp|/var/tmp|/dev/shm)/?[\"']|os\.TempDir\(\)|(os\.)?tmpdir\(\)|tempfile\.gettempdir\(\)|Path\.GetTempPath\(\)|Dir\.tmpdir)"
)
_UNGUESSED = re.compile(r"(?i)uuid|guid|random|nanoid|mkd?temp|hex\(|token")


def shared_folder_named(match: SgNode, taint: Taint) -> SgNode | None:
    """Report a file opened to be written whose name is a constant in a folder that all users share."""
    given = nodes.arguments(match)
    if not given or given[0].kind() not in kinds.NAMES:
        return None
    _, bound = taint.bindings(given[0].text(), given[0])
    values = [it.value.text() for it in bound if it.value is not None]
    shared = r"f?[\"'](/tmp|/var/tmp|/dev/shm)/[^\"']+[\"']|(tempfile\.)?gettempdir\(\)\s*\+\s*[\"'][^\"']+[\"']"
    written = built.joined(built.pieces(given[0], taint))
    named = re.match(r"(/tmp|/var/tmp|/dev/shm)/[^\x01]", written) and not re.search(r"X{6}$", written)
    joined = bool(values) and all(_JOINED_TO_SHARED.match(it) and not _UNGUESSED.search(it) for it in values)
    return match if named or joined or (values and all(re.fullmatch(shared, it) for it in values)) else None
