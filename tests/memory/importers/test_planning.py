"""A plan says for every row what it would become, or where and why it would not be stored."""

from __future__ import annotations

import io
import json
from decimal import Decimal

import openpyxl
import pytest
from hypothesis import given
from hypothesis import strategies as st

from memory.importers.dates import DateOrder, read_date
from memory.importers.mapping import guess_mapping
from memory.importers.plan import ImportPlan
from memory.importers.plan_report import plan_text
from memory.importers.planning import plan_import
from memory.importers.reading import read_table
from memory.importers.remembered import answered, corrected
from memory.importers.tables import Row, Table
from memory.money import Money
from memory.records import BugFacts, InvestmentFacts, Kind, Note, Outcome
from memory.view import record_json
from tests.memory.conftest import MakeRecord

PORTFOLIO = """Club deals – as of 31.12.2023,,,,,,,
Company,Round,Date Invested,Cheque (orig. ccy),Sector,Status,MOIC,Notes
Albatros,Seed,03/04/2019,"$25,000",Logistics,Dead,0x,Fuel costs ate the margin
Biber,Seed,2019-04-03,"€ 50.000,00",Timber,exit (M&A),2.0x,sold to a saw mill
Chamois,SAFE,Apr-19,25k,Outdoor,Live,3.2x,
Dachs,Seed,43558,"USD 100,000.00",Robotics,written off,N/A,The team left
Elster,Seed,tbd,n/a,Retail,IPO,-,
Falke,Seed,Q2 2019,"(10,000)",Retail,dissolved ,3.0x,two rounds and no product
Dachs,Seed,43558,"USD 100,000.00",Robotics,written off,N/A,The team left
Gams,Seed,2019,"? 2,00,000",Retail,zombie,,
,Seed,2019,$5,Retail,Live,,
TOTAL,,,=SUM(D3:D9),,,,
"=HYPERLINK(""http://x.test"",""y"")",Seed,2020-01-01,$1,x,Live,,
"""


def plan_of(content: str | bytes, name: str = "deals.csv", **answers: str) -> ImportPlan:
    table = read_table(content.encode() if isinstance(content, str) else content, name)
    mapping = guess_mapping(table)
    for key, value in answers.items():
        mapping = answered(table, mapping, key, value)
    return plan_import(table, mapping)


def facts_of(plan: ImportPlan) -> dict[str, InvestmentFacts | BugFacts]:
    return {row.facts.title: row.facts for row in plan.accepted}


def test_a_messy_portfolio_is_read_row_by_row() -> None:
    plan = plan_of(PORTFOLIO)
    facts = facts_of(plan)
    assert list(facts) == ["Albatros", "Biber", "Chamois", "Dachs", "Elster", "Falke", "Gams"]
    albatros, biber, dachs = facts["Albatros"], facts["Biber"], facts["Dachs"]
    assert isinstance(albatros, InvestmentFacts)
    assert isinstance(biber, InvestmentFacts)
    assert isinstance(dachs, InvestmentFacts)
    assert albatros.invested == Money(Decimal(25_000), "USD")
    assert albatros.returned == Money(Decimal(0), "USD")
    assert albatros.cause == "Fuel costs ate the margin"
    assert biber.outcome is Outcome.ACQUIRED
    assert biber.invested == Money(Decimal(50_000), "EUR")
    assert biber.returned == Money(Decimal(100_000), "EUR")
    assert biber.summary == "sold to a saw mill"
    assert dachs.year == 2019
    assert {name: it.outcome for name, it in facts.items()} == {
        "Albatros": Outcome.SHUT_DOWN, "Biber": Outcome.ACQUIRED, "Chamois": Outcome.OPERATING,
        "Dachs": Outcome.WRITTEN_OFF, "Elster": Outcome.WENT_PUBLIC, "Falke": Outcome.SHUT_DOWN,
        "Gams": Outcome.UNKNOWN,
    }  # fmt: skip
    assert plan.accepted[0].source == "deals.csv:3"


def test_an_amount_of_more_digits_than_any_money_sets_its_row_aside_and_no_other() -> None:
    amounts = {"Albatros": "9" * 40, "Biber": f"0.{'0' * 50}1", "Chamois": "5"}
    rows = "".join(f"{company},${amount},2020,Dead\n" for company, amount in amounts.items())
    table = read_table(f"Company,Invested,Year,Outcome\n{rows}".encode(), "x.csv")
    plan = plan_import(table, guess_mapping(table))
    assert [(it.line, it.reason.partition(" must ")[0]) for it in plan.set_aside] == [(2, "invested"), (3, "invested")]
    assert [it.line for it in plan.accepted] == [4]


def test_what_is_set_aside_says_line_column_and_reason() -> None:
    reasons = {it.line: (it.column, it.reason) for it in plan_of(PORTFOLIO).set_aside}
    assert reasons == {
        9: ("Company", "it is the same as line 6"),
        11: ("Company", "company is empty"),
        12: ("Company", "it is a row of totals, not a record"),
        13: ("Company", "its name is a formula, not a text"),
    }


def test_every_trap_of_the_portfolio_is_named_in_words() -> None:
    said = " ".join(plan_of(PORTFOLIO).traps)
    for words in (
        "header is on line 2", "names no currency", "day numbers", "in brackets", "currency sign was lost",
        "stands in the file twice", "Rows of totals", "Formulas are never run", "status 'zombie'",
        "status says lost and the multiple says gained",
    ):  # fmt: skip
        assert words in said, words


def test_what_the_file_does_not_say_is_asked() -> None:
    assert [it.key for it in plan_of(PORTFOLIO).questions] == ["date_order", "currency", "status:zombie"]


def test_an_answer_changes_the_plan_and_takes_the_question_away() -> None:
    plan = plan_of(PORTFOLIO, currency="CHF", date_order="month_first", **{"status:zombie": "operating"})
    assert plan.questions == ()
    facts = facts_of(plan)
    chamois, gams = facts["Chamois"], facts["Gams"]
    assert isinstance(chamois, InvestmentFacts)
    assert isinstance(gams, InvestmentFacts)
    assert chamois.invested == Money(Decimal(25_000), "CHF")
    assert gams.invested is None, "a lost sign is not answered by a default"
    assert gams.outcome is Outcome.OPERATING
    assert dict(plan.accepted[0].dates) == {"Date Invested": "2019-03-04"}


def test_dates_follow_the_order_of_the_file() -> None:
    plan = plan_of("company,date invested\nAlbatros,25/12/2019\nBiber,03/04/2019\n")
    assert dict(plan.accepted[1].dates) == {"date invested": "2019-04-03"}
    assert "date_order" not in {it.key for it in plan.questions}


def test_what_dates_prove_counts_before_what_was_answered_for_another_file() -> None:
    text = "company,date invested,cheque\nAlbatros,25/12/2019,5\nBiber,03/04/2019,6\n"
    plan = plan_of(text, date_order="month_first", currency="CHF")
    assert dict(plan.accepted[1].dates) == {"date invested": "2019-04-03"}
    assert any("in one order only" in trap for trap in plan.traps)
    assert any("read as CHF" in trap for trap in plan.traps)


def test_an_unreadable_amount_sets_its_row_aside_but_leaves_the_choice() -> None:
    plan = plan_of("company,year,cheque\nAlbatros,2019,$5k\nBiber,2020,ask Jo\n")
    (aside,) = plan.set_aside
    assert (aside.line, aside.column, aside.value) == (3, "cheque", "ask Jo")
    assert plan.choosable[0].facts.title == "Biber"


def test_what_companies_raised_is_never_taken_for_money_invested() -> None:
    plan = plan_of("name,sector,how_much_they_raised,why_they_failed\nAlbatros,Air,$5M,too slow\n")
    (row,) = plan.accepted
    assert isinstance(row.facts, InvestmentFacts)
    assert row.facts.invested is None
    assert "$5M" in row.facts.summary
    assert any("not what you invested" in trap for trap in plan.traps)


def test_a_column_of_losses_in_brackets_gives_the_loss() -> None:
    plan = plan_of('company,invested,gain/loss,status\nAlbatros,"$10,000","($4,000)",sold\nBiber,,"$(3,000)",dead\n')
    facts = facts_of(plan)
    assert facts["Albatros"].loss == Money(Decimal(4_000), "USD")
    assert facts["Biber"].loss == Money(Decimal(3_000), "USD")


SHIFTED = "name,sector,why_they_failed,takeaway,giants,no_budget,competition,hype\n" + "".join(
    [
        *(f"Sound {n},Retail,Closed in 2019 for lack of money,Save early,1,0,{n % 2},0\n" for n in range(12)),
        "Slid one,Retail,Closed in 2019, lost its lease,Save early,1,0,1\n",
        "Slid two,Retail,Closed in 2018, lost a suit, ran dry,,0,1,1\n",
        "Slid tight,Retail,Closed in 2017,lost a suit,Save early,0,1,1\n",
    ]
)


def test_rows_that_slid_are_held_though_their_cells_are_as_many_as_the_columns() -> None:
    plan = plan_of(SHIFTED)
    assert len(plan.accepted) == 12
    assert [it.line for it in plan.set_aside] == [14, 15, 16]
    assert all("shifted" in it.reason and it.row is None for it in plan.set_aside)
    assert any("slid into the wrong columns" in trap and "3 rows" in trap for trap in plan.traps)


def test_sound_rows_are_not_held_for_a_style_of_spaces_after_commas() -> None:
    text = "company, year, outcome, cheque\n" + "".join(f"Firm {n}, 20{n}, closed, $5k\n" for n in range(10, 24))
    assert len(plan_of(text).accepted) == 14


@pytest.mark.parametrize("extra", [",one more", ",one more,and more"])
def test_a_row_with_too_many_cells_is_held(extra: str) -> None:
    plan = plan_of(f"company,year,notes\nAlbatros,2019,fine\nBiber,2020,a note{extra}\nChamois,2021,fine\n")
    assert [it.line for it in plan.set_aside] == [3]


@given(st.integers(0, 11), st.integers(1, 2))
def test_a_row_that_slid_anywhere_among_typed_columns_is_never_accepted(at: int, by: int) -> None:
    header = "company,what,why,date,amount,flag,count,code"
    rows = [f"Firm {n},does things,ran out,2019-01-{n + 1:02d},$5k,1,{n},AB{n}".split(",") for n in range(12)]
    rows[at] = (rows[at][:2] + [" and more"] * by + rows[at][2:])[:8]
    text = header + "\n" + "\n".join(",".join(row) for row in rows)
    assert at + 2 in {it.line for it in plan_of(text).set_aside}


def test_columns_that_hold_something_and_become_nothing_are_named() -> None:
    plan = plan_of("company,year,Blorb,empty\nAlbatros,2019,12 kr,\nBiber,2020,9 kr,\n")
    assert plan.unread == ("Blorb",)
    assert plan_of("company,year\nAlbatros,2019\n").unread == ()


def test_a_corrected_mapping_is_used() -> None:
    table = read_table(b"Vehicle,When,Blurb\nAlbatros,2019,flies\n", "x.csv")
    mapping = corrected(
        table, guess_mapping(table, Kind.INVESTMENT), {"columns": {"company": "Vehicle", "summary": "Blurb"}}
    )
    (row,) = plan_import(table, mapping).accepted
    assert row.facts == InvestmentFacts("Albatros", summary="flies", year=2019)


def test_jira_repeated_columns_and_custom_fields_are_understood() -> None:
    text = (
        "Summary,Issue key,Issue Type,Status,Priority,Resolution,Created,Resolved,Labels,Labels,Description,"
        "Custom field (Bug Root Cause)\n"
        "Clock drifts,T-1,Bug,Resolved,Blocker,Fixed,30/Sep/21 17:20,20/Jul/22 20:51,time,CWE-190,It drifts,Overflow\n"
        "Same again,T-2,Bug,Closed,Minor,Duplicate,30/Sep/21 17:20,20/Jul/22 20:51,,,Also drifts,\n"
        "New look,T-3,Story,Open,Major,,30/Sep/21 17:20,,,,Shiny,\n"
        "Still there,T-4,Bug,In Progress,Major,,30/Sep/21 17:20,,,,Bad,\n"
    )
    plan = plan_of(text, "jira.csv")
    facts = facts_of(plan)
    assert plan.table.shape == "jira"
    clock = facts["Clock drifts"]
    assert clock == BugFacts(
        "Clock drifts", cwe="CWE-190", severity="critical", year=2021, outcome=Outcome.FIXED, symptom="It drifts",
        root_cause="Overflow",
    )  # fmt: skip
    assert facts["Still there"].outcome is Outcome.OPEN
    assert [(it.line, it.column) for it in plan.set_aside] == [(3, "Resolution"), (4, "Issue Type")]
    assert len(plan.choosable) == 2


GITHUB = [
    {"number": 1, "title": "Crash on start", "state": "closed", "state_reason": "completed",
     "labels": [{"name": "bug"}], "body": "boom",
     "created_at": "2021-01-02T00:00:00Z", "closed_at": "2021-02-02T00:00:00Z"},
    {"number": 2, "title": "Add dark mode", "state": "open", "state_reason": None, "labels": [{"name": "enhancement"}],
     "created_at": "2021-01-02T00:00:00Z", "closed_at": None, "body": None},
    {"number": 3, "title": "Fix crash", "state": "closed", "state_reason": None, "labels": [],
     "created_at": "2021-01-02T00:00:00Z", "closed_at": None, "body": None, "pull_request": {"url": "x"}},
    {"number": 4, "title": "Leaks", "state": "open", "state_reason": None, "labels": [{"name": "bug"}],
     "created_at": "2022-01-02T00:00:00Z", "closed_at": None, "body": ""},
]  # fmt: skip


def test_github_rest_issues_leave_pull_requests_and_wishes_aside() -> None:
    plan = plan_of(json.dumps(GITHUB), "issues.json")
    assert {name: (it.outcome, it.year) for name, it in facts_of(plan).items()} == {
        "Crash on start": (Outcome.FIXED, 2021),
        "Leaks": (Outcome.OPEN, 2022),
    }
    assert [it.line for it in plan.set_aside] == [2, 3]


def test_github_command_line_issues_are_the_same_shape() -> None:
    issue = {"number": 1, "title": "Crash", "state": "CLOSED", "stateReason": "COMPLETED", "labels": [{"name": "bug"}],
             "createdAt": "2021-01-02T00:00:00Z", "closedAt": "2021-02-02T00:00:00Z", "body": "boom"}  # fmt: skip
    plan = plan_of(json.dumps([issue]), "gh.json")
    assert plan.table.shape == "github"
    assert facts_of(plan)["Crash"] == BugFacts("Crash", year=2021, outcome=Outcome.FIXED, symptom="boom")


def test_linear_and_bugzilla_are_recognised() -> None:
    linear = (
        "ID,Team,Title,Description,Status,Priority,Labels,Cycle Name,Created,Completed\n"
        "ENG-1,Core,Wrong total,off by one,Done,Urgent,Bug,C1,2023-01-02T00:00:00Z,2023-01-05T00:00:00Z\n"
        "ENG-2,Core,Nice to have,later,Canceled,Low,Feature,C1,2023-01-02T00:00:00Z,\n"
    )
    plan = plan_of(linear, "linear.csv")
    assert plan.table.shape == "linear"
    assert facts_of(plan)["Wrong total"].outcome is Outcome.FIXED
    assert [it.line for it in plan.set_aside] == [3]
    assert plan_of(linear.replace("Cycle Name", "Cycle Number"), "linear.csv").table.shape == "linear"
    bugzilla = (
        '"Bug ID","Product","Component","Assignee","Status","Resolution","Summary","Changed"\n'
        '7,"Mail","Compose","a","RESOLVED","FIXED","Drops ""CC""","2020-11-01 20:04:54"\n'
        '8,"Mail","Compose","a","NEW","---","Blank page","2021-01-05 06:00:56"\n'
        '9,"Mail","Compose","a","RESOLVED","WORKSFORME","Odd","2021-01-05 06:00:56"\n'
    )
    plan = plan_of(bugzilla, "list.csv")
    assert plan.table.shape == "bugzilla"
    assert {name: it.outcome for name, it in facts_of(plan).items()} == {
        'Drops "CC"': Outcome.FIXED,
        "Blank page": Outcome.OPEN,
    }
    assert any("date of the last change" in trap for trap in plan.traps)


def test_what_stands_within_the_company_of_a_json_record_is_read_and_a_footnotes_mark_is_no_part_of_a_name() -> None:
    holding = {
        "company": {"id": 7, "name": "Kelpworks*", "sector": "Climate", "founders": ["A", "B"]},
        "status": {"name": "in Konkurs", "sector": "not of the company"}, "date": "2019-08-01",
    }  # fmt: skip
    plan = plan_of(json.dumps({"fund": "II", "holdings": [holding]}), "holdings.json")
    deal = facts_of(plan)["Kelpworks"]
    assert isinstance(deal, InvestmentFacts)
    assert (deal.sector, deal.outcome) == ("Climate", Outcome.WRITTEN_OFF)
    assert set(plan.unread) == {"company.id", "company.founders"}


ON_ITS_SIDE = """,Foxglove,Gorse Bio
Sector,Retail,Biotech
Invested (£k),150,400
Year,2015,2017
Outcome,Administration,Trade sale
"""


def test_a_sheet_on_its_side_is_turned_and_a_plain_one_is_not() -> None:
    plan = plan_of(ON_ITS_SIDE, "side.csv")
    assert any("The fields stand in the first column" in trap for trap in plan.traps)
    assert [(row.line, row.source) for row in plan.accepted] == [(2, "side.csv:2"), (3, "side.csv:3")]
    fox = facts_of(plan)["Foxglove"]
    assert isinstance(fox, InvestmentFacts)
    assert (fox.sector, fox.year, fox.outcome, fox.invested) == (
        "Retail", 2015, Outcome.WRITTEN_OFF, Money(Decimal(150_000), "GBP"),
    )  # fmt: skip
    book, content = openpyxl.Workbook(), io.BytesIO()
    for line in ON_ITS_SIDE.splitlines():
        book.active.append(line.split(","))
    book.save(content)
    assert list(facts_of(plan_of(content.getvalue(), "side.xlsx"))) == ["Foxglove", "Gorse Bio"]
    plain = "Company,Sector,Year\nSector,Retail,2015\nYear,Food,2016\nOutcome,Food,2017\n"
    assert [row.facts.title for row in plan_of(plain).accepted] == ["Sector", "Year", "Outcome"]


def test_units_below_the_header_subtotals_of_a_group_and_minus_signs_behind_are_understood() -> None:
    units = "Company,Invested,Proceeds,Year,Status\n,USD m,USD m,,\nElm,1.5,0,2014,Failed\nFir,2.25,9.1,2015,IPO\n"
    fir = facts_of(plan_of(units))["Fir"]
    assert isinstance(fir, InvestmentFacts)
    assert (fir.invested, fir.returned) == (Money(Decimal(2_250_000), "USD"), Money(Decimal(9_100_000), "USD"))
    plain = plan_of("Company,Invested,Year\nElm,USD 5,2014\n")
    assert list(facts_of(plain)) == ["Elm"]

    funds = (
        "Fund,Company,Year,Cost,Status\nI,Ash,2012,$5,Dead\nI,Subtotal fund I,,$5,\n"
        "II,Total Wines,2013,$6,Live\n,Total fund II,,$6,\n"
    )
    plan = plan_of(funds)
    assert list(facts_of(plan)) == ["Ash", "Total Wines"]
    assert [it.line for it in plan.set_aside] == [3, 5]

    signs = 'Firma;Investiert;Gewinn/Verlust;Jahr;Status\nHasel;"250.000,00 EUR";"250.000,00- EUR";2013;insolvent\n'
    signs += "Ibe;1.000.000 EUR;+500.000 EUR;2014;verkauft\n"
    facts = facts_of(plan_of(signs))
    assert [it.returned for it in facts.values() if isinstance(it, InvestmentFacts)] == [
        Money(Decimal(0), "EUR"), Money(Decimal(1_500_000), "EUR"),
    ]  # fmt: skip


def test_of_two_tables_side_by_side_the_first_is_read_and_the_other_is_named() -> None:
    sheet = (
        "Realised,,,Unrealised,\nCompany,Invested ($),Year,Company,Invested ($)\n"
        "Yew,100000,2012,Zelkova,200000\nAspen,50000,2013,Birch,75000\n"
    )
    plan = plan_of(sheet)
    yew = facts_of(plan)["Yew"]
    assert isinstance(yew, InvestmentFacts)
    assert (yew.invested, yew.year) == (Money(Decimal(100_000), "USD"), 2012)
    assert plan.unread == ("Unrealised Company", "Unrealised Invested ($)")


def test_a_ticket_resolved_as_designed_is_set_aside_whatever_the_column_is_called() -> None:
    tickets = (
        "ID,Work Item Type,Title,State,Created Date,Resolved Reason\n"
        "101,Bug,App crashes on rotate,Closed,3/14/2021 9:00:00 AM,Fixed\n"
        "103,Bug,Wrong VAT on invoices,Resolved,4/22/2021 9:00:00 AM,As Designed\n"
    )
    plan = plan_of(tickets, "items.csv")
    assert {name: it.outcome for name, it in facts_of(plan).items()} == {"App crashes on rotate": Outcome.FIXED}
    assert [(it.line, it.column) for it in plan.set_aside] == [(3, "Resolved Reason")]


@pytest.mark.parametrize("written", ["3 févr. 2018", "12 janv. 2018", "1 déc. 2018", "5 dic 2018", "9 ago 2018"])
def test_months_cut_short_are_read_in_french_and_spanish_too(written: str) -> None:
    assert read_date(written).year == 2018


def test_a_reason_for_the_end_is_a_cause_in_german_too() -> None:
    plan = plan_of("Firma;Jahr;Ergebnis;Grund des Scheiterns\nHafenlogik;2015;Konkurs;Zu wenige Reeder\n", "f.csv")
    deal = facts_of(plan)["Hafenlogik"]
    assert isinstance(deal, InvestmentFacts)
    assert (deal.cause, deal.outcome) == ("Zu wenige Reeder", Outcome.WRITTEN_OFF)


@given(
    st.lists(st.lists(st.text(max_size=12), min_size=0, max_size=6), max_size=12),
    st.sampled_from([Kind.INVESTMENT, Kind.BUG]),
    st.sampled_from([None, *DateOrder]),
)
def test_every_row_is_accepted_or_set_aside_and_no_cell_breaks_the_plan(
    rows: list[list[str]], kind: Kind, order: DateOrder | None
) -> None:
    table = Table("x.csv", "CSV", ("name", "date", "amount", "status", "notes"),
                  tuple(Row(n + 2, tuple(cells)) for n, cells in enumerate(rows)))  # fmt: skip
    mapping = guess_mapping(table, kind)
    plan = plan_import(table, mapping)
    lines = sorted([it.line for it in plan.accepted] + [it.line for it in plan.set_aside])
    assert lines == [row.line for row in table.rows]


def test_what_this_memory_exported_comes_back_exactly(make_record: MakeRecord) -> None:
    deal = InvestmentFacts(
        "Albatros", "Air", "flies\nfar", 2019, 2021, Outcome.WRITTEN_OFF, Money(Decimal("50000.5"), "INR"),
        Money(Decimal(7), "INR"), "fuel; and, commas", "hedge",
    )  # fmt: skip
    flaw = BugFacts(
        "Drops rows", "python", "CWE-193", "low", 2020, Outcome.FIX_FAILED, "short\npages", "off by one",
        "    for i in range(n - 1):\n        emit(i)", "    for i in range(n):\n        emit(i)", "count right",
        Money(Decimal(12), "EUR"), "angry\n\nusers",
    )  # fmt: skip
    note = Note("Deck", "Evaluated deck, not an investment", "It says nothing of revenue.")
    records = [
        make_record(deal),
        make_record(flaw, kind=Kind.BUG),
        make_record(note, kind=Kind.EVALUATED_DECK),
    ]
    lines = "\n".join(json.dumps(record_json(record)) for record in records)
    table = read_table(lines.encode(), "export.jsonl")
    for kind, facts in ((Kind.INVESTMENT, deal), (Kind.BUG, flaw)):
        plan = plan_import(table, guess_mapping(table, kind))
        assert [row.facts for row in plan.accepted] == [facts]
        assert len(plan.set_aside) == 2
        assert plan.choosable == (), "an evaluation cannot be chosen to become a fact"


def test_a_quote_that_is_never_closed_does_not_pass_as_a_long_note() -> None:
    text = 'company,year,notes\nAlbatros,2019,fine\nBiber,2020,"left open\nChamois,2021,fine\nDachs,2022,fine\n'
    plan = plan_of(text)
    assert list(facts_of(plan)) == ["Albatros"]
    (aside,) = plan.set_aside
    assert (aside.line, aside.row) == (3, None)
    assert "swallowed 2 rows" in aside.reason


def test_a_long_text_with_line_breaks_is_no_open_quote() -> None:
    text = 'company,year,notes\nAlbatros,2019,"one, two\nthree, four, five\nsix"\nBiber,2020,fine\n'
    assert len(plan_of(text).accepted) == 2


def test_a_currency_column_speaks_for_its_row() -> None:
    plan = plan_of("company,year,amount,currency\nAlbatros,2019,5000,INR\nBiber,2020,7k,€\nChamois,2021,9,\n")
    amounts = {name: it.invested for name, it in facts_of(plan).items() if isinstance(it, InvestmentFacts)}
    assert amounts == {"Albatros": Money(Decimal(5000), "INR"), "Biber": Money(Decimal(7000), "EUR"), "Chamois": None}
    assert [it.key for it in plan.questions if it.key == "currency"] == ["currency"]


def test_errors_of_a_spreadsheet_are_blanks() -> None:
    plan = plan_of("company,year,cheque\nAlbatros,#REF!,#DIV/0!\n#N/A,2019,$5\n")
    assert list(facts_of(plan)) == ["Albatros"]
    assert [it.reason for it in plan.set_aside] == ["company is empty"]


def test_of_ten_thousand_columns_that_become_nothing_a_few_are_named_and_the_rest_counted() -> None:
    others = [f"c{at}" for at in range(10_000)]
    told = plan_text(plan_of(f"company,year,{','.join(others)}\nAlbatros,2019,{','.join('1' for _ in others)}\n"))
    assert "c49 and 9,950 more" in told
    assert len(told) < 2_000


def test_a_column_of_outcomes_is_one_also_under_a_header_that_may_mean_reasons() -> None:
    text = "startup name,what happened,got back,notes\nAlbatros,acquired,$180k,sold\nBiber,dead,$0,rent\n"
    table = read_table(text.encode(), "angel.csv")
    mapping = guess_mapping(table)
    assert (mapping.columns["outcome"], mapping.columns["returned"]) == ((1,), (2,))
    assert "cause" not in mapping.columns
    assert [it.facts.outcome for it in plan_of(text).accepted] == [Outcome.ACQUIRED, Outcome.SHUT_DOWN]
    reasons = guess_mapping(
        read_table(b"startup name,what happened\nAlbatros,rent too high\nBiber,no market\n", "a.csv")
    )
    assert reasons.columns["cause"] == (1,)


def test_a_bare_zero_that_came_back_is_read_in_the_currency_of_what_was_put_in() -> None:
    plan = plan_of("company,year,cheque,got back\nAlbatros,2019,$5k,0\nBiber,2020,€7k,900\n")
    assert [it.facts.returned for it in plan.accepted] == [Money(Decimal(0), "USD"), None]
    assert [it.key for it in plan.questions if it.key == "currency"] == ["currency"]
