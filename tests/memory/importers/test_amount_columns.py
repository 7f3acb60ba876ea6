"""What headers, neighbours and the lines above tell of amounts, and what a spreadsheet's formats do."""

from __future__ import annotations

import io
from collections.abc import Callable
from decimal import Decimal

import openpyxl
import pytest

from memory.importers.amount_columns import AmountColumn, decimal_mark, read_header, said_above
from memory.importers.amounts import read_amount
from memory.importers.mapping import guess_mapping
from memory.importers.number_formats import number_text
from memory.importers.plan import ImportPlan
from memory.importers.planning import plan_import
from memory.importers.reading import read_table
from memory.money import Money
from memory.records import InvestmentFacts, Kind

Sheet = openpyxl.worksheet.worksheet.Worksheet


def plan_of(content: str | bytes, name: str = "deals.csv") -> ImportPlan:
    table = read_table(content.encode() if isinstance(content, str) else content, name)
    return plan_import(table, guess_mapping(table, Kind.INVESTMENT))


def invested(plan: ImportPlan) -> dict[str, str]:
    facts = [row.facts for row in plan.accepted]
    return {
        it.company: f"{it.invested.currency} {it.invested.amount}" if it.invested else ""
        for it in facts
        if isinstance(it, InvestmentFacts)
    }


def book(write: Callable[[Sheet], None]) -> bytes:
    made, target = openpyxl.Workbook(), io.BytesIO()
    write(made.active)
    made.save(target)
    return target.getvalue()


@pytest.mark.parametrize(
    ("header", "currency", "scale"),
    [
        ("投资金额（万元）", "CNY", 10**4),
        ("退出金额(百万美元)", "USD", 10**6),
        ("Rückfluss T€", "EUR", 1_000),
        ("Betrag TEUR", "EUR", 1_000),
        ("Cost (HK$ m)", "HKD", 10**6),
        ("Investment (A$)", "AUD", 1),
        ("Amount (₹ Cr)", "INR", 10**7),
        ("Invested [USD 000s]", "USD", 1_000),
        ("Investors", "", 1),
    ],
)
def test_headers_tell_units_in_the_words_of_their_country(header: str, currency: str, scale: int) -> None:
    assert read_header(header) == AmountColumn(currency, scale)


def test_three_decimals_are_no_thousands_where_amounts_stand_in_millions() -> None:
    plan = plan_of("company,year,cost (USD m)\nAlder,2010,1.125\nBirch,2011,0.5\nCedar,2012,12.5\n")
    assert invested(plan) == {"Alder": "USD 1125000", "Birch": "USD 500000", "Cedar": "USD 12500000"}
    assert read_amount("$1.125M", AmountColumn()).money == Money(Decimal(1_125_000), "USD")
    assert read_amount("1.250", AmountColumn("EUR", 1_000, ",")).money == Money(Decimal(1_250_000), "EUR")
    assert read_amount("€ 2.500", AmountColumn()).money == Money(Decimal(2_500), "EUR")


def test_what_stands_before_decimals_is_learnt_from_cells_that_agree() -> None:
    assert decimal_mark(["1.234,56", "80"]) == ","
    assert decimal_mark(["1,234.5", "1,00,000"]) == "."
    assert decimal_mark(["1.234,56", "1,234.56"]) == decimal_mark(["1,250", "2.500"]) == ""


@pytest.mark.parametrize(
    ("line", "currency", "scale"),
    [
        ("All amounts in USD thousands", "USD", 1_000),
        ("Track record (₹ in lakhs)", "INR", 10**5),
        ("单位：万元", "CNY", 10**4),
        ("Figures in EUR", "EUR", 1),
        ("Fund size in all: $50m", "", 1),
        ("Invested in 12 companies", "", 1),
    ],
)
def test_a_line_above_the_table_tells_what_its_amounts_are_in(line: str, currency: str, scale: int) -> None:
    assert said_above([line])[0] == AmountColumn(currency, scale)


def test_a_line_above_scales_bare_amounts_and_is_said() -> None:
    plan = plan_of(
        'Northwind\n"All amounts in USD thousands"\ncompany,year,invested\nLark,2015,250\nMerlin,2016,"$3m"\n'
    )
    assert invested(plan) == {"Lark": "USD 250000", "Merlin": "USD 3000000"}
    assert any("All amounts in USD thousands" in trap for trap in plan.traps)


@pytest.mark.parametrize(
    ("text", "money"),
    [
        ("approx. $500k", "USD 500000"),
        ("€1,5 Mio.", "EUR 1500000"),
        ("Rs. 50,000/-", "INR 50000"),
        ("Rs 50 Lacs", "INR 5000000"),
        ("1.5E+06 USD", "USD 1500000"),
        ("CA$2m", "CAD 2000000"),
        ("3千万元", "CNY 30000000"),
        ("５００万円", "JPY 5000000"),
    ],
)
def test_amounts_are_read_as_their_country_writes_them(text: str, money: str) -> None:
    read = read_amount(text, AmountColumn()).money
    assert f"{read.currency} {read.amount}" == money


def test_the_sign_of_yen_and_yuan_is_told_by_the_language_of_the_file() -> None:
    assert invested(plan_of("公司,年份,金额\n远山,2019,￥300万\n")) == {"远山": "CNY 3000000"}
    assert invested(plan_of("会社名,年,投資額\nさくら,2019,¥300万\n")) == {"さくら": "JPY 3000000"}
    assert invested(plan_of("company,year,cheque\nHill,2019,¥300\n")) == {"Hill": "JPY 300"}


@pytest.mark.parametrize(
    ("value", "shown", "text"),
    [
        (1234.567, "[$$-409]#,##0.000", "USD 1234.5670"),
        (1000, "[$¥-804]#,##0", "CNY 1000"),
        (1000, "[$¥-411]#,##0", "JPY 1000"),
        (1000, "[$$-C09]#,##0", "AUD 1000"),
        (1000, "[$kr-41D] #,##0", "SEK 1000"),
        (1.5, '$#,##0.0"M"', "USD 1.50M"),
        (1_500_000, '$#,##0.0,,"M"', "USD 1500000"),
        (0.125, "0.0%", "0.1250"),
        (1000.5, '_-* #,##0.00 "€"_-', "EUR 1000.50"),
    ],
)
def test_a_number_says_currency_and_scale_of_its_format(value: float, shown: str, text: str) -> None:
    assert number_text(value, shown) == text


def test_groups_over_the_header_and_cells_merged_downwards_are_read() -> None:
    def write(sheet: Sheet) -> None:
        sheet.append(["Company", "Entry", None, "Exit", None])
        sheet.append([None, "Date", "Amount", "Date", "Amount"])
        sheet.append(["Ilex", "2013-01-02", "$10,000", "2015-06-07", "$4,000"])
        sheet.append([None, "2014-01-02", "$20,000", None, None])
        sheet.merge_cells("A3:A4")

    plan = plan_of(book(write), "deals.xlsx")
    first, second = (row.facts for row in plan.accepted)
    assert isinstance(first, InvestmentFacts)
    assert (first.year, first.year_end, str(first.returned)) == (2013, 2015, "$4,000")
    assert second.title == "Ilex"


def test_a_formula_whose_value_was_never_stored_is_said() -> None:
    plan = plan_of(
        book(lambda sheet: [sheet.append(it) for it in (["Company", "Invested ($)"], ["Ivy", "=2*5"])]), "x.xlsx"
    )
    assert any("value was never stored" in trap for trap in plan.traps)
