"""Rows of a measured table, as text and as JSON data. Pure."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from evals.measures import Measure


@dataclass(frozen=True, slots=True)
class Row:
    """One measure: as the product stands, and where a gate is fitted, fitted on one half and reported on the other.

    ``most`` says that floor and goal are upper bounds.
    """

    name: str
    default: Measure
    fitted: Measure | None = None
    floor: float | None = None
    goal: float | None = None
    most: bool = False

    @property
    def verdict(self) -> str:
        """Say whether the reported value reaches its goal or its floor; "" where none is set."""
        value = (self.fitted or self.default).value
        if self.floor is None or math.isnan(value):
            return ""
        for bound, word in ((self.goal, "goal"), (self.floor, "floor")):
            if bound is not None and (value <= bound + 1e-9 if self.most else value >= bound - 1e-9):
                return word
        return "below"

    def data(self) -> dict[str, Any]:
        """Give the row as JSON data; numbers that could not be measured are null."""
        return {
            "measure": self.name,
            "default": _data(self.default),
            "fitted_on_other_half": _data(self.fitted) if self.fitted else None,
            "floor": self.floor,
            "goal": self.goal,
            "reached": self.verdict or None,
        }


def text(title: str, rows: Sequence[Row]) -> str:
    """Write rows as an aligned table."""
    head = ("", "default gate", "other half", "floor", "goal", "reached")
    lines = [
        (row.name, _cell(row.default), _cell(row.fitted), _bound(row.floor), _bound(row.goal), row.verdict)
        for row in rows
    ]
    widths = [max(len(line[at]) for line in [head, *lines]) for at in range(len(head))]
    written = [
        "  ".join(cell.ljust(width) for cell, width in zip(line, widths, strict=True)) for line in [head, *lines]
    ]
    return "\n".join([title, *(line.rstrip() for line in written)])


def _data(it: Measure) -> dict[str, Any] | None:
    if math.isnan(it.value):
        return None
    return {"value": round(it.value, 4), "low": round(it.low, 4), "high": round(it.high, 4), "cases": it.cases}


def _cell(it: Measure | None) -> str:
    if it is None or math.isnan(it.value):
        return "-"
    return f"{it.value:.3f} ({it.low:.2f}–{it.high:.2f}, n={it.cases})"


def _bound(value: float | None) -> str:
    return "" if value is None else f"{value:.2f}"
