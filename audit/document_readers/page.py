"""What every reader gives: pages of text, and what could not be read. Pure."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Page:
    """One page or slide. ``label`` is ``Page 3`` or ``Slide 3``, or "" where the format has no pages."""

    label: str
    text: str


@dataclass(frozen=True, slots=True)
class Pages:
    """All pages in order, and remarks on what could not be read."""

    pages: tuple[Page, ...]
    notes: tuple[str, ...] = ()


class Unreadable(Exception):
    """A file that cannot be read; the message says why, for the user."""


def too_long(count: int, noun: str, at_most: int) -> Unreadable:
    """Make the refusal of a file with too many pages."""
    return Unreadable(f"It has {count:,} {noun}; at most {at_most:,} can be read. Save the part you want judged.")


def numbers(values: Iterable[int]) -> str:
    """Write page numbers as ranges: ``2, 4–6``."""
    runs: list[list[int]] = []
    for value in sorted(set(values)):
        if runs and value == runs[-1][-1] + 1:
            runs[-1].append(value)
        else:
            runs.append([value])
    return ", ".join(str(run[0]) if len(run) == 1 else f"{run[0]}–{run[-1]}" for run in runs)
