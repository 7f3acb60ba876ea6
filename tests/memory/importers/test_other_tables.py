"""What stands among the rows and is no row: headers, second tables, headings, notes."""

from __future__ import annotations

from memory.importers.mapping import guess_mapping
from memory.importers.plan import ImportPlan
from memory.importers.planning import plan_import
from memory.importers.reading import read_table
from memory.importers.remembered import corrected, mapping_json
from memory.records import Kind

SHEET = """Company,Year,Cheque,Status
Reed,2001,$5,dead
Sloe,2002,$6,live

Company,Year,Cheque,Status
Teal,2003,$7,dead

Fees,,,
Item,Amount,Date,
Audit,$9,2003,
"""


def plan_of(text: str) -> ImportPlan:
    table = read_table(text.encode(), "deals.csv")
    return plan_import(table, guess_mapping(table, Kind.INVESTMENT))


def test_a_repeated_header_is_passed_and_a_second_table_is_left_out_and_said() -> None:
    plan = plan_of(SHEET)
    assert [row.facts.title for row in plan.accepted] == ["Reed", "Sloe", "Teal"]
    assert {it.line: it.reason.split(",")[0] for it in plan.set_aside} == {
        5: "it repeats the header",
        8: "it belongs to another table",
        9: "it belongs to another table",
        10: "it belongs to another table",
    }
    assert any("Another table stands below the first" in trap for trap in plan.traps)


def test_a_row_with_a_name_and_nothing_else_is_held_as_a_heading_that_can_be_chosen() -> None:
    rows = "".join(f"Firm {n},20{n},$5,dead\n" for n in range(10, 20))
    plan = plan_of(f"company,year,cheque,status\n{rows}Source: the fund's accounts,,,\n")
    assert len(plan.accepted) == 10
    assert [row.facts.title for row in plan.choosable] == ["Source: the fund's accounts"]
    assert len(plan_of("company,year\nAlbatros,\nBiber,\nChamois,2019\n").accepted) == 3


def test_a_column_of_a_repeated_name_can_be_chosen_by_its_number_and_kept() -> None:
    table = read_table(b"company,year,amount,amount\nReed,2001,$5,$7\n", "deals.csv")
    plan = plan_import(table, guess_mapping(table, Kind.INVESTMENT))
    assert any("2 columns are called 'amount'" in trap for trap in plan.traps)
    assert plan.unread == ("amount (2)",)
    second = corrected(table, plan.mapping, {"columns": {"invested": "amount (2)"}})
    assert second.columns["invested"] == (3,)
    assert mapping_json(table, second)["columns"]["invested"] == ["amount (2)"]


def test_headers_that_name_their_owner_and_statuses_without_a_known_header_are_understood() -> None:
    plan = plan_of("company.name,company.sector,Fate\nReed,Retail,dead\nSloe,Food,live\n")
    assert {field: plan.table.columns[at[0]] for field, at in plan.mapping.columns.items()} == {
        "company": "company.name",
        "sector": "company.sector",
        "outcome": "Fate",
    }
