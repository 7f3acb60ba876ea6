"""Strings that are put together: their constant pieces and the expressions between them."""

from __future__ import annotations

import re
from collections.abc import Sequence

from ast_grep_py import SgNode

from audit.code import kinds, nodes
from audit.code.taint import Taint

Piece = str | SgNode

_PLACEHOLDER = re.compile(r"%(?:\(\w+\))?[-+#0]*\d*(?:\.\d+)?[sdrvqfxXiu@]|\{[\w.!:\[\]]*\}|%%")
_NUMBER_PLACEHOLDER = re.compile(r"%(?:\(\w+\))?[-+#0]*\d*(?:\.\d+)?[dfxXiu]")
_FORMATS = re.compile(
    r"(^|\.)(format|String\.format|sprintf|Sprintf|vsprintf|snprintf|formatted|Format|Appendf|AppendFormat|Errorf|Printf|printf|Fprintf|MessageFormat\.format)$"
)
_LIMIT = 60


def pieces(node: SgNode, taint: Taint, depth: int = 10) -> list[Piece]:
    """Return the text and the expressions that ``node`` is put together from, names followed; bounded to 60 pieces."""
    found = _pieces(node, taint, depth, set())
    return found[:_LIMIT]


def is_built(found: Sequence[Piece]) -> bool:
    """Say whether pieces hold both constant text and an expression."""
    return any(isinstance(it, str) and it for it in found) and any(not isinstance(it, str) for it in found)


def joined(found: Sequence[Piece]) -> str:
    """Join the constant text of pieces, with U+0001 where an expression stands."""
    return "".join(it if isinstance(it, str) else "\x01" for it in found)


def _pieces(node: SgNode, taint: Taint, depth: int, seen: set[tuple[str, int]]) -> list[Piece]:
    kind = node.kind()
    if depth <= 0:
        return [node]
    if kind in kinds.STRINGS:
        return _of_string(node, taint, depth, seen)
    if kind == "binary_expression" or kind in {"binary_operator", "binary"}:
        return _of_binary(node, taint, depth, seen)
    if kind in {"parenthesized_expression", "argument", "parenthesized_statements", "expression_list"}:
        inner = node.named_children()
        return _pieces(inner[-1], taint, depth - 1, seen) if inner else []
    if kind in kinds.CALLS:
        return _of_call(node, taint, depth, seen)
    if kind in kinds.TERNARIES:
        return _of_choice(node, taint, depth, seen)
    if kind in kinds.NAMES or kind in kinds.MEMBERS:
        return _of_name(node, taint, depth, seen)
    if kind in kinds.LITERALS and kind not in {"regex"}:
        return [node.text()]
    return [node]


def _of_string(node: SgNode, taint: Taint, depth: int, seen: set[tuple[str, int]]) -> list[Piece]:
    plain = nodes.string_text(node)
    if plain is not None:
        return [plain]
    found: list[Piece] = []
    for it in node.named_children():
        kind = it.kind()
        if kind in kinds.STRINGS:
            found += _pieces(it, taint, depth - 1, seen)
        elif kind in {"interpolation", "template_substitution"}:
            inner = [
                one
                for one in it.named_children()
                if one.kind()
                not in {
                    "type_conversion",
                    "format_specifier",
                    "interpolation_brace",
                    "interpolation_format_clause",
                    "comment",
                }
            ]
            spec = next((one.text() for one in it.named_children() if one.kind() == "format_specifier"), "")
            if re.search(r"[dfxXeEgG%n]$", spec):
                found.append("0")
            elif inner:
                found += _pieces(inner[0], taint, depth - 1, seen)
        elif (
            "content" in kind
            or "fragment" in kind
            or "escape" in kind
            or kind in {"string_start", "string_end", "heredoc_start", "heredoc_end", "interpolation_start"}
        ):
            if kind not in {"string_start", "string_end", "heredoc_start", "heredoc_end", "interpolation_start"}:
                found.append(it.text())
        elif kind == "heredoc_body":
            found += _of_string(it, taint, depth - 1, seen)
        else:
            found += _pieces(it, taint, depth - 1, seen)
    return found


def _of_choice(node: SgNode, taint: Taint, depth: int, seen: set[tuple[str, int]]) -> list[Piece]:
    """Return the pieces of both branches, one that is no text first: a fixed beginning of the other says nothing."""
    branches = [it for it in (node.field("consequence"), node.field("alternative")) if it is not None]
    found = [_pieces(it, taint, depth - 1, seen) for it in branches]
    if not any(is_built(it) for it in found):
        return [node]
    return [piece for it in sorted(found, key=lambda one: isinstance(one[0] if one else "", str)) for piece in it]


def _of_binary(node: SgNode, taint: Taint, depth: int, seen: set[tuple[str, int]]) -> list[Piece]:
    left, right = node.field("left"), node.field("right")
    operator = node.field("operator")
    sign = operator.text() if operator else next((it.text() for it in node.children() if not it.is_named()), "")
    if left is None or right is None:
        return [node]
    if sign in {"+", ".", "<<", "||"}:
        stack: list[SgNode] = [node]
        flat: list[SgNode] = []
        while stack and len(flat) < _LIMIT:
            current = stack.pop()
            lower, upper = current.field("left"), current.field("right")
            if (
                current.kind() == node.kind()
                and lower
                and upper
                and any(it.text() == sign for it in current.children() if not it.is_named())
            ):
                stack += [upper, lower]
            else:
                flat.append(current)
        return [piece for it in flat for piece in _pieces(it, taint, depth - 1, seen)]
    if sign == "%":
        values = (
            [it for it in right.named_children() if it.kind() != "comment"]
            if right.kind() in {"tuple", "dictionary", "array"}
            else [right]
        )
        values = [(it.field("value") or it) if it.kind() == "pair" else it for it in values]
        return _interleave(_pieces(left, taint, depth - 1, seen), values, taint, depth, seen)
    return [node]


def _interleave(
    base: Sequence[Piece], values: Sequence[SgNode], taint: Taint, depth: int, seen: set[tuple[str, int]]
) -> list[Piece]:
    """Put ``values`` where the placeholders of the format ``base`` stand."""
    found: list[Piece] = []
    waiting = list(values)
    for it in base:
        if not isinstance(it, str):
            found.append(it)
            continue
        position = 0
        for hole in _PLACEHOLDER.finditer(it):
            found.append(it[position : hole.start()])
            position = hole.end()
            if hole.group() == "%%":
                found.append("%")
            elif waiting:
                value = waiting.pop(0) if len(waiting) > 1 else waiting[0]
                found += (
                    ["0"] if _NUMBER_PLACEHOLDER.fullmatch(hole.group()) else _pieces(value, taint, depth - 1, seen)
                )
        found.append(it[position:])
    return found


def _of_call(node: SgNode, taint: Taint, depth: int, seen: set[tuple[str, int]]) -> list[Piece]:
    called = nodes.callee(node)
    given = nodes.arguments(node)
    owner = nodes.receiver(node)
    if _FORMATS.search(called):
        texts = [*([owner] if owner and owner.kind() in kinds.STRINGS else []), *given]
        if (
            owner
            and owner.kind() in {"identifier"}
            and re.search(r"\.(format|formatted)$", called)
            and owner.text() not in {"String", "string", "fmt", "Locale"}
        ):
            texts = [owner, *given]
        while (
            texts
            and nodes.string_text(texts[0]) is None
            and texts[0].kind() not in {*kinds.STRINGS, *kinds.BINARIES, "identifier"}
        ):
            texts = texts[1:]
        if (
            len(texts) > 1
            and texts[0].kind() == "identifier"
            and texts[1].kind() in kinds.STRINGS
            and not (owner and texts[0].text() == owner.text())
        ):
            texts = texts[1:]
        if texts:
            values = [(it.field("value") or it) if it.kind() in {"keyword_argument"} else it for it in texts[1:]]
            return _interleave(_pieces(texts[0], taint, depth - 1, seen), values, taint, depth, seen)
    if (
        re.search(r"\.(toString|ToString|String|to_s|strip|trim|Trim|dedent|lstrip|rstrip|freeze|squish)$", called)
        and owner
        and not given
    ):
        return _pieces(owner, taint, depth - 1, seen)
    if re.search(r"\.(concat|Concat|append|Append)$|^append$", called) and given:
        parts = [*([owner] if owner and owner.text() not in {"String", "string"} else []), *given]
        return [piece for it in parts for piece in _pieces(it, taint, depth - 1, seen)]
    if re.search(r"^new String(Builder|Buffer)$", called) and given:
        return _pieces(given[0], taint, depth - 1, seen)
    if re.search(r"(^|\.)(join|Join|implode)$", called):
        lists = [it for it in given if it.kind() in {"list", "array", "tuple"}] or (
            [owner] if owner and owner.kind() in {"array", "list"} else []
        )
        named = [it for it in (owner, *given) if it is not None and it.kind() in kinds.NAMES]
        named = [it for it in named if it.text() not in {"strings", "String", "string"}]
        if not lists and named:
            held = _of_name(named[0], taint, depth - 1, seen)
            return held if is_built(held) else [node]
        if lists:
            return [
                piece
                for one in lists
                for it in one.named_children()
                for piece in [*_pieces(it, taint, depth - 1, seen), " "]
            ]
    if (
        re.search(
            r"^(text|sqlalchemy\.text|sql\.text|dedent|textwrap\.dedent|String\.valueOf|str|u|Sql|raw|mark_safe)$",
            called,
        )
        and len(given) == 1
    ):
        return _pieces(given[0], taint, depth - 1, seen)
    if called in {"sprintf", "snprintf"}:
        return [node]
    return [node]


def _of_name(node: SgNode, taint: Taint, depth: int, seen: set[tuple[str, int]]) -> list[Piece]:
    scope, bound = taint.bindings(node.text(), node)
    if scope is None or not bound:
        return [node]
    found: list[Piece] = []
    written = [it for it in bound if it.kind == "written" and it.value is not None]
    if written:
        for it in written:
            given = nodes.arguments(it.value)[1:] if it.value is not None else []
            if it.value is not None and nodes.callee(it.value) == "snprintf":
                given = given[1:]
            if given:
                found += _interleave(_pieces(given[0], taint, depth - 1, seen), given[1:], taint, depth, seen)
        return found
    for it in bound[-12:]:
        key = (node.text(), it.at)
        if it.value is None or it.kind == "loop" or key in seen:
            return found or [node]
        seen.add(key)
        part = _pieces(it.value, taint, depth - 1, seen)
        if part == [it.value]:
            part = [node] if not it.augmented else [it.value]
        found += part
        seen.discard(key)
    return found if any(isinstance(it, str) for it in found) else [node]
