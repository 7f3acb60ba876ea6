"""One measured line with its target, and how times are taken and fitted."""

from __future__ import annotations

import time
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass

import numpy as np


@dataclass(frozen=True, slots=True)
class Line:
    """One measure: its value, its target, and whether the target is met."""

    measure: str
    value: float
    target: str
    met: bool
    note: str = ""


def at_most(measure: str, value: float, target: float, note: str = "") -> Line:
    return Line(measure, value, f"≤ {target:g}", value <= target, note)


def at_least(measure: str, value: float, target: float, note: str = "") -> Line:
    return Line(measure, value, f"≥ {target:g}", value >= target, note)


def ms(work: Callable[[], object]) -> float:
    """Time ``work`` in milliseconds."""
    start = time.perf_counter()
    work()
    return (time.perf_counter() - start) * 1_000


def exponent(times: Mapping[int, float]) -> float:
    """Fit time = c x size ** e by least squares on logarithms, and give e; 0 flat, 1 proportional."""
    if len(times) < 2:
        return 0.0
    return float(np.polyfit(np.log(list(times)), np.log(list(times.values())), 1)[0])


def table(head: Sequence[str], rows: Sequence[Sequence[str]]) -> str:
    """Write a Markdown table."""
    return "\n".join(f"| {' | '.join(row)} |" for row in (head, ["---"] * len(head), *rows))
