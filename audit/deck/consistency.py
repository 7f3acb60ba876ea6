"""Numbers of a deck that contradict each other."""

from __future__ import annotations

from collections.abc import Sequence

from audit.deck.contradiction import Contradiction
from audit.deck.reading import Passage
from audit.deck.vocabulary import Vocabulary


def contradictions(passages: Sequence[Passage], words: Vocabulary) -> tuple[Contradiction, ...]:
    """Find numbers that cannot all hold."""
    return ()
