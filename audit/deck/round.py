"""Cash against burn and runway, and a round against its valuation and the share sold. Pure."""

from __future__ import annotations

from collections.abc import Iterator

from audit.deck.comparison import Found, both, in_currency, same_currency, same_time
from audit.deck.contradiction import Contradiction
from audit.deck.figures import Figure
from audit.deck.numbers import overlap


def runway_contradictions(found: Found) -> Iterator[Contradiction]:
    burns = [*found["burn"], *(it for it in found["spend"] if it.period == "month")]
    burns = [it for it in burns if it.period == "month"]
    for runway in found["runway"]:
        after_round = any(
            word in runway.passage.skeleton
            for word in ("round", "raise", "raising", "fund", "融资", "本轮", "ronda", "runde")
        )
        before_round = "before" in runway.passage.skeleton or "without" in runway.passage.skeleton
        for burn in burns:
            cashes = [it for it in found["cash"] if same_currency(it, burn) and it.number is not burn.number]
            if not cashes or not same_time(runway, burn):
                continue
            sums = [it.range for it in cashes]
            if after_round and not before_round:
                rounds = [it for it in found["round"] if same_currency(it, burn)]
                sums += [it.range for it in rounds]
                sums += [(a.number.low + b.number.low, a.number.high + b.number.high) for a in cashes for b in rounds]
            needed = (
                burn.number.low * max(0.0, runway.number.low - 0.5),
                burn.number.high * (runway.number.high + 0.5),
            )
            if any(overlap(needed, it, 0.08) for it in sums):
                continue
            cash = cashes[0]
            months = cash.number.value / burn.number.value if burn.number.value else 0.0
            told = f"{cash.text} at {burn.text} a month lasts {months:.0f} months, but {runway.text} are given."
            yield Contradiction(
                "runway", "runway", "Cash, burn and runway do not agree", "high", both(runway, burn, cash), told
            )
            return


def valuation_contradictions(found: Found) -> Iterator[Contradiction]:
    rounds, pres, posts = found["round"], found["pre"], found["post"]
    trios = [(a, b, c) for a in rounds for b in pres for c in posts if same_currency(a, b, c)]
    agree = [overlap((a.number.low + b.number.low, a.number.high + b.number.high), c.range, 0.03) for a, b, c in trios]
    if trios and not any(agree):
        a, b, c = trios[0]
        made = in_currency(a, a.number.value + b.number.value)
        told = f"{b.text} pre-money and a round of {a.text} make {made}, not {c.text}."
        yield Contradiction("pre_post", "terms", "Pre-money plus round is not post-money", "high", both(c, b, a), told)
    yield from _stake(found)


def _stake(found: Found) -> Iterator[Contradiction]:
    """Compare the share sold with what the round buys: round / (pre + round), or round / post."""
    named = {id(it.number) for it in (*found["pre"], *found["post"])}
    loose = [it for it in found["valuation"] if id(it.number) not in named]
    for stake in found["stake"]:
        if not any(word in stake.passage.skeleton for word in _STAKE_WORDS):
            continue
        for a in found["round"]:
            afters: list[tuple[Figure, float]] = [(it, it.number.value) for it in found["post"]]
            afters += [(it, it.number.value + a.number.value) for it in found["pre"]]
            afters += [(it, it.number.value) for it in loose] + [(it, it.number.value + a.number.value) for it in loose]
            afters = [(it, after) for it, after in afters if same_currency(it, a) and after > 0]
            shares = [100 * a.number.value / after for _, after in afters]
            if not afters or any(overlap(stake.range, (share * 0.97, share * 1.03), 0.03) for share in shares):
                continue
            valuation = afters[0][0]
            told = f"{a.text} at a valuation of {valuation.text} buys {shares[0]:.1f}%, not {stake.text}."
            title = "The share sold does not match round and valuation"
            yield Contradiction("stake", "terms", title, "high", both(stake, valuation, a), told)
            return


_STAKE_WORDS = (
    "equity",
    "stake",
    "of the company",
    "of the shares",
    "for ‰",
    "出让",
    "释放",
    "转让",
    "股",
    "por el",
    "a cambio",
    "anteile",
)
