"""When two figures of a deck may be compared, and how their sums are written. Pure."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from decimal import Decimal

from audit.deck.figures import Figure
from audit.deck.reading import Passage
from memory.money import Money

Found = Mapping[str, Sequence[Figure]]


def same_time(*found: Figure) -> bool:
    return len({it.when for it in found}) == 1


def same_currency(*found: Figure) -> bool:
    return len({it.number.currency for it in found}) == 1


def in_currency(figure: Figure, amount: float) -> str:
    return str(Money(Decimal(round(amount)), figure.number.currency))


def both(*found: Figure) -> tuple[Passage, ...]:
    return tuple(dict.fromkeys(it.passage for it in found))


def apart(
    left: Sequence[Figure],
    right: Sequence[Figure],
    agree: Callable[[Figure, Figure], bool],
) -> tuple[Figure, Figure] | None:
    """Return the first comparable pair that disagrees, or None where any pair agrees."""
    pairs = [(one, other) for one in left for other in right if same_currency(one, other)]
    if any(agree(*pair) for pair in pairs):
        return None
    return next((pair for pair in pairs if same_time(*pair)), None)
