"""What repeats in the user's own records, each with how likely it is by chance. Pure.

Patterns are observations, derived on the spot from active facts and stored nowhere: nothing that recalls, judges or
grounds an audit reads this module, so no pattern can become a precedent, a loss or a score.

Four forms are looked at. *Endings*: a sector, a weakness or a language that ends badly more or less often than the
rest. *Repeats*: a cause or a weakness that comes more often than if all of them came equally often. *Streaks*: good
and bad endings that follow each other in longer runs than in a blind order. *Seasons*: months that gather.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from enum import StrEnum

from memory import chances
from memory.causes import causes, reason_of
from memory.embed import Vectors
from memory.months import month_of
from memory.records import GAINED, GRAVE, LOST, BugFacts, InvestmentFacts, Kind, Nature, Outcome, Record, Status

ENOUGH = 10
LEAST_GROUP = 3
ALPHA = 0.05


class Form(StrEnum):
    """What kind of pattern it is."""

    ENDINGS = "endings"
    REPEATS = "repeats"
    STREAKS = "streaks"
    SEASONS = "seasons"


class Trait(StrEnum):
    """What the records of a pattern have in common."""

    SECTOR = "sector"
    WEAKNESS = "weakness"
    LANGUAGE = "language"
    CAUSE = "cause"
    ORDER = "order"
    MONTH = "month"


@dataclass(frozen=True, slots=True)
class Pattern:
    """One pattern that was looked at, and the ids of the records behind it.

    ``count`` of the ``of`` records looked at in it (endings: bad ones in the group; repeats: in the group; streaks:
    the longest run; seasons: within a month of the peak), where chance alone lets one expect ``expected``; ``worse``
    says that it is about bad endings. ``chance`` (0..1) is how likely it is by chance, ``corrected`` the same after all
    that was looked at. ``name`` is the group's, or the number of the peak month.
    """

    kind: Kind
    form: Form
    trait: Trait
    name: str
    records: tuple[str, ...]
    count: int
    of: int
    expected: float
    worse: bool
    chance: float
    corrected: float = 1.0

    @property
    def holds(self) -> bool:
        """True where chance is an unlikely explanation: under 5 % after all that was looked at."""
        return self.corrected <= ALPHA


@dataclass(frozen=True, slots=True)
class TooFew:
    """A form that could not be looked at: how many records there are for it; ten are needed."""

    kind: Kind
    form: Form
    have: int


@dataclass(frozen=True, slots=True)
class Patterns:
    """All that was looked at, the least likely by chance first, and what could not be."""

    found: tuple[Pattern, ...]
    too_few: tuple[TooFew, ...]


def ended_badly(record: Record) -> bool | None:
    """Say whether a record ended badly; None where that is open.

    An investment: it was lost or lost money. A bug: it was critical or high, or its fix failed.
    """
    match record.facts:
        case InvestmentFacts(outcome=outcome):
            if outcome in LOST or record.loss is not None:
                return True
            return False if outcome in GAINED else None
        case BugFacts(outcome=outcome, severity=severity):
            return outcome is Outcome.FIX_FAILED or severity in GRAVE
        case _:
            return None


def find_patterns(records: Sequence[Record], vectors: Mapping[str, Vectors], *, seed: int = 0) -> Patterns:
    """Look for patterns among the active facts of ``records``; ``vectors`` hold each one's reason.

    ``seed`` fixes the one simulation. Every chance is corrected for all patterns looked at, of every kind.
    """
    seen: list[Pattern | TooFew] = []
    for kind in (it for it in Kind if it.nature is Nature.FACT):
        mine = [it for it in records if it.kind is kind and it.status is Status.ACTIVE]
        if mine:
            seen += [*_endings(kind, mine), *_repeats(kind, mine, vectors), *_streaks(kind, mine)]
            seen += _seasons(kind, mine, seed)
    looked_at = [it for it in seen if isinstance(it, Pattern)]
    raised = chances.corrected([it.chance for it in looked_at])
    found = [replace(it, corrected=chance) for it, chance in zip(looked_at, raised, strict=True)]
    found.sort(key=lambda it: (it.corrected, it.chance, it.trait, it.name))
    return Patterns(tuple(found), tuple(it for it in seen if isinstance(it, TooFew)))


_TRAITS: Mapping[Trait, Callable[[Record], str]] = {
    Trait.SECTOR: lambda it: it.facts.sector if isinstance(it.facts, InvestmentFacts) else "",
    Trait.WEAKNESS: lambda it: it.facts.cwe if isinstance(it.facts, BugFacts) else "",
    Trait.LANGUAGE: lambda it: it.facts.language if isinstance(it.facts, BugFacts) else "",
}


def _grouped(records: Sequence[Record], trait: Trait) -> dict[str, list[Record]]:
    groups: dict[str, list[Record]] = {}
    for it in records:
        name = " ".join(_TRAITS[trait](it).split())
        if name:
            groups.setdefault(name.casefold(), []).append(it)
    return {" ".join(_TRAITS[trait](group[0]).split()): group for group in groups.values()}


def _endings(kind: Kind, records: Sequence[Record]) -> Iterator[Pattern | TooFew]:
    known = {it.id: badly for it in records if (badly := ended_badly(it)) is not None}
    if len(known) < ENOUGH:
        yield TooFew(kind, Form.ENDINGS, len(known))
        return
    ended = [it for it in records if it.id in known]
    bad = sum(known.values())
    for trait in _TRAITS:
        for name, group in _grouped(ended, trait).items():
            if len(group) < LEAST_GROUP or len(group) == len(ended):
                continue
            # Such a group could show nothing whatever its endings were, so looking at it costs the others nothing.
            if chances.least_difference(len(group), bad, len(ended)) <= ALPHA:
                count, expected = sum(known[it.id] for it in group), bad * len(group) / len(ended)
                chance = chances.group_differs(count, len(group), bad, len(ended))
                ids = _ids(group)
                yield Pattern(
                    kind, Form.ENDINGS, trait, name, ids, count, len(group), expected, count > expected, chance
                )


def _gone_wrong(records: Sequence[Record]) -> list[Record]:
    """Pick what has a cause to look for: investments that ended badly, and all bugs."""
    return [it for it in records if isinstance(it.facts, BugFacts) or ended_badly(it)]


def _repeats(kind: Kind, records: Sequence[Record], vectors: Mapping[str, Vectors]) -> Iterator[Pattern | TooFew]:
    """Why what went wrong did: the causes of bad endings of investments, causes and weaknesses of all bugs."""
    wrong = _gone_wrong(records)
    by_id = {it.id: it for it in wrong}
    told = causes(wrong, vectors)
    groups = {Trait.CAUSE: [(it.name, [by_id[name] for name in it.records]) for it in told]}
    groups[Trait.WEAKNESS] = list(_grouped(wrong, Trait.WEAKNESS).items())
    explained = sum(bool(reason_of(it)) for it in wrong)
    if explained < ENOUGH:
        yield TooFew(kind, Form.REPEATS, explained)
    for trait, named in groups.items():
        total = sum(len(group) for _, group in named)
        for name, group in named:
            if total >= ENOUGH and len(group) >= LEAST_GROUP and len(named) > 1:
                chance = chances.at_least(len(group), total, 1 / len(named))
                ids = _ids(group)
                yield Pattern(kind, Form.REPEATS, trait, name, ids, len(group), total, total / len(named), True, chance)


def _streaks(kind: Kind, records: Sequence[Record]) -> Iterator[Pattern | TooFew]:
    """Endings in the order of their years; within one year in the order in which they were recorded."""
    dated = [(it.year, it.provenance.created_at, it.id, it, ended_badly(it)) for it in records if it.year is not None]
    ordered = [(it, badly) for *_, it, badly in sorted(dated, key=lambda it: it[:3]) if badly is not None]
    if len(ordered) < ENOUGH:
        yield TooFew(kind, Form.STREAKS, len(ordered))
        return
    endings = [badly for _, badly in ordered]
    bad = sum(endings)
    if not 0 < bad < len(endings):
        return
    start, length = _longest(endings)
    run = [it for it, _ in ordered[start : start + length]]
    chance = chances.at_most_runs(chances.runs_of(endings), bad, len(endings) - bad)
    ended = endings[start]
    yield Pattern(
        kind,
        Form.STREAKS,
        Trait.ORDER,
        "",
        tuple(it.id for it in run),
        length,
        len(endings),
        len(endings) / (1 + 2 * bad * (len(endings) - bad) / len(endings)),
        ended,
        chance,
    )


def _longest(endings: Sequence[bool]) -> tuple[int, int]:
    best, start = (0, 0), 0
    for at, it in enumerate(endings):
        if it is not endings[start]:
            start = at
        best = max(best, (at - start + 1, -start))
    return -best[1], best[0]


def _seasons(kind: Kind, records: Sequence[Record], seed: int) -> Iterator[Pattern | TooFew]:
    wrong = _gone_wrong(records)
    dated = [(it, month) for it in wrong if (month := month_of(it)) is not None]
    if len(dated) < ENOUGH:
        yield TooFew(kind, Form.SEASONS, len(dated))
        return
    chance, peak = chances.around_the_year([month for _, month in dated], seed)
    around = [it for it, month in dated if min((month - peak) % 12, (peak - month) % 12) <= 1]
    yield Pattern(
        kind,
        Form.SEASONS,
        Trait.MONTH,
        str(peak),
        _ids(around),
        len(around),
        len(dated),
        len(dated) / 4,
        True,
        chance,
    )


def _ids(records: Sequence[Record]) -> tuple[str, ...]:
    return tuple(it.id for it in sorted(records, key=lambda it: (-(it.year or 0), it.id)))
