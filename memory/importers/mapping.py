"""Which column is what: guessed from headers and values, shown to the user, corrected by the user. Pure."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from types import MappingProxyType

from memory.importers.amount_columns import AmountColumn
from memory.importers.amounts import read_amount
from memory.importers.dates import DateOrder, read_date
from memory.importers.shapes import likely_kind
from memory.importers.tables import Table
from memory.importers.vocabulary import column_words, fold, name_forms, outcome_words, owned_form
from memory.records import Kind, Outcome

TITLE = {Kind.INVESTMENT: "company", Kind.BUG: "title"}
FIELDS: Mapping[Kind, Mapping[str, str]] = MappingProxyType(
    {
        Kind.INVESTMENT: MappingProxyType(
            {
                "company": "Company", "sector": "Sector", "summary": "What it was", "year": "Year or date invested",
                "year_end": "Year or date it ended", "years": "Years as a span", "outcome": "Outcome",
                "invested": "Amount you invested", "returned": "Amount returned", "gain": "Gain or loss",
                "multiple": "Multiple of the amount invested", "currency": "Currency", "cause": "Cause",
                "lesson": "Lesson", "notes": "Notes (a cause where the money was lost)",
                "raised": "Raised by the company in all (kept as text)",
            }
        ),
        Kind.BUG: MappingProxyType(
            {
                "title": "Title", "key": "Ticket number", "type": "Type of ticket", "labels": "Labels",
                "status": "Status", "resolution": "Resolution", "severity": "Severity or priority",
                "year": "Year or date reported", "year_end": "Date resolved", "changed": "Date last changed",
                "symptom": "Symptom", "root_cause": "Root cause", "fix": "Fix", "faulty_code": "Faulty code",
                "fixed_code": "Fixed code", "language": "Language", "cwe": "CWE", "loss": "Loss", "impact": "Impact",
                "component": "Component",
            }
        ),
    }
)  # fmt: skip
JOINED = frozenset({"summary", "cause", "lesson", "notes", "symptom", "root_cause", "fix", "impact", "labels"})
# What the importer calls otherwise than the facts do.
_FACTS = {"resolution": "outcome"}
_NOTES = frozenset({"notes", "note", "comments", "comment", "remarks", "memo", "备注"})
_ENOUGH = 0.6


@dataclass(frozen=True, slots=True)
class ColumnMapping:
    """What each column means. ``columns`` gives, for a field, the positions of its columns; text fields may have many.

    ``date_order`` decides dates such as 03/04/2019; ``currency`` is for amounts that name none ("" leaves them out);
    ``outcome`` is for rows that state none; ``statuses`` adds the user's own words for outcomes. ``guessed`` names the
    fields found by their values and not by a known header.
    """

    kind: Kind
    columns: Mapping[str, tuple[int, ...]]
    date_order: DateOrder | None = None
    currency: str = ""
    outcome: Outcome = Outcome.UNKNOWN
    statuses: Mapping[str, Outcome] = field(default_factory=dict)
    guessed: tuple[str, ...] = ()

    def first(self, name: str) -> int | None:
        """Give the position of a field's first column, or None."""
        return next(iter(self.columns.get(name, ())), None)


def fact_of(field: str) -> str:
    """Name the fact that a field of a mapping becomes, for fields that become one alone."""
    return _FACTS.get(field, field)


def guess_mapping(table: Table, kind: Kind | None = None) -> ColumnMapping:
    """Propose a mapping: known headers first, then, for what is still missing, columns whose values fit."""
    kind = kind or likely_kind(table)
    if table.shape == "precedent":
        named = {field: fact_of(field) for field in FIELDS[kind]}
        places = {field: table.columns.index(name) for field, name in named.items() if name in table.columns}
        return ColumnMapping(kind, {field: (place,) for field, place in places.items()})
    words = column_words(kind)
    rank = {word: number for number, word in enumerate(words)}
    found: dict[str, list[tuple[int, int]]] = {}
    for position, header in enumerate(table.columns):
        word = next((form for form in name_forms(header) if form in words), None)
        owned = "" if word or table.shape else owned_form(header)
        word = owned if owned in words else word
        if not word or not (table.column(position) or not table.rows):
            continue
        name = "notes" if kind is Kind.INVESTMENT and word in _NOTES else words[word]
        if name == "fix" and word.startswith("comment"):
            continue
        found.setdefault(name, []).append((rank[word] + len(words) * bool(owned), position))
    columns = {
        name: tuple(position for _, position in sorted(places))
        if name not in JOINED
        else tuple(position for _, position in sorted(places, key=lambda place: place[1]))
        for name, places in found.items()
    }
    columns = {name: places if name in JOINED else places[:1] for name, places in columns.items()}
    guessed = _guess_by_values(table, kind, columns)
    return ColumnMapping(kind, columns, guessed=guessed)


def _guess_by_values(table: Table, kind: Kind, columns: dict[str, tuple[int, ...]]) -> tuple[str, ...]:
    """Fill in a missing title, date, outcome and amount from unused columns whose cells look like one; say which."""
    statuses = outcome_words(kind)
    ends = "outcome" if kind is Kind.INVESTMENT else "status"
    wanted: list[tuple[str, Callable[[str], bool]]] = [
        (TITLE[kind], lambda cell: _is_name(cell) and fold(cell) not in statuses),
        ("year", _is_date),
        (ends, lambda cell: fold(cell) in statuses),
    ]
    if kind is Kind.INVESTMENT:
        wanted.append(("invested", _is_money))
        if "years" in columns:
            wanted.remove(("year", _is_date))
        if "raised" in columns or "gain" in columns:
            wanted.remove(("invested", _is_money))
    guessed = []
    for name, fits in wanted:
        # "What happened" may head a column of words for outcomes as well as one of reasons.
        kept = {it: places for it, places in columns.items() if name != ends or it not in {"cause", "notes"}}
        used = {position for places in kept.values() for position in places}
        for position in range(len(table.columns)) if name not in columns else ():
            cells = table.column(position)[:500]
            if position not in used and cells and sum(map(fits, cells)) >= _ENOUGH * len(cells):
                if name == TITLE[kind] and len({fold(cell) for cell in cells}) < 0.8 * len(cells):
                    continue
                for other in columns.keys() - kept.keys():
                    columns[other] = tuple(place for place in columns[other] if place != position)
                    if not columns[other]:
                        del columns[other]
                columns[name] = (position,)
                guessed.append(name)
                break
    return tuple(guessed)


def _is_name(cell: str) -> bool:
    return any(character.isalpha() for character in cell) and len(cell) <= 120 and not _is_date(cell)


def _is_date(cell: str) -> bool:
    try:
        read = read_date(cell)
    except ValueError:
        return False
    return not read.serial


def _is_money(cell: str) -> bool:
    try:
        return bool(read_amount(cell, AmountColumn()).money.currency)
    except ValueError:
        return False
