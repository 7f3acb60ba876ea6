"""Files are read as what they are: encodings, delimiters, line ends, sheets, lists."""

from __future__ import annotations

import io
import json
import subprocess
import sys
import zipfile
from datetime import datetime
from pathlib import Path

import openpyxl
import pytest
from hypothesis import given
from hypothesis import strategies as st

from memory.errors import ImportRefused
from memory.importers.encodings import decode
from memory.importers.reading import read_table

ROOT = Path(__file__).parents[3]
SHEET = "company,year,outcome\nNordlicht Käse,2019,closed\nÉtoile & Fils,2021,live\n"


@pytest.mark.parametrize(
    ("encoding", "mark", "label"),
    [
        ("utf-8", b"", "UTF-8"),
        ("utf-8", b"\xef\xbb\xbf", "UTF-8 with a byte order mark"),
        ("utf-16-le", b"\xff\xfe", "UTF-16"),
        ("utf-16-be", b"\xfe\xff", "UTF-16"),
        ("utf-16-le", b"", "UTF-16"),
        ("cp1252", b"", "Windows-1252"),
    ],
)
def test_every_encoding_gives_the_same_names(encoding: str, mark: bytes, label: str) -> None:
    table = read_table(mark + SHEET.encode(encoding), "deals.csv")
    assert [row.cells[0] for row in table.rows] == ["Nordlicht Käse", "Étoile & Fils"]
    assert table.format.endswith(label)


def test_chinese_code_pages_are_recognised() -> None:
    text = "公司,年份,结果\n" + "".join(f"明月茶饮第{n}店,20{n},已关闭\n" for n in range(10, 24))
    table = read_table(text.encode("gb18030"), "deals.csv")
    assert table.columns == ("公司", "年份", "结果")
    assert table.rows[0].cells[0] == "明月茶饮第10店"


@pytest.mark.parametrize("delimiter", [",", ";", "\t", "|"])
@pytest.mark.parametrize("ending", ["\n", "\r\n", "\r"])
def test_delimiter_and_line_end_are_found(delimiter: str, ending: str) -> None:
    text = SHEET.replace(",", delimiter).replace("\n", ending)
    table = read_table(text.encode(), "deals.txt")
    assert table.columns == ("company", "year", "outcome")
    assert [row.line for row in table.rows] == [2, 3]


def test_a_decimal_comma_does_not_win_over_the_delimiter() -> None:
    text = "company;amount;year\nAlbatros;1.250,50 €;2019\nBiber;2.000,00 €;2020\n"
    assert read_table(text.encode(), "x.csv").columns == ("company", "amount", "year")


def test_a_declared_delimiter_is_obeyed_and_said() -> None:
    table = read_table(b"sep=;\ncompany;note\nAlbatros;a, b, c, d\n", "x.csv")
    assert table.rows[0].cells == ("Albatros", "a, b, c, d")
    assert table.rows[0].line == 3
    assert any("declares its delimiter" in note for note in table.notes)


def test_a_title_above_the_header_is_skipped_and_said() -> None:
    text = 'Deals of the club – as of 31.12.2023,,\n,,\nCompany  Name,"Date\nInvested",Cheque\nAlbatros,2019,$1k\n,,\n'
    table = read_table(text.encode(), "x.csv")
    assert table.columns == ("Company Name", "Date Invested", "Cheque")
    assert [(row.line, row.cells[0]) for row in table.rows] == [(5, "Albatros")]
    assert any("header is on line 3" in note for note in table.notes)
    assert any("1 blank row" in note for note in table.notes)


def test_lines_are_counted_through_cells_that_hold_line_breaks() -> None:
    text = 'Summary,Issue key,Issue Type\n"two\nlines",A-1,Bug\nnext,A-2,Bug\n'
    assert [row.line for row in read_table(text.encode(), "x.csv").rows] == [2, 4]


def test_a_header_alone_is_an_empty_table() -> None:
    table = read_table(b"company,year,outcome\n", "x.csv")
    assert table.columns == ("company", "year", "outcome")
    assert table.rows == ()


@pytest.mark.parametrize("content", [b"", b"\n \n", b"\xef\xbb\xbf", b'"', b",,\n,,"])
def test_an_empty_file_is_refused_in_words(content: bytes) -> None:
    with pytest.raises(ImportRefused, match="empty"):
        read_table(content, "x.csv")


def test_a_picture_is_refused() -> None:
    with pytest.raises(ImportRefused, match="binary"):
        read_table(b"\x89PNG\r\n\x1a\n" + bytes(200), "x.csv")


@pytest.mark.parametrize(
    ("content", "why"),
    [
        (b"MZ\x90\x00\x03\x00" + bytes(100), "binary"),
        (b"<html><table><tr><td>Company</td></tr></table></html>", "HTML"),
        (b'<?xml version="1.0"?><bugzilla/>', "XML"),
        (b"%PDF-1.7 ...", "PDF"),
    ],
)
def test_what_is_no_table_is_named_whatever_its_name(content: bytes, why: str) -> None:
    with pytest.raises(ImportRefused, match=why):
        read_table(content, "setup.exe")


def workbook() -> bytes:
    book = openpyxl.Workbook()
    deals = book.active
    deals.title = "Deals"
    deals.append(["The club's deals"])
    deals.append(["Company", "Date invested", "Cheque", "Status"])
    deals.append(["Albatros", datetime(2019, 4, 3), 50_000, "dead"])
    deals["C3"].number_format = "#,##0.00 [$€-407]"
    deals.append(["Biber", 2020, "=SUM(C3:C3)", "live"])
    deals.append(["Concealed", 2020, 1, "live"])
    deals.row_dimensions[5].hidden = True
    old = book.create_sheet("old")
    old.append(["Company"])
    old.append(["Ghost"])
    old.sheet_state = "hidden"
    more = book.create_sheet("More")
    more.append(["Company"])
    more.append(["Chamois"])
    target = io.BytesIO()
    book.save(target)
    return target.getvalue()


def test_a_workbook_gives_its_visible_rows_with_dates_and_currencies() -> None:
    table = read_table(workbook(), "deals.xlsx")
    assert table.sheet == "Deals"
    assert table.rows[0].cells == ("Albatros", "2019-04-03", "EUR 50000", "dead")
    assert [row.line for row in table.rows] == [3, 4]
    assert "formula without a stored value" in table.rows[1].cells[2]
    said = " ".join(table.notes)
    assert "hidden sheet 'old' (1 row)" in said
    assert "sheet 'More' (1 row)" in said
    assert "1 hidden row skipped" in said


def test_another_sheet_can_be_chosen() -> None:
    assert read_table(workbook(), "deals.xlsx", "More").rows[0].cells == ("Chamois",)
    with pytest.raises(ImportRefused, match="no sheet 'Nope'"):
        read_table(workbook(), "deals.xlsx", "Nope")


def tampered(member: str, text: str) -> bytes:
    target = io.BytesIO()
    with zipfile.ZipFile(io.BytesIO(workbook())) as source, zipfile.ZipFile(target, "w", zipfile.ZIP_DEFLATED) as out:
        for name in source.namelist():
            out.writestr(name, text if name == member else source.read(name))
    return target.getvalue()


def test_a_workbook_with_entities_is_not_opened() -> None:
    evil = '<?xml version="1.0"?><!DOCTYPE x [<!ENTITY e SYSTEM "file:///etc/hostname">]><x>&e;</x>'
    with pytest.raises(ImportRefused, match="XML entities"):
        read_table(tampered("xl/worksheets/sheet1.xml", evil), "deals.xlsx")


def test_a_zip_bomb_is_not_unpacked() -> None:
    with pytest.raises(ImportRefused, match="unreasonable size"):
        read_table(tampered("xl/worksheets/sheet1.xml", "<x>" + " " * (201 * 2**20)), "deals.xlsx")


@pytest.mark.parametrize("content", [b"PK\x03\x04broken", b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1" + bytes(100)])
def test_a_broken_or_encrypted_workbook_is_refused(content: bytes) -> None:
    with pytest.raises(ImportRefused, match=r"damaged|encrypted"):
        read_table(content, "deals.xlsx")


def test_json_lists_wrapped_lists_and_lines_are_the_same_table() -> None:
    items = [{"company": "Albatros", "year": 2019}, {"company": "Biber", "money": {"amount": 5, "currency": "EUR"}}]
    for content in (json.dumps(items), json.dumps({"data": items}), "\n".join(map(json.dumps, items))):
        table = read_table(content.encode(), "deals.json")
        assert table.columns == ("company", "year", "money")
        assert table.rows[1].cells == ("Biber", "", "EUR 5")


def test_a_bad_line_of_json_lines_is_named() -> None:
    table = read_table(b'{"company": "Albatros"}\n{broken\n{"company": "Biber"}\n', "deals.jsonl")
    assert [row.line for row in table.rows] == [1, 3]
    assert "Line 2 is not valid JSON and was skipped." in table.notes


def test_json_that_is_cut_off_is_refused_with_its_place() -> None:
    with pytest.raises(ImportRefused, match=r"line \d+, column \d+"):
        read_table(b'[{"company": "Albatros"', "deals.json")


def test_json_nested_beyond_reason_is_refused() -> None:
    with pytest.raises(ImportRefused):
        read_table(b"[" * 100_000, "deals.json")


@given(st.binary(max_size=300))
def test_any_bytes_can_be_decoded(content: bytes) -> None:
    assert isinstance(decode(content).text, str)


@given(st.binary(min_size=1, max_size=300), st.sampled_from(["a.csv", "a.json", "a.xlsx", "a"]))
def test_any_bytes_give_a_table_or_a_refusal(content: bytes, name: str) -> None:
    try:
        table = read_table(content, name)
    except ImportRefused as error:
        assert str(error)
    else:
        assert table.columns


def test_json_beyond_all_measure_is_refused_in_a_sentence() -> None:
    refused = {
        "more digits": f'[{{"company": "Z", "invested": {"9" * 20_000}}}]',
        "nested too deeply": "[" * 50_000 + "]" * 50_000,
    }
    for why, text in refused.items():
        with pytest.raises(ImportRefused, match=why):
            read_table(text.encode(), "x.json")
    halves = read_table(b'[{"company": "Ac\\ud800me", "id\\udfff": "\\ud83d\\ude80"}]', "x.json")
    assert (halves.columns, halves.rows[0].cells) == (("company", "id\ufffd"), ("Ac\ufffdme", "🚀"))
    lines = f'{{"company": "Acme"}}\n{{"company": {"9" * 20_000}}}\n'
    table = read_table(lines.encode(), "x.jsonl")
    assert [row.cells for row in table.rows] == [("Acme",)]
    assert table.notes == ("Line 2 is not valid JSON and was skipped.",)


def test_a_file_s_name_that_is_no_text_is_written_as_text() -> None:
    assert read_table(SHEET.encode(), "caf\udce9.csv").source == "caf%E9.csv"


def test_a_cell_of_a_megabyte_is_read_and_one_of_five_is_refused_in_a_sentence() -> None:
    """In a process of its own: what a reader of CSV may hold is set once for the whole program."""
    code = (
        "from memory.importers.reading import read_table; from memory.errors import ImportRefused\n"
        "print(len(read_table(b'company,note\\nA,' + b'x' * 10**6, 'a.csv').rows[0].cells[1]))\n"
        "try: read_table(b'a startup ' * 500_000, 'a.csv')\n"
        "except ImportRefused as refused: print(refused)"
    )
    done = subprocess.run([sys.executable, "-c", code], cwd=ROOT, capture_output=True, text=True, check=True)
    read, refused = done.stdout.splitlines()
    assert read == "1000000"
    assert refused.startswith("a.csv cannot be read as CSV near line 1")
