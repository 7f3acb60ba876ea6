"""The past in plots: money in and out, and what went wrong, each with a sentence that says what it shows."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Sequence
from decimal import Decimal

import plotly.graph_objects as go
import streamlit as st

from memory.money import Money
from memory.records import SEVERITIES, BugFacts, InvestmentFacts, Record
from ui.components import palette
from ui.plain import as_html, as_markdown, shorten

MOST_CAUSES = 12


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
    return f"Of {as_markdown(str(put_in))} invested, records say that {as_markdown(str(out))} came back."


def money_figure(by_year: dict[int, tuple[Decimal, Decimal]], currency: str) -> go.Figure:
    """Draw what went in (plain bars) beside what came back (hatched bars), year by year."""
    years = [str(year) for year in by_year]
    figure = go.Figure(
        [
            go.Bar(
                x=years, y=[float(it[0]) for it in by_year.values()], name="invested", marker={"color": palette.COOL}
            ),
            go.Bar(
                x=years,
                y=[float(it[1]) for it in by_year.values()],
                name="came back",
                marker={"color": palette.EARNED, "pattern": {"shape": "/"}},
            ),
        ]
    )
    return _framed(figure, f"amount, {currency or 'no currency given'}")


def lost_by_cause(records: Sequence[Record]) -> dict[str, Counter[str]]:
    """Count bugs by weakness (their CWE, or "no CWE") and severity, the most frequent weakness first."""
    counts: defaultdict[str, Counter[str]] = defaultdict(Counter)
    for it in records:
        if isinstance(it.facts, BugFacts):
            counts[it.facts.cwe or "no CWE"][it.facts.severity] += 1
    ordered = sorted(counts.items(), key=lambda it: (-it[1].total(), it[0]))
    return dict(ordered[:MOST_CAUSES])


def cause_sentence(by_cause: dict[str, Counter[str]]) -> str:
    """Say which weakness came most often."""
    name, counts = next(iter(by_cause.items()))
    bugs, most = sum(it.total() for it in by_cause.values()), counts.total()
    if most == 1:
        return f"{bugs} bugs, each of a weakness of its own."
    return f"{as_markdown(name)} came most often: {most} of {bugs} bugs."


def cause_figure(by_cause: dict[str, Counter[str]]) -> go.Figure:
    """Draw the number of bugs of each weakness, divided by severity; the hatching tells severities apart."""
    shapes = dict(zip(SEVERITIES, ("x", "/", "", ".", "-"), strict=True))
    names = list(by_cause)[::-1]
    figure = go.Figure(
        [
            go.Bar(
                y=[as_html(shorten(name, 32)) for name in names],
                x=[by_cause[name][severity] for name in names],
                orientation="h",
                name=severity,
                marker={"color": palette.SEVERITY[severity], "pattern": {"shape": shapes[severity]}},
            )
            for severity in SEVERITIES
            if any(by_cause[name][severity] for name in names)
        ]
    )
    figure.update_layout(
        barmode="stack",
        yaxis={"automargin": True, "ticklabelstandoff": 8},
        xaxis={"dtick": 1} if max(it.total() for it in by_cause.values()) < 10 else {},
        legend_traceorder="normal",
    )
    return _framed(figure, "", "bugs", height=140 + 26 * len(names))


def _framed(figure: go.Figure, y_title: str, x_title: str = "", height: int = 320) -> go.Figure:
    return figure.update_layout(
        height=height,
        margin={"l": 8, "r": 8, "t": 8, "b": 8},
        yaxis_title=y_title,
        xaxis_title=x_title,
        legend={"orientation": "h", "y": 1.02, "yanchor": "bottom", "x": 0},
    )


def show_past(records: Sequence[Record]) -> None:
    """Show the plots that the records have something to say in."""
    known = currencies([it for it in records if isinstance(it.facts, InvestmentFacts)])
    left, right = st.columns(2, gap="large")
    with left:
        st.subheader("Money in and out", anchor=False)
        if known:
            currency = st.selectbox("Currency", known, key="past-currency", width=160) if len(known) > 1 else known[0]
            by_year = money_by_year(records, currency)
            if by_year:
                said = money_sentence(by_year, currency)
                st.markdown(said)
                st.plotly_chart(
                    money_figure(by_year, currency), key="past-money", alt=said, config={"displayModeBar": False}
                )
            else:
                st.markdown(":gray[The records with amounts in this currency name no year.]")
        else:
            st.markdown(":gray[No investment is recorded with an amount yet.]")
    with right:
        st.subheader("What went wrong in code", anchor=False)
        by_cause = lost_by_cause(records)
        if by_cause:
            said = cause_sentence(by_cause)
            st.markdown(said)
            st.plotly_chart(cause_figure(by_cause), key="past-causes", alt=said, config={"displayModeBar": False})
        else:
            st.markdown(":gray[No bug is recorded yet.]")
