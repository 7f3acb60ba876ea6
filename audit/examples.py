"""Texts to try an audit with, one file each; a file's name orders it and gives it its title."""

from __future__ import annotations

from dataclasses import dataclass
from importlib.resources import files

from audit.modes import MODES


@dataclass(frozen=True, slots=True)
class Example:
    """A text to try. ``title`` names it on a button."""

    title: str
    text: str


def examples(mode_name: str) -> tuple[Example, ...]:
    """Return the examples of a mode, in order. Raises KeyError where there is no such mode."""
    folder = files("audit") / "data" / "examples" / MODES[mode_name].name
    names = sorted(it.name for it in folder.iterdir() if it.name.endswith(".txt"))
    return tuple(Example(_title(name), (folder / name).read_text(encoding="utf-8")) for name in names)


def _title(name: str) -> str:
    return name.removesuffix(".txt").partition("_")[2].replace("_", " ").capitalize()
