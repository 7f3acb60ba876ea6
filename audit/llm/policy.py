"""What is done about each kind of failure: one rule a kind, as a table."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from enum import StrEnum
from types import MappingProxyType

from audit.llm.errors import FailureKind as Kind


class Then(StrEnum):
    """What may be tried with the same model before the next one is."""

    NEXT = "next model"
    WAIT = "wait as told, when short"
    BACK_OFF = "back off with jitter, try again"
    SHRINK = "ask with half the prompt"
    STEP_DOWN = "ask without what was rejected"
    REPAIR = "ask once more, with a reminder"
    WIDEN = "ask once more, with room for a longer reply"


class Off(StrEnum):
    """What is left alone afterwards."""

    NOTHING = "nothing"
    MODEL = "model"
    PROVIDER = "provider"


@dataclass(frozen=True, slots=True)
class Rule:
    """The rule of one kind of failure.

    ``again`` is how often ``then`` may be applied to one model in one audit. ``off`` is left alone for ``off_s``
    seconds, a model for as long as ``models.json`` says. ``trips`` says that the failure counts towards the model's
    circuit breaker. ``says`` tells a user.
    """

    then: Then
    says: str
    again: int = 0
    off: Off = Off.NOTHING
    off_s: float = 0.0
    trips: bool = False


LONGEST_WAIT_S = 5.0
LONGEST_LAST_WAIT_S = 25.0
_TEN_MINUTES = 600.0

RULES: Mapping[Kind, Rule] = MappingProxyType(
    {
        Kind.NOT_CONFIGURED: Rule(Then.NEXT, "has no key or address set; not asked"),
        Kind.SWITCHED_OFF: Rule(Then.NEXT, "is left alone for now; not asked"),
        Kind.RESTING: Rule(Then.NEXT, "failed several times in a row and rests; not asked"),
        Kind.RETIRED: Rule(
            Then.NEXT,
            "is retired or unknown at its provider; not asked again",
            off=Off.MODEL,
        ),
        Kind.BAD_KEY: Rule(
            Then.NEXT, "refused the key; its provider is off for ten minutes", off=Off.PROVIDER, off_s=_TEN_MINUTES
        ),
        Kind.QUOTA: Rule(
            Then.NEXT, "has no quota or credit left; its provider is off for ten minutes", off=Off.PROVIDER,
            off_s=_TEN_MINUTES,
        ),
        Kind.RATE_LIMITED: Rule(Then.WAIT, "is over its rate limit", again=1),
        Kind.TOO_LARGE: Rule(Then.SHRINK, "found the prompt too large", again=1),
        Kind.UNSUPPORTED: Rule(Then.STEP_DOWN, "does not take one part of the request", again=6),
        Kind.BAD_REQUEST: Rule(Then.NEXT, "rejected the request", trips=True),
        Kind.BAD_JSON: Rule(Then.REPAIR, "answered with something that is no audit", again=1, trips=True),
        Kind.EMPTY: Rule(Then.REPAIR, "answered with nothing", again=1, trips=True),
        Kind.TRUNCATED: Rule(Then.WIDEN, "was cut off before it had finished", again=1, trips=True),
        Kind.RAMBLING: Rule(Then.REPAIR, "went on and on and was cut off", again=1, trips=True),
        Kind.REFUSED: Rule(Then.NEXT, "refused to answer"),
        Kind.OVERLOADED: Rule(Then.BACK_OFF, "is overloaded or failing", again=2, trips=True),
        Kind.UNREACHABLE: Rule(Then.BACK_OFF, "cannot be reached", again=1, trips=True),
        Kind.TIMED_OUT: Rule(Then.NEXT, "took too long and was cut off", trips=True),
        Kind.NOT_AN_API: Rule(Then.NEXT, "answered, but not as a model server does", trips=True),
        Kind.OUT_OF_TIME: Rule(Then.NEXT, "was not asked: the audit's time was used up"),
    }
)  # fmt: skip
