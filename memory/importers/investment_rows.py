"""A row of a portfolio as the facts of an investment. Pure."""

from __future__ import annotations

import re
from decimal import Decimal

from memory.importers.amounts import read_multiple
from memory.importers.dates import read_span
from memory.importers.row_reading import Reading, RowReader
from memory.importers.vocabulary import fold
from memory.money import Money
from memory.records import LOST, InvestmentFacts, Outcome

_ENDED = LOST | {Outcome.ACQUIRED, Outcome.EXITED}
_FOOTNOTE = re.compile(r"(?<=\w)\s*[*†‡§¹²³⁴-⁹]+$")
_LOSS_WORDS = frozenset({"loss", "losses", "lost", "off", "损失"})


class InvestmentReader(RowReader):
    """Reads rows into ``InvestmentFacts``."""

    def facts(self, reading: Reading) -> InvestmentFacts:
        """Make the facts of one row."""
        row = reading.row
        outcome = self.outcome_of(reading, "outcome")
        outcome = self.mapping.outcome if outcome is None else outcome
        year, year_end = self._years(reading)
        invested, returned = self._money(reading, outcome)
        summary, cause = [self.text(row, "summary")], [self.text(row, "cause")]
        if notes := self.text(row, "notes"):
            (cause if outcome in LOST else summary).append(notes)
        if raised := self.text(row, "raised"):
            summary.append(f"Raised in all: {raised}")
        return InvestmentFacts(
            company=_FOOTNOTE.sub("", self.text(row, "company")),
            sector=self.text(row, "sector"),
            summary="\n".join(part for part in summary if part),
            year=year,
            year_end=year_end,
            outcome=outcome,
            invested=invested,
            returned=returned,
            cause="\n".join(part for part in cause if part),
            lesson=self.text(row, "lesson"),
        )

    def _years(self, reading: Reading) -> tuple[int | None, int | None]:
        start, end = self.date(reading, "year"), self.date(reading, "year_end")
        year, year_end = start.year if start else None, end.year if end else None
        if span := self.text(reading.row, "years"):
            try:
                first, last = read_span(span)
            except ValueError as error:
                reading.hold(self.header("years"), str(error), span)
            else:
                year, year_end = year or first, year_end or last
        if year and year_end and year_end < year:
            reading.hold(self.header("year_end"), "it ends before it starts", str(year_end))
            year_end = None
        return year, year_end

    def _money(self, reading: Reading, outcome: Outcome) -> tuple[Money | None, Money | None]:
        invested = self._paid(reading, "invested")
        returned = self._paid(reading, "returned", invested.currency if invested else "")
        gain = self._gain(reading)
        if gain and invested and returned is None and gain.currency == invested.currency:
            returned = Money(max(invested.amount + gain.amount, Decimal(0)), invested.currency)
        elif gain and gain.amount < 0 and invested is None and returned is None:
            invested, returned = Money(-gain.amount, gain.currency), Money(Decimal(0), gain.currency)
            reading.remarks.append("only a loss is stated; the amount invested is taken to be at least that")
        multiple = self._multiple(reading, outcome)
        if invested and returned is None and multiple is not None:
            returned = Money(invested.amount * multiple, invested.currency)
        return invested, returned

    def _paid(self, reading: Reading, name: str, of_nothing: str = "") -> Money | None:
        read = self.amount(reading, name, of_nothing)
        return Money(abs(read.money.amount), read.money.currency) if read else None

    def _gain(self, reading: Reading) -> Money | None:
        read = self.amount(reading, "gain")
        if read is None:
            return None
        only_loss = bool(_LOSS_WORDS & set(fold(self.header("gain")).split())) and "gain" not in fold(
            self.header("gain")
        )
        profit = {"p", "pnl", "profit"} & set(fold(self.header("gain")).split())
        amount = -abs(read.money.amount) if only_loss and not profit else read.money.amount
        return Money(amount, read.money.currency)

    def _multiple(self, reading: Reading, outcome: Outcome) -> Decimal | None:
        """Read the multiple where the investment has ended and the two do not contradict each other."""
        text = self.text(reading.row, "multiple")
        if not text or outcome not in _ENDED:
            return None
        try:
            multiple = read_multiple(text)
        except ValueError as error:
            reading.hold(self.header("multiple"), str(error), text)
            return None
        if outcome in LOST and multiple >= 1:
            reading.remarks.append("the status says lost and the multiple says gained; no return is stored")
            return None
        return multiple
