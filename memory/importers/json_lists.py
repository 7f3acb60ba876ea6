"""Where in a JSON value the records are: in a list, some objects down, in pages, under ids, or alone. Pure."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from memory.importers.vocabulary import field_of

_WRAPPERS = (
    "issues", "items", "bugs", "records", "data", "results", "nodes", "edges", "rows", "companies", "investments",
    "positions",
)  # fmt: skip
_DEEPEST = 8


def find_records(value: Any) -> list[Any]:
    """Give the records of a value, at most eight objects down; an object that holds no list is a record itself."""
    for _ in range(_DEEPEST):
        if isinstance(value, list):
            return _records(value)
        if not isinstance(value, Mapping):
            return []
        inner = _inner(value)
        if inner is None:
            return _keyed(value) or [value]
        value = inner
    return []


def _inner(value: Mapping[str, Any]) -> Any:
    """Find what to look into next: what a usual key holds, else the only list of objects or the only object."""
    for key in _WRAPPERS:
        if isinstance(value.get(key), list | dict):
            return value[key]
    if "fields" in value or sum(field_of(key) is not None for key in value) >= 2:
        return None
    lists = [item for item in value.values() if isinstance(item, list) and item and isinstance(item[0], dict)]
    if len(lists) == 1:
        return lists[0]
    objects = [item for item in value.values() if isinstance(item, dict) and item]
    return objects[0] if len(objects) == 1 and not lists else None


def _records(values: Sequence[Any]) -> list[Any]:
    """Take pages of lists apart, edges to their nodes, and rows under a first row of names to objects."""
    if values and all(isinstance(it, list) for it in values):
        head = values[0]
        if head and all(isinstance(name, str) for name in head):
            return [dict(zip(head, row, strict=False)) for row in values[1:]]
        values = [item for page in values for item in page]
    return [it["node"] if isinstance(it, Mapping) and isinstance(it.get("node"), Mapping) else it for it in values]


def _keyed(value: Mapping[str, Any]) -> list[Any]:
    """Read objects that stand under their ids, or columns under their names, each with a cell for each row."""
    inner = list(value.values())
    if len(inner) < 2 or not all(isinstance(it, Mapping) and it for it in inner):
        return []
    if sum(field_of(key) is not None for key in value) >= 2:
        rows = dict.fromkeys(row for column in inner for row in column)
        same = all(set(column) == set(rows) for column in inner)
        plain = not any(isinstance(cell, Mapping) for column in inner for cell in column.values())
        return [{name: value[name][row] for name in value} for row in rows] if same and plain else []
    return inner if all(sum(field_of(str(key)) is not None for key in it) >= 2 for it in inner) else []
