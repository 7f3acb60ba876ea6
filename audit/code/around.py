"""The text around a node, within its function."""

from __future__ import annotations

from ast_grep_py import SgNode

from audit.code import nodes


def body(match: SgNode) -> str:
    """Return the function around a node, or the beginning of the file."""
    function = nodes.function_of(match)
    return function.text() if function is not None else match.get_root().root().text()[:60_000]


def after(match: SgNode) -> str:
    """Return what follows a node in its function."""
    function = nodes.function_of(match) or match.get_root().root()
    return function.text()[nodes.end(match) - nodes.start(function) :]


def before(match: SgNode) -> str:
    """Return what comes before a node in its function."""
    function = nodes.function_of(match) or match.get_root().root()
    return function.text()[: nodes.start(match) - nodes.start(function)]
