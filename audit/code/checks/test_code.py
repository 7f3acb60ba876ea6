"""Checks on tests and entry points of Java: not run, caught by themselves, mocked in vain."""

from __future__ import annotations

import re

from ast_grep_py import SgNode

from audit.code import nodes
from audit.code.declarations import modifiers_of, name_of, parameter_types
from audit.code.taint import Taint

_TEST_CASE = re.compile(r"extends\s+(\w*TestCase)\b")


def test_case_not_run(match: SgNode, taint: Taint) -> SgNode | None:
    """Report a method of a JUnit 3 TestCase that is named like a test and that its runner leaves out."""
    name, modifiers = name_of(match), modifiers_of(match)
    if not _may_be_test(match) or not _TEST_CASE.search(match.get_root().root().text()[:60_000]):
        return None
    looks = re.match(r"^(test|tset|tets|tesst|tes|est|Test)[A-Z_]?", name)
    runs = name.startswith("test") and "public" in modifiers and "static" not in modifiers
    return match if looks and not runs and ("private" not in modifiers or name.startswith("test")) else None


def _may_be_test(match: SgNode) -> bool:
    kind = match.field("type")
    plain = "@" not in modifiers_of(match).replace("@Override", "")
    return plain and kind is not None and kind.text() == "void" and bool(name_of(match)) and not parameter_types(match)


def test_not_run(match: SgNode, taint: Taint) -> SgNode | None:
    """Report a method that is named like a test and that JUnit 4 or later leaves out for want of @Test."""
    name = name_of(match)
    modifiers = modifiers_of(match)
    text = match.get_root().root().text()[:60_000]
    if not _may_be_test(match) or _TEST_CASE.search(text):
        return None
    if "org.junit" not in text and "@Test" not in text and "RunWith" not in text:
        return None
    if (
        not re.match(r"^(test|should)[A-Z_]", name)
        or parameter_types(match)
        or "public" not in modifiers
        or "static" in modifiers
    ):
        return None
    called = re.search(rf"(?<![\w]){re.escape(name)}\s*\(", text.replace(match.text()[:200], "", 1))
    return None if called else match


def bad_main(match: SgNode, taint: Taint) -> SgNode | None:
    """Report a main(String[]) that the launcher does not accept."""
    if name_of(match) != "main" or parameter_types(match) != ["String[]"]:
        return None
    modifiers, kind = modifiers_of(match), match.field("type")
    return (
        match
        if "public" not in modifiers or "static" not in modifiers or (kind is not None and kind.text() != "void")
        else None
    )


def assertion_caught(match: SgNode, taint: Taint) -> SgNode | None:
    """Report an assertion in a try whose catch takes assertion errors and drops them."""
    tried = match.field("body")
    if tried is None or not re.search(r"(?<!\w)(fail|assert\w*)\s*\(", tried.text()):
        return None
    for it in match.named_children():
        if it.kind() == "catch_clause" and re.search(
            r"catch\s*\(\s*(final\s+)?(AssertionError|Throwable|Error)\b", it.text()
        ):
            body = it.field("body")
            if body is not None and not re.search(r"\bthrow\b|assert|fail|getCause|getMessage|expected", body.text()):
                called = next(
                    (
                        one
                        for one in nodes.walk(tried, 2000)
                        if one.kind() == "method_invocation" and re.match(r"(fail|assert\w*)$", name_of(one))
                    ),
                    None,
                )
                return called or match
    return None


def throws_many(match: SgNode, taint: Taint) -> SgNode | None:
    """Report assertThrows around more than one statement."""
    given = nodes.arguments(match)
    function = next((it for it in given if it.kind() == "lambda_expression"), None)
    body = function.field("body") if function is not None else None
    return (
        match
        if body is not None
        and body.kind() == "block"
        and len([it for it in body.named_children() if "comment" not in it.kind()]) > 1
        else None
    )


def mocks_final(match: SgNode, taint: Taint) -> SgNode | None:
    """Report a mock of a class that the text declares final."""
    found = re.search(r"(?:mock|spy)\(\s*(\w+)\.class", match.text()) or re.search(
        r"@(?:Mock|Spy)\s+(?:private\s+|public\s+)?(\w+)\s+\w+", match.text()
    )
    declared = found is not None and re.search(
        rf"\bfinal\s+(static\s+)?class\s+{found.group(1)}\b", match.get_root().root().text()[:60_000]
    )
    return match if declared else None
