"""Weaknesses that a deck's own figures show: short runway, thin or negative margin, high churn. Pure."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence

from audit.deck.figures import Figure
from audit.deck.reading import Passage
from audit.deck.vocabulary import Risk, Vocabulary

SHORT_RUNWAY_MONTHS = 6.0
THIN_MARGIN_PERCENT = 20.0
HIGH_CHURN_PERCENT = 8.0


def alarms(found: Mapping[str, Sequence[Figure]], words: Vocabulary) -> Iterator[tuple[Risk, Passage]]:
    """Yield each weakness once, with the passage that holds the figure."""
    for key, figure in _alarming(found):
        yield words.risk(key), figure.passage


def _alarming(found: Mapping[str, Sequence[Figure]]) -> Iterator[tuple[str, Figure]]:
    months = [it for it in found["runway"] if not it.when]
    if months and max(it.number.high for it in months) < SHORT_RUNWAY_MONTHS:
        yield "runway:short", months[0]
    ratios = [it for it in found["ltv_cac"] if not it.when]
    if ratios and max(it.number.high for it in ratios) < 1.0:
        yield "unit_economics:negative", ratios[0]
    margins = [it for it in found["gross_margin"] if not it.when]
    if margins and max(it.number.high for it in margins) < THIN_MARGIN_PERCENT:
        yield "unit_economics:thin_margin", margins[0]
    churn = [it for it in found["churn"] if it.period == "month" and not it.when]
    if churn and min(it.number.low for it in churn) >= HIGH_CHURN_PERCENT:
        yield "churn:high", churn[0]
