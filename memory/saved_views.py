"""Saved views: a workspace's filters of its records under names, kept in the ledger's database."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import datetime

from sqlalchemy import Connection, Update, delete, insert, select, update

from memory.errors import RecordInvalid, RecordNotFound
from memory.ledger import Ledger
from memory.schema import views
from memory.validation import strip_controls

LONGEST_NAME = 60

Filters = Mapping[str, str | int | bool | None]


@dataclass(frozen=True, slots=True)
class SavedView:
    """Filters under a name, by the name of each; who kept them last, and when."""

    name: str
    filters: Filters
    author: str
    at: datetime


class SavedViews:
    """The saved views of a ledger's database. Every method raises LedgerUnavailable."""

    def __init__(self, ledger: Ledger) -> None:
        self._ledger = ledger

    def list(self, workspace: str) -> list[SavedView]:
        """List a workspace's views by name."""
        query = select(views).where(views.c.workspace == workspace).order_by(views.c.name)
        with self._ledger.reading() as connection:
            return [SavedView(row.name, row.filters, row.author, row.at) for row in connection.execute(query)]

    def add(self, workspace: str, name: str, filters: Filters, *, author: str, now: datetime) -> SavedView:
        """Keep filters under a new name, and give the view. Raises RecordInvalid for a name that is unfit or taken."""
        view = SavedView(_named(name), dict(filters), author, now)
        with self._ledger.transaction() as tx:
            _require_free(tx, workspace, view.name)
            row = {"name": view.name, "filters": view.filters, "author": author, "at": now}
            tx.execute(insert(views).values(workspace=workspace, **row))
        return view

    def replace(self, workspace: str, name: str, filters: Filters, *, author: str, now: datetime) -> SavedView:
        """Keep other filters under a name there is. Raises RecordNotFound."""
        view = SavedView(name, dict(filters), author, now)
        with self._ledger.transaction() as tx:
            kept = tx.execute(_one(workspace, name).values(filters=view.filters, author=author, at=now))
            _require_found(kept.rowcount, name)
        return view

    def rename(self, workspace: str, name: str, new: str) -> str:
        """Give a view another name, and say which. Raises RecordInvalid as ``add`` does, and RecordNotFound."""
        new = _named(new)
        with self._ledger.transaction() as tx:
            if new != name:
                _require_free(tx, workspace, new)
            _require_found(tx.execute(_one(workspace, name).values(name=new)).rowcount, name)
        return new

    def delete(self, workspace: str, name: str) -> None:
        """Delete a view. Raises RecordNotFound."""
        with self._ledger.transaction() as tx:
            gone = tx.execute(delete(views).where(views.c.workspace == workspace, views.c.name == name))
            _require_found(gone.rowcount, name)


def _one(workspace: str, name: str) -> Update:
    return update(views).where(views.c.workspace == workspace, views.c.name == name)


def _require_free(tx: Connection, workspace: str, name: str) -> None:
    if tx.execute(select(views.c.name).where(views.c.workspace == workspace, views.c.name == name)).first():
        raise RecordInvalid(f"There is a view named {name} already.")


def _require_found(count: int, name: str) -> None:
    if not count:
        raise RecordNotFound(f"There is no view named {name}.")


def _named(name: str) -> str:
    clean = " ".join(strip_controls(name).split())
    if not 0 < len(clean) <= LONGEST_NAME:
        raise RecordInvalid(f"The name of a view has 1 to {LONGEST_NAME} characters.")
    return clean
