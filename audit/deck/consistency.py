"""Numbers of a deck that contradict each other. Pure.

A figure is a range: what was written may be rounded, or be "about" or "over". Two figures contradict each other only
where their ranges stay apart after a further slack, they are stated as facts and speak of the same time. Where a deck
gives a figure more than once, one agreeing pair is enough.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence

from audit.deck import funds, growth
from audit.deck.comparison import Found, apart, both, in_currency, same_currency, same_time
from audit.deck.contradiction import Contradiction
from audit.deck.figures import Figure
from audit.deck.numbers import overlap
from audit.deck.reading import Passage
from audit.deck.round import runway_contradictions, valuation_contradictions
from audit.deck.vocabulary import Vocabulary
from memory.records import Severity

_AT_MOST_100 = ("gross_margin", "churn", "retention", "market_share", "conversion", "stake")
_NET_RETENTION = (
    "net revenue retention",
    "net dollar retention",
    "net retention",
    "nrr",
    "ndr",
    "净收入留存",
    "expansion",
)
_LARGER_AND_SMALLER = (
    ("registered", "mau", "More monthly active users than registered users", "traction"),
    ("mau", "dau", "More daily than monthly active users", "traction"),
    ("registered", "paying", "More paying customers than registered users", "traction"),
    ("customers", "paying", "More paying customers than customers", "traction"),
    ("tam", "sam", "The serviceable market is larger than the total market", "market_size"),
    ("sam", "som", "The obtainable market is larger than the serviceable market", "market_size"),
)
_SAID_ONCE = {
    "mrr": ("Two different MRR figures", "revenue"),
    "arr": ("Two different ARR figures", "revenue"),
    "mau": ("Two different numbers of monthly active users", "traction"),
    "registered": ("Two different numbers of registered users", "traction"),
    "burn": ("Two different burn figures", "runway"),
    "runway": ("Two different runways", "runway"),
    "pre": ("Two different pre-money valuations", "terms"),
    "post": ("Two different post-money valuations", "terms"),
    "ltv_cac": ("Two different LTV/CAC ratios", "unit_economics"),
}


def contradictions(
    passages: Sequence[Passage], found: Mapping[str, Sequence[Figure]], words: Vocabulary
) -> tuple[Contradiction, ...]:
    """Find numbers that cannot all hold, each named once, the most severe first."""
    checks: tuple[Iterable[Contradiction], ...] = (
        _recurring_revenue(found),
        _revenue_per_customer(found),
        _percentages(found),
        _parts_of_a_whole(found),
        runway_contradictions(found),
        valuation_contradictions(found),
        _ltv_cac(found),
        _take_rate(found),
        _said_twice(found),
        growth.contradictions(passages, words),
        funds.contradictions(passages, found["round"]),
    )
    unique: dict[tuple[str, tuple[int, ...]], Contradiction] = {}
    for check in checks:
        for it in check:
            unique.setdefault((it.rule, tuple(passage.start for passage in it.passages)), it)
    return tuple(unique.values())


def _recurring_revenue(found: Found) -> Iterator[Contradiction]:
    pair = apart(found["mrr"], found["arr"], lambda mrr, arr: overlap(mrr.times(12), arr.range, 0.06))
    if pair:
        mrr, arr = pair
        year = in_currency(mrr, mrr.number.value * 12)
        told = f"{mrr.text} a month is {year} a year, but the annual figure given is {arr.text}."
        yield Contradiction("mrr_arr", "revenue", "MRR and ARR do not agree", "high", both(arr, mrr), told)


def _revenue_per_customer(found: Found) -> Iterator[Contradiction]:
    revenues = [(it, 12.0) for it in found["mrr"]] + [(it, 1.0) for it in found["arr"]]
    revenues += [
        (it, 12.0 if it.period == "month" else 1.0) for it in found["revenue"] if it.period in {"month", "year"}
    ]
    each = [(it, 1.0 if it.period == "year" else 12.0) for it in (*found["arpu"], *found["acv"]) if it.period != "day"]
    heads = found["paying"] or found["customers"]
    trios = [
        (revenue, by, one, per, head)
        for revenue, by in revenues
        for one, per in each
        for head in heads
        if same_currency(revenue, one)
    ]
    if any(
        overlap(
            revenue.times(by), (one.number.low * per * head.number.low, one.number.high * per * head.number.high), 0.12
        )
        for revenue, by, one, per, head in trios
    ):
        return
    for revenue, by, one, per, head in trios:
        if same_time(revenue, one, head):
            made = one.number.value * per * head.number.value
            told = (
                f"{head.text} customers at {one.text} each make {in_currency(revenue, made)} a year, "
                f"but the revenue given comes to {in_currency(revenue, revenue.number.value * by)} a year."
            )
            title = "Customers times revenue per customer is not the revenue"
            yield Contradiction("users_revenue", "revenue", title, "high", both(revenue, one, head), told)
            return


def _percentages(found: Found) -> Iterator[Contradiction]:
    for key in _AT_MOST_100:
        for it in found[key]:
            if it.number.low > 100 and not any(word in it.passage.skeleton for word in _NET_RETENTION):
                told = f"{it.text} cannot be: this share ends at 100%."
                subject = {"market_share": "market_size", "stake": "terms", "conversion": "traction"}.get(
                    key, "unit_economics"
                )
                yield Contradiction("over_100", subject, "A percentage above 100", "high", (it.passage,), told)


def _parts_of_a_whole(found: Found) -> Iterator[Contradiction]:
    for whole_key, part_key, title, subject in _LARGER_AND_SMALLER:
        pair = apart(found[whole_key], found[part_key], lambda whole, part: part.number.low <= whole.number.high * 1.02)
        if pair:
            whole, part = pair
            if whole.number is part.number:
                continue
            told = f"{part.text} is part of {whole.text} and cannot be more."
            yield Contradiction("part_whole", subject, title, "high", both(part, whole), told)


def _ltv_cac(found: Found) -> Iterator[Contradiction]:
    trios = [(a, b, c) for a in found["ltv_cac"] for b in found["ltv"] for c in found["cac"] if same_currency(b, c)]
    trios = [(a, b, c) for a, b, c in trios if c.number.low > 0 and b.number is not c.number]
    if not trios or any(
        overlap(a.range, (b.number.low / c.number.high, b.number.high / c.number.low), 0.08) for a, b, c in trios
    ):
        return
    a, b, c = trios[0]
    told = f"{b.text} over {c.text} is {b.number.value / c.number.value:.1f}, not {a.text}."
    yield Contradiction(
        "ltv_cac", "unit_economics", "LTV, CAC and their ratio do not agree", "high", both(a, b, c), told
    )


def _take_rate(found: Found) -> Iterator[Contradiction]:
    """Compare volume times commission with revenue, where both name the same period."""
    revenues = [it for it in (*found["mrr"], *found["revenue"]) if it.period in {"month", "year"}]
    trios = [
        (gmv, rate, revenue)
        for gmv in found["gmv"]
        for rate in found["take_rate"]
        for revenue in revenues
        if gmv.period == revenue.period and same_currency(gmv, revenue) and gmv.number is not revenue.number
    ]
    if any(
        overlap((g.number.low * r.number.low / 100, g.number.high * r.number.high / 100), v.range, 0.15)
        for g, r, v in trios
    ):
        return
    for gmv, rate, revenue in trios:
        if same_time(gmv, rate, revenue) or not (gmv.when or revenue.when):
            made = gmv.number.value * rate.number.value / 100
            told = f"{rate.text} of {gmv.text} is {in_currency(gmv, made)}, but the revenue given is {revenue.text}."
            title = "Volume times commission is not the revenue"
            yield Contradiction("take_rate", "revenue", title, "medium", both(revenue, gmv, rate), told)
            return


def _said_twice(found: Found) -> Iterator[Contradiction]:
    severity: Severity = "medium"
    for key, (title, subject) in _SAID_ONCE.items():
        undated = [it for it in found[key] if not it.when and not _scoped(it)]
        for at, one in enumerate(undated):
            other = next(
                (
                    it
                    for it in undated[at + 1 :]
                    if it.passage is not one.passage
                    and same_currency(it, one)
                    and it.period == one.period
                    and not overlap(it.range, one.range, 0.05)
                ),
                None,
            )
            if other is not None:
                told = f"One passage says {one.text}, another {other.text}, and neither gives a date or a part."
                yield Contradiction(f"two_values.{key}", subject, title, severity, both(one, other), told)
                break


_PERIOD = re.compile(r"(?<![a-z])(?:a|per|each) (?:month|year)(?![a-z])")
_SCOPES = (
    " in ",
    " from ",
    " per ",
    " for ",
    " excluding ",
    " without ",
    " before ",
    " after ",
    " with ",
    " round",
    " raise",
    "net ",
    "gross ",
    "target",
    "本轮",
    "融资后",
    "peak",
    " if ",
    "average",
    "pilot",
    "cohort",
)


def _scoped(figure: Figure) -> bool:
    """Say whether the clause narrows the figure to a part, a case or a date, so that two of them may both hold."""
    skeleton = _PERIOD.sub("", figure.passage.skeleton)
    return any(scope in skeleton for scope in _SCOPES)
