"""How each mode looks on a page: one value a mode, so that no page asks which mode it shows."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from types import MappingProxyType

from audit.languages import LABELS
from ui.shell import BUG, INVESTMENT, Place


@dataclass(frozen=True, slots=True)
class Look:
    """A mode's page and manner. ``plural`` names several records."""

    place: Place
    door: str
    enter: str
    button: str
    plural: str
    shows_code: bool


LOOKS: Mapping[str, Look] = MappingProxyType(
    {
        "investment": Look(
            place=INVESTMENT,
            door="Paste a pitch deck. See what it states, what it leaves out, and which of your own investments "
            "it is like.",
            enter="Audit a deck",
            button="Audit this deck",
            plural="past investments",
            shows_code=False,
        ),
        "bug": Look(
            place=BUG,
            door=f"Paste code in one of {len(set(LABELS.values()))} languages. See its flaws line by line, and which "
            "of your own bugs come back in it.",
            enter="Triage code",
            button="Triage this code",
            plural="past bugs",
            shows_code=True,
        ),
    }
)
