"""How each mode looks on a page: one value a mode, so that no page asks which mode it shows."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from types import MappingProxyType

from audit.languages import LABELS
from audit.modes import MODES
from memory.records import Kind
from ui.messages import N_
from ui.shell import BUG, INVESTMENT, Place

LANGUAGES_READ = len(set(LABELS.values()))


@dataclass(frozen=True, slots=True)
class Look:
    """A mode's page and manner. ``plural`` names several records, ``this`` what is audited; ``door`` may hold
    {languages}, how many programming languages are read.
    """

    place: Place
    door: str
    enter: str
    button: str
    plural: str
    this: str
    shows_code: bool


LOOKS: Mapping[str, Look] = MappingProxyType(
    {
        "investment": Look(
            place=INVESTMENT,
            door=N_(
                "Paste a pitch deck. See what it states, what it leaves out, and which of your own investments it is "
                "like."
            ),
            enter=N_("Audit a deck"),
            button=N_("Audit this deck"),
            plural="past investments",
            this=N_("this deck"),
            shows_code=False,
        ),
        "bug": Look(
            place=BUG,
            door=N_(
                "Paste code in one of {languages} languages. See its flaws line by line, and which of your own bugs "
                "come back in it."
            ),
            enter=N_("Triage code"),
            button=N_("Triage this code"),
            plural="past bugs",
            this=N_("this code"),
            shows_code=True,
        ),
    }
)

PLURALS: Mapping[Kind, str] = MappingProxyType({MODES[name].fact_kind: look.plural for name, look in LOOKS.items()})
"""What several records of a kind of fact are called."""
