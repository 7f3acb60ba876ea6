"""Confidence: what each source is worth at first, and what is left of it in what is derived. Pure.

Only these numbers exist; no use, age or repetition of a record changes them. A derived record is worth at most the
least of its sources, whatever else it is, so that no chain of derivations can raise a claim above where it came from.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from types import MappingProxyType

from memory.records import Door, Kind, Nature, Origin, Record, Status

# What survives one step of derivation.
RETAINED = 0.97

FIRST: Mapping[Origin, float] = MappingProxyType(
    {
        Origin.VERIFIED_TOOL: 0.95,
        Origin.OWN_RECORD: 0.9,
        Origin.CITED_DOCUMENT: 0.85,
        Origin.PREFERENCE: 0.8,
        Origin.MODEL_REASONING: 0.6,
        Origin.USER_STATEMENT: 0.5,
        Origin.UNVERIFIED: 0.3,
        # Worth nothing of its own: the sources bound it.
        Origin.DERIVED: 1.0,
    }
)

# Through these doors nobody has vouched for what comes in; it waits for a person.
WAITING = frozenset({Door.DOCUMENT, Door.AGENT})

_FACT_DOORS = frozenset({Door.SEED, Door.FORM, Door.IMPORT, Door.DOCUMENT, Door.AGENT, Door.OUTCOME})
DOORS: Mapping[Nature, frozenset[Door]] = MappingProxyType(
    {
        Nature.FACT: _FACT_DOORS,
        Nature.EVALUATION: frozenset({Door.AUDIT}),
        Nature.OBSERVATION: frozenset({Door.FORM, Door.IMPORT, Door.DOCUMENT, Door.AGENT}),
        Nature.PREFERENCE: frozenset({Door.FORM, Door.IMPORT, Door.DOCUMENT, Door.AGENT}),
    }
)


def origin_of(door: Door, kind: Kind, *, derived: bool) -> Origin:
    """Say what kind of source stands behind a record, from its door, its kind and whether it names sources."""
    if door in WAITING:
        return Origin.UNVERIFIED
    if door is Door.AUDIT:
        return Origin.MODEL_REASONING
    match kind.nature:
        case Nature.PREFERENCE:
            return Origin.PREFERENCE
        case Nature.OBSERVATION:
            return Origin.DERIVED if derived else Origin.USER_STATEMENT
        case _:
            return Origin.OWN_RECORD


def vouched_for(record: Record) -> bool:
    """Whether a person stands behind a record: it waits for nobody, and came from a person or was verified by one."""
    if record.status in {Status.HELD, Status.QUARANTINED}:
        return False
    if record.provenance.door not in WAITING or record.status is Status.ACTIVE:
        return True
    return record.confidence > FIRST[Origin.UNVERIFIED]  # out of recall now, but a person had raised it before


def first_confidence(origin: Origin, sources: Iterable[float] = ()) -> float:
    """Give the first confidence (0..1): the origin's, and with sources at most min(sources) * 0.97."""
    return bounded(FIRST[origin], sources)


def bounded(own: float, sources: Iterable[float]) -> float:
    """Bound a confidence by what is left of its least source; without sources it stays."""
    return min([own, *(source * RETAINED for source in sources)])
