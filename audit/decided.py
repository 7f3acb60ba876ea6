"""What the user had decided of a past that became a fact of their own: passed on it, and it returned eight times."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from decimal import Decimal
from types import MappingProxyType

from audit.decisions import Decisions
from audit.speech import formats
from audit.speech.language import Speech
from memory.money import Money
from memory.records import Door, Facts, InvestmentFacts, Outcome, Record


@dataclass(frozen=True, slots=True)
class Decided:
    """The newest decision behind a recorded outcome. ``times`` is what came back by what was put in, where known."""

    choice: str
    went_well: bool
    times: Decimal | None


NOTHING_DECIDED: Mapping[str, Decided] = MappingProxyType({})


def decided_behind(decisions: Decisions, records: Sequence[Record]) -> dict[str, Decided]:
    """Find by record id what had been decided on those records that are outcomes of audits, all of one workspace.

    Raises LedgerUnavailable.
    """
    made = [it for it in records if it.provenance.door is Door.OUTCOME]
    if not made:
        return {}
    sources = [it.provenance.source for it in made]
    noted, well = decisions.newest(made[0].workspace, sources), decisions.ended_well(made[0].workspace, sources)
    return {
        it.id: Decided(noted[source].choice, well[source], _times(it.facts))
        for it, source in zip(made, sources, strict=True)
        if source in noted and source in well
    }


def in_words(it: Decided, speech: Speech) -> str:
    """Say what was decided, how it went, and what it returned."""
    if it.choice == Outcome.PASSED.value:
        told = (
            speech.say("You passed on this one, and it went well.")
            if it.went_well
            else speech.say("You passed on this one, and it went badly.")
        )
    else:
        choice = speech.said(it.choice)
        told = (
            speech.say("After its audit you noted “{choice}”, and it went well.", choice=choice)
            if it.went_well
            else speech.say("After its audit you noted “{choice}”, and it went badly.", choice=choice)
        )
    if it.times is None:
        return told
    times = formats.number(speech.locale, it.times, int(it.times % 1 != 0))
    return speech.paragraph(told, speech.say("It returned {times} times what was put in.", times=times))


def _times(facts: Facts) -> Decimal | None:
    match facts:
        case InvestmentFacts(invested=Money(amount, currency), returned=Money(back, the_same)) if (
            amount and currency == the_same
        ):
            return round(back / amount, 1)
    return None
