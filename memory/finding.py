"""Finding records: what filters and searched words ask of a row of the ledger, and the order of what is found."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Literal

from sqlalchemy import ColumnElement, Connection, Select, and_, func, literal, or_, select

from memory import schema
from memory.dialects import dialect_of
from memory.records import Kind, Outcome, Status
from memory.scopes import MARKS, mark
from memory.terms import is_one, tokens

Sort = Literal["updated", "created", "title", "kind", "year", "outcome", "loss", "confidence", "used"]
_SORTS: dict[Sort, ColumnElement[object]] = {
    "updated": schema.records.c.updated_at,
    "created": schema.records.c.created_at,
    "title": func.lower(schema.records.c.title),
    "kind": schema.records.c.kind,
    "year": schema.records.c.year,
    "outcome": schema.records.c.outcome,
    "loss": schema.records.c.loss,
    "confidence": schema.records.c.confidence,
    "used": schema.records.c.use_count,
}

_MAY_LACK: frozenset[Sort] = frozenset({"year", "outcome", "loss"})


def rules(
    connection: Connection,
    workspace: str,
    *,
    kinds: Sequence[Kind] | None,
    statuses: Sequence[Status],
    search: str,
    outcome: Outcome | None,
    year: int | None,
) -> list[ColumnElement[bool]]:
    """Say what must be true of a row; of ``search``, every word must occur. None of ``kinds`` means any."""
    it = schema.records.c
    asked = [it.workspace == workspace, it.status.in_([status.value for status in statuses])]
    if kinds is not None:
        asked.append(it.kind.in_([kind.value for kind in kinds]))
    if outcome is not None:
        asked.append(it.outcome == outcome.value)
    if year is not None:
        asked.append(it.year == year)
    words = search.split()
    marks = _marks(connection, workspace, kinds, statuses) if words and MARKS.keys() >= set(statuses) else []
    return asked + [_says(connection, word, marks) for word in words]


def counted(asked: Sequence[ColumnElement[bool]], sort: Sort, descending: bool) -> tuple[Select[int], Select[int, int]]:
    """Count the rows of which all ``asked`` is true, and select the key of each beside that count, in order.

    What matches is worked out once for both, which pays where it takes long to say.
    """
    found = select(schema.records.c.key, _SORTS[sort].label("place")).where(*asked).cte("found")
    total = select(func.count()).select_from(found)
    order = _order(found.c.place, found.c.key, sort, descending)
    return total, select(found.c.key, total.scalar_subquery()).order_by(*order)


def stretch(
    asked: Sequence[ColumnElement[bool]], sort: Sort, descending: bool, rows: range, total: int
) -> tuple[Select[int], bool]:
    """Select the keys of some ``rows`` of the ``total`` of which all ``asked`` is true, in order.

    Rows past the middle are read from the end, backwards, which sorts and skips fewer; the flag says so.
    """
    rows = range(rows.start, min(rows.stop, total))
    backwards = 2 * rows.start > total
    order = _order(_SORTS[sort], schema.records.c.key, sort, descending, backwards)
    first = total - rows.stop if backwards else rows.start
    query = select(schema.records.c.key).where(*asked).order_by(*order)
    return query.limit(len(rows)).offset(first), backwards


def kept_count(workspace: str, kinds: Sequence[Kind] | None) -> Select[int]:
    """Sum the counts of active records that the ledger keeps."""
    it = schema.scopes.c
    query = select(func.coalesce(func.sum(it.records), 0)).where(it.workspace == workspace)
    return query if kinds is None else query.where(it.kind.in_([kind.value for kind in kinds]))


def _order(
    place: ColumnElement[Any], key: ColumnElement[int], sort: Sort, descending: bool, backwards: bool = False
) -> tuple[ColumnElement[Any], ColumnElement[Any]]:
    """Order rows; those without a value come last, and equal ones as they came in. ``backwards`` turns it all round."""
    falls = descending != backwards
    first, second = (place.desc(), key.desc()) if falls else (place.asc(), key.asc())
    if sort in _MAY_LACK:
        first = first.nulls_first() if backwards else first.nulls_last()
    return first, second


def _marks(
    connection: Connection, workspace: str, kinds: Sequence[Kind] | None, statuses: Sequence[Status]
) -> list[str]:
    it = schema.scopes.c
    query = select(it.id).where(it.workspace == workspace)
    if kinds is not None:
        query = query.where(it.kind.in_([kind.value for kind in kinds]))
    return [mark(scope, status) for scope in connection.execute(query).scalars() for status in statuses]


def _says(connection: Connection, word: str, marks: Sequence[str]) -> ColumnElement[bool]:
    """Whether a record's title holds ``word``, or its text words that begin as it does.

    ``marks`` say where the full-text index is to be asked; it does not know every record.
    """
    it = schema.records.c
    titled = func.lower(it.title).contains(word.lower(), autoescape=True)
    terms = tokens(word)
    if not terms:
        return titled
    if marks and all(map(is_one, terms)):
        return or_(titled, it.key.in_(dialect_of(connection).beginning(marks, terms)))
    words = literal(" ") + it.words
    return or_(titled, and_(*(words.contains(f" {term}", autoescape=True) for term in terms)))
