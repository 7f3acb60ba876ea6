"""Growth whose start, end and rate do not fit together, and shares of a market that are miscounted. Pure."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence

from audit.deck.contradiction import Contradiction
from audit.deck.numbers import Number, Unit, overlap
from audit.deck.reading import Passage
from audit.deck.standing import is_forecast
from audit.deck.vocabulary import Vocabulary

_GAP = "[^.;。；¤‰×№‡∅]{0,30}?"
_FROM_TO = re.compile(rf"(?:from|von|从|由|de)\s*(?P<old>[¤№]){_GAP}(?:to|auf|到|至|增至|a|zu)\s*(?P<new>[¤№])")
_UP_FROM = re.compile(rf"(?P<new>[¤№]){_GAP}up from\s*(?P<old>[¤№])")
_RISING = re.compile(
    r"(?<![a-z])(?:grew|grown|grow|growing|growth|increased?|increasing|rose|risen|up|doubled"
    r"|tripled|quadrupled|crec\w+|"
    r"aument\w+|wuchs|gewachsen|gestiegen|stieg|wachstum)(?![a-z])|增长|增加|增至|提升|上升|翻"
)
_GOOD_WHEN_LOWER = re.compile(
    r"churn|cac|cost|burn|time|price|loss|error|waste|流失|成本|价格|耗时|days|hours|minutes|refund|return"
)
_MONTHLY = re.compile(
    r"^\s*(?:a|per|/|every|each)?\s*(?:month|mom|m/m|monthly|mes|monat)|^\s*(?:month over month"
    r"|month on month)|^.{0,3}环比"
)
_RECURRING = re.compile(
    r"^\s*(?:a|per|/|every|each|week|year|quarter)?\s*(?:week|wow|year|yoy|y/y|quarter|qoq|cagr|annual|weekly)|^\s*同比"
)
_MONTHLY_BEFORE = re.compile(r"(?:月均|每月|环比|monthly|mom|月)(?:增长|增速|growth)?(?:率)?(?:of|为|达|约)?\s*$")
_MONTHS = re.compile(
    r"(?:in|over|within|during|last|past|for|nach|innerhalb von|en)\s+(?:the |just |only |last "
    r"|past )*(№)\s*(?:months|monate|meses)|(№)\s*个月"
)
_MULTIPLES = (
    ("doubled", 2.0),
    ("翻了一番", 2.0),
    ("翻一番", 2.0),
    ("翻倍", 2.0),
    ("tripled", 3.0),
    ("quadrupled", 4.0),
)
_SHARE_OF_IT = re.compile(
    r"(‰) (?:share )?of (?:it|this|that|(?:the|this|that) (?:market|industry))(?![a-z])[^.;¤‰]{0,40}?"
    r"(?:is|are|=|equals|means|gives|would be|makes)\s*(?:a |about |around |over )?(¤)"
)
_SHARE_OF = re.compile(
    r"(‰) (?:share )?of (?:a |an |the |this |that |our )?(¤)[^.;¤‰]{0,40}?(?:is|are|=|equals|means"
    r"|gives|would be|makes|or|:|,)\s*(?:a |about |around |over )?(¤)"
)


def contradictions(passages: Sequence[Passage], words: Vocabulary) -> Iterator[Contradiction]:
    """Find, within single passages, growth and market shares that do not add up."""
    before: Passage | None = None
    for passage in passages:
        previous, before = before, passage
        if len(passage.numbers) < 2:
            continue
        yield from _share_of_market(passage)
        if previous is not None:
            yield from _share_of_that(previous, passage)
        match = _FROM_TO.search(passage.skeleton) or _UP_FROM.search(passage.skeleton)
        if match is None or _RISING.search(passage.skeleton) is None:
            continue
        old, new = passage.number_at(match.start("old")), passage.number_at(match.start("new"))
        comparable = old.unit is new.unit and old.currency == new.currency and old.value > 0
        if comparable and not is_forecast(passage, match.start(), match.end(), words):
            yield from _grown(passage, old, new, match)


def _grown(passage: Passage, old: Number, new: Number, match: re.Match[str]) -> Iterator[Contradiction]:
    skeleton = passage.skeleton
    written = f"from {_text(passage, old)} to {_text(passage, new)}"
    if new.high < old.low:
        if _GOOD_WHEN_LOWER.search(skeleton) is None:
            told = f"The passage speaks of growth {written}, which is a fall."
            yield Contradiction("growth", "growth", "Growth that is a fall", "high", (passage,), told)
        return
    grown = (new.low / old.high, new.high / old.low)
    for word, factor in _MULTIPLES:
        if (
            word in skeleton
            and not overlap(grown, (factor * 0.9, factor * 1.15), 0.03)
            and not _other_growth(skeleton, match)
        ):
            told = f"The passage says {word}, but {written} is {new.value / old.value:.1f} times."
            yield Contradiction(
                "growth", "growth", "Growth does not match its start and end", "medium", (passage,), told
            )
            return
        if word in skeleton:
            return
    claims = [
        (at, passage.number_at(at))
        for at, char in enumerate(skeleton)
        if char in {Unit.PERCENT, Unit.MULTIPLE} and not _SHARE_WORDS.search(skeleton, at + 1, at + 24)
    ]
    if len(claims) != 1:
        return
    at, claim = claims[0]
    if _APART.search(skeleton[min(at, match.end()) : max(at, match.start())]):
        return
    told = _mismatch(skeleton, at, claim, grown, passage)
    if told:
        told = f"{_text(passage, claim)} does not fit: {written} is {told}."
        yield Contradiction("growth", "growth", "Growth does not match its start and end", "high", (passage,), told)


_APART = re.compile(r" while | and | but |;|，同时|，而")
_SHARE_WORDS = re.compile(r"\s*(?:of |retention|margin|churn|gross|毛利|的(?:用户|客户|收入))")


def _mismatch(skeleton: str, at: int, claim: Number, grown: tuple[float, float], passage: Passage) -> str:
    """Say what the growth really is where the claim does not fit it, else nothing."""
    middle = (grown[0] + grown[1]) / 2
    if claim.unit is Unit.MULTIPLE:
        fits = overlap(grown, _range(claim), 0.06) or overlap((grown[0] - 1, grown[1] - 1), _range(claim), 0.06)
        return "" if fits else f"{middle:.1f} times"
    if _MONTHLY.search(skeleton[at + 1 : at + 24]) or _MONTHLY_BEFORE.search(skeleton[max(0, at - 12) : at]):
        months = _MONTHS.search(skeleton)
        if months is None:
            return ""
        count = passage.number_at(months.start(1) if months[1] else months.start(2)).value
        if not 1 <= count <= 60:
            return ""
        monthly = ((grown[0] ** (1 / count) - 1) * 100, (grown[1] ** (1 / count) - 1) * 100)
        simple = ((grown[0] - 1) * 100 / count, (grown[1] - 1) * 100 / count)
        fits = overlap(monthly, (claim.low - 1, claim.high + 1), 0.1) or overlap(
            simple, (claim.low - 1, claim.high + 1), 0.1
        )
        return "" if fits else f"{(monthly[0] + monthly[1]) / 2:.0f}% a month over {count:.0f} months"
    if _RECURRING.search(skeleton[at + 1 : at + 24]) and _MONTHS.search(skeleton):
        return ""
    total = ((grown[0] - 1) * 100, (grown[1] - 1) * 100)
    if overlap(total, (claim.low - 1, claim.high + 1), 0.06):
        return ""
    # "Grew to 300% of" is often written "grew 300%".
    if overlap((grown[0] * 100, grown[1] * 100), _range(claim), 0.03) and claim.value >= 150:
        return ""
    return f"{(total[0] + total[1]) / 2:.0f}%"


def _range(claim: Number) -> tuple[float, float]:
    return claim.low, claim.high


def _other_growth(skeleton: str, match: re.Match[str]) -> bool:
    """Say whether the passage goes on to a second thing that grew, which a word such as "doubled" may mean."""
    rest = skeleton[: match.start()] + skeleton[match.end() :]
    return len(_RISING.findall(rest)) > 1 or " and " in rest or "," in rest or "，" in rest


def _share_of_market(passage: Passage) -> Iterator[Contradiction]:
    match = _SHARE_OF.search(passage.skeleton)
    if match is None:
        return
    share, market, part = (passage.number_at(match.start(group)) for group in (1, 2, 3))
    made = (share.low * market.low / 100, share.high * market.high / 100)
    if market.currency == part.currency and not overlap(made, (part.low, part.high), 0.05):
        amount = f"{market.currency} {share.value * market.value / 100:,.0f}"
        told = f"{_text(passage, share)} of {_text(passage, market)} is {amount}, not {_text(passage, part)}."
        yield Contradiction("market_share", "market_size", "The market share is miscounted", "high", (passage,), told)


def _share_of_that(previous: Passage, passage: Passage) -> Iterator[Contradiction]:
    """Check "1% of it is $5M" against the one amount of the passage before."""
    match = _SHARE_OF_IT.search(passage.skeleton)
    amounts = [number for number in previous.numbers if number.unit is Unit.MONEY]
    if match is None or len(amounts) != 1:
        return
    share, part, market = passage.number_at(match.start(1)), passage.number_at(match.start(2)), amounts[0]
    made = (share.low * market.low / 100, share.high * market.high / 100)
    if market.currency == part.currency and not overlap(made, (part.low, part.high), 0.05):
        amount = f"{market.currency} {share.value * market.value / 100:,.0f}"
        told = f"{_text(passage, share)} of {_text(previous, market)} is {amount}, not {_text(passage, part)}."
        title = "The market share is miscounted"
        yield Contradiction("market_share", "market_size", title, "high", (passage, previous), told)


def _text(passage: Passage, number: Number) -> str:
    return passage.text[number.start : number.end]
