"""JSON and JSON Lines as a table: lists of objects, wrapped lists, and nested values as dotted columns. Pure."""

from __future__ import annotations

import json
import re
from collections.abc import Mapping
from typing import Any

from memory.errors import ImportRefused
from memory.importers.encodings import decode
from memory.importers.json_lists import find_records
from memory.importers.own_export import identity_cells
from memory.importers.tables import MAX_ROWS, Row, Table
from memory.importers.vocabulary import OWNERS, fold

_NAMES = ("name", "displayName", "login", "title", "value", "key", "text")
_MAX_DEPTH = 4
_HALF = re.compile("[\ud800-\udfff]")
_LINE_END = re.compile(r"\r\n|\r|\n")


def read_json(content: bytes, name: str) -> Table:
    """Read a list of objects, an object that wraps one, or JSON Lines. Raises ImportRefused."""
    try:
        return _read(content, name)
    except RecursionError as error:
        raise ImportRefused(f"{name} is nested too deeply to be a list of records.") from error


def _read(content: bytes, name: str) -> Table:
    decoded = decode(content)
    text = decoded.text.strip()
    if not text:
        raise ImportRefused(f"{name} is empty. There is nothing to import.")
    notes: list[str] = []
    lines: list[int] | None = None
    form = "JSON"
    try:
        items = find_records(json.loads(text))
    except json.JSONDecodeError as whole:
        if pages := _one_after_another(text):
            items = find_records(pages)
        else:
            items, lines, notes = _json_lines(text)
            form = "JSON Lines"
        if not items:
            where = f"line {whole.lineno}, column {whole.colno}"
            raise ImportRefused(f"{name} is not valid JSON: {whole.msg} at {where}.") from whole
    except ValueError as error:
        raise ImportRefused(f"{name} holds a number with more digits than can be read.") from error
    if not any(isinstance(item, Mapping) for item in items):
        raise ImportRefused(f"{name} holds no list of records.")
    if len(items) > MAX_ROWS:
        raise ImportRefused(f"{name} has more than {MAX_ROWS:,} records. Split it and import the parts.")
    flat = [_flatten(item) if isinstance(item, Mapping) else {"value": _write(item)} for item in items]
    flat = [{_whole(column): _whole(cell) for column, cell in row.items()} for row in flat]
    columns = tuple(dict.fromkeys(key for row in flat for key in row))
    rows = tuple(
        Row(lines[number] if lines else number + 1, tuple(row.get(column, "") for column in columns))
        for number, row in enumerate(flat)
    )
    return Table(name, f"{form}, {decoded.encoding}", columns, rows, (*decoded.notes, *notes))


def _whole(text: str) -> str:
    """Put the mark for what cannot be read in place of each half of a letter, which JSON may hold and text may not."""
    return text if text.isascii() else _HALF.sub("\ufffd", text)


def _one_after_another(text: str) -> list[Any]:
    """Read lists that stand one after another, as a tool that fetches page by page prints them; else give nothing."""
    decoder, pages, at = json.JSONDecoder(), [], 0
    while text[at : at + 1] == "[":
        try:
            page, at = decoder.raw_decode(text, at)
        except (ValueError, RecursionError):
            return []
        pages.append(page)
        at += len(text) - at - len(text[at:].lstrip())
    return pages if at == len(text) else []


def _json_lines(text: str) -> tuple[list[Any], list[int], list[str]]:
    values, lines, bad = [], [], []
    for number, line in enumerate(_LINE_END.split(text), start=1):
        if line.strip():
            try:
                values.append(json.loads(line))
                lines.append(number)
            except (ValueError, RecursionError):
                bad.append(number)
    notes = [f"Line {number} is not valid JSON and was skipped." for number in bad[:20]]
    if len(bad) > 20:
        notes.append(f"{len(bad) - 20} more lines are not valid JSON and were skipped.")
    return values, lines, notes


def _flatten(item: Mapping[str, Any], prefix: str = "", depth: int = 0) -> dict[str, str]:
    if not prefix and not depth and isinstance(item.get("facts"), Mapping) and isinstance(item.get("kind"), str):
        return identity_cells(item) | _flatten(item["facts"], "", 1)
    cells: dict[str, str] = {}
    for key, value in item.items():
        column = f"{prefix}{key}"
        if key == "fields" and not prefix and isinstance(value, Mapping):
            cells |= _flatten(value, "", depth + 1)
        elif isinstance(value, Mapping) and depth < _MAX_DEPTH:
            named = next((value[name] for name in _NAMES if isinstance(value.get(name), str | int)), None)
            if value.get("type") == "doc":
                cells[column] = _document_text(value)
            elif named is not None and not _is_amount(value):
                cells[column] = str(named)
                if fold(key) in OWNERS:
                    rest = {name: it for name, it in value.items() if it is not named}
                    cells |= _flatten(rest, f"{column}.", depth + 1)
            elif _is_amount(value):
                cells[column] = f"{value['currency']} {value['amount']}"
                rest = {name: value[name] for name in value if name not in {"currency", "amount"}}
                cells |= _flatten(rest, f"{column}.", depth + 1)
            else:
                cells |= _flatten(value, f"{column}.", depth + 1) or {column: ""}
        else:
            cells[column] = _write(value)
    return cells


def _is_amount(value: Mapping[str, Any]) -> bool:
    return isinstance(value.get("currency"), str) and isinstance(value.get("amount"), str | int | float)


def _write(value: Any) -> str:
    if value is None:
        return ""
    if isinstance(value, bool):
        return "yes" if value else "no"
    if isinstance(value, float) and value.is_integer():
        return str(int(value))
    if isinstance(value, list):
        return ", ".join(_name_of(item) for item in value if item not in (None, ""))
    if isinstance(value, Mapping):
        return _name_of(value)
    return str(value)


def _name_of(item: Any) -> str:
    if isinstance(item, Mapping):
        named = next((item[name] for name in (*_NAMES, "body") if isinstance(item.get(name), str | int)), None)
        return str(named) if named is not None else json.dumps(item, ensure_ascii=False)
    return str(item)


def _document_text(node: Any) -> str:
    """Read the text of an Atlassian document: a tree of nodes with ``text`` at its leaves."""
    if not isinstance(node, Mapping):
        return ""
    if isinstance(node.get("text"), str):
        return str(node["text"])
    parts = [_document_text(child) for child in node.get("content") or ()]
    return ("\n" if node.get("type") == "doc" else "").join(part for part in parts if part)
