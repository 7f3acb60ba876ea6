"""Columns of a PDF that are drawn line by line across are read one after the other, and tables stay together."""

from __future__ import annotations

from contextlib import closing
from itertools import zip_longest
from textwrap import wrap

import pypdfium2 as pdfium
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from audit.documents import read_document
from tests.audit.test_documents import pdf

SENT = (
    "Lanternfish lets students send money to each other by phone at no charge, whatever the bank they keep their "
    "account with, and we have grown from one campus to forty in a single year without any advertising."
)
UNPAID = (
    "There is no revenue yet because we want the network first and shall charge shops later when they cannot do "
    "without us. Our founder builds everything alone and has not taken a salary since the spring."
)
RIVALS = (
    "Banks may copy the product within a year and give it away for nothing to all of their customers, but our network "
    "is larger than theirs by then so that they have no reason to begin at all."
)
HEADING = "Lanternfish: the payments network of every campus in the whole country, today and later"


def at(x: float, y: float, text: str, size: int = 12) -> str:
    escaped = text.replace("(", r"\(").replace(")", r"\)")
    return f"BT /F1 {size} Tf {x} {y} Td ({escaped}) Tj ET "


def across(*columns: list[str], top: float = 680, step: float = 16, lower: float = 0) -> str:
    """Draw columns line by line across them; each next one stands ``lower`` by that much."""
    width = 520 / len(columns)
    return "".join(
        at(50 + number * width, top - row * step - number * lower, text)
        for row, texts in enumerate(zip_longest(*columns))
        for number, text in enumerate(texts)
        if text
    )


def text_of(content: str) -> str:
    return read_document(pdf(content), "deck.pdf").text.removeprefix("[Page 1]\n")


def flat(text: str) -> str:
    return " ".join(text.split())


@pytest.mark.parametrize("lower", [0, 5])
def test_two_columns_are_read_one_after_the_other_under_a_heading_and_over_a_footer(lower: float) -> None:
    columns = across(wrap(SENT, 38), wrap(UNPAID, 38), lower=lower)
    assert flat(text_of(columns)) == f"{SENT} {UNPAID}"
    footer = at(50, 60, "Confidential and not to be shown to anybody but those who were asked by us to read it", 10)
    assert flat(text_of(at(50, 740, HEADING) + columns + footer)).startswith(f"{HEADING} {SENT} {UNPAID} Confidential")


def test_three_columns_and_columns_below_columns_are_read_in_their_order() -> None:
    three = across(wrap(SENT, 26), wrap(UNPAID, 26), wrap(RIVALS, 26))
    assert flat(text_of(three)) == f"{SENT} {UNPAID} {RIVALS}"
    twice = across(wrap(SENT, 38), wrap(UNPAID, 38)) + at(50, 520, HEADING)
    twice += across(wrap(RIVALS, 38), wrap(SENT, 38), top=480)
    assert flat(text_of(twice)) == f"{SENT} {UNPAID} {HEADING} {RIVALS} {SENT}"


def test_two_lists_of_a_slide_are_read_one_after_the_other() -> None:
    good = ["- No charge for students", "- Works with every bank", "- Forty campuses in a year"]
    bad = ["- No revenue as of today", "- One founder without pay", "- Banks may copy all this"]
    slide = at(50, 740, "Strengths and weaknesses", 24) + across(good, bad)
    assert text_of(slide).split("\n") == ["Strengths and weaknesses", *good, *bad]


@pytest.mark.parametrize(
    "rows",
    [
        [("Month", "Users", "Revenue"), ("January 2024", "1,200", "$0"), ("February 2024", "2,400", "$0"),
         ("March 2024", "4,800", "$1,000"), ("April 2024", "9,600", "$2,500")],
        [("Students leave after three years", "We follow them into their first jobs"),
         ("Banks copy the product in a year", "Our network is larger by then"),
         ("Regulators ask for a licence", "We have applied for one in two states"),
         ("The founder may fall ill", "We are hiring a second engineer in June")],
        [("Company name:", "Lanternfish Incorporated of Delaware"), ("Founded:", "In the spring of the year 2021"),
         ("Team:", "One founder and two interns part time"), ("Raised:", "Nothing so far from anybody at all")],
    ],
)  # fmt: skip
def test_a_table_and_a_form_are_not_taken_apart(rows: list[tuple[str, ...]]) -> None:
    page = at(50, 740, HEADING) + across(*(list(column) for column in zip(*rows, strict=True)))
    assert text_of(page).split("\n") == [HEADING, *(" ".join(row) for row in rows)]


def test_a_row_of_cells_with_several_lines_is_read_cell_by_cell() -> None:
    rows = [(SENT[:74], RIVALS[:74]), (UNPAID[:73], SENT[:74]), (RIVALS[:74], UNPAID[:73])]
    page = "".join(
        across(*(wrap(cell, 38) for cell in row), top=680 - number * 50, step=14) for number, row in enumerate(rows)
    )
    assert flat(text_of(page)) == flat(" ".join(cell for row in rows for cell in row))


def test_what_a_file_draws_column_by_column_is_left_as_it_is() -> None:
    left = "".join(at(50, 700 - row * 16, text) for row, text in enumerate(wrap(SENT, 38)))
    right = "".join(at(310, 700 - row * 16, text) for row, text in enumerate(wrap(UNPAID, 38)))
    assert flat(text_of(left + right)) == f"{SENT} {UNPAID}"
    assert flat(text_of(right + left)) == f"{UNPAID} {SENT}"


@given(
    st.lists(
        st.tuples(st.integers(40, 400), st.integers(20, 44), st.sampled_from(wrap(SENT + UNPAID, 24))), max_size=40
    )
)
@settings(max_examples=40, deadline=None)
def test_no_word_is_lost_told_twice_or_torn_wherever_text_stands(placed: list[tuple[int, int, str]]) -> None:
    content = pdf(at(40, 20, "End") + "".join(at(x, y * 16, text) for x, y, text in placed))
    with closing(pdfium.PdfDocument(content)) as document:
        drawn = document[0].get_textpage().get_text_bounded()
    told = read_document(content, "deck.pdf").text.removeprefix("[Page 1]\n")
    assert sorted(told.split()) == sorted(drawn.split())
