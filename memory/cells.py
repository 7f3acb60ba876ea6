"""Cells of a CSV file that no spreadsheet runs as a formula, and back. Pure.

A spreadsheet runs a cell that begins with one of ``= + - @``, in half or full width, also after blanks. An apostrophe
in front makes it text; a cell that begins with an apostrophe gets one more, so that every cell can be read back.
"""

from __future__ import annotations

GUARD = "'"
_STARTERS = frozenset("=+-@＝＋－＠")
_LEADERS = frozenset("\t\r\n" + GUARD)


def safe_cell(text: str) -> str:
    """Write ``text`` so that a spreadsheet shows it and never runs it."""
    first = text.lstrip()[:1]
    return GUARD + text if text[:1] in _LEADERS or first in _STARTERS else text


def plain_cell(cell: str) -> str:
    """Read back what ``safe_cell`` wrote."""
    return cell.removeprefix(GUARD)
