"""Finding records: what filters and searched words ask of a row of the ledger, and the order of what is found."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Literal

from sqlalchemy import ColumnElement, Connection, ScalarSelect, Select, and_, func, literal, or_, select

from memory import schema
from memory.dialects import dialect_of
from memory.records import Kind, Outcome, Status
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
    indexed = words and set(statuses) == {Status.ACTIVE}
    scopes = _scopes(connection, workspace, kinds) if indexed else []
    return asked + [_says(connection, word, scopes) for word in words]


def counted(
    asked: Sequence[ColumnElement[bool]], sort: Sort, descending: bool, *, once: bool
) -> tuple[ScalarSelect[int], Select[int, int]]:
    """Count the rows of which all ``asked`` is true, and select the key of each beside that count, in order.

    Those without a value come last, and equal ones as they came in. ``once`` keeps what matches, which pays where it
    takes long to say.
    """
    matching = select(schema.records.c.key, _SORTS[sort].label("place")).where(*asked)
    found = matching.cte("found") if once else matching.subquery("found")
    total = select(func.count()).select_from(found).scalar_subquery()
    key, place = found.c.key, found.c.place
    order = (place.desc(), key.desc()) if descending else (place.asc(), key.asc())
    return total, select(key, total).order_by(order[0].nulls_last(), order[1])


def _scopes(connection: Connection, workspace: str, kinds: Sequence[Kind] | None) -> list[int]:
    it = schema.scopes.c
    query = select(it.id).where(it.workspace == workspace)
    if kinds is not None:
        query = query.where(it.kind.in_([kind.value for kind in kinds]))
    return list(connection.execute(query).scalars())


def _says(connection: Connection, word: str, scopes: Sequence[int]) -> ColumnElement[bool]:
    """Whether a record's title holds ``word``, or its text words that begin as it does.

    ``scopes`` are those that the full-text index may be asked in; it knows active records only.
    """
    it = schema.records.c
    titled = func.lower(it.title).contains(word.lower(), autoescape=True)
    terms = tokens(word)
    if not terms:
        return titled
    if scopes and all(map(is_one, terms)):
        begins = dialect_of(connection).beginning(scopes, terms)
        if begins is not None:
            return or_(titled, it.key.in_(begins))
    words = literal(" ") + it.words
    return or_(titled, and_(*(words.contains(f" {term}", autoescape=True) for term in terms)))
