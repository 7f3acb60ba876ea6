"""The past in plots: money in and out, and what went wrong, each with a sentence that says what it shows."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Sequence
from decimal import Decimal

import plotly.graph_objects as go
import streamlit as st

from audit.code.weakness_names import name_of
from memory.causes import Cause, causes
from memory.money import Money
from memory.patterns import ended_badly
from memory.records import GRAVE, SEVERITIES, BugFacts, InvestmentFacts, Kind, Record
from ui import formats
from ui.components import palette
from ui.components.memory_map import show_map
from ui.facts import sides_now
from ui.formats import number
from ui.language import _, _n
from ui.messages import N_
from ui.plain import as_html, as_markdown, quiet, shorten
from ui.said import said
from ui.shell import TRACK_RECORD
from ui.state import PATTERNS, VIEW

MOST_CAUSES = 12
MOST_LOST = 8
BAR_YEARS = 0.65  # stated, or a bar grows as wide as the gap between two years
_INVISIBLE = "\u200b"  # tells two causes of the same name apart on an axis

MONEY = N_("Of {put_in} invested, records say that {out} came back.")
NO_AMOUNT = N_("No investment is recorded with an amount yet.")
NO_YEAR = N_("The records with amounts in this currency name no year.")
LOST_TO = N_("Of {whole} lost for a reason that is recorded, {most} went to one: **“{name}”**.")
NO_LOSS = N_("No loss in this currency is recorded with a reason yet.")
NO_BUG = N_("No bug is recorded with a year yet.")
MOST_GRAVE = N_("**{name}** was critical or high most often: {count} times, last in {year}.")
GRAVE_ONCE = N_("No weakness was critical or high more than once.")
NO_GRAVE = N_("No bug was critical or high.")
_ENDINGS = {
    True: (N_("ended badly"), "/", palette.LOST),
    None: (N_("open"), ".", palette.COOL),
    False: (N_("ended well"), "", palette.EARNED),
}


def currencies(records: Sequence[Record]) -> list[str]:
    """List the currencies that amounts are recorded in, the most frequent first."""
    found = Counter(money.currency for it in records for money in _amounts(it))
    return [name for name, _ in found.most_common()]


def _amounts(record: Record) -> list[Money]:
    match record.facts:
        case InvestmentFacts(invested=invested, returned=returned):
            return [it for it in (invested, returned) if it]
        case BugFacts(loss=loss):
            return [loss] if loss else []
        case _:
            return []


def money_by_year(records: Sequence[Record], currency: str) -> dict[int, tuple[Decimal, Decimal]]:
    """Sum what was invested and what came back by the year of the investment, in one currency."""
    sums: defaultdict[int, list[Decimal]] = defaultdict(lambda: [Decimal(0), Decimal(0)])
    for it in records:
        if isinstance(it.facts, InvestmentFacts) and it.year is not None:
            for place, money in enumerate((it.facts.invested, it.facts.returned)):
                if money and money.currency == currency:
                    sums[it.year][place] += money.amount
    return {year: (put_in, out) for year, (put_in, out) in sorted(sums.items()) if put_in or out}


def money_sentence(by_year: dict[int, tuple[Decimal, Decimal]], currency: str) -> str:
    """Say what went in and what came back in all."""
    put_in = Money(sum((it[0] for it in by_year.values()), Decimal(0)), currency)
    out = Money(sum((it[1] for it in by_year.values()), Decimal(0)), currency)
    return _(MONEY, put_in=as_markdown(formats.money(put_in)), out=as_markdown(formats.money(out)))


def money_figure(records: Sequence[Record], currency: str) -> go.Figure:
    """Draw what came back above the line and what went in below it, by year; the hatching says how it ended."""
    figure = go.Figure()
    for ended, (name, shape, color) in _ENDINGS.items():
        by_year = money_by_year([it for it in records if ended_badly(it) is ended], currency)
        if not by_year:
            continue
        look = {"color": color, "pattern": {"shape": shape}}
        for place, told, sign in ((0, N_("{amount} put in"), -1), (1, N_("{amount} came back"), 1)):
            figure.add_bar(
                x=list(by_year),
                y=[sign * float(it[place]) for it in by_year.values()],
                name=_(name),
                legendgroup=name,
                showlegend=not place,
                width=BAR_YEARS,
                marker=look,
                customdata=[
                    [as_html(_(told, amount=formats.money(Money(it[place], currency))))] for it in by_year.values()
                ],
                hovertemplate=f"%{{x}}: %{{customdata[0]}}<extra>{_(name)}</extra>",
            )
    whole = money_by_year(records, currency).values()
    most_in, most_out = (max((it[place] for it in whole), default=Decimal(0)) for place in (0, 1))
    return palette.framed(
        figure,
        height=320,
        x=_years_axis(len(years_of(records))),
        y=palette.amounts(-float(most_in), float(most_out))
        | {
            "title": _("put in (below), came back (above), {currency}", currency=currency or _("no currency given")),
            "zeroline": True,
        },
        barmode="relative",
    )


def _years_axis(count: int) -> dict[str, object]:
    """Mark every year where there are few enough."""
    return {"tickformat": "d", "dtick": 1} if count <= 12 else {"tickformat": "d"}


def years_of(records: Sequence[Record]) -> set[int]:
    """List the years that records name."""
    return {it.year for it in records if it.year is not None}


def lost_to(records: Sequence[Record], found: Sequence[Cause], currency: str) -> list[tuple[Cause, Decimal]]:
    """Sum the losses in one currency of the records behind each cause, the largest sum first."""
    lost = {it.id: it.loss.amount for it in records if it.loss and it.loss.currency == currency}
    sums = [(cause, sum((lost.get(name, Decimal(0)) for name in cause.records), Decimal(0))) for cause in found]
    return sorted((it for it in sums if it[1] > 0), key=lambda it: (-it[1], it[0].name))


def lost_sentence(lost: Sequence[tuple[Cause, Decimal]], currency: str) -> str:
    """Say what took most of the money that was lost for a reason told."""
    cause, most = lost[0]
    whole = Money(sum((it for _, it in lost), Decimal(0)), currency)
    return _(
        LOST_TO,
        most=as_markdown(formats.money(Money(most, currency))),
        whole=as_markdown(formats.money(whole)),
        name=as_markdown(shorten(cause.name, 120).rstrip(".")),
    )


def lost_figure(lost: Sequence[tuple[Cause, Decimal]], currency: str) -> go.Figure:
    """Draw the money lost to each cause, the largest on top, with the number of investments."""
    rows = lost[:MOST_LOST][::-1]
    figure = go.Figure(
        go.Bar(
            y=[f"{as_html(shorten(cause.name, 34))}{_INVISIBLE * at}" for at, (cause, _) in enumerate(rows)],
            x=[float(amount) for _, amount in rows],
            orientation="h",
            text=[f" {formats.money(Money(amount, currency))} · {len(cause.records)}×" for cause, amount in rows],
            textposition="outside",
            cliponaxis=False,
            marker={"color": palette.LOST, "pattern": {"shape": "/"}},
            hovertemplate="%{y}:%{text}<extra></extra>",
        )
    )
    return palette.framed(
        figure,
        height=90 + 30 * len(rows),
        x=palette.amounts(0, float(lost[0][1]))
        | {
            "title": _("lost, {currency}", currency=currency or _("no currency given")),
            "range": [0, 1.9 * float(lost[0][1])],
        },
        y={"ticklabelstandoff": 8, "showgrid": False},
        bargap=0.4,
    )


def severity_sentence(records: Sequence[Record]) -> str:
    """Say which weakness was critical or high most often, and when last."""
    grave = [it for it in records if isinstance(it.facts, BugFacts) and it.facts.severity in GRAVE]
    if not grave:
        return _(NO_GRAVE)
    counts = Counter(weakness_of(it) for it in grave)
    name, most = min(counts.items(), key=lambda it: (-it[1], it[0]))
    last = max(it.year or 0 for it in grave if weakness_of(it) == name)
    return _(GRAVE_ONCE) if most == 1 else _(MOST_GRAVE, name=as_markdown(name), count=number(most), year=last)


def weakness_of(record: Record) -> str:
    """Name a bug's weakness in words where its CWE is known, else by its CWE, or as "no CWE"."""
    cwe = record.facts.cwe if isinstance(record.facts, BugFacts) else ""
    named = name_of(cwe)
    return said(named) if named else cwe or _("no CWE")


def severity_figure(records: Sequence[Record]) -> go.Figure:
    """Mark each weakness in each year it came: the symbol says the severity, the size and the number how many bugs."""
    most = list(lost_by_cause(records))
    counts: Counter[tuple[str, str, int]] = Counter()
    for it in records:
        if isinstance(it.facts, BugFacts) and it.year is not None and weakness_of(it) in most:
            counts[it.facts.severity, weakness_of(it), it.year] += 1
    figure = go.Figure()
    for at, severity in enumerate(SEVERITIES):
        marks = [(cwe, year, count) for (told, cwe, year), count in sorted(counts.items()) if told == severity]
        if marks:
            figure.add_scatter(
                x=[year + 0.08 * (at - 2) for cwe, year, count in marks],
                y=[as_html(shorten(cwe, 32)) for cwe, *rest in marks],
                mode="markers+text",
                name=said(severity),
                text=[str(count) if count > 1 else "" for *rest, count in marks],
                textposition="top center",
                marker={
                    "symbol": palette.SYMBOL[severity],
                    "color": palette.SEVERITY[severity],
                    "size": [min(26, 9 + 3 * count) for *rest, count in marks],
                    "opacity": 1,
                    "line": {"width": 1.5, "color": palette.SEVERITY[severity]},
                },
                customdata=[[year, count] for _, year, count in marks],
                hovertemplate=f"%{{y}}, %{{customdata[0]}}: %{{customdata[1]}} {said(severity)}<extra></extra>",
            )
    return palette.framed(
        figure,
        height=140 + 30 * len({name for _, name, _ in counts}),
        x=_years_axis(len({year for *_, year in counts})),
        y={
            "categoryorder": "array",
            "categoryarray": [as_html(shorten(it, 32)) for it in most[::-1]],
            "ticklabelstandoff": 8,
        },
    )


def lost_by_cause(records: Sequence[Record]) -> dict[str, Counter[str]]:
    """Count bugs by weakness (their CWE, or "no CWE") and severity, the most frequent weakness first."""
    counts: defaultdict[str, Counter[str]] = defaultdict(Counter)
    for it in records:
        if isinstance(it.facts, BugFacts):
            counts[weakness_of(it)][it.facts.severity] += 1
    ordered = sorted(counts.items(), key=lambda it: (-it[1].total(), it[0]))
    return dict(ordered[:MOST_CAUSES])


def cause_sentence(by_cause: dict[str, Counter[str]]) -> str:
    """Say which weakness came most often."""
    name, counts = next(iter(by_cause.items()))
    bugs, most = sum(it.total() for it in by_cause.values()), counts.total()
    if most == 1:
        return _n("{count} bug, of a weakness of its own.", "{count} bugs, each of a weakness of its own.", bugs)
    return _(
        "{weakness} came most often: {most} of {bugs} bugs.",
        weakness=as_markdown(name),
        most=number(most),
        bugs=number(bugs),
    )


def cause_figure(by_cause: dict[str, Counter[str]]) -> go.Figure:
    """Draw the number of bugs of each weakness, divided by severity; the hatching tells severities apart."""
    names = list(by_cause)[::-1]
    figure = go.Figure(
        [
            go.Bar(
                y=[as_html(shorten(name, 32)) for name in names],
                x=[by_cause[name][severity] for name in names],
                orientation="h",
                name=said(severity),
                marker={"color": palette.SEVERITY[severity], "pattern": {"shape": palette.HATCH[severity]}},
            )
            for severity in SEVERITIES
            if any(by_cause[name][severity] for name in names)
        ]
    )
    return palette.framed(
        figure,
        height=140 + 26 * len(names),
        x={"title": _("bugs")} | ({"dtick": 1} if max(it.total() for it in by_cause.values()) < 10 else {}),
        y={"ticklabelstandoff": 8},
        barmode="stack",
        legend={"traceorder": "normal"},
    )


def show_money(records: Sequence[Record], key: str) -> str | None:
    """Show money in and out by year in the currency chosen; give that currency, or None where there is no amount."""
    known = currencies([it for it in records if isinstance(it.facts, InvestmentFacts)])
    if not known:
        st.markdown(quiet(_(NO_AMOUNT)))
        return None
    currency = st.selectbox(_("Currency"), known, key=f"{key}-currency", width=160) if len(known) > 1 else known[0]
    by_year = money_by_year(records, currency)
    if by_year:
        palette.draw(money_sentence(by_year, currency), money_figure(records, currency), f"{key}-money")
    else:
        st.markdown(quiet(_(NO_YEAR)))
    return currency


def show_severity(records: Sequence[Record], key: str) -> None:
    """Show the severity of bugs over time, by weakness."""
    bugs = [it for it in records if isinstance(it.facts, BugFacts) and it.year is not None]
    if bugs:
        palette.draw(severity_sentence(bugs), severity_figure(bugs), f"{key}-severity")
    else:
        st.markdown(quiet(_(NO_BUG)))


def show_past(records: Sequence[Record]) -> None:
    """Show the plots that the records have something to say in."""
    why = sides_now().why
    left, right = st.columns(2, gap="large")
    with left:
        st.header(_("Money in and out"), anchor=False)
        currency = show_money(records, "past")
        st.header(_("What the money was lost to"), anchor=False)
        money = [it for it in records if isinstance(it.facts, InvestmentFacts)]
        lost = lost_to(money, causes([it for it in money if it.loss], why), currency or "")
        if lost:
            palette.draw(lost_sentence(lost, currency or ""), lost_figure(lost, currency or ""), "past-lost")
        else:
            st.markdown(quiet(_(NO_LOSS)))
    with right:
        st.header(_("What went wrong in code"), anchor=False)
        by_cause = lost_by_cause(records)
        if by_cause:
            palette.draw(cause_sentence(by_cause), cause_figure(by_cause), "past-causes")
        else:
            st.markdown(quiet(_(NO_BUG)))
        st.header(_("How grave, over time"), anchor=False)
        show_severity(records, "past")
    st.header(_("Map of your memory"), anchor=False)
    left, right = st.columns(2, gap="large")
    with left:
        show_map(Kind.INVESTMENT)
    with right:
        show_map(Kind.BUG)
    st.page_link(
        TRACK_RECORD.path,
        label=_("Patterns in these records"),
        icon=":material/insights:",
        query_params={VIEW: PATTERNS},
    )
