"""Dates and amounts as people write them."""

from __future__ import annotations

from datetime import date
from decimal import Decimal

import pytest
from hypothesis import given
from hypothesis import strategies as st

from memory.importers.amount_columns import AmountColumn, read_header
from memory.importers.amounts import read_amount, read_multiple
from memory.importers.dates import DateOrder, find_order, read_date, read_span


@pytest.mark.parametrize(
    ("text", "iso"),
    [
        ("2021-07-09", "2021-07-09"),
        ("2021-07-09T10:00:00Z", "2021-07-09"),
        ("2021-07-09 10:00:00", "2021-07-09"),
        ("09/Jul/21 17:20", "2021-07-09"),
        ("9 July 2021", "2021-07-09"),
        ("July 9, 2021", "2021-07-09"),
        ("09.07.2021", "2021-07-09"),
        ("44386", "2021-07-09"),
        ("2021年7月9日", "2021-07-09"),
        ("Jul-21", "2021-07"),
        ("07/2021", "2021-07"),
        ("Q3 2021", "2021"),
        ("3Q21", "2021"),
        ("FY22", "2022"),
        ("FY 2021/22", "2022"),
        ("mid-2014", "2014"),
        ("20210709", "2021-07-09"),
        ("2021", "2021"),
        ("25/12/2021", "2021-12-25"),
        ("12/25/2021", "2021-12-25"),
    ],
)
def test_dates_are_read_however_they_are_written(text: str, iso: str) -> None:
    assert str(read_date(text)) == iso


@pytest.mark.parametrize("text", ["soon", "31/02/2021", "2021-13-01", "1066", "99999999", "Smarch 2020"])
def test_what_is_no_date_is_refused_with_its_text(text: str) -> None:
    with pytest.raises(ValueError, match=text[:4]):
        read_date(text)


def test_an_ambiguous_date_is_marked_and_follows_the_order_given() -> None:
    assert read_date("03/04/2019").ambiguous
    assert str(read_date("03/04/2019", DateOrder.DAY_FIRST)) == "2019-04-03"
    assert str(read_date("03/04/2019", DateOrder.MONTH_FIRST)) == "2019-03-04"
    assert not read_date("04/04/2019").ambiguous


def test_the_order_of_a_column_is_found_from_its_clear_dates() -> None:
    assert find_order(["03/04/2019", "25/04/2019"]) == (DateOrder.DAY_FIRST, False)
    assert find_order(["03/04/2019", "04/25/2019"]) == (DateOrder.MONTH_FIRST, False)
    assert find_order(["25/04/2019", "04/25/2019"]) == (None, True)
    assert find_order(["03/04/2019"]) == (None, False)


@given(st.dates(date(1970, 1, 1), date(2069, 12, 31)), st.sampled_from(DateOrder))
def test_a_date_written_in_an_order_is_read_in_that_order(day: date, order: DateOrder) -> None:
    text = day.strftime("%d/%m/%Y" if order is DateOrder.DAY_FIRST else "%m/%d/%Y")
    assert str(read_date(text, order)) == day.isoformat()


def test_spans_give_their_years() -> None:
    assert read_span("4 (2011-2015)") == (2011, 2015)
    assert read_span("2019 – present") == (2019, None)
    with pytest.raises(ValueError, match="ends before"):
        read_span("2015-2011")


@pytest.mark.parametrize(
    ("text", "amount", "currency"),
    [
        ("₹50k", 50_000, "INR"),
        ("₹ 2,00,000", 200_000, "INR"),
        ("₹1.5L", 150_000, "INR"),
        ("Rs. 2 crore", 20_000_000, "INR"),
        ("5万元", 50_000, "CNY"),
        ("¥1.2亿", 120_000_000, "JPY"),
        ("€ 50.000,00", 50_000, "EUR"),
        ("CHF 50'000", 50_000, "CHF"),
        ("50 000 €", 50_000, "EUR"),
        ("USD 100,000.00", 100_000, "USD"),
        ("$1-2M", 1_500_000, "USD"),
        ("€10k – €20k", 15_000, "EUR"),
        ("($1,200)", -1_200, "USD"),
        ("$(1,200)", -1_200, "USD"),
        ("-€500", -500, "EUR"),
        ("$1.3bn", 1_300_000_000, "USD"),
        ("$3M (post-money)", 3_000_000, "USD"),
        ("25k", 25_000, ""),
        ("? 2,00,000", 200_000, ""),
    ],
)
def test_amounts_are_read_with_scale_and_currency(text: str, amount: int, currency: str) -> None:
    read = read_amount(text, AmountColumn()).money
    assert (read.amount, read.currency) == (Decimal(amount), currency)


@pytest.mark.parametrize("text", ["see notes", "1e6", "$1 and €2", "$1M post", "12 apples"])
def test_what_is_no_single_amount_is_refused(text: str) -> None:
    with pytest.raises(ValueError, match="amount"):
        read_amount(text, AmountColumn())


def test_a_lost_currency_sign_is_never_replaced_by_a_default() -> None:
    read = read_amount("? 2,00,000", AmountColumn("USD"), "USD")
    assert read.money.currency == ""
    assert "lost" in read.remarks[0]


@pytest.mark.parametrize(
    ("header", "currency", "scale"),
    [
        ("Invested (USD mm)", "USD", 10**6),
        ("amount_inr", "INR", 1),
        ("investment_mm", "", 10**6),
        ("Cheque €k", "EUR", 1_000),
        ("Invested $'000", "USD", 1_000),
        ("Amount (₹ lakh)", "INR", 10**5),
        ("Cheque (orig. ccy)", "", 1),
    ],
)
def test_a_header_tells_currency_and_scale(header: str, currency: str, scale: int) -> None:
    assert read_header(header) == AmountColumn(currency, scale)


def test_a_scale_in_the_cell_is_not_applied_twice() -> None:
    assert read_amount("3M", AmountColumn("USD", 10**6)).money.amount == 3_000_000
    assert read_amount("3", AmountColumn("USD", 10**6)).money.amount == 3_000_000


def test_multiples_are_read_with_comma_or_point() -> None:
    assert read_multiple("3.2x") == read_multiple("3,2 x") == Decimal("3.2")


@given(st.integers(0, 10**12), st.sampled_from(["₹", "$", "€", "£"]))
def test_a_grouped_amount_is_read_back_exactly(amount: int, sign: str) -> None:
    assert read_amount(f"{sign}{amount:,}", AmountColumn()).money.amount == amount
