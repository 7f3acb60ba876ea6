"""Use of funds whose parts do not add up, to the whole or to the round. Pure."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence

from audit.deck.contradiction import Contradiction
from audit.deck.figures import Figure
from audit.deck.numbers import Number, Unit
from audit.deck.reading import Passage

SECTION = "use_of_funds"
_TRIGGER = re.compile(
    r"tokenomics|token (?:allocation|distribution)|(?<![a-z])(?:raise|raising|ask|round of|seeking"
    r"|seek|for)\s*¤\s*[:：(—–]|"
    r"use of (?:the )?(?:funds|proceeds)|(?:funds|proceeds|money|round|capital"
    r"|investment) (?:will (?:be used|go|be spent)|goes|is split|"
    r"is used|are used)|we (?:will|plan to) (?:spend|use) (?:it|the (?:money|funds|round|capital"
    r"|raise))|资金(?:用途|使用|将用于|主要用于|用于)|"
    r"募集资金|(?:uso|destino) de (?:los )?fondos|mittelverwendung|verwendung der mittel"
)
_TOTAL = re.compile(r"(?<![a-z])(?:total|sum|summe|gesamt)(?![a-z])|合计|总计|共计")
_NOT_A_PART = re.compile(r"equity|stake|of the company|valuation|股权|股份|估值|anteile|discount|interest")
_OF_OTHERS = re.compile(
    r"\s*of (?!(?:it|the (?:round|money|funds|capital|raise|proceeds|investment)|funds|this|which)(?![a-z]))"
)
_MOST_BULLETS = 10
_WORDS = 16


def contradictions(passages: Sequence[Passage], rounds: Sequence[Figure]) -> Iterator[Contradiction]:
    """Check the parts of the use of funds: percentages against 100, amounts against the round."""
    for used in _lists(passages):
        shares = [number for passage, start in used for number in _numbers(passage, start, Unit.PERCENT)]
        amounts = [number for passage, start in used for number in _numbers(passage, start, Unit.MONEY)]
        quoted = tuple(dict.fromkeys(passage for passage, _ in used))
        if len(shares) >= 2:
            yield from _shares(shares, quoted)
        if len(amounts) >= 2:
            yield from _amounts(amounts, quoted, rounds)


def _lists(passages: Sequence[Passage]) -> Iterator[list[tuple[Passage, int]]]:
    """Yield each list of parts as passages, with where in the skeleton the parts begin."""
    at = 0
    while at < len(passages):
        passage = passages[at]
        trigger = _TRIGGER.search(passage.skeleton)
        if trigger is None and passage.heading != SECTION:
            at += 1
            continue
        used = [(passage, trigger.end() if trigger else 0)]
        at += 1
        while at < len(passages) and len(used) <= _MOST_BULLETS and _is_bullet(passages[at], used[0][0]):
            used.append((passages[at], 0))
            at += 1
        yield used


def _is_bullet(passage: Passage, first: Passage) -> bool:
    if _TRIGGER.search(passage.skeleton) or _TOTAL.search(passage.skeleton):
        return False
    if SECTION in {passage.heading, first.heading}:
        return passage.heading == first.heading
    parts = [number for number in passage.numbers if number.unit in {Unit.PERCENT, Unit.MONEY}]
    words = len(passage.text.split()) if passage.text.isascii() else len(passage.text) // 2
    return bool(parts) and words <= _WORDS and passage.heading == first.heading and passage.line != first.line


def _numbers(passage: Passage, start: int, unit: Unit) -> list[Number]:
    if _TOTAL.search(passage.skeleton) or (_NOT_A_PART.search(passage.skeleton) and unit is Unit.PERCENT):
        return []
    ats = [at for at, char in enumerate(passage.skeleton) if char == unit.value and at >= start]
    ats = [at for at in ats if not _OF_OTHERS.match(passage.skeleton, at + 1)]
    return [passage.number_at(at) for at in ats]


def _shares(shares: Sequence[Number], quoted: tuple[Passage, ...]) -> Iterator[Contradiction]:
    total = sum(it.value for it in shares)
    told = f"{' + '.join(f'{it.value:g}' for it in shares)} = {total:g}%."
    if total > 101.5:
        yield Contradiction("use_of_funds", "terms", f"The listed shares add up to {total:g}%", "high", quoted, told)
    elif total < 98.5 and len(shares) >= 3 and sum(it.low for it in shares) < 100:
        title = f"The listed shares add up to {total:g}% only"
        yield Contradiction("use_of_funds", "terms", title, "medium", quoted, told)


def _amounts(
    amounts: Sequence[Number], quoted: tuple[Passage, ...], rounds: Sequence[Figure]
) -> Iterator[Contradiction]:
    currency = amounts[0].currency
    wholes = [it for it in rounds if it.number.currency == currency]
    if not wholes or any(it.currency != currency for it in amounts):
        return
    own = {id(it.number) for it in wholes}
    parts = [it for it in amounts if id(it) not in own]
    if len(parts) < 2:
        return
    low, high = sum(it.low for it in parts), sum(it.high for it in parts)
    if any(low * 0.98 <= it.number.high and it.number.low * 0.98 <= high for it in wholes):
        return
    whole = wholes[0]
    total = sum(it.value for it in parts)
    told = f"The parts make {currency} {total:,.0f}; the round is {whole.text}."
    if total > whole.number.value:
        title = "The use of funds is more than the round"
        yield Contradiction("funds_round", "terms", title, "high", (*quoted, whole.passage), told)
    elif len(parts) >= 3:
        title = "The use of funds is less than the round"
        yield Contradiction("funds_round", "terms", title, "medium", (*quoted, whole.passage), told)
