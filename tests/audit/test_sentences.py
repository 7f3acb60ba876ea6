"""The sentence splitter: what one sentence is, in slides, prose and several scripts."""

from __future__ import annotations

import time

import pytest
from hypothesis import given
from hypothesis import strategies as st

from audit.sentences import closed, sentences


def cut(text: str) -> list[str]:
    return [text[start:end] for start, end in sentences(text)]


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("We grow 3.5x a year. We charge $4.99.", ["We grow 3.5x a year.", "We charge $4.99."]),
        ("Dr. Rao and Ms. Lee lead it. Both code.", ["Dr. Rao and Ms. Lee lead it.", "Both code."]),
        ("We sell e.g. to U.S. banks vs. shops.", ["We sell e.g. to U.S. banks vs. shops."]),
        ("Acme Inc. has 12 clients, approx. 40 users.", ["Acme Inc. has 12 clients, approx. 40 users."]),
        ("We raise a Series A. It heats to 60 °C. Done.", ["We raise a Series A.", "It heats to 60 °C.", "Done."]),
        ("J. R. Smith founded it.", ["J. R. Smith founded it."]),
        ("Revenue? None. Users! Many...", ["Revenue?", "None.", "Users!", "Many..."]),
        ("Do we earn? No. We will.", ["Do we earn?", "No.", "We will."]),
        ("See example.com for more. Read app.py first.", ["See example.com for more.", "Read app.py first."]),
        ('He said "we pay." Then he left.', ['He said "we pay."', "Then he left."]),
        ("One\r\ntwo\n\nthree", ["One", "two", "three"]),
        ("- MRR: $10k\n• 40 clients\n1. Team\n2) Market\n## Ask", ["MRR: $10k", "40 clients", "Team", "Market", "Ask"]),
        ("我们没有收入。用户增长很快！团队呢？", ["我们没有收入。", "用户增长很快！", "团队呢？"]),
        ("月费为3.5元。我们有200家客户；增长20%。", ["月费为3.5元。", "我们有200家客户；", "增长20%。"]),
        ("Wir verkaufen z.B. an Banken. Der Umsatz ist 2,5 Mio. Euro.", [
            "Wir verkaufen z.B. an Banken.", "Der Umsatz ist 2,5 Mio. Euro."]),
        ("¿Quién paga? Los bancos. ¡Crecemos!", ["¿Quién paga?", "Los bancos.", "¡Crecemos!"]),
        ("हम कमाते हैं। हम बढ़ते हैं।", ["हम कमाते हैं।", "हम बढ़ते हैं।"]),
        ("We charge Rs. 500 a month. Fine.", ["We charge Rs. 500 a month.", "Fine."]),
        ("--- \n***\n…\n", []),
        ("", []),
        ("-5% churn a month", ["-5% churn a month"]),
    ],
)  # fmt: skip
def test_text_is_cut_where_a_reader_would_stop(text: str, expected: list[str]) -> None:
    assert cut(text) == expected


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("We pay.", "We pay."), ("Who pays?", "Who pays?"), ("He said “we pay.”", "He said “we pay.”"),
        ("A deck that goes on…", "A deck that goes on…"), ("我们没有收入。", "我们没有收入。"),
        ("（我们没有收入。）", "（我们没有收入。）"),
        ("Mile app", "Mile app."), ("deck.pdf", "deck.pdf."), ("return x;", "return x;."), ("", "."),
    ],
)  # fmt: skip
def test_a_text_is_closed_by_one_mark(text: str, expected: str) -> None:
    assert closed(text) == expected


@given(st.text(max_size=400))
def test_spans_are_ordered_disjoint_and_within_the_text(text: str) -> None:
    last = 0
    for start, end in sentences(text):
        assert last <= start < end <= len(text)
        assert text[start:end].strip() == text[start:end]
        last = end


@given(st.text(max_size=400))
def test_no_letter_outside_a_leading_mark_is_lost(text: str) -> None:
    spans = sentences(text)
    kept = sum(char.isalnum() for start, end in spans for char in text[start:end])
    numbered = sum(char.isalnum() for char in text) - kept
    assert numbered <= 4 * 20 * (1 + sum(text.count(it) for it in "\n\r\v\f\x1c\x1d\x1e\x85\u2028\u2029"))


@pytest.mark.parametrize("unit", ["a. ", "a", ".", "1. ", "- ", "We grow. ", "我们增长。", '."', "e.g. "])
def test_a_long_line_takes_linear_time(unit: str) -> None:
    text = unit * (400_000 // len(unit))
    began = time.process_time()
    sentences(text)
    assert time.process_time() - began < 5
